"""Whole games by people who never leave their mail client: letters out, replies in, and nothing else."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from app.games import all_games
from app.people import preferences
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.desk import WITHOUT_PICTURES, House, Person, PostOffice
from tests.servers import free_port, wait_for
from tests.share import sharing
from tests.whole import checking
from tests.whole.playing import END, Table
from tests.whole.writing import Writer

pytestmark = pytest.mark.slow
CAST = ("ada@example.org", "bo@example.net")
OPTIONS = {"survive": {"setup": "random"}}
"""Placing by hand is some forty replies more of one kind."""
ASIDES = 9
"""Every so many letters somebody writes something else than a move."""
KILLS = (6, 20)
"""After so many replies a worker dies."""


@pytest.fixture
def office() -> Iterator[PostOffice]:
    office = PostOffice()
    yield office
    office.close()


class Correspondence:
    """Two people around one match, who only write."""

    def __init__(self, folder: Path, office: PostOffice) -> None:
        self.office, self.port = office, free_port()
        self.house = House(
            folder,
            office,
            TIDEPOST_INBOX_URL=f"smtp://127.0.0.1:{self.port}",
            **WITHOUT_PICTURES,
        )
        people = [Person(address, office) for address in CAST]
        self.table = Table(self.house, office, people, seed=1)
        self.writers = [Writer(person, self.port, person.address) for person in people]
        self.store = Store(f"sqlite:///{folder}/tidepost.db", WakeUp("folder://", folder))
        self.replies = 0

    def open(self, game: str) -> None:
        """Start everything, and the game."""
        self.house.open()
        wait_for(self.port, self.house.start("inbox"))
        self.table.open(game, len(CAST), **OPTIONS.get(game, {}))
        with self.store.reading() as connection:
            players = list(connection.execute(text("SELECT id FROM player")).scalars())
        for player in players:
            preferences.choose(self.store, player, preferences.ALL, {"turn": "at_once"})

    def play(self) -> None:
        """Answer letters until both have heard of the end."""
        over = set[str]()
        kills, days = list(KILLS), 1
        while len(over) < len(self.writers):
            writer, letter = self.office.wait(self._unread)
            if letter.message["Subject"].endswith(END):
                over.add(writer.person.address)
            elif letter.message["Reply-To"] and not self._aside(writer, letter):
                self.replies += writer.answer(letter)
            if kills and self.replies >= kills[0]:
                kills.pop(0)
                self.kill_a_worker()
            if self.replies >= days * 20:
                days += 1
                self.a_day_passes()
        assert not kills, "the game was too short for its accidents"
        sent = {message_id for writer in self.writers for message_id in writer.sent}
        self.office.wait(lambda: sent <= {str(one.message["In-Reply-To"]) for one in self.office.letters})

    def _unread(self):
        for writer in self.writers:
            ended = any(one.message["Subject"].endswith(END) for one in writer.person.letters)
            if (letter := writer.newest()) is not None:
                if ended:
                    letter = next(
                        one for one in writer.person.letters if one.message["Subject"].endswith(END)
                    )
                return writer, letter
        return None

    def _aside(self, writer: Writer, letter) -> bool:
        """Now and then a person asks for help, or their mail program sends the whole letter back unmarked."""
        count = len(writer.written)
        if count % ASIDES == ASIDES - 1:
            writer.reply(letter, ("legal", "help", "games")[count // ASIDES % 3])
        elif count % ASIDES == ASIDES - 5:
            writer.reply(letter, letter.text, quoted=False)
        else:
            return False
        return True

    def kill_a_worker(self) -> None:
        """SIGKILL while it reads and sends; its leases run out as they would by time."""
        self.house.kill("worker")
        with self.store.transaction() as connection:
            for table in ("letter", "incoming"):
                connection.execute(text(f"UPDATE {table} SET held_until = 0 WHERE held_until IS NOT NULL"))
        self.house.start("worker", "--beat")

    def a_day_passes(self) -> None:
        """As far as it matters for how many letters are answered in one."""
        with self.store.transaction() as connection:
            day = {"day": timedelta(days=1) // timedelta(microseconds=1)}
            connection.execute(
                text("UPDATE letter SET created_at = created_at - :day WHERE kind = 'reply'"), day
            )
            connection.execute(text("UPDATE incoming SET read_at = read_at - :day"), day)

    def close(self) -> None:
        self.house.close()
        self.store.engine.dispose()


@pytest.mark.parametrize("game", sharing(list(all_games()), "atlantis"))
def test_a_whole_game_by_reply_alone_with_workers_killed_in_between(
    tmp_path: Path, office: PostOffice, game: str
):
    post = Correspondence(tmp_path, office)
    try:
        post.open(game)
        pages = [len(writer.person.pages) for writer in post.writers]
        post.play()
        assert [len(writer.person.pages) for writer in post.writers] == pages, "nobody opened a page"
    finally:
        post.close()
    check(post)


def check(post: Correspondence) -> None:
    """Everything was played by reply, once; every mail was answered once; nothing leaked."""
    store = Store(str(post.store.engine.url))
    with store.reading() as connection:
        played = connection.execute(text("SELECT source, source_key FROM played WHERE ply > 0")).all()
        mails = connection.execute(text("SELECT status, reason, error FROM incoming")).all()
        answers = (
            connection.execute(text("SELECT incoming_id FROM letter WHERE kind = 'reply'")).scalars().all()
        )
    assert {row.source for row in played} <= {"letter", "house"}
    keys = [row.source_key for row in played if row.source_key]
    assert len(keys) == len(set(keys))
    assert {row.status for row in mails} == {"read"}, [row.error for row in mails if row.error]
    assert len(answers) == len(set(answers)) == len(mails) == sum(len(w.written) for w in post.writers)
    checking.every_letter_came_once(store, post.office, resent=len(KILLS))
    checking.nobody_learnt_a_secret(store, post.table.people)
    logs = post.house.logs()
    checking.logs_hold_no_token(logs, post.table.people)
    for letter in post.office.letters:
        for token in re.findall(r"r\+([a-z2-7]{26})@", str(letter.message["Reply-To"])):
            assert token not in logs
    store.engine.dispose()
