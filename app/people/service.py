"""Players: their accounts, and signing in by emailed links instead of passwords."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people import bars, equal_work, former, fresh_links, logins, reach, suppression
from app.people.checks import (
    check_address,
    check_language,
    check_word,
    check_zone,
    clean_name,
)
from app.people.errors import Closed, NotFound, Refused
from app.people.mailboxes import is_nowhere
from app.people.seen import see_all
from app.store import deeds, tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue, reconsider
from app.store.session import Store
from app.store.sql import Command, Query

__all__ = ["check_address", "check_language", "check_word", "check_zone", "clean_name"]

PRESSED_AGAIN = timedelta(seconds=30)
"""For how long the form that signed in does it again: a second press, while the first answer is lost."""


class Person(msgspec.Struct, frozen=True):
    """A player's account."""

    id: int
    address: str
    name: str
    language: str
    zone: str
    bounces: bool = False
    """Letters to the address bounce."""
    unreached: str = ""
    """Letters to the address are refused again and again, by no fault of the mailbox."""


_COLUMNS = """player.id, address, name, language, zone,
    EXISTS (SELECT 1 FROM suppressed s
            WHERE s.address_key = player.address_key AND s.reason = 'bounced') AS bounces,
    COALESCE((SELECT u.kind FROM unreached u
              WHERE u.address_key = player.address_key AND u.times >= 2), '') AS unreached"""
_by_id = Query(Person, f"SELECT {_COLUMNS} FROM player WHERE id = :player_id")  # noqa: S608 - constants
_keep = Query(
    int,
    """INSERT INTO player (address, address_key, name, language, zone, session_epoch, created_at)
       VALUES (:address, :key, :name, :language, :zone, 0, :now)
       ON CONFLICT (address_key) DO UPDATE
       SET name = excluded.name, language = excluded.language, zone = excluded.zone
       RETURNING id""",
)
_change = Command("UPDATE player SET name = :name, language = :language, zone = :zone WHERE id = :player_id")
_zone_of = Query(str, "SELECT zone FROM player WHERE address_key = :key")
_id_of = Query(int, "SELECT id FROM player WHERE address_key = :key")
_key_of = Query(str, "SELECT address_key FROM player WHERE id = :player_id")
_signed_in = Query(
    Person,
    f"""SELECT {_COLUMNS} FROM login l JOIN player ON player.id = l.player_id
        WHERE l.hash = :hash AND l.chair_id IS NULL AND l.created_at > :since""",  # noqa: S608 - constants
)


def player(store: Store, player_id: int) -> Person | None:
    """The player, or None."""
    with store.reading() as connection:
        return _by_id.first(connection, player_id=player_id)


def signed_in(store: Store, key: str) -> Person | None:
    """The player who signed in on the browser with this key, or None."""
    since = clock.now() - logins.LONGEST
    return next(iter(_signed_in.fetch_outside_tx(store.engine, hash=tokens.hash_of(key), since=since)), None)


def player_with_key(connection: Connection, key: str) -> int | None:
    """The id of the player with this address key, or None. A former address counts while it signs in."""
    found = _id_of.first(connection, key=key)
    if found is None:
        before = former.of_key(connection, clock.now(), key)
        found = before.player_id if before is not None else None
    return found


def zone_with_key(connection: Connection, key: str) -> str | None:
    """The time zone of the player with this address key, or None."""
    return _zone_of.first(connection, key=key)


def keep(connection: Connection, address: str, key: str, name: str, language: str, zone: str) -> int:
    """The id of the player with this address, created or updated. The caller must have checked the values.

    Raises Refused("own_address_barred").
    """
    bars.check(connection, key)
    before = former.of_key(connection, clock.now(), key)
    if before is not None and _id_of.first(connection, key=key) is None:
        _change.run(connection, player_id=before.player_id, name=name, language=language, zone=zone)
        return before.player_id
    return _keep.one(
        connection, address=address, key=key, name=name, language=language, zone=zone, now=clock.now()
    )


def update(store: Store, player_id: int, name: str, language: str, zone: str) -> Person:
    """The player after a change of name, language and time zone. Raises Refused, NotFound."""
    name, language, zone = clean_name(name), check_language(language), check_zone(zone)
    with store.transaction() as connection:
        _change.run(connection, player_id=player_id, name=name, language=language, zone=zone)
        reconsider(connection, clock.now(), player_id)
        person = _by_id.first(connection, player_id=player_id)
    if person is None:
        raise NotFound("player")
    return person


def ask_links_by_turn(store: Store, token: str) -> None:
    """Send fresh links to the recipient of a turn's link, even an old one.

    They go to the registered address only, so that holders of an old link gain and learn nothing. Raises
    Closed("account_gone") where the recipient has deleted the account.
    """
    now = clock.now()
    with store.transaction() as connection:
        found = tokens.find(connection, token, "turn")
        if found is not None and found.player_id is not None:
            if is_nowhere(_key_of.one(connection, player_id=found.player_id)):
                raise Closed("account_gone")
            letter = fresh_links.to_player(connection, now, found.player_id, fresh_links.TURN)
            enqueue(connection, now, *([letter] if letter else []))
            _tell_of_bar(connection, now, found.player_id)


def ask_sign_in(store: Store, address: str) -> None:
    """Send a link for signing in, as often as `fresh_links` allows. Raises Refused for a malformed address.

    Nothing is returned, so that nobody learns whether an address is known.
    """
    _, key = check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        equal_work.work(connection, now, "sign_in", key)
        before = former.of_key(connection, now, key)
        player_id = player_with_key(connection, key)
        bar = bars.of(connection, key)
        if player_id is not None and bar is not None:
            enqueue(connection, now, bars.notice(player_id, bar))
        elif player_id is not None:
            was = before.address if before is not None and before.player_id == player_id else None
            letter = fresh_links.to_sign_in(connection, now, player_id, was)
            enqueue(connection, now, *([letter] if letter else []))


def ask_sign_in_of(store: Store, player_id: int) -> None:
    """Send a player a link for signing in, as often as `fresh_links` allows, to the registered address."""
    now = clock.now()
    with store.transaction() as connection:
        letter = fresh_links.to_sign_in(connection, now, player_id)
        enqueue(connection, now, *([letter] if letter else []))
        _tell_of_bar(connection, now, player_id)


def ask_host_link(store: Store, player_id: int, match_id: int) -> None:
    """Send the organiser of a match a link for signing in that leads to their tools, one in ten minutes.

    There are few in a day, because a link that asks for it can be in the wrong hands; the form to sign in
    works all the same. Raises Refused("confirm_often").
    """
    now = clock.now()
    with store.transaction() as connection:
        if fresh_links.host_links_enough(connection, now, player_id):
            raise Refused("confirm_often", most=fresh_links.MOST_A_DAY)
        once = f"{fresh_links.HOST_LINK}:{player_id}:{match_id}:{now:%Y%m%d%H}{now.minute // 10}"
        letter = LetterRequest(kind="sign_in", once=once, player_id=player_id, match_id=match_id)
        enqueue(connection, now, letter)
        _tell_of_bar(connection, now, player_id)


def _tell_of_bar(connection: Connection, now: datetime, player_id: int) -> None:
    """Email a player under a bar that it stops what they asked for, once."""
    bar = bars.of_player(connection, player_id)
    if bar is not None:
        enqueue(connection, now, bars.notice(player_id, bar))


def match_of_sign_in(store: Store, token: str) -> int | None:
    """The match to whose settings a sign-in link leads, or None."""
    with store.reading() as connection:
        found = tokens.find(connection, token, "sign_in")
    return found.match_id if found is not None else None


def signs_in(store: Store, token: str) -> bool:
    """Whether a sign-in token can still be used. Raises NotFound: there is none such. Changes nothing."""
    with store.reading() as connection:
        found = tokens.find(connection, token, "sign_in")
    if found is None:
        raise NotFound("sign_in")
    return found.good(clock.now())


def sign_in(store: Store, token: str, form: str = "") -> Person:
    """The player of a sign-in token, which is used up. Raises NotFound, Refused("own_address_barred").

    Only buttons call this: mail programs open links to look at them. `form` is the key of the form: pressed
    twice, it signs in the browser that gets the second answer only.
    """
    now = clock.now()
    mark = f"sign_in:{tokens.hash_of(f'{token} {form}')}"
    with store.transaction() as connection:
        found = tokens.find(connection, token, "sign_in")
        person = None
        if found is not None and found.player_id is not None:
            if tokens.use(connection, now, token):
                person = _by_id.first(connection, player_id=found.player_id)
                if person is None or not person.address:  # deleted while its email was on the way
                    raise NotFound("sign_in")
                bars.check(connection, check_address(person.address)[1])
                see_all(connection, now, found.player_id)
                if form:
                    deeds.hold(connection, mark, now)
                    deeds.keep(connection, mark, str(found.player_id))
            elif (
                form
                and found.used_at is not None
                and found.lasts(now)
                and now - found.used_at < PRESSED_AGAIN
            ):
                signed_in = deeds.result(connection, mark) == str(found.player_id)
                person = _by_id.first(connection, player_id=found.player_id) if signed_in else None
    if person is None:
        raise NotFound("sign_in")
    return person


def try_letters_again(store: Store, player_id: int) -> None:
    """Send letters to a bouncing address again, the one for an open turn included. They may bounce again."""
    with store.transaction() as connection:
        key = _key_of.first(connection, player_id=player_id)
        if key is not None and (suppression.lift(connection, key, "bounced") | reach.forget(connection, key)):
            reconsider(connection, clock.now(), player_id)
