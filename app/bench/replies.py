"""Hostile replies: the time to read each, beside one plain pass over a reply of the largest size."""

from collections.abc import Iterator

from app.bench import RUNS, Figure, cpu_milliseconds
from app.mail.inbound.reading import Message, OwnNames, open_message, read

OWN_NAMES = OwnNames(domain="tidepost.example")
LARGEST = 250_000
"""Bytes, close to the largest message without attachments."""
AIM = 40
HEAD = b"From: ann@players.example\r\nTo: r+abc@tidepost.example\r\n"
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"
HOSTILE = {
    '"On " five thousand times': TEXT + b"On " * 5000,
    '"On" in two thousand lines': TEXT + b"On \n" * 2000,
    "20 kB of blanks": TEXT + b" " * 20_000,
    "a line of dashes": TEXT + b"-" * LARGEST,
    "lines of dashes and an arrow": TEXT + (b"-" * 1000 + b"a>\r\n") * 240,
    "commands of dashes": TEXT + (b"say " + b"-" * 1000 + b"a\r\n") * 240,
    "quotes without end": TEXT + b"> a\r\n" * 11_000,
    "quotes and answers in turn": TEXT + b"> a\r\n\r\nhello\r\n" * 3900,
    "labels without end": TEXT + b"A: b\r\n\r\n" * 5900,
    "our address without end": TEXT + b"x@tidepost.examplea " * 10_000,
    "marks on one letter": TEXT + ("a" + "\u0301\u0316" * 30_000).encode(),
    "one sign that is eighteen": TEXT + ("\ufdfa" * 1000 + "\n").encode() * 60,
    "flowed lines": HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \r\n" * 11_000,
    "HTML nested": HTML + b"<div>" * 45_000,
    "HTML of fonts": HTML + b"".join(b"<font a=%d>x" % one for one in range(15_000)),
    "HTML of brackets": HTML + b"<" * LARGEST,
    "HTML of quotes": HTML + b"<blockquote>a" * 18_000,
    "HTML of line breaks": HTML + (b"<pre>" + b"\n" * 5900) * 2,
    "five thousand people": HEAD + b"Cc: " + b"a@b.example, " * 4500 + b"\r\n\r\nsink F5",
    "brackets in From": b"From: " + b"(" * 60_000 + b"\r\n\r\nsink F5",
    "an encoded subject": HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 4000 + b"\r\n\r\nx",
    "parameters": HEAD + b"Content-Type: text/plain; " + b"a=b; " * 10_000 + b"\r\n\r\nx",
    "soft breaks": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\r\n" * 11_000,
}
"""Messages that the reader accepts."""


def figures() -> Iterator[Figure]:
    """One figure per message: milliseconds of CPU time, beside those of one plain pass."""
    plain = (b"a line of some words, as people write\r\n" * 10_000)[:LARGEST]
    passes = tuple(cpu_milliseconds(lambda: one_pass(plain)) for _ in range(RUNS))
    for name, raw in HOSTILE.items():
        runs = tuple(cpu_milliseconds(lambda raw=raw: read_through(raw)) for _ in range(RUNS))  # type: ignore[misc]
        yield Figure(f"hostile reply: {name}", "ms", runs, passes, aim=AIM, most=True)


def one_pass(raw: bytes) -> str:
    """Split a message into lines and fold them, the least that any reader does."""
    return "\n".join(" ".join(line.split()) for line in raw.decode().splitlines()).casefold()


def read_through(raw: bytes) -> None:
    """Open a message and read its commands, unless it is refused."""
    message = open_message(raw, OWN_NAMES)
    if isinstance(message, Message):
        read(message, is_command, OWN_NAMES)


def is_command(line: str) -> bool:
    """Whether the line looks like a move or a command."""
    return line.casefold().startswith(("sink ", "say "))
