"""The forms in which webhooks tell: those of Discord and Slack, and plain JSON with a signature.

Names and titles can't call anybody, nor format anything. The signature is that of Standard Webhooks, so that
receivers can use its libraries: HMAC-SHA256 over id, moment and body.
"""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.mail.hooks.telling import Told
from app.people.hook_posts import Held, Post
from app.people.webhooks import SECRETS

LONGEST = 1900
"""Characters of a text: Discord takes two thousand."""
_MARKS = re.compile(r"([\\`*_~|<>#@:/\[\](){}=+.&-])")
"""Characters that mean something in Discord's Markdown; a backslash takes that from them."""
_SLACK = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""All that Slack wants escaped."""


class Request(msgspec.Struct, frozen=True):
    """A request to be sent, and the news that it tells."""

    headers: dict[str, str]
    body: bytes
    told: tuple[Told, ...]


def request(held: Held, told: Sequence[Told], site: str, language: str, now: datetime) -> Request:
    """The request by which a hook tells this, or its beginning if it is too long for one.

    `site`: the address of the pages.
    """
    headers = {"User-Agent": f"Tidepost ({site})", "Content-Type": "application/json; charset=utf-8"}
    if held.format == "json":
        body = _written(_plain(held, told, site, language, now))
        return Request(headers | _signed(held, told, body, now), body, tuple(told))
    fits, text = 1, ""
    for many in range(1, len(told) + 1):
        longer = "\n".join(_lines(held.format, one, site) for one in told[:many])
        if many == 1 or len(longer) <= LONGEST:
            fits, text = many, longer
    facts: dict[str, object] = {"content": text, "allowed_mentions": {"parse": []}}
    if held.format == "slack":
        facts = {"text": text, "mrkdwn": False, "link_names": False, "unfurl_links": False}
    return Request(headers, _written(facts), tuple(told[:fits]))


def signature(secret: str, post_id: str, moment: int, body: bytes) -> str:
    """The value of the header `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix(SECRETS))
    signed = f"{post_id}.{moment}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def escaped(kind: str, text: str) -> str:
    """The text as Discord or Slack shows it letter by letter."""
    if kind == "discord":
        return _MARKS.sub(r"\\\1", text)
    return "".join(_SLACK.get(one, one) for one in text)


def _lines(kind: str, one: Told, site: str) -> str:
    url = f"<{site}{one.path}>" if kind == "discord" else f"{site}{one.path}"
    return "\n".join([*(escaped(kind, " ".join(text.split())) for text in one.sentences), url])


def _plain(held: Held, told: Sequence[Told], site: str, language: str, now: datetime) -> dict[str, object]:
    events = [
        {
            "id": _named(held, one.posts),
            "event": one.event,
            "at": one.posts[-1].created_at.isoformat(),
            "game": one.game,
            "match": one.match_id,
            "seat": one.seat,
            "language": language,
            "text": " ".join(one.sentences),
            "url": f"{site}{one.path}",
        }
        for one in told
    ]
    # What is empty is left out: a test is about no game.
    plain = [{name: value for name, value in one.items() if value not in ("", 0)} for one in events]
    return {"type": "tidepost.events", "timestamp": now.isoformat(), "data": {"events": plain}}


def _signed(held: Held, told: Sequence[Told], body: bytes, now: datetime) -> dict[str, str]:
    post_id = _named(held, [post for one in told for post in one.posts])
    moment = int(now.timestamp())
    return {
        "webhook-id": post_id,
        "webhook-timestamp": str(moment),
        "webhook-signature": signature(held.secret, post_id, moment, body),
    }


def _named(held: Held, posts: Sequence[Post]) -> str:
    """An id that stays when the same is sent again."""
    names = "\n".join([str(held.id), *(one.occasion for one in posts)])
    return "msg_" + hashlib.sha256(names.encode()).hexdigest()[:32]


def _written(facts: dict[str, object]) -> bytes:
    return json.dumps(facts, ensure_ascii=False).encode()
