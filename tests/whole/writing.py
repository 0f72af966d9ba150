"""How a person plays who only has a mail client: reads the newest letter, writes a line, sends it."""

import random
import re
import smtplib
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr

from tests.desk import Arrived, Person, PostOffice
from tests.servers import PATIENCE, until

LISTED = re.compile(r"^- .*\((.+)\):$", re.MULTILINE)
"""An answer that the letter lists, in brackets behind its label."""
EXAMPLES = re.compile(r"or type your move, for example (.*?”)\.")
QUOTED = re.compile("“([^”]+)”")
LEGAL = re.compile(r"^- “(.+)”$", re.MULTILINE)


class Writer:
    """Someone who plays by reply alone."""

    def __init__(self, person: Person, port: int, seed: str) -> None:
        self.person, self.port = person, port
        self.chance = random.Random(seed)
        self.read = 0
        """Letters that they have dealt with."""
        self.written: list[str] = []
        self.sent: list[str] = []
        """The ids of their mails."""

    @property
    def office(self) -> PostOffice:
        return self.person.office

    def newest(self) -> Arrived | None:
        """The newest unread letter that asks them something, else the newest; the others they put away."""
        unread = self.person.letters[self.read :]
        self.read += len(unread)
        return next((one for one in reversed(unread) if answers_in(one.text)), unread[-1] if unread else None)

    def answer(self, letter: Arrived) -> bool:
        """Reply with one of the answers that the letter names; False where it asks nothing."""
        ways = answers_in(letter.text)
        if not ways:
            return False
        greeting = self.chance.choice(("", "\n\nCheers!", "\n-- \nSent by hand"))
        self.reply(letter, self.chance.choice(ways) + greeting)
        return True

    def reply(self, letter: Arrived, body: str, *, quoted: bool = True) -> None:
        """Write back as mail programs do, what was written to them quoted below."""
        message = EmailMessage()
        to = parseaddr(str(letter.message["Reply-To"]))[1]
        message["From"] = self.person.address
        message["To"] = to
        message["Subject"] = f"Re: {letter.message['Subject']}"
        message["Message-ID"] = make_msgid(domain="example.org")
        message["In-Reply-To"] = str(letter.message["Message-ID"])
        below = "".join(f"> {line}\n" for line in letter.text.splitlines())
        message.set_content(f"{body}\n\nAm Montag schrieb Tidepost <{to}>:\n{below}" if quoted else body)
        self.written.append(body)
        self.sent.append(str(message["Message-ID"]))
        hand_over(self.port, self.person.address, to, message)


def answers_in(text: str) -> list[str]:
    """What a letter says that can be answered: the list of a few, or the examples of many."""
    text = "\n".join(text.splitlines())
    found = EXAMPLES.search(" ".join(text.split()))
    examples = QUOTED.findall(found[1]) if found else []
    return LISTED.findall(text) or examples or LEGAL.findall(text)


def hand_over(port: int, sender: str, to: str, message: EmailMessage) -> None:
    """What a mail system does: try until it is taken, for as long as the answer is not a plain no."""

    def taken() -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as server:
                server.send_message(message, sender, [to])
        except (OSError, smtplib.SMTPServerDisconnected, smtplib.SMTPResponseException) as error:
            if getattr(error, "smtp_code", 0) >= 500:
                raise
            return False
        return True

    until(taken, "a mail system that takes a letter")
