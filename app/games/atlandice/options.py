"""The options of a match. Matches that began before an option existed lack it."""

from app.engine.game import Option, Options, Preset
from app.games.atlandice.clock import CLOCKS, OLDEST, Clock

OPTIONS = (Option("donations", ("sealed", "in_turn")), Option("clock", tuple(CLOCKS)))
PRESETS = (Preset("email", {"donations": "sealed"}), Preset("printed", {"donations": "in_turn"}))


def donations_of(options: Options) -> str:
    """sealed: all are asked at once. in_turn: one after another, each seeing the gifts before."""
    return options.get("donations", "sealed")


def track_of(options: Options) -> Clock:
    """The clock of the match."""
    return CLOCKS[options.get("clock", OLDEST)]
