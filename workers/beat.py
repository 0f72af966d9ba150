"""The schedule. One beat runs for a server; a second does no harm, because tasks claim their work."""

from datetime import UTC, datetime
from typing import Any

EVERY = 30.0
"""Seconds between sweeps."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""The assumed last run when beat starts: it asks for a sweep at once, which shows that it is alive."""

SCHEDULE: dict[str, dict[str, Any]] = {
    # Expires before the next, so that a worker that was away wakes to one tick and not to a thousand.
    "tick": {
        "task": "tick",
        "schedule": EVERY,
        "options": {"expires": EVERY - 1},
        "last_run_at": LONG_AGO,
    },
}
