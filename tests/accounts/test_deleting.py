"""A deleted account: nothing names the person any more, and the others play on."""

import pytest

from app.accounts import deleting
from app.mail.outbound import deliver
from app.people import logins, profiles
from app.people import service as people
from app.people.errors import NotFound
from app.play.lobby import rematch
from app.play.moves import service
from app.play.seats import chat, operating
from app.store import audit, tokens
from app.words import available, say
from app.words.someone import NAME
from tests.accounts.person import NOTED, PUSHED, REPORTED, SAID, SCRIPT, open_game, places, seat_of, settle
from tests.mail.outbox import answer, body, links
from tests.play import cast


def test_no_row_names_the_person_any_more(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    before = places(outbox.store, "ada@", SAID, NOTED, SCRIPT, PUSHED)
    assert {"player.address", "letter.sent_to", "suppressed.address_key"} < before
    assert {"letter.to_address", "confirmation.facts"} < places(outbox.store, "lovelace")
    assert {
        "notice.facts",
        "note.text",
        "apikey.name",
        "subscription.endpoint",
    } < before
    deleting.delete(outbox.store, ada)
    assert places(outbox.store, "ada@", SAID, NOTED, SCRIPT, PUSHED) == set()
    assert places(outbox.store, "lovelace") == {"unasked.mailbox"}


def test_the_name_stays_only_in_the_word_for_the_dice(outbox, clock):
    """The word is part of the proof of the dice, and public since the start."""
    _, ada, _ = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    assert places(outbox.store, "Ada") <= {"match.words", "invitation.word"}
    assert places(outbox.store, REPORTED) == {"report.text"}


def test_the_seat_is_given_up_and_the_others_are_told(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    moves = outbox.rows("SELECT seat, move FROM played WHERE move = 'resign'")
    assert [tuple(one) for one in moves] == [(seat, "resign")]
    assert seated.player_view().status == "running"
    assert seated.player_view().name(seat) == NAME
    told = [one.what for one in seated.player_view(None).heard if one.seat == seat]
    assert "resign" in told


def test_who_lost_a_seat_to_another_by_the_operator_is_named_no_more(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    open_game(outbox.store, "Dan", "Bo")
    operating.reassign(outbox.store, seated.match_id, seat, "dan@example.org")
    assert "notice.facts" in places(outbox.store, '"before":"Ada')
    deleting.delete(outbox.store, ada)
    assert places(outbox.store, "Ada") <= {"match.words", "invitation.word"}


def test_the_last_of_two_wins_at_once(outbox):
    seated = cast.seat(outbox.store)
    deleting.delete(outbox.store, outbox.player("Ada"))
    assert seated.player_view().status == "over"


def test_a_game_in_the_middle_of_their_turn_goes_on(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    for other in seated.rows:
        if other != seat:
            answer(seated, other)
    assert outbox.rows("SELECT max(ply) FROM played")[0][0] >= 3


def test_games_before_their_start_are_left_and_called_off(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    hosted = open_game(outbox.store, "Ada", "Dan")
    guest = open_game(outbox.store, "Bo", "Ada")
    outbox.go()
    outbox.clear()
    deleting.delete(outbox.store, ada)
    outbox.go()
    states = dict(outbox.rows('SELECT id, status FROM "match"'))
    assert (states[hosted], states[guest]) == ("called_off", "open")
    assert "called off" in outbox.to("Dan")[0]["Subject"]
    (told,) = outbox.to("Bo", "news")
    assert "Someone" in body(told)
    assert "ada" not in body(told).casefold()
    assert outbox.to("Ada") == []


@pytest.mark.parametrize("language", available())
def test_the_name_is_said_in_each_language(language):
    said = say("words", language, "did_resign", NAME)
    assert say("words", language, "gone_name") in said
    assert NAME[-1] not in said


def test_nothing_opens_the_account_any_more(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    with outbox.store.transaction() as connection:
        key = logins.begin(connection, clock.now(), ada)
        token = tokens.mint(connection, "sign_in", clock.now(), player_id=ada)
    deleting.delete(outbox.store, ada)
    assert people.signed_in(outbox.store, key) is None
    with pytest.raises(NotFound):
        people.sign_in(outbox.store, token)
    outbox.clear()
    people.ask_sign_in(outbox.store, "ada@example.org")
    outbox.go()
    assert outbox.sent == []


def test_letters_on_their_way_do_not_go_out(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    clock.advance(minutes=11)  # the email about the turn is due now
    deleting.delete(outbox.store, ada)
    outbox.clear()
    outbox.go()
    assert outbox.to("Ada") == []
    assert (
        outbox.rows("SELECT count(*) FROM letter WHERE player_id = :p AND status = 'waiting'", p=ada)[0][0]
        == 0
    )
    clock.advance(days=30)
    outbox.go()
    assert outbox.to("Ada") == []


def test_a_letter_in_the_hands_of_a_worker_leaves_no_address_and_opens_nothing(outbox, clock):
    """It was claimed and composed before the account was deleted, and is marked as sent afterwards."""
    _, ada, _ = settle(outbox, clock)
    people.ask_sign_in(outbox.store, "ada@example.org")

    def send(_url, _sender, recipient, message):
        if recipient == "ada@example.org":
            outbox.sent.append(("", recipient, message))
            deleting.delete(outbox.store, ada)

    deliver.run_batch(outbox.store, outbox.settings, send)
    (sent,) = outbox.to("Ada", "Sign in")
    with pytest.raises(NotFound):
        people.sign_in(outbox.store, links(sent, "/s/")[0].rsplit("/", 1)[1])
    assert places(outbox.store, "ada@") == set()


def test_the_address_can_begin_anew(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    open_game(outbox.store, "Ada", "Dan")
    assert outbox.player("Ada") != ada


def test_deleted_twice_is_deleted_once(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    deleting.delete(outbox.store, ada)
    with outbox.store.reading() as connection:
        acts = audit.latest(connection, 9)
    assert [(one.act, one.about) for one in acts] == [("people delete", f"player {ada}")]


def test_what_broke_in_the_middle_goes_on_when_done_again(outbox, clock, monkeypatch):
    _, ada, _ = settle(outbox, clock)

    def breaks(*_):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(deleting, "erase", breaks)
        with pytest.raises(RuntimeError):
            deleting.delete(outbox.store, ada)
    assert people.player(outbox.store, ada).name == "Ada"
    deleting.delete(outbox.store, ada)
    assert places(outbox.store, "ada@") == set()


def test_a_successors_messages_stay(outbox, clock):
    """Only what was said in the person's own time on the seat goes."""
    seated, ada, _ = settle(outbox, clock)
    bo = next(one for one, row in seated.rows.items() if row.player_id == outbox.player("Bo"))
    chat.say(outbox.store, seated.bearer(bo), seated.match_id, "I stay here")
    deleting.delete(outbox.store, ada)
    assert places(outbox.store, "I stay here") == {"notice.facts"}


def test_the_page_says_that_a_message_was_deleted(outbox, clock):
    seated, ada, _ = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    assert [one.what for one in seated.player_view().notices if one.what in ("said", "unsaid")] == ["unsaid"]


def test_a_public_page_names_nobody(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    profiles.choose(outbox.store, ada, frozenset({"games"}))
    deleting.delete(outbox.store, ada)
    assert profiles.profile(outbox.store, ada) == profiles.Profile(ada, NAME, frozenset(), gone=True)


def test_a_rematch_leaves_them_out(outbox, clock):
    seated, ada, _ = settle(outbox, clock)
    deleting.delete(outbox.store, ada)
    cleo = outbox.player("Cleo")
    service.resign(outbox.store, seated.bearer(seat_of(seated, cleo)), seated.match_id)
    again = rematch.rematch(outbox.store, seated.match_id, outbox.player("Bo"))
    invited = outbox.rows("SELECT address FROM invitation WHERE match_id = :m ORDER BY id", m=again)
    assert [one.address for one in invited] == ["bo@example.org", "cleo@example.org"]


def test_there_is_nobody_to_delete(outbox):
    with pytest.raises(NotFound):
        deleting.delete(outbox.store, 99)


def test_a_resigned_seat_is_not_resigned_again(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    service.resign(outbox.store, seated.bearer(seat), seated.match_id)
    deleting.delete(outbox.store, ada)
    assert outbox.rows("SELECT count(*) FROM played WHERE move = 'resign'")[0][0] == 1
