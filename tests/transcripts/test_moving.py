"""A match moves to another server and goes on there as if it had never moved; or comes back."""

import re
from datetime import timedelta

import pytest
from click.testing import CliRunner

from app.accounts import deleting
from app.cli import main
from app.engine.chance import commitment
from app.play.clock.rules import DAY, HOUR, Rule
from app.play.deadlines import absences, moving, pauses, sweep
from app.play.match import reading, turn_clocks
from app.play.match.records import Closed, NotFound, Viewer
from app.play.moves import bots, orders, service
from app.play.seats import chat, notes, organiser
from app.play.views import lists
from app.play.views.positions import open_position
from app.store.session import Store
from app.transcripts.bringing import bring
from app.transcripts.export import finished
from app.transcripts.form import BadFile
from app.transcripts.moving import for_operator, move
from app.transcripts.reading import read
from app.transcripts.writing import text_of
from tests.mail.conftest import ferry, outbox
from tests.mail.outbox import body
from tests.play import cast
from tests.servers import database_in
from tests.upkeep.conftest import KEY

__all__ = ["ferry", "outbox"]
BANKED = Rule("bank", bank=5 * DAY, increment=6 * HOUR, cap=6 * DAY)


@pytest.fixture
def other(tmp_path):
    """Another server's database."""
    (tmp_path / "other").mkdir()
    made = Store(database_in(tmp_path / "other"))
    yield made
    made.engine.dispose()


def lived_in(store: Store, clock, rule: Rule = BANKED) -> cast.Seated:
    """A game in the middle of a turn that can be taken back, with all that players keep for it."""
    here = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=rule)
    clock.advance(hours=7)
    for seat in list(here.rows):
        service.play(store, here.bearer(seat), here.question(seat), "bid 1")
    turn = here.player_view().to_move[0]
    clock.advance(hours=3)
    service.play(store, here.bearer(turn), here.question(turn), "row on")
    others = [seat for seat in here.rows if seat != turn]
    for seat in here.rows:
        notes.note(store, here.bearer(seat), here.match_id, f"{seat}: plan\nB \u202e\x07"[:-1])
    orders.leave(store, here.bearer(others[0]), here.match_id, "bid 2\nbid 1")
    orders.set_policy(store, here.bearer(others[1]), here.match_id, "ward", "always")
    chat.say(store, here.bearer(turn), here.match_id, "Moving house?")
    player = here.rows[others[0]].player_id
    first = absences.absences_of(store, player).today + timedelta(days=2)
    absences.enter(store, player, first, first + timedelta(days=3))
    host = here.player_view().keys
    opened = next(seat for seat in others if seat != host)
    organiser.hand_over(store, here.bearer(host), here.match_id, opened)
    clock.advance(hours=1)
    return here


def left(store: Store, match_id: int, now) -> dict[str, timedelta]:
    with store.reading() as connection:
        match = reading.by_match(connection, match_id)
    return {one.seat: turn_clocks.turn_left(match, one, now) for one in match.open if one.time.begun_at}


def test_it_goes_on_as_if_it_had_never_moved(ferry, store, other, clock):  # noqa: ARG001
    here = lived_in(store, clock)
    turn = here.player_view().to_move[0]
    had = left(store, here.match_id, clock.now())
    text = text_of(for_operator(store, here.match_id))
    clock.advance(hours=5)
    done = bring(other, read(text.encode()))
    there = cast.Seated(other, done.match_id)
    assert text_of(for_operator(other, done.match_id)) == text
    clock.advance(days=2)
    pauses.resume(other, there.bearer(turn), done.match_id)
    assert left(other, done.match_id, clock.now()) == had, "moving takes nobody's time"

    mine = there.player_view(turn)
    assert mine.can_take_back
    assert mine.heard[-1].move == "row on", "the player sees the steps of their own turn"
    service.take_back(other, there.bearer(turn), done.match_id)
    for seat in here.rows:
        before = notes.notes(store, here.bearer(seat), here.match_id)
        after = notes.notes(other, there.bearer(seat), done.match_id)
        assert [(one.text, one.at) for one in after] == [(one.text, one.at) for one in before]
        left_here = orders.orders(store, here.bearer(seat), here.match_id)
        left_there = orders.orders(other, there.bearer(seat), done.match_id)
        assert [one.line for one in (*left_there.wishes, *left_there.policies)] == [
            one.line for one in (*left_here.wishes, *left_here.policies)
        ]
    sittings = {one.seat: one for one in there.player_view().sittings}
    for one in here.player_view().sittings:
        assert (sittings[one.seat].open_since, sittings[one.seat].bank) == (one.open_since, one.bank)
        assert sittings[one.seat].away == one.away


def test_both_servers_play_on_alike(ferry, store, other, clock):
    """The same answers at the same counted times leave the same banks, boards and questions."""
    here = lived_in(store, clock)
    text = text_of(for_operator(store, here.match_id))
    there = cast.Seated(other, bring(other, read(text.encode())).match_id)
    turn = here.player_view().to_move[0]
    pauses.resume(other, there.bearer(turn), there.match_id)
    for _ in range(3):
        clock.advance(hours=2)
        for one in (here, there):
            seat = one.player_view().to_move[0]
            asked = one.player_view(seat).asked[0].decision
            answer = asked.options[0] if asked.options else asked.default
            service.play(one.store, one.bearer(seat), one.question(seat), ferry.format(answer))
            bots.play_unmanned(one.store)
    mine, theirs = here.player_view(), there.player_view()
    assert mine.ply > 5
    assert (theirs.ply, theirs.view, theirs.to_move) == (mine.ply, mine.view, mine.to_move)
    assert [one.bank for one in theirs.sittings] == [one.bank for one in mine.sittings]


def test_a_grace_that_runs_goes_on_running(ferry, store, other, clock):  # noqa: ARG001
    rule = Rule("per_move", per_move=DAY, grace=DAY, then="default")
    here = cast.seat(store, rule=rule)
    clock.advance(days=1, hours=2)
    sweep.sweep(store)
    text = text_of(for_operator(store, here.match_id))
    assert '"late_at"' in text
    there = cast.Seated(other, bring(other, read(text.encode())).match_id)
    assert text_of(for_operator(other, there.match_id)) == text
    clock.advance(days=3)
    pauses.resume(other, there.bearer("red"), there.match_id)
    clock.advance(hours=23)
    sweep.sweep(other)
    assert there.player_view().ply == 0
    clock.advance(hours=2)
    sweep.sweep(other)
    assert there.player_view().ply > 0, "the rest of the grace is over"


def test_what_players_have_not_heard_of_is_told_by_the_new_server(ferry, store, other, clock, outbox):  # noqa: ARG001
    here = lived_in(store, clock)
    text = text_of(for_operator(store, here.match_id))
    assert '"notices":' not in text, "no email has gone out yet"
    outbox.store = other
    bring(other, read(text.encode()))
    turn = here.player_view().to_move[0]
    name = here.player_view().name(turn)
    outbox.go()
    clock.advance(minutes=30)
    outbox.go()
    told = "\n".join(body(one) for one in outbox.to(name))
    assert "/t/" in told, "the link of the turn that goes on"
    assert "Moving house?" not in told.partition("moved here")[0], "their own message is no news"


def test_a_match_that_moved_stands_still_here(ferry, store, clock, outbox):  # noqa: ARG001
    here = lived_in(store, clock)
    match_id, turn = here.match_id, here.player_view().to_move[0]
    question, token, before = here.question(turn), here.token(turn), here.player_view(turn)
    outbox.go()
    outbox.clear()
    kept: list[str] = []
    move(store, match_id, "https://new.example", lambda found: kept.append(text_of(found)))
    view = here.player_view(turn)
    assert (view.status, view.to_move, view.asked) == ("moved", (), ())
    assert view.view == before.view
    assert here.player_view().view == here.player_view(None).view
    assert view.secret is None
    bids = here.player_view(last=99).heard[1:4]
    assert [one.move for one in bids] == [None] * 3, "the text of moves stays hidden"
    assert open_position(store, match_id, 1) is None
    with pytest.raises(NotFound):
        finished(store, match_id)
    assert view.notices[-1].what == "moved"
    for act in (
        lambda: service.play(store, here.bearer(turn), question, "row on"),
        lambda: service.play(store, Viewer(token=token), question, "row on"),
        lambda: service.resign(store, here.bearer(turn), match_id),
        lambda: service.take_back(store, here.bearer(turn), match_id),
        lambda: chat.say(store, here.bearer(turn), match_id, "Hello?"),
        lambda: orders.leave(store, here.bearer(turn), match_id, "bid 1"),
        lambda: pauses.resume(store, here.bearer(turn), match_id),
        lambda: for_operator(store, match_id),
        lambda: move(store, match_id, "", kept.append),
    ):
        with pytest.raises(Closed) as raised:
            act()
        assert raised.value.reason == "moved"
    clock.advance(days=40)
    sweep.sweep(store)
    bots.play_unmanned(store)
    assert here.player_view().ply == before.ply
    outbox.go()
    for name in ("Ada", "Bo", "Cleo"):
        (letter,) = outbox.to(name)
        assert "https://new.example" in body(letter)
    assert lists.public_lines(store, 9) == ()
    assert len(kept) == 1


def test_a_match_that_was_brought_back_goes_on_with_its_old_links(ferry, store, clock, outbox):  # noqa: ARG001
    here = lived_in(store, clock)
    match_id, turn = here.match_id, here.player_view().to_move[0]
    question, token = here.question(turn), here.token(turn)
    had = left(store, match_id, clock.now())
    kept: list[str] = []
    move(store, match_id, "", lambda found: kept.append(text_of(found)))
    clock.advance(days=9)
    assert moving.bring_back(store, match_id)
    assert not moving.bring_back(store, match_id)
    assert text_of(for_operator(store, match_id)) == kept[0], "as it was"
    pauses.resume(store, here.bearer(turn), match_id)
    assert left(store, match_id, clock.now()) == had
    service.play(store, Viewer(token=token), question, "row on")
    outbox.go()
    assert "goes on here as it was" in " ".join(" ".join(map(body, outbox.to("Ada"))).split())


def test_a_player_who_is_gone_stays_gone(ferry, store, other, clock):  # noqa: ARG001
    """Their account was deleted: the seat is given up, and nothing of theirs goes along."""
    here = lived_in(store, clock)
    seat = next(seat for seat in here.rows if seat not in here.player_view().to_move)
    notes.note(store, here.bearer(seat), here.match_id, "what nobody else may read")
    deleting.delete(store, here.rows[seat].player_id)
    text = text_of(for_operator(store, here.match_id))
    assert f"person {seat}" not in text
    assert f"note 1 {seat}" not in text
    there = cast.Seated(other, bring(other, read(text.encode())).match_id)
    assert text_of(for_operator(other, there.match_id)) == text
    info = next(one for one in there.player_view().sittings if one.seat == seat)
    assert (info.name, info.resigned) == ("Someone", True)
    assert there.player_view().to_move == here.player_view().to_move


def test_what_a_match_that_goes_on_brings_is_checked(ferry, store, other, clock):  # noqa: ARG001
    here = lived_in(store, clock)
    text = text_of(for_operator(store, here.match_id))
    turn = here.player_view().to_move[0]
    waits = re.search(rf"^question 1 {turn}: .*$", text, re.MULTILINE)[0]
    changes = [
        ('"allowed":', '"allowed":-', "a number can't be right"),
        ("agreed: {", 'agreed: {"seats":"nobody",', "here should stand"),
        ('Z"}]}\nseat', 'Z"}],"seats":"nobody"}\nseat', "agree upon"),
        ('"ply":', '"ply":9', "a move that was not made"),
        ('"turn":', '"turn":9', "a move that was not made"),
        (waits + "\n", "", "not all that the game asks"),
        ('"asks":"row"', '"asks":"rows"', "doesn't ask this"),
        ('"kind":"wish"', '"kind":"wash"', "can leave ahead"),
        ('"text":"always"', '"text":"often"', "often"),
        ("plan\\nB", "plan\\u0000B", "a note can't have"),
        ('"pauses":[{"begins":"2', '"pauses":[{"begins":"3', "can't be right"),
        ('"text":"bid 2', '"text":"bid\\u0000', "can leave ahead"),
        ("note 1 red", "note 1 pink", "no person has"),
        ('"zone":"Europe/Lisbon"', '"zone":"Moon/Base"', "time zone"),
        ('Z","allowed"', '","allowed"', "JSON"),
    ]
    for old, new, said in changes:
        assert old in text, old
        with pytest.raises(BadFile, match=said) as raised:
            bring(other, read(text.replace(old, new, 1).encode()))
        assert raised.value.line > 0
        assert cast.rows(other, 'SELECT id FROM "match"') == []


def test_the_commands_move_it_and_bring_it_back(ferry, store, store_url, clock, tmp_path, monkeypatch):  # noqa: ARG001
    here = cast.seat(store, rule=BANKED)
    number = str(here.match_id)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", store_url)

    def run(*arguments):
        done = CliRunner().invoke(main, list(arguments))
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.output

    assert "the game is there twice" in run("export", number, "copy.match")
    assert "address of a server" in run("export", number, "--move", "--to", "over there")
    assert "goes with --move" in run("export", number, "--to", "https://new.example")
    (tmp_path / "there.match").write_text("kept")
    assert "nothing was changed" in run("export", number, "there.match", "--move")
    assert here.player_view().status == "running", "no file, no move"
    said = run("export", number, "--move", "--to", "https://new.example")
    assert f"bring-back {number}" in said
    assert "goes on elsewhere" in run("export", number, "again.match")
    assert "moved" in run("matches", "list", "moved")
    assert "https://new.example" in run("matches", "show", number)
    assert "is here already" in run("import", f"tidepost-{number}.match")
    assert "It goes on here" in run("matches", "bring-back", number)
    assert "was not moved" in run("matches", "bring-back", number)
    assert "there is no game" in run("matches", "bring-back", "99")
    assert here.player_view().paused
    assert commitment(b"a") in (tmp_path / f"tidepost-{number}.match").read_text()
