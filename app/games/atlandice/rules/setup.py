"""The set-up (section 1)."""

from app.engine.chance import Chance
from app.engine.game import Options, Seat, Step
from app.games.atlandice.board import AREAS, INDEX, KINDS, MARKET, ON_MARKET, TILES, on_district
from app.games.atlandice.options import donations_of, track_of
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.rounds import begin_round
from app.games.atlandice.state import State, owners_of


def new_game(seats: tuple[Seat, ...], options: Options, chance: Chance) -> Step:
    """A new game, its first dice rolled (section 1). The first seat begins."""
    owners = owners_of(seats)
    nothing = (0,) * len(KINDS)
    full = on_district(len(seats))
    piles = tuple(chance.shuffled(tiles) for tiles in TILES)
    stock = [tuple(full * (kind == at) for kind in range(len(KINDS))) for at in range(MARKET)]
    state = State(
        seats=seats,
        piles=piles,
        stock=(*stock, (ON_MARKET,) * len(KINDS)),
        owned=(nothing,) * len(owners),
        tiles=((),) * len(owners),
        points=(0,) * len(owners),
        dice=(0,) * len(AREAS),
        taken=(0,) * len(seats),
        served=(False,) * len(seats) if len(seats) == 2 else (),
        submarine=INDEX["works"],
        clock=0,
        first=0,
        turn=0,
        step="visit",
        donations=donations_of(options),
        track=track_of(options),
    )
    draft = Draft(state)
    begin_round(draft, chance)
    return draft.freeze()
