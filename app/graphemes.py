"""Texts by what readers see as one character, and by the columns that it takes in a font of fixed width.

A grapheme may be many characters of Unicode: a flag, a family of emoji, a letter with its marks, a Korean
syllable. None is ever cut in two.
"""

import re
import textwrap

from wcwidth import grapheme_boundary_before, iter_graphemes, width

__all__ = ["cut", "padded", "unfolded", "width", "wrapped"]

_MARKS = re.compile("[\u2066-\u2069]")
_PIECES = re.compile("[\u2066-\u2068][^\u2066-\u2069]*\u2069|[ \t]+|[^ \t\u2066-\u2069]+|[\u2066-\u2069]")
"""A text that is isolated in its direction, white space, a word, or a lone mark."""
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60"
)
_CLOSERS = (
    "、。，．：；？！・」』）］｝】〉》〕”’…—〜～"
    "ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞヽヾ%％,.!?:;)]}"
)
_OPENERS = "「『（［｛【〈《〔“‘([{"
_FOLD = r"\n[ \t]+"
"""Where a line goes on below, indented."""
_BREAK = re.compile(
    rf"(?<![{re.escape(_OPENERS)}])(?![{re.escape(_CLOSERS)}])(?:(?<=[{_WIDE}])(?=.)|(?<=.)(?=[{_WIDE}]))"
)
"""Where a line may break beside a wide character: not before marks that close, nor behind those that open."""


def cut(text: str, longest: int, mark: str = "") -> str:
    """The beginning of a text, of at most so many characters of Unicode; whole if it is no longer.

    It ends with `mark` if it was cut, and never within a grapheme, but for one that is too long by itself.
    """
    if len(text) <= longest:
        return text
    most = max(longest - len(mark), 1)
    end = (
        most if text[: most + 1].isascii() and "\r" not in text else grapheme_boundary_before(text, most + 1)
    )
    return (text[: end or most].rstrip() if mark else text[: end or most]) + mark


def padded(text: str, columns: int, *, before: bool = False) -> str:
    """The text with spaces behind it, or before it, up to so many columns; a longer one as it is."""
    spaces = " " * (columns - width(text))
    return spaces + text if before else text + spaces


def wrapped(
    text: str,
    columns: int = 79,
    break_long_words: bool = True,
    wrapstring: str = "\n",
    break_on_hyphens: bool = True,
) -> str:
    """The text in lines of so many columns, joined by `wrapstring`. Its own line breaks stay.

    Lines break at spaces, and between wide characters where Chinese and Japanese allow it. What is isolated
    in its direction stays on one line if it fits, and a text that is isolated as a whole is so in each line.
    """
    if len(text) <= columns and text.isascii() and text.isprintable():
        return text.rstrip(" ")  # most texts are one line
    around = _around(text)
    inner = text[1:-1] if around else text
    lines = [
        line
        for paragraph in inner.splitlines()
        for line in _lines(paragraph, columns, break_long_words, break_on_hyphens)
    ]
    return wrapstring.join(f"{around}{line}\u2069" if around and line else line for line in _closed(lines))


def unfolded(text: str, *, close: bool = False) -> str:
    """The text with each indented line put behind the one before it.

    A space stands between, but not between two wide characters, nor behind a wide mark. `close`: nor beside
    any wide character, as in Japanese.
    """
    wide = rf"[{_WIDE}]"
    chinese = rf"(?<=[、。，：；？！」』）]){_FOLD}|(?<={wide}){_FOLD}(?={wide})"
    japanese = rf"(?<={wide}){_FOLD}|{_FOLD}(?={wide})"
    return re.sub(_FOLD, " ", re.sub(japanese if close else chinese, "", text))


def _closed(lines: list[str]) -> list[str]:
    """The lines, with what is isolated over several of them isolated in each."""
    found, still = [], ""
    for line in lines:
        begun = still
        for one in _MARKS.findall(line):
            still = still[:-1] if one == "\u2069" else still + one
        found.append(begun + line + "\u2069" * len(still))
    return found


def _around(text: str) -> str:
    """The mark that isolates a text as a whole, if one does."""
    alone = text[:1] in ("\u2066", "\u2067", "\u2068") and text.endswith("\u2069")
    if not alone:
        return ""
    depth = 0
    for at, one in enumerate(text):
        depth += (one in "\u2066\u2067\u2068") - (one == "\u2069")
        if depth == 0:
            return text[0] if at == len(text) - 1 else ""
    return ""


def _lines(text: str, columns: int, break_long_words: bool, break_on_hyphens: bool) -> list[str]:
    if len(text) == width(text) and not _MARKS.search(text):
        return textwrap.wrap(
            text,
            columns,
            expand_tabs=False,
            replace_whitespace=False,
            break_long_words=break_long_words,
            break_on_hyphens=break_on_hyphens,
        ) or [""]
    lines, line, space = [], "", ""
    for piece in _pieces(text, columns):
        if not piece.strip(" \t"):
            space = piece
            continue
        for part in _broken(piece, columns) if break_long_words else [piece]:
            if line and width(line) + width(space) + width(part) > columns:
                lines.append(line)
                line, space = part, ""
            else:
                line, space = line + (space if line else "") + part, ""
    return [*lines, line]


def _pieces(text: str, columns: int) -> list[str]:
    """The parts of a text between which a line may break, with its white space."""
    found: list[str] = []
    for piece in _PIECES.findall(text):
        isolated = piece[0] in "\u2066\u2067\u2068" and len(piece) > 2
        if isolated and width(piece) > columns:
            parts = _pieces(piece[1:-1], columns)
            parts[0], parts[-1] = piece[0] + parts[0], parts[-1] + piece[-1]
            found += parts
        else:
            found += [piece] if isolated or not piece.strip(" \t") else _BREAK.split(piece)
    return _joined(found)


def _joined(pieces: list[str]) -> list[str]:
    """The pieces, with a mark that closes put to what stands before it."""
    found: list[str] = []
    for piece in pieces:
        if not piece:
            continue
        glued = found and found[-1].strip(" \t") and piece.strip(" \t")
        if glued and (piece[0] in _CLOSERS or found[-1][-1] in _OPENERS or _is_narrow_pair(found[-1], piece)):
            found[-1] += piece
        else:
            found.append(piece)
    return found


def _is_narrow_pair(before: str, after: str) -> bool:
    """Whether two pieces without a space between them are one word: neither is wide where they meet."""
    return not re.search(rf"[{_WIDE}]\u2069?$", before) and not re.match(rf"[\u2066-\u2068]?[{_WIDE}]", after)


def _broken(text: str, columns: int) -> list[str]:
    """A word that is too long for a line, in parts that aren't, between graphemes; others whole."""
    if width(text) <= columns:
        return [text]
    parts = [""]
    for one in iter_graphemes(text):
        if parts[-1] and width(parts[-1] + one) > columns:
            parts.append("")
        parts[-1] += one
    return parts
