"""Facts of games for their sentences, collected from games between bots."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from app import draw
from app.engine.chance import Chance
from app.engine.errors import BadOptions, BadPosition, IllegalMove, RulesError, UnreadableMove
from app.engine.game import Decision, Event, Game, Move, Options, Record
from app.engine.presets import with_preset
from app.games import all_games
from app.narrate.words import snake_case
from app.sentences.samples import player_name
from app.simulate import MOST_MOVES

Facts: TypeAlias = tuple[Any, ...]
Note: TypeAlias = Callable[..., None]
MOST = 5
"""Sets of facts kept for a sentence from one game."""
BETWEEN = 15
"""Moves between two looks at what is refused, and at the boards."""


@cache
def facts(slug: str) -> Mapping[str, tuple[Facts, ...]]:
    """The facts that a game's macros were called with in a few games, by the macro's name."""
    game = all_games()[slug]
    found: dict[str, list[Facts]] = {}
    heard: dict[str, list[Facts]] = {}

    def note(macro: str, *arguments: Any) -> None:
        kept = heard.setdefault(macro, [])
        if len(kept) < MOST and arguments not in kept:
            kept.append(arguments)

    look = draw.listener(game, note)
    for seats, options in _options(game):
        heard.clear()
        _play(game, seats, options, note, look)
        for macro, more in heard.items():
            found.setdefault(macro, []).extend(more)
    return {macro: tuple(kept) for macro, kept in found.items()}


@cache
def values(slug: str) -> Mapping[str, tuple[Any, ...]]:
    """The values that the facts of a game had, by the names of attributes; the longest lists first."""
    found: dict[str, list[Any]] = {}
    for sets in facts(slug).values():
        for those in sets:
            for one in those:
                fields = msgspec.structs.asdict(one) if isinstance(one, (Event, Move)) else one
                if isinstance(fields, Mapping):
                    for name, value in fields.items():
                        found.setdefault(name, []).append(value)
    longest = {name: sorted(those, key=_length, reverse=True) for name, those in found.items()}
    return {name: tuple(those) for name, those in longest.items()}


def _length(value: Any) -> int:
    return min(len(value), 2) if isinstance(value, (list, tuple)) else 0


def _options(game: Game) -> Iterator[tuple[int, Options]]:
    """Numbers of seats with options: each preset, and each choice of an option by itself."""
    wanted: list[tuple[int, Options]] = []
    for seats in {game.seats[0], game.seats[-1]}:
        wanted += [(seats, with_preset(game, one.name, seats, {})) for one in game.presets]
    for option in game.options:
        seats = min(option.seats or game.seats)
        needed = {option.needs[0]: option.needs[1]} if option.needs else {}
        wanted += [(seats, {**needed, option.name: choice}) for choice in option.choices[1:]]
    tried: list[tuple[int, Options]] = []
    for seats, chosen in wanted:
        complete = game.complete_options(seats, chosen)
        if (seats, complete) not in tried:
            tried.append((seats, complete))
    return iter(tried)


def _play(game: Game, seats: int, options: Options, note: Note, look: Callable[[Any], None]) -> None:
    """Play one game and note what its sentences are told."""
    seed = f"{game.slug} {seats} {sorted(options.items())}"
    secret, mind = sha256(seed.encode()).digest(), sha256(f"mind of {seed}".encode()).digest()
    colours = game.colours[:seats]
    step = game.setup(colours, options, Chance(secret, 0))
    tried: list[Any] = []
    _refused_options(game, seats, note)
    for number in range(1, MOST_MOVES):
        for one in step.told:
            _event(one.event, note)
            for count in game.counts(one.event):
                note(f"figure_{count.figure}")
                note(f"column_{count.figure}", count.column)
        decisions = game.decisions(step.state)
        if number <= BETWEEN or not number % 5:
            for decision in decisions:
                _question(game, step.state, decision, note)
        if number % BETWEEN == 1 or not decisions:
            for seat in (None, *{one.seat for one in decisions}):
                look(game.view(step.state, seat))
            _refused(game, step.state, colours, options, tried[-BETWEEN:], note)
        if not decisions:
            break
        decision = next((one for one in decisions if not one.optional), decisions[0])
        move = _move(game, step.state, decision, number, Chance(mind, number))
        tried.append(move)
        step = game.apply(step.state, decision.seat, move, Chance(secret, number))
    if outcome := game.outcome(step.state):
        note(f"ending_{outcome.reason}", outcome, player_name)


def _move(game: Game, state: Record, decision: Decision, number: int, chance: Chance) -> Any:
    """A bot's answer, and now and then one drawn from the list: bots leave some kinds of moves out."""
    if number % 4 == 0 and decision.options:
        return decision.options[chance.below(len(decision.options))]
    return game.bot(game.view(state, decision.seat), decision, chance)


def _event(event: Event, note: Note) -> None:
    note(f"event_{snake_case(type(event))}", event, player_name)


def _question(game: Game, state: Record, decision: Decision, note: Note) -> None:
    view = game.view(state, decision.seat)
    note(f"asks_{decision.asks}", decision, view)
    for move in (*decision.options, *([decision.default] if decision.default else ())):
        note(f"label_{snake_case(type(move))}", move, view)
        for name in game.click_path(move):
            note("pointed", name, view)
            note("described", name, view)


def _refused(
    game: Game, state: Record, seats: tuple[str, ...], options: Options, moves: list[Any], note: Note
) -> None:
    """Try what can't be done: others' moves, moves of other moments, unreadable texts and positions."""
    asked = [one.seat for one in game.decisions(state)]
    for move in moves:
        for seat in (*asked[:1], *[one for one in seats if one not in asked][:1]):
            _try(note, game.apply, state, seat, move, Chance(b"refused" * 5, 1))
            for text in (game.format(move), f"{game.format(move)} x", "?"):
                _try(note, game.parse, state, seat, text)
    position = game.dump(state)
    for key, value in position.items():
        for wrong in (99, "?", ["?", "?"], {"?": 99}, *([value * 2] if isinstance(value, list) else ())):
            _try(note, game.load, {key: wrong}, seats, options, Chance(b"refused" * 5, 2))
    _try(note, game.load, {"?": 1}, seats, options, Chance(b"refused" * 5, 3))


def _refused_options(game: Game, seats: int, note: Note) -> None:
    for wrong in (1, 9):
        _try(note, game.complete_options, wrong, {})
    _try(note, game.complete_options, seats, {"?": "?"})
    for option in game.options:
        for choice in (*option.choices, "?"):
            _try(note, game.complete_options, seats, {option.name: choice})


def _try(note: Note, action: Callable[..., Any], *arguments: Any) -> None:
    try:
        action(*arguments)
    except (IllegalMove, BadOptions, BadPosition) as error:
        note(f"refused_{error.reason}", error.facts)
    except (UnreadableMove, RulesError):
        pass
