"""Explains why a listable move isn't legal."""

from app.engine.game import Move
from app.games.survive.board import (
    ABOARD,
    CREATURES,
    EXPLORER_ID,
    ID,
    ISLE_NAMES,
    ISLE_OF,
    NAME,
    ON_SHIP,
    SHIP_ID,
    SHIPS,
)
from app.games.survive.moves import Climb, Defend, Done, Go, Jump, Land, Place, PutShip, Sail, Sink
from app.games.survive.rules import moving, placing
from app.games.survive.rules.ground import TILE_AT, ground, teams, terrain_of
from app.games.survive.rules.refusal import Refusal


class Explainer(Refusal):
    """Raises the first reason why a move is illegal."""

    def explain(self, move: Move) -> None:
        """Raise IllegalMove with the reason."""
        if isinstance(move, Place | PutShip):
            self.placing(move)
        elif isinstance(move, Sink):
            self.sink(move)
        elif isinstance(move, Done):
            raise self.no("still_land")
        elif isinstance(move, Defend):
            raise self.no("no_defence", creature=CREATURES[self.state.attacker])
        elif isinstance(move, Sail):
            self.points()
            self.sail(move)
        elif isinstance(move, Go | Climb | Jump | Land):
            self.points()
            self.explorer(move)
        raise self.no("not_legal")

    def placing(self, move: Place | PutShip) -> None:
        """Raises IllegalMove."""
        space = ID[move.at]
        if isinstance(move, PutShip):
            if space in self.state.ships or space in self.state.creatures:
                raise self.no("space_taken", at=move.at)
            raise self.no("not_on_the_coast", at=move.at)
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        colour = move.colour or own[0]
        if colour not in own:
            raise self.no("not_yours", piece=colour)
        if move.value not in placing.values_left(self.state, colour):
            left = tuple(sorted(placing.values_left(self.state, colour)))
            raise self.no("value_gone", value=move.value, left=left)
        raise self.no("no_tile_there" if self.sea >> space & 1 else "tile_taken", at=move.at)

    def sink(self, move: Sink) -> None:
        """Raises IllegalMove."""
        space = ID[move.at]
        code = self.state.tiles[TILE_AT[space]] if space in TILE_AT else 0
        if not code:
            raise self.no("no_tile_there", at=move.at)
        here = ground(self.state.tiles)
        current = next(terrain for terrain, left in here.left.items() if left)
        sinkable = tuple(NAME[n] for n in here.sinkable)
        if terrain_of(code) != current:
            raise self.no(
                "wrong_terrain", at=move.at, terrain=terrain_of(code), current=current, sinkable=sinkable
            )
        raise self.no("not_at_sea", at=move.at, sinkable=sinkable)

    def sail(self, move: Sail) -> None:
        """Raises IllegalMove."""
        ship = SHIP_ID[move.ship]
        self.ship_in_play(move.ship)
        if ship not in moving.steers(self.state, self.seat):
            raise self.no("not_steering", piece=move.ship)
        at, to = self.state.ships[ship], ID[move.to]
        self.next_to(move.ship, at, to)
        if not self.sea >> to & 1:
            raise self.no("not_sea", piece=move.ship, at=move.to)
        other = SHIPS[self.state.ships.index(to)] if to in self.state.ships else ""
        raise self.no("ship_in_the_way", piece=move.ship, at=move.to, other=other)

    def explorer(self, move: Go | Climb | Jump | Land) -> None:
        """Raises IllegalMove."""
        state, who = self.state, move.who
        self.own(who)
        explorer = EXPLORER_ID[who]
        at = state.where[explorer]
        aboard = at >= ON_SHIP
        space = state.ships[at - ON_SHIP] if aboard else at
        swims = not aboard and bool(self.sea >> at & 1)
        tired = bool(state.water >> explorer & 1)
        if isinstance(move, Go):
            to = ID[move.to]
            self.next_to(who, space, to)
            if (aboard or swims) and not self.sea >> to & 1:
                raise self.no("no_return", piece=who, at=move.to)
            if aboard:
                raise self.no("jump_first", piece=who)
        elif isinstance(move, Climb):
            self.ship_in_play(move.ship)
            ship = SHIP_ID[move.ship]
            there = state.ships[ship]
            if at == ON_SHIP + ship:
                raise self.no("already_there", piece=who, at=move.ship)
            if swims and there != space:
                raise self.no("not_alongside", piece=who, at=NAME[there])
            if not swims:
                self.next_to(who, space, there)
            if sum(moving.crews_of(state).get(ship, ())) >= ABOARD:
                raise self.no("ship_full", piece=who, other=move.ship)
        elif isinstance(move, Jump):
            if not aboard:
                raise self.no("not_aboard", piece=who)
        elif space not in ISLE_OF or ISLE_NAMES[ISLE_OF[space]] != move.isle or (not aboard and not swims):
            raise self.no("not_at_isle", piece=who, at=NAME[space])
        if tired and not (isinstance(move, Land) and state.variant.free_landing):
            raise self.no("water_moved", piece=who)
