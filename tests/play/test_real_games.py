"""Whole matches of every game on the shelf, through the door: people, bots and one who resigns."""

import re

import pytest

from app.engine import codec
from app.games import all_games
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import replay
from app.play.match.packing import unpack
from app.play.match.records import Viewer
from app.play.moves import bots, orders, service
from app.play.views.player_view import player_view
from tests.play import cast
from tests.servers import database_in

MOST_TURNS = 1500


def begin(store, slug):
    """A match with one person and bots, the fewest seats but three where the game has them."""
    game = all_games()[slug]
    seats = 3 if 3 in game.seats else game.seats[0]
    match_id = create_match(store, slug, seats, {}, "ada@example.org", (), bots=seats - 1)
    (token,) = cast.tokens(store, match_id)
    invitations.accept(store, token, "Ada", "en", "UTC", "gale")
    return cast.Seated(store, match_id)


@pytest.fixture
def store_url(tmp_path):
    """The rules are under test here, not the database."""
    return database_in(tmp_path)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("resigns", [False, True], ids=["to the end", "one resigns"])
@pytest.mark.parametrize("slug", list(all_games()))
def test_a_whole_match_ends_replays_and_shows_nobody_too_much(store, slug, resigns):
    game = all_games()[slug]
    match = begin(store, slug)
    person = next(seat for seat, row in match.rows.items() if not row.bot)
    looks = 0
    for turn in range(MOST_TURNS):
        bots.play_unmanned(store)
        seen = match.player_view(person)
        if seen.status == "over":
            break
        if resigns and turn == 2:
            service.resign(store, match.bearer(person), match.match_id)
            continue
        assert seen.to_move == (person,) or person in seen.to_move
        asked = seen.asked[0]
        assert asked.decision.seat == person
        move = asked.decision.options[0] if asked.decision.options else asked.decision.default
        service.play(store, match.bearer(person), asked.question_id, game.format(move))
        if turn % 10 == 0 and match.player_view().status == "running":
            looks += 1
            hidden(store, game, match, person)
    over = match.player_view()
    assert over.status == "over"
    assert over.outcome is not None
    assert over.secret is not None
    assert looks or resigns
    if resigns:
        assert over.outcome.places[person] == len(over.sittings)
    assert replay.check(store, match.match_id)


def hidden(store, game, match, person):
    """What is shown of the log holds nothing but what was told to all or to the person."""
    log = {row.ply: row for row in cast.rows(store, "SELECT ply, seat, packed FROM played")}
    for bearer, seat in ((Viewer(), None), (match.bearer(person), person)):
        seen = player_view(store, match.match_id, bearer, last=9999)
        assert codec.dumps(seen.view) == codec.dumps(
            game.view(replay.state_at(store, match.match_id, seen.ply), seat)
        )
        for heard in seen.heard:
            told = codec.load_told(game.event_types, unpack(game.slug, log[heard.ply].packed))
            mine = [one.event for one in told if one.to is None or seat in one.to]
            assert [event for event in heard.events if event not in mine] == []
            assert heard.move is None or heard.seat == seat


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("setup", ["orders", "live", "random"])
def test_what_is_to_be_forgotten_is_not_shown_again(store, setup):
    """Survive with `memory: rulebook`: after the set-up no page tells a player their own values."""
    game = all_games()["survive"]
    options = {"memory": "rulebook", "setup": setup}
    match_id = create_match(
        store, "survive", 3, options, "ada@example.org", ["bo@example.org", "cleo@example.org"]
    )
    for token in cast.tokens(store, match_id):
        invitations.accept(store, token, "Somebody", "en", "UTC", "")
    match = cast.Seated(store, match_id)
    if setup == "random":
        assert "ValuesDealt" in shown(match.player_view("green")), "told once, at the start"
    acted = set()
    while acted < set(match.rows):
        seat = match.player_view().to_move[0]
        asked = match.player_view(seat).asked[0]
        if asked.decision.asks not in ("explorers", "ships", "orders"):
            acted.add(seat)
        options_ = asked.decision.options
        move = options_[-1] if options_ else asked.decision.default
        service.play(store, match.bearer(seat), asked.question_id, game.format(move))
    places = {row.move for row in cast.rows(store, "SELECT move FROM played")}
    for seat in match.rows:
        texts = [
            shown(match.player_view(seat, ply=ply, last=9999))
            for ply in (None, *range(match.player_view().ply))
        ]
        assert not any(re.search(r'ValuesDealt|"value":[0-9]', text) for text in texts)
        for move in places:
            if move.startswith(("place", "orders")):
                assert not any(f" {move} " in text for text in texts)


def shown(seen) -> str:
    """The view, the events and the texts of a sight, as one text."""
    events = [codec.dumps(event) for heard in seen.heard for event in heard.events]
    return " ".join((codec.dumps(seen.view), *events, *(f" {heard.move} " for heard in seen.heard)))


@pytest.mark.usefixtures("clock")
def test_a_list_of_wishes_places_a_set_up_turn_after_turn(store):
    """Survive placed one by one: what is left ahead serves many short turns, and not only the next."""
    match_id = create_match(store, "survive", 2, {"setup": "live"}, "ada@example.org", ["bo@example.org"])
    for token in cast.tokens(store, match_id):
        invitations.accept(store, token, "Somebody", "en", "UTC", "")
    match = cast.Seated(store, match_id)
    second = match.player_view().to_move[0]
    first = next(seat for seat in match.rows if seat != second)
    wishes = ["place 6 F5", "place 6 F6", "place 5 F5", "place 5 F6", "place 5 F7", "ship E3"]
    orders.leave(store, match.bearer(first), match_id, "\n".join(wishes))
    for tile in ("F5", "H4", "H5"):
        service.play(store, match.bearer(second), match.question(second), f"place 1 {tile}")
        bots.play_unmanned(store)
        if match.player_view().to_move == (first,):
            service.play(store, match.bearer(first), match.question(first), "place 1 H8")
    played = cast.rows(store, "SELECT move FROM played WHERE source = 'orders' ORDER BY ply")
    assert [row.move for row in played] == ["place 6 F6", "place 5 F7"]
    left = orders.orders(store, match.bearer(first), match_id)
    assert "ship E3" in [one.text for one in left.wishes], (
        "what cannot be yet is kept while the placing lasts"
    )
    assert replay.check(store, match_id)
