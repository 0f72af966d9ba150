"""From the tables of every version since 0002, with rows in each of them, to those of today: nothing is lost.

A game of each kind in its middle goes on afterwards, by the links of before.
"""

import shutil
from itertools import pairwise

import pytest

from app import games
from app.engine.chance import Chance
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.seats import chat, notes
from app.play.views.player_view import player_view_by_token
from app.store import migrate, versions
from app.store.session import Store, connect
from tests.play import cast
from tests.servers import database_in, fresh_database
from tests.share import shared
from tests.store.earlier import Tables

EARLIER = [one for one in versions.revisions() if "0002" <= one < versions.newest()]
STEPS, MORE = 24, 2
CHANGED = {("letter", "about"), ("letter", "confirmation_id"), ("token", "letter_id")}
"""Columns that a migration writes anew for rows that are there."""


def play(store, token, steps):
    """Give so many answers by a link, as a simple player would; how many there were."""
    for done in range(steps):
        seen = player_view_by_token(store, token)
        asked = [one for one in seen.asked if not one.decision.optional]
        if seen.stale or not asked:
            return done
        move = seen.game.bot(seen.view, asked[0].decision, Chance(b"a simple player", seen.ply))
        service.play(store, Viewer(token=token), asked[0].question_id, seen.game.format(move))
    return steps


def turn(match):
    """The seat that must answer now, and a link for its turn."""
    seat = next(
        one for one in match.rows if any(not a.decision.optional for a in match.player_view(one).asked)
    )
    return seat, match.token(seat)


def begun(store, slug):
    """A game in its middle, in which people have talked and made notes; the link of whose turn it is."""
    match = cast.seat(store, game=slug, options={"setup": "random"} if slug == "survive" else None)
    played = 0
    while played < STEPS:
        played += play(store, turn(match)[1], STEPS - played)
    chat.say(store, match.bearer("red"), match.match_id, "A good evening to all · شب به‌خیر")
    for seat in match.rows:
        notes.keep(store, match.bearer(seat), match.match_id, f"{seat} remembers")
    return match, *turn(match)


@pytest.fixture
def today(request, tmp_path, clock):  # noqa: ARG001 - the same moments in every run
    """Makes a database of today's tables of a kind with a game of each kind in its middle."""

    def make(kind):
        url = (
            fresh_database(request.getfixturevalue("postgres"))
            if kind == "postgresql"
            else database_in(tmp_path)
        )
        migrate.upgrade(url)
        store = Store(url)
        going = [begun(store, slug) for slug in games.all_games()]
        found = [(match.match_id, seat, token, match.player_view(seat)) for match, seat, token in going]
        store.engine.dispose()
        return url, found

    return make


def filled(url, revision):
    """Write rows into each table of an earlier version: what they all hold then, and the tables."""
    engine = connect(url)
    with engine.begin() as connection:
        tables = Tables(connection)
        tables.fill(connection, revision)
        found = tables.contents(connection)
    engine.dispose()
    return found, tables


def breaks(before, after):
    """What a program that knows tables of one shape would miss in those of the next."""
    for table, columns in before.items():
        if table not in after:
            yield f"{table} is gone"
            continue
        for name, fact in columns.items():
            if after[table].get(name) != fact:
                yield f"{table}.{name} is another"
        for name, (_, demanded) in after[table].items():
            if name not in columns and demanded:
                yield f"{table}.{name} is demanded"


def lost(before, after):
    """What of the rows of before is missing, or another, in the columns that are still there."""
    for table, rows in before.items():
        for key, row in rows.items():
            now = after[table].get(key)
            if now is None:
                yield f"{table} {key} is gone"
                continue
            for name, value in row.items():
                if name in now and now[name] != value and (table, name) not in CHANGED:
                    yield f"{table} {key}: {name} was {value!r} and is {now[name]!r}"


def check(url, before, going, tables=None):
    """Migrate, compare, and play on; the tables of today, which may be given."""
    migrate.upgrade(url)
    engine = connect(url)
    with engine.connect() as connection:
        tables = tables or Tables(connection)
        after = tables.contents(connection)
    engine.dispose()
    assert [*lost(before, after)] == []
    store = Store(url)
    for match_id, seat, token, seen in going:
        match = cast.Seated(store, match_id)
        now = match.player_view(seat)
        assert (now.view, now.ply, now.heard) == (seen.view, seen.ply, seen.heard)
        assert now.notices == seen.notices
        assert [one.text for one in notes.notes(store, match.bearer(seat), match_id)] == [f"{seat} remembers"]
        assert play(store, token, MORE) > 0
        assert match.player_view(seat).ply > seen.ply
    store.engine.dispose()
    return tables


@pytest.mark.slow
def test_every_version_of_sqlite_is_brought_to_today(today, tmp_path):
    """And what a version takes from the one before it does not hide."""
    url, going = today("sqlite")
    file, copy = url.removeprefix("sqlite:///"), tmp_path / "copy.db"
    tables = {versions.newest(): None}
    for revision in reversed(EARLIER):
        migrate.downgrade(url, revision)
        shutil.copyfile(file, copy)
        before, tables[revision] = filled(f"sqlite:///{copy}", revision)
        tables[versions.newest()] = check(f"sqlite:///{copy}", before, going, tables[versions.newest()])
        copy.unlink()
    faults = {
        after: [*breaks(tables[before].shape, tables[after].shape)]
        for before, after in pairwise(sorted(tables))
    }
    assert faults["0003"] == ["letter.about is another"]
    assert {one: found for one, found in faults.items() if found and versions.beside(one)} == {}


@pytest.mark.parametrize("revision", shared(EARLIER, kept=2))
def test_every_version_of_postgresql_is_brought_to_today(today, revision):
    url, going = today("postgresql")
    migrate.downgrade(url, revision)
    check(url, filled(url, revision)[0], going)
