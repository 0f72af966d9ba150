"""Bytes into text, whichever character set a message declares."""

import codecs

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


def decoded(data: bytes, charset: str) -> str:
    """The text: as declared, else as UTF-8, else as Windows' western set with gaps marked."""
    for name in (_named(charset), "utf-8"):
        if name:
            try:
                return data.decode(name)
            except (UnicodeError, ValueError):
                continue
    return data.decode("cp1252", "replace")


def _named(charset: str) -> str | None:
    """Python's name of a set that a message can be in, or None."""
    words = charset.replace('"', " ").replace("'", " ").split()
    wanted = words[0].casefold()[:40] if words else ""
    for spelling in (wanted, wanted.removesuffix("-i").removesuffix("-e"), wanted.replace("cp-", "cp")):
        if not spelling.isascii() or not spelling.replace("-", "").replace("_", "").isalnum():
            return None
        try:
            name = codecs.lookup(spelling).name
        except (LookupError, ValueError):
            continue
        return _WIDER.get(name, name) if name.startswith(_KNOWN) else None
    return None
