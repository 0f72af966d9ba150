"""The tasks. Each may run twice, or not at all: the database says what is left to do."""

import logging
from collections.abc import Callable

from celery import shared_task

from app import clock, draw
from app.draw import pictures
from app.mail.hooks import rounds as hooks
from app.mail.inbound import process
from app.mail.letters import waiting
from app.mail.outbound import deliver as delivery
from app.mail.outbound import notify as notifying
from app.people import hook_seals
from app.play.deadlines import health
from app.play.deadlines import sweep as deadlines
from app.play.lobby import expiry
from app.play.moves import bots
from app.play.seats import requests
from app.play.views import public_boards
from app.retention import sweep as retention
from app.store import heartbeat
from app.store.session import Store
from workers.app import site

log = logging.getLogger(__name__)

ROUNDS = 8
"""The most delivery rounds that one wake-up asks for; each goes on while letters are due."""
READERS = 2
"""The most reading rounds that one wake-up asks for."""
FRESH = 30
"""Seconds after which a round that has not begun is dropped: beat asks for others."""


@shared_task(name="wake")
def wake() -> None:
    """Read the mail that arrived, play the automated seats, deliver every due letter."""
    store = site().store
    for _ in process.waiting(store, READERS):
        read.apply_async(expires=FRESH)
    bots.play_unmanned(store)
    for _ in delivery.due(store, ROUNDS):
        deliver.apply_async(expires=FRESH)
    if notifying.waiting(store):
        notify.apply_async(expires=FRESH)
    if hooks.waiting(store):
        call.apply_async(expires=FRESH)


@shared_task(name="read")
def read() -> None:
    """Read a batch of mails, and ask for another round if some are left."""
    if process.run_batch(site().store, site().settings):
        read.apply_async(expires=FRESH)


@shared_task(name="deliver")
def deliver() -> None:
    """Have letters delivered, by threads of their own: this returns at once, however slow the mail server."""
    site().postmen.ring()


@shared_task(name="notify")
def notify() -> None:
    """Have browsers notified, by threads of their own: no letter waits for them."""
    site().messengers.ring()


@shared_task(name="call")
def call() -> None:
    """Have webhooks called, by threads of their own: no letter waits for them."""
    site().callers.ring()


@shared_task(name="draw")
def draw_board(match_id: int, ply: int) -> None:
    """Make the picture of a public board that a page elsewhere shows, if there is room for one more."""
    public_boards.make_picture(
        site().store, match_id, ply, lambda game, view: pictures.render(draw.board(game, view))
    )


@shared_task(name="tick")
def tick() -> None:
    """Do what has fallen due, and all that a lost wake-up missed. Beat asks for it every half minute."""
    _mark(heartbeat.BEAT)
    _sweep(site().store)
    wake()


@shared_task(name="answer")
def answer() -> None:
    """Leave a sign that a worker takes messages, for `tidepost doctor`."""
    _mark(heartbeat.ANSWER)


def _mark(name: str) -> None:
    with site().store.transaction() as connection:
        heartbeat.mark(connection, name, clock.now())


def sweep_alone() -> None:
    """As `tick` with the rounds that it asks for, without the broker."""
    store = site().store
    _sweep(store)
    process.run_batch(store, site().settings)
    bots.play_unmanned(store)
    site().postmen.ring()
    site().messengers.ring()
    site().callers.ring()


def _sweep(store: Store) -> None:
    parts: tuple[Callable[[Store], object], ...] = (
        bots.play_unmanned,  # conditional moves are tried before a seat's time is up
        deadlines.tick,
        expiry.remind_and_expire,
        requests.look_after,
        lambda store: retention.sweep(store, site().settings.keep),
        lambda store: waiting.ask(store, site().settings),
        lambda store: hook_seals.look_after(store, clock.now(), site().settings.secret_keys),
    )
    if sum(_done(part, store) for part in parts) == len(parts):
        _done(health.done, store)


def _done(part: Callable[[Store], object], store: Store) -> bool:
    """Do a part of the sweep. False: it failed, which must not keep the others or the letters back."""
    try:
        part(store)
    except Exception:
        log.exception("a sweep failed")
        return False
    return True
