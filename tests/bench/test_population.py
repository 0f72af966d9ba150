"""The bench measures real matches, and its figures say what they seem to say."""

from pathlib import Path

import pytest

from app.bench import Figure, crowd, run, summary
from app.bench.growth import _lengthen
from app.bench.population import Population
from app.bench.rows import copies
from app.store.migrate import upgrade
from app.store.session import Store
from app.store.sql import Query

_count = Query(int, "SELECT count(*) FROM played WHERE match_id = :match_id")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    url = f"sqlite:///{tmp_path}/bench.db"
    upgrade(url)
    return Store(url)


def test_matches_are_of_all_games_distinct_and_under_way(store: Store) -> None:
    people = Population(store)
    people.grow(6)
    matches = [people.snapshot(match_id) for match_id in people.matches]
    assert {match.slug for match in matches} == {"atlandice", "atlantis", "survive"}
    assert len({match.state for match in matches}) == 6
    assert all(match.running for match in matches)
    assert len({match.rule for match in matches}) > 1
    turns = list(people.turns())
    assert len({turn.path for turn in turns}) == len({turn.body for turn in turns}) == 6


def test_a_lengthened_match_plays_on(store: Store) -> None:
    people = Population(store)
    people.grow(3, plies=(10, 10))
    _lengthen(store, people.matches)
    for match_id in people.matches:
        assert people.snapshot(match_id).ply >= 500
        assert people.advance(match_id, people.snapshot(match_id).ply + 3)
        with store.reading() as connection:
            assert _count.one(connection, match_id=match_id) > 500


def _matches(store: Store) -> int:
    with store.reading() as connection:
        return int(connection.exec_driver_sql('SELECT count(*) FROM "match"').scalar_one())


def test_a_crowd_has_as_many_matches_as_it_says_and_answers_every_query(store: Store) -> None:
    people = crowd._Crowd(store)
    before = _matches(store)
    people.grow(200)
    assert _matches(store) - before == 200
    for act in people.acts().values():
        act()


def test_no_query_over_all_matches_reads_a_whole_table(store: Store) -> None:
    people = crowd._Crowd(store)
    people.grow(2000)
    assert {name: crowd._scans(store, act) for name, act in people.acts().items()} == dict.fromkeys(
        people.acts(), ()
    )


def test_a_table_that_is_read_whole_is_named(store: Store) -> None:
    people = crowd._Crowd(store)
    people.grow(200)
    whole = Query(int, "SELECT count(*) FROM letter WHERE kind = 'nothing'")
    assert crowd._scans(store, lambda: crowd._read(store, whole.all)) == ("letter",)
    by_key = Query(int, 'SELECT ply FROM "match" WHERE id = 1')
    assert crowd._scans(store, lambda: crowd._read(store, by_key.all)) == ()


def test_a_copy_with_a_column_that_is_not_there_is_refused(store: Store) -> None:
    with store.transaction() as connection, pytest.raises(LookupError, match="colour"):
        copies(connection, "match", "t.id = 1", 3, colour="'red'")


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("a", "", (2, 2, 2), (1, 1, 1), aim=2), True),
        (Figure("a", "", (1, 1, 3), (1, 1, 1), aim=2), False),
        (Figure("a", "", (3, 3, 3), (1, 1, 1), aim=2, most=True), False),
        (Figure("a", "", (3, 3, 3), aim=3, most=True), True),
        (Figure("a", "", (3, 3, 3)), None),
    ],
)
def test_an_aim_is_for_the_median_of_the_ratios(figure: Figure, *, met: bool | None) -> None:
    assert figure.met is met
    assert ("MISSED" in figure.row()) is (met is False)


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("a", "", (1, 1, 3), (2, 2, 2), aim=1), "MISSED by 50%"),
        (Figure("a", "", (3, 3, 3), aim=2, most=True), "MISSED by 50%"),
        (Figure("a", "", (2.02,), aim=2, most=True), "MISSED by 1%"),
        (Figure("a", "", (3,), aim=0, most=True), "MISSED by 3"),
        (Figure("a", "", (2,), aim=2), "met"),
        (Figure("a", "", (2,)), ""),
    ],
)
def test_a_missed_aim_says_by_how_much(figure: Figure, verdict: str) -> None:
    assert figure.verdict == verdict
    assert figure.row().endswith(verdict or "]")


def test_the_last_line_says_which_aims_are_missed() -> None:
    good, bad, none = (
        Figure("good", "", (2,), aim=2),
        Figure("bad", "", (1,), aim=2),
        Figure("none", "", (1,)),
    )
    assert summary([good, bad, none]) == "1 of 2 aims met; missed: bad"
    assert summary([good, none]) == "1 of 1 aims met"


def test_an_unknown_part_is_refused_by_name() -> None:
    with pytest.raises(run.NoSuchPart, match=r"moves.*turns"):
        next(run.figures(["moves"]))
