"""Acts between the simulated players: pauses, more time from hosts, and requests for open seats."""

import random
from collections.abc import Callable
from datetime import datetime

import msgspec

from app.play.deadlines import pauses
from app.play.match import links
from app.play.match.reading import by_match
from app.play.match.records import SiteError, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.seats import offers, organiser, requests, takeover
from app.rehearsal.correspondents import Correspondents
from app.store.session import Store
from app.store.sql import Query

ASKS, AGREES, RESUMES = 0.04, 0.7, 0.06
"""Chances of a match in a day: that a player asks for a pause, that each other agrees, that one ends it."""
EXTENDS, MOST_DAYS = 0.08, 14
OPENS = 0.5
"""That a host opens the seat of a player who is late."""
WANTS, DECIDES, GIVES = 0.8, 0.4, 0.6
"""That somebody asks for an open seat, that a player decides about a request, and gives it."""


class _Offer(msgspec.Struct, frozen=True):
    """An offer of a seat that a simulated player asked for."""

    id: int
    address: str


_running = Query(int, """SELECT id FROM "match" WHERE status = 'running' ORDER BY id""")
_offers = Query(
    _Offer,
    """SELECT id, address FROM invitation
       WHERE match_id = :match_id AND seat <> '' AND status = 'invited' ORDER BY id""",
)


def one_day(store: Store, people: Correspondents, seed: str, now: datetime) -> None:
    """Let the players of each running match do what they do in a day."""
    with store.reading() as connection:
        running = _running.all(connection)
    for match_id in running:
        with store.reading() as connection:
            match = by_match(connection, match_id)
        if match is not None and match.running:
            chance = random.Random(f"{seed} {match_id} {now.isoformat()} agreements")  # noqa: S311 - a rehearsal
            for act in (_pauses, _extends, _opens, _asks_for_seats, _decides):
                act(store, people, match, chance, now)


def _pauses(
    store: Store, people: Correspondents, match: MatchSnapshot, chance: random.Random, _now: datetime
) -> None:
    viewers = [Viewer(player_id=one.player_id) for one in match.holders if one.player_id is not None]
    if match.paused:
        if chance.random() < RESUMES:
            _try(
                people,
                "pauses ended by players",
                pauses.resume,
                store,
                chance.choice(viewers),
                match.match_id,
            )
    elif chance.random() < ASKS:
        for viewer in viewers:
            if chance.random() < AGREES:
                _try(people, "wishes for a pause", pauses.request, store, viewer, match.match_id)


def _extends(
    store: Store, people: Correspondents, match: MatchSnapshot, chance: random.Random, now: datetime
) -> None:
    if chance.random() >= EXTENDS:
        return
    days, seen = chance.randint(1, MOST_DAYS), organiser.deadline_marks(match, now)
    viewer = Viewer(player_id=match.organiser_id)
    extend = organiser.extend
    _try(people, "extensions", lambda *given: extend(*given, seen=seen), store, viewer, match.match_id, days)


def _opens(
    store: Store, people: Correspondents, match: MatchSnapshot, chance: random.Random, now: datetime
) -> None:
    viewer, act = Viewer(player_id=match.organiser_id), organiser.open_silent_seat
    for holder in match.holders:
        if organiser.is_silent(match, holder.seat, now) and chance.random() < OPENS:
            _try(people, "seats opened by hosts", act, store, viewer, match.match_id, holder.seat)


def _asks_for_seats(
    store: Store, people: Correspondents, match: MatchSnapshot, chance: random.Random, _now: datetime
) -> None:
    playing = {holder.name for holder in match.holders}
    for holder in match.holders:
        if holder.open_since is not None and chance.random() < WANTS:
            one = chance.choice([one for one in people.people if one.name not in playing])
            offers_of = offers.request_offer
            _try(people, "wishes for a seat", offers_of, store, match.match_id, holder.seat, one.address)
    with store.reading() as connection:
        found = _offers.all(connection, match_id=match.match_id)
    for offer in found:
        one = next(one for one in people.people if one.address == offer.address)
        with store.transaction() as connection:
            token = links.mint(connection, "invitation", invitation_id=offer.id)
        _try(people, "requests for seats", takeover.take, store, token, one.name, "en", one.zone)
        people.settle(one)


def _decides(
    store: Store, people: Correspondents, match: MatchSnapshot, chance: random.Random, now: datetime
) -> None:
    for holder in match.holders:
        if holder.player_id is None or chance.random() >= DECIDES:
            continue
        with store.reading() as connection:
            asked = requests.open_requests(connection, match, holder.seat, now)
        for one in asked:
            agree, viewer = chance.random() < GIVES, Viewer(player_id=holder.player_id)
            decide = lambda *given, agree=agree: requests.decide(*given, agree=agree)  # noqa: E731
            _try(people, "decisions about seats", decide, store, viewer, match.match_id, one.invitation_id)


def _try(people: Correspondents, what: str, act: Callable[..., object], *given: object) -> None:
    """Do it, and count it if it was done."""
    try:
        act(*given)
    except SiteError:
        return
    people.counts[what] += 1
