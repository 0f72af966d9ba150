"""Bytes into text: what was typed is what the others read, whatever name a program gives its set."""

import pytest

from app.mail.inbound.reading.charsets import decoded, is_garbled
from app.mail.inbound.store import take_in
from tests.mail.test_silence import address, answer, head, post
from tests.play import cast

__all__ = ["post"]

SETS = [
    ("x-mac-roman", "mac_roman", "café"),
    ("macintosh", "mac_roman", "café"),
    ("x-mac-cyrillic", "mac_cyrillic", "да"),
    ("x-mac-ce", "mac_latin2", "řeč"),
    ("windows-31j", "cp932", "①"),
    ("csWindows31J", "cp932", "①"),
    ("x-sjis", "cp932", "こんにちは"),
    ("x-mac-japanese", "cp932", "こ"),
    ("x-euc-jp", "euc_jp", "こんにちは"),
    ("iso-2022-jp", "iso2022_jp", "こんにちは"),
    ("iso-2022-jp-ms", "iso2022_jp", "こんにちは"),
    ("csISO2022JP", "iso2022_jp", "こんにちは"),
    ("cp50221", "iso2022_jp", "こんにちは"),
    ("iso-2022-jp", "iso2022_jp_ext", "漢字 ｱｲｳ kana"),
    ("x-gbk", "gbk", "你好"),
    ("windows-936", "gbk", "你好"),
    ("x-mac-chinesetrad", "cp950", "你好"),
    ("x-windows-949", "cp949", "안녕"),
    ("windows-874", "cp874", "สวัสดี"),
    ("dos-862", "cp862", "שלום"),
    ("ibm-850", "cp850", "é"),
    ("IBM850", "cp850", "é"),
    ("cp-850", "cp850", "é"),
    ("x-cp1251", "cp1251", "да"),
    ("win-1251", "cp1251", "да"),
    ("utf8mb4", "utf-8", "é🙂"),
    ("unicode", "utf-16", "é🙂"),
]


@pytest.mark.parametrize(("name", "codec", "text"), SETS)
def test_a_set_is_known_by_the_names_that_programs_give_it(name, codec, text):
    assert decoded(text.encode(codec), name) == text
    assert decoded(text.encode(codec), f' "{name.upper()}" ') == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"say \x1b$B-!\x1b(B ok", "say ① ok"),
        (b"\x1b$B-j\x1b(J", "㈱"),
        (b"\x1b$B$3\x1b(B \x1b(I1\x1b(B", "こ ｱ"),
    ],
)
def test_signs_that_programs_add_to_the_japanese_set_are_read(data, text):
    assert decoded(data, "iso-2022-jp") == text


@pytest.mark.parametrize(
    "data", [b"\x1b", b"\x1b$B", b"\x1b$B\xff\xff\xff", b"\x1b$(D0!\x1b(B", b"\xff" * 9, b"\x1b" * 9_000]
)
@pytest.mark.parametrize(
    "name", ["iso-2022-jp", "x-", "cs", "x-x-x", "windows-99999", "dos", "hex", "x-rot13"]
)
def test_no_bytes_and_no_name_are_too_strange(data, name):
    assert isinstance(decoded(data, name), str)


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        ("x-nobody-knows", "koi8-r", "Привет"),
        ("utf-8", "cp1251", "Привет"),
        ("", "gbk", "你好吗"),
        ("", "cp1256", "سلام"),
    ],
)
def test_a_guess_that_is_probably_wrong_is_known(name, codec, text):
    assert is_garbled(text.encode(codec), name)
    assert not is_garbled(text.encode(codec), codec)
    assert not is_garbled(text.encode(), name)


@pytest.mark.parametrize("text", ["say “hi”, it’s a café", "Größe naïve…", "100 €", "plain"])
def test_a_guess_that_is_probably_right_is_taken(text):
    assert not is_garbled(text.encode("cp1252"), "us-ascii")


@pytest.mark.parametrize("line", ["say Привет", "note Привет"])
def test_a_text_that_cannot_be_read_goes_to_nobody(post, line):
    raw = head(post, "Content-Type: text/plain; charset=x-nobody-knows") + b"\r\n" + line.encode("koi8-r")
    take_in(post.store, post.settings, raw + b"\r\nbid 2\r\n", [address(post)], "stdin")
    post.deliver()
    assert "We couldn’t read all the letters of this text" in answer(post)
    assert cast.rows(post.store, "SELECT 1 FROM note") == []
    assert post.moves() == []
