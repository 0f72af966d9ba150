"""English that is left in a page or an email of another language, and other faults of it."""

import re
from email.message import EmailMessage

from selectolax.lexbor import LexborHTMLParser

from app.words import direction

SAME = "[translate=no], code, kbd, pre, svg, script, style, textarea, select, [hreflang], bdi"
"""Elements whose text is the same in every language, is somebody's own, or is in its own language."""
_ON_PAGES = re.compile(r"(?<![\w/.#@])[A-Za-z][a-z]{2,}(?![\w@/]|\.[a-z])")
_IN_EMAILS = re.compile(r"(?<![\w/.#@-])[A-Za-z][a-z]{2,}(?![\w@/]|\.[a-z]|-\w)")
_LOOSE = re.compile(r".{,12}[。？] [^\s|].{,6}")
_MARKS = re.compile("[\u2066-\u2069]")
_LINE = re.compile("https?://\\S*\u2069")
_HOLE = re.compile(r"\bNone\b|Undefined|\{[{%}]")
"""A fact that is missing, or a sentence that wasn't rendered."""


def on_page(html: str, known: set[str]) -> set[str]:
    """The Latin words of a page that aren't known, such as names and words of the notation."""
    tree = LexborHTMLParser(html)
    for node in tree.css(SAME):
        node.decompose()
    main = tree.body
    assert main is not None
    words = set(_ON_PAGES.findall(_MARKS.sub(" ", main.text(separator=" "))))
    for node in main.css("[aria-label], [title], [alt], [placeholder]"):
        for name in ("aria-label", "title", "alt"):
            words |= set(_ON_PAGES.findall(node.attributes.get(name) or ""))
    return words - known


def loose(html: str) -> list[str]:
    """Where a space stands between two sentences that are written without. Links are set apart by one."""
    tree = LexborHTMLParser(html)
    for node in tree.css(SAME):
        node.decompose()
    assert tree.body is not None
    return _LOOSE.findall(tree.body.text(separator="|"))


def typed_words(html: str) -> set[str]:
    """The words that a page shows as something to be typed."""
    return set(re.findall(r"[A-Za-z]+", " ".join(re.findall(r"<code[^>]*>([^<]*)</code>", html))))


def faults_of_page(html: str, language: str, known: set[str]) -> set[str]:
    """What is wrong with a page as one in the language: words, spaces, holes, and what it says it is."""
    found = on_page(html, known | typed_words(html)) | set(loose(html))
    said = f'<html lang="{language}" dir="{direction(language)}"'
    return found | ({f"not {said}"} if said not in html else set()) | set(_HOLE.findall(shown(html)))


def faults_of_email(message: EmailMessage, language: str, known: set[str]) -> set[str]:
    """What is wrong with an email as one in the language: the same, and how its lines are directed."""
    text, html = (_content(message, kind) for kind in ("plain", "html"))
    found = set(_HOLE.findall(text + html))
    for part in (str(message["Subject"]), text, shown(html)):
        found |= set(_IN_EMAILS.findall(re.sub(r"\S*(?:://|@)\S*|[\u2066-\u2069]", " ", part))) - known
    if message["Content-Language"] != language:
        found.add(f"Content-Language: {message['Content-Language']}")
    if f'<html lang="{language}" dir="{direction(language)}"' not in html:
        found.add("another direction or language")
    return found | {line for line in text.split("\n") if _is_directed_wrongly(line, language)}


def _is_directed_wrongly(line: str, language: str) -> bool:
    if len(re.findall("[\u2066-\u2068]", line)) != line.count("\u2069") or _LINE.search(line):
        return True
    persian = direction(language) == "rtl" and re.search("[\u0600-\u06ff]", line)
    return bool(persian) and line[0] not in "\u200f\u200e"


def _content(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))  # type: ignore[arg-type]
    assert part is not None
    return str(part.get_content())


def shown(html: str) -> str:
    """The text of an email or page that its language says: without boards, notation and addresses."""
    tree = LexborHTMLParser(html)
    for node in tree.css("style, script, pre, [translate=no], title"):
        node.decompose()
    assert tree.body is not None
    return tree.body.text(separator=" ")
