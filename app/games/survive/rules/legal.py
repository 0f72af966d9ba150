"""The open decisions, with all legal answers that can be listed."""

from app.engine.game import Asking, Decision, Move
from app.games.survive.board import CREATURES, NAME, SHIPS, UNPLACED
from app.games.survive.moves import Allow, Defend, Orders, Pass, PlaceRandom
from app.games.survive.rules import creatures, moving, placing, sinking, tiles
from app.games.survive.state import State

PASS = Pass()
DEFEND = Defend()
ALLOW = Allow()
RANDOM = Orders(random=True)


def decisions_of(state: State) -> tuple[Decision, ...]:
    """The open decisions. Empty once the game is over."""
    if state.step == "over":
        return ()
    if state.step == "orders":
        owing = zip(state.seats, state.orders, strict=True)
        return tuple(Decision(seat, "orders", "", (), RANDOM) for seat, given in owing if given is None)
    ask = _ASK.get(state.step, _turn)
    return (ask(state),)


def asking_of(state: State) -> tuple[Asking, ...]:
    """The questions of `decisions_of` without their answers, which take long to list."""
    if state.step == "over":
        return ()
    if state.step == "orders":
        owing = zip(state.seats, state.orders, strict=True)
        return tuple(Asking(seat, "orders", "") for seat, given in owing if given is None)
    at = state.asked if state.step == "defend" else state.active
    return (Asking(state.seats[at], state.step, _about(state)),)


def _about(state: State) -> str:
    match state.step:
        case "explorers":
            return str(sum(at == UNPLACED for at in state.where))
        case "ships":
            return str(state.appeared[2])
        case "board":
            return f"{state.number}.{SHIPS[state.boarding]}"
        case "creature":
            return f"{state.number}.{state.die}"
        case "defend":
            return f"{state.number}.{CREATURES[state.attacker]}.{NAME[state.creatures[state.attacker]]}"
    return f"{state.number}.{state.points}"


def _turn(state: State) -> Decision:
    """One decision for the turn up to sinking, because a later step skips the earlier ones."""
    options: list[Move] = []
    if state.step == "play":
        tiles.add_plays(state, options)
    if state.step != "sink":
        moving.add_moves(state, options)
    sinking.add_sinks(state, options)
    seat, default = state.seats[state.active], sinking.default_sink(state)
    return Decision(seat, state.step, _about(state), tuple(options), default)


def _explorers(state: State) -> Decision:
    options: list[Move] = []
    placing.add_placings(state, options)
    return Decision(state.seats[state.active], "explorers", _about(state), tuple(options), PlaceRandom())


def _ships(state: State) -> Decision:
    options: list[Move] = []
    placing.add_launchings(state, options)
    default = PlaceRandom(ship=True)
    return Decision(state.seats[state.active], "ships", _about(state), tuple(options), default)


def _board(state: State) -> Decision:
    options: list[Move] = []
    sinking.add_boardings(state, options)
    default = sinking.default_boarding(state)
    return Decision(state.seats[state.active], "board", _about(state), tuple(options), default)


def _creature(state: State) -> Decision:
    options: list[Move] = []
    creatures.add_hunts(state, options)
    options.append(PASS)
    return Decision(state.seats[state.active], "creature", _about(state), tuple(options), PASS)


def _defend(state: State) -> Decision:
    """The question to a defender. It looks the same to the others whether or not the tile is held."""
    held = creatures.defence_of(state) in state.hands[state.asked]
    options = (DEFEND, ALLOW) if held else (ALLOW,)
    return Decision(state.seats[state.asked], "defend", _about(state), options, ALLOW)


_ASK = {
    "explorers": _explorers,
    "ships": _ships,
    "board": _board,
    "creature": _creature,
    "defend": _defend,
}
