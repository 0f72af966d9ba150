"""The schedule. One beat runs for a house; a second would do no harm, as tasks claim what they do."""

from typing import Any

EVERY = 30.0
"""Seconds between sweeps."""

SCHEDULE: dict[str, dict[str, Any]] = {
    # Expires before the next, so that a worker that was away wakes to one tick and not to a thousand.
    "tick": {"task": "tick", "schedule": EVERY, "options": {"expires": EVERY - 1}},
}
