"""Golden matches: whole games as they were played, of every edition, in the form of all match files."""

import functools
from pathlib import Path

from app.transcripts.reading import Read, read
from app.transcripts.verifying import Verified, verify

FILES = sorted(Path(__file__).parent.glob("*/matches/*.match"))


@functools.cache
def verified(path: Path) -> Verified:
    return verify(read(path.read_bytes()))


def of(slug: str) -> list[Read]:
    """The golden matches of a game, as they are read."""
    return [read(path.read_bytes()) for path in FILES if path.parts[-3] == slug]
