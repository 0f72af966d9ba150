"""What the house tells a table stands in the letters, between the moves, and once."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from app.mail.outbound import deliver
from app.play.clock.rules import Rule
from app.play.match import announce, notices, reading
from app.play.moves import service
from app.settings import Settings
from app.store.outbox import enqueue
from app.store.tables import Letter
from tests.play import cast


class Table:
    """A match of two whose letters are kept as texts: pairs of recipient's name and text."""

    def __init__(self, store, folder):
        self.store = store
        self.match = cast.seat(store, rule=Rule("per_move", per_move=3 * 86400))
        key = ("k" * 32,)
        self.settings = Settings("", "folder://", "", "", "https://h.example", "h.example", key, folder)
        self.letters: list[tuple[str, str, str]] = []

    def send(self, _url, _sender, recipient, message):
        kind = str(message["Subject"]).rpartition("\u2013 ")[2]
        self.letters.append((recipient, kind, message.get_body(("plain",)).get_content()))

    def post(self):
        """Send what is due; the letters of this round."""
        had = len(self.letters)
        deliver.run_batch(self.store, self.settings, self.send)
        return self.letters[had:]

    def news(self, now, occasion):
        with self.store.transaction() as connection:
            found = reading.by_match(connection, self.match.match_id)
            wanted = [announce.news_letter(found.match_id, one, occasion) for one in found.holders]
            enqueue(connection, now, *wanted)


@pytest.fixture
def table(store, ferry, clock, tmp_path):  # noqa: ARG001 - must be there
    return Table(store, tmp_path)


def test_a_letter_tells_what_the_house_told_the_table_in_its_place_and_the_next_does_not(table, clock):
    """Nobody is silent about who missed: it stands in the public log."""
    table.post()
    with table.store.transaction() as connection:
        until = clock.now() + timedelta(days=1)
        notices.tell(connection, clock.now(), table.match.match_id, "late", seat="red", until=until)
    service.play(table.store, table.match.bearer("blue"), table.match.question("blue"), "bid 1")
    service.play(table.store, table.match.bearer("red"), table.match.question("red"), "bid 0")
    ((_, kind, text),) = table.post()
    assert kind == "your turn"
    late = " ".join(text.split())
    assert (
        "Ada (red) has run out of time. Their grace period ends on Tuesday 3 March 2026, 09:30 (WET" in late
    )
    assert late.index("out of time.") < late.index("bid")
    table.news(clock.now(), "a")
    assert [to for to, _, _ in table.post()] == ["ada@example.org"], "who has heard is not told again"
    with table.store.reading() as connection:
        told = connection.execute(select(col(Letter.kind)).where(col(Letter.reason) == "told")).all()
    assert told == [("news",)]


def test_every_notice_that_the_house_can_tell_has_words():
    """Looked up in the source: each `tell(…, "what", …)` has its macro."""
    import re
    from pathlib import Path

    root = Path(__file__).parent.parent.parent
    words = (root / "templates/words/en.jinja").read_text()
    for path in (root / "app").rglob("*.py"):
        for what in re.findall(r"tell\(\s*connection,[^\"]*?\"(\w+)\"", path.read_text()):
            assert f"macro notice_{what}(" in words, (path, what)
