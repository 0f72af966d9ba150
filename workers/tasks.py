"""What workers do. Each task may run twice, or not at all: the database says what is still to do."""

from celery import shared_task

from app.mail import postman
from app.play import bots, invitations
from app.store import heartbeat
from workers.app import house


@shared_task(name="ring")
def ring() -> None:
    """Play for the seats that nobody mans, then have every letter that is due delivered."""
    store = house().store
    bots.play_unmanned(store)
    for letter_id in postman.due(store):
        deliver.delay(letter_id)


@shared_task(name="deliver")
def deliver(letter_id: str) -> None:
    """Write and send one letter, unless another worker has it or it is no longer true."""
    postman.deliver(house().store, house().settings, letter_id)


@shared_task(name="tick")
def tick() -> None:
    """What beat asks for every half minute: a sign of life, invitations, and all that the bell missed."""
    heartbeat.beat(house().store, "tick")
    invitations.tend_invitations(house().store)
    ring()
