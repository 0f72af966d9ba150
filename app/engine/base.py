"""Defaults for what most games have in common."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from app.engine.chance import Chance
from app.engine.errors import BadOptions
from app.engine.game import (
    Asking,
    Count,
    Decision,
    Event,
    Game,
    Move,
    MoveT,
    Option,
    Options,
    Policy,
    Preset,
    Seat,
    Secret,
    StateT,
    Telling,
    ViewT,
)
from app.engine.reading import one_form, said, tidy

_BREAKS = re.compile(r"[,;\n]")


class BaseGame(Game[StateT, MoveT, ViewT]):
    """A game of one edition, without options, policies or click paths.

    Subclasses override what is different in them. A game with hidden information overrides `resample`.
    """

    OPTION_REASONS: ClassVar = ("bad_seats", "bad_option", "bad_choice")
    """The reasons of `complete_options`: part of the game's `reasons`. No options, no `bad_choice`."""

    edition: int = 1
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    bags: frozenset[str] = frozenset()
    policies: tuple[Policy, ...] = ()
    lasting: frozenset[str] = frozenset()
    open_information: bool = False
    languages: tuple[str, ...] = ("en",)
    figures: tuple[str, ...] = ()
    demo_options: Options = MappingProxyType({})
    walks: tuple[type[Move], ...] = ()

    def complete_options(self, seats: int, options: Options) -> Options:
        """The options, with defaults for those not given.

        Raises BadOptions("bad_seats", "bad_option" or "bad_choice"). The choices of an option that isn't
        available are only its default; `needs` is what it lacks, if that is another option's choice.
        """
        if seats not in self.seats:
            raise BadOptions("bad_seats", seats=seats, least=self.seats[0], most=self.seats[-1])
        known: Mapping[str, Option] = {one.name: one for one in self.options}
        for name in options:
            if name not in known:
                raise BadOptions("bad_option", option=name)
        complete = {name: options.get(name, one.choices[0]) for name, one in known.items()}
        for name, choice in complete.items():
            one = known[name]
            choices = one.choices if one.available(seats, complete) else one.choices[:1]
            if choice not in choices:
                raise BadOptions("bad_choice", option=name, choice=choice, choices=choices, needs=one.needs)
        return complete

    def asking(self, state: StateT) -> tuple[Asking, ...]:
        """From `decisions`. Games whose answers take long to list override this: every move asks it."""
        return tuple(decision.asking for decision in self.decisions(state))

    def telling(self, event: Event) -> Telling:
        """An ordinary step, from `start` along `path` to `to` or `at`, where the event has such fields."""
        facts = msgspec.structs.asdict(event)
        way = (facts.get("start"), *facts.get("path", ()), facts.get("to") or facts.get("at"))
        return Telling(course=tuple(one for one in way if one and isinstance(one, str)))

    def counts(self, event: Event) -> tuple[Count, ...]:  # noqa: ARG002
        """None. Games with `figures` override this."""
        return ()

    def points(self, state: StateT) -> Mapping[str, int]:
        """The scores of the outcome: until the end, none. Games that can count before override this."""
        outcome = self.outcome(state)
        return outcome.scores if outcome else {}

    def split(self, text: str) -> tuple[str, ...]:
        """The parts between commas, semicolons and line breaks."""
        return tuple(part.strip() for part in _BREAKS.split(one_form(text)) if tidy(part))

    def click_path(self, move: MoveT) -> tuple[str, ...]:  # noqa: ARG002
        """Empty: every move is a button."""
        return ()

    def other_paths(self, move: MoveT) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002
        """None."""
        return ()

    def alike(self, view: ViewT) -> Mapping[str, str]:  # noqa: ARG002
        """None."""
        return {}

    def variants(self, view: ViewT, move: MoveT) -> tuple[MoveT, ...]:  # noqa: ARG002
        """None."""
        return ()

    def route(self, event: Event) -> tuple[str, ...]:  # noqa: ARG002
        """None."""
        return ()

    def course(self, view: ViewT, move: MoveT) -> tuple[str, ...]:  # noqa: ARG002
        """Nowhere."""
        return ()

    def resample(self, state: StateT, seat: Seat | None, chance: Chance) -> StateT:  # noqa: ARG002
        """The same state, if nothing is hidden. Games with hidden information override this."""
        if not self.open_information:
            raise NotImplementedError(f"{self.slug} hides something, so it needs a `resample`")
        return state

    def secrets(self, state: StateT) -> Mapping[str, Secret]:  # noqa: ARG002
        """None. Games in which players choose hidden values for public pieces override this."""
        return {}

    def bot(self, view: ViewT, decision: Decision, chance: Chance) -> MoveT:  # noqa: ARG002
        """One of the options at random, or the default if they aren't listed."""
        move: Any = chance.pick(decision.options) if decision.options else decision.default
        chosen: MoveT = move
        return chosen

    def read_policy(self, name: str, text: str) -> str:
        """The choice of one of `policies` that the text means. Raises UnreadableMove."""
        return said(self.policies, name, text)

    def apply_policy(self, view: ViewT, decision: Decision, text: str) -> MoveT | None:  # noqa: ARG002
        """None: ask the player. Games with policies override this."""
        return None

    def upgrade(self, edition: int, stored: dict[str, Any]) -> dict[str, Any] | None:  # noqa: ARG002
        """None: matches of older editions are played to their end by their own rules."""
        return None
