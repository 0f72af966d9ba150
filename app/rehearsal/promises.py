"""An audit of what players may agree on: pauses, more time, time given back, and who gets an open seat."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop
from app.store.session import Store
from app.store.sql import Query

LONGEST_PAUSE = timedelta(days=90)
ASKED_EVERY = timedelta(days=21)
MOST_DAYS = 30
MOST_CREDIT = timedelta(days=7)
REQUEST_LASTS = timedelta(days=14)
SLACK = timedelta(days=7)
"""A pause lasts some days longer where its players were asked late; a day on the wall is not 24 hours."""


class _Match(msgspec.Struct, frozen=True):
    id: int
    status: str
    pauses: tuple[Stop, ...]
    extended: int
    seat_giver: str


class _Said(msgspec.Struct, frozen=True):
    """A notice."""

    id: int
    match_id: int
    what: str
    seat: str | None
    by_seat: str | None
    facts: dict[str, Any]
    at: datetime


class _Credit(msgspec.Struct, frozen=True):
    match_id: int
    seat: str
    credited: float


class _Request(msgspec.Struct, frozen=True):
    """A request for a seat, waiting or granted."""

    id: int
    match_id: int
    seat: str
    status: str
    given: bool
    votes: dict[str, bool]
    asked_at: datetime
    player_id: int


_matches = Query(
    _Match,
    """SELECT id, status, stops AS pauses, extended, seat_giver FROM "match"
       WHERE status IN ('running', 'over') ORDER BY id""",
)
_notices = Query(
    _Said,
    """SELECT id, match_id, what, seat, by_seat, facts, at FROM notice
       WHERE id > :last AND what IN ('paused', 'resumed', 'pause_ended', 'still_paused', 'extended',
                                     'not_reached', 'seat_open', 'seat_back', 'seat_taken') ORDER BY id""",
)
_credits = Query(_Credit, "SELECT match_id, seat, credited FROM chair WHERE credited > 0 ORDER BY id")
_requests = Query(
    _Request,
    """SELECT id, match_id, seat, status, given, votes, invited_at AS asked_at, player_id FROM invitation
       WHERE seat <> '' AND status IN ('asked', 'accepted') AND player_id IS NOT NULL ORDER BY id""",
)
_standstills = Query(tuple[Stop, ...], "SELECT stops FROM house WHERE id = 1")


class Promises:
    """Compares what players did with what they may do, after each round."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self._last = 0
        self._days: Counter[int] = Counter()
        """Days of the extensions that were told, by match."""
        self._asked: dict[int, datetime] = {}
        """When the players of a match were asked last whether its pause goes on."""
        self._open: set[tuple[int, str]] = set()
        """The seats that others may take."""

    def look(self, now: datetime) -> list[str]:
        """Compare, and return the new faults."""
        known = len(self.faults)
        with self.store.reading() as connection:
            matches = {one.id: one for one in _matches.all(connection)}
            said = _notices.all(connection, last=self._last)
            credited, asked = _credits.all(connection), _requests.all(connection)
            site = _standstills.first(connection) or ()
        self._last = max((one.id for one in said), default=self._last)
        granted = {(one.match_id, one.seat) for one in asked if one.status == "accepted"}
        for one in said:
            self.counts[f"told: {one.what}"] += 1
            self._heard(now, one, matches[one.match_id], granted, site)
        for match in matches.values():
            self._of_match(now, match, site)
        for credit in credited:
            if credit.credited > MOST_CREDIT.total_seconds():
                self._fault(now, credit.match_id, f"{credit.seat} was given back {credit.credited} seconds")
        for request in asked:
            self._of_request(now, request, matches[request.match_id], site)
        return self.faults[known:]

    def _heard(
        self, now: datetime, one: _Said, match: _Match, granted: set[tuple[int, str]], site: tuple[Stop, ...]
    ) -> None:
        place = (one.match_id, one.seat or "")
        if one.what == "extended":
            self._days[one.match_id] += int(one.facts["days"])
        elif one.what in ("paused", "resumed", "pause_ended"):
            self._asked.pop(one.match_id, None)
        elif one.what == "still_paused":
            self._still_paused(now, one, match, site)
        elif one.what == "seat_open":
            self._open.add(place)
        elif one.what == "seat_back":
            self._open.discard(place)
        elif one.what == "seat_taken":
            if place not in self._open:
                self._fault(now, one.match_id, f"{one.seat} was taken and was not open")
            if place not in granted:
                self._fault(now, one.match_id, f"{one.seat} was taken by nobody who asked for it")
            self._open.discard(place)

    def _still_paused(self, now: datetime, one: _Said, match: _Match, site: tuple[Stop, ...]) -> None:
        """Whether the players of a pause were asked too early."""
        begun = max((stop.begins for stop in match.pauses if stop.begins <= one.at), default=one.at)
        since = max(begun, self._asked.get(one.match_id, begun))
        if rules.spent(since, one.at, Calendar(stops=site)) < ASKED_EVERY - timedelta(hours=2):
            self._fault(now, one.match_id, f"asked about its pause {one.at - since} after the last time")
        self._asked[one.match_id] = one.at

    def _of_match(self, now: datetime, match: _Match, site: tuple[Stop, ...]) -> None:
        if match.extended > MOST_DAYS or self._days[match.id] != match.extended:
            told = self._days[match.id]
            self._fault(now, match.id, f"was extended by {match.extended} days, and told of {told}")
        for stop in match.pauses:
            lasted = rules.spent(stop.begins, min(stop.ends or now, now), Calendar(stops=site))
            if match.status == "running" and lasted > LONGEST_PAUSE + SLACK:
                self._fault(now, match.id, f"its pause lasts {lasted}")
        if sum(stop.ends is None for stop in match.pauses) > 1:
            self._fault(now, match.id, "is paused twice")

    def _of_request(self, now: datetime, request: _Request, match: _Match, site: tuple[Stop, ...]) -> None:
        if request.status != "asked":
            return
        self.counts["days of requests"] += 1
        waited = rules.spent(request.asked_at, now, Calendar(stops=site))
        if waited > REQUEST_LASTS + timedelta(days=1):
            self._fault(now, match.id, f"a request for {request.seat} waits for {waited}")
        if match.seat_giver == "anybody" and match.status == "running":
            self._fault(now, match.id, f"a request for {request.seat} waits, and nobody need agree")

    def _fault(self, now: datetime, match_id: int, what: str) -> None:
        text = f"{now:%Y-%m-%d %H:%M} match {match_id}: {what}"
        self.faults.append(text)
