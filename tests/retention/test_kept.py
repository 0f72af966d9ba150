"""The list of what is kept names every table, says what the README says, and can be set."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from app import settings
from app.retention.kept import KEPT, goes, stays
from app.settings import BadSettings, Keep
from app.store import tables

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_every_table_has_an_entry():
    assert tables.__all__, "imported, so that the metadata knows them"
    assert set(KEPT) == set(SQLModel.metadata.tables)


def test_the_readme_tells_how_long_everything_is_kept():
    told = [line for line in README.splitlines() if re.match(r"\| [^`].* \| \d+ days after ", line)]
    assert told == [one.line(Keep()) for one in goes() if one.span(Keep())]


def test_the_readme_tells_what_stays():
    sentence = " ".join(README.split())
    assert [one.what for one in stays() if one.what not in sentence] == []


def test_a_span_is_that_of_its_setting():
    longer = Keep(mails=7, unplayed=20, links=400, letters=800)
    spans = {one.after: one.span(longer) for one in goes() if isinstance(one.after, str)}
    assert spans == {name: timedelta(days=getattr(longer, name)) for name in Keep.__struct_fields__}


def read(**kept):
    return settings.read(
        {"TIDEPOST_SECRET_KEYS": "k" * 32} | {f"TIDEPOST_KEEP_{k}_DAYS": v for k, v in kept.items()}
    )


def test_the_spans_can_be_set():
    assert read().keep == Keep()
    assert read(MAILS="7", LINKS="400").keep == Keep(mails=7, links=400)


@pytest.mark.parametrize(
    ("name", "days"),
    [("MAILS", "0"), ("LINKS", "30"), ("UNPLAYED", "-1"), ("LETTERS", "a year"), ("MAILS", "1.5")],
)
def test_a_span_that_would_harm_is_refused(name, days):
    with pytest.raises(BadSettings, match=f"TIDEPOST_KEEP_{name}_DAYS"):
        read(**{name: days})
