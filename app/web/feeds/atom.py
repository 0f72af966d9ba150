"""Atom feeds as XML."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from app.web.core.rendering import render_text
from app.web.feeds.entries import Entry

START = datetime(2026, 1, 1, tzinfo=UTC)
"""The update time of an empty feed."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""


class AtomFeed(msgspec.Struct, frozen=True):
    """The contents of a feed."""

    id: str
    title: str
    entries: Sequence[Entry]
    page: str
    """Absolute address of the page about the same."""
    own: str = ""
    """Absolute address of the feed; empty for a secret one."""

    @property
    def updated(self) -> datetime:
        """The time of the newest entry."""
        return max((entry.updated for entry in self.entries), default=START)


def atom_xml(feed: AtomFeed, language: str) -> bytes:
    """The feed as XML."""
    return _NOT_XML.sub("", render_text("feeds/atom.xml", language=language, feed=feed)).encode()
