"""The outbox as the operator inspects it: what waits and why; having a letter tried, sent again, dropped."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.mail.core import outbox, relay
from app.mail.core import recipients as addressees
from app.mail.core.letter import LetterRow
from app.mail.letters.kinds import KINDS
from app.mail.policy import decide, history
from app.people import reach, suppression
from app.people.checks import check_address
from app.people.errors import NotFound
from app.store import audit
from app.store.session import Store

MOST, LATELY = 200, timedelta(days=30)
"""Letters in a list, and how old failures in it may be."""


class NoSuchLetter(LookupError):  # noqa: N818 - told to who typed the command
    """There is no letter of that id, or it is in a state in which this can't be done."""


class AddressStopped(Exception):  # noqa: N818 - told to who typed the command
    """Emails to the letter's address are stopped: to try it would drop it. The text is the address."""


class Inspected(msgspec.Struct, frozen=True):
    """A letter with the address that it goes to."""

    letter: LetterRow
    address: str


def listed(store: Store, which: str = "waiting", match_id: int | None = None) -> list[Inspected]:
    """Letters that are `waiting` or `failed`, or those of a match; MOST at most."""
    with store.reading() as connection:
        if match_id is not None:
            found = outbox.of_match(connection, match_id, MOST)
        else:
            found = (
                outbox.all_waiting(connection, MOST)
                if which == "waiting"
                else outbox.all_failed(connection, clock.now() - LATELY, MOST)
            )
        return [Inspected(one, addressees.addressee(connection, one).address) for one in found]


def why(store: Store, letter_id: str) -> tuple[str, ...]:
    """Everything that bears on a letter's fate, in words for an operator. Raises NoSuchLetter."""
    now = clock.now()
    with store.reading() as connection:
        letter = outbox.letter(connection, letter_id)
        if letter is None:
            raise NoSuchLetter(letter_id)
        goes_to = addressees.addressee(connection, letter)
        address, key = goes_to.address, goes_to.address_key
        stopped = suppression.suppression_of(connection, key, letter.match_id) if key else None
        unreached = reach.of_address(connection, key) if key else None
        server = relay.read(connection)
    said = [
        f"{letter.kind} to {address or 'nobody any more'}"
        + (f", match #{letter.match_id}" if letter.match_id is not None else ""),
        letter.status
        + (f" ({letter.reason})" if letter.reason else "")
        + f", asked for at {_utc(letter.created_at)}",
    ]
    if letter.status == "waiting":
        when = "now" if letter.due_at <= now else f"at {_utc(letter.due_at)}"
        said.append(f"due {when}; {letter.tries} tries so far")
    if letter.sent_at is not None:
        said.append(f"the mail server took it at {_utc(letter.sent_at)}")
    if stopped is not None:
        said.append(f"emails to the address are stopped since {_utc(stopped.at)}: {stopped.reason}")
    if unreached is not None:
        said.append(f"emails to this address were refused {unreached.times} times: {unreached.said}")
    if letter.status == "waiting" and server.since is not None:
        said.append(f"the mail server fails since {_utc(server.since)}: {server.said}")
    return tuple(said)


def retry(store: Store, letter_id: str, by: int | None = None) -> None:
    """Let a letter that failed or waits be tried at once. Raises NoSuchLetter, AddressStopped.

    `by`: the player who does it on the operator's page.
    """
    now = clock.now()
    with store.transaction() as connection:
        letter = outbox.letter(connection, letter_id)
        if letter is not None:
            goes_to = addressees.addressee(connection, letter)
            if decide.stopped(connection, letter, KINDS[letter.kind], goes_to) is not None:
                raise AddressStopped(goes_to.address)
        if not outbox.try_now(connection, letter_id, now):
            raise NoSuchLetter(letter_id)
        audit.keep(connection, now, "letters retry", f"letter {letter_id}", by=by)
    store.wake()


def drop(store: Store, letter_id: str, reason: str = "", by: int | None = None) -> None:
    """Let a waiting letter never go. Raises NoSuchLetter."""
    now = clock.now()
    with store.transaction() as connection:
        if not outbox.drop(connection, letter_id, now):
            raise NoSuchLetter(letter_id)
        audit.keep(connection, now, "letters drop", f"letter {letter_id}", reason, by)


def resend(store: Store, letter_id: str) -> None:
    """Have a letter sent again, if it is still true. Raises NoSuchLetter, Refused."""
    now = clock.now()
    with store.reading() as connection:
        letter = outbox.letter(connection, letter_id)
    if letter is None or letter.player_id is None:
        raise NoSuchLetter(letter_id)
    try:
        history.send_again(store, letter.player_id, letter_id)
    except NotFound:
        raise NoSuchLetter(letter_id) from None
    with store.transaction() as connection:
        audit.keep(connection, now, "letters resend", f"letter {letter_id}")
    store.wake()


def lift(store: Store, address: str, by: int | None = None) -> bool:
    """Let letters go to an address again; whether they were stopped. Raises Refused if it is none."""
    now, key = clock.now(), check_address(address)[1]
    with store.transaction() as connection:
        stopped = [suppression.lift(connection, key, reason) for reason in ("bounced", "unwanted")]
        refused = reach.forget(connection, key)
        if not any((*stopped, refused)):
            return False
        audit.keep(connection, now, "letters lift", key, by=by)
    return True


def _utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
