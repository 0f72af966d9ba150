"""Text as people type it, without invisible characters, and with one form of line break and blank."""

import re

MOST_TEXT = 64_000
"""Characters of a message that are read."""
_JOINERS = "\u200c\u200d"  # Persian spelling and emoji need them
_UNSEEN = [
    *range(0x20), *range(0x7F, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5,
    *range(0x180B, 0x180F), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
    0x3164, *range(0xD800, 0xE000), 0xFEFF, 0xFFA0, *range(0xFFF9, 0xFFFC), *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE0020),
]  # fmt: skip
_BLANKS = [0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]
_CLEAN: dict[int, str | None] = {
    **{code: None for code in _UNSEEN if chr(code) not in _JOINERS},
    **dict.fromkeys(_BLANKS, " "),
    0x0A: "\n",
}
_STRAY_TAGS = re.compile(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])(?:(?<= )[\U000e0020-\U000e007f]+ |[\U000e0020-\U000e007f]+)"
)
"""Tags name the country of a flag, such as England's; elsewhere they only hide."""
_PARAMETER = re.compile(r"<param>[^<]{0,200}</param>", re.IGNORECASE)
_COMMAND = re.compile(r"</?[A-Za-z0-9-]{1,60}>")
_BREAKS = re.compile(r"\n+")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_ESCAPED = (("&gt;", ">"), ("&lt;", "<"), ("&nbsp;", " "), ("&amp;", "&"))
_ESCAPED_QUOTE = "&gt;"


def clean(text: str) -> str:
    """The text with line feeds and plain blanks, without invisible characters; at most `MOST_TEXT`.

    Lines lose the blanks around them. A quote mark that a program left as an escape of HTML is undone.
    """
    text = "\n".join(text[:MOST_TEXT].splitlines())
    seen = _STRAY_TAGS.sub("", text.translate(_CLEAN))
    return "\n".join(_quoted(line.strip()) for line in seen.split("\n"))


def unescaped(line: str) -> str:
    """The line without the escapes that some programs leave from HTML."""
    if "&" not in line:
        return line
    for escaped, plain in _ESCAPED:
        line = line.replace(escaped, plain)
    return line.strip()


def _quoted(line: str) -> str:
    """The line, with escaped quote marks at its beginning undone."""
    marks = ""
    while line.startswith(_ESCAPED_QUOTE):
        marks += ">"
        line = line.removeprefix(_ESCAPED_QUOTE).removeprefix(" ")
    return f"{marks} {line}".strip() if marks else line


def unflowed(text: str, *, drop_blank: bool) -> str:
    """The lines of `format=flowed` joined again: each that ends in a blank goes on in the next.

    Only within one depth of quotes; a signature's mark stays alone. `drop_blank`: DelSp was set.
    """
    joined: list[list[str]] = []
    open_depth = -1
    for raw in text[: 2 * MOST_TEXT].splitlines():
        depth = len(raw) - len(raw.lstrip(">"))
        line = raw[depth:].removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        kept = line[:-1] if flows and drop_blank else line
        if depth == open_depth and line != "-- ":
            joined[-1].append(kept)
        else:
            joined.append([">" * depth + " " if depth else "", kept])
        open_depth = depth if flows else -1
    return "\n".join("".join(parts) for parts in joined)


def unenriched(text: str) -> str:
    """The lines of enriched text (RFC 1896) without its commands: a single line break is a blank."""
    text = text.replace("<<", "\x00").replace("\r\n", "\n")
    filled = "<nofill>" not in text.casefold()
    text = _COMMAND.sub("", _PARAMETER.sub("", text)).replace("\x00", "<")
    return _BREAKS.sub(lambda found: " " if len(found[0]) == 1 else found[0][1:], text) if filled else text


def unsigned(text: str) -> str:
    """Clean text without the head of an inline signature, and without the dashes that escape its dashes."""
    lines = text.lstrip("\n").split("\n")
    if lines[0] != _SIGNED or "" not in lines:
        return text
    return "\n".join(line.removeprefix("- ") for line in lines[lines.index("") + 1 :])
