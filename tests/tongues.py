"""Languages for tests. `five`: as if all had files; `in_rotation`: each check in another one."""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest

from app import templating, words
from app.web.core import self_form
from app.words import catalogue, languages

CODES = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
OTHERS = CODES[1:]


def in_rotation(name: str) -> list[Any]:
    """Languages as parameters of a test: English and one of the others always, the rest with `-m long`.

    Which other it is follows from the test's name: equal checks take turns.
    """
    chosen = OTHERS[crc32(name.encode()) % len(OTHERS)]
    return ["en", chosen, *(pytest.param(code, marks=pytest.mark.long) for code in OTHERS if code != chosen)]


_CACHES = (
    languages.available,
    words.formats,
    catalogue.find,
    catalogue.modules,
    catalogue._kept,
    self_form.zone_choices,
)


@pytest.fixture
def five(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """All five languages are available."""
    loader = templating.environment().loader
    assert loader is not None
    names = sorted({*loader.list_templates(), *(f"words/{code}.jinja" for code in CODES)})
    monkeypatch.setattr(loader, "list_templates", lambda: names)
    for one in _CACHES:
        one.cache_clear()
    yield CODES
    monkeypatch.undo()
    for one in _CACHES:
        one.cache_clear()
