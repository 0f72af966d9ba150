"""A match goes out and comes in again on another server, the same byte for byte; or not at all."""

import re
import stat

import pytest
from click.testing import CliRunner

from app.cli import main
from app.people import service as people
from app.play.clock.rules import DAY, Rule
from app.play.deadlines import pauses
from app.play.match import replay
from app.play.moves import bots, service
from app.play.seats import chat, operating, organiser
from app.play.views.player_view import player_view
from app.store import migrate
from app.store.session import Store
from app.transcripts import bringing, form
from app.transcripts.bringing import bring
from app.transcripts.export import finished
from app.transcripts.form import BadFile
from app.transcripts.moving import for_operator
from app.transcripts.reading import read
from app.transcripts.writing import text_of
from tests.games import golden
from tests.play import cast
from tests.servers import database_in, fresh_database
from tests.share import in_blocks
from tests.transcripts.random_matches import MANY, match_of

TABLES = ("match", "chair", "played", "notice", "question", "letter", "player", "audit")


def counted(store: Store) -> list[int]:
    return [cast.one(store, f'SELECT count(*) AS many FROM "{table}"').many for table in TABLES]


def comes_in_the_same(store: Store, match: form.MatchFile) -> None:
    before = text_of(match)
    done = bring(store, read(before.encode()))
    assert not done.running
    assert replay.check(store, done.match_id)
    assert text_of(finished(store, done.match_id)) == before


@pytest.mark.parametrize(("_", "numbers"), in_blocks([""], range(MANY), blocks=50, kept=2))
def test_random_matches_come_in_the_same(store, clock, _, numbers):  # noqa: ARG001
    for number in numbers:
        comes_in_the_same(store, match_of(number))


@pytest.mark.parametrize("path", golden.FILES, ids=lambda path: path.stem)
def test_golden_matches_come_in_the_same(store, clock, path):  # noqa: ARG001
    """With its comment and the order of its seats, and without moments that nobody knows."""
    data = path.read_bytes()
    done = bring(store, read(data))
    assert replay.check(store, done.match_id)
    assert text_of(finished(store, done.match_id)).encode() == data
    assert text_of(for_operator(store, done.match_id)).encode() == data
    with pytest.raises(BadFile, match="is here already"):
        bring(store, read(data))


def test_what_the_server_adds_to_a_made_up_match_is_kept_too(store, clock):  # noqa: ARG001
    data = golden.FILES[0].read_bytes()
    number = bring(store, read(data)).match_id
    assert operating.hide(store, number)
    text = text_of(finished(store, number))
    assert "\n* hidden {} @" in text
    assert "\ndice: 0\n" in text
    assert read(text.encode()).match.comments == read(data).match.comments
    told = player_view(store, number, last=10**6).notices
    assert [one.what for one in told] == ["comment", "hidden"]


def refused(store: Store, data: str) -> str:
    before = counted(store)
    with pytest.raises(BadFile) as raised:
        bring(store, read(data.encode()))
    assert counted(store) == before
    return str(raised.value)


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request, tmp_path):
    """Another server's database."""
    if request.param == "postgresql":
        url = fresh_database(request.getfixturevalue("postgres"))
        migrate.upgrade(url)
    else:
        (tmp_path / "other").mkdir()
        url = database_in(tmp_path / "other")
    made = Store(url)
    yield made
    made.engine.dispose()


def begun(store: Store, turns: int = 12) -> cast.Seated:
    """A game of Ada, Bo and a bot, after some turns, talk and a resignation."""
    seated = cast.seat(store, bots=1, game="survive", rule=Rule("per_move", per_move=3 * DAY))
    for _ in range(turns):
        bots.play_unmanned(store)
        waiting = [seat for seat in seated.player_view().to_move if not seated.rows[seat].bot]
        if waiting:
            asked = seated.player_view(waiting[0]).asked[0]
            move = asked.decision.options[0] if asked.decision.options else asked.decision.default
            view = seated.player_view()
            service.play(store, seated.bearer(waiting[0]), asked.question_id, view.game.format(move))
    people = [seat for seat, row in seated.rows.items() if not row.bot]
    chat.say(store, seated.bearer(people[0]), seated.match_id, "How’s the weather?")
    return seated


def test_a_running_match_goes_on_elsewhere(store, other, clock):
    here = begun(store)
    text = text_of(for_operator(store, here.match_id))
    clock.advance(days=1)
    done = bring(other, read(text.encode()))
    assert done.running
    assert sorted(done.new) == ["ada@example.org", "bo@example.org"]
    assert replay.check(other, done.match_id)
    assert text_of(for_operator(other, done.match_id)) == text

    there = cast.Seated(other, done.match_id)
    view, before = there.player_view(), here.player_view()
    assert view.paused
    assert view.view == before.view
    assert view.to_move == before.to_move
    assert [one.name for one in view.sittings] == [one.name for one in before.sittings]
    assert [one.what for one in view.notices][-1] == "brought"
    letters = cast.rows(other, "SELECT kind, seat FROM letter ORDER BY kind")
    people = [seat for seat, row in there.rows.items() if not row.bot]
    asked = [seat for seat in people if seat in view.to_move]
    assert [one.kind for one in letters] == ["asked"] * len(asked) + ["news"] * (2 - len(asked))
    assert not any(one.due_at for one in view.deadlines)

    pauses.resume(other, there.bearer(people[0]), done.match_id)
    clock.advance(minutes=1)
    for _ in range(4):
        bots.play_unmanned(other)
        waiting = [seat for seat in there.player_view().to_move if seat in people]
        if waiting:
            one = there.player_view(waiting[0])
            asked_now = one.asked[0].decision
            move = asked_now.options[0] if asked_now.options else asked_now.default
            service.play(other, there.bearer(waiting[0]), one.asked[0].question_id, one.game.format(move))
    assert there.player_view().ply > view.ply
    assert replay.check(other, done.match_id)


def test_a_match_that_was_called_off_comes_in_the_same(store, clock, tmp_path):  # noqa: ARG001
    here = begun(store, 3)
    host = next(seat for seat, row in here.rows.items() if row.player_id == 1)
    organiser.call_off(store, here.bearer(host), here.match_id)
    (tmp_path / "other").mkdir()
    other = Store(database_in(tmp_path / "other"))
    text = text_of(finished(store, here.match_id))
    assert "\n= called_off @" in text
    done = bring(other, read(text.encode()))
    assert text_of(finished(other, done.match_id)) == text
    whole = text_of(for_operator(store, here.match_id))
    assert "is here already" in refused(other, whole)
    other.engine.dispose()


def test_players_who_are_known_keep_what_they_are_called_here(store, other, clock):  # noqa: ARG001
    here = begun(store, 3)
    with other.statements() as connection:
        people.keep(connection, "ADA@example.org", "ada@example.org", "Augusta", "en", "Asia/Tokyo")
    done = bring(other, read(text_of(for_operator(store, here.match_id)).encode()))
    assert done.new == ("bo@example.org",)
    names = {one.name for one in cast.Seated(other, done.match_id).player_view().sittings}
    assert {"Augusta", "Bo"} <= names
    assert cast.one(other, "SELECT zone FROM player WHERE name = 'Augusta'").zone == "Asia/Tokyo"


def test_what_does_not_fit_is_refused_and_nothing_is_half_done(store, clock, tmp_path, monkeypatch):  # noqa: ARG001
    here = begun(store, 3)
    text = text_of(for_operator(store, here.match_id))
    assert "is here already: it is number 1" in refused(store, text)
    (tmp_path / "other").mkdir()
    other = Store(database_in(tmp_path / "other"))
    no_people = "".join(line for line in text.splitlines(True) if not line.startswith("person "))
    assert "needs an address for" in refused(other, no_people)
    assert "the secret is missing" in refused(
        other, "".join(line for line in text.splitlines(True) if not line.startswith("secret: "))
    )
    changes = [
        ("ada@example.org", "nobody", "nobody"),
        ("ada@example.org", "BO@example.org", "the same address"),
        ('"language":"en"', '"language":"xx"', ""),
        ("Europe/Lisbon", "Moon/Base", ""),
        ('"Ada"', '"www.example.com"', ""),
        ('"Ada"', '"Bo\u0308"', 'it would be "B\u00f6"'),
        ('"Ada"', '"A\u200bda"', 'it would be "Ada"'),
        ('"Ada"', '"' + "\u6f22" * 80 + '"', "The limit is 40"),
        ("game: ", f"# {'x' * 6000}\ngame: ", "comments are longer than 5000"),
        ('"per_move":259200', '"per_move":1', "no rule of a clock"),
        (" says ", " of red by red ", ""),
        ("host: ", "host: pink", ""),
    ]
    for old, new, said in changes:
        assert old in text
        assert said in refused(other, text.replace(old, new, 1))
    made_up = "game: survive\nedition: 2\nplayers: red yellow green\nseed: x\n= goes on\n"
    assert "its dice are known" in refused(other, made_up)
    future = text.replace(re.findall(r"@\d{4}", text)[-1], "@2099")
    assert "later than now" in refused(other, future)
    shown = (
        ("unknown", "{}"),
        ("extended", "{}"),
        ("said", '{"x":1}'),
        ("said", '{"name":5,"text":"x"}'),
        ("said", '{"name":"Eve","text":["x"]}'),
        ("comment", '{"lines":["x"]}'),
        ("moved", '{"where":"x"}'),
        ("brought", '{"paused":true}'),
    )
    for what, facts in shown:
        line = f"* {what} of red {facts} @2024-03-01T00:00:00Z\n= goes on"
        assert "no notice that can be shown" in refused(other, text.replace("= goes on", line))

    def fails(*_arguments, **_more):
        raise OSError("no disk")

    monkeypatch.setattr(bringing, "announce", fails)
    before = counted(other)
    with pytest.raises(OSError, match="no disk"):
        bring(other, read(text.encode()))
    assert counted(other) == before
    other.engine.dispose()


def test_the_commands_move_a_match(store, store_url, clock, tmp_path, monkeypatch):  # noqa: ARG001
    here = begun(store, 3)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", "k" * 40)

    def run(url, *arguments):
        monkeypatch.setenv("TIDEPOST_DATABASE_URL", url)
        return CliRunner().invoke(main, list(arguments))

    done = run(store_url, "export", str(here.match_id))
    assert done.exit_code == 0, done.output
    assert "everything that is hidden" in done.output
    file = tmp_path / f"tidepost-{here.match_id}.match"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == text_of(for_operator(store, here.match_id))
    again = run(store_url, "export", str(here.match_id))
    assert again.exit_code == 1
    assert "exists" in again.output
    assert "there is no match 99" in run(store_url, "export", "99").output
    assert "it goes on" in run(store_url, "verify", str(file)).output
    twice = run(store_url, "import", str(file))
    assert twice.exit_code == 1
    assert twice.output.endswith("it is number 1; nothing was changed\n")
    url = database_in(tmp_path / "other")
    done = run(url, "import", str(file))
    assert done.exit_code == 0, done.output
    assert "ada@example.org" in done.output
    assert cast.one(store, "SELECT act, about FROM audit").act == "export"
