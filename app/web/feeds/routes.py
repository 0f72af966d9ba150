"""Feeds: what happens in a match for anybody, and a player's own games and deadlines at secret addresses.

An address opens nothing but its feed: the links in it are those that everybody has. A feed repeats what
onlookers see, and when its owner's turns end.
"""

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, request
from icalendar import Calendar, Event
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as Answer

from app import clock, narrate
from app.play.match.records import ANYBODY, NotFound
from app.play.match.version import glance
from app.play.views import feeds
from app.play.views.feeds import Subscriber
from app.play.views.pending import Turn
from app.play.views.player_view import player_view
from app.web.core import sessions
from app.web.core.context import site, store
from app.web.core.rendering import language, render_text
from app.web.feeds.entries import Entry, feed_id, happened, heading, waits

pages = Blueprint("feeds", __name__)

LATEST = 40
"""Plies of a match in its feed."""
OF_EACH = 20
"""Plies of each match in a player's own."""
MOST = 60
"""Entries."""
ATOM, CALENDAR = "application/atom+xml", "text/calendar"
START = datetime(2026, 1, 1, tzinfo=UTC)
"""When a feed in which nothing has happened was changed last; and from where versions of deadlines count."""
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


class Feeds(msgspec.Struct, frozen=True):
    """The paths of a player's feeds, and the number by which they are made anew."""

    atom: str
    calendar: str
    epoch: int


def feeds_of(player_id: int) -> Feeds:
    """The addresses that are good now."""
    epoch = feeds.epoch_of(store(), player_id)
    token = _signer().dumps([player_id, epoch])
    return Feeds(f"/f/{token}/games.atom", f"/f/{token}/deadlines.ics", epoch)


@pages.get("/m/<int(max=2147483647):match_id>/feed.atom")
def match(match_id: int) -> Response:
    """What happened in a match, as everybody may know it."""
    seen = glance(store(), ANYBODY, match_id)
    if seen is None:
        raise NotFound("match")
    speaks = language()
    answer = _answer(ATOM, seen, speaks)
    if not _fresh(answer):
        shown = player_view(store(), match_id, ANYBODY, last=LATEST)
        page = f"{site().settings.url}/m/{match_id}"
        found = happened(shown, speaks, "UTC")
        title = heading(shown, speaks)
        answer.data = _atom(f"m/{match_id}", title, found, speaks, page=page, own=f"{page}/feed.atom")
        answer.last_modified = found[0].updated if found else None
    answer.headers["Vary"] = "Accept-Language, Cookie"
    return answer


@pages.get("/f/<token>/games.atom")
def games(token: str) -> Response:
    """What waits for a player, and what happened in his matches as everybody may know it."""
    whose = _whose(token)
    now = clock.now()
    with store().reading() as connection:
        digest = feeds.digest(connection, whose.player_id, now)
    answer = _answer(ATOM, whose, digest.news, _facts(digest.turns))
    if not _fresh(answer):
        found = [waits(turn, whose.language, whose.zone) for turn in digest.turns]
        for match_id in digest.matches:
            seen = player_view(store(), match_id, ANYBODY, last=OF_EACH)
            found += happened(seen, whose.language, whose.zone)
        found.sort(key=lambda entry: entry.updated, reverse=True)
        title = narrate.say(narrate.SITE, whose.language, "feed_mine")
        name = f"p/{whose.player_id}"
        page = site().settings.url + "/"
        answer.data = _atom(name, title, found[:MOST], whose.language, page=page)
    return answer


@pages.get("/f/<token>/deadlines.ics")
def deadlines(token: str) -> Response:
    """When a player's turns end, for his calendar."""
    whose = _whose(token)
    now = clock.now()
    with store().reading() as connection:
        found = feeds.digest(connection, whose.player_id, now).turns
    answer = _answer(CALENDAR, whose, _facts(found))
    if not _fresh(answer):
        answer.data = _calendar(found, whose.language, now)
    return answer


@pages.post("/profile/feeds")
def renew() -> Answer:
    """Make new addresses: the old ones are gone."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    # The form says which addresses it replaces, so that pressing twice does not revoke the new ones.
    epoch = request.form.get("epoch", "")
    number = int(epoch) if epoch.isascii() and epoch.isdecimal() and len(epoch) < 10 else None
    renewed = number is not None and feeds.renew(store(), known.id, number)
    return redirect(f"/profile{'?renewed=1' if renewed else ''}#feeds", 303)


def _signer() -> URLSafeSerializer:
    # The settings have the newest key first, the signer has it last.
    return URLSafeSerializer(list(reversed(site().settings.secret_keys)), salt="feed")


def _whose(token: str) -> Subscriber:
    """Raises NotFound."""
    try:
        player_id, epoch = _signer().loads(token)
    except (BadSignature, TypeError, ValueError):
        raise NotFound("feed") from None
    return feeds.subscriber(store(), player_id, epoch)


def _facts(turns: tuple[Turn, ...]) -> list[tuple[Any, ...]]:
    """What a feed says of turns: not what is left of them, which changes by itself."""
    return [
        (turn.match_id, turn.seat, turn.run, due and (due.due_at, due.late, due.stands, due.why))
        for turn in turns
        for due in (turn.deadline,)
    ]


def _answer(kind: str, *depends: object) -> Response:
    """An answer that is kept by all that it depends on."""
    answer = Response(mimetype=kind)
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.set_etag(hashlib.blake2b(repr(depends).encode(), digest_size=12).hexdigest(), weak=True)
    return answer


def _fresh(answer: Response) -> bool:
    """Whether the reader has it already; then it is 304."""
    answer.make_conditional(request)
    return answer.status_code == 304


def _atom(name: str, title: str, entries: Sequence[Entry], speaks: str, *, page: str, own: str = "") -> bytes:
    text = render_text(
        "feeds/atom.xml",
        language=speaks,
        id=feed_id(name),
        title=title,
        updated=max((entry.updated for entry in entries), default=START),
        page=page,
        own=own,
        entries=entries,
    )
    return _UNFIT.sub("", text).encode()


def _calendar(turns: tuple[Turn, ...], speaks: str, now: datetime) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//Tidepost//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", narrate.say(narrate.SITE, speaks, "feed_deadlines"))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for turn in turns:
        if turn.deadline is None or turn.deadline.due_at is None:
            continue
        due = turn.deadline.due_at
        title = narrate.match_name(turn.game, speaks, turn.match_id)
        macro = "feed_grace_ends" if turn.deadline.late else "feed_turn_ends"
        event = Event()
        event.add("uid", f"m{turn.match_id}-{turn.seat}-{turn.run}@{site().settings.mail_domain}")
        # A deadline never moves earlier; its turn may begin anew, as by an extension after it was late.
        event.add("sequence", int((due - START).total_seconds()))
        event.add("dtstamp", now.replace(microsecond=0))
        event.add("dtstart", due.astimezone(UTC).replace(microsecond=0))
        event.add("summary", narrate.say(narrate.SITE, speaks, macro, title))
        event.add("url", f"{site().settings.url}/m/{turn.match_id}")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
