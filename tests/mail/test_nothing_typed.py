"""A mail without a text that can be read: what came is said, and what would do. Nothing is called a quote
that is none."""

import base64

import pytest

from app.mail.inbound.reading import Message, OwnNames, open_message, read
from app.mail.inbound.reading.hypertext import MOST_HTML, MOST_TAGS, text_of
from app.mail.inbound.reading.text import MOST_TEXT
from app.mail.inbound.store import take_in
from tests.mail.test_silence import address, answer, head, parts, post
from tests.work import lines_run

__all__ = ["post"]
HOUSE = OwnNames(domain="tidepost.example")
DATA = base64.encodebytes(b"\x00\x01\x02" * 60)
QUOTE = b"Content-Type: text/plain\r\n\r\n> It's your turn in Ferry.\r\n> Answers: bid 1\r\n"
SIGNED = b"Content-Type: text/plain\r\n\r\n\r\nSent from my phone\r\n"
BLANK = b"Content-Type: text/plain\r\n\r\n \xc2\xa0\r\n"
RTF = rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}\f0\fs20 bid 2\par\par Ann\par}"


def file(kind: str, *, named: str = "", more: str = "") -> bytes:
    name = f'; name="{named}"' if named else ""
    return f"Content-Type: {kind}{name}\r\n{more}Content-Transfer-Encoding: base64\r\n\r\n".encode() + DATA


ONLY = {
    "winmail": [
        file("application/ms-tnef", named="winmail.dat"),
        file("application/vnd.ms-tnef"),
        file("application/octet-stream", named="winmail.dat"),
    ],
    "recording": [file("audio/amr", named="a.amr"), file("audio/mp4"), file("video/quicktime")],
    "picture": [
        file("image/jpeg", named="note.jpg"),
        file("image/heic"),
        file("image/png", more="Content-ID: <1>\r\n"),
    ],
    "file": [
        file("application/pdf", named="move.pdf"),
        file("application/msword", named="move.doc"),
        file("application/octet-stream"),
        file("text/plain", named="a.txt", more="Content-Disposition: attachment\r\n")
        + b"--B\r\n"
        + file("text/plain", named="b.txt", more="Content-Disposition: attachment\r\n"),
        b"Content-Type: text/vcard; name=me.vcf\r\n\r\nBEGIN:VCARD\r\nEND:VCARD\r\n",
    ],
    "calendar": [b"Content-Type: text/calendar; method=PUBLISH\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"],
    "another email": [b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nbid 2\r\n"],
}  # fmt: skip
MANY = [(word, one) for word, each in ONLY.items() for one in each]


def told(post, content: bytes, *headers: str) -> str:
    take_in(post.store, post.settings, head(post, *headers) + content, [address(post)], "stdin")
    post.deliver()
    assert post.moves() == []
    return answer(post)


@pytest.mark.parametrize(("word", "part"), MANY)
@pytest.mark.parametrize("beside", [None, BLANK, SIGNED])
def test_what_came_instead_of_text_is_named(post, word, part, beside):
    said = told(post, parts(part) if beside is None else parts(beside, part))
    assert word in said
    assert "only quoted text" not in said
    assert "Write your move as text" in said or "plain text" in said


@pytest.mark.parametrize(
    "part", [ONLY["winmail"][0], ONLY["recording"][0], ONLY["picture"][0], ONLY["file"][0]]
)
def test_it_is_named_above_a_quote_too(post, part):
    assert "we found no text of yours in your email, only" in told(post, parts(QUOTE, part))


def test_the_pictures_of_a_quote_are_no_answer(post):
    assert "only quoted text" in told(post, parts(QUOTE, file("image/png", more="Content-ID: <board>\r\n")))


def test_a_whole_mail_can_be_a_picture(post):
    assert "only a picture" in told(post, file("image/jpeg"), "MIME-Version: 1.0")


@pytest.mark.parametrize(
    "content", [b"\r\n", b"\r\n\r\n  \r\n", b"Content-Type: text/html\r\n\r\n<p>&nbsp;</p>", parts(SIGNED)]
)
def test_an_empty_mail_is_called_empty(post, content):
    said = told(post, content)
    assert "we found no text in your email" in said
    assert "quoted" not in said.partition("text in your email")[0]


@pytest.mark.parametrize("content", [b"\r\n", parts(QUOTE), parts(BLANK, file("image/png"))])
def test_a_move_in_the_subject_is_asked_about(post, content):
    raw = head(post).replace(b"Subject: Re: your turn", b"Subject: bid 2") + content
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert post.moves() == []
    assert "we don’t play what the subject says. If you mean “bid 2”, write it on the first line" in answer(
        post
    )


def test_a_subject_beside_a_text_is_nothing(post):
    raw = head(post).replace(b"Subject: Re: your turn", b"Subject: bid 1") + b"\r\nbid 2\r\n"
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


@pytest.mark.parametrize("kind", ["text/rtf", "application/rtf"])
def test_rich_text_is_read(post, kind):
    content = f"Content-Type: {kind}\r\n\r\n".encode() + RTF
    take_in(post.store, post.settings, head(post) + content, [address(post)], "stdin")
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


@pytest.mark.parametrize(
    "rtf", [b"{" * 60_000, b"\\'fc" * 20_000, b"\\u1?" * 20_000, b'HYPERLINK "' * 5_000, b"\xff\x00"]
)
def test_no_rich_text_is_too_strange(rtf):
    opened = open_message(b"From: a@b.example\r\nContent-Type: text/rtf\r\n\r\n" + rtf, HOUSE)
    assert isinstance(opened, Message)


# ---- long pages


STYLES = "<style>" + ".x{color:red;font:12px serif}\n" * 6_000 + "</style>"
ABOVE = {
    "styles in the head": f"<html><head><title>x</title>{STYLES}</head><body>",
    "styles in the body": f"<body>{STYLES.upper()}",
    "remarks": "<body>" + "<!--[if gte mso 9]><xml><o:p></o:p></xml><![endif]-->" * 4_000,
    "scripts": "<body><script>" + "if (a < b) c();\n" * 9_000 + "</script >",
    "a picture in its address": '<body><img alt="" src="data:image/png;base64,' + "A" * 140_000 + '">',
    "a drawing": "<body><svg>" + "<path d='m0 0'/>" * 4_000 + "</svg>",
}


@pytest.mark.parametrize("above", ABOVE.values(), ids=ABOVE)
def test_what_nobody_sees_counts_for_no_limit(above):
    assert len(above) > MOST_HTML or above.count("<") > MOST_TAGS
    text, cut = text_of(f"{above}<p>sink F5</p><blockquote>before</blockquote></body></html>")
    assert (text.split(), cut) == (["sink", "F5", ">", "before"], False)


@pytest.mark.parametrize(
    "page",
    [
        "<p>a</p><style>b",
        "<p>a</p><!-- b",
        "<p>a</p><head>",
        "<p>a</p><script>b</scrip>",
        "<header>a</header>",
    ],
)
def test_what_has_no_end_is_left_to_the_parser(page):
    assert text_of(page)[0].strip().startswith("a")


@pytest.mark.parametrize("many", ["<style>", "<!--", "<head>", "<script></style>", "<svg", "<!-- -->"])
def test_a_page_is_looked_through_once(many):
    assert lines_run(lambda: text_of(many * 16_000)) < 25 * lines_run(lambda: text_of(many * 1_000))


HTML = b"Content-Type: text/html\r\n\r\n"
LONG = {
    "tags": HTML + b"<blockquote>" + b"<p>x</p>\r\n" * MOST_TAGS + b"</blockquote><p>bid 2",
    "text": HTML + b"<blockquote>" + (b"x" * 900 + b"\r\n") * 150 + b"</blockquote>bid 2",
    "plain": b"\r\n" + (b"> " + b"x" * 900 + b"\r\n") * (MOST_TEXT // 900 + 2) + b"bid 2\r\n",
}  # fmt: skip


@pytest.mark.parametrize("content", LONG.values(), ids=LONG)
def test_a_mail_that_is_too_long_is_called_so(post, content):
    assert "your email is longer than we can read" in told(post, content)


def test_a_move_above_a_long_quote_is_read():
    raw = b"From: a@b.example\r\n" + LONG["tags"].replace(b"<blockquote>", b"<p>bid 2</p><blockquote>")
    opened = open_message(raw, HOUSE)
    assert isinstance(opened, Message)
    assert read(opened, lambda line: line == "bid 2", HOUSE).lines == ("bid 2",)


@pytest.mark.parametrize(
    "content",
    [
        b"Content-Type: multipart/mixed; boundary=A\r\n\r\n--B\r\n\r\nbid 2\r\n--B--\r\n",
        b"Content-Type: multipart/mixed; boundary=A\r\n\r\nbid 2\r\n",
    ],
)
def test_parts_without_their_border_are_called_damaged(post, content):
    assert "your email is damaged" in told(post, content, "MIME-Version: 1.0")


@pytest.mark.parametrize("kind", ["text/csv", "text/xml", "application/json"])
def test_a_file_without_a_name_is_one(post, kind):
    assert "only an attached file" in told(post, f"Content-Type: {kind}\r\n\r\nbid 2\r\n".encode())


@pytest.mark.parametrize(
    "above",
    [
        b"From ada@example.org Mon Mar  2 09:00:00 2026\n",
        b">From ada@example.org Mon Mar  2 09:00:00 2026\r\n",
        b"\r\n\r\n",
        b"\n",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\r\nFrom x y\r\n",
    ],
)
def test_what_a_pipe_puts_above_the_headers_hides_no_sender(post, above):
    """The mail was dropped as if it came from nobody, and its writer heard nothing."""
    take_in(post.store, post.settings, above + head(post) + b"\r\nbid 2\r\n", [address(post)], "stdin")
    post.deliver()
    assert post.moves() == [("red", "bid 2")]
