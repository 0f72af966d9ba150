"""Moving creatures by the die, and defending against them (rules, sections 4.4 and 4.5)."""

from app.engine.game import Move
from app.games.survive.board import (
    BACKS,
    CREATURE_ID,
    CREATURES,
    DEFENCES,
    FIRST_OF,
    ID,
    KIND_OF,
    NAME,
    ON_ISLE,
    ON_SHIP,
    RANGE,
    SUPPLY,
)
from app.games.survive.events import Allowed, CreatureMoved, CreaturePassed, Defended
from app.games.survive.moves import Hunt
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import ground, reach, route, spaces_of
from app.games.survive.rules.move_table import HUNT
from app.games.survive.state import State


def swimmers(state: State | Draft) -> int:
    """The spaces with swimmers, as bits."""
    bits = 0
    for at in state.where:
        if 0 <= at < ON_SHIP:
            bits |= 1 << at
    return bits & ground(state.tiles).sea


def loaded_ships(state: State | Draft) -> int:
    """The spaces with loaded ships, as bits."""
    bits = 0
    for at in state.where:
        if ON_SHIP <= at < ON_ISLE:
            bits |= 1 << state.ships[at - ON_SHIP]
    return bits


def passable(state: State | Draft, kind: str) -> int:
    """The sea spaces that a creature of the kind can pass, as bits."""
    sea = ground(state.tiles).sea
    if kind == "serpent":
        return sea
    return sea & ~(swimmers(state) if kind == "shark" else loaded_ships(state))


def of_kind(kind: str) -> range:
    """The numbers of the creatures of a kind."""
    return range(FIRST_OF[kind], FIRST_OF[kind] + SUPPLY[kind])


def add_hunts(state: State, into: list[Move]) -> None:
    """Append all moves that the die allows, each target once."""
    through = passable(state, state.die)
    sea = ground(state.tiles).sea
    far = RANGE[state.die]
    for creature in of_kind(state.die):
        at = state.creatures[creature]
        if at >= 0:
            row = HUNT[creature]
            into += [row[n] for n in spaces_of(reach(at, through, sea, far))]


def any_can_move(draft: Draft) -> bool:
    """Whether a creature of the rolled kind can move at all."""
    sea = draft.ground.sea
    return any(draft.creatures[n] >= 0 and reach(draft.creatures[n], 0, sea, 1) for n in of_kind(draft.die))


def hunt(draft: Draft, move: Hunt) -> bool:
    """Move a creature and strike. True if the game waits for a defender first."""
    creature, to = CREATURE_ID[move.creature], ID[move.to]
    start = draft.creatures[creature]
    kind = KIND_OF[creature]
    path = tuple(ID[name] for name in move.path) or route(start, to, passable(draft, kind), RANGE[kind])
    draft.creatures[creature] = to
    draft.tell(CreatureMoved(draft.mover, move.creature, NAME[start], tuple(NAME[n] for n in path)))
    draft.attacker = creature
    return ask_next(draft, draft.active)


def rest(draft: Draft) -> None:
    """Move no creature."""
    draft.tell(CreaturePassed(draft.mover))


def hit_by(state: State | Draft, creature: int, at: int) -> list[int]:
    """The explorers that a defence could save from a creature on the space. Empty for a serpent.

    A shark threatens the swimmers, a whale the passengers of the ship.
    """
    kind = KIND_OF[creature]
    if kind == "shark":
        return [n for n, there in enumerate(state.where) if there == at]
    if kind == "whale":
        return [
            n
            for n, there in enumerate(state.where)
            if ON_SHIP <= there < ON_ISLE and state.ships[there - ON_SHIP] == at
        ]
    return []


def possible_defenders(draft: Draft) -> list[int]:
    """The seats that the attack hits and that hold any tile, clockwise from the active player."""
    seats = len(draft.seats)
    at = draft.creatures[draft.attacker]
    hit = {draft.teams.owner[n] for n in hit_by(draft, draft.attacker, at)}
    others = [(draft.active + turn) % seats for turn in range(1, seats)]
    return [seat for seat in others if seat in hit and draft.hands[seat]]


def ask_next(draft: Draft, after: int) -> bool:
    """Ask the next player clockwise who is hit and holds any tile, or strike if there is none.

    Ruling: possible defenders are asked one after another, clockwise from the active player.
    """
    answered = (after - draft.active) % len(draft.seats)
    for seat in possible_defenders(draft):
        if (seat - draft.active) % len(draft.seats) > answered:
            draft.step, draft.asked = "defend", seat
            return True
    strike(draft)
    return False


def strike(draft: Draft) -> None:
    """Carry out the attack of the creature that has arrived."""
    creature = draft.attacker
    at = draft.creatures[creature]
    draft.attacker = draft.asked = -1
    if KIND_OF[creature] != "shark" and loaded_ships(draft) >> at & 1:
        draft.wreck(draft.ships.index(at), creature)
    draft.drown(at)


def defence_of(state: State) -> str:
    """The tile that stops the attacker."""
    return DEFENCES[KIND_OF[state.attacker]]


def defend(draft: Draft) -> None:
    """Play the asked player's tile: the attacker leaves the game and nobody is harmed."""
    creature, seat = draft.attacker, draft.asked
    tile = DEFENCES[KIND_OF[creature]]
    discard(draft, seat, tile)
    at = draft.creatures[creature]
    draft.creatures[creature] = -1
    draft.attacker = draft.asked = -1
    draft.reveals = True
    draft.tell(Defended(draft.seats[seat], tile, CREATURES[creature], NAME[at]))


def allow(draft: Draft) -> bool:
    """Let the attack happen, as far as the asked player goes. True if another player is asked."""
    creature = draft.attacker
    at = NAME[draft.creatures[creature]]
    draft.tell(Allowed(draft.seats[draft.asked], CREATURES[creature], at))
    return ask_next(draft, draft.asked)


def discard(draft: Draft, seat: int, tile: str) -> None:
    """Remove a tile from a hand and from the game."""
    hand = list(draft.hands[seat])
    hand.remove(tile)
    draft.hands = (*draft.hands[:seat], tuple(hand), *draft.hands[seat + 1 :])


def take(draft: Draft, seat: int, tile: str) -> None:
    """Add a tile to a hand."""
    hand = tuple(sorted((*draft.hands[seat], tile), key=BACKS.index))
    draft.hands = (*draft.hands[:seat], hand, *draft.hands[seat + 1 :])
