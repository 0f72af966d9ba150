"""HTML into text: typed lines as they are, quoted lines behind `>`."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_HTML = 128_000
"""Characters of HTML that are read, without those that nobody sees."""
MOST_TAGS = 2_500
"""The tags that are read; the time of a browser's parser grows with the square of the nesting."""
_UNREAD = re.compile(r"<!--|<(head|style|script|title|svg)\b", re.IGNORECASE)
"""Beginnings of what is left out before the limits count: programs write pages of it above two words."""
_ENDS = {
    name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("head", "style", "script", "title", "svg")
}
_DATA = re.compile(r"data:[a-z]+/[^\s\"'<>]{40,}", re.IGNORECASE)
"""A picture inside an address."""
_NOTHING = frozenset(
    ("head", "style", "script", "title", "template", "noscript", "svg", "math", "object", "iframe", "select")
)
_LINES = frozenset((
    "address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "ol", "p", "pre", "section", "table", "tr",
    "ul",
))  # fmt: skip
_QUOTES = frozenset((
    "gmail_quote", "gmail_quote_container", "gmail_extra", "moz-cite-prefix", "protonmail_quote",
    "yahoo_quoted", "tutanota_quote", "zmail_extra", "ms-outlook-mobile-reference-message",
))  # fmt: skip
"""Ids and classes of quotes, by program."""
_QUOTES_AND_AFTER = frozenset((
    "divrplyfwdmsg", "appendonsend", "olk_src_body_section", "hm_bc", "stopspelling", "__divider__",
    "__headers__",
))  # fmt: skip
"""Marks after which everything is quoted."""
_STRUCK = frozenset(("s", "strike", "del"))
_STRIKE = "~~"
"""Around text that its writer struck out, as in Markdown: so it is no command."""
_UNSEEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all"
    r"|(?:font-size|max-height|max-width|opacity):0(?:\.0*)?(?:px|pt|em|rem|%)?(?:;|!|$)"
)
RULE = "_" * 24
MOST_LINES = 2_000
"""The lines of one preformatted text."""


def text_of(html: str) -> tuple[str, bool]:
    """The text of an HTML page, quotes behind `>` and without hidden elements, and whether it was cut."""
    seen = _DATA.sub("", _seen(html))
    kept = _cut(seen[:MOST_HTML])
    root = LexborHTMLParser(kept).root
    return _Writer().written(root) if root is not None else "", len(kept) < len(seen)


def _seen(html: str) -> str:
    """The page without styles, scripts and remarks that end."""
    kept: list[str] = []
    at = looked = 0
    ended: set[str] = set()
    while (found := _UNREAD.search(html, looked)) is not None:
        name = (found[1] or "").casefold()
        looked = found.end()
        if name in ended:
            continue
        if name:
            end = _ENDS[name].search(html, looked)
            stop = end.end() if end is not None else -1
        else:
            stop = html.find("-->", looked) + 3 if html.find("-->", looked) >= 0 else -1
        if stop < 0:
            ended.add(name)  # nor does any later one
            continue
        kept.append(html[at : found.start()])
        at = looked = stop
    return "".join([*kept, html[at:]])


def _cut(html: str) -> str:
    """The page up to the limit of tags."""
    at = -1
    for _ in range(MOST_TAGS):
        at = html.find("<", at + 1)
        if at < 0:
            return html
    return html[:at]


class _Writer:
    """Walks the tree once, without recursion."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        self.depth = 0
        self.after = False
        self.kept = 0

    def written(self, root: LexborNode) -> str:
        node: LexborNode | None = root
        while node is not None:
            going_in = self.enter(node)
            child = node.child if going_in else None
            if child is not None:
                node = child
                continue
            if going_in:
                self.leave(node)
            following = node.next
            while following is None:
                parent = node.parent
                if parent is None or parent.mem_id == root.mem_id:
                    break
                node = parent
                self.leave(node)
                following = node.next
            node = following
        self.end_line()
        return "\n".join(self.lines)

    def enter(self, node: LexborNode) -> bool:
        """Write the beginning of a node; returns whether to read its children."""
        tag = node.tag or ""
        if node.is_text_node:
            text = node.text_content or ""
            if self.kept:
                before, *more = text.split("\n", MOST_LINES)
                self.words.append(before)
                for line in more:
                    self.end_line()
                    self.words.append(line)
            else:
                self.words.append(" ".join(f"x{text}x".split())[1:-1])
            return False
        if not node.is_element_node or tag in _NOTHING:
            return tag == "-document"
        marks = _marks(node)
        if "hidden" in marks:
            return False
        if tag == "br":
            self.end_line(always=True)
        elif tag == "hr":
            self.end_line()
            self.lines.append(self.prefix() + RULE)
        elif tag in ("td", "th"):
            self.words.append(" ")
        if _is_struck(tag, node):
            self.words.append(_STRIKE)
        if tag in _LINES:
            self.end_line()
        if tag == "pre":
            self.kept += 1
        if marks & _QUOTES_AND_AFTER and not self.after:
            self.end_line()
            self.after = True
        if _is_quote(tag, marks):
            self.end_line()
            self.lines.append("")
            self.depth += 1
        return True

    def leave(self, node: LexborNode) -> None:
        """Write the end of a node."""
        tag = node.tag or ""
        if not node.is_element_node:
            return
        if _is_struck(tag, node):
            self.words.append(_STRIKE)
        if tag in _LINES:
            self.end_line()
        if tag == "p":
            self.lines.append(self.prefix())
        if tag == "pre":
            self.kept -= 1
        if _is_quote(tag, _marks(node)):
            self.end_line()
            self.depth -= 1
            self.lines.append("")

    def prefix(self) -> str:
        return ">" * min(self.depth + self.after, 9) + " " if self.depth or self.after else ""

    def end_line(self, *, always: bool = False) -> None:
        line = "".join(self.words)
        self.words.clear()
        if always or line.strip():
            self.lines.append(self.prefix() + line)


def _is_quote(tag: str, marks: frozenset[str]) -> bool:
    return tag == "blockquote" or bool(marks & _QUOTES)


def _is_struck(tag: str, node: LexborNode) -> bool:
    return tag in _STRUCK or "line-through" in _style(node)


def _style(node: LexborNode) -> str:
    return (node.attributes.get("style") or "")[:300].casefold().replace(" ", "")


def _marks(node: LexborNode) -> frozenset[str]:
    """A node's id and classes, without Outlook's prefixes; `hidden` if it is not shown."""
    attributes = node.attributes
    if not attributes:
        return frozenset()
    words = [
        word.removeprefix("x_").removeprefix("x_")
        for name in ("id", "class", "data-marker")
        for word in (attributes.get(name) or "")[:300].casefold().split()
    ]
    style = _style(node)
    if "hidden" in attributes or _UNSEEN.search(style):
        words.append("hidden")
    return frozenset(words)
