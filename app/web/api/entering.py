"""Operations around a match before its start: set up, join, answer an invitation, and the host's tools."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from flask import g
from msgspec import Meta

from app import games
from app.people.api_keys import HOST, READ
from app.people.errors import NotFound
from app.play.clock.rules import Rule
from app.play.lobby import changes, invitations, joining, rematch
from app.play.lobby.create import Opening, create_match
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import lobby_of
from app.play.match.records import Viewer
from app.store.session import Store
from app.web.api.lobby_records import Lobby, lobby_record
from app.web.api.operations import Asked, operation
from app.web.api.reading import MATCH
from app.web.api.small_records import Made
from app.web.core.allowances import REQUESTS, allow
from app.web.lobby.join import share_path, shared_game

Address = Annotated[str, Meta(max_length=320)]
Key = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Clock(Rule, frozen=True, forbid_unknown_fields=True):
    """The time limit. Spans are in seconds, weekdays from 0, Monday."""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to set up. The caller is its host, and has a seat."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=20)]
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}
    """Those left out have their defaults."""
    invite: Annotated[list[Address], Meta(max_length=20)] = []
    """Email addresses."""
    bots: Annotated[int, Meta(ge=0, le=20)] = 0
    """Seats that the computer plays."""
    listed: bool = False
    """Anybody may take the seats that are left."""
    shared: bool = False
    """Those with its link may."""
    private: bool = False
    """Onlookers can't see it."""
    clock: Clock = Clock()
    seat_giver: Literal["host", "anybody"] = "host"
    """The giver of a seat that opens later."""


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a seat is taken."""

    link: Annotated[str, Meta(max_length=200)] = ""
    """The path of the link to share; empty: the match is listed."""


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word for the dice."""

    word: Annotated[str, Meta(max_length=80)] = ""
    """It goes into the seed, and everybody sees it once the game begins."""


class Withdraw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="withdraw"):
    """Withdraw an invitation that isn't accepted."""

    invitation: Key


class TakeOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="take_out"):
    """Take a guest out who has accepted."""

    invitation: Key


class SendAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="send_again"):
    """Send an invitation again."""

    invitation: Key


class Replace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="replace"):
    """Invite another address in place of an invitation that isn't accepted."""

    invitation: Key
    address: Address
    """An email address."""


class List(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="list"):
    """List the match among those that anybody may join, or no longer."""

    listed: bool
    """false: no longer."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="share"):
    """Make a link to share, or end it."""

    shared: bool
    """false: end it."""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="start"):
    """Start with the players who have accepted."""


class CallOff(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="call_off"):
    """Call the match off."""


Act = Withdraw | TakeOut | SendAgain | Replace | List | Share | Start | CallOff


@operation("POST", "/matches", Made, scope=HOST, takes=NewMatch)
def post_match(asked: Asked[None, NewMatch]) -> Made:
    """Set a match up and invite people to it. It begins when the last seat is taken."""
    own, body = asked.caller.own, asked.body
    g.game = games.all_games().get(body.game)
    allow(REQUESTS, asked.caller.viewer)
    match_id = create_match(
        asked.store,
        body.game,
        body.seats,
        body.options,
        own.address,
        body.invite,
        bots=body.bots,
        rule=Rule(**msgspec.structs.asdict(body.clock)),
        seat_giver=body.seat_giver,
        by=own.id,
        at_once=True,
        opening=Opening(body.listed, body.shared, body.private),
    )
    return Made(match_id)


@operation("GET", f"{MATCH}/lobby", Lobby, scope=READ)
def get_lobby(asked: Asked, match_id: int) -> Lobby:
    """A match before its start, for its host and those who joined."""
    return _record(asked, lobby_of(asked.store, match_id, asked.caller.own.id))


@operation("POST", f"{MATCH}/join", Lobby, scope=HOST, takes=Join)
def post_join(asked: Asked[None, Join], match_id: int) -> Lobby:
    """Take a free seat of a match that is listed, or whose link the caller has."""
    share = 0
    if asked.body.link:
        found, share = shared_game(asked.body.link.rpartition("/")[2])
        if found != match_id:
            raise NotFound("match")
    return _record(asked, joining.join(asked.store, asked.caller.own.id, match_id, share))


@operation("POST", f"{MATCH}/accept", Lobby, scope=HOST, takes=Word)
def post_accept(asked: Asked[None, Word], match_id: int) -> Lobby:
    """Accept an invitation to the caller. The last acceptance starts the match."""
    return _record(asked, invitations.accept_as(asked.store, asked.caller.own, match_id, asked.body.word))


@operation("POST", f"{MATCH}/decline", Lobby, scope=HOST)
def post_decline(asked: Asked, match_id: int) -> Lobby:
    """Decline an invitation before the start, also after accepting it. A host who declines calls it off."""
    return _record(asked, invitations.decline_as(asked.store, asked.caller.own, match_id))


@operation("POST", f"{MATCH}/lobby", Lobby, scope=HOST, takes=Act)
def post_lobby(asked: Asked[None, Act], match_id: int) -> Lobby:
    """The host's tools before the start: invitations, the list, the link, starting, calling off."""
    lobby_of(asked.store, match_id, asked.caller.own.id)
    found = _ACTS[type(asked.body)](asked.store, asked.caller.viewer, match_id, asked.body)
    return _record(asked, found)


@operation("POST", f"{MATCH}/rematch", Made, scope=HOST)
def post_rematch(asked: Asked, match_id: int) -> Made:
    """Set up the rematch of a finished match with the same people, or accept the one that another set up."""
    return Made(rematch.rematch(asked.store, match_id, asked.caller.own.id))


def _record(asked: Asked[Any, Any], view: LobbyView) -> Lobby:
    shared = share_path(view.match_id, view.share) if view.organised and view.share > 0 else ""
    return lobby_record(view, asked.caller.language, shared)


def _send_again(store: Store, viewer: Viewer, _match: int, act: SendAgain) -> LobbyView:
    allow(REQUESTS, viewer)
    return changes.send_again(store, viewer, act.invitation)


def _replace(store: Store, viewer: Viewer, _match: int, act: Replace) -> LobbyView:
    allow(REQUESTS, viewer)
    return changes.replace(store, viewer, act.invitation, act.address)


_ACTS: dict[type[Any], Callable[[Store, Viewer, int, Any], LobbyView]] = {
    Withdraw: lambda store, viewer, _match, act: changes.withdraw(store, viewer, act.invitation),
    TakeOut: lambda store, viewer, _match, act: changes.take_out(store, viewer, act.invitation),
    SendAgain: _send_again,
    Replace: _replace,
    List: lambda store, viewer, match, act: joining.list_game(store, viewer, match, listed=act.listed),
    Share: lambda store, viewer, match, act: joining.share(store, viewer, match, shared=act.shared),
    Start: lambda store, viewer, match, _act: changes.start_with_fewer(store, viewer, match),
    CallOff: lambda store, viewer, match, _act: changes.call_off(store, viewer, match),
}
