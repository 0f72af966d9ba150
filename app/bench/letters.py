"""Letters composed and handed to a mail server, beside building and sending the same on one connection."""

import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from email import policy
from email.message import EmailMessage
from unittest import mock

from app import clock, draw, settings
from app.bench import RUNS, Figure
from app.bench.population import Population
from app.bench.server import PATIENCE, database, environment, free_port
from app.mail.outbound import deliver, smtp
from app.play.match.records import ANYBODY
from app.play.views.player_view import player_view
from app.settings import Settings
from app.store.session import Store
from app.store.sql import Command

MATCHES = 60
QUICK_MATCHES = 24
AIM = 0.5
SINK = """
import asyncio, sys
from aiosmtpd.controller import UnthreadedController
from aiosmtpd.handlers import Sink
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
UnthreadedController(Sink(), hostname="127.0.0.1", port=int(sys.argv[1]), loop=loop).begin()
loop.run_forever()
"""
"""A mail server that takes everything and keeps nothing."""

_drop = Command("UPDATE letter SET status = 'dropped' WHERE status = 'waiting'")


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """Letters that ask for a move: without a picture, with one kept, with one drawn for it."""
    rates: dict[str, list[float]] = {"without picture": [], "picture kept": [], "new picture": []}
    limits: dict[str, list[float]] = {name: [] for name in rates}
    with database("") as (store, url, folder), _sink() as port:
        people = Population(store)
        people.grow(QUICK_MATCHES if quick else MATCHES)
        mail = {"TIDEPOST_SMTP_URL": f"smtp://127.0.0.1:{port}", "TIDEPOST_MAIL_DOMAIN": "bench.example"}
        read = settings.read(environment(url, folder, port) | mail)
        for _ in range(RUNS):
            for name, found in rates.items():
                rate, messages = _round(store, read, people, name)
                found.append(rate)
                limits[name].append(_limit(port, messages))
    for name, runs in rates.items():
        aim = AIM if name == "picture kept" else None
        yield Figure(f"letters, {name}", "/s", tuple(runs), tuple(limits[name]), aim)


def later(now: Callable[[], datetime]) -> Callable[[], datetime]:
    """A clock by which the quiet minutes of every letter are over."""
    return lambda: now() + timedelta(hours=1)


def _round(store: Store, read: Settings, people: Population, name: str) -> tuple[float, list[EmailMessage]]:
    """Move on in every match and deliver the letters that this asks for: their rate, and the messages."""
    with store.transaction() as connection:
        _drop.run(connection)
    for match_id in people.matches:
        match = people.snapshot(match_id)
        people.advance(match_id, match.ply + 1)
        if name == "picture kept":
            now = player_view(store, match_id, ANYBODY)
            draw.picture(now.game, now.view, read.data_dir)
    messages: list[EmailMessage] = []

    def send(url: str, sender: str, recipient: str, message: EmailMessage) -> None:
        smtp.send(url, sender, recipient, message)
        messages.append(message)

    without = mock.patch.object(draw, "picture", return_value=None)
    hour = mock.patch.object(clock, "now", later(clock.now))
    with without if name == "without picture" else nullcontext(), hour:
        letters = deliver.due(store, 10 * len(people.matches))
        begun = time.perf_counter()
        with smtp.kept():
            for letter_id in letters:
                deliver.deliver(store, read, letter_id, send)
        spent = time.perf_counter() - begun
    return len(messages) / spent, messages


def _limit(port: int, messages: list[EmailMessage]) -> float:
    """Letters a second where their parts are at hand, and one connection takes them all."""
    parts = [_parts(message) for message in messages]
    begun = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as connection:
        for message, (text, html, picture) in zip(messages, parts, strict=True):
            built = EmailMessage(policy=policy.SMTP)
            for header in ("From", "To", "Subject", "Date", "Message-ID"):
                built[header] = str(message[header])
            built.set_content(text, cte="quoted-printable")
            built.add_alternative(html, subtype="html", cte="quoted-printable")
            if picture:
                shown = built.get_body(("html",))
                assert shown is not None
                shown.add_related(picture, "image", "png", cid="<board@bench.example>")
            connection.sendmail("a@bench.example", ["b@bench.example"], built.as_bytes(policy=policy.SMTP))
    return len(messages) / (time.perf_counter() - begun)


def _parts(message: EmailMessage) -> tuple[str, str, bytes]:
    """The text, the HTML and the picture of a letter."""
    text, html, picture = "", "", b""
    for part in message.walk():
        kind = part.get_content_type()
        if kind == "text/plain":
            text = part.get_content()
        elif kind == "text/html":
            html = part.get_content()
        elif kind == "image/png":
            picture = part.get_content()
    return text, html, picture


@contextmanager
def _sink() -> Iterator[int]:
    """A mail server that takes everything and keeps nothing, on a free port."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", SINK, str(port)])  # noqa: S603 - our own command
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError), smtplib.SMTP("127.0.0.1", port):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)
