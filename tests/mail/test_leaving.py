"""Leaving a list: showing it changes nothing, and a click changes what it says."""

import re

import pytest

from app.mail.core import signed_addresses
from app.mail.policy import unsubscribe
from app.people import preferences
from app.people import service as people
from app.people.errors import NotFound, Refused
from app.people.suppression import suppression_of
from app.play.lobby import expiry, invitations
from app.play.lobby.links import ask_links
from app.web import create_app
from tests.mail.outbox import LINK, answer, body, links
from tests.play import cast

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
TABLES = ("player", "match", "invitation", "chair", "question", "played", "letter", "token", "preference")


@pytest.fixture
def browser(outbox):
    return create_app(outbox.settings, outbox.store).test_client()


def signed(message) -> str:
    return re.match(r"<https://h\.example/u/([a-z2-7]+)>", message["List-Unsubscribe"])[1]


def everything(outbox):
    """All rows of the tables that a link could change."""
    return {name: outbox.rows(f'SELECT * FROM "{name}" ORDER BY 1, 2') for name in (*TABLES, "suppressed")}


def turn_letter(outbox, clock, name="Ada"):
    clock.advance(minutes=10)
    outbox.go()
    return outbox.to(name, "your turn")[-1]


def test_robots_that_open_every_link_of_every_letter_change_nothing(outbox, clock, browser):
    """Scanners fetch all that a letter holds, three times and by HEAD: nobody is signed in, out or off."""
    cast.open_table(outbox.store, ("Dan", "Cleo"))
    outbox.go()
    match = cast.seat(outbox.store, ("Ada", "Bo"))
    preferences.choose(outbox.store, outbox.player("Bo"), preferences.ALL, {"turn": "digest"})
    ask_links(outbox.store, "ada@example.org")
    people.ask_sign_in(outbox.store, "ada@example.org")
    outbox.go()
    clock.advance(days=1)
    outbox.go()
    while match.player_view().status != "over":
        answer(match, match.player_view().to_move[0])
    outbox.go()
    kinds = {row.kind for row in outbox.rows("SELECT DISTINCT kind FROM letter WHERE status = 'sent'")}
    assert kinds >= {"confirm", "asked", "digest", "links", "sign_in", "over"}
    found = {link for _, _, message in outbox.sent for link in LINK.findall(body(message))}
    before = everything(outbox)
    for link in sorted(found):
        for _ in range(3):
            for method in (browser.get, browser.head):
                page = method(link.removeprefix("https://h.example"))
                ended = link.startswith("https://h.example/s/")  # a link to sign in lasts an hour
                assert page.status_code == (410 if ended else 200), link
                assert "Set-Cookie" not in page.headers
    assert everything(outbox) == before


def test_every_letter_says_how_to_leave_it(outbox, clock):
    """The pair of headers that mail systems ask for, and the same address in its foot."""
    cast.open_table(outbox.store, ("Dan", "Cleo"))
    cast.seat(outbox.store)
    turn_letter(outbox, clock)
    assert outbox.sent
    for sender, _, message in outbox.sent:
        token = signed(message)
        letter_id = message["Message-ID"].strip("<>").partition("@")[0]
        assert signed_addresses.letter_of(outbox.settings, signed_addresses.LEAVE, token) == letter_id
        assert f"<mailto:u+{token}@h.example>" in message["List-Unsubscribe"]
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"https://h.example/u/{token}" in body(message)
        local = sender.removesuffix("@h.example")
        assert signed_addresses.letter_at(outbox.settings, signed_addresses.BOUNCE, local) == letter_id


def test_one_click_of_a_mail_program_leaves_that_game_and_nothing_else(outbox, clock, browser):
    """No cookie, no token of a form, no page of ours behind it; and it is not led elsewhere."""
    one, other = cast.seat(outbox.store), cast.seat(outbox.store)
    turn_letter(outbox, clock)
    letter = next(m for m in outbox.to("Ada") if f"#{one.match_id} " in m["Subject"])
    for _ in range(2):
        done = browser.post(
            f"/u/{signed(letter)}", data=ONE_CLICK, headers={"Origin": "https://mail.example.net"}
        )
        assert done.status_code == 200
    wishes = preferences.settings_of(outbox.store, outbox.player("Ada"))
    assert wishes.chosen == {one.match_id: {"left": "none"}}
    assert wishes.choice("turn", one.match_id) == "left"
    assert wishes.choice("turn", other.match_id) == "quiet"
    assert preferences.settings_of(outbox.store, outbox.player("Bo")).chosen == {}


def test_one_click_on_a_letter_of_no_game_leaves_its_kind(outbox, clock, browser):
    cast.seat(outbox.store)
    preferences.choose(outbox.store, outbox.player("Ada"), preferences.ALL, {"turn": "digest"})
    outbox.go()
    clock.advance(days=1)
    outbox.go()
    browser.post(f"/u/{signed(outbox.to('Ada')[0])}", data=ONE_CLICK)
    wishes = preferences.settings_of(outbox.store, outbox.player("Ada"))
    assert wishes.choice("digest") == "left"
    assert wishes.choice("over") == "at_once"


def test_a_game_that_was_left_goes_on_and_its_letters_are_kept_back_with_the_reason(outbox, clock, browser):
    match = cast.seat(outbox.store, options={"bank": "long"})
    letter = turn_letter(outbox, clock)
    page = browser.post(f"/u/{signed(letter)}", data={"scope": "match", "do": "leave"})
    assert "The game goes on without emails" in page.text
    sent = len(outbox.to("Ada"))
    while match.player_view().status != "over":
        answer(match, match.player_view().to_move[0])
        clock.advance(minutes=11)
        outbox.go()
    assert len(outbox.to("Ada")) == sent
    assert ("dropped", "left") in outbox.state("Ada", "over")


def test_everything_can_be_left_and_had_again_as_it_was(outbox, clock, browser):
    cast.seat(outbox.store)
    preferences.choose(outbox.store, outbox.player("Ada"), preferences.ALL, {"over": "digest"})
    token = signed(turn_letter(outbox, clock))
    browser.post(f"/u/{token}", data={"scope": "all", "do": "leave"})
    wishes = preferences.settings_of(outbox.store, outbox.player("Ada"))
    assert {wishes.choice(event) for event in (*preferences.CHOICES, "invitation")} == {"left"}
    assert wishes.choice("account") == "at_once"
    assert "You don’t get these emails" in browser.get(f"/u/{token}").text
    browser.post(f"/u/{token}", data={"scope": "all", "do": "back"})
    wishes = preferences.settings_of(outbox.store, outbox.player("Ada"))
    assert (wishes.choice("over"), wishes.choice("turn")) == ("digest", "quiet")


@pytest.mark.parametrize("how", ["one click", "all", "before there were players", "an earlier row"])
def test_what_a_reader_asks_for_comes_whatever_they_left(outbox, clock, browser, how):
    """No way of unsubscribing bars signing in or the links again."""
    match_id = cast.open_table(outbox.store, ("Ada", "Bo"))
    ada, bo = cast.tokens(outbox.store, match_id)
    invitations.accept(outbox.store, ada, "Ada", "en", "UTC", "")
    outbox.go()
    if how == "before there were players":
        browser.post(f"/u/{signed(outbox.to('Bo')[0])}", data={"scope": "all", "do": "leave"})
        clock.advance(minutes=1)
    invitations.accept(outbox.store, bo, "Bo", "en", "UTC", "")
    for ask in (people.ask_sign_in, ask_links):
        ask(outbox.store, "bo@example.org")
    clock.advance(minutes=1)
    outbox.go()
    for subject in ("Sign in", "links"):
        letter = outbox.to("Bo", subject)[-1]
        if how == "one click":
            page = browser.post(f"/u/{signed(letter)}", data=ONE_CLICK)
            assert "It always comes" in page.text
            assert "Stopped" not in page.text
        elif how == "all":
            browser.post(f"/u/{signed(letter)}", data={"scope": "all", "do": "leave"})
        elif how == "an earlier row":
            with outbox.store.transaction() as connection:
                preferences.unsubscribe(connection, outbox.player("Bo"), event="account")
    wishes = preferences.settings_of(outbox.store, outbox.player("Bo"))
    assert (wishes.choice("turn") == "left") == (how == "all"), "one click there stops no turns"
    clock.advance(minutes=20)
    before = {subject: len(outbox.to("Bo", subject)) for subject in ("Sign in", "links")}
    for ask in (people.ask_sign_in, ask_links):
        ask(outbox.store, "bo@example.org")
    outbox.go()
    assert {subject: len(outbox.to("Bo", subject)) for subject in before} == {
        subject: many + 1 for subject, many in before.items()
    }


def test_a_stranger_who_wants_no_email_gets_none_in_their_name(outbox, clock, browser):
    match_id = cast.open_table(outbox.store, ("Ada", "Bo"))
    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], "Ada", "en", "UTC", "")
    outbox.go()
    browser.post(f"/u/{signed(outbox.to('Bo')[0])}", data={"scope": "all", "do": "leave"})
    clock.advance(minutes=20)
    ask_links(outbox.store, "bo@example.org")
    cast.open_table(outbox.store, ("Bo", "Ada"))
    outbox.go()
    assert len(outbox.to("Bo")) == 1


def test_coming_back_to_a_game_that_waits_brings_its_letter(outbox, clock, browser):
    match = cast.seat(outbox.store)
    bo = next(seat for seat in match.rows if match.player_view().name(seat) == "Bo")
    token = signed(turn_letter(outbox, clock))
    browser.post(f"/u/{token}", data=ONE_CLICK)
    answer(match, bo, "bid 3")
    answer(match, next(seat for seat in match.rows if seat != bo), "bid 0")
    while bo in match.player_view().to_move:
        answer(match, bo)
    clock.advance(minutes=10)
    outbox.go()
    before = len(outbox.to("Ada"))
    browser.post(f"/u/{token}", data={"scope": "match", "do": "back"})
    outbox.go()
    assert len(outbox.to("Ada")) == before + 1


def test_who_was_only_invited_can_leave_the_table_or_the_house(outbox, clock, browser):
    """An address that plays here under no name yet."""
    match_id = cast.open_table(outbox.store, ("Ada", "Bo", "Cleo"))

    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], "Ada", "en", "UTC", "")
    outbox.go()
    token = signed(outbox.to("Bo")[0])
    browser.post(f"/u/{token}", data=ONE_CLICK)
    with outbox.store.reading() as connection:
        assert suppression_of(connection, "bo@example.org") is None
        assert suppression_of(connection, "bo@example.org", match_id).reason == "unwanted"
        assert suppression_of(connection, "bo@example.org", match_id + 1) is None
    clock.advance(days=4)
    expiry.remind_and_expire(outbox.store)
    outbox.go()
    assert len(outbox.to("Bo")) == 1
    assert len(outbox.to("Cleo")) == 2
    browser.post(f"/u/{token}", data={"scope": "all", "do": "leave"})
    cast.open_table(outbox.store, ("Ada", "Bo"))
    outbox.write("UPDATE invitation SET status = 'invited'")
    with outbox.store.reading() as connection:
        assert suppression_of(connection, "bo@example.org").reason == "unwanted"
    browser.post(f"/u/{token}", data={"scope": "all", "do": "back"})
    browser.post(f"/u/{token}", data={"scope": "match", "do": "back"})
    assert outbox.rows("SELECT * FROM suppressed") == []


def test_a_mail_to_the_address_in_the_header_is_one_click(outbox, clock):
    match = cast.seat(outbox.store)
    local = "u+" + signed(turn_letter(outbox, clock))
    assert unsubscribe.unsubscribe_by_mail(outbox.store, outbox.settings, local.upper()) is True
    assert (
        preferences.settings_of(outbox.store, outbox.player("Ada")).choice("turn", match.match_id) == "left"
    )
    for other in ("u+" + "a" * 42, "b" + local[1:], "u", "tidepost"):
        assert unsubscribe.unsubscribe_by_mail(outbox.store, outbox.settings, other) is False


def test_what_was_never_signed_or_cannot_be_left_changes_nothing(outbox, clock, browser):
    cast.seat(outbox.store)
    token = signed(turn_letter(outbox, clock))
    before = everything(outbox)
    assert browser.post(f"/u/{'a' * 42}", data=ONE_CLICK).status_code == 404
    assert browser.post(f"/u/{token[:-2]}aa", data=ONE_CLICK).status_code == 404
    assert browser.post(f"/u/{token}", data={"scope": "moon"}).status_code == 422
    assert browser.post(f"/u/{token}").status_code == 422
    with pytest.raises(Refused):
        unsubscribe.leave(outbox.store, outbox.settings, token, "moon")
    with pytest.raises(NotFound):
        unsubscribe.leaving(outbox.store, outbox.settings, "")
    assert everything(outbox) == before


def test_the_page_to_leave_is_the_readers_and_says_that_nothing_has_happened_yet(outbox, clock, browser):
    match = cast.seat(outbox.store)
    page = browser.get(links(turn_letter(outbox, clock), "/u/")[0].removeprefix("https://h.example"))
    assert "Nothing changes until you press a button" in page.text
    assert f"Ferry #{match.match_id}" in page.text
    assert page.text.count("<button name") == 3
