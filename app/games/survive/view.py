"""What a seat may know (rules, section 8)."""

from collections import Counter

from app.engine.game import Seat
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
)
from app.games.survive.loading import SETUP_STEPS
from app.games.survive.rules.creatures import hit_by
from app.games.survive.rules.ground import TILE_AT, back_of, ground, seat_number, teams, terrain_of
from app.games.survive.rules.turns import outcome_of
from app.games.survive.tidings import (
    AttackSeen,
    BoardingSeen,
    ExplorerSeen,
    PlayerSeen,
    SurviveView,
)
from app.games.survive.words import State
from app.games.survive.writing import list_of


def view(state: State, seat: Seat | None) -> SurviveView:
    """The board and the table as the seat, or an onlooker, may see them. Raises IllegalMove for others."""
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
