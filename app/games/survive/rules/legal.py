"""The open decisions, with all legal answers that can be listed."""

from app.engine.game import Decision, Move
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


def _turn(state: State) -> Decision:
    """One decision for the turn up to sinking, because a later step skips the earlier ones."""
    options: list[Move] = []
    if state.step == "play":
        tiles.add_plays(state, options)
    if state.step != "sink":
        moving.add_moves(state, options)
    sinking.add_sinks(state, options)
    about = f"{state.number}.{state.points}"
    return Decision(state.seats[state.active], state.step, about, tuple(options), sinking.default_sink(state))


def _explorers(state: State) -> Decision:
    options: list[Move] = []
    placing.add_placings(state, options)
    about = str(sum(at == UNPLACED for at in state.where))
    return Decision(state.seats[state.active], "explorers", about, tuple(options), PlaceRandom())


def _ships(state: State) -> Decision:
    options: list[Move] = []
    placing.add_launchings(state, options)
    about = str(state.appeared[2])
    return Decision(state.seats[state.active], "ships", about, tuple(options), PlaceRandom(ship=True))


def _board(state: State) -> Decision:
    options: list[Move] = []
    sinking.add_boardings(state, options)
    about = f"{state.number}.{SHIPS[state.boarding]}"
    return Decision(
        state.seats[state.active], "board", about, tuple(options), sinking.default_boarding(state)
    )


def _creature(state: State) -> Decision:
    options: list[Move] = []
    creatures.add_hunts(state, options)
    options.append(PASS)
    return Decision(
        state.seats[state.active], "creature", f"{state.number}.{state.die}", tuple(options), PASS
    )


def _defend(state: State) -> Decision:
    """The question to a defender. It looks the same to the others whether or not the tile is held."""
    held = creatures.defence_of(state) in state.hands[state.asked]
    about = f"{state.number}.{CREATURES[state.attacker]}.{NAME[state.creatures[state.attacker]]}"
    options = (DEFEND, ALLOW) if held else (ALLOW,)
    return Decision(state.seats[state.asked], "defend", about, options, ALLOW)


_ASK = {
    "explorers": _explorers,
    "ships": _ships,
    "board": _board,
    "creature": _creature,
    "defend": _defend,
}
