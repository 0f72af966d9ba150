"""Draws are HMAC-SHA256 of the seed, so that players can compute them with any other program."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.chance import Chance


def word(seed: bytes, message: str) -> int:
    """The first eight bytes of the standard library's HMAC."""
    return int.from_bytes(hmac.digest(seed, message.encode(), "sha256")[:8], "big")


@given(seed=st.binary(max_size=200), ply=st.integers(0, 10_000), name=st.text(max_size=5))
def test_draws_are_those_of_the_standard_hmac(seed: bytes, ply: int, name: str) -> None:
    chance = Chance(seed, ply, name)
    assert [chance.below(2**63) for _ in range(3)] == [
        word(seed, f"{ply}/{name}/{n}") % 2**63 for n in range(3)
    ]


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_a_key_of_any_length_is_padded_or_hashed_as_hmac_does(length: int) -> None:
    seed = bytes(n % 251 for n in range(length))
    assert Chance(seed, 1).below(2**63) == word(seed, "1//0") % 2**63


def test_two_matches_drawing_in_turns_dont_disturb_each_other() -> None:
    """The keyed hashes are kept for all matches of a process."""
    one, other = Chance(b"one", 1), Chance(b"other", 1)
    drawn = [(one.below(100), other.below(100)) for _ in range(20)]
    again, alone = Chance(b"one", 1), Chance(b"other", 1)
    assert [pair[0] for pair in drawn] == [again.below(100) for _ in range(20)]
    assert [pair[1] for pair in drawn] == [alone.below(100) for _ in range(20)]
