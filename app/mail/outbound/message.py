"""The message of a letter: headers for grouping and against automatic answers, and its parts."""

import unicodedata
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import css_inline
from jinja2 import Environment

from app import clock, templating, words
from app.graphemes import cut
from app.mail.core import reply_address, signed_addresses
from app.mail.core.context import LetterContext, Page
from app.mail.core.letter import Composed
from app.mail.outbound.direction import from_right_to_left
from app.mail.outbound.folding import SMTP
from app.settings import Settings
from app.words.han import closed_up

SITE = "Tidepost"
LONGEST = 180
"""Characters of a header's text."""
JOINTS = "\u200c\u200d"
"""Persian parts its words with the one; emoji are put together with the other."""
WIDEST, TALLEST = 544, 800
"""Of a picture in a letter, in pixels of the page."""
_inliner = css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=True)


def one_line(text: str) -> str:
    """The text without line breaks, control and direction characters, cut to the length of a header."""
    kept = "".join(" " if c.isspace() else c for c in text)
    kept = "".join(
        c
        for c in kept
        if c in JOINTS or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )
    kept = " ".join(kept.split())
    return cut(kept, LONGEST, "…")


def leave_url(settings: Settings, letter_id: str) -> str:
    """The page on which the letter's reader unsubscribes."""
    return f"{settings.url}/u/{signed_addresses.signed(settings, signed_addresses.LEAVE, letter_id)}"


def build_message(settings: Settings, context: LetterContext, page: Page) -> Composed:
    """The message: a complete text part, a complete HTML part, and the picture that this shows."""
    domain = settings.mail_domain
    picture = f"board.{context.letter.id}@{domain}"
    unsubscribe_url = leave_url(settings, context.letter.id)
    facts = page.facts | {
        "say": context.say,
        "language": context.language,
        "direction": context.direction,
        "heading": page.heading,
        "house_url": settings.url,
        "leave_url": unsubscribe_url,
        "picture": picture if page.picture else "",
        "picture_width": _shown_width(page.picture) if page.picture else 0,
        "reply_to": page.reply_to,
        "reply_examples": reply_address.examples(page),
    }
    folder = f"mail/{context.letter.kind}"
    subject = one_line(_rendered(templating.plain(), f"{folder}/subject.txt", facts))
    facts["subject"] = subject
    facts["mailto"] = lambda text: reply_address.mailto(page.reply_to, subject, text)
    text = _rendered(templating.plain(), f"{folder}/body.txt", facts).strip() + "\n"
    if context.direction == "rtl":
        text = from_right_to_left(text)
    html = _inliner.inline(_rendered(templating.environment(), f"{folder}/body.html", facts))
    if context.language.startswith(("zh", "ja")):
        text, html = closed_up(text), closed_up(html)

    message = EmailMessage(policy=SMTP)
    site = f"tidepost@{domain}"
    message["From"] = Address(SITE, addr_spec=site)
    message["To"] = context.address
    message["Subject"] = subject
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = f"<{context.letter.id}@{domain}>"
    if page.reply_to:
        message["Reply-To"] = Address(SITE, addr_spec=page.reply_to)
    before = f"<{page.answers}>" if page.answers else ""
    root = f"<match.{context.letter.match_id}@{domain}>" if context.letter.match_id is not None else ""
    if root or before:
        message["In-Reply-To"] = before or root
        message["References"] = f"{root} {before}".strip()
    if context.letter.match_id is not None:
        message["List-Id"] = f"{one_line(page.heading)} <match-{context.letter.match_id}.{domain}>"
    else:
        message["List-Id"] = f"{SITE} <letters.{domain}>"
    message["List-Unsubscribe"] = ", ".join(_ways_out(settings, context, unsubscribe_url))
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["Auto-Submitted"] = "auto-generated" if page.answers is None else "auto-replied"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    message["Content-Language"] = context.language  # made earlier, it would go to the first part
    if page.picture:
        shown = message.get_body(("html",))
        assert shown is not None
        shown.add_related(
            page.picture, "image", "png", cid=f"<{picture}>", filename="board.png", disposition="inline"
        )
    return Composed(
        message,
        _back_to(settings, context, page, site),
        context.address,
        page.to_ply,
        page.to_notice,
        context.address_key,
        page.reached,
        page.gathered,
    )


def _rendered(environment: Environment, name: str, facts: dict[str, Any]) -> str:
    text = environment.get_template(name).render(facts)
    return words.with_names(text, facts["language"])


def _shown_width(picture: bytes) -> int:
    """The width at which a letter shows a PNG: the whole sheet, or less where it would be too tall."""
    width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
    return min(WIDEST, TALLEST * width // height)


def _ways_out(settings: Settings, context: LetterContext, url: str) -> list[str]:
    """The ways to unsubscribe: by page, and by mail if mail is read."""
    ways = [f"<{url}>"]
    if settings.inbox:
        ways.append(
            f"<mailto:{signed_addresses.address(settings, signed_addresses.LEAVE, context.letter.id)}>"
        )
    return ways


def _back_to(settings: Settings, context: LetterContext, page: Page, site: str) -> str:
    """The envelope's sender: an address of the letter's own for bounces, if mail is read.

    Empty for an answer to mail, so that two programs don't answer each other for ever.
    """
    if page.answers is not None:
        return ""
    return (
        signed_addresses.address(settings, signed_addresses.BOUNCE, context.letter.id)
        if settings.inbox
        else site
    )
