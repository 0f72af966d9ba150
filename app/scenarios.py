"""Scenario files: worked cases in YAML, run against the rules. Tests, bug reports and puzzles in one."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from app.engine import codec
from app.engine.chance import Chance, ScriptedChance, UnfitDraw
from app.engine.errors import RulesError
from app.engine.game import Game, Record, Seat
from app.games import all_games

# name      what the document shows
# game      the slug
# players   the seats in turn order
# options   choices that differ from the defaults; true and false stand for on and off
# seed      any text: what a position leaves open is drawn from it
# position  as `dump` writes it, or a part of it; left out: a new game
# chance    the values of the next draws (faces, tiles, cards), in order; each must fit, none may be left over
# play      moves in order, each `seat: line`; a line is played whole or refused whole
# refused   lines that must be refused in the position after `play`, and change nothing
# expect    after `play`: position (a part of it; null: absent), to_act, over, scores
# legal     for a seat: has, not - moves that must, and must not, be offered
# hidden    for a seat: texts that its view must not contain
KEYS = {"name", "game", "players", "options", "seed", "position", "chance", "play", "refused"} | {
    "expect",
    "legal",
    "hidden",
}


class Failure(Exception):  # noqa: N818 - the finding of a check, not a fault of the program
    """A document failed; the text says where it differs."""


class Report(msgspec.Struct, frozen=True):
    """The result of one document. `difference` is empty if it passed."""

    name: str
    difference: str = ""


def documents(paths: Sequence[Path]) -> Iterator[tuple[str, Any]]:
    """Yield every document in the files and folders, with a name for reports. Raises OSError, YAMLError."""
    for path in paths:
        files = sorted((*path.rglob("*.yaml"), *path.rglob("*.yml"))) if path.is_dir() else [path]
        for file in files:
            for number, document in enumerate(yaml.safe_load_all(file.read_text(encoding="utf-8")), 1):
                if document is not None:
                    title = document.get("name", "") if isinstance(document, dict) else ""
                    yield f"{file.name}#{number} {title}".rstrip(), document


def run(name: str, document: Any) -> Report:
    """Run one document. Never raises, whatever the document says."""
    try:
        _run(document)
    except Failure as failure:
        return Report(name, str(failure))
    except UnfitDraw as unfit:
        return Report(name, f"chance: {unfit}")
    except (RulesError, msgspec.ValidationError) as error:
        return Report(name, f"refused: {error}")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return Report(name, f"not a scenario: {type(error).__name__}: {error}")
    return Report(name)


def _run(document: Any) -> None:
    if not isinstance(document, Mapping):
        raise Failure("not a scenario: a document is a map")
    if unknown := set(document) - KEYS:
        raise Failure(f"unknown keys: {', '.join(sorted(map(str, unknown)))}")
    if document["game"] not in all_games():
        raise Failure(f"no game {document['game']!r}; there are {', '.join(all_games())}")
    game = all_games()[document["game"]]
    seats = tuple(document["players"])
    seed = hashlib.sha256(str(document.get("seed", "")).encode()).digest()
    options = game.complete_options(
        len(seats), {k: _switch(v) for k, v in (document.get("options") or {}).items()}
    )
    script = [str(value) for value in document.get("chance") or ()]
    if "position" in document:
        state = game.load(document["position"] or {}, seats, options, Chance(seed, 0))
    else:
        state = game.setup(seats, options, ScriptedChance(seed, 0, script)).state
    for number, (seat, line) in enumerate(_lines(document.get("play")), 1):
        state = _played(game, state, seat, line, seed, number, script)
    if script:
        raise Failure(f"chance left over: {', '.join(script)}")
    for seat, line in _lines(document.get("refused")):
        _must_refuse(game, state, seat, line, seed)
    _expect(game, state, document.get("expect") or {})
    for seat, wanted in (document.get("legal") or {}).items():
        _legal(game, state, seat, wanted)
    for seat, texts in (document.get("hidden") or {}).items():
        known = codec.dumps(game.view(state, seat))
        if found := [text for text in texts if str(text) in known]:
            raise Failure(f"{seat} can see {', '.join(found)}")


def _switch(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _lines(entries: Any) -> Iterator[tuple[Seat, str]]:
    for entry in entries or ():
        yield from ((seat, str(line)) for seat, line in entry.items())


def _played(
    game: Game, state: Record, seat: Seat, line: str, seed: bytes, number: int, script: list[str]
) -> Record:
    for part, text in enumerate(game.split(line)):
        chance = ScriptedChance(seed, number * 1000 + part, script)
        try:
            state = game.apply(state, seat, game.parse(state, seat, text), chance).state
        except RulesError as error:
            raise Failure(f"play {seat}: {line!r} was refused at {text!r}: {error}") from None
    return state


def _must_refuse(game: Game, state: Record, seat: Seat, line: str, seed: bytes) -> None:
    before = codec.dumps(state)
    after = state
    try:
        for part, text in enumerate(game.split(line)):
            after = game.apply(after, seat, game.parse(after, seat, text), Chance(seed, 900_000 + part)).state
    except RulesError:
        if codec.dumps(state) != before:
            raise Failure(f"{seat}: {line!r} was refused but changed the position") from None
        return
    raise Failure(f"{seat}: {line!r} was accepted, must be refused")


def _expect(game: Game, state: Record, expect: Mapping[str, Any]) -> None:
    if unknown := set(expect) - {"position", "to_act", "over", "scores"}:
        raise Failure(f"unknown keys in expect: {', '.join(sorted(unknown))}")
    if "position" in expect:
        _compare("position", expect["position"], game.dump(state), game.bags)
    to_act = sorted(decision.seat for decision in game.decisions(state) if not decision.optional)
    if "to_act" in expect and sorted(expect["to_act"]) != to_act:
        raise Failure(f"to_act: expected {expect['to_act']}, found {to_act}")
    outcome = game.outcome(state)
    if "over" in expect and expect["over"] != (outcome is not None):
        raise Failure(f"over: expected {expect['over']}, found {outcome is not None}")
    if "scores" in expect:
        _compare("scores", expect["scores"], dict(outcome.scores) if outcome else None, game.bags)


def _compare(path: str, wanted: Any, found: Any, bags: frozenset[str]) -> None:
    """Compare maps key by key (null: absent or empty), lists exactly or as bags. Raises Failure."""
    if isinstance(wanted, Mapping):
        if not isinstance(found, Mapping):
            raise Failure(f"{path}: expected {wanted}, found {found}")
        there = {str(key): value for key, value in found.items()}
        for key, value in wanted.items():
            if value is None:
                if there.get(str(key)) not in (None, [], {}):
                    raise Failure(f"{path}.{key}: expected nothing, found {there[str(key)]}")
            elif str(key) not in there:
                if value == 0 and path.startswith("position"):
                    continue  # a number that a position leaves out is 0
                raise Failure(f"{path}.{key}: expected {value}, found nothing")
            else:
                _compare(f"{path}.{key}", value, there[str(key)], bags)
    elif isinstance(wanted, list) and isinstance(found, list | tuple):
        key = str if bags & set(path.split(".")) else None
        left, right = (sorted(wanted, key=key), sorted(found, key=key)) if key else (wanted, list(found))
        if left != right:
            raise Failure(f"{path}: expected {wanted}, found {list(found)}")
    elif wanted != found:
        raise Failure(f"{path}: expected {wanted!r}, found {found!r}")


def _legal(game: Game, state: Record, seat: Seat, wanted: Mapping[str, Any]) -> None:
    """Check the moves that must, and must not, be legal for a seat. Raises Failure."""
    if unknown := set(wanted) - {"has", "not"}:
        raise Failure(f"unknown keys in legal: {', '.join(sorted(unknown))}")
    offered = {
        game.format(move)
        for decision in game.decisions(state)
        if decision.seat == seat
        for move in decision.options
    }
    for text in wanted.get("has") or ():
        if game.format(game.parse(state, seat, text)) not in offered:
            raise Failure(f"legal {seat}: {text!r} is not offered; offered: {', '.join(sorted(offered))}")
    for text in wanted.get("not") or ():
        try:
            canonical = game.format(game.parse(state, seat, text))
        except RulesError:
            continue
        if canonical in offered:
            raise Failure(f"legal {seat}: {text!r} is offered")
