"""A transport of kombu's that drops what is no message for our workers, instead of ending them."""

import logging
from typing import Any

log = logging.getLogger(__name__)


class TolerantTransport:
    """Stands before a virtual transport of kombu's."""

    channels: Any

    @staticmethod
    def tell(why: str) -> None:
        """Log that a message was dropped; not what it says, for it may hold anything."""
        log.warning("a message in the broker's queue is none of ours and was dropped: %s", why)

    def _deliver(self, message: Any, queue: str) -> None:
        """Hand a message over, if it has the form that ours have."""
        try:
            why = _fault(message, next(iter(self.channels)))
        except Exception as error:  # noqa: BLE001 - kombu raises whatever a strange value makes it raise
            why = type(error).__name__
        if why:
            self.tell(why)
        else:
            super()._deliver(message, queue)  # type: ignore[misc]


def _fault(message: Any, channel: Any) -> str:
    """Why it is none of ours; empty if it is one."""
    headers, properties = message["headers"], message["properties"]
    if "task" in headers and not all(isinstance(headers[name], str) for name in ("task", "id")):
        return "it names no task"  # without the word Celery itself puts it aside
    if not isinstance(properties["delivery_tag"], str):
        return "it has no tag"
    channel.Message(message, channel=channel)
    return ""
