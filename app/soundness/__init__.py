"""Faults of a server that show without asking anyone else: settings, files, disk, time zones, beat."""

from app.settings import Settings
from app.soundness import beating, configuration, machine
from app.soundness.finding import Finding
from app.store import heartbeat
from app.store.connection import Connection


def of_machine(settings: Settings) -> tuple[Finding, ...]:
    """All findings about settings, files, disk and time zones of this machine."""
    return (
        *configuration.settings(settings),
        *configuration.rights(settings),
        *machine.disk(settings),
        *machine.zones(),
    )


def findings(connection: Connection, settings: Settings) -> tuple[Finding, ...]:
    """All findings that cost a moment only, the grave ones first. Raises errors of the database's driver."""
    found = (*of_machine(settings), *beating.beat(heartbeat.last_in(connection, heartbeat.BEAT)))
    return tuple(sorted(found, key=lambda one: not one.grave))
