"""Bytes into text, whichever character set a message declares."""

import codecs
import re

_KNOWN = (
    *("utf", "iso", "cp", "koi8", "mac", "big5", "gb", "hz", "euc", "shift", "johab"),
    *("ascii", "latin", "tis", "ptcp", "kz1048", "hp", "windows"),
)
"""Prefixes of the sets that mail uses. Python has others: some take forever, some run escapes."""
_WIDER = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
}
"""Sets that programs declare when they use a larger one."""


_OTHER_NAMES = {
    **dict.fromkeys(("windows-31j", "windows31j", "ms932", "x-ms-cp932", "cp943", "mac-japanese"), "cp932"),
    **dict.fromkeys(("iso-2022-jp-ms", "cp50220", "cp50221", "cp50222", "jis"), "iso-2022-jp"),
    **dict.fromkeys(("mac-ce", "mac-centraleurroman", "mac-centeuro"), "mac-latin2"),
    **dict.fromkeys(("mac-chinesesimp", "gb", "chinese", "hz-gb"), "gb18030"),
    "mac-chinesetrad": "cp950",
    "mac-korean": "cp949",
    "windows-874": "cp874",
    "unicode": "utf-16",
}
"""Names that programs give to sets and Python doesn't know, without `x-`."""
_PAGE = re.compile(r"(?:windows|win|dos|ibm|cp|ms|microsoft-cp|oem)-?_?([0-9]{3,5})")
_IN_A_ROW = re.compile(r"[^\x00-\x7f\s\u2010-\u2026]{3}|\ufffd")
_ESCAPED = re.compile(
    rb"(?P<escape>\x1b(?:\$\([@BDOPQ]|\$[@AB]|\([BJIH]))?(?P<text>[^\x1b]*|\x1b)", re.DOTALL
)
_TWO_BYTES = (b"\x1b$@", b"\x1b$B", b"\x1b$(@", b"\x1b$(B")
_HALF_WIDTH = b"\x1b(I"


def decoded(data: bytes, charset: str) -> str:
    """The text: as declared, else as UTF-8, else as Windows' western set with gaps marked."""
    named = _named(charset)
    japanese = named is not None and named.startswith("iso2022_jp")
    for name in ("iso2022_jp_ext", "cp932") if japanese else (named, "utf-8"):
        if name:
            try:
                return (_shifted(data) if name == "cp932" and japanese else data).decode(name)
            except (UnicodeError, ValueError):
                continue
    return data.decode("cp1252", "replace")


def is_garbled(data: bytes, charset: str) -> bool:
    """Whether the text is a guess and probably wrong: three letters beyond ASCII in a row are rare in it."""
    text = decoded(data, charset)
    return _IN_A_ROW.search(text) is not None and text == data.decode("cp1252", "replace")


def _shifted(data: bytes) -> bytes:
    """Japanese text with escapes in the form without: only that set has the signs that programs add to it."""
    kept = []
    for found in _ESCAPED.finditer(data):
        text = found["text"]
        if found["escape"] in _TWO_BYTES:
            pairs = zip(text[::2], text[1::2], strict=False)
            kept.append(b"".join(_shift(row & 0x7F, cell & 0x7F) for row, cell in pairs))
        elif found["escape"] == _HALF_WIDTH:
            kept.append(bytes(byte | 0x80 for byte in text))
        else:
            kept.append(text)
    return b"".join(kept)


def _shift(row: int, cell: int) -> bytes:
    """The place of a sign in Shift_JIS, by its place in JIS X 0208."""
    first = (row + 1) // 2 + (0x70 if row < 0x5F else 0xB0)
    second = cell + (0x1F + (cell >= 0x60) if row % 2 else 0x7E)
    return bytes((first & 0xFF, second & 0xFF))


def _named(charset: str) -> str | None:
    """Python's name of a set that a message can be in, or None."""
    words = charset.replace('"', " ").replace("'", " ").split()
    wanted = words[0].casefold()[:40] if words else ""
    wanted = _OTHER_NAMES.get(wanted, wanted)
    bare = wanted.removeprefix("x-").removeprefix("cs")
    page = _PAGE.fullmatch(bare)
    for spelling in (
        wanted,
        wanted.removesuffix("-i").removesuffix("-e"),
        _OTHER_NAMES.get(bare, bare),
        f"cp{page[1]}" if page is not None else wanted,
    ):
        if not spelling.isascii() or not spelling.replace("-", "").replace("_", "").isalnum():
            return None
        try:
            name = codecs.lookup(spelling).name
        except (LookupError, ValueError):
            continue
        return _WIDER.get(name, name) if name.startswith(_KNOWN) else None
    return None
