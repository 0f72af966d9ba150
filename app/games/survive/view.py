"""What a seat may know, and other deals that it could not tell from this one (rules, section 8)."""

from collections import Counter

import msgspec

from app.engine.chance import Chance
from app.engine.game import Seat
from app.games.survive.board import (
    BACK_COUNT,
    CREATURES,
    EACH,
    EXPLORERS,
    IMMEDIATE,
    ISLAND,
    ISLE_NAMES,
    LOST,
    NAME,
    ON_ISLE,
    ON_SHIP,
    SHIPS,
    TERRAINS,
)
from app.games.survive.loading import SETUP_STEPS
from app.games.survive.rules.creatures import hit_by
from app.games.survive.rules.ground import TILE_AT, back_of, ground, teams, terrain_of, tile
from app.games.survive.rules.turns import outcome_of
from app.games.survive.tidings import (
    AttackSeen,
    BoardingSeen,
    ExplorerSeen,
    PlayerSeen,
    SurviveView,
)
from app.games.survive.words import Orders, State
from app.games.survive.writing import list_of


def view(state: State, seat: Seat | None) -> SurviveView:
    """The board and the table as the seat, or an onlooker, may see them."""
    me = -1 if seat is None else state.seats.index(seat)
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


def redeal(state: State, seat: Seat | None, chance: Chance) -> State:
    """Another state with the same view: hidden backs, hands, values and placing lists are dealt anew."""
    if state.step == "over":
        return state
    me = -1 if seat is None else state.seats.index(seat)
    hands, tiles = _tiles_anew(state, me, chance)
    return msgspec.structs.replace(
        state,
        tiles=tiles,
        hands=hands,
        worth=_values_anew(state, me, chance),
        orders=tuple(
            given if given is None or n == me else Orders(random=True) for n, given in enumerate(state.orders)
        ),
    )


def _values_anew(state: State, me: int, chance: Chance) -> tuple[int, ...]:
    owners = teams(state.seats, state.variant.two).owner
    worth = list(state.worth)
    for first in range(0, len(EXPLORERS), EACH):
        if owners[first] >= 0 and not sees_values(state, me, owners[first]):
            known = [n for n in range(first, first + EACH) if worth[n]]
            for n, value in zip(known, chance.shuffled([worth[n] for n in known]), strict=True):
                worth[n] = value
    return tuple(worth)


def _tiles_anew(state: State, me: int, chance: Chance) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Hands and tiles: backs change places below each terrain, and with others' hands if supply allows."""
    tiles = list(state.tiles)
    hands = [list(hand) for hand in state.hands]
    others = [(seat, n) for seat, hand in enumerate(hands) if seat != me for n in range(len(hand))]
    for seat, n in others:
        held = hands[seat][n]
        swaps = [place for place, code in enumerate(tiles) if code and _may_swap(tiles, place, held)]
        if swaps:
            place = chance.pick(swaps)
            terrain = terrain_of(tiles[place])
            hands[seat][n] = back_of(tiles[place])
            tiles[place] = tile(terrain, held)
    held_by_others = chance.shuffled([hands[seat][n] for seat, n in others])
    for (seat, n), back in zip(others, held_by_others, strict=True):
        hands[seat][n] = back
    for terrain in TERRAINS:
        places = [n for n, code in enumerate(tiles) if code and terrain_of(code) == terrain]
        for n, code in zip(places, chance.shuffled([tiles[n] for n in places]), strict=True):
            tiles[n] = code
    order = list(BACK_COUNT[TERRAINS[0]])
    return tuple(tuple(sorted(hand, key=order.index)) for hand in hands), tuple(tiles)


def _may_swap(tiles: list[int], place: int, held: str) -> bool:
    """Whether a tile could be in the hand and the held one below this terrain instead."""
    terrain, back = terrain_of(tiles[place]), back_of(tiles[place])
    below = sum(code == tile(terrain, held) for code in tiles)
    return back not in IMMEDIATE and back != held and below < BACK_COUNT[terrain][held]
