"""Languages for tests: as if all had files already; what such a language lacks is English."""

from collections.abc import Iterator

import pytest

from app import templating, words
from app.web.core import self_form
from app.words import catalogue, languages

CODES = ("en", "fa", "ja", "zh-Hans", "zh-Hant")
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
