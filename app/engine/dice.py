"""From a server's secret and the players' words to the seed and the seats of a match.

The words come in the order of invitation, the computer's last and empty. By formula 2 the seed follows from
them in this order, and the seats are the first draw of the seed. Matches that began before it keep formula 1:
the seats are drawn from the secret alone, and the seed follows from the words in the order of the seats.
Formula 0 is for made-up matches, such as examples: the seed is the SHA-256 of the secret, and nothing was
drawn before.
"""

from collections.abc import Sequence

import msgspec

from app.engine.chance import Chance, commitment, seed_of

MADE_UP, EARLIER, CURRENT = 0, 1, 2


class Drawn(msgspec.Struct, frozen=True):
    """The draw before a match begins."""

    order: tuple[int, ...]
    """For each seat, in turn order, the place in the order of invitation of the player who gets it."""
    words: tuple[str, ...]
    """The words in the order from which the seed follows: of invitation, or (formula 1) of the seats."""
    seed: bytes

    def __repr__(self) -> str:
        return f"<Drawn for {len(self.order)} seats>"  # never the seed


def drawn(secret: bytes, invited: Sequence[str], formula: int = CURRENT) -> Drawn:
    """The draw of a match. `invited`: the words in the order of invitation."""
    places = range(len(invited))
    if formula == EARLIER:
        order = Chance(secret, 0, "seats").shuffled(places)
        words = tuple(invited[place] for place in order)
        return Drawn(order, words, seed_of(secret, words))
    seed = seed_of(secret, invited)
    return Drawn(Chance(seed, 0, "seats").shuffled(places), tuple(invited), seed)


def seats_of_words(seed: bytes, words: int, formula: int) -> tuple[int, ...]:
    """For each word, as the match keeps them, the place in turn order of the seat that it was given for."""
    places = range(words)
    if formula == EARLIER:
        return tuple(places)
    order = Chance(seed, 0, "seats").shuffled(places)
    return tuple(order.index(place) for place in places)


def proves(secret: bytes, published: str, words: Sequence[str], seed: bytes, formula: int) -> bool:
    """Whether a match was drawn as it promised: `published` is the SHA-256 shown before, in hex.

    `words` come as the match keeps them, for either formula. With the seed, every ply can be replayed.
    """
    return (
        commitment(secret) == published and seed_of(secret, words) == seed and formula in (EARLIER, CURRENT)
    )
