"""The operator lists and shows games by public facts, hides one, calls one off, gives a seat away."""

import re

import pytest
from click.testing import CliRunner

from app import clock as clock_of
from app.cli import main
from app.people import bars
from app.people import service as people
from app.play.clock.rules import Rule
from app.play.lobby import rematch
from app.play.match.records import Viewer
from app.play.seats import notes, takeover
from app.play.views import lists, open_games
from app.play.views.player_view import player_view
from app.play.views.public_boards import last_public_ply
from app.store import audit
from tests.mail.conftest import ferry, outbox
from tests.mail.outbox import body, links, name_of
from tests.play import cast
from tests.upkeep.conftest import KEY

__all__ = ["ferry", "outbox"]
ONE_DAY = Rule("per_move", per_move=86400, grace=86400, then="default")


@pytest.fixture
def run(ferry, store_url, tmp_path, monkeypatch):  # noqa: ARG001 - the game must be there
    """Runs `tidepost matches …`; gives its status and what it printed."""
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", store_url)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)

    def invoke(*arguments):
        done = CliRunner().invoke(main, ["matches", *map(str, arguments)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert "@" not in re.sub("(bo|name)@example.org", "", done.output), "no addresses"
        return done.exit_code, done.output

    return invoke


def acts(store):
    with store.reading() as connection:
        return [(one.act, one.about, one.why) for one in audit.latest(connection, 9)]


def notices(seated):
    return [one.what for one in seated.player_view(last=40).notices]


def numbers(said):
    return [int(line.split()[0].lstrip("#")) for line in said.splitlines() if line.startswith("#")]


def test_games_are_listed_by_state(run, store, clock):
    seated = cast.seat(store, rule=ONE_DAY)
    waiting = cast.open_table(store)
    assert numbers(run("list")[1]) == [seated.match_id]
    assert numbers(run("list", "unconfirmed")[1]) == [waiting]
    assert run("list", "late")[1] == run("list", "stuck")[1] == "There are none.\n"
    clock.advance(days=1, minutes=1)
    assert numbers(run("list", "late")[1]) == [seated.match_id]
    assert run("list", "stuck")[1] == "There are none.\n"
    clock.advance(minutes=10)
    assert numbers(run("list", "stuck")[1]) == [seated.match_id], "no sweep followed the deadline"
    run("call-off", seated.match_id)
    run("call-off", waiting)
    assert numbers(run("list", "over")[1]) == [seated.match_id]
    assert numbers(run("list", "called_off")[1]) == [waiting]
    assert run("list")[1] == run("list", "late")[1] == "There are none.\n"


@pytest.mark.parametrize("private", [True, False])
def test_a_private_game_is_listed_too(run, store, private):
    seated = cast.seat(store)
    with store.transaction() as connection:
        connection.exec_driver_sql(f'UPDATE "match" SET private = {private}')
    assert numbers(run("list")[1]) == [seated.match_id]
    assert ("(private)" in run("list")[1]) == private


def test_a_game_is_shown_by_what_everybody_may_know(run, store):
    seated = cast.seat(store, ("Ada", "Bo"), rule=ONE_DAY)
    notes.note(store, seated.bearer("red"), seated.match_id, "my secret plan")
    code, said = run("show", seated.match_id)
    assert code == 0
    public = seated.player_view()
    for one in public.sittings:
        assert f"{one.seat}: {one.name}" in said
    assert "to move" in said
    assert "deadline of" in said
    assert "secret plan" not in said
    waiting = cast.open_table(store)
    assert "invited: 1" in run("show", waiting)[1]
    assert "there is no game 99" in run("show", 99)[1]


def test_a_hidden_game_is_seen_by_its_players_alone(run, store):
    seated = cast.seat(store)
    match_id = seated.match_id
    assert [one.match_id for one in lists.public_lines(store, 9)] == [match_id]
    code, said = run("hide", match_id, "--why", "a name")
    assert (code, said) == (0, "Only its players can see it now.\n")
    assert lists.public_lines(store, 9) == ()
    assert last_public_ply(store, match_id) is None
    with store.reading() as connection:
        assert not rematch.of_match(connection, match_id).private, "its rematch is what its host wished"
    assert seated.player_view("red").notices[-1].what == "hidden"
    assert acts(store) == [("matches hide", f"match {match_id}", "a name")]
    assert run("hide", match_id)[1] == "It was hidden already.\n"
    assert "(hidden)" in run("list", "hidden")[1]
    assert run("unhide", match_id)[1] == "It can be seen as its host wished.\n"
    assert [one.match_id for one in lists.public_lines(store, 9)] == [match_id]
    assert run("unhide", match_id)[1] == "It was not hidden.\n"
    assert notices(seated) == ["hidden", "unhidden"]
    assert run("list", "hidden")[1] == "There are none.\n"


@pytest.mark.parametrize("was", ["public", "listed", "private"])
def test_a_game_that_was_hidden_is_what_it_was(run, store, was):
    match_id = cast.open_table(store)
    private, joinable = was == "private", was == "listed"
    with store.transaction() as connection:
        connection.exec_driver_sql(
            f"UPDATE \"match\" SET status = 'open', private = {private}, joinable = {joinable}"
        )
    run("hide", match_id)
    found = cast.one(store, 'SELECT private, joinable, hidden FROM "match"')
    assert (bool(found.private), bool(found.joinable), found.hidden) == (True, False, was)
    assert open_games.open_games(store, 9) == []
    run("unhide", match_id)
    found = cast.one(store, 'SELECT private, joinable, hidden FROM "match"')
    assert (bool(found.private), bool(found.joinable), found.hidden) == (private, joinable, "")


def test_a_running_game_is_called_off_and_its_players_told_in_their_language(run, store, outbox):
    seated = cast.seat(store)
    outbox.write("UPDATE player SET language = 'ja' WHERE name = 'Bo'")
    code, said = run("call-off", seated.match_id, "--why", "they asked")
    assert (code, said) == (0, "It is called off, and its players are told by email.\n")
    assert notices(seated) == ["operator_called_off"]
    assert acts(store) == [("matches call-off", f"match {seated.match_id}", "they asked")]
    outbox.go()
    assert "The operator of this server called off the game." in body(outbox.to("Ada")[-1])
    assert "このサーバーの運営者が対戦を中止しました。" in body(outbox.to("Bo")[-1])
    assert run("call-off", seated.match_id)[1] == "It was called off before.\n"
    assert len(acts(store)) == 1


def test_a_finished_game_is_not_called_off(run, store):
    seated = cast.seat(store)
    outcome = '{"places": {}, "scores": {}, "reason": "crossed"}'
    with store.transaction() as connection:
        connection.exec_driver_sql(f"UPDATE \"match\" SET status = 'over', outcome = '{outcome}'")
    code, said = run("call-off", seated.match_id)
    assert code == 1
    assert "Error" in said
    assert acts(store) == []


def test_a_game_before_its_start_is_called_off_and_its_host_told_too(run, store, outbox):
    match_id = cast.open_table(store, ("Ada", "Bo", "Cleo"))
    host, *_ = cast.tokens(store, match_id)
    cast.invitations.accept(store, host, "Ada", "en", "UTC", "")
    outbox.go()
    outbox.clear()
    assert run("call-off", match_id)[0] == 0
    outbox.go()
    for name in ("Ada", "Bo"):
        assert "The operator of this server called off the game before it began." in body(outbox.to(name)[-1])


def test_a_seat_is_given_to_another_player_of_the_server(run, store, outbox, clock):
    cast.seat(store, ("Cleo", "Dan"))
    seated = cast.seat(store)
    seat = next(one for one in seated.rows if name_of(seated, one) == "Ada")
    notes.note(store, seated.bearer(seat), seated.match_id, "Ada's plan")
    outbox.go()
    outbox.clear()
    code, said = run("reassign", seated.match_id, seat, "cleo@example.org", "--why", "Ada is ill")
    assert (code, said) == (0, "The seat is theirs, and both are told by email.\n")
    cleo = Viewer(player_id=outbox.player("Cleo"))
    view = player_view(store, seated.match_id, cleo, last=40)
    assert view.seat == seat
    assert notes.notes(store, cleo, seated.match_id) == ()
    assert {one.what for one in view.notices} == {"seat_taken", "operator_gave"}
    assert view.keys != seat, "a stranger is not the host"
    clock.advance(minutes=20)
    outbox.go()
    assert "The operator of this server gave your seat" in body(outbox.to("Ada")[-1])
    assert "was open" not in body(outbox.to("Ada")[-1])
    assert outbox.to("Cleo")
    assert acts(store)[0] == ("matches reassign", f"match {seated.match_id} {seat}", "Ada is ill")
    assert player_view(store, seated.match_id, seated.bearer(seat)).seat is None


def test_a_seat_is_offered_to_an_address_that_nobody_confirmed(run, store, outbox, clock):
    seated = cast.seat(store)
    seat = next(one for one in seated.rows if name_of(seated, one) == "Bo")
    code, said = run("reassign", seated.match_id, seat, "dan@example.org")
    assert (code, said) == (0, "The seat is open, and an email offers it to them.\n")
    clock.advance(minutes=2)
    outbox.go()
    (offer,) = outbox.to("Dan")
    assert "The operator of this server offers you this seat." in body(offer)
    assert "asked for it" not in body(offer)
    (link,) = links(offer, "/i/")
    assert takeover.take(store, link.rsplit("/", 1)[1], "Dan", "en", "UTC").status == "accepted"
    assert "The operator of this server has offered the seat of Bo" in body(outbox.to("Ada")[-1])


@pytest.mark.parametrize(
    ("seat", "address", "why"),
    [
        ("purple", "cleo@example.org", "has no such seat"),
        ("red", "nobody", "nobody"),
        ("red", "bo@example.org", "play"),
        ("red", "cleo@barred.example", "is barred"),
        ("red", "new+tag@barred.example", "is barred"),
    ],
)
def test_a_seat_is_not_given_where_that_cannot_be(run, store, seat, address, why):
    seated = cast.seat(store)
    with store.transaction() as connection:
        people.keep(connection, "cleo@barred.example", "cleo@barred.example", "Cleo", "en", "UTC")
        bars.put(connection, clock_of.now(), "@barred.example", "")
    before = cast.rows(store, "SELECT * FROM chair")
    code, said = run("reassign", seated.match_id, seat, address)
    assert code == 1
    assert why in said
    assert cast.rows(store, "SELECT * FROM chair") == before
    assert acts(store) == []


@pytest.mark.parametrize("command", ["", "list", "show", "hide", "unhide", "call-off", "reassign"])
def test_each_command_explains_itself_with_an_example_that_runs(run, store, command):
    cast.seat(store, ("Ada", "Cleo"))
    said = run(*filter(None, [command]), "--help")[1]
    example = " ".join(said.partition("Example: tidepost matches")[2].partition("\n\n")[0].split())
    words = example.replace("12", "1").replace('"', "").replace("bo@", "dan@").split(" --why ")[0].split()
    assert run(*["red" if one == "green" else one for one in words])[0] == 0
