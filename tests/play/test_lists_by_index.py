"""Lists read only what they show, however many matches there are: by their own indexes, on both databases.

What is looked for is rare, so that a list which filters row by row would read nearly all of them. SQLite is
asked before it has statistics and after: a site may have either.
"""

from datetime import UTC, datetime

import pytest

from app.bench.rows import copies
from app.play.lobby import expiry
from app.play.match import invitations, join_requests
from app.play.views import lists, mine, open_games
from app.store import outbox, sql
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")

MANY = 4_000
MAILBOX = cast.ADDRESSES["Ada"]
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def reading(act):
    """The act in a transaction of its own."""

    def asked(store):
        with store.reading() as connection:
            act(connection)

    return asked


LISTS = {
    "running": (lambda store: lists.public_lines(store, 20), ("match_running", "match_over")),
    "over": (lambda store: open_games.finished_games(store, 20), ("match_over",)),
    "over, of a game": (lambda store: open_games.finished_games(store, 20, slug="go"), ("match_over_game",)),
    "over, of a size": (lambda store: open_games.finished_games(store, 20, seats=9), ("match_over_seats",)),
    "over, of both": (
        lambda store: open_games.finished_games(store, 20, slug="go", seats=2),
        ("match_over_both",),
    ),
    "open": (lambda store: open_games.open_games(store, 20), ("match_joinable",)),
    "open, of a game": (lambda store: open_games.open_games(store, 20, slug="go"), ("match_joinable_game",)),
    "how many are mine": (lambda store: mine.counts(store, 1), ("ix_invitation_player_id",)),
    "my waiting games": (lambda store: mine.page(store, 1, mine.WAITING, 20), ("ix_invitation_player_id",)),
    "all of mine": (lambda store: lists.player_lines(store, 1), ("ix_invitation_player_id",)),
    "invitations that wait": (
        expiry.remind_and_expire,
        ("invitation_expires", "invitation_reminds", "invitation_waiting"),
    ),
    "invitations of a host": (
        reading(lambda connection: invitations.count_of_host(connection, MAILBOX)),
        ("ix_invitation_mailbox",),
    ),
    "invitations of a host that were sent": (
        reading(lambda connection: invitations.count_sent_of_host(connection, MAILBOX)),
        ("ix_invitation_mailbox",),
    ),
    "invitations of a host to one": (
        reading(lambda connection: invitations.count_to_one(connection, MAILBOX, MAILBOX, LONG_AGO)),
        ("ix_invitation_mailbox",),
    ),
    "listed games of a host": (
        reading(lambda connection: join_requests.count_listed(connection, MAILBOX)),
        ("ix_invitation_mailbox",),
    ),
    "seats asked for by one": (
        reading(lambda connection: outbox.count_wishes(connection, MAILBOX, LONG_AGO)),
        ("ix_invitation_mailbox",),
    ),
}
"""What is asked, and the indexes by which matches and invitations are found."""


@pytest.fixture
def crowded(store):
    """Very many matches, of which few are of the second game, few have nine seats, and few can be joined."""
    cast.open_table(store, ("Ada", "Bo", "Cleo"))
    cast.seat(store)
    with store.transaction() as connection:
        begun = "t.id = (SELECT MIN(id) FROM \"match\" WHERE status = 'running')"
        invited = "t.id = (SELECT MIN(id) FROM \"match\" WHERE status <> 'running')"
        over = {"status": "'over'", "ended_at": "t.started_at"}
        listed = {"status": "'open'", "joinable": "TRUE"}
        copies(connection, "match", begun, MANY)
        copies(connection, "match", begun, MANY, **over)
        copies(connection, "match", begun, 3, **over, game="'go'")
        copies(connection, "match", begun, 3, **over, seats="9")
        copies(connection, "match", invited, MANY // 8, status="'open'")
        copies(connection, "match", invited, 3, **listed)
        copies(connection, "match", invited, 3, **listed, game="'go'")
        if store.engine.dialect.name == "sqlite":  # PostgreSQL rightly reads the whole for such a player
            hers = "t.id = (SELECT MIN(id) FROM invitation WHERE status = 'accepted')"
            others = {"match_id": "n", "address_key": "'other' || n", "organiser": "FALSE"}
            copies(connection, "invitation", hers, 2 * MANY, **others)
    return store


def plans(store, act):
    """The plans of all that an act asks, as lines."""
    found = []
    execute = sql.Statement._execute

    def noted(self, connection, rows, values):
        found.append((self.text(connection.dialect.name, rows), values))
        return execute(self, connection, rows, values)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sql.Statement, "_execute", noted)
        act(store)
    postgres = store.engine.dialect.name == "postgresql"
    lines = []
    with store.engine.connect() as connection:
        for text, values in found:
            if text.startswith("SELECT"):
                cursor = connection.connection.cursor()
                cursor.execute(("EXPLAIN " if postgres else "EXPLAIN QUERY PLAN ") + text, values)
                lines += [str(row[0] if postgres else row[3]) for row in cursor.fetchall()]
    return lines


@pytest.mark.parametrize("asked", LISTS)
def test_a_list_is_found_by_its_index(crowded, asked):
    act, indexes = LISTS[asked]
    postgres = crowded.engine.dialect.name == "postgresql"
    for measured in (True,) if postgres else (False, True):
        if measured:
            with crowded.engine.connect() as connection:
                connection.exec_driver_sql("ANALYZE")
                connection.commit()
        found = plans(crowded, act)
        told = "\n".join(found)
        assert "Seq Scan on match" not in told, told
        assert "USING INDEX match_open" not in told, told
        if not postgres or "invit" not in "".join(indexes):  # a table of few rows is read whole
            for index in indexes:
                assert any(
                    f"INDEX {index} " in f"{line} " or f"using {index} on" in line for line in found
                ), told
