"""A house whose letters go into a list, with a mail system set, so that wishes hold."""

import re
from email.message import EmailMessage

from sqlalchemy import text

from app.mail.core import outbox
from app.mail.core.letter import Composed, Dropped
from app.mail.outbound import compose as composing
from app.mail.outbound import deliver, smtp
from app.play.match.records import Viewer
from app.play.moves import service
from app.settings import Settings
from app.store import tokens
from app.store.session import Store

LINK = re.compile(r"https://h\.example/[^\s<>\"']*")


def compose(store: Store, settings: Settings, letter_id: str) -> Composed | Dropped:
    """The letter of that id as it would go out now, or why it would not."""
    with store.reading() as connection:
        letter = outbox.letter(connection, letter_id)
    assert letter is not None
    written = composing.compose(store, settings, letter)
    if isinstance(written, Composed):
        with store.transaction() as connection:
            tokens.keep(connection, written.tokens)
    return written


class Outbox:
    """What the postman has handed over, by address; and a mail server that refuses where it is told to."""

    def __init__(self, store: Store, tmp_path) -> None:
        self.store = store
        self.settings = Settings(
            "", "folder://", "smtp://unused", "pipe:", "https://h.example", "h.example", ("k" * 32,), tmp_path
        )
        self.sent: list[tuple[str, str, EmailMessage]] = []
        self.refusals: dict[str, smtp.Unsent] = {}

    def send(self, _url, sender, recipient, message) -> None:
        if recipient in self.refusals:
            raise self.refusals[recipient]
        self.sent.append((sender, recipient, message))

    def go(self) -> None:
        """One round of the postman."""
        deliver.run_batch(self.store, self.settings, self.send)

    def to(self, name: str, subject: str = "") -> list[EmailMessage]:
        """The letters to somebody, oldest first."""
        address = f"{name.casefold()}@example.org"
        return [m for _, recipient, m in self.sent if recipient == address and subject in m["Subject"]]

    def clear(self) -> None:
        self.sent.clear()

    def rows(self, query: str, **values):
        with self.store.reading() as connection:
            return connection.execute(text(query), values).all()

    def write(self, query: str, **values) -> None:
        with self.store.transaction() as connection:
            connection.execute(text(query), values)

    def player(self, name: str) -> int:
        return self.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id

    def state(self, name: str, kind: str = "asked") -> list[tuple[str, str]]:
        """Status and reason of somebody's letters of a kind, oldest first."""
        found = self.rows(
            "SELECT status, reason FROM letter WHERE player_id = :p AND kind = :k ORDER BY created_at, id",
            p=self.player(name),
            k=kind,
        )
        return [tuple(row) for row in found]


def body(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def links(message: EmailMessage, part: str = "") -> list[str]:
    """The links of a letter that hold `part`, each once."""
    return list(dict.fromkeys(link for link in LINK.findall(body(message)) if part in link))


def answer(seated, seat: str, text: str = "") -> None:
    """Somebody answers what they are asked, with the first thing offered where no text says otherwise."""
    asked = seated.player_view(seat).asked[0]
    text = text or seated.player_view().game.format(asked.decision.options[0])
    service.play(seated.store, Viewer(player_id=seated.rows[seat].player_id), asked.question_id, text)


def name_of(seated, seat: str) -> str:
    return seated.player_view().name(seat)
