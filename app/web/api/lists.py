"""Operations that list: the caller, their matches, matches to join and to watch, the games there are."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from app import games
from app.people.api_keys import READ
from app.play.lobby import invitations
from app.play.views import lists, mine
from app.play.views.open_games import finished_games, open_games
from app.web.api import cursors
from app.web.api.lobby_records import (
    Kind,
    Lobbies,
    MatchList,
    OpenMatches,
    kind_of,
    line_of,
    lobby_record,
    open_of,
)
from app.web.api.operations import Asked, operation

A_PAGE = 20
"""Matches on a page."""
LAST = 100_000
"""The farthest match of a caller's own list."""

Cursor = Annotated[str, Meta(max_length=400)]
Slug = Annotated[str, Meta(max_length=40)]


class Me(msgspec.Struct, frozen=True):
    """The caller."""

    name: str
    language: str
    zone: str
    scopes: tuple[str, ...]
    """The rights of the key."""
    turn: int
    """Matches in which it is their turn."""
    waiting: int
    """Matches that wait for others."""
    finished: int
    """Matches that are over."""
    bounces: bool
    """Emails to their address come back."""
    unreached: bool
    """Emails to their address don't arrive."""


class Games(msgspec.Struct, frozen=True):
    """The games that can be played here."""

    games: tuple[Kind, ...]
    """In the order of the lobby."""


class Mine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of one of the caller's lists."""

    list: Literal["turn", "waiting", "finished"] = "turn"
    cursor: Cursor = ""


class OfGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a list, of one game or (left out) of all."""

    game: Slug = ""
    cursor: Cursor = ""


class Narrowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of finished matches, narrowed down."""

    game: Slug = ""
    seats: Annotated[int, Meta(ge=0, le=20)] = 0
    """0: any number."""
    cursor: Cursor = ""


@operation("GET", "/me", Me, scope=READ)
def get_me(asked: Asked) -> Me:
    """The player of the key, its rights, and how many matches wait."""
    own = asked.caller.own
    counts = mine.counts(asked.store, own.id)
    return Me(
        own.name,
        own.language,
        own.zone,
        asked.caller.scopes,
        counts.turn,
        counts.waiting,
        counts.finished,
        own.bounces,
        bool(own.unreached),
    )


@operation("GET", "/games", Games)
def get_games(asked: Asked) -> Games:
    """The games that can be played here, with their options."""
    return Games(tuple(kind_of(one, asked.caller.language) for one in games.all_games().values()))


@operation("GET", "/my/matches", MatchList, scope=READ, query=Mine)
def get_my_matches(asked: Asked[Mine]) -> MatchList:
    """The caller's matches: those where it is their turn, the nearest deadline first; that wait; finished."""
    passed = min(max(cursors.read(asked.query.cursor, int) or 0, 0), LAST)
    found = mine.page(asked.store, asked.caller.own.id, asked.query.list, A_PAGE + 1, passed)
    more = cursors.written(passed + A_PAGE) if len(found) > A_PAGE else ""
    return MatchList(tuple(line_of(one, asked.caller.language) for one in found[:A_PAGE]), more)


@operation("GET", "/my/invitations", Lobbies, scope=READ)
def get_my_invitations(asked: Asked) -> Lobbies:
    """The matches before their start that wait for the caller's answer."""
    found = invitations.invited_to(asked.store, asked.caller.own)
    return Lobbies(tuple(lobby_record(one, asked.caller.language) for one in found))


@operation("GET", "/open-matches", OpenMatches, query=OfGame)
def get_open_matches(asked: Asked[OfGame]) -> OpenMatches:
    """Matches that anybody may join, the latest first; without those that the caller has joined."""
    before, slug = cursors.read(asked.query.cursor, datetime), asked.query.game
    but = asked.caller.player.id if asked.caller.player is not None else 0
    found = open_games(asked.store, A_PAGE + 1, before, slug, but)
    more = cursors.written(found[A_PAGE - 1].created_at) if len(found) > A_PAGE else ""
    return OpenMatches(tuple(open_of(one, asked.caller.language) for one in found[:A_PAGE]), more)


@operation("GET", "/running-matches", MatchList)
def get_running_matches(asked: Asked) -> MatchList:
    """The latest running matches that anybody may watch."""
    own = asked.caller.player.id if asked.caller.player is not None else None
    found = [one for one in lists.public_lines(asked.store, A_PAGE, own) if one.status == "running"]
    return MatchList(tuple(line_of(one, asked.caller.language) for one in found), "")


@operation("GET", "/finished-matches", MatchList, query=Narrowed)
def get_finished_matches(asked: Asked[Narrowed]) -> MatchList:
    """Finished matches that anybody may see, the latest first."""
    wanted = asked.query
    before = cursors.read(wanted.cursor, datetime)
    found = finished_games(asked.store, A_PAGE + 1, before, slug=wanted.game, seats=wanted.seats)
    more = cursors.written(found[A_PAGE - 1].at) if len(found) > A_PAGE else ""
    return MatchList(tuple(line_of(one, asked.caller.language) for one in found[:A_PAGE]), more)
