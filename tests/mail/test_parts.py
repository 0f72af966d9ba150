"""The text of mails in several parts, and in encodings that somebody added to on the way."""

import base64

import pytest

from app.mail.inbound.reading import Message, OwnNames, open_message

HOUSE = OwnNames(domain="tidepost.example")
PLAIN, PAGE = b"Content-Type: text/plain; charset=utf-8\r\n\r\n", b"Content-Type: text/html\r\n\r\n"
PICTURE = b"Content-Type: image/jpeg; name=a.jpg\r\nContent-Disposition: inline\r\n\r\nx\r\n"
FILE = b"Content-Type: text/plain\r\nContent-Disposition: inline; filename=moves.txt\r\n\r\nbid 9\r\n"
FOOTER = b"_______________\r\nPlayers, a list of ours\r\n"


def many(kind: str, *each: bytes, border: str = "B") -> bytes:
    begins = f"Content-Type: multipart/{kind}; boundary={border}\r\n\r\n".encode()
    line = f"--{border}".encode()
    return begins + b"".join(line + b"\r\n" + part + b"\r\n" for part in each) + line + b"--\r\n"


def body(content: bytes) -> list[str]:
    opened = open_message(b"From: a@b.example\r\nMIME-Version: 1.0\r\n" + content, HOUSE)
    assert isinstance(opened, Message)
    return [line for line in opened.body.split("\n") if line]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (many("mixed", PLAIN + b"bid 2", PICTURE, PLAIN + b"say hello"), ["bid 2", "say hello"]),
        (many("mixed", PLAIN + b"bid 2", PICTURE, PICTURE, PLAIN + b"say hello"), ["bid 2", "say hello"]),
        (many("mixed", PLAIN + b" ", PICTURE, PLAIN + b"bid 2"), ["bid 2"]),
        (many("mixed", PLAIN + b"a", PICTURE, PLAIN + b"b", PICTURE, PLAIN + b"c"), ["a", "b", "c"]),
        (many("mixed", PAGE + b"<p>bid 2</p>", PICTURE, PAGE + b"<p>say hello</p>"), ["bid 2", "say hello"]),
        # a file, a gateway's part right below, and the other form of the same text are no continuation
        (many("mixed", PLAIN + b"bid 2", PICTURE, FILE), ["bid 2"]),
        (many("mixed", PLAIN + b"bid 2", PLAIN + b"A gateway's words"), ["bid 2"]),
        (
            many(
                "mixed",
                many("alternative", PLAIN + b"bid 2", many("related", PAGE + b"bid 2", PICTURE), border="C"),
                PLAIN + b"A gateway's words",
            ),
            ["bid 2"],
        ),
    ],
)
def test_text_goes_on_behind_a_picture_and_only_there(content, lines):
    assert body(content) == lines


@pytest.mark.parametrize(
    "pointer",
    ["This message needs an HTML capable reader.", "Bitte HTML-Ansicht wählen.", "View as HTML: below"],
)
def test_a_programs_pointer_to_the_page_is_not_what_was_typed(pointer):
    assert body(many("alternative", PLAIN + pointer.encode(), PAGE + b"<p>bid 2</p>")) == ["bid 2"]
    assert body(PLAIN + pointer.encode()) == [pointer]


def test_a_long_text_about_html_is_its_writers():
    said = "say html " + "is a language " * 30
    assert body(many("alternative", PLAIN + said.encode(), PAGE + b"<p>other</p>")) == [said.strip()]


BASE64 = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: BASE64\r\n\r\n"


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        (base64.encodebytes("bid 2\nsay Grüße".encode()), ["bid 2", "say Grüße"]),
        (base64.encodebytes(b"bid 2\n") + FOOTER, ["bid 2", *FOOTER.decode().splitlines()]),
        (base64.encodebytes(b"bid 2\n").rstrip(b"=\n") + b"\n-- \nAnn", ["bid 2", "--", "Ann"]),
        (b"bid 2\r\n", ["bid 2"]),
        (b"bid 2\r\nboard\r\n", ["bid 2", "board"]),
        (b"Ym!lk\r\nI DI=\r\n", ["bid", "I DI="]),
        (b"", []),
        (b"==== ====\r\n", ["==== ===="]),
    ],
)
def test_lines_that_are_no_base64_are_read_as_they_stand(said, lines):
    assert body(BASE64 + said) == lines


@pytest.mark.parametrize("spelt", ["base64 (so)", "base64;", '"base64"', "BASE64 ;x=y"])
def test_an_encoding_is_known_with_what_does_not_belong_there(spelt):
    head = f"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {spelt}\r\n\r\n".encode()
    assert body(head + base64.encodebytes("say Grüße".encode())) == ["say Grüße"]
    quoted = head.replace(b"base64", b"quoted-printable").replace(b"BASE64", b"Quoted-Printable")
    assert body(quoted + b"say Gr=C3=BC=C3=9Fe") == ["say Grüße"]


@pytest.mark.parametrize(
    "page",
    [
        b'<div dir="ltr">bid 2</div>',
        b"<!DOCTYPE html><html><p>bid 2</p></html>",
        b"\r\n <p class=x>bid 2</p>",
    ],
)
def test_html_is_read_as_such_whatever_it_is_called(page):
    assert body(PLAIN + page) == ["bid 2"]
    assert body(b"Content-Type: application/xhtml+xml\r\n\r\n" + page) == ["bid 2"]


@pytest.mark.parametrize("line", [b"<b> is no tag of mine", b"<bid 2>", b"a <p> b"])
def test_text_with_brackets_is_text(line):
    assert body(PLAIN + line) == [line.decode()]


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0",
        "font-size: 0px;color:red",
        "MAX-HEIGHT:0; overflow:hidden",
        "opacity:0.0",
        "mso-hide:all",
    ],
)
def test_what_nobody_sees_is_not_read(style):
    assert body(PAGE + f'<div style="{style}">bid 1</div><p>bid 2</p>'.encode()) == ["bid 2"]


@pytest.mark.parametrize("style", ["font-size:0.9em", "opacity:0.8", "max-height:0.5em", "font-size:10px"])
def test_what_is_small_is_read(style):
    assert body(PAGE + f'<div style="{style}">bid 1</div>'.encode()) == ["bid 1"]


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="windows-1251">',
        "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>",
        "<meta charset=cp1251/>",
    ],
)
def test_a_page_names_its_own_set_where_the_header_names_none(meta):
    page = f"<html><head>{meta}</head><p>say Привет</p></html>".encode("cp1251")
    assert body(b"Content-Type: text/html\r\n\r\n" + page) == ["say Привет"]
    page = f"<html><head>{meta}</head><p>say Привет</p></html>".encode()
    assert body(b"Content-Type: text/html; charset=utf-8\r\n\r\n" + page) == ["say Привет"]
