"""The clock, beside that of the database, and what should have gone by now."""

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import func, select

from app import clock
from app.retention.kept import goes
from app.soundness.finding import Finding
from app.store.patience import driver_errors
from app.store.session import connect
from app.upkeep.doctor.finding import Case
from app.upkeep.doctor.waiting import LONG_PATIENCE, opened

APART = timedelta(seconds=5)
LATE = timedelta(days=3)
"""How long after its time something may still be there."""


def times(case: Case) -> Iterator[Finding]:
    """Whether the clock agrees with the database's."""
    if case.settings.database_url.startswith("sqlite"):
        return
    engine = connect(case.settings.database_url, patience=10)
    try:
        with engine.connect() as connection:
            theirs = connection.execute(select(func.clock_timestamp())).scalar_one()
    except driver_errors():
        return
    finally:
        engine.dispose()
    apart = abs(theirs - clock.now())
    if apart > APART:
        yield Finding(
            f"the clocks of this machine and of the database's are {apart.total_seconds():.0f} s apart",
            "Deadlines come early for one part and late for another.",
            "Set both by NTP: timedatectl set-ntp true",
        )


def retention(case: Case) -> Iterator[Finding]:
    """Whether something is still kept that should have gone."""
    try:
        with opened(case, LONG_PATIENCE) as store:
            for one in goes():
                if one.act is None:
                    continue
                with store.transaction() as connection:
                    there = one.act(connection, clock.now() - one.span(case.settings.keep) - LATE, 1)
                    connection.rollback()
                if there:
                    yield Finding(
                        f"{one.what} are still kept, though they should have gone days ago",
                        "More is stored about players than the pages promise.",
                        "The log of `tidepost worker` says which sweep fails",
                    )
    except driver_errors():
        return
