"""Mute, block or report a person that a player has met in a game. The other learns nothing of it."""

from datetime import datetime

import msgspec

from app import clock
from app.graphemes import cut
from app.people import blocks, confirming, reports
from app.people import service as people
from app.people.errors import Refused
from app.people.names import read_as
from app.play.lobby import invitations as lobby
from app.play.lobby.snapshot import snapshot_by_token
from app.play.match import chairs, company, matches, reading
from app.play.match import invitations as match_invitations
from app.play.match.company import Companion
from app.play.match.invitations import Unanswered
from app.play.match.records import NotFound
from app.play.seats import offers
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

HOUR = "%Y%m%d%H"
LONGEST_NAME = 80
"""Characters of a name that a refusal repeats."""


class Silence(msgspec.Struct, frozen=True):
    """The result of a line of an email: a person who is blocked now, or muted, or neither."""

    name: str
    muted: bool
    blocked: bool = False


class Company(msgspec.Struct, frozen=True):
    """The other people of a match, and whether each is muted or blocked."""

    match_id: int
    others: tuple[Companion, ...]
    silenced: dict[int, bool]
    """By player: True for blocked, False for muted."""


def company_of(store: Store, player_id: int, match_id: int) -> Company:
    """The people that a player meets in a match. Raises NotFound."""
    with store.reading() as connection:
        others = company.companions(connection, match_id, player_id)
    known = {one.other_id: one.invitations for one in blocks.silenced_by(store, player_id)}
    return Company(match_id, others, known)


def held_back(store: Store, player_id: int, address: str) -> tuple[Unanswered, ...]:
    """The open invitations to a player that weren't emailed, because the player has blocked their host."""
    _, key = people.check_address(address)
    with store.reading() as connection:
        return tuple(
            one
            for one in match_invitations.unanswered(connection, key)
            if blocks.blocks(connection, player_id, one.host_id)
        )


def silence(store: Store, player_id: int, match_id: int, other_id: int, *, invitations: bool) -> None:
    """Mute a person of a match or, with `invitations`, block them. Raises NotFound."""
    with store.transaction() as connection:
        _meet(connection, player_id, match_id, other_id)
        blocks.silence(connection, clock.now(), player_id, other_id, invitations=invitations)
        chairs.touch_all_notes(connection, player_id)


def silence_by_name(store: Store, player_id: int, match_id: int, text: str, *, invitations: bool) -> Silence:
    """As `silence`, for a name or a seat that was typed. Who is blocked stays so.

    Raises NotFound, Refused("nobody_called", "several_called").
    """
    found = _called(text, _names(store, player_id, match_id))
    with store.reading() as connection:
        blocked = invitations or blocks.blocks(connection, player_id, found.player_id)
    silence(store, player_id, match_id, found.player_id, invitations=blocked)
    return Silence(found.name, muted=True, blocked=blocked)


def lift_by_name(store: Store, player_id: int, match_id: int | None, text: str) -> Silence:
    """As `lift`, for a name that was typed: of the people who are muted or blocked, or of the match.

    Raises Refused("nobody_called", "several_called").
    """
    silenced = [_Named(one.other_id, one.name, (one.name,)) for one in blocks.silenced_by(store, player_id)]
    others = _names(store, player_id, match_id) if match_id is not None else []
    known = {one.player_id for one in others}
    found = _called(text, [*others, *(one for one in silenced if one.player_id not in known)], silenced)
    lift(store, player_id, found.player_id)
    return Silence(found.name, muted=False)


def lift(store: Store, player_id: int, other_id: int) -> None:
    """Hear from a person again. Twice is once."""
    with store.transaction() as connection:
        if blocks.lift(connection, player_id, other_id):
            chairs.touch_all_notes(connection, player_id)


def can_block_host(store: Store, token: str) -> bool:
    """Whether an invitation's link is a player's, so that they can block its host."""
    with store.reading() as connection:
        return _parties(connection, token) is not None


def block_host(store: Store, token: str, by: int | None = None) -> bool:
    """Decline an invitation or the offer of a seat, and block its host. False: an email asks about the block.

    `by` is the signed-in player. A link alone may decline; a block outlasts the invitation, so the player is
    asked about it at the registered address. Raises NotFound, Closed, Refused("confirm_often").
    """
    with store.reading() as connection:
        parties = _parties(connection, token)
        match_id = snapshot_by_token(connection, token).match_id
    if parties is None:
        raise NotFound("invitation")
    player_id, host_id = parties
    if by != player_id:
        confirming.request(store, player_id, match_id, confirming.BLOCK, {"other": str(host_id)})
    if offers.offer_by_token(store, token) is not None:
        offers.decline(store, token)
    else:
        lobby.decline(store, token)
    if by == player_id:
        block(store, player_id, host_id)
    return by == player_id


def block(store: Store, player_id: int, other_id: int) -> None:
    """Let no invitations, messages and reminders of a person reach a player."""
    with store.transaction() as connection:
        blocks.silence(connection, clock.now(), player_id, other_id, invitations=True)
        chairs.touch_all_notes(connection, player_id)


def report(store: Store, player_id: int, match_id: int, other_id: int, text: str, operator: str = "") -> None:
    """Report a person of a match to the operator, who gets an email in the hour at `operator`, if given.

    Raises NotFound, Refused("text_empty", "text_too_long", "reported_too_often").
    """
    now = clock.now()
    with store.transaction() as connection:
        _meet(connection, player_id, match_id, other_id)
        _, new = reports.file(connection, now, player_id, other_id, match_id, text)
        if new and operator:
            enqueue(connection, now, _letter(now, operator))


class _Named(msgspec.Struct, frozen=True):
    """A person with the names by which they can be called."""

    player_id: int
    name: str
    """As emails name them."""
    called: tuple[str, ...]
    """The name, perhaps the name that tells two apart, and the seat."""


def _names(store: Store, player_id: int, match_id: int) -> list[_Named]:
    """The other people of a match. Raises NotFound."""
    with store.reading() as connection:
        others = company.companions(connection, match_id, player_id)
        match = reading.by_match(connection, match_id)
    apart = {one.seat: one.name for one in match.holders} if match is not None else {}
    return [
        _Named(one.player_id, apart.get(one.seat, one.name), (one.name, apart.get(one.seat, ""), one.seat))
        for one in others
    ]


def _called(text: str, people: list[_Named], offered: list[_Named] | None = None) -> _Named:
    """The person that a text names. `offered`: those to name if it names none."""
    wanted = {read_as(text), read_as(text.rstrip(".!"))} - {""}
    found = [one for one in people if wanted.intersection(map(read_as, one.called))]
    if len(found) > 1:
        raise Refused("several_called", text=cut(text, LONGEST_NAME), names=[one.name for one in found])
    if not found:
        names = [one.name for one in (people if offered is None else offered)]
        raise Refused(
            "nobody_called", text=cut(text, LONGEST_NAME), names=names, silenced=offered is not None
        )
    return found[0]


def _letter(now: datetime, operator: str) -> LetterRequest:
    """The email about all open reports, at most one an hour."""
    return LetterRequest(kind="reported", once=f"reported:{now:{HOUR}}", to_address=operator)


def _meet(connection: Connection, player_id: int, match_id: int, other_id: int) -> None:
    """Raises NotFound if the two are not in the match."""
    if all(one.player_id != other_id for one in company.companions(connection, match_id, player_id)):
        raise NotFound("player")


def _parties(connection: Connection, token: str) -> tuple[int, int] | None:
    """The player that an invitation went to and its host; None if either is no player, or they are one."""
    own = snapshot_by_token(connection, token).own
    if own is None:
        return None
    player_id = people.player_with_key(connection, own.key)
    host_id = matches.organiser_of(connection, snapshot_by_token(connection, token).match_id)
    return (player_id, host_id) if player_id and host_id and player_id != host_id else None
