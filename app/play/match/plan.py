"""A seat's next moves, planned and not yet made: played ahead until chance or hidden facts decide.

A plan is a list of texts, which its reader's page keeps. Nothing is stored. It begins at the true state, so
it goes no further than what its seat knows: a step that draws chance, or after which something is revealed,
is only an intention. It can be the last one, and the board stays as it is before it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from app.engine.chance import ChanceNeeded, NoChance
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Decision, Event, Game, Move, Record, Seat, Step, View

MOST_STEPS = 24
LONGEST_STEP = 400
"""Characters. A placing list is the longest of all; it is a turn of its own, with a form of its own."""
OWN = "own:"
"""Prefix of names that only the seat may know. In addresses they have a number in their place."""
_CODE = re.compile(r"(own:[0-9]{1,4})(?:/([0-9]{1,2}))?")
LONGEST_WAY = 6
"""Steps of one piece that are looked at together."""


class PlannedStep(msgspec.Struct, frozen=True):
    """A step of a plan."""

    text: str
    """Canonical."""
    code: str
    """Its form in an address: the text, or a number where that must not stand in one."""
    move: Move
    view: View
    """The seat's, before it."""
    events: tuple[Event, ...]
    """Those that the seat will be told. Empty for an intention."""
    open: bool
    """Chance or hidden facts decide what follows: an intention, which ends the plan."""


class Dropped(msgspec.Struct, frozen=True):
    """A step that fell out of a plan."""

    text: str
    error: RulesError | None
    """Why it can't be made. None: it comes after a step that nobody can look past."""


class Way(msgspec.Struct, frozen=True):
    """Several steps of one piece to a space further off."""

    target: str
    texts: tuple[str, ...]
    last: Move
    view: View
    """The seat's, before the last step."""


class Plan:
    """A plan played out.

    It holds the true state, and hands out only views, events and questions of its seat.
    """

    def __init__(
        self, game: Game, state: Record, seat: Seat, texts: Iterable[str] = (), view: View | None = None
    ) -> None:
        """`view`: the seat's, of the state, if it is there already."""
        self._game, self._state, self._seat = game, state, seat
        self._begun = view
        self.steps: tuple[PlannedStep, ...] = ()
        self.dropped: tuple[Dropped, ...] = ()
        for text in list(texts)[:MOST_STEPS]:
            for line in game.split(text[:LONGEST_STEP]):
                self._add(line)

    def __repr__(self) -> str:
        return f"<Plan of {len(self.steps)} steps>"  # never the state

    @cached_property
    def view(self) -> View:
        """The seat's, after the steps."""
        return self._seen() if self.steps or self._begun is None else self._begun

    @property
    def _closed(self) -> bool:
        """Nothing can be added after what has been planned."""
        return bool(self.steps) and self.steps[-1].open

    @property
    def codes(self) -> tuple[str, ...]:
        """The steps as a page's address has them."""
        return tuple(one.code for one in self.steps)

    @property
    def texts(self) -> tuple[str, ...]:
        """The canonical texts of the steps."""
        return tuple(one.text for one in self.steps)

    @property
    def complete(self) -> bool:
        """Nothing can be added: the last step is open, or the seat is not asked after it."""
        return bool(self.steps) and (self._closed or not self.decisions)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """The questions to the seat after the steps, mandatory ones first."""
        if self._closed:
            return ()
        return self._asked(self._state)

    def read(self, text: str) -> Move | None:
        """The move that a text means after the steps, legal or not; None if it means none."""
        try:
            move: Move = self._game.parse(self._state, self._seat, text)
        except RulesError:
            return None
        return move

    def events(self) -> Iterator[Event]:
        """The events of the steps, in order."""
        for one in self.steps:
            yield from one.events

    def ways(self, piece: str) -> tuple[Way, ...]:
        """The ways of a piece to spaces further off than one step, nearest first.

        Of equally long ways to a space it is one on which the least happens.
        """
        found: dict[str, Way] = {}
        near: set[str] = set()
        begun: list[tuple[Record, tuple[str, ...], int, str]] = [(self._state, (), 0, "")]
        for length in range(1, LONGEST_WAY + 1):
            reached: dict[str, tuple[Record, Way, int]] = {}
            for state, texts, happened, _ in begun:
                for move in self._walks(state, piece):
                    self._walk(state, move, (*texts, self._game.format(move)), happened, reached)
            for target, (_, way, _) in reached.items():
                if length == 1:
                    near.add(target)
                elif target not in near:
                    found.setdefault(target, way)
            begun = [
                (state, way.texts, happened, target)
                for target, (state, way, happened) in reached.items()
                if length == 1 or found.get(target) is way
            ]
            if not begun:
                break
        home = self._home(piece)
        return tuple(way for target, way in found.items() if target not in home)

    def _walk(
        self,
        state: Record,
        move: Move,
        texts: tuple[str, ...],
        happened: int,
        reached: dict[str, tuple[Record, Way, int]],
    ) -> None:
        """Note where a step leads, unless something happened less often on another way there."""
        step = self._played(state, move)
        if step is None:
            return
        target = self._game.click_path(move)[-1]
        happened += len(step.told)
        if target not in reached or happened < reached[target][2]:
            way = Way(target, texts, move, self._game.view(state, self._seat))
            reached[target] = (step.state, way, happened)

    def _home(self, piece: str) -> set[str]:
        """The space on which a piece stands: no way leads back to it."""
        for move in self._walks(self._state, piece):
            step = self._played(self._state, move)
            for event in self._told(step) if step else ():
                if route := self._game.route(event):
                    return {route[0]}
        return set()

    def _seen(self) -> View:
        seen: View = self._game.view(self._state, self._seat)
        return seen

    def _walks(self, state: Record, piece: str) -> list[Move]:
        kinds = self._game.walks
        return [
            move
            for decision in self._asked(state)
            for move in decision.options
            if isinstance(move, kinds) and len(path := self._game.click_path(move)) == 2 and path[0] == piece
        ]

    def _asked(self, state: Record) -> tuple[Decision, ...]:
        asked = [one for one in self._game.decisions(state) if one.seat == self._seat]
        return tuple(sorted(asked, key=lambda one: one.optional))

    def _played(self, state: Record, move: Move) -> Step | None:
        """The step without chance; None if chance or hidden facts decide. Raises IllegalMove."""
        try:
            step = self._game.apply(state, self._seat, move, NoChance())
        except ChanceNeeded:
            return None
        return None if step.reveals else step

    def _told(self, step: Step) -> tuple[Event, ...]:
        return tuple(one.event for one in step.told if one.to is None or self._seat in one.to)

    def _add(self, text: str) -> None:
        if self._closed:
            self.dropped += (Dropped(text, None),)
            return
        known = codes(self._game, self._asked(self._state))
        try:
            code, text = self._decoded(text, known)
            move = self._game.parse(self._state, self._seat, text)
            step = self._played(self._state, move)
        except RulesError as error:
            self.dropped += (Dropped(text, error),)
            return
        view = self._game.view(self._state, self._seat)
        told = self._told(step) if step else ()
        text = self._game.format(move)
        self.steps += (PlannedStep(text, code or known.get(text, text), move, view, told, step is None),)
        if step is not None:
            self._state = step.state

    def _decoded(self, text: str, known: Mapping[str, str]) -> tuple[str, str]:
        """The code of a step, if it is given by one, and its text. Raises UnreadableMove."""
        found = _CODE.fullmatch(text)
        if found is None:
            return "", text
        meant = [one for one, code in known.items() if code == found[1]]
        if meant and found[2]:
            move = self._game.parse(self._state, self._seat, meant[0])
            others = self._game.variants(self._game.view(self._state, self._seat), move)
            meant = [self._game.format(one) for one in others[int(found[2]) : int(found[2]) + 1]]
        if not meant:
            raise UnreadableMove(text)
        return text, meant[0]


def codes(game: Game, asked: Iterable[Decision]) -> dict[str, str]:
    """Numbers for those answers whose text must not stand in an address, by their text.

    They name what only the seat may know, such as a card in its hand, or they differ from another answer in
    something that isn't picked on the board, such as a secret value.
    """
    paths = [(game.click_path(move), move) for decision in asked for move in decision.options]
    often = Counter(path for path, _ in paths)
    secret = [move for path, move in paths if often[path] > 1 or any(one.startswith(OWN) for one in path)]
    return {text: f"{OWN}{n}" for n, text in enumerate(sorted(game.format(move) for move in secret))}


def question_of(asked: Sequence[tuple[str, Decision]], plan: Plan) -> str:
    """The id of the question that a plan's first step answers, else of the first one."""
    if plan.steps:
        for question, decision in asked:
            if plan.steps[0].move in decision.options:
                return question
    return asked[0][0]
