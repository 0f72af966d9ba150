"""The base of refusals: the errors common to several kinds of moves."""

from typing import Any

from app.engine.errors import IllegalMove
from app.engine.game import Decision, Move
from app.games.survive.board import EXPLORER_ID, ISLE_NAMES, LOST, NAME, NEAR, ON_ISLE, SHIP_ID, UNPLACED
from app.games.survive.moves import Place
from app.games.survive.notation.format import click_path, written
from app.games.survive.rules.ground import ground, spaces_of, teams
from app.games.survive.state import State

_MOST_INSTEAD = 8


class Refusal:
    """A move that isn't listed, with the checks that several kinds of moves share."""

    def __init__(self, state: State, seat: int, move: Move, asked: Decision) -> None:
        self.state = state
        self.seat = seat
        self.move: Any = move
        self.asked = asked
        self.sea = ground(state.tiles).sea

    def no(self, reason: str, **facts: Any) -> IllegalMove:
        """The error, with alternatives for the same piece."""
        piece = _piece(self.move)
        instead = [written(move) for move in self.asked.options if piece and _piece(move) == piece]
        return IllegalMove(reason, move=written(self.move), instead=tuple(instead[:_MOST_INSTEAD]), **facts)

    def points(self) -> None:
        """Raise IllegalMove if the player can't move anything at all."""
        mine = teams(self.state.seats, self.state.variant.two).members[self.seat]
        if not any(0 <= self.state.where[n] < ON_ISLE for n in mine):
            raise self.no("nobody_left")
        if not self.state.points:
            raise self.no("no_points")
        if self.state.step == "sink":
            raise self.no("not_now", step="sink")

    def own(self, who: str) -> None:
        """Raise IllegalMove if an explorer isn't the player's, or not in play."""
        explorer = EXPLORER_ID[who]
        at = self.state.where[explorer]
        if explorer not in teams(self.state.seats, self.state.variant.two).members[self.seat]:
            raise self.no("not_yours", piece=who)
        if at in (LOST, UNPLACED):
            raise self.no("not_in_play", piece=who)
        if at >= ON_ISLE:
            raise self.no("ashore", piece=who, isle=ISLE_NAMES[at - ON_ISLE])

    def ship_in_play(self, ship: str) -> None:
        """Raises IllegalMove."""
        if self.state.ships[SHIP_ID[ship]] < 0:
            raise self.no("not_in_play", piece=ship)

    def next_to(self, piece: str, at: int, to: int) -> None:
        """Raise IllegalMove if the spaces aren't adjacent."""
        if at == to:
            raise self.no("already_there", piece=piece, at=NAME[to])
        if not NEAR[at] >> to & 1:
            around = tuple(NAME[n] for n in spaces_of(NEAR[at]))
            raise self.no("not_adjacent", piece=piece, at=NAME[at], to=NAME[to], around=around)


def _piece(move: Move) -> tuple[str, ...]:
    """The piece that a move moves or places."""
    return (move.colour, str(move.value)) if isinstance(move, Place) else click_path(move)[:1]
