"""The second edition of Ferry: purses are smaller, there are four rounds, and there may be tides."""

from typing import Any

import msgspec

from app.engine.game import Addressed, Event, Option
from tests.toy import Ferry, FerryView, Toy


class Drifted(Event, frozen=True, tag="Drifted"):
    """The tide carries everybody on."""

    places: dict[str, int]


class Ferry2(Ferry, frozen=True, tag="Ferry2", kw_only=True):
    tide: int
    """Places that everybody drifts each round. Editions before had none."""


class Toy2(Toy):
    """What it changes; matches in the middle of a wave are played on by the first edition."""

    edition = 2
    options = (*Toy.options, Option("tide", ("off", "on")))
    state_type = Ferry2
    view_type = FerryView
    event_types = (*Toy.event_types, Drifted)
    rounds = 4

    def setup(self, seats, options, chance):
        step = super().setup(seats, options, chance)
        fields = msgspec.structs.asdict(step.state) | {"purses": (3,) * len(seats)}
        state = Ferry2(**fields, tide=int(options["tide"] == "on"))
        return msgspec.structs.replace(step, state=state)

    def _next_round(self, state, told):
        if state.tide:
            places = tuple(min(place + state.tide, state.bank - 1) for place in state.places)
            state = msgspec.structs.replace(state, places=places)
            told = [*told, Addressed(Drifted(dict(zip(state.seats, places, strict=True))))]
        return super()._next_round(state, told)

    def load(self, position, seats, options, chance):
        old = super().load(position, seats, options, chance)
        return Ferry2(**msgspec.structs.asdict(old), tide=int(options["tide"] == "on"))

    def upgrade(self, edition: int, stored: dict[str, Any]) -> dict[str, Any] | None:
        if edition != 1 or stored["step"] == "ward" or stored["round"] > self.rounds:
            return None
        return {**stored, "type": "Ferry2", "tide": 0}


TOY2 = Toy2()
