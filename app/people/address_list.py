"""Lists of addresses as mail programs, spreadsheets and people write them, read or refused, never guessed."""

import re
from urllib.parse import unquote

import msgspec

from app.people.errors import Refused

LONGEST = 10_000
"""Characters."""
_TOKEN = re.compile(
    r"""
    (?P<quoted>"(?:[^"\\]|\\.)*") |
    (?P<angle><[^<>]*>) |
    (?P<comment>\([^()]*\)) |
    (?P<hard>;) |
    (?P<comma>,) |
    (?P<line>\n) |
    (?P<tab>\t) |
    (?P<word>(?:mailto:)?[^\s",;<>()]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WIDE = {code + 0xFEE0: chr(code) for code in range(0x21, 0x7F)} | {0x3000: " "}
"""Letters and signs as keyboards of Chinese and Japanese type them, and the narrow ones."""
_QUOTES = str.maketrans(
    {
        **{chr(wide): narrow for wide, narrow in _WIDE.items()},
        **dict.fromkeys("“”„«»「」『』", '"'),
        **dict.fromkeys("、،﹐", ","),
        **dict.fromkeys("؛﹔", ";"),
        **dict.fromkeys("\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"),
        "\u2039": "<",
        "\u203a": ">",
        "〈": "<",
        "〉": ">",
        "\xa0": " ",
    }
)
_WITH_MORE = re.compile(r"[<\u2039]|^mailto:", re.IGNORECASE)
_NAMED = re.compile(r"[^\s\"<>\u2039\u203a(),;:]+@[^\s\"<>\u2039\u203a(),;:?]+")
_SEPARATORS = frozenset({"hard", "comma", "line"})


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses of a list, unchecked, in their order and without the names beside them.

    Read are addresses between blanks, commas, semicolons, tabs and lines; `Name <address>`, `Last, First
    <address>` and quoted names; groups as in `Friends: …;`; `mailto:` links; and a name and an address in two
    cells of a row. Raises Refused("text_too_long"), and Refused("address_list") with the part that could be
    read in two ways or in none, and with the addresses that were read.
    """
    if len(text) > LONGEST:
        raise Refused("text_too_long", most=LONGEST, length=len(text))
    reader = _Reader()
    for token in _tokens(text):
        reader.take(token)
    reader.end_part()
    reader.end_entry()
    if reader.unread:
        raise Refused("address_list", part=reader.unread[0], read=reader.found)
    return tuple(reader.found)


def one_address(text: str) -> str:
    """The address of one person without the name beside it; the text itself where it is not just one."""
    text = text.strip()
    if len(text) <= LONGEST and not text.isascii() and "@" in (narrow := text.translate(_QUOTES)):
        text = narrow.strip()
    if not _WITH_MORE.search(text) or len(text) > LONGEST:
        return text
    try:
        found = addresses_in(text)
    except Refused:
        return text
    named = {one.casefold() for one in _NAMED.findall(text)} - {one.casefold() for one in found}
    return found[0] if len(found) == 1 and not named else text  # the name is another address: which is meant?


def _tokens(text: str) -> list[_Token]:
    """The parts of the text; what fits nowhere, such as half a pair of quotes, is a token without a kind."""
    text = text.translate(_QUOTES).replace("\r\n", "\n").replace("\r", "\n")
    found, at = [], 0
    for match in _TOKEN.finditer(text):
        if lost := text[at : match.start()].strip():
            found.append(_Token("", lost))
        assert match.lastgroup is not None
        found.append(_Token(match.lastgroup, match.group()))
        at = match.end()
    if lost := text[at:].strip():
        found.append(_Token("", lost))
    return found


class _Reader:
    """Reads tokens: an entry has parts between commas or lines, and ends with an address or a semicolon."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.unread: list[str] = []
        self._part: list[_Token] = []
        self._before: list[str] = []
        """Parts without an address: perhaps a last name, whose first name follows."""
        self._lines = False
        """A line ended after one of them."""

    def take(self, token: _Token) -> None:
        """Read the next token."""
        if token.kind == "angle":
            self._angle(_bare(token.text[1:-1]))
        elif token.kind == "word" and token.text.endswith(":") and "@" not in token.text:
            self._part, self._before, self._lines = [], [], False  # the name of a group, or "To:"
        elif token.kind in _SEPARATORS:
            self.end_part(line=token.kind == "line")
            if token.kind == "hard":
                self.end_entry()
        elif not token.kind:
            self.unread.append(token.text)
        elif token.kind != "comment":
            self._part.append(token)

    def _angle(self, address: str) -> None:
        """An address with the name before it."""
        if self._lines or len(self._before) > 1:
            self.unread += self._before
        elif any(_is_address(one) for one in self._part[:-1]):
            # Two addresses in one part, such as `a@x b@x <b@x>`: the first is one of its own.
            self.found += [_bare(one.text) for one in self._part[:-1] if _is_address(one)]
        self._part, self._before, self._lines = [], [], False
        self.found.append(address)

    def end_part(self, *, line: bool = False) -> None:
        """A comma, a line or the end of an entry: what stands before it is bare addresses, or a name."""
        part, self._part = [one for one in self._part if one.kind != "tab"], self._part
        tabbed = any(one.kind == "tab" for one in self._part)
        self._part = []
        bare = [one for one in part if _is_address(one)]
        others = " ".join(one.text for one in part if not _is_address(one))
        if bare and not (others and (len(bare) > 1 or not tabbed)):
            self.end_entry()
            self.found += [_bare(one.text) for one in bare]
        elif bare:
            self.end_entry()
            self.unread.append(" ".join(one.text for one in part))
        elif others:
            self._before.append(others)
        self._lines = self._lines or (line and bool(self._before) and bool(others))

    def end_entry(self) -> None:
        """A name without an address is left over."""
        self.unread += self._before
        self._before, self._lines = [], False


def _is_address(token: _Token) -> bool:
    return token.kind == "word" and "@" in token.text


def _bare(text: str) -> str:
    """The address without `mailto:`, its query, and marks of a sentence."""
    text = text.strip()
    if text.lower().startswith("mailto:"):
        text = unquote(text[len("mailto:") :].partition("?")[0])
    return text.strip(" .'<>")
