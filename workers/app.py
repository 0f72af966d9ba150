"""The Celery application. No Flask in it, and no engine before a task runs: a fork would share it."""

import os
from typing import Any

import msgspec
from celery import Celery
from celery.signals import worker_ready

from app.settings import Settings
from app.store.broker import celery_settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from workers import beat

HOLDING = 8
"""Messages a worker holds for each of its threads: a folder is read only so often."""


class House(msgspec.Struct, frozen=True):
    """What a task works with."""

    settings: Settings
    store: Store


_settings: list[Settings] = []
_houses: dict[int, House] = {}


def house() -> House:
    """The house of this process, made at its first task."""
    if os.getpid() not in _houses:
        settings = _settings[-1]
        bell = WakeUp(settings.broker_url, settings.data_dir)
        _houses[os.getpid()] = House(settings, Store(settings.database_url, bell))
    return _houses[os.getpid()]


def make(settings: Settings) -> Celery:
    """The application, with the tasks and the schedule of beat."""
    _settings.append(settings)
    app = Celery("tidepost", include=["workers.tasks"])
    app.conf.update(
        celery_settings(settings.broker_url, settings.data_dir),
        broker_connection_retry_on_startup=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=HOLDING,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        beat_schedule=beat.SCHEDULE,
        beat_scheduler="celery.beat:Scheduler",  # keeps nothing on disk: what is due stands in the database
    )
    app.set_default()
    return app


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _sweep_at_once(sender: Any, **_: Any) -> None:
    """Do what fell due while no worker ran, without waiting for beat."""
    sender.app.send_task("ring")
