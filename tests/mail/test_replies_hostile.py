"""Messages made to hurt: refused, or read with little work and little memory; and anything at all."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bench.replies import HEAD, HOSTILE, HTML, OWN_NAMES, TEXT, is_command, read_through
from app.mail.inbound.reading import Message, Unreadable, open_message, read
from tests.share import examples
from tests.work import lines_run

PARTS = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def nested(depth: int) -> bytes:
    levels = (
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (one, one) for one in range(depth)
    )
    return HEAD + b"".join(levels) + b"\r\nsink F5\r\n"


REFUSED = {
    "50 kB of line breaks": (TEXT + b"\n" * 50_000, "many_lines"),
    "three thousand parts in each other": (nested(3000), "many_parts"),
    "eleven parts in each other": (nested(11), "deep"),
    "fifty thousand parts": (PARTS + b"--b\r\n\r\nx\r\n" * 50_000, "too_big"),
    "three hundred parts": (PARTS + b"--b\r\n\r\nx\r\n" * 300, "many_parts"),
    "sixty parts": (PARTS + b"--b\r\n\r\nx\r\n" * 60, "many_parts"),
    "an attachment of 30 MB": (
        PARTS + b"--b\r\nContent-Type: image/png\r\n\r\n" + b"A" * 30_000_000,
        "too_big",
    ),
    "a thousand headers": (HEAD + b"A: b\r\n" * 1000 + b"\r\nsink F5", "long_headers"),
    "a header of 70 kB": (HEAD + b"A: " + b"b" * 70_000 + b"\r\n\r\nsink F5", "long_headers"),
    "headers of a part": (PARTS + b"--b\r\n" + b"A: b\r\n" * 30_000 + b"\r\nx", "many_lines"),
}
MOST_LINES = 300_000
"""Of Python that reading may run through: about as many as a message of the largest size has bytes."""


@pytest.mark.parametrize("name", REFUSED)
def test_a_bomb_is_refused_with_less_work_than_reading_takes(name):
    raw, reason = REFUSED[name]
    refused = open_message(raw, OWN_NAMES)
    assert isinstance(refused, Unreadable)
    assert refused.reason == reason
    assert lines_run(lambda: read_through(raw)) < MOST_LINES / 10


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_message_takes_no_more_than_some_plain_passes(name):
    """How many, `tidepost bench` measures; what is counted here is the same on every machine."""
    assert isinstance(open_message(HOSTILE[name], OWN_NAMES), Message)
    assert lines_run(lambda: read_through(HOSTILE[name])) < MOST_LINES


@pytest.mark.parametrize("raw", [*(raw for raw, _ in REFUSED.values()), *HOSTILE.values()])
def test_a_hostile_message_takes_little_memory(raw):
    tracemalloc.start()
    try:
        read_through(raw)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 12_000_000


def test_the_limits_leave_room_for_an_honest_reply_with_a_picture():
    picture = (
        b"--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + b"QUJD" * 19
        + b"\r\n"
    )
    raw = (
        PARTS
        + b"--b\r\nContent-Type: text/plain\r\n\r\nsink F5\r\n"
        + picture
        + b"QUJD" * 19 * 2000
        + b"\r\n--b--\r\n"
    )
    message = open_message(raw, OWN_NAMES)
    assert isinstance(message, Message)
    assert read(message, is_command, OWN_NAMES).lines == ("sink F5",)


def test_a_bottom_post_beyond_the_lines_that_are_looked_at_is_told_apart_from_an_empty_reply():
    message = open_message(TEXT + b"> a\r\n" * 500 + b"\r\nsink F5\r\n", OWN_NAMES)
    assert isinstance(message, Message)
    assert read(message, is_command, OWN_NAMES).reason == "too_long"


def test_a_line_too_long_is_no_command_cut_short():
    message = open_message(TEXT + b"say " + b"a " * 600 + b"\r\n", OWN_NAMES)
    assert isinstance(message, Message)
    assert read(message, is_command, OWN_NAMES).lines == ()


def test_no_address_of_ours_is_asked_about_whatever_looks_like_a_command():
    """It holds the token of the reply."""
    quote = (
        b"On Mon, 2 Mar 2026 Tidepost <r+abc@tidepost.example>\r\nwrote:\r\n\r\n> hello\r\n\r\nsink F5\r\n"
    )
    message = open_message(TEXT + b"\r\n" + quote, OWN_NAMES)
    assert isinstance(message, Message)
    reply = read(message, lambda _: True, OWN_NAMES)
    assert "@tidepost.example" not in "".join((*reply.lines, *reply.left, reply.rest))


def checked(raw: bytes, sender: str | None = None) -> None:
    """It does not raise, and says nothing that is not there."""
    message = open_message(raw, OWN_NAMES, sender)
    if isinstance(message, Unreadable):
        return
    assert len(message.identity) == 64
    reply = read(message, is_command, OWN_NAMES)
    lines = message.body.split("\n")
    for command in (*reply.lines, *reply.left):
        assert is_command(command)
        assert any(line.endswith(command) for line in lines)
    assert {*reply.rest.split("\n")} <= {*lines, ""}
    assert bool(reply.lines) != bool(reply.reason)


@given(st.binary(max_size=2000))
def test_any_bytes_are_read_or_refused(raw):
    checked(raw)


LINES = st.sampled_from(
    [
        *(
            "",
            "sink F5",
            "- sink G6",
            "> sink H7",
            ">",
            "> It is your turn",
            "hello",
            "Sent from my iPhone",
            "--",
        ),
        *("On Tuesday, Tidepost <r+abc@tidepost.example> wrote:", "wrote:", "From: x", "Sent: y", "_" * 30),
        *(
            "say " + "hello " * 12,
            "--- a title ---",
            "| bar",
            "x" * 1200,
            "\u202bsink F5",
            "sink\u00a0F5",
            "&gt; a",
        ),
        *(
            "Tidepost",
            "<",
            "mailto:r+abc@tidepost.example",
            "> wrote:",
            "https://tidepost.example/m/42",
            "  ",
        ),
    ]
)
NAMES = ["From", "To", "Subject", "Message-ID", "References", "Date", "Content-Type", "Content-Disposition"]
VALUES = st.one_of(
    st.sampled_from(
        [
            *(
                "<",
                "<>",
                "ann@players.example",
                "=?utf-8?q?=0a?= <a@b.example>",
                "=?x?b?=?=",
                "((((",
                '"',
                "text/html",
            ),
            *(
                "text/plain; charset=uft-8",
                "text/plain; format=flowed; delsp=yes",
                "multipart/mixed",
                "message/rfc822",
            ),
            *(
                "multipart/mixed; boundary=b",
                "text/calendar; method=REPLY",
                "=?utf-8?q?text/plain?=",
                "x/y; a*0=b; a*x=c",
            ),
            *(
                "text/plain; charset*=utf-8''utf-8",
                "attachment",
                "text/plain; charset=idna",
                "message/delivery-status",
            ),
        ]
    ),
    st.text(max_size=30),
    st.binary(max_size=30),
)


@settings(max_examples=examples(300))
@given(st.lists(LINES, max_size=25))
def test_whatever_stands_above_whatever_no_line_is_made_up(lines):
    checked(TEXT + "\r\n".join(lines).encode())


@settings(max_examples=examples(200))
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=8),
    st.lists(st.one_of(LINES, st.just("--b"), st.just("--b--"), st.text(max_size=40)), max_size=25),
    st.sampled_from(["utf-8", "utf-16", "iso-2022-jp", "gb18030"]),
    st.sampled_from([None, "", "<>", "ann@players.example"]),
)
def test_whatever_the_headers_say_nothing_is_raised(headers, lines, charset, sender):
    head = b"".join(
        name.encode()
        + b": "
        + (value if isinstance(value, bytes) else value.encode(errors="replace"))
        + b"\r\n"
        for name, value in headers
    )
    checked(head + b"\r\n" + "\r\n".join(lines).encode(charset, "replace"), sender)


@settings(max_examples=examples(100))
@given(
    st.lists(
        st.one_of(
            LINES,
            st.sampled_from(
                ["<div>", "</div>", "<blockquote>", "</blockquote>", "<br>", "<p>", "<pre>", "<hr>", "<td>"]
            ),
        ),
        max_size=30,
    )
)
def test_whatever_html_comes_nothing_is_raised(pieces):
    checked(HTML + "".join(pieces).encode())
