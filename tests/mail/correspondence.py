"""A match of the small game, played by people who only write: what they get, and what their replies do."""

from email.message import EmailMessage
from email.utils import make_msgid, parseaddr

import msgspec
from sqlalchemy import text

from app.mail.inbound import process
from app.mail.inbound.store import Taken, take_in
from app.mail.outbound import deliver as postman
from app.settings import Settings
from app.store.session import Store
from tests.play import cast


class Post:
    """The house's letters as they would go out, and a way to answer them."""

    def __init__(self, store: Store, settings: Settings, people=("Ada", "Bo"), **more) -> None:
        self.store, self.settings = store, settings
        self.sent: list[tuple[str, str, EmailMessage]] = []
        """Envelope sender, recipient, message."""
        self.match = cast.seat(store, people, **more)
        self.names = {row.player_id: seat for seat, row in self.match.rows.items()}
        self.deliver()

    def address(self, seat: str) -> str:
        return cast.one(
            self.store, "SELECT address FROM player WHERE id = :id", id=self.match.rows[seat].player_id
        ).address

    def deliver(self) -> None:
        """Let the workers do all that is due: read, and send."""
        process.run_batch(self.store, self.settings)
        postman.run_batch(self.store, self.settings, self._send)

    def _send(self, _url, sender, recipient, message) -> None:
        self.sent.append((sender, recipient, message))

    def letters(self, seat: str, subject: str = "") -> list[EmailMessage]:
        mine = [message for _, to, message in self.sent if to == self.address(seat)]
        return [message for message in mine if subject in message["Subject"]]

    def last(self, seat: str) -> EmailMessage:
        return self.letters(seat)[-1]

    def reply(
        self, seat: str, body: str, to: EmailMessage | None = None, **headers: str | None
    ) -> EmailMessage:
        """Hand in a reply to the seat's last letter, or to that one, and let the workers work."""
        message = self.written(seat, body, to or self.last(seat), **headers)
        assert self.hand_in(message) is Taken.KEPT
        self.deliver()
        return message

    def written(self, seat: str, body: str, to: EmailMessage, **headers: str | None) -> EmailMessage:
        message = EmailMessage()
        named = {
            "From": f"Somebody <{self.address(seat)}>",
            "To": str(to["Reply-To"]),
            "Subject": f"Re: {to['Subject']}",
            "Message-ID": make_msgid(domain="example.org"),
            "In-Reply-To": str(to["Message-ID"]),
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in named.items():
            if value is not None:
                message[name] = value
        quoted = "".join(f"> {line}\n" for line in text_of(to).splitlines())
        message.set_content(
            f"{body}\n\nOn Monday, Tidepost <{parseaddr(to['Reply-To'])[1]}> wrote:\n{quoted}"
        )
        return message

    def hand_in(self, message: EmailMessage, sender: str = "somebody@example.org") -> Taken:
        return self.hand_in_raw(message.as_bytes(), message, sender)

    def hand_in_raw(self, raw: bytes, message: EmailMessage, sender: str = "somebody@example.org") -> Taken:
        to = parseaddr(str(message["To"]))[1]
        return take_in(self.store, self.settings, raw, [to], "listener", sender=sender)

    def incoming(self):
        """The last mail that came in, as it is kept."""
        return cast.rows(self.store, "SELECT * FROM incoming ORDER BY rowid")[-1]

    def moves(self) -> list[tuple[str, str]]:
        """What was played, beside the start."""
        rows = cast.rows(self.store, "SELECT seat, move, source FROM played WHERE ply > 0 ORDER BY ply")
        return [(row.seat, row.move) for row in rows]

    def execute(self, statement: str, **values) -> None:
        with self.store.transaction() as connection:
            connection.execute(text(statement), values)


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def settings(folder, **more) -> Settings:
    made = Settings(
        "", "folder://", "", "pipe:", "https://play.example.org", "play.example.org", ("k" * 32,), folder
    )
    return msgspec.structs.replace(made, **more)
