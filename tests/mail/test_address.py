"""Players change their address themselves; the new one confirms, the old one opens nothing any more."""

import re

import pytest

from app.mail.policy import unsubscribe
from app.people import address as addresses
from app.people import keys, preferences
from app.people import service as people
from app.people.errors import NotFound, Refused
from app.people.suppression import suppress, suppression_of
from app.play.lobby import invitations as lobby
from app.play.match import links as match_links
from app.play.views.player_view import player_view_by_token
from app.web import create_app
from tests.mail.outbox import body, links
from tests.play import cast

NEW = "ada@new.example"


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


def to(outbox, address, subject=""):
    return [m for _, recipient, m in outbox.sent if recipient == address and subject in m["Subject"]]


def ask(outbox, address=NEW) -> str:
    """Ada asks; the token in the letter to the new address."""
    addresses.request_change(outbox.store, outbox.player("Ada"), address)
    outbox.go()
    return links(to(outbox, address, "new address")[-1], "/a/")[0].rsplit("/", 1)[1]


def key_of(outbox):
    return outbox.rows("SELECT address_key FROM player WHERE name = 'Ada'")[0].address_key


@pytest.fixture
def match(outbox, clock):
    match = cast.seat(outbox.store)
    clock.advance(minutes=10)
    outbox.go()
    return match


@pytest.fixture
def browser(outbox):
    return create_app(outbox.settings, outbox.store).test_client()


def test_the_address_changes_when_the_button_behind_the_new_ones_link_is_pressed_and_not_before(
    outbox, match, browser
):
    token = ask(outbox)
    for _ in range(3):
        assert NEW in browser.get(f"/a/{token}").text
        browser.head(f"/a/{token}")
    assert key_of(outbox) == "ada@example.org"
    for _ in range(2):
        done = browser.post(f"/a/{token}")
        assert done.status_code == 200
        assert "Your emails now go to" in done.text
    assert key_of(outbox) == NEW
    assert match.player_view().status == "running"


@pytest.mark.usefixtures("match")
def test_what_was_sent_to_the_old_address_opens_nothing_and_the_new_one_gets_fresh_links(outbox):
    """Also the address by which one leaves the list: whoever reads there now is perhaps not the player."""
    letter = to(outbox, "ada@example.org", "your turn")[0]
    old = links(letter, "/t/")[0].rsplit("/", 1)[1].partition("?")[0]
    leave = links(letter, "/u/")[0].rsplit("/", 1)[1]
    assert player_view_by_token(outbox.store, old).asked
    browser = keys.begin(outbox.store, outbox.player("Ada"))
    addresses.confirm_change(outbox.store, ask(outbox))
    assert people.signed_in(outbox.store, browser) is None
    assert not player_view_by_token(outbox.store, old).asked
    with pytest.raises(NotFound):
        unsubscribe.leave(outbox.store, outbox.settings, leave)
    outbox.go()
    fresh = links(to(outbox, NEW, "Your links")[0], "/t/")[0].rsplit("/", 1)[1]
    assert player_view_by_token(outbox.store, fresh).asked
    assert len(outbox.rows("SELECT * FROM token WHERE purpose = 'turn'")) >= 1


def test_invitations_to_the_old_address_ask_to_sign_in_and_the_new_one_gets_links_to_them(
    outbox, match, browser
):
    """Whoever reads at the old address accepts, declines and hosts nothing in the player's name."""
    waiting = cast.open_table(outbox.store, ("Bo", "Ada"))
    own, _ = cast.tokens(outbox.store, waiting)
    lobby.accept(outbox.store, own, "Bo", "en", "UTC", "")
    outbox.go()
    old = next(link for letter in to(outbox, "ada@example.org") for link in links(letter, "/i/"))
    path = old.removeprefix(outbox.settings.url)
    addresses.confirm_change(outbox.store, ask(outbox))
    assert browser.get(path).status_code == 403
    with outbox.store.transaction() as connection:
        number = outbox.rows("SELECT id FROM invitation WHERE match_id = :m AND NOT organiser", m=waiting)[
            0
        ].id
        later = "/i/" + match_links.mint(connection, "invitation", invitation_id=number)
    for answer in (browser.get(later), browser.post(later, data={"do": "accept", "word": "mine"})):
        assert answer.status_code == 403
        assert "Sign in to use it." in answer.text
    assert "mine" in answer.text
    assert outbox.rows("SELECT status FROM invitation WHERE id = :i", i=number)[0].status == "invited"
    outbox.go()
    fresh = links(to(outbox, NEW, "Your links")[0], "/i/")[0].removeprefix(outbox.settings.url)
    assert browser.post(fresh, data={"do": "accept"}).status_code == 303
    assert outbox.rows("SELECT status FROM invitation WHERE id = :i", i=number)[0].status == "accepted"
    assert match.player_view().status == "running"


@pytest.mark.usefixtures("match")
def test_feeds_get_new_addresses_and_the_page_says_so(outbox, browser):
    before = outbox.rows("SELECT feed_epoch FROM player WHERE name = 'Ada'")[0].feed_epoch
    done = browser.post(f"/a/{ask(outbox)}").text
    assert outbox.rows("SELECT feed_epoch FROM player WHERE name = 'Ada'")[0].feed_epoch == before + 1
    assert "Your feed and calendar have new addresses too" in done


@pytest.mark.usefixtures("match")
def test_the_old_address_is_told_and_not_where_the_letters_go(outbox):
    addresses.confirm_change(outbox.store, ask(outbox))
    outbox.go()
    (notice,) = to(outbox, "ada@example.org", "address was changed")
    assert NEW not in notice.as_string()
    assert "Undo the change now" in " ".join(body(notice).split())


@pytest.mark.usefixtures("match")
def test_whoever_reads_at_an_address_that_was_only_claimed_cannot_leave_the_players_lists(outbox):
    ask(outbox)
    leave = links(to(outbox, NEW)[0], "/u/")[0].rsplit("/", 1)[1]
    unsubscribe.leave(outbox.store, outbox.settings, leave)
    assert preferences.settings_of(outbox.store, outbox.player("Ada")).chosen == {}
    with outbox.store.reading() as connection:
        assert suppression_of(connection, NEW).reason == "unwanted"


@pytest.mark.usefixtures("match")
def test_an_address_that_somebody_plays_under_is_refused_without_a_word(outbox, clock):
    addresses.request_change(outbox.store, outbox.player("Ada"), "Bo@Example.org")
    outbox.go()
    assert to(outbox, "bo@example.org", "new address") == []
    clock.advance(minutes=1)
    token = ask(outbox)
    outbox.write("UPDATE player SET address_key = :k WHERE name = 'Bo'", k=NEW)
    with pytest.raises(Refused) as refused:
        addresses.confirm_change(outbox.store, token)
    assert refused.value.reason == "address_taken"
    assert key_of(outbox) == "ada@example.org"


@pytest.mark.usefixtures("match")
def test_only_the_last_request_counts_and_only_for_a_day(outbox, clock):
    first = ask(outbox, "one@new.example")
    clock.advance(minutes=1)
    second = ask(outbox, "two@new.example")
    with pytest.raises(NotFound):
        addresses.confirm_change(outbox.store, first)
    clock.advance(hours=24)
    with pytest.raises(NotFound):
        addresses.confirm_change(outbox.store, second)
    assert key_of(outbox) == "ada@example.org"


@pytest.mark.usefixtures("match")
def test_too_many_requests_the_same_address_and_no_address_are_refused(outbox, clock):
    for text, reason in (("ADA@example.org", "address_same"), ("nothing", "address"), ("", "address")):
        with pytest.raises(Refused) as refused:
            addresses.request_change(outbox.store, outbox.player("Ada"), text)
        assert refused.value.reason == reason
    for n in range(5):
        clock.advance(minutes=1)
        ask(outbox, f"n{n}@new.example")
    with pytest.raises(Refused) as refused:
        ask(outbox, "n6@new.example")
    assert refused.value.reason == "too_often"


def test_a_player_whose_letters_come_back_gives_another_address_and_is_reached_again(
    outbox, match, clock, browser
):
    """A hard bounce is mended by the player themselves."""
    from datetime import timedelta

    from app.play.match import links as paths

    with outbox.store.transaction() as connection:
        suppress(connection, "ada@example.org", "bounced", clock.now())
        until = clock.now() + timedelta(hours=1)
        token = paths.mint(connection, "sign_in", player_id=outbox.player("Ada"), expires_at=until)
    browser.post(f"/s/{token}")
    assert "Emails to you bounce" in browser.get("/").text
    clock.advance(minutes=1)
    form = {"address": NEW}
    assert browser.post("/profile/address", data=form).location == "/profile?asked=1#address"
    outbox.go()
    confirm = links(to(outbox, NEW)[0], "/a/")[0].rsplit("/", 1)[1]
    browser.post(f"/a/{confirm}")
    page = browser.get("/")
    assert "My games" in page.text, "this browser stays signed in"
    assert "Emails to you bounce" not in page.text
    outbox.go()
    assert to(outbox, NEW, "Your links")
    assert to(outbox, "ada@example.org", "address was changed") == []
    assert match.player_view().status == "running"


@pytest.mark.usefixtures("outbox")
def test_who_is_not_signed_in_or_has_no_such_link_changes_nothing(browser):
    refused = browser.post("/profile/address", data={"address": NEW})
    assert refused.status_code == 403
    assert NEW in refused.text
    assert browser.post("/profile/address").location == "/sign-in"
    assert browser.get("/a/nothing").status_code == 404
    assert browser.post("/a/nothing").status_code == 404


def undo_link(outbox) -> str:
    """The path of the link that the old address got."""
    outbox.go()
    notice = to(outbox, "ada@example.org", "address was changed")[-1]
    return "/k/" + links(notice, "/k/")[0].rsplit("/", 1)[1]


def changed(outbox, address=NEW):
    addresses.confirm_change(outbox.store, ask(outbox, address))


def sign_in_mail(outbox, address):
    """The sign-in email that an address gets when it asks for one, or None."""
    before = len(outbox.sent)
    people.ask_sign_in(outbox.store, address)
    outbox.go()
    return next((m for _, to, m in outbox.sent[before:] if to == address and "Sign in" in m["Subject"]), None)


@pytest.mark.usefixtures("match")
class TestUndoing:
    def test_the_old_address_undoes_the_change_by_a_button_and_all_else_ends(self, outbox, browser):
        changed(outbox)
        thief = keys.begin(outbox.store, outbox.player("Ada"))
        link = undo_link(outbox)
        fresh = links(to(outbox, NEW, "Your links")[0], "/t/")[0].rsplit("/", 1)[1]
        for method in (browser.get, browser.head, browser.get):
            assert method(link).status_code == 200
        assert key_of(outbox) == NEW
        for _ in range(2):
            done = browser.post(link)
            assert done.status_code == 200
            assert "Your emails come to" in done.text
        assert key_of(outbox) == "ada@example.org"
        assert people.signed_in(outbox.store, thief) is None
        assert not player_view_by_token(outbox.store, fresh).asked
        outbox.go()
        assert to(outbox, "ada@example.org", "Your links")
        assert sign_in_mail(outbox, NEW) is None

    def test_not_by_a_form_of_another_site(self, outbox, browser):
        changed(outbox)
        link = undo_link(outbox)
        assert browser.post(link, headers={"Origin": "https://evil.example"}).status_code == 403
        assert key_of(outbox) == NEW

    def test_for_seven_days(self, outbox, browser, clock):
        changed(outbox)
        link = undo_link(outbox)
        clock.advance(days=6, hours=23)
        assert browser.get(link).status_code == 200
        clock.advance(hours=2)
        assert browser.post(link).status_code == 404
        assert key_of(outbox) == NEW

    def test_also_after_the_thief_ended_all_links_and_moved_on(self, outbox, browser, clock):
        changed(outbox)
        link = undo_link(outbox)
        keys.end_all(outbox.store, outbox.player("Ada"))
        clock.advance(minutes=1)
        changed(outbox, "third@new.example")
        theirs = links(to(outbox, NEW, "address was changed")[-1], "/k/") if outbox.go() is None else []
        assert browser.post(link).status_code == 200
        assert key_of(outbox) == "ada@example.org"
        for one in theirs:
            assert browser.post("/k/" + one.rsplit("/", 1)[1]).status_code == 404
        assert key_of(outbox) == "ada@example.org"
        assert sign_in_mail(outbox, "third@new.example") is None

    def test_until_then_both_addresses_sign_in(self, outbox, clock):
        changed(outbox)
        outbox.go()
        for address in ("ada@example.org", NEW):
            letter = sign_in_mail(outbox, address)
            token = links(letter, "/s/")[0].rsplit("/", 1)[1]
            assert people.sign_in(outbox.store, token).id == outbox.player("Ada")
        clock.advance(days=7, minutes=1)
        assert sign_in_mail(outbox, "ada@example.org") is None
        assert sign_in_mail(outbox, NEW) is not None

    def test_nobody_else_becomes_a_player_by_it_meanwhile(self, outbox, clock):
        changed(outbox)
        clock.advance(minutes=1)
        addresses.request_change(outbox.store, outbox.player("Bo"), "ada@example.org")
        outbox.go()
        assert to(outbox, "ada@example.org", "new address") == []

    def test_before_the_button_nothing_goes_to_the_new_one_but_the_question(self, outbox, clock):
        ask(outbox)
        clock.advance(days=2)
        outbox.go()
        assert [m["Subject"] for m in to(outbox, NEW)] == ["[Tidepost] Confirm your new address"]
        assert sign_in_mail(outbox, NEW) is None


@pytest.mark.usefixtures("match")
class TestTakenAndFreeAddresses:
    """What a player sees of a request is the same, whether or not another plays under the address."""

    def signed_in(self, outbox, browser):
        from datetime import timedelta

        from app import clock
        from app.play.match import links as paths

        with outbox.store.transaction() as connection:
            until = clock.now() + timedelta(hours=1)
            token = paths.mint(connection, "sign_in", player_id=outbox.player("Ada"), expires_at=until)
        browser.post(f"/s/{token}")

    def test_the_pages_and_the_list_of_emails_are_equal(self, outbox, browser, clock):
        self.signed_in(outbox, browser)
        seen = []
        for address in ("bo@example.org", "nobody@new.example"):
            done = browser.post("/profile/address", data={"address": address})
            pages = [browser.get("/profile?asked=1").text]
            for _ in range(2):
                pages.append(browser.get("/profile/letters").text.replace(address, ""))
                outbox.go()
            seen.append(
                (done.status_code, done.location, [re.sub(r'value="[\w-]{22}"', "", p) for p in pages])
            )
            clock.advance(minutes=1)
        assert seen[0] == seen[1]

    def test_the_limit_counts_both(self, outbox, browser, clock):
        self.signed_in(outbox, browser)
        for n in range(5):
            clock.advance(minutes=1)
            assert browser.post("/profile/address", data={"address": "bo@example.org"}).status_code == 303, n
        assert browser.post("/profile/address", data={"address": "bo@example.org"}).status_code in (422, 429)
        assert browser.post("/profile/address", data={"address": NEW}).status_code in (422, 429)

    def test_the_same_statements_run(self, outbox, monkeypatch):
        from app.store import sql

        counted = []
        for address in ("bo@example.org", "nobody@new.example"):
            run = []
            monkeypatch.setattr(sql, "watch", run.append)
            addresses.request_change(outbox.store, outbox.player("Ada"), address)
            monkeypatch.setattr(sql, "watch", None)
            counted.append(run)
        assert counted[0] == counted[1]


def test_domains_are_told_apart_as_dns_does():
    from app.people.checks import check_address

    key = {
        text: check_address(text)[1] for text in ("Ada@Straße.de", "ada@strasse.de", "ada@xn--strae-oqa.DE")
    }
    assert key["Ada@Straße.de"] == key["ada@xn--strae-oqa.DE"] == "ada@xn--strae-oqa.de"
    assert key["ada@strasse.de"] == "ada@strasse.de"


@pytest.mark.usefixtures("match")
def test_two_domains_that_fold_alike_are_two_players(outbox, clock):
    changed(outbox, "ada@straße.de".replace("straße", "xn--strae-oqa"))
    clock.advance(minutes=1)
    addresses.request_change(outbox.store, outbox.player("Bo"), "ada@strasse.de")
    outbox.go()
    assert to(outbox, "ada@strasse.de", "new address")


def test_who_ends_everything_twice_at_once_still_gets_links_that_work(outbox, clock):
    """By the button and by a reply, in one minute: the second ends the links that the first one sent."""
    cast.seat(outbox.store)
    outbox.go()
    outbox.clear()
    for _ in range(2):
        keys.end_all(outbox.store, outbox.player("Ada"))
        outbox.go()
        clock.advance(seconds=20)
    first, second = (links(one, "/s/")[0].rsplit("/", 1)[1] for one in outbox.to("Ada"))
    with pytest.raises(NotFound):
        people.sign_in(outbox.store, first)
    assert people.sign_in(outbox.store, second).name == "Ada"
    keys.end_all(outbox.store, outbox.player("Ada"))
    keys.end_all(outbox.store, outbox.player("Ada"))
    outbox.clear()
    outbox.go()
    assert len(outbox.to("Ada")) == 1, "one that has not gone out will have links that work"
