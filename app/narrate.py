"""What happened, is asked and went wrong, in a reader's language. Sentences stand in templates, as macros.

`templates/games/<slug>/words/<language>.jinja` has a game's, `templates/words/<language>.jinja` the house's,
`templates/mail/words/<language>.jinja` the letters'. A language without a file, and a macro that a language
lacks, falls back to English. All texts are plain; pages escape them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from jinja2.environment import TemplateModule

from app import templating
from app.engine.errors import AmbiguousMove, RulesError, UnreadableMove
from app.engine.game import Decision, Event, Game, Move, Option, Outcome, Policy, Preset, Seat, View
from app.play.clock.rules import Rule
from app.play.match.records import LogEntry, Notice, SiteError

FALLBACK = "en"
HOUSE, LETTERS = "words", "mail/words"
MOST_READINGS = 8
MOMENTS = ("until", "since", "begins", "ends", "due")
"""Facts of a notice that are moments, or null."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER = re.compile(r"\d+")
_DIRECTIONS = re.compile(
    r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)  # typed ones would turn the sentence round

Name = Callable[[Seat], str]
"""The name of who sits on a seat."""


@cache
def _module(folder: str, language: str) -> TemplateModule:
    wanted = [f"{folder}/{language}.jinja", f"{folder}/{FALLBACK}.jinja"]
    return templating.plain().select_template(wanted).module


def _macro(folder: str, language: str, name: str) -> Callable[..., str] | None:
    for module in (_module(folder, language), _module(folder, FALLBACK)):
        macro: Callable[..., str] | None = getattr(module, name, None)
        if macro is not None:
            return macro
    return None


def say(folder: str, language: str, name: str, *facts: Any, **more: Any) -> str:
    """The text of one macro on one line. Raises LookupError where no language has it."""
    macro = _macro(folder, language, name)
    if macro is None:
        raise LookupError(f"{folder} has no {name}")
    return " ".join(macro(*facts, **more).split())


def knows(folder: str, language: str, name: str) -> bool:
    """Whether there is such a macro."""
    return _macro(folder, language, name) is not None


def _game(game: Game) -> str:
    return f"games/{game.slug}/words"


def _snake(kind: type) -> str:
    return _HUMP.sub("_", kind.__name__).lower()


def title(game: Game, language: str) -> str:
    """The game's name."""
    return say(_game(game), language, "title")


def short_title(game: Game, language: str) -> str:
    """The game's name without what a colon sets off."""
    return title(game, language).partition(":")[0].rstrip()


def match_name(game: Game, language: str, match_id: int) -> str:
    """A match as it is called among others."""
    return f"{short_title(game, language)} #{match_id}"


def blurb(game: Game, language: str) -> str:
    """What the game is, in a sentence or two."""
    return say(_game(game), language, "blurb")


def takes(game: Game, language: str) -> str:
    """How long a game is, in turns and in letters: as simulated games of simple players were."""
    return say(_game(game), language, "takes")


def option(game: Game, language: str, one: Option) -> str:
    """What an option of a table is about."""
    return say(_game(game), language, f"option_{one.name}")


def choice(game: Game, language: str, one: Option, chosen: str) -> str:
    """What one choice of an option means."""
    return say(_game(game), language, f"choice_{one.name}_{chosen}")


def preset(game: Game, language: str, one: Preset) -> str:
    """The name of a preset."""
    return say(_game(game), language, f"preset_{one.name}")


def about_preset(game: Game, language: str, one: Preset) -> str:
    """How the rules under a preset differ from the printed ones, in a line."""
    return say(_game(game), language, f"about_preset_{one.name}")


def about_first_game(game: Game, language: str) -> str:
    """The difference that the options of a first game make, in a line."""
    return say(_game(game), language, "about_first_game")


def about_policy(game: Game, language: str, one: Policy) -> str:
    """When a policy answers."""
    return say(_game(game), language, f"about_policy_{one.name}")


def policy(game: Game, language: str, one: Policy, text: str) -> str:
    """What a policy says: a choice, or what the game made of one with its number."""
    number = _NUMBER.search(text)
    if text in one.choices or number is None:
        return say(_game(game), language, f"policy_{one.name}", text)
    return say(_game(game), language, f"policy_{one.name}", _NUMBER.sub("N", text), number[0])


def did(language: str, one: LogEntry, name: Callable[[str], str]) -> list[str]:
    """What is to be said of a ply beside its events: that it was no move, or not its player's own."""
    said = []
    if one.by_orders:
        said.append(say(HOUSE, language, "did_by_orders"))
    if one.by_clock and one.what == "move" and one.seat:
        said.append(say(HOUSE, language, "did_by_clock", name(one.seat)))
    lost = one.what == "resign" and one.by_clock  # of which a notice tells
    if one.what in ("undo", "resign") and one.seat and not lost:
        said.append(say(HOUSE, language, f"did_{one.what}", name(one.seat)))
    elif one.what in ("start", "edition"):
        said.append(say(HOUSE, language, f"did_{one.what}"))
    return said


def sentences(game: Game, language: str, events: Iterable[Event], name: Name) -> list[str]:
    """A sentence for each event, in order; events that need no words have none."""
    said = [say(_game(game), language, f"event_{_snake(type(event))}", event, name) for event in events]
    return [sentence for sentence in said if sentence]


def asks(game: Game, language: str, decision: Decision, view: View) -> str:
    """What is asked of the seat, as a sentence to it."""
    return say(_game(game), language, f"asks_{decision.asks}", decision, view)


def example(game: Game, language: str, decision: Decision) -> str:
    """How an answer is written to a question that lists none; empty where the game gives no example."""
    macro = f"example_{decision.asks}"
    return "" if _macro(_game(game), language, macro) is None else say(_game(game), language, macro)


def label(game: Game, language: str, move: Move, view: View) -> str:
    """A move as the text of a button or a link."""
    return say(_game(game), language, f"label_{_snake(type(move))}", move, view)


def pointed(game: Game, language: str, name: str, view: View) -> str:
    """What a name on the board stands for, where one may point at it; without words for it, the name."""
    if _macro(_game(game), language, "pointed") is None:
        return name
    return say(_game(game), language, "pointed", name, view) or name


def ending(game: Game, language: str, outcome: Outcome, name: Name) -> str:
    """How the game ended: by its rules, or by the house's, which has words for its own reasons."""
    reason = f"ending_{outcome.reason}"
    folder = _game(game) if outcome.reason in game.endings else HOUSE
    return say(folder, language, reason, outcome, name)


def refusal(game: Game | None, language: str, error: RulesError | SiteError) -> str:
    """Why something cannot be done. Without a game only the house's own reasons have words."""
    if isinstance(error, SiteError):
        known = _macro(HOUSE, language, f"house_{error.reason}") is not None
        return say(HOUSE, language, f"house_{error.reason if known else _snake(type(error))}", error.facts)
    if isinstance(error, UnreadableMove):
        return _DIRECTIONS.sub("", say(HOUSE, language, "unreadable", error))
    if isinstance(error, AmbiguousMove):
        return say(HOUSE, language, "ambiguous", error, error.readings[:MOST_READINGS])
    if game is None:
        raise LookupError(error.reason)
    return say(_game(game), language, f"refused_{error.reason}", error.facts)


def notice(language: str, one: Notice, name: Name, local: Callable[[datetime], datetime]) -> str:
    """What the house told a whole table, as a sentence; its moments as `local` has them. Raises LookupError.

    Those are the facts named in MOMENTS. The macro has the facts, `seat` and `by_seat`, and the names.
    """
    moments = {
        key: local(datetime.fromisoformat(one.facts[key]))
        for key in MOMENTS
        if one.facts.get(key) is not None
    }
    facts = {**one.facts, **moments, "seat": one.seat, "by_seat": one.by_seat}
    return say(HOUSE, language, f"notice_{one.what}", facts, name)


def order_result(language: str, result: str) -> str:
    """What became of something that was left ahead, as the end of a line."""
    return say(HOUSE, language, f"order_{result}")


def listed(language: str, words: Sequence[str]) -> str:
    """Words as a list within a sentence: "a, b and c"."""
    return say(HOUSE, language, "listed", list(words))


def moment(language: str, local: datetime) -> str:
    """A moment in the zone that it is in: the day, the time, the zone."""
    return say(HOUSE, language, "moment", local)


def weekday(language: str, day: int) -> str:
    """The name of a day of the week, 0 = Monday."""
    return say(HOUSE, language, "weekday", day)


def clock_rule(language: str, rule: Rule) -> str:
    """How a match is timed and what follows when time is up, in sentences."""
    return say(HOUSE, language, "clock_rule", rule)


def left(language: str, span: timedelta) -> str:
    """What is left of somebody's time, in days and hours."""
    return say(HOUSE, language, "left", span.total_seconds())


def duration(language: str, span: timedelta) -> str:
    """A span in days and hours; a short one in minutes."""
    return say(HOUSE, language, "duration", span.total_seconds())
