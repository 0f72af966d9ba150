"""The broker, the worker and the beat: whether a message gets through, and what its sweeps find wrong."""

from collections.abc import Iterator
from datetime import datetime

from app import clock
from app.mail.inbound.health import whole_health
from app.soundness import beating
from app.soundness.finding import Finding
from app.store import heartbeat
from app.store.broker import celery_settings
from app.store.patience import driver_errors
from app.upkeep.doctor.finding import Case
from app.upkeep.doctor.waiting import awaited, opened


def broker(case: Case) -> Iterator[Finding]:
    """Whether a message to the workers gets through, and one of them answers."""
    asked = clock.now()
    try:
        _ask(case)
    except Exception as error:  # noqa: BLE001 - whatever the broker's client raises
        said = " ".join(str(error).split()) or type(error).__name__
        yield Finding(
            f"the broker takes no message: {said}",
            "Emails go out by the sweeps only, up to a minute and a half later.",
            "Start it, or mend TIDEPOST_BROKER_URL",
        )
        return
    case.say(f"waiting for a worker, {case.wait:.0f} s at most")

    def has_come(last: datetime | None) -> bool:
        return last is not None and last >= asked

    answered = awaited(case, lambda store: heartbeat.last(store, heartbeat.ANSWER), has_come, None)
    if not has_come(answered):
        yield Finding(
            f"no worker answered within {case.wait:.0f} s",
            "No email is written, no bot plays, no deadline is noticed.",
            "Start `tidepost worker`, with the same TIDEPOST_BROKER_URL and TIDEPOST_DATABASE_URL as here",
        )


def beat(case: Case) -> Iterator[Finding]:
    """Whether beat asks for sweeps."""
    try:
        with opened(case) as store:
            last = heartbeat.last(store, heartbeat.BEAT)
    except driver_errors():  # told by the check of the database
        return
    yield from beating.beat(last)


def health(case: Case) -> Iterator[Finding]:
    """Everything that `/healthz` is red for."""
    try:
        with opened(case) as store:
            found = whole_health(store, case.settings)
    except driver_errors():
        return
    for one in found["wrong"]:
        yield Finding(
            one,
            "It is what `/healthz` is red for.",
            "The logs of the part that is named say more; `tidepost health` prints the figures",
        )


def _ask(case: Case) -> None:
    from celery import Celery

    options = celery_settings(case.settings.broker_url, case.settings.data_dir)
    options["broker_transport_options"] |= {"max_retries": 1, "interval_start": 0}
    client = Celery("doctor", set_as_current=False, changes=options)
    try:
        client.send_task(heartbeat.ANSWER, expires=case.wait, ignore_result=True, retry=False)
    finally:
        client.close()
