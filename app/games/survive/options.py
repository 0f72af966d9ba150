"""The options of a match (rules, section 6)."""

from app.engine.errors import BadOptions
from app.engine.game import Option, Options, Preset, Seat
from app.games.survive.board import COLOURS, TEAMS
from app.games.survive.state import Variant

SEATS = range(2, 5)
REASONS = (
    *("wrong_seats", "unknown_option", "unknown_choice", "only_two_seats", "options_clash", "wrong_colours"),
    "needs_choice",
)
_SWITCH = ("off", "on")
OPTIONS = (
    Option("setup", ("orders", "live", "random")),
    Option("colours", ("one", "two"), seats=(2,)),
    Option("fleet", ("four", "two"), seats=(2,), needs=("colours", "two")),
    Option("landing", ("water", "free")),
    Option("memory", ("open", "rulebook")),
    Option("overpopulated", _SWITCH),
    Option("to_the_last", _SWITCH),
    Option("all_equal", _SWITCH),
    Option("submerged", _SWITCH),
    Option("hunters", _SWITCH),
    Option("explorers_of_all_isles", _SWITCH),
)

PRESETS = (
    Preset("email", {"setup": "orders", "memory": "open", "fleet": "four", "landing": "water"}),
    Preset("printed", {"setup": "live", "memory": "rulebook", "fleet": "two", "landing": "water"}),
)


def complete_options(seats: int, options: Options) -> Options:
    """The options, with defaults for those not given. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("wrong_seats", seats=seats, fewest=SEATS[0], most=SEATS[-1])
    known = {option.name: option for option in OPTIONS}
    for name, choice in options.items():
        if name not in known:
            raise BadOptions("unknown_option", option=name, known=tuple(known))
        if choice not in known[name].choices:
            raise BadOptions("unknown_choice", option=name, choice=choice, choices=known[name].choices)
    full = {option.name: options.get(option.name, option.choices[0]) for option in OPTIONS}
    if full["colours"] == "two" and seats != 2:
        raise BadOptions("only_two_seats", option="colours", seats=seats)
    for name, choice in full.items():
        option = known[name]
        if choice != option.choices[0] and not option.available(seats, full):
            raise BadOptions("needs_choice", option=name, choice=choice, needs=option.needs)
    if full["to_the_last"] == full["submerged"] == "on":
        raise BadOptions("options_clash", options=("to_the_last", "submerged"))
    return full


def variant_of(options: Options, seats: tuple[Seat, ...], edition: int) -> Variant:
    """Complete options as a record. Raises BadOptions if the seats don't fit."""
    two = options["colours"] == "two"
    wanted = tuple(TEAMS) if two else COLOURS
    if len(set(seats)) != len(seats) or not set(seats) <= set(wanted) or (two and len(seats) != len(wanted)):
        raise BadOptions("wrong_colours", seats=seats, wanted=wanted)
    return Variant(
        setup=options["setup"],
        two=two,
        rulebook=options["memory"] == "rulebook",
        overpopulated=options["overpopulated"] == "on",
        to_the_last=options["to_the_last"] == "on",
        all_equal=options["all_equal"] == "on",
        submerged=options["submerged"] == "on",
        hunters=options["hunters"] == "on",
        isles=options["explorers_of_all_isles"] == "on",
        edition=edition,
        small_fleet=options.get("fleet") == "two",
        free_landing=options.get("landing") == "free",
    )
