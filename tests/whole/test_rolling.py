"""Web and workers are replaced by a newer version, one after another, while people play: nothing is lost."""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from app.store import versions
from app.store.session import Store
from tests.desk import ROOT, WITHOUT_PICTURES, Arrived, House, Person, PostOffice
from tests.front import Front
from tests.servers import PATIENCE, free_port, fresh_database, until, wait_for
from tests.share import sharing
from tests.whole import checking
from tests.whole.playing import Table

pytestmark = pytest.mark.slow
LITTLE = ("sqlite", "atlandice", 1)
NEXT = '''"""The next migration."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"
beside = True


def upgrade() -> None:
    op.add_column("player", sa.Column("more", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("player", "more")
'''


class Rolling(House):
    """A deployment whose parts are replaced while it serves."""

    def __init__(self, folder: Path, office: PostOffice, **settings: str) -> None:
        super().__init__(folder, office, **WITHOUT_PICTURES, **settings)
        self.front = Front(self.port)
        before = versions.newest()
        self.next = f"{int(before) + 1:04}"
        self.newer = folder / "newer"
        shutil.copytree(versions.MIGRATIONS, self.newer)
        file = self.newer / "versions" / f"{self.next}_next.py"
        file.write_text(NEXT.format(revision=self.next, before=before))

    def open(self) -> None:
        """Start web and worker of today's version."""
        self.replace_web()
        self.start("worker", "--beat")

    def upgrade(self) -> None:
        """Let the parts that start from now on be those of the next version."""
        self.environment |= {
            "PYTHONPATH": f"{ROOT / 'tests' / 'newer'}:{ROOT}",
            "MIGRATIONS_OF_TESTS": str(self.newer),
        }

    def replace_web(self) -> None:
        """Start other pages, lead visitors to them, and let those of before finish what they began."""
        before, port = self.processes.get("web"), free_port()
        wait_for(port, self.start("web", "--port", str(port)))
        self.front.lead_to(port)
        self._end(before)

    def replace_worker(self) -> None:
        """Start another worker, and let the one of before finish what it began."""
        before = self.processes["worker"]
        self.start("worker", "--beat")
        self._end(before)

    @staticmethod
    def _end(process: "subprocess.Popen[bytes] | None") -> None:
        if process is not None:
            process.terminate()
            assert process.wait(PATIENCE) == 0, process.args

    def close(self) -> None:
        """End it all."""
        self.front.close()
        super().close()


class Counting(Table):
    """Counts the answers that the pages accepted."""

    accepted = 0

    def take_turn(self, person: Person, letter: Arrived) -> int:
        """As anybody's."""
        answers = super().take_turn(person, letter)
        self.accepted += answers
        return answers


@pytest.fixture
def office() -> Iterator[PostOffice]:
    office = PostOffice()
    yield office
    office.close()


def settled(store: Store) -> bool:
    """Whether every letter has gone out."""
    with store.reading() as connection:
        waits = connection.execute(
            text("SELECT count(*) FROM letter WHERE status NOT IN ('sent', 'dropped')")
        )
        return waits.scalar() == 0


@pytest.mark.parametrize(("kind", "game", "times"), sharing([LITTLE, ("postgresql", "survive", 3)], LITTLE))
def test_nothing_is_lost_while_parts_are_replaced(
    tmp_path: Path, office: PostOffice, request: pytest.FixtureRequest, kind: str, game: str, times: int
):
    settings = {}
    if kind == "postgresql":
        settings["TIDEPOST_DATABASE_URL"] = fresh_database(request.getfixturevalue("postgres"))
        settings["TIDEPOST_BROKER_URL"] = request.getfixturevalue("redis")
    house = Rolling(tmp_path, office, **settings)
    url = settings.get("TIDEPOST_DATABASE_URL", f"sqlite:///{tmp_path}/tidepost.db")
    failed: list[BaseException] = []

    def replace() -> None:
        try:
            house.upgrade()
            for _ in range(times):
                house.replace_web()
                house.replace_worker()
        except BaseException as error:  # noqa: BLE001 - told at the end
            failed.append(error)

    try:
        house.open()
        table = Counting(house, office, [Person(f"{name}@example.org", office) for name in ("ada", "bo")], 5)
        table.open(game, 2)
        assert not table.play(turns=2)
        replacing = threading.Thread(target=replace)
        replacing.start()
        over = False
        while replacing.is_alive() and not over:
            over = table.play(turns=1)
        replacing.join()
        assert failed == []
        over = over or table.play(turns=2)
        store = Store(url)
        until(lambda: settled(store), "the last letters", house.logs)
    finally:
        house.close()
    with store.reading() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == house.next
        moves = "SELECT count(*) FROM played WHERE source = 'web'"
        assert connection.execute(text(moves)).scalar() >= table.accepted
    checking.every_letter_came_once(store, office)
    store.engine.dispose()
