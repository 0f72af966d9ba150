"""The verdict of the operator's mail server on a mail's sender: its Authentication-Results (RFC 8601)."""

import re
from collections.abc import Iterable, Iterator

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"?')
_SERVER = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^\s;"]+))\s*(?:[0-9]+\s*)?')
_RESULT = re.compile(r"\s*(?P<method>[a-z0-9_-]+)\s*(?:/\s*[0-9]+\s*)?=\s*(?P<result>[a-z0-9_-]+)")


def dmarc_fails(results: Iterable[str], server: str) -> bool:
    """Whether the named server says that the mail fails DMARC: it is not from the domain in its From.

    `results` are the Authentication-Results of a mail, the uppermost first. Each server writes its own above
    what was there, so the first with a verdict on DMARC counts: one below may have come with the mail. Those
    of other servers say nothing, and with no `server` none does.
    """
    if not server:
        return False
    for text in results:
        parts = list(_parts(text))
        found = _SERVER.fullmatch(parts[0])
        if found is None or _unescaped(found).casefold() != server.casefold():
            continue
        matches = (_RESULT.match(part.casefold()) for part in parts[1:])
        verdicts = [one["result"] for one in matches if one is not None and one["method"] == "dmarc"]
        if verdicts:
            return "fail" in verdicts
    return False


def _unescaped(found: re.Match[str]) -> str:
    quoted = found["quoted"]
    return found["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _parts(text: str) -> Iterator[str]:
    """The parts between semicolons, without comments. A semicolon in quotes or in a comment is no end."""
    part, at = "", 0
    while at < len(text):
        character = text[at]
        if character == '"':
            quoted = _QUOTED.match(text, at)
            assert quoted is not None
            part, at = part + quoted[0], quoted.end()
        elif character == "(":
            part, at = f"{part} ", _comment_end(text, at)
        elif character == ";":
            yield part
            part, at = "", at + 1
        else:
            part, at = part + character, at + 1
    yield part


def _comment_end(text: str, at: int) -> int:
    """The place after the comment that begins here; comments can hold others."""
    depth = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return at
