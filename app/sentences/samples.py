"""Sample facts for sentences, by the name of the parameter or attribute and by its use."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeAlias

from babel import Locale

from app.play.clock.rules import DAY, HOUR, KINDS, THENS, Rule
from app.sentences.needs import ELEMENT, VALUE, Need, Path, children, needs
from app.sentences.particular import PARTICULAR
from app.words.audit import Sentence
from app.words.languages import available

Needs: TypeAlias = Mapping[Path, Need]
Own: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Values by name that fit better than the samples, such as those of a game."""
FACTS = ("f",)
"""The parameter that is a plain mapping: the facts of a refusal or notice."""
MINUTE = 60
SINGLE = ("edition", "fewest", "least", "length", "most", "number", "past", "people", "rank", "year")
"""Numbers that vary only where a sentence says how: bounds, and those that count nothing."""
LISBON = timezone(timedelta(hours=1), "WEST")
MOMENT = datetime(2026, 6, 15, 18, 30, tzinfo=LISBON)
NAMES = {"red": "Ada", "yellow": "Bela", "green": "Chen", "blue": "Dora"}
"""The players of the samples by seat."""
DATES = ("first", "last", "iso")
"""Dates, where a sentence takes them to pieces."""
LONGEST = 60
"""Characters of a game's own value that still make a readable example."""
TEXTS: Mapping[str, tuple[str, ...]] = {
    "about": ("Nine Holes #12",),
    "address": ("ada@example.org",),
    "area": ("library", "jewelers", "market"),
    "at": ("F4",),
    "before": ("Bela",),
    "by": ("A",),
    "by_seat": ("yellow",),
    "card": ("pot",),
    "choice": ("sealed",),
    "colour": ("red",),
    "current": ("beach",),
    "day": ("Monday 15 June 2026",),
    "error": ("Expected `int`, got `str`",),
    "figure": ("A",),
    "follows": ("a default move is played for you",),
    "found": ("99",),
    "game": ("Nine Holes",),
    "hash": ("9f86d081884c7d65…",),
    "home": ("Tidepost",),
    "host": ("Ada",),
    "hour": ("25",),
    "iso": ("2026-06-15",),
    "isle": ("north-west",),
    "item": ("pot",),
    "key": ("dice",),
    "kind": ("gem",),
    "label": ("Time limit",),
    "language": ("xx",),
    "code": ("9f86d081884c7d65…",),
    "bank_fields.most": ("[…]",),
    "begins": ("3 December",),
    "days": ("3 December",),
    "due": ("Mon 15 Jun, 18:30",),
    "ends": ("10 December",),
    "field": ("[…]",),
    "first": ("Saturday 6 June 2026",),
    "last": ("Monday 15 June 2026",),
    "seat_line.notes": ("you, to move",),
    "names": ("Ada and Bela",),
    "picture_alt.last": ("Ada sinks F4.",),
    "answer_line.label": ("Sink a tile",),
    "heading.text": ("Players",),
    "labelled.text": ("3 days for each turn.",),
    "as_in_all_games.choice": ("at once",),
    "policy_set.about": ("An attack on my explorers:",),
    "policy_set.choice": ("Stop every attack.",),
    "refusal_letters_choice.choice": ("sometimes",),
    "refusal_name_link.name": ("ada.example",),
    "refusal_zone.zone": ("Lisbon/Europe",),
    "refused_pay_too_much.spare": ("card:ring",),
    "reported_line.about": ("Bela",),
    "reported_line.by": ("Ada",),
    "reported_line.at": ("Mon 15 Jun, 18:30",),
    "reported_line.game": ("7",),
    "result_told.what": ("We can’t read it as a move.",),
    "this_kind.kind": ("the daily email",),
    "left": ("2 days, 3 hours",),
    "line": ("ship1 D10",),
    "link": ("https://tidepost.example/t/abc",),
    "move": ("sink F4",),
    "place": ("space 12",),
    "pieces": ("pot7",),
    "bridge": ("12",),
    "list": ("F4 F5; G6",),
    "moment": ("Monday 15 June 2026, 18:30 (WEST, UTC+01:00)",),
    "moves": ("sail ship1 D10",),
    "name": ("Ada",),
    "of": ("Nine Holes #12",),
    "option": ("setup",),
    "origin": ("library",),
    "other": ("ship2",),
    "piece": ("ship1",),
    "player": ("Ada",),
    "scope": ("everything",),
    "seat": ("red",),
    "secret": ("6c65a1…",),
    "sender": ("somebody@example.org",),
    "ship": ("ship1",),
    "step": ("play",),
    "successor": ("Chen",),
    "terrain": ("forest",),
    "then": ("explode",),
    "time": ("Mon 15 Jun, 18:30",),
    "text": ("ship1 D99",),
    "tile": ("pot7",),
    "title": ("Nine Holes",),
    "to": ("D10",),
    "to_move": ("Red is to move.",),
    "turn": ("yellow",),
    "until": ("Monday 15 June 2026, 18:30 (WEST, UTC+01:00)",),
    "what": ("3 games",),
    "when": ("at once",),
    "who": ("Bela",),
    "why": ("The game is over.",),
    "word": ("resign",),
    "zone": ("Europe/Lisbon",),
}
NUMBERS: Mapping[str, int] = {
    "away_left.left": 5,
    "in_.left": 5,
    "of_days_a_year.left": 5,
    "could": 20,
    "refused_pay_too_much.paid": 4,
    "refusal_away_limit.days": 7,
    "refusal_too_few.given": 1,
    "refusal_too_many.given": 5,
    "refused_no_value.value": 7,
    "count": 7,
    "cost": 3,
    "means": 2,
    "paid": 2,
    "players": 3,
    "spare": 1,
    "space": 12,
    "days": 3,
    "edition": 2,
    "fewest": 2,
    "given": 3,
    "least": 2,
    "left": 5,
    "length": 2400,
    "most": 6,
    "n": 3,
    "number": 12,
    "past": 17,
    "people": 4,
    "rank": 2,
    "seats": 4,
    "taken": 3,
    "value": 3,
    "year": 2026,
}
LISTS: Mapping[str, tuple[Any, ...]] = {
    "bridging": ((12, 13, 1), (27, 27, 2)),
    "gaps": ((12, 13, 2), (27, 27, 1)),
    "extra": (6, 6),
    "lines": ("move red1 F5", "sink F4"),
    "missing": (1, 2),
    "options": ("to_the_last", "submerged"),
    "pairs": (("gem", "gem"), ("book", "tool")),
    "sinkable": ("F4", "F5", "G6"),
    "wanted": ("red", "yellow"),
    "who": ("red1", "red4", "blue2"),
    "others": ("pot7", "shell3"),
    "apart": (("turns", "at once"), ("reminders", "never")),
    "everywhere": (("turns", "once a day"), ("reminders", "at 50% and 80% of your time")),
    "offered": ("at once", "once a day", "never"),
    "orders": ("ship1 D10", "sink F4"),
    "policies": (("defend", ("always", "never", "ask")),),
    "readings": ("ship1 D9", "ship1 D10"),
    "texts": ("ship1 D10", "sink F4"),
    "words": ("tide", "anchor", "seven"),
    "choices": ("sealed", "in_turn"),
    "colours": ("red", "yellow"),
    "examples": ("ship1 D10", "sink F4"),
    "names": ("Ada", "Bela", "Chen"),
    "asked": ("red", "yellow"),
    "seats": ("red", "yellow", "green"),
    "cards": ("pot", "shell"),
    "hand": ("pot", "shell"),
    "held": ("pot7", "shell3"),
    "swimmers": ("red1", "red4", "yellow2", "blue6"),
    "kinds": ("gem", "book"),
    "areas": ("library", "market", "inn"),
    "pieces": ("pot7", "card:shell"),
    "nearest": ("ship1 D9", "ship1 D10"),
    "notes": ("you", "to move"),
    "sentences": ("Ada sinks F4.", "A whirlpool is under it."),
}
BOUNDS = {"least": HOUR, "most": 30 * DAY, "given": 40 * DAY}
"""Spans in seconds."""
SPANS = (2 * DAY + 3 * HOUR, HOUR, 30 * 60, DAY)
RULES = (
    Rule(),
    *(Rule("per_move", per_move=3 * DAY, grace=12 * HOUR, off=(5, 6), then=then) for then in THENS),
    Rule("per_move", per_move=DAY, off=(6,)),
    Rule("bank", bank=10 * DAY, increment=12 * HOUR, cap=20 * DAY, grace=DAY),
)
assert {rule.kind for rule in RULES} == set(KINDS)


class Outcome(SimpleNamespace):
    """The result of a game, for the site's sentences about an end."""


OBJECTS: Mapping[str, tuple[Any, ...]] = {
    "rule": RULES,
    "outcome": (Outcome(places={"red": 1, "yellow": 2}, scores={"red": 9, "yellow": 4}, reason="resigned"),),
}


def player_name(seat: str) -> str:
    """The name of the sample player on a seat."""
    return NAMES.get(seat, "Ada")


@cache
def counts(language: str) -> tuple[int, ...]:
    """Three, one, and a number for each further plural category of the language."""
    locale = Locale.parse(available()[language].locale)
    found: dict[str, int] = {}
    for number in (3, 1, 2, *range(4, 200)):
        found.setdefault(locale.plural_form(number), number)
    return tuple(dict.fromkeys((3, 1, *found.values())))


def arguments(sentence: Sentence, language: str, own: Own) -> Iterator[tuple[Any, ...]]:
    """Yield facts for a sentence, one set to begin with, then one for each other value of each fact."""
    found = needs(sentence.file, sentence.name)
    values = {path: _fitting(sentence.name, found, path, language, own) for path in found}
    first = {path: those[0] for path, those in values.items()}
    parameters = [path for path in found if len(path) == 1]
    yield tuple(_built(found, path, first) for path in parameters)
    for path, those in values.items():
        for other in those[1:]:
            changed = {**first, path: other}
            yield tuple(_built(found, one, changed) for one in parameters)


class _Form(Enum):
    """How a fact with parts is built."""

    WHOLE = "whole"
    MANY = "many"
    ONE = "one"
    ABSENT = "absent"


def _fitting(macro: str, found: Needs, path: Path, language: str, own: Own) -> tuple[Any, ...]:
    """The sample values of a fact, with an own value in place of the text or list."""
    usual = _values(macro, found, path, language)
    kind = tuple if usual[0] is _Form.MANY else str
    if len(path) == 1 or found[path].constants or not isinstance(usual[0], (str, _Form)):
        return usual
    particular = PARTICULAR.get(macro, {})
    offered = (particular[path[-1]],) if path[-1] in particular else own.get(path[-1], ())
    mine = (tuple(one) if isinstance(one, list) else one for one in offered)
    fit = next((one for one in mine if one and isinstance(one, kind) and _like(found, path, one)), None)
    if fit is None:
        return usual
    return (fit, fit[:1], *usual[2:]) if isinstance(fit, tuple) else (fit, *usual[1:])


def _like(found: Needs, path: Path, value: str | tuple[Any, ...]) -> bool:
    """Whether a value is short, and its elements are as the sentence uses them: plain, or rows of so many."""
    element = (*path, ELEMENT)
    if len(str(value)) > LONGEST or isinstance(value, str) or element not in found:
        return len(str(value)) <= LONGEST
    parts = list(children(found, element))
    if not parts:
        return isinstance(value[0], (tuple, list)) == bool(found[element].kinds & {"list"})
    return isinstance(value[0], (tuple, list)) and all(
        part[-1] in (f"[{n}]" for n in range(len(value[0]))) for part in parts
    )


def _values(macro: str, found: Needs, path: Path, language: str) -> tuple[Any, ...]:
    """The sample values of a fact, the plainest first."""
    need = found[path]
    name = next(step for step in reversed(path) if step[0] not in "[{")
    lacking: tuple[Any, ...] = (None,) if "none" in need.lacks else ()
    lacking += (_Form.ABSENT,) if "defined" in need.lacks else ()
    if len(path) == 1 and name in OBJECTS:
        return OBJECTS[name]
    if "function" in need.kinds:
        return (player_name,)
    if need.kinds & {"list", "mapping"} or any(True for _ in children(found, (*path, ELEMENT))):
        empty: tuple[Any, ...] = ((),) if "empty" in need.lacks and "indexed" not in need.kinds else ()
        return (_Form.MANY, _Form.ONE, *empty, *lacking)
    if any(True for _ in children(found, path)):
        return (_Form.WHOLE, *((None,) if "empty" in need.lacks else ()), *lacking)
    special = f"{macro}.{name}"
    return (*_plain(special if special in {**TEXTS, **NUMBERS} else name, need, language), *lacking)


def _plain(name: str, need: Need, language: str) -> tuple[Any, ...]:
    """The sample values of a fact without parts."""
    kinds, empty = need.kinds, "empty" in need.lacks
    if "key" in kinds:
        return tuple(need.constants)
    if "moment" in kinds:
        return (MOMENT, *((None,) if empty else ()))
    if "day" in kinds:
        return (MOMENT.date(), *((None,) if empty else ()))
    if "weekday" in kinds:
        return tuple(range(7))
    texts = [one for one in need.constants if isinstance(one, str)]
    whole = [one for one in need.constants if isinstance(one, int)]
    if "seconds" in kinds or any(one >= MINUTE for one in whole):
        return (BOUNDS[name], 90 * 60) if name in BOUNDS else SPANS
    if "number" in kinds or (name in NUMBERS and name not in TEXTS and not texts):
        more = counts(language) if name not in SINGLE or "number" in kinds else ()
        return tuple(dict.fromkeys((NUMBERS.get(name, 3), *more, *whole, *((0,) if empty else ()))))
    if "sliced" in kinds and name in DATES:
        return ("2026-06-15",)
    usual = TEXTS.get(name, () if texts else (f"({name})",))
    return (*usual, *texts, *(("",) if empty else ()))


def _built(found: Needs, path: Path, chosen: Mapping[Path, Any]) -> Any:
    """A fact from the values chosen for it and its parts."""
    value = chosen[path]
    if isinstance(value, _Form) and value in (_Form.MANY, _Form.ONE):
        return _several(found, path, chosen)[: 1 if value is _Form.ONE else None]
    if value is not _Form.WHOLE:
        return value
    parts = {
        one[-1]: _built(found, one, chosen)
        for one in children(found, path)
        if chosen[one] is not _Form.ABSENT
    }
    if any(name.startswith("[") for name in parts):
        return tuple(parts.values())
    return parts if path == FACTS else SimpleNamespace(**parts)


def _several(found: Needs, path: Path, chosen: Mapping[Path, Any]) -> Any:
    element, value = (*path, ELEMENT), (*path, VALUE)
    if "mapping" in found[path].kinds:
        values = _built(found, value, chosen) if value in found else 3
        return Mapped(dict.fromkeys(("red", "yellow"), values))
    dated = any(
        need.kinds & {"moment", "day"} for one, need in found.items() if one[: len(element)] == element
    )
    if element not in found or (path[-1] in LISTS and not dated):
        return LISTS.get(path[-1], (f"({path[-1]})",) * 2)
    one = _built(found, element, chosen)
    return (one, one)


class Mapped(dict[str, Any]):
    """A mapping of which a beginning can be taken, like a list's."""

    def __getitem__(self, key: Any) -> Any:
        """A value, or for a slice the first entries."""
        if isinstance(key, slice):
            return dict(list(self.items())[key])
        return super().__getitem__(key)
