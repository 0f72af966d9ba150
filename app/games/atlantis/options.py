"""The options of a match, and their presets."""

from app.engine.game import Option, Options, Preset
from app.games.atlantis.state import Bridging

CROSSING: Bridging = "crossing"
ANY: Bridging = "any"
OPTIONS = (Option("bridges", (CROSSING, ANY)),)
PRESETS = (Preset("email", {"bridges": CROSSING}), Preset("printed", {"bridges": CROSSING}))
"""Equal, because no printed rule differs from ours by an option."""


def bridging(options: Options) -> Bridging:
    """The choice of `bridges`. Matches from before the option have the default."""
    return ANY if options.get("bridges") == ANY else CROSSING
