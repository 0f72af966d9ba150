import base64
import random

from app.store import base32


def test_it_is_pythons_in_small_letters_and_without_padding():
    for length in range(40):
        for raw in (bytes(length), b"\xff" * length, random.Random(length).randbytes(length)):
            assert base32.written(raw) == base64.b32encode(raw).decode().rstrip("=").lower()
