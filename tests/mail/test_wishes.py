"""Letters as each player wants them: put off, gathered or not sent, and every row says why."""

from datetime import UTC, datetime

import msgspec
import pytest

from app.mail.letters import digest as digest_letters
from app.mail.outbound import deliver
from app.mail.policy import history
from app.people import preferences
from app.people.errors import Refused
from app.play.clock.rules import Rule
from app.play.deadlines import sweep
from app.play.match import announce as news
from app.play.match.reading import by_match
from app.play.moves import service
from app.play.seats import chat, organiser
from app.play.views.player_view import player_view_by_token
from app.store.outbox import LetterRequest, enqueue
from tests.mail.outbox import answer, body, links, name_of
from tests.play import cast


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


def choose(outbox, name, match_id=preferences.ALL, **choices):
    preferences.choose(outbox.store, outbox.player(name), match_id, choices)


def test_a_page_that_is_open_or_was_looked_at_stops_no_letter(outbox, clock):
    """Who looked, left, and was asked ten seconds later is told: once, when ten minutes have passed."""
    match = cast.seat(outbox.store)
    for seat in match.rows:
        match.player_view(seat)
    outbox.go()
    assert outbox.sent == []
    assert outbox.state("Ada") == [("waiting", "quiet_minutes")]
    clock.advance(minutes=9)
    outbox.go()
    assert outbox.sent == []
    clock.advance(minutes=1)
    outbox.go()
    outbox.go()
    assert len(outbox.to("Ada")) == len(outbox.to("Bo")) == 1


def test_who_acts_within_ten_minutes_gets_no_letter(outbox, clock):
    match = cast.seat(outbox.store)
    seat = match.player_view().to_move[0]
    outbox.go()
    answer(match, seat)
    clock.advance(minutes=10)
    outbox.go()
    assert ("dropped", "answered") in outbox.state(name_of(match, seat))
    assert not outbox.to(name_of(match, seat), "your turn")


def test_several_answers_in_one_turn_make_one_letter(outbox, clock):
    """A turn of three steps is one turn."""
    match = cast.seat(outbox.store, options={"bank": "long"})
    for name in ("Ada", "Bo"):
        choose(outbox, name, turn="at_once")
    outbox.go()
    counted = {name: len(outbox.to(name, "your turn")) for name in ("Ada", "Bo")}
    assert set(counted.values()) == {1}
    for _ in range(12):
        runs = outbox.rows("SELECT count(DISTINCT seat || run) AS n FROM letter WHERE kind = 'asked'")[0].n
        outbox.go()
        assert len(outbox.sent) <= runs
        clock.advance(minutes=1)
        if match.player_view().status == "over":
            break
        answer(match, match.player_view().to_move[0])


@pytest.mark.parametrize("how", ["answered", "resigned", "over", "called_off"])
def test_a_turn_that_is_over_before_its_letter_goes_makes_none(outbox, clock, how):
    """Whose turn it is no longer hears nothing of it, whatever ended it, and the row says why."""
    match = cast.seat(outbox.store, ("Ada", "Bo", "Cleo"))
    outbox.go()
    seat, *others = match.player_view().to_move
    if how == "answered":
        answer(match, seat)
    elif how == "called_off":
        ada = next(one for one in match.rows if name_of(match, one) == "Ada")
        organiser.call_off(match.store, match.bearer(ada), match.match_id)
    else:
        for one in others if how == "over" else [seat]:
            service.resign(match.store, match.bearer(one), match.match_id)
    clock.advance(minutes=10)
    outbox.go()
    ((status, reason),) = outbox.state(name_of(match, seat))
    assert status == "dropped"
    assert reason
    assert not outbox.to(name_of(match, seat), "your turn")


def test_a_step_taken_back_leaves_the_turn_where_it_was_and_makes_no_letter(outbox, clock):
    """Whose turn it is after a step back is worked out anew: nobody is told of a turn that is not theirs."""
    match = cast.seat(outbox.store)
    choose(outbox, name_of(match, "red"), turn="at_once")
    for seat, bid in (("red", "bid 1"), ("blue", "bid 0")):
        answer(match, seat, bid)
    outbox.go()
    (link,) = {link.partition("?")[0] for link in links(outbox.to(name_of(match, "red"))[-1], "/t/")}
    outbox.clear()
    answer(match, "red", "row on")
    service.take_back(match.store, match.bearer("red"), match.match_id)
    clock.advance(days=1)
    outbox.go()
    assert outbox.sent == []
    assert match.player_view().to_move == ("red",)
    assert player_view_by_token(match.store, link.rsplit("/", 1)[1]).view.places["red"] == 0


def test_after_a_worker_was_away_only_the_turn_of_today_is_mailed(outbox, clock):
    """No flood for turns that are long past."""
    match = cast.seat(outbox.store, options={"bank": "long"})
    for _ in range(6):
        clock.advance(hours=5)
        answer(match, match.player_view().to_move[0])
    clock.advance(hours=5)
    asked = outbox.rows("SELECT count(*) AS n FROM letter WHERE kind = 'asked'")[0].n
    outbox.go()
    sent = outbox.rows(
        """SELECT q.seat FROM letter l LEFT JOIN question q ON q.match_id = l.match_id AND q.seat = l.seat
           AND q.run = l.run AND q.closed_at IS NULL WHERE l.kind = 'asked' AND l.status = 'sent'"""
    )
    assert asked > len(sent) == len(outbox.sent) >= 1
    assert all(row.seat is not None for row in sent)


def test_switching_to_at_once_sends_what_is_held_and_switching_mail_on_tells_who_is_waited_for(outbox):
    """Another wish is heard at once, also for a turn that began under the old one; never twice."""
    cast.seat(outbox.store)
    choose(outbox, "Bo", turn="none")
    outbox.go()
    assert outbox.state("Ada") == [("waiting", "quiet_minutes")]
    assert outbox.state("Bo") == [("dropped", "by_choice")]
    for name in ("Ada", "Bo"):
        choose(outbox, name, turn="at_once")
    outbox.go()
    choose(outbox, "Bo", turn="digest")
    choose(outbox, "Bo", turn="at_once")
    outbox.go()
    assert len(outbox.to("Ada")) == len(outbox.to("Bo")) == 1


def test_a_choice_for_one_game_leaves_the_others_alone(outbox):
    loud, quiet = cast.seat(outbox.store), cast.seat(outbox.store)
    choose(outbox, "Ada", turn="none")
    choose(outbox, "Ada", loud.match_id, turn="at_once")
    outbox.go()
    assert [f"#{loud.match_id} " in m["Subject"] for m in outbox.to("Ada")] == [True]
    choose(outbox, "Ada", loud.match_id, turn="")
    assert preferences.settings_of(outbox.store, outbox.player("Ada")).choice("turn", loud.match_id) == "none"
    assert quiet.match_id != loud.match_id


def test_a_daily_digest_is_one_letter_with_a_link_for_each_game(outbox, clock):
    """Four games, one letter, four links; the next day only if there is something new."""
    matches = [cast.seat(outbox.store) for _ in range(4)]
    choose(outbox, "Ada", turn="digest")
    outbox.go()
    assert outbox.state("Ada") == [("waiting", "digest")] * 4
    clock.advance(hours=22)  # Lisbon has the same hour as UTC, and it is half past nine
    outbox.go()
    assert outbox.to("Ada") == []
    clock.advance(minutes=30)
    outbox.go()
    (letter,) = outbox.to("Ada")
    assert letter["Subject"] == "[Tidepost] Your games, Tuesday 3 March 2026"
    assert "It’s your turn in 4 games" in body(letter).replace("\n", " ")
    tokens = links(letter, "/t/")
    assert len(tokens) == 4
    for match in matches:
        assert f"Ferry #{match.match_id}: your turn" in body(letter)
    assert outbox.state("Ada") == [("dropped", "digested")] * 4
    clock.advance(days=1)
    outbox.go()
    assert len(outbox.to("Ada")) == 1


def test_a_digest_leaves_out_what_was_answered_and_does_not_come_for_nothing(outbox, clock):
    match = cast.seat(outbox.store)
    choose(outbox, "Ada", turn="digest")
    outbox.go()
    seat = next(seat for seat in match.rows if name_of(match, seat) == "Ada")
    answer(match, seat)
    clock.advance(days=1)
    outbox.go()
    assert ("dropped", "nothing_new") in outbox.state("Ada", "digest")
    assert outbox.state("Ada", "asked")[0] == ("dropped", "answered")
    assert not [m for m in outbox.to("Ada") if "Your games" in m["Subject"]]


def test_the_digest_tells_what_was_said_before_much_happened_and_not_what_its_reader_did(
    outbox, clock, monkeypatch
):
    """Their own long turn once filled the place of what others had said to them that day."""
    monkeypatch.setattr(digest_letters, "MOST_SENTENCES", 2)
    match = cast.seat(outbox.store, options={"bank": "long"})
    ada, bo = sorted(match.rows, key=lambda seat: name_of(match, seat))
    choose(outbox, "Ada", turn="digest", chat="digest", news="digest")
    outbox.go()
    chat.say(outbox.store, match.bearer(bo), match.match_id, "Hello Ada, well met")
    chat.say(outbox.store, match.bearer(ada), match.match_id, "Hello yourself")
    for _ in range(8):
        clock.advance(minutes=5)
        for seat in match.player_view().to_move:
            answer(match, seat)
            outbox.go()
    clock.advance(days=1)
    outbox.go()
    (letter,) = outbox.to("Ada", "Your games")
    told = " ".join(body(letter).split())
    assert "Hello Ada, well met" in told
    assert "Hello yourself" not in told
    assert "More happened before this" in told


@pytest.mark.parametrize("everywhere", ["at_once", "none"])
def test_reminders_are_wanted_of_one_match_and_not_of_another(outbox, clock, everywhere):
    """What is chosen for a single match holds for its reminders too, though one letter tells of several."""
    rule = Rule("per_move", per_move=4 * 86400)
    still, loud = (cast.seat(outbox.store, rule=rule) for _ in range(2))
    choose(outbox, "Ada", turn="reminders", reminder=everywhere)
    choose(outbox, "Ada", still.match_id, reminder="none")
    choose(outbox, "Ada", loud.match_id, reminder="at_once")
    clock.advance(days=2, minutes=1)
    sweep.sweep(outbox.store)
    outbox.go()
    (letter,) = outbox.to("Ada", f"#{loud.match_id} \N{EN DASH} it’s still your turn")
    assert f"#{loud.match_id} (you play" in body(letter)
    assert f"#{still.match_id} (you play" not in body(letter)
    answer(loud, next(seat for seat in loud.rows if name_of(loud, seat) == "Ada"))
    clock.advance(days=1, hours=12)
    sweep.sweep(outbox.store)
    outbox.go()
    assert len(outbox.to("Ada", f"#{loud.match_id} \N{EN DASH} it’s still your turn")) == 1
    assert len(outbox.to("Bo", "It’s your turn in")) >= 2


def test_the_digest_tells_what_happened_once(outbox, clock):
    match = cast.seat(outbox.store)
    ada, bo = sorted(match.rows, key=lambda seat: name_of(match, seat))
    choose(outbox, "Ada", turn="digest", over="digest")
    answer(match, bo, "bid 1")
    outbox.go()
    clock.advance(days=1)
    outbox.go()
    assert "has bid" in body(outbox.to("Ada")[0])
    answer(match, ada, "bid 2")
    outbox.go()
    clock.advance(days=1)
    outbox.go()
    news = [body(m) for m in outbox.to("Ada")[1:]]
    assert len(news) <= 1
    assert not any("Bo (" in one and "has bid" in one.split("Ada")[0] for one in news)


def test_a_digest_that_a_dead_worker_missed_comes_when_it_is_back(outbox, clock):
    cast.seat(outbox.store)
    choose(outbox, "Ada", turn="digest")
    clock.advance(days=2)  # nobody has looked at the row since it was written
    outbox.go()
    outbox.go()
    assert len(outbox.to("Ada")) == 1
    assert len(links(outbox.to("Ada")[0], "/t/")) == 1


def test_an_earlier_digest_hour_or_another_zone_holds_from_now_on(outbox, clock):
    cast.seat(outbox.store)
    choose(outbox, "Ada", turn="digest")
    outbox.go()
    preferences.save_schedule(outbox.store, outbox.player("Ada"), 10, None, "")
    outbox.go()
    clock.advance(minutes=30)
    outbox.go()
    assert len(outbox.to("Ada")) == 1
    clock.advance(days=2)
    outbox.go()
    assert len(outbox.to("Ada")) == 1


def test_at_night_a_letter_waits_for_the_morning(outbox, clock):
    clock.advance(hours=16)
    cast.seat(outbox.store)
    choose(outbox, "Ada", turn="at_once")
    preferences.save_schedule(outbox.store, outbox.player("Ada"), 8, (22, 8), "")
    outbox.go()
    assert outbox.state("Ada") == [("waiting", "quiet_hours")]
    clock.advance(hours=6, minutes=29)
    outbox.go()
    assert outbox.to("Ada") == []
    clock.advance(minutes=1)
    outbox.go()
    assert len(outbox.to("Ada")) == 1


def test_a_night_does_not_cost_a_deadline(outbox, clock):
    clock.advance(hours=16)
    cast.seat(outbox.store)
    choose(outbox, "Ada", turn="at_once")
    preferences.save_schedule(outbox.store, outbox.player("Ada"), 8, (22, 8), "")
    outbox.write("UPDATE question SET due_at = :due", due=datetime(2026, 3, 3, 7, tzinfo=UTC))
    outbox.go()
    assert len(outbox.to("Ada")) == 1


def test_two_seats_asked_at_once_get_a_letter_each(outbox, clock):
    """The occasion is one, its readers are two."""
    cast.seat(outbox.store, ("Ada", "Bo", "Cleo"))
    clock.advance(minutes=10)
    outbox.go()
    assert [len(outbox.to(name)) for name in ("Ada", "Bo", "Cleo")] == [1, 1, 1]


def test_accepting_an_invitation_that_starts_the_game_on_ones_own_move_makes_one_letter(outbox, clock):
    """Start and turn are one letter, the stronger one."""
    cast.seat(outbox.store)
    clock.advance(minutes=10)
    outbox.go()
    assert [m["Subject"].rsplit("–")[-1].strip() for m in outbox.to("Bo")] == ["your turn"]


def test_what_waits_only_because_of_a_mail_server_is_not_taken_for_a_wish(outbox, clock):
    from app.mail.outbound import smtp

    cast.seat(outbox.store)
    choose(outbox, "Ada", turn="at_once")
    outbox.refusals["ada@example.org"] = smtp.TryLater("connection")
    outbox.go()
    assert outbox.state("Ada") == [("waiting", "connection")]
    preferences.save_schedule(outbox.store, outbox.player("Ada"), 8, None, "")
    assert outbox.state("Ada") == [("waiting", "connection")]
    outbox.refusals.clear()
    clock.advance(minutes=1)
    outbox.go()
    assert len(outbox.to("Ada")) == 1


def test_the_catcher_shows_a_letter_at_once(outbox):
    """Whoever tries the service on their own machine waits for no quiet minutes."""
    from msgspec.structs import replace

    cast.seat(outbox.store)
    deliver.run_batch(outbox.store, replace(outbox.settings, smtp_url=""), outbox.send)
    assert len(outbox.to("Ada")) == 1


@pytest.mark.parametrize(
    "wish",
    [{"turn": "sometimes"}, {"turns": "at_once"}, {"chat": "quiet"}, {"turn": ""}, {"account": "none"}],
)
def test_what_cannot_be_chosen_is_refused_and_nothing_is_changed(outbox, wish):
    cast.seat(outbox.store)
    with pytest.raises(Refused) as refused:
        choose(outbox, "Ada", over="none", **wish)
    assert refused.value.reason == "choice"
    assert preferences.settings_of(outbox.store, outbox.player("Ada")).choice("over") == "at_once"


@pytest.mark.parametrize(
    ("hour", "quiet", "reason"),
    [(24, None, "hour"), (-1, None, "hour"), (8, (22, 24), "hour"), (8, (7, 7), "quiet_hours")],
)
def test_hours_that_are_none_are_refused(outbox, hour, quiet, reason):
    cast.seat(outbox.store)
    with pytest.raises(Refused) as refused:
        preferences.save_schedule(outbox.store, outbox.player("Ada"), hour, quiet, "")
    assert refused.value.reason == reason


def test_a_kind_of_letter_that_nobody_can_choose_is_never_held(outbox, clock):
    cast.seat(outbox.store)
    with outbox.store.transaction() as connection:
        enqueue(
            connection, clock.now(), LetterRequest(kind="links", once="x", player_id=outbox.player("Ada"))
        )
    preferences.save_schedule(outbox.store, outbox.player("Ada"), 8, (0, 23), "")
    outbox.go()
    assert len(outbox.to("Ada", "Your links")) == 1


def test_what_happens_in_one_minute_is_one_letter(outbox, clock):
    """Five pieces of news for one reader, and a table that hears each once."""
    match = cast.seat(outbox.store)
    for name in ("Ada", "Bo"):
        choose(outbox, name, turn="none")
    for n in range(5):
        announce(match, clock, f"n{n}")
        clock.advance(seconds=10)
        outbox.go()
    assert outbox.sent == []
    clock.advance(minutes=2)
    outbox.go()
    assert [len(outbox.to(name, "news")) for name in ("Ada", "Bo")] == [1, 1]
    assert body(outbox.to("Ada")[0]).count("would like to pause") == 5
    assert sorted(outbox.state("Ada", "news")) == [("dropped", "told")] * 4 + [("sent", "")]


def test_news_that_is_overtaken_within_a_minute_makes_no_letter_of_its_own(outbox, clock):
    """More time is given, and the game ends before anybody could be told: the end is told, with it."""
    match = cast.seat(outbox.store)
    for name in ("Ada", "Bo"):
        choose(outbox, name, turn="none")
    announce(match, clock, "more time")
    clock.advance(seconds=40)
    service.resign(match.store, match.bearer(match.player_view().to_move[0]), match.match_id)
    outbox.go()
    clock.advance(minutes=5)
    outbox.go()
    assert [[m["Subject"].rpartition(" ")[2] for m in outbox.to(name)] for name in ("Ada", "Bo")] == [
        ["over"],
        ["over"],
    ]
    assert "would like to pause" in body(outbox.to("Ada")[0])


def test_talk_makes_letters_only_for_those_who_want_them_and_is_told_with_the_next_one_to_all(outbox, clock):
    """Chat off and turns on: what is said makes no letter, but it is in the letter of the turn."""
    match = cast.seat(outbox.store, ("Ada", "Bo", "Cleo"))
    choose(outbox, "Bo", chat="at_once", turn="none")
    ada = next(seat for seat in match.rows if name_of(match, seat) == "Ada")
    for line in ("Good luck!", "And no hurry."):
        chat.say(match.store, match.bearer(ada), match.match_id, line)
    clock.advance(minutes=1)
    outbox.go()
    assert [len(outbox.to(name)) for name in ("Ada", "Bo", "Cleo")] == [0, 1, 0]
    assert "Good luck!" in body(outbox.to("Bo", "new message")[0])
    assert "And no hurry." in body(outbox.to("Bo", "new message")[0])
    clock.advance(minutes=9)
    outbox.go()
    assert "Good luck!" in body(outbox.to("Cleo", "your turn")[0])
    assert outbox.state("Bo", "chat") == [("sent", "")]


def test_talk_after_the_end_reaches_who_wants_it(outbox, clock):
    match = cast.seat(outbox.store)
    for name in ("Ada", "Bo"):
        choose(outbox, name, chat="at_once", turn="none")
    ada, bo = sorted(match.rows, key=lambda seat: name_of(match, seat))
    service.resign(match.store, match.bearer(bo), match.match_id)
    outbox.go()
    outbox.clear()
    chat.say(match.store, match.bearer(ada), match.match_id, "Thank you for the game.")
    clock.advance(minutes=1)
    outbox.go()
    assert "Thank you for the game." in body(outbox.to("Bo", "new message")[0])
    assert outbox.to("Ada") == []


def test_a_deadline_is_written_with_its_date_its_zone_and_its_distance_from_utc(outbox, clock):
    """Read a day later, it is still true; in the letter of a turn and in the digest."""
    cast.seat(outbox.store, rule=Rule("per_move", per_move=3 * 24 * 3600))
    choose(outbox, "Ada", turn="digest")
    clock.advance(minutes=10)
    outbox.go()
    clock.advance(days=1)
    outbox.go()
    (digest,), (turn,) = outbox.to("Ada"), outbox.to("Bo")
    assert "Your games" in digest["Subject"]
    for letter in (digest, turn):
        assert "Thursday 5 March 2026, 09:30 (WET, UTC+00:00)" in " ".join(body(letter).split())


def test_a_letter_says_why_it_came_and_where_one_chooses(outbox, clock):
    cast.seat(outbox.store)
    choose(outbox, "Bo", turn="at_once")
    clock.advance(minutes=10)
    outbox.go()
    said = {name: " ".join(body(outbox.to(name)[0]).split()) for name in ("Ada", "Bo")}
    assert "We send one email per turn, ten minutes after it begins" in said["Ada"]
    assert "You chose to get an email at the start of each turn." in said["Bo"]
    assert all("Fewer emails, or none: https://h.example/u/" in text for text in said.values())


def test_a_letter_that_did_not_wait_does_not_say_that_it_did(outbox, clock):
    """Where letters stay on this machine, where the time is short, and where its reader asked again."""
    cast.seat(outbox.store)
    choose(outbox, "Bo", turn="none")
    caught = msgspec.structs.replace(outbox.settings, smtp_url="catcher://unused")
    deliver.run_batch(outbox.store, caught, outbox.send)
    cast.seat(outbox.store, rule=Rule("per_move", per_move=7200))
    outbox.go()
    clock.advance(hours=1)
    history.send_again(
        outbox.store, outbox.player("Ada"), history.latest(outbox.store, outbox.player("Ada"))[0].id
    )
    outbox.go()
    first, hurried, again = (" ".join(body(one).split()) for one in outbox.to("Ada", "your turn")[:3])
    assert "where emails don’t leave the machine, it comes at once" in first
    assert "We sent this one at once because you don’t have long to move" in hurried
    assert all("ten minutes after it begins" not in text for text in (first, hurried, again))


@pytest.mark.parametrize("grace", [0, 86400])
def test_who_wants_no_reminders_and_no_news_is_still_told_when_their_time_is_up(outbox, clock, grace):
    """Nobody chose to be replaced without a word; who wants no letter of their turns is left alone."""
    cast.seat(outbox.store, rule=Rule("per_move", per_move=86400, grace=grace))
    choose(outbox, "Ada", reminder="none", news="none")
    choose(outbox, "Bo", turn="none")
    clock.advance(days=1, minutes=1)
    sweep.sweep(outbox.store)
    outbox.go()
    kind = "late" if grace else "timed_out"
    assert outbox.state("Ada", kind) == [("sent", "")]
    assert outbox.state("Bo", kind) == [("dropped", "by_choice")]


def announce(match, clock, once):
    with match.store.transaction() as connection:
        standing = by_match(connection, match.match_id)
        seat = standing.holders[0].seat
        news.announce(
            connection,
            clock.now(),
            match.match_id,
            "pause_wanted",
            once=once,
            to=standing.holders,
            seat=seat,
            by_seat=seat,
        )


def test_a_reminder_of_one_turn_names_its_game_in_the_subject(outbox, clock):
    rule = Rule("per_move", per_move=4 * 86400)
    first = cast.seat(outbox.store, rule=rule)
    clock.advance(days=2, minutes=1)
    sweep.sweep(outbox.store)
    outbox.go()
    name = name_of(first, next(iter(first.player_view().to_move)))
    (letter,) = outbox.to(name, "it’s still your turn")
    assert f"Ferry #{first.match_id} \N{EN DASH} it’s still your turn" in str(letter["Subject"])
