"""Other states that a seat can't tell from this one (section 8)."""

from app.engine.chance import Chance
from app.engine.game import Seat
from app.games.atlandice.moves import Donate, Pair
from app.games.atlandice.rules.legal import gifts
from app.games.atlandice.state import State


def resample(state: State, seat: Seat | None, chance: Chance) -> State:
    """A state that the seat cannot tell from this one: lower tiles and others' gifts anew.

    Of all such states, equal chance makes the same one.
    """
    piles = tuple((*pile[:1], *chance.shuffled(sorted(pile[1:]))) for pile in state.piles)
    sealed = tuple(
        gift if gift is None or name == seat else _some_gift(state, at, chance)
        for at, (name, gift) in enumerate(zip(state.seats, state.gifts or (None,) * 4, strict=False))
    )
    return State(
        **{name: getattr(state, name) for name in State.__struct_fields__ if name not in {"piles", "gifts"}},
        piles=piles,
        gifts=sealed if state.gifts else (),
    )


def _some_gift(state: State, seat: int, chance: Chance) -> tuple[Pair, ...]:
    move = chance.pick(gifts(state, seat))
    assert isinstance(move, Donate)
    return move.pairs
