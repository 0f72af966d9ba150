"""Ferry: a tiny game for the tests of the server. It has what makes correspondence games hard.

Sealed bids of all seats at once; the highest bidder's turn of several steps; a die that reveals; a window in
which another may ward off a wave with a charm that only they know; a cheer that anybody may give and nobody
waits for; an end in the middle of a line.

The first seat to reach the far bank wins; after six rounds the one farthest over.
"""

# ruff: noqa: ARG002 - the contract names the arguments
import msgspec

from app.engine.base import BaseGame
from app.engine.errors import BadOptions, BadPosition, IllegalMove, UnreadableMove
from app.engine.game import (
    Addressed,
    Decision,
    Event,
    Move,
    Option,
    Outcome,
    Policy,
    Preset,
    Record,
    Step,
    View,
)
from app.engine.reading import nearest, tidy

ROUNDS = 6
BANK = {"short": 3, "long": 8}


class Bid(Move, frozen=True, tag="Bid"):
    coins: int


class Row(Move, frozen=True, tag="Row"):
    """One place on, or back."""

    way: str


class Roll(Move, frozen=True, tag="Roll"):
    pass


class Ward(Move, frozen=True, tag="Ward"):
    pass


class Allow(Move, frozen=True, tag="Allow"):
    pass


class Cheer(Move, frozen=True, tag="Cheer"):
    pass


class Dealt(Event, frozen=True, tag="Dealt"):
    """Addressed to its owner alone."""

    seat: str
    charm: str


class BidMade(Event, frozen=True, tag="BidMade"):
    seat: str


class BidsShown(Event, frozen=True, tag="BidsShown"):
    bids: dict[str, int]
    winner: str


class Rowed(Event, frozen=True, tag="Rowed"):
    seat: str
    place: int


class Rolled(Event, frozen=True, tag="Rolled"):
    seat: str
    die: int


class WaveHit(Event, frozen=True, tag="WaveHit"):
    seat: str
    place: int


class Warded(Event, frozen=True, tag="Warded"):
    seat: str


class Cheered(Event, frozen=True, tag="Cheered"):
    seat: str


class Ended(Event, frozen=True, tag="Ended"):
    reason: str


class Ferry(Record, frozen=True, tag="Ferry"):
    seats: tuple[str, ...]
    bank: int
    cheers: bool
    round: int
    step: str
    """bid, row, ward, over."""
    bids: tuple[int | None, ...]
    purses: tuple[int, ...]
    places: tuple[int, ...]
    charms: tuple[str | None, ...]
    """shield or dud."""
    turn: str | None = None
    points: int = 0
    wave: str | None = None
    cheered: tuple[str, ...] = ()
    reason: str = ""


class FerryView(View, frozen=True, tag="FerryView"):
    seat: str | None
    round: int
    step: str
    turn: str | None
    points: int
    wave: str | None
    places: dict[str, int]
    purses: dict[str, int]
    charms: dict[str, int]
    """How many each holds: one or none."""
    bidden: tuple[str, ...]
    own_bid: int | None
    own_charm: str | None


MOVES = {"roll": Roll(), "ward": Ward(), "allow": Allow(), "cheer": Cheer()}


class Toy(BaseGame):
    slug = "ferry"
    edition = 1
    seats = range(2, 5)
    colours = ("red", "blue", "green", "white")
    options = (Option("bank", ("short", "long")), Option("cheers", ("off", "on")))
    presets = (Preset("email", {"bank": "short"}), Preset("printed", {"bank": "long"}))
    state_type = Ferry
    view_type = FerryView
    move_types = (Bid, Row, Roll, Ward, Allow, Cheer)
    event_types = (Dealt, BidMade, BidsShown, Rowed, Rolled, WaveHit, Warded, Cheered, Ended)
    asks = ("bid", "row", "ward", "cheer")
    reasons = (
        "not_asked",
        "too_dear",
        "at_the_bank",
        "no_points",
        "no_shield",
        "options",
        "seats",
        "position",
    )
    endings = ("across", "nightfall")
    bags = frozenset({"cheered"})
    policies = (Policy("ward", "ward", ("ask", "always", "at least N", "never")),)
    """At least N: where the seat is so far over."""
    rounds = ROUNDS

    def complete_options(self, seats, options):
        if seats not in self.seats:
            raise BadOptions("seats", seats=seats)
        known = {option.name: option for option in self.options}
        for name, choice in options.items():
            if name not in known or choice not in known[name].choices:
                raise BadOptions("options", option=name, choice=choice)
        return {option.name: options.get(option.name, option.choices[0]) for option in self.options}

    def split(self, text):
        return tuple(map(tidy, super().split(text)))

    def setup(self, seats, options, chance):
        n = len(seats)
        charms = tuple(chance.pick(("shield", "dud")) for _ in seats)
        state = Ferry(
            seats=seats,
            bank=BANK[options["bank"]],
            cheers=options["cheers"] == "on",
            round=1,
            step="bid",
            bids=(None,) * n,
            purses=(5,) * n,
            places=(0,) * n,
            charms=charms,
        )
        return Step(
            state, tuple(Addressed(Dealt(s, c), (s,)) for s, c in zip(seats, charms, strict=True)), True
        )

    def decisions(self, state):
        if state.step == "over":
            return ()
        about = str(state.round)
        asked = []
        if state.step == "bid":
            for seat, purse, bid in zip(state.seats, state.purses, state.bids, strict=True):
                if bid is None:
                    bids = tuple(Bid(n) for n in range(min(purse, 3) + 1))
                    asked.append(Decision(seat, "bid", about, bids, Bid(0)))
        elif state.step == "row":
            ways = ("on", "back") if state.places[state.seats.index(state.turn)] else ("on",)
            rows = tuple(Row(way) for way in ways) if state.points else ()
            asked.append(Decision(state.turn, "row", about, (*rows, Roll()), Roll()))
        else:
            shield = state.charms[state.seats.index(state.wave)] == "shield"
            asked.append(
                Decision(state.wave, "ward", about, (Ward(), Allow()) if shield else (Allow(),), Allow())
            )
        if state.cheers:
            asked += [
                Decision(seat, "cheer", "", (Cheer(),), None, optional=True)
                for seat in state.seats
                if seat not in state.cheered
            ]
        return tuple(asked)

    def apply(self, state, seat, move, chance):
        mine = [decision for decision in self.decisions(state) if decision.seat == seat]
        if not any(move in decision.options for decision in mine):
            raise IllegalMove(self._why_not(move, mine), move=self.format(move))
        if isinstance(move, Cheer):
            return Step(_with(state, cheered=(*state.cheered, seat)), (Addressed(Cheered(seat)),))
        at = state.seats.index(seat)
        if isinstance(move, Bid):
            return self._bid(state, at, move)
        if isinstance(move, Row):
            place = state.places[at] + (1 if move.way == "on" else -1)
            state = _with(state, places=_put(state.places, at, place), points=state.points - 1)
            told = (Addressed(Rowed(seat, place)),)
            if place < state.bank:
                return Step(state, told)
            return Step(_with(state, step="over", reason="across"), (*told, Addressed(Ended("across"))))
        if isinstance(move, Roll):
            return self._roll(state, at, chance)
        if isinstance(move, Ward):
            state, told = _with(state, charms=_put(state.charms, at, None)), [Addressed(Warded(seat))]
        else:
            place = max(0, state.places[at] - 1)
            state = _with(state, places=_put(state.places, at, place))
            told = [Addressed(WaveHit(seat, place))]
        return self._next_round(state, told)

    def _why_not(self, move, mine):
        if not mine or not any(type(move) is type(option) for d in mine for option in d.options):
            asked = any(d.asks == "row" for d in mine) and isinstance(move, Row)
            return "no_points" if asked else "no_shield" if isinstance(move, Ward) and mine else "not_asked"
        return "too_dear" if isinstance(move, Bid) else "at_the_bank"

    def _bid(self, state, at, move):
        state = _with(state, bids=_put(state.bids, at, move.coins))
        told = [Addressed(BidMade(state.seats[at]))]
        if None in state.bids:
            return Step(state, tuple(told))
        winner = state.bids.index(max(state.bids))
        bids = dict(zip(state.seats, state.bids, strict=True))
        told.append(Addressed(BidsShown(bids, state.seats[winner])))
        purses = _put(state.purses, winner, state.purses[winner] - state.bids[winner])
        state = _with(state, step="row", turn=state.seats[winner], points=2, purses=purses)
        return Step(state, tuple(told), reveals=True)

    def _roll(self, state, at, chance):
        die = chance.pick((1, 2, 3, 4, 5, 6))
        told = [Addressed(Rolled(state.seats[at], die))]
        n = len(state.seats)
        ahead = [(at + k) % n for k in range(1, n)]
        hit = max(ahead, key=lambda i: (state.places[i], -ahead.index(i)))
        if die >= 4 and state.charms[hit] is not None:
            state = _with(state, step="ward", wave=state.seats[hit], points=0)
            return Step(state, tuple(told), reveals=True)
        return self._next_round(state, told)

    def _next_round(self, state, told):
        if state.round == self.rounds:
            state = _with(state, step="over", reason="nightfall", turn=None, wave=None)
            return Step(state, (*told, Addressed(Ended("nightfall"))), reveals=True)
        fresh = (None,) * len(state.seats)
        state = _with(state, step="bid", round=state.round + 1, bids=fresh, turn=None, wave=None, points=0)
        return Step(state, tuple(told), reveals=True)

    def outcome(self, state):
        if state.step != "over":
            return None
        scores = dict(zip(state.seats, state.places, strict=True))
        places = {s: 1 + sum(other > score for other in scores.values()) for s, score in scores.items()}
        return Outcome(places, scores, state.reason)

    def view(self, state, seat):
        over = state.step == "over"
        at = None if seat is None else state.seats.index(seat)
        return FerryView(
            seat=seat,
            round=state.round,
            step=state.step,
            turn=state.turn,
            points=state.points,
            wave=state.wave,
            places=dict(zip(state.seats, state.places, strict=True)),
            purses=dict(zip(state.seats, state.purses, strict=True)),
            charms={s: int(c is not None) for s, c in zip(state.seats, state.charms, strict=True)},
            bidden=tuple(
                s for s, bid in zip(state.seats, state.bids, strict=True) if bid is not None and not over
            ),
            own_bid=None if at is None else state.bids[at],
            own_charm=None if at is None else state.charms[at],
        )

    def parse(self, state, seat, text):
        words = tidy(text).split(" ")
        if len(words) == 2 and words[0] == "bid" and words[1].isdecimal() and len(words[1]) < 4:
            return Bid(int(words[1]))
        if len(words) == 2 and words[0] == "row" and words[1] in ("on", "back"):
            return Row(words[1])
        if len(words) == 1 and words[0] in MOVES:
            return MOVES[words[0]]
        raise UnreadableMove(
            text, nearest=nearest(" ".join(words)[:40], ("bid 1", "row on", "row back", *MOVES))
        )

    def format(self, move):
        if isinstance(move, Bid):
            return f"bid {move.coins}"
        return f"row {move.way}" if isinstance(move, Row) else type(move).__name__.lower()

    def click_path(self, move):
        return (move.way,) if isinstance(move, Row) else ()

    def load(self, position, seats, options, chance):
        table = {
            "turn": None,
            "points": 0,
            "wave": None,
            "reason": "",
            "round": 1,
            "step": "bid",
            "cheered": [],
        }
        unknown = set(position) - {*table, "bids", "purses", "places", "charms"}
        turn = position.get("turn")
        if unknown or turn not in (None, *seats):
            raise BadPosition("position", keys=sorted(unknown))

        def row(key, default):
            return tuple((position.get(key) or {}).get(seat, default) for seat in seats)

        return Ferry(
            seats=seats,
            bank=BANK[options["bank"]],
            cheers=options["cheers"] == "on",
            bids=row("bids", None),
            purses=row("purses", 0),
            places=row("places", 0),
            charms=row("charms", None),
            **{key: position.get(key, default) for key, default in table.items() if key != "cheered"},
            cheered=tuple(position.get("cheered", ())),
        )

    def dump(self, state):
        rows = {"bids": state.bids, "purses": state.purses, "places": state.places, "charms": state.charms}
        return {
            **{key: dict(zip(state.seats, row, strict=True)) for key, row in rows.items()},
            **{key: getattr(state, key) for key in ("turn", "points", "wave", "reason", "round", "step")},
            "cheered": list(state.cheered),
        }

    def resample(self, state, seat, chance):
        if state.step == "over":
            return state
        charms = tuple(
            c if s == seat or c is None else chance.pick(("shield", "dud"))
            for s, c in zip(state.seats, state.charms, strict=True)
        )
        bids = state.bids
        if state.step == "bid":
            bids = tuple(
                b if s == seat or b is None else chance.below(min(p, 3) + 1)
                for s, b, p in zip(state.seats, state.bids, state.purses, strict=True)
            )
        return _with(state, charms=charms, bids=bids)

    def apply_policy(self, view, decision, text):
        if decision.asks != "ward" or text == "ask":
            return None
        far = text.startswith("at least") and view.places[decision.seat] >= int(text.split()[-1])
        return Ward() if (text == "always" or far) and Ward() in decision.options else Allow()


def _with(state, **changes):
    return msgspec.structs.replace(state, **changes)


def _put(row, at, value):
    return (*row[:at], value, *row[at + 1 :])


TOY = Toy()
