"""Create a match that waits for its organiser's confirmation.

The organiser confirms by email before anybody else is written to: typing an address is not enough to have
the server write to strangers.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from app import clock, games
from app.engine import codec
from app.graphemes import cut
from app.people import bars
from app.people import service as people
from app.people.mailboxes import mailbox_of
from app.play.clock.rules import Rule, check_rule
from app.play.lobby import limits
from app.play.lobby.invitations import confirmed
from app.play.lobby.snapshot import unstarted
from app.play.match import invitations, lifetimes, matches
from app.play.match.invitations import Invite
from app.play.match.matches import NewMatch
from app.play.match.records import Refused
from app.store import deeds
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

MAX_UNCONFIRMED = 5
"""Unconfirmed matches of one mailbox in an hour."""
ALIKE = timedelta(hours=1)
"""How long two forms with the same contents are one match."""
MAX_WAITING = 10
"""Matches of one mailbox that wait for a confirmation, in all."""


class Opening(msgspec.Struct, frozen=True):
    """How seats that nobody is invited to are filled, and whether others can see the game."""

    listed: bool = False
    """Anybody may join."""
    shared: bool = False
    """By a link that the organiser shares."""
    private: bool = False

    def __bool__(self) -> bool:
        """Seats may be left over."""
        return self.listed or self.shared


CLOSED = Opening()
"""All seats are the organiser's, the computer's, and those of people who are invited."""


def create_match(
    store: Store,
    game: str,
    seats: int,
    options: Mapping[str, str],
    organiser_address: str,
    other_addresses: Sequence[str],
    *,
    bots: int = 0,
    rule: Rule | None = None,
    seat_giver: str = "host",
    alike: bool = False,
    by: int | None = None,
    at_once: bool = False,
    known: Mapping[str, str] | None = None,
    opening: Opening = CLOSED,
    language: str = "",
) -> int:
    """The id of a new match. The organiser is sent an email with a link to confirm it.

    `alike`: where the organiser set up the same within the last hour and has not confirmed it, that match is
    returned and no further email sent; two forms with the same contents are one game.

    Every player gets an invitation; the others' are sent after the confirmation. `rule` is the time limit;
    None is no time limit. `seat_giver`: who gives a seat that opens later, "host" or "anybody". `by` is the
    signed-in player whose request it is: what strangers have done in their name is not counted against them.
    `at_once`: if the organiser's address is theirs, their pressing is the confirmation, and no email asks.
    `known` are the names, by address, of people that the organiser knows from a game and by no address.
    `language` is that of the email to an organiser who doesn't play here yet.
    Raises BadOptions and Refused: "game", "address", "twice", "own_address", "too_many", "too_few",
    "too_often", "other_address_barred", "confirm_first", "too_many_open", "private_listed", "listed_most"
    and the reasons of `check_rule`.
    """
    if game not in games.all_games():
        raise Refused("game", game=cut(game, 40))
    rules = games.all_games()[game]
    filled = rules.complete_options(seats, options)
    organiser, key = people.check_address(organiser_address)
    others: dict[str, str] = {}
    for text in other_addresses:
        address, other = people.check_address(text)
        if other == key:
            raise Refused("own_address", address=address)
        if other in others:
            raise Refused("twice", address=address)
        others[other] = address
    free = seats - 1 - bots
    if opening.listed and opening.private:
        raise Refused("private_listed")
    if bots < 0 or len(others) > free or (len(others) < free and not opening):
        raise Refused("too_many" if len(others) > free else "too_few", free=max(free, 0), given=len(others))
    clocks = codec.dumps(check_rule(rule or Rule()))
    now = clock.now()
    filled_text = codec.dumps(dict(filled))
    new = NewMatch(
        game,
        rules.edition,
        filled_text,
        seats,
        bots,
        secrets.token_bytes(32),
        clocks,
        "anybody" if seat_giver == "anybody" else "host",
        private=opening.private,
        joinable=opening.listed,
        share=int(opening.shared),
    )
    mark = _mark(new, key, others)
    with store.transaction() as connection:
        before = deeds.hold(connection, mark, now) if alike else ""
        if before and matches.is_unconfirmed(connection, int(before), now - ALIKE):
            return int(before)
        for other, address in {key: organiser, **others}.items():
            bars.check(connection, other, "other_address_barred", address=address)
        own_request = by is not None and by == people.player_with_key(connection, key)
        mailbox = mailbox_of(key)
        if own_request:
            limits.check_host(connection, mailbox, len(others))
        else:  # what else the owner of the address has is checked when they confirm: it tells nobody else
            check_rate(connection, mailbox, now)
        if opening.listed and own_request:
            limits.check_listed(connection, key)
        match_id = matches.create(connection, now, new)
        if alike:
            deeds.keep(connection, mark, str(match_id))
        ends = lifetimes.first_end(now, people.zone_with_key(connection, key))
        invites = [Invite(organiser, key, organiser=True, invited_at=now, expires_at=ends, language=language)]
        names = {people.check_address(address)[1]: name for address, name in (known or {}).items()}
        invites += [
            Invite(address, other, status="waiting", known=names.get(other, ""))
            for other, address in others.items()
        ]
        own_id, *_ = invitations.write(connection, match_id, invites)
        if at_once and own_request and by is not None:
            confirmed(connection, now, unstarted(connection, match_id), own_id, by)
            return match_id
        once = f"confirm:{own_id}"
        enqueue(
            connection, now, LetterRequest(kind="confirm", once=once, match_id=match_id, invitation_id=own_id)
        )
    return match_id


def _mark(new: NewMatch, key: str, others: Mapping[str, str]) -> str:
    """A mark of everything that the organiser chose."""
    opening = (new.private, new.joinable, new.share)
    chosen = (key, new.game, new.options, new.seats, new.bots, new.clock, sorted(others), opening)
    return f"new:{hashlib.sha256(repr(chosen).encode()).hexdigest()}"


def check_rate(connection: Connection, mailbox: str, now: datetime) -> None:
    """Raises Refused("too_often") if too many matches wait for a confirmation from the mailbox."""
    lately = invitations.count_unconfirmed(connection, mailbox, now - timedelta(hours=1))
    if lately >= MAX_UNCONFIRMED:
        raise Refused("too_often", most=MAX_UNCONFIRMED)
    if invitations.count_unconfirmed(connection, mailbox, now - lifetimes.LIFETIME) >= MAX_WAITING:
        raise Refused("confirm_first", most=MAX_WAITING)
