"""The view of a seat, or of an onlooker (rules, section 8)."""

import hashlib
from collections import Counter
from typing import TypeAlias

from app.engine.chance import Chance
from app.engine.game import Record, Seat, View
from app.games.survive.board import (
    CREATURES,
    EXPLORERS,
    ISLAND,
    ISLE_NAMES,
    LOST,
    NAME,
    ON_ISLE,
    ON_SHIP,
    SHIPS,
    VALUES,
)
from app.games.survive.notation.format import list_of
from app.games.survive.rules.creatures import hit_by
from app.games.survive.rules.ground import TILE_AT, back_of, ground, seat_number, teams, terrain_of
from app.games.survive.rules.scoring import outcome_of
from app.games.survive.state import SETUP_STEPS, State

PLACES = ("land", "sea", "ship", "isle", "lost", "unplaced")


class ExplorerSeen(Record, frozen=True, tag="ExplorerSeen"):
    """An explorer."""

    name: str
    """As in the notation."""
    colour: str
    """Of its owner."""
    place: str
    """land, sea, ship, isle, lost or unplaced."""
    at: str
    """The space, ship or isle."""
    value: int | None
    """None if hidden from the seat."""


class AttackSeen(Record, frozen=True, tag="AttackSeen"):
    """A creature that has arrived and whose attack waits for an answer."""

    creature: str
    """Its name."""
    at: str
    """The space."""
    asked: Seat
    """The seat that may stop it."""
    hit: dict[Seat, int]
    """How many explorers of each player it would hit, the attacker's own among them."""


class BoardingSeen(Record, frozen=True, tag="BoardingSeen"):
    """A new ship that cannot take up all swimmers around it."""

    at: str
    """The space."""
    ship: str
    """Its name."""
    swimmers: tuple[str, ...]
    """The explorers around it."""


class PlayerSeen(Record, frozen=True, tag="PlayerSeen"):
    """Public facts about a player."""

    seat: Seat
    """The name of the seat: its colour."""
    colours: tuple[str, ...]
    """Those of its explorers."""
    held: int
    """Tiles in the hand."""
    kills: int
    """Explorers of others that its creatures hit."""
    saved: int
    """Explorers that reached an isle."""
    left: int
    """Explorers on the island, aboard or in the water."""
    given: bool
    """Has sealed a placing list (set-up by orders only)."""


class SurviveView(View, frozen=True, tag="SurviveView"):
    """The board and the match as one seat, or an onlooker, may see them."""

    seat: Seat | None
    """The seat that sees this; None: an onlooker."""
    players: tuple[PlayerSeen, ...]
    """In turn order."""
    terrain: dict[str, str]
    """The tiles that are left; every other space is sea."""
    explorers: tuple[ExplorerSeen, ...]
    """All of them, also those that are lost or not placed yet."""
    ships: dict[str, str]
    """The space of each ship, by its name."""
    creatures: dict[str, str]
    """The space of each creature, by its name."""
    hand: tuple[str, ...]
    """The seat's own tiles."""
    tiles_left: dict[str, int]
    """Tiles that are left of each kind of terrain."""
    number: int
    """Turns begun."""
    turn: Seat
    """The seat whose turn it is."""
    step: str
    """The part of the turn."""
    points: int
    """Movement points that are left."""
    die: str
    """The face of the die while a creature may move, else empty."""
    water_moved: tuple[str, ...]
    """Swimmers that have moved this turn."""
    attack: AttackSeen | None
    """The attack that waits for an answer; None: none."""
    boarding: BoardingSeen | None
    """The boarding that waits for an answer; None: none."""
    orders: str
    """The seat's own sealed placing list."""
    setup: str
    """The option of this name."""
    memory: str
    """The option of this name."""
    still_rounds: int
    """Rounds in a row without land or movement. Matters with `to_the_last`."""
    over: bool
    """The game has ended."""
    reason: str
    """How the game ended, else empty."""
    scores: dict[Seat, int]
    """Empty before the end, like the next two."""
    backs: dict[str, str]
    """The effect on the back of each tile."""
    hands: dict[Seat, tuple[str, ...]]
    """The tiles that each seat held."""

    def occupied(self) -> tuple["Contents", ...]:
        """The contents of each space that isn't empty."""
        here: dict[str, tuple[list[str], list[ExplorerSeen]]] = {}
        aboard: dict[str, list[ExplorerSeen]] = {}
        ship_on = {at: ship for ship, at in self.ships.items()}
        for at in ship_on:
            here[at] = [], []
        for name, at in self.creatures.items():
            here.setdefault(at, ([], []))[0].append(name)
        for one in self.explorers:
            if one.place in ("land", "sea"):
                here.setdefault(one.at, ([], []))[1].append(one)
            elif one.place == "ship":
                aboard.setdefault(one.at, []).append(one)
        return tuple(
            (at, ship := ship_on.get(at, ""), tuple(aboard.get(ship, ())), tuple(creatures), tuple(explorers))
            for at, (creatures, explorers) in here.items()
        )

    def drawn_explorers(self, question: str) -> tuple[tuple[str, int], ...]:
        """The seat's explorers, as colour and value, in an order drawn for one question.

        A placing list is prefilled with it: a list that begins with the 6 would tell by its order.
        """
        colours = next((one.colours for one in self.players if one.seat == self.seat), ())
        drawn = Chance(hashlib.sha256(f"{question} {self.seat}".encode()).digest(), 0)
        return drawn.shuffled([(colour, value) for value in VALUES for colour in colours])

    def ashore(self) -> dict[str, dict[str, int]]:
        """The number of explorers of each colour on each isle that anybody has reached."""
        count: dict[str, dict[str, int]] = {}
        for one in self.explorers:
            if one.place == "isle":
                isle = count.setdefault(one.at, {})
                isle[one.colour] = isle.get(one.colour, 0) + 1
        return count

    def known_values(self) -> tuple[tuple[str, int], ...]:
        """The visible values, by explorer."""
        return tuple((one.name, one.value) for one in self.explorers if one.value)

    def counts(self) -> tuple[tuple[PlayerSeen, int | None], ...]:
        """The players in turn order, each with its score at the end."""
        return tuple((player, self.scores.get(player.seat)) for player in self.players)

    def groups(self) -> tuple["Group", ...]:
        """The explorers of each colour, grouped by place."""
        groups: dict[tuple[str, str], list[ExplorerSeen]] = {}
        for one in self.explorers:
            groups.setdefault((one.colour, one.place), []).append(one)
        colours = dict.fromkeys(one.colour for one in self.explorers)
        return tuple(
            (colour, place, tuple(groups[colour, place]))
            for colour in colours
            for place in PLACES
            if (colour, place) in groups
        )


Contents: TypeAlias = tuple[str, str, tuple[ExplorerSeen, ...], tuple[str, ...], tuple[ExplorerSeen, ...]]
"""A space, the ship there or "", its passengers, the creatures and the explorers on land or in the water."""

Group: TypeAlias = tuple[str, str, tuple[ExplorerSeen, ...]]
"""A colour, a place and the explorers of that colour in such a place."""


def view(state: State, seat: Seat | None) -> SurviveView:
    """The view of a seat. None: an onlooker's. Raises IllegalMove for any other seat."""
    me = -1 if seat is None else seat_number(state, seat)
    over = state.step == "over"
    outcome = outcome_of(state)
    tiles = [(name, code) for name, code in zip(ISLAND, state.tiles, strict=True) if code]
    sealed = state.orders[me] if state.orders and me >= 0 else None
    return SurviveView(
        seat=seat,
        players=tuple(_player(state, n) for n in range(len(state.seats))),
        terrain={name: terrain_of(code) for name, code in tiles},
        explorers=tuple(_explorers(state, me)),
        ships={name: NAME[at] for name, at in zip(SHIPS, state.ships, strict=True) if at >= 0},
        creatures={name: NAME[at] for name, at in zip(CREATURES, state.creatures, strict=True) if at >= 0},
        hand=state.hands[me] if me >= 0 else (),
        tiles_left=ground(state.tiles).left,
        number=state.number,
        turn=state.seats[state.active],
        step=state.step,
        points=state.points,
        die=state.die,
        water_moved=tuple(name for n, name in enumerate(EXPLORERS) if state.water >> n & 1),
        attack=_attack(state),
        boarding=_boarding(state),
        orders=list_of(sealed) if sealed else "",
        setup=state.variant.setup,
        memory="rulebook" if state.variant.rulebook else "open",
        still_rounds=state.idle // len(state.seats),
        over=over,
        reason=state.ending,
        scores=outcome.scores if outcome else {},
        backs={name: back_of(code) for name, code in tiles} if over else {},
        hands=dict(zip(state.seats, state.hands, strict=True)) if over else {},
    )


def sees_values(state: State, me: int, owner: int) -> bool:
    """Whether a seat may see the values of a player's explorers."""
    if state.step == "over":
        return True
    return me == owner and (not state.variant.rulebook or state.step in SETUP_STEPS)


def _explorers(state: State, me: int) -> list[ExplorerSeen]:
    owners = teams(state.seats, state.variant.two).owner
    seen = []
    for n, (name, owner, at) in enumerate(zip(EXPLORERS, owners, state.where, strict=True)):
        if owner < 0:
            continue
        value = state.worth[n] or None if sees_values(state, me, owner) else None
        place, where = _place(state, at)
        seen.append(ExplorerSeen(name, name.rstrip("0123456789"), place, where, value))
    return seen


def _place(state: State, at: int) -> tuple[str, str]:
    if at < 0:
        return ("lost" if at == LOST else "unplaced"), ""
    if at >= ON_ISLE:
        return "isle", ISLE_NAMES[at - ON_ISLE]
    if at >= ON_SHIP:
        return "ship", SHIPS[at - ON_SHIP]
    return ("land" if at in TILE_AT and state.tiles[TILE_AT[at]] else "sea"), NAME[at]


def _player(state: State, seat: int) -> PlayerSeen:
    team = teams(state.seats, state.variant.two)
    places = [state.where[n] for n in team.members[seat]]
    return PlayerSeen(
        seat=state.seats[seat],
        colours=team.colours[seat],
        held=len(state.hands[seat]),
        kills=state.kills[seat],
        saved=sum(at >= ON_ISLE for at in places),
        left=sum(0 <= at < ON_ISLE for at in places),
        given=bool(state.orders and state.orders[seat]),
    )


def _attack(state: State) -> AttackSeen | None:
    if state.attacker < 0:
        return None
    at = state.creatures[state.attacker]
    owner = teams(state.seats, state.variant.two).owner
    hit = Counter(state.seats[owner[n]] for n in hit_by(state, state.attacker, at))
    return AttackSeen(CREATURES[state.attacker], NAME[at], state.seats[state.asked], dict(hit))


def _boarding(state: State) -> BoardingSeen | None:
    if state.boarding < 0:
        return None
    at = state.ships[state.boarding]
    swimmers = tuple(EXPLORERS[n] for n, there in enumerate(state.where) if there == at)
    return BoardingSeen(NAME[at], SHIPS[state.boarding], swimmers)
