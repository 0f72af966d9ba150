"""Verifiable chance: every draw follows from a seed and the number of the move."""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec

T = TypeVar("T")

_BLOCK = 64  # bytes that SHA-256 takes at a time: HMAC pads its key to one block
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def commitment(secret: bytes) -> str:
    """The SHA-256 of a secret in hex. Shown before play, so the secret can't be exchanged later."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, words: Sequence[str]) -> bytes:
    """The 32-byte seed of a match, from the server's secret and the players' words, in the order of `dice`.

    The server is bound by its commitment and no player knows the secret, so neither can choose the result
    alone.
    """
    text = "".join(f"{len(word.encode())}:{word}," for word in words)
    return hmac.digest(secret, text.encode(), "sha256")


@lru_cache(maxsize=256)
def _keyed(seed: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """The inner and the outer hash of HMAC-SHA256 after the key. Copy them before use."""
    if len(seed) > _BLOCK:
        seed = hashlib.sha256(seed).digest()
    key = seed.ljust(_BLOCK, b"\0")
    return hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))


class Chance:
    """The draws of one move. Equal seed, ply and name give equal draws, on every machine, for ever."""

    def __init__(self, seed: bytes, ply: int, name: str = "") -> None:
        self._seed = seed
        self._ply = ply
        self._name = name
        self._drawn = 0

    def __repr__(self) -> str:
        return f"<Chance of ply {self._ply}>"  # never the seed

    def _word(self) -> int:
        message = f"{self._ply}/{self._name}/{self._drawn}".encode()
        self._drawn += 1
        # HMAC-SHA256 from hashes that have taken in the key already: a third of the time of hmac.digest
        kept_inner, kept_outer = _keyed(self._seed)
        inner = kept_inner.copy()
        inner.update(message)
        outer = kept_outer.copy()
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:8], "big")

    def below(self, n: int) -> int:
        """A uniform random number from 0 to n-1. `n` is at most 2**63."""
        limit = 2**64 - 2**64 % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def pick(self, items: Sequence[T]) -> T:
        """One of the items at random: the face of a die, a free tile."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def apart(self, name: str) -> "Chance":
        """Independent chance for draws beside play: they don't shift the others and are never scripted."""
        return Chance(self._seed, self._ply, f"{self._name}.{name}")


class Draw(msgspec.Struct, frozen=True):
    """One number that was drawn."""

    name: str
    """Of the chance: empty, or where it is `apart` its names, each behind a dot."""
    among: int
    result: int
    """From 0 to `among` - 1."""


class RecordedChance(Chance):
    """Chance that keeps what was drawn from it, and from all that is apart from it, in order."""

    def __init__(self, seed: bytes, ply: int, name: str = "", draws: list[Draw] | None = None) -> None:
        super().__init__(seed, ply, name)
        self.draws: list[Draw] = [] if draws is None else draws

    def below(self, n: int) -> int:
        """As `Chance.below`, and keeps it."""
        result = super().below(n)
        self.draws.append(Draw(self._name, n, result))
        return result

    def apart(self, name: str) -> "RecordedChance":
        """As `Chance.apart`; its draws are kept among these."""
        return RecordedChance(self._seed, self._ply, f"{self._name}.{name}", self.draws)


class ChanceNeeded(Exception):  # noqa: N818 - a fact, like the other errors of the engine
    """A move can't be played ahead: chance decides."""


class NoChance(Chance):
    """Chance that can't be drawn from, for playing moves ahead: each draw raises ChanceNeeded."""

    def __init__(self) -> None:
        super().__init__(b"", 0)

    def _word(self) -> int:
        raise ChanceNeeded

    def apart(self, name: str) -> "NoChance":  # noqa: ARG002
        """Itself."""
        return self


class UnfitDraw(Exception):  # noqa: N818 - a fact, like the other errors of the engine
    """A scripted value is impossible for the current draw. Has the value and the possible ones."""

    def __init__(self, value: str, possible: tuple[str, ...]) -> None:
        super().__init__(f"scripted {value!r} does not fit; possible: {', '.join(possible)}")
        self.value = value
        self.possible = possible


class ScriptedChance(Chance):
    """Chance with scripted draws, for worked examples, bug reports and tests.

    Values are compared as text. A shuffle consumes scripted values as long as they fit, and puts them
    first in that order. After the end of the script, draws follow from the seed.
    """

    def __init__(self, seed: bytes, ply: int, script: list[str]) -> None:
        super().__init__(seed, ply)
        self.script = script

    def pick(self, items: Sequence[T]) -> T:
        """The next scripted value, or a random one. Raises UnfitDraw."""
        if not self.script:
            return super().pick(items)
        for item in items:
            if str(item) == self.script[0]:
                self.script.pop(0)
                return item
        raise UnfitDraw(self.script[0], tuple(str(item) for item in items))

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order, after those that the script names. Raises UnfitDraw."""
        rest = list(super().shuffled(items))
        top: list[T] = []
        while self.script and rest:
            match = next((item for item in rest if str(item) == self.script[0]), None)
            if match is None:
                break
            rest.remove(match)
            top.append(match)
            self.script.pop(0)
        if self.script and items and not top:
            raise UnfitDraw(self.script[0], tuple(str(item) for item in items))
        return (*top, *rest)
