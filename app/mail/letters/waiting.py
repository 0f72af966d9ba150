"""Things that wait for the operator, each with the command that leads further; and the email about them."""

import shutil
from datetime import datetime, timedelta

import msgspec

from app import clock, soundness
from app.mail.core import inbox, outbox, passed_over, relay
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people import reach, reports, suppression
from app.play.views import register
from app.settings import Settings
from app.soundness.finding import Finding
from app.store import heartbeat, size
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.words import FALLBACK, formats

KIND = "waiting"
LOOKED, TOLD = "operator looked", "operator told"
"""Heartbeats: when it was last looked for what waits, and when an email last told it."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MANY, NAMED = 1000, 10
"""Where counts stop, and how many games are named."""


class Waiting(msgspec.Struct, frozen=True):
    """Something that waits, how many of it, and the command that leads further."""

    what: str
    many: int
    command: str
    detail: str = ""


def waiting(connection: Connection, now: datetime) -> tuple[Waiting, ...]:
    """Everything that waits, the most urgent first. It names no address and no player."""
    since = now - DAY
    server = relay.read(connection)
    refusals = reach.kinds_since(connection, since)
    about_us = refusals.get("us", 0) + refusals.get("policy", 0)
    returned = suppression.count_bounced_since(connection, since)
    stuck = list(register.stuck(connection))
    failed = outbox.failed_since(connection, since)
    reasons = ", ".join(f"{many} {reason}" for reason, many in sorted(failed.items()))
    unread = inbox.count_unreadable(connection, now - 365 * DAY, MANY)
    unread += passed_over.count_unkept(connection, since)
    found = (
        Waiting("Mail servers that take nothing", int(server.since is not None), "doctor", server.said),
        Waiting("Games that don't go on", len(stuck), "matches list stuck", _named(stuck)),
        Waiting("Emails that can't be written", outbox.count_unwritable(connection), "letters list"),
        Waiting("Emails that failed within a day", sum(failed.values()), "letters list --failed", reasons),
        Waiting("Addresses that refused emails because of this server", about_us, "doctor", server.said),
        Waiting("Addresses that get no emails since one came back today", returned, "letters suppressed"),
        Waiting("Mails that couldn't be read", unread, "inbox list"),
        Waiting("Reports of players", reports.count_open(connection), "people"),
    )
    return tuple(one for one in found if one.many)


def faults(settings: Settings) -> tuple[Finding, ...]:
    """All that does harm and can be found on the worker's machine without asking anyone else."""
    return tuple(one for one in soundness.of_machine(settings) if one.grave)


def room(store: Store, settings: Settings) -> str:
    """How much the database takes, and how much is free on the disk of the data folder, in a line."""
    taken = f"The database takes {_bytes(size.size(store))}"
    try:
        disk = shutil.disk_usage(settings.data_dir)
    except OSError:
        return taken
    return f"{taken}; {_bytes(disk.free)} of {_bytes(disk.total)} are free for the data folder"


def _bytes(number: int) -> str:
    if number >= 10_000_000_000:
        return f"{number / 1_000_000_000:,.0f} GB"
    return f"{number / 1_000_000:.1f} MB" if number < 10_000_000 else f"{number / 1_000_000:.0f} MB"


def ask(store: Store, settings: Settings) -> bool:
    """Request the email to the operator, at most one a day and only if something waits; whether it was.

    It looks once an hour, so it costs a sweep next to nothing.
    """
    now = clock.now()
    with store.transaction() as connection:
        if not settings.operator or _lately(heartbeat.last_in(connection, LOOKED), now, HOUR):
            return False
        if _lately(heartbeat.beat(connection, LOOKED, now), now, HOUR):
            return False  # another worker has looked meanwhile
        if _lately(heartbeat.last_in(connection, TOLD), now, DAY):
            return False
        if not waiting(connection, now) and not faults(settings):
            return False
        heartbeat.mark(connection, TOLD, now)
        once = f"{KIND}:{now.isoformat()}"
        return (
            enqueue(connection, now, LetterRequest(kind=KIND, once=once, to_address=settings.operator)) == 1
        )


def told(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the operator, in English: what waits now."""
    with mailer.store.reading() as connection:
        found, wrong = waiting(connection, clock.now()), faults(mailer.settings)
    many = len(found) + len(wrong)
    if not many:
        return Dropped("settled")
    title = "1 thing waits for you" if many == 1 else f"{many} things wait for you"
    facts = {"reader": context.name, "found": found, "wrong": wrong, "title": title}
    facts |= {"subject": f"[Tidepost] {title}", "room": room(mailer.store, mailer.settings)}
    return Page(facts, "Tidepost")


def _lately(last: datetime | None, now: datetime, span: timedelta) -> bool:
    return last is not None and now - last < span


def _named(match_ids: list[int]) -> str:
    more = ["more"] if len(match_ids) > NAMED else []
    return _listed([*(f"#{one}" for one in match_ids[:NAMED]), *more])


def _listed(items: list[str]) -> str:
    """The items as English lists them: emails to the operator have no other language."""
    return formats(FALLBACK).listed(items)
