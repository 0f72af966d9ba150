"""The Celery application. It opens no database before its first task, because a fork would share it."""

import os
import signal
import threading
from typing import Any

import msgspec
from celery import Celery
from celery.signals import (
    setup_logging,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutting_down,
)

from app import logs, metrics
from app.mail.hooks import rounds as hooks
from app.mail.outbound import notify
from app.mail.outbound.deliver import run_batch
from app.play.match import site_stops
from app.settings import Settings
from app.store import heartbeat
from app.store.broker import celery_settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from workers import beat
from workers.postmen import Postmen
from workers.watch import Watch

HOLDING = 8
"""Messages a worker holds for each of its threads: a folder is read only so often."""
LAST_WORK = 180
"""Seconds that a child process may go on after it was told to end: longer than the hand-over of a letter."""
MESSENGERS = 2
"""Browsers that a process notifies at the same time, and webhooks to which it sends."""


class Site(msgspec.Struct, frozen=True):
    """The settings and the store that tasks use, and threads beside those of the tasks.

    They hand letters over, notify browsers, and call webhooks.
    """

    settings: Settings
    store: Store
    postmen: Postmen
    messengers: Postmen
    callers: Postmen


_settings: list[Settings] = []
_sites: dict[int, Site] = {}


def site() -> Site:
    """The settings and store of this process, made at its first task."""
    if os.getpid() not in _sites:
        settings = _settings[-1]
        metrics.begin(settings)
        wake_up = WakeUp(settings.broker_url, settings.data_dir)
        store = Store(settings.database_url, wake_up)
        _sites[os.getpid()] = Site(
            settings,
            store,
            Postmen(lambda: run_batch(store, settings)),
            Postmen(lambda: notify.run_batch(store, settings), MESSENGERS),
            Postmen(lambda: hooks.run_batch(store, settings), MESSENGERS),
        )
    return _sites[os.getpid()]


def make(settings: Settings) -> Celery:
    """The application with its tasks and the schedule."""
    _settings.append(settings)
    app = Celery("tidepost", include=["workers.tasks"])
    app.conf.update(
        celery_settings(settings.broker_url, settings.data_dir),
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # for as long as it is away
        broker_channel_error_retry=True,
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


@setup_logging.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _write_logs(**_: Any) -> None:
    """Log as all parts do; Celery then adds no handlers of its own."""
    logs.install()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _end_with_the_parent(**_: Any) -> None:
    """Let a child process end when its parent says so, although a service manager tells a whole group to end.

    The parent waits for ever for a child that a signal has ended. The pool sets a handler of its own after
    this, so the signal is kept from all threads but one.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=_told_to_end, name="told-to-end", daemon=True).start()


def _told_to_end() -> None:
    """End at the second signal, or when what had begun has had its time."""
    signal.sigwait({signal.SIGTERM})
    late = threading.Timer(LAST_WORK, os._exit, (128 + signal.SIGTERM,))
    late.daemon = True
    late.start()
    signal.sigwait({signal.SIGTERM})
    os._exit(128 + signal.SIGTERM)


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _begin_no_more(**_: Any) -> None:
    """Let the letters that are being handed over be the last."""
    if os.getpid() in _sites:
        _sites[os.getpid()].postmen.end()
        _sites[os.getpid()].messengers.end()
        _sites[os.getpid()].callers.end()


@worker_init.connect  # type: ignore[untyped-decorator]
def _watch(**_: Any) -> None:
    """Sweep without the broker where it hangs; this begins before the worker has reached it."""
    from workers.tasks import sweep_alone  # the tasks import this module

    Watch(lambda: heartbeat.last(site().store, site_stops.TICK), sweep_alone, _leave).start()


def _leave() -> None:
    """End as when a service manager says so: what has begun is finished."""
    os.kill(os.getpid(), signal.SIGTERM)


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _sweep_at_once(sender: Any, **_: Any) -> None:
    """Do the work that fell due while no worker ran, without waiting for beat."""
    sender.app.send_task("wake")
