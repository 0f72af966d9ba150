"""The events of a ply, packed to an eighth: most of their text is the same in every ply of a game.

A game may have samples of it, `told_1.txt` and so on in its folder, without which they shrink by half. They
read for ever what they packed: a sample is never edited, but followed by one of the next number.
"""

import zlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from app import games

FOLDER = Path(games.__file__).parent
KEPT = 8192
"""Texts kept unpacked: those of the latest plies are wanted by every page and email of their match."""
_MEMORY = 6
"""Enough for texts as short as these, and a seventh of the memory to copy for each."""
_WINDOW = -13
"""As large as sample and text together; negative: without a header and a check of its own."""


def pack(slug: str, text: str) -> bytes:
    """The text in few bytes. The first is the number of the sample; 0: the game has none."""
    number = _newest(slug)
    packer = _begun(slug, number).copy()
    return b"".join((bytes([number]), packer.compress(text.encode()), packer.flush()))


@lru_cache(KEPT)
def unpack(slug: str, packed: bytes) -> str:
    """The text that was packed. Raises FileNotFoundError where its sample is gone."""
    return zlib.decompressobj(_WINDOW, _sample(slug, packed[0])).decompress(packed[1:]).decode()


@cache
def _begun(slug: str, number: int) -> Any:
    """A packer that has read the sample; each text is packed by a copy."""
    return zlib.compressobj(wbits=_WINDOW, memLevel=_MEMORY, zdict=_sample(slug, number))


@cache
def _newest(slug: str) -> int:
    return max(
        (int(file.stem.removeprefix("told_")) for file in (FOLDER / slug).glob("told_*.txt")), default=0
    )


@cache
def _sample(slug: str, number: int) -> bytes:
    return (FOLDER / slug / f"told_{number}.txt").read_bytes() if number else b""
