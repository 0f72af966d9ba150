"""What workers do. Each task may run twice, or not at all: the database says what is still to do."""

import logging

from celery import shared_task

from app.mail.inbound import process
from app.mail.inbound import store as inbox
from app.mail.outbound import deliver as postman
from app.play.deadlines import sweep as sweeping
from app.play.lobby import invitations
from app.play.moves import bots
from workers.app import house

log = logging.getLogger(__name__)

ROUNDS = 8
"""Rounds of the postman that one ring asks for at most; each goes on while letters are due."""
READERS = 2
"""Rounds of reading that one ring asks for at most."""
FRESH = 30
"""Seconds after which a round that nobody began is not worth beginning: beat asks for others."""


@shared_task(name="ring")
def ring() -> None:
    """Have mail read that came in, play for the seats that nobody mans, have every due letter delivered."""
    store = house().store
    for _ in process.waiting(store, READERS):
        read.apply_async(expires=FRESH)
    bots.play_unmanned(store)
    for _ in postman.due(store, ROUNDS):
        deliver.apply_async(expires=FRESH)


@shared_task(name="read")
def read() -> None:
    """A round of reading what came in, and another where mails are left."""
    if process.run_batch(house().store, house().settings):
        read.apply_async(expires=FRESH)


@shared_task(name="deliver")
def deliver() -> None:
    """A round of the postman, and another where letters are left.

    However many wait, and however often the bell rings meanwhile, the queue stays short: a round that comes
    late is dropped, and one that comes for nothing ends at once.
    """
    if postman.run_batch(house().store, house().settings):
        deliver.apply_async(expires=FRESH)


@shared_task(name="tick")
def tick() -> None:
    """What beat asks for every half minute: what time brings about, and all that the bell missed."""
    store = house().store
    # Nobody's time is up before what he left ahead was tried.
    for sweep in (bots.play_unmanned, sweeping.tick, invitations.tend_invitations, inbox.forget):
        try:
            sweep(store)
        except Exception:  # letters go out whatever is wrong elsewhere
            log.exception("a sweep failed")
    ring()
