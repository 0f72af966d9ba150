"""Routes of feeds: of a match for everybody, of a player's matches and deadlines at secret addresses.

A secret address authorises nothing but reading its feed: feeds repeat the public log and the player's
deadlines, and link to public pages only.
"""

import hashlib
from typing import Any

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import clock, narrate, words
from app.people import feeds as people_feeds
from app.play.match.records import ANYBODY, NotFound
from app.play.match.version import page_version
from app.play.views import feeds
from app.play.views.pending import Turn
from app.play.views.player_view import player_view
from app.web.core import once, sessions
from app.web.core.context import site, store
from app.web.core.rendering import language
from app.web.feeds import ical
from app.web.feeds.addresses import subscriber
from app.web.feeds.atom import AtomFeed, atom_xml
from app.web.feeds.entries import feed_id, match_entries, match_title, turn_entry

pages = Blueprint("feeds", __name__)

LATEST = 40
"""Plies in a match's feed."""
LATEST_OF_EACH = 20
"""Plies of each match in a player's feed."""
MOST_ENTRIES = 60
ATOM, CALENDAR = "application/atom+xml", "text/calendar"


@pages.get("/m/<int(max=2147483647):match_id>/feed.atom")
def match(match_id: int) -> Response:
    """The public log of a match, in the language of the page that named the feed: programs ask for none."""
    version = page_version(store(), ANYBODY, match_id)
    if version is None:
        raise NotFound("match")
    wanted = request.args.get("language", "")[:20]
    spoken = wanted if wanted in words.available() else language()
    response = _response(ATOM, version, spoken)
    if not _unchanged(response):
        view = player_view(store(), match_id, ANYBODY, last=LATEST)
        entries = match_entries(view, spoken, "UTC")
        page = f"{site().settings.url}/m/{match_id}"
        name, title = feed_id(f"m/{match_id}"), match_title(view, spoken)
        own = f"{page}/feed.atom?language={spoken}"
        response.data = atom_xml(AtomFeed(name, title, entries, page, own), spoken)
        response.last_modified = entries[0].updated if entries else None
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@pages.get("/f/<token>/games.atom")
def games(token: str) -> Response:
    """The turns that wait for a player, and the public logs of the player's matches."""
    player = subscriber(token)
    now = clock.now()
    with store().reading() as connection:
        digest = feeds.content(connection, player.player_id, now)
    response = _response(ATOM, player, digest.news, _turn_facts(digest.turns), sorted(digest.silenced))
    if not _unchanged(response):
        entries = [turn_entry(turn, player.language, player.zone) for turn in digest.turns]
        for match_id in digest.matches:
            view = player_view(store(), match_id, last=LATEST_OF_EACH, listener=player.player_id)
            entries += match_entries(view, player.language, player.zone)
        entries.sort(key=lambda entry: entry.updated, reverse=True)
        title = narrate.say(narrate.SITE, player.language, "feed_mine")
        name, page = feed_id(f"p/{player.player_id}"), site().settings.url + "/"
        response.data = atom_xml(AtomFeed(name, title, entries[:MOST_ENTRIES], page), player.language)
    return response


@pages.get("/f/<token>/deadlines.ics")
def deadlines(token: str) -> Response:
    """A player's deadlines as a calendar."""
    player = subscriber(token)
    now = clock.now()
    with store().reading() as connection:
        turns = feeds.content(connection, player.player_id, now).turns
    response = _response(CALENDAR, ical.FORMAT, player, _turn_facts(turns))
    if not _unchanged(response):
        response.data = ical.calendar(turns, player.language, now)
    return response


@pages.post("/profile/feeds")
@once.by_itself("the form names the addresses that it replaces")
def renew() -> BaseResponse:
    """Renew the addresses; the old ones stop working."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    # The form names the addresses that it replaces, so pressing twice doesn't revoke the new ones.
    epoch = request.form.get("epoch", "")
    number = int(epoch) if epoch.isascii() and epoch.isdecimal() and len(epoch) < 10 else None
    renewed = number is not None and people_feeds.renew(store(), known.id, number)
    return redirect(f"/profile{'?renewed=1' if renewed else ''}#feeds", 303)


def _turn_facts(turns: tuple[Turn, ...]) -> list[tuple[Any, ...]]:
    """The facts about turns that a feed shows. The time left is none of them: it changes by itself."""
    return [
        (turn.match_id, turn.seat, turn.ply, due and (due.due_at, due.late, due.stands, due.why))
        for turn in turns
        for due in (turn.deadline,)
    ]


def _response(kind: str, *depends: object) -> Response:
    """An empty response with an ETag of everything that it depends on."""
    response = Response(mimetype=kind)
    response.headers["Cache-Control"] = "private, no-cache"
    response.set_etag(hashlib.blake2b(repr(depends).encode(), digest_size=12).hexdigest(), weak=True)
    return response


def _unchanged(response: Response) -> bool:
    """Whether the client's copy is current; the response is then 304."""
    response.make_conditional(request)
    return response.status_code == 304
