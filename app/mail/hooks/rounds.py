"""The rounds in which webhooks are sent, beside those of the letters: one that hangs keeps no letter back.

A hook is held under a lease while what waits there goes in one request. If it fails it rests, longer each
time, and what waits stays; after two days of that it is switched off, and its player is told by email.
"""

import http
import logging
import random
from datetime import datetime, timedelta

import msgspec

from app import clock, metrics
from app.mail.core import guarded
from app.mail.core.guarded import Answer, Forbidden, Lost, Unreached
from app.mail.hooks import bodies
from app.mail.hooks.telling import spoken, told
from app.mail.policy.rules import Reader, presses, quiet_until
from app.people import hook_posts, recipients
from app.people.hook_posts import Held, Post
from app.people.recipients import Recipient
from app.people.sealed import Unopened, opened
from app.play.views import letter_facts
from app.settings import Settings
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

log = logging.getLogger(__name__)

PATIENCE = guarded.PATIENCE
"""Seconds for one request."""
BUSY = timedelta(seconds=20)
BUNDLE = 40
PACE = timedelta(minutes=2)
"""Between two requests to a hook; what happens meanwhile goes in one."""
FIRST_REST = timedelta(minutes=1)
LONGEST_REST = timedelta(hours=1)
LONGEST_WISH = timedelta(hours=6)
"""For so long at most a server may ask to be left alone."""
OFF_AFTER = timedelta(days=2)
GONE_AFTER = timedelta(hours=1)
"""Of failures, before a hook is switched off; this is enough where its server says that it knows none."""
LEAST_TRIES = 5
GONE = frozenset({http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE})
OFF = "hook_off"
"""The kind of the letter that says that a hook was switched off."""


def waiting(store: Store) -> bool:
    """Whether a webhook has something to tell now."""
    with store.reading() as connection:
        return bool(hook_posts.due(connection, clock.now(), 1))


def run_batch(store: Store, settings: Settings) -> bool:
    """Send until nothing is due or the round has lasted for BUSY; returns whether anything is left."""
    end = clock.now() + BUSY
    while True:
        with store.reading() as connection:
            bundle = hook_posts.due(connection, clock.now(), BUNDLE)
        if not bundle:
            return False
        random.shuffle(bundle)
        for webhook_id in bundle:
            if clock.now() >= end:
                return True
            _serve(store, settings, webhook_id)


def _serve(store: Store, settings: Settings, webhook_id: int) -> None:
    """Send what is due at a hook, unless it rests or another worker holds it."""
    now = clock.now()
    with store.transaction() as connection:
        taken = hook_posts.take(connection, now, webhook_id)
        if taken is None:
            return
        held, posts = taken
        to = recipients.by_id(connection, held.player_id)
        until = _quiet_until(connection, held, posts, to, now)
        if until is not None:
            hook_posts.put_off(connection, held, until)
            return
    try:
        held = _opened(settings, held)
        request = _composed(store, settings, held, posts, to)
        if request is None:
            return
        answer = guarded.post(
            held.url,
            request.headers,
            request.body,
            patience=PATIENCE,
            vouched=settings.webhook_origins,
        )
    except (Unreached, Lost, Unopened) as error:
        _missed(store, held, posts, _word(error))
    except Exception as error:  # noqa: BLE001 - one bad hook stops no other; the text may name it
        log.error("webhook %d can't be served: %s", held.id, type(error).__name__)  # noqa: TRY400
        _missed(store, held, posts, "error")
    else:
        _answered(store, held, request, answer)


def _opened(settings: Settings, held: Held) -> Held:
    """The hook with its secrets. Raises Unopened."""
    keys = settings.secret_keys
    return msgspec.structs.replace(held, url=opened(keys, held.url), secret=opened(keys, held.secret))


def _quiet_until(
    connection: Connection, held: Held, posts: list[Post], to: Recipient, now: datetime
) -> datetime | None:
    """The end of the player's quiet hours, if nothing presses. Hooks of games know none, nor do tests."""
    until = quiet_until(Reader(to.zone, quiet_from=to.quiet_from, quiet_to=to.quiet_to), now)
    if until is None or held.match_id or any(post.event == "test" for post in posts):
        return None
    due = (letter_facts.deadline(connection, post.match_id, post.seat) for post in posts if post.seat)
    return None if any(presses(one, until) for one in due) else until


def _composed(
    store: Store, settings: Settings, held: Held, posts: list[Post], to: Recipient
) -> bodies.Request | None:
    """The request; None if nothing is true any more, and the hook is free again."""
    found = told(store, held, to, posts)
    true = {post.occasion for one in found for post in one.posts}
    with store.transaction() as connection:
        for post in posts:
            if post.occasion not in true:
                hook_posts.settle(connection, held, post, "dropped")
        if not found:
            hook_posts.release(connection, held)
            return None
    return bodies.request(held, found, settings.url, spoken(held, to), clock.now())


def _answered(store: Store, held: Held, request: bodies.Request, answer: Answer) -> None:
    posts = [post for one in request.told for post in one.posts]
    if not 200 <= answer.status < 300:
        _missed(store, held, posts, str(answer.status), answer)
        return
    now = clock.now()
    with store.transaction() as connection:
        for post in posts:
            hook_posts.settle(connection, held, post, "sent")
        tested = any(post.event == "test" for post in posts)
        hook_posts.arrived(connection, now, held, now + PACE, tested=tested)
    metrics.count("webhooks", held.format, "sent")


def _missed(store: Store, held: Held, posts: list[Post], error: str, answer: Answer | None = None) -> None:
    """Let the hook rest, or switch it off after a while. The log names neither its address nor its player."""
    log.warning("webhook %d was not told of %d events: %s", held.id, len(posts), error)
    metrics.count("webhooks", held.format, "failed")
    now = clock.now()
    rest = min(FIRST_REST * (1 << min(held.failures, 10)), LONGEST_REST)
    if answer is not None and answer.retry_after is not None:
        rest = max(rest, min(timedelta(seconds=answer.retry_after), LONGEST_WISH))
    since = held.failing_since or now
    gone = answer is not None and answer.status in GONE
    dead = held.failures + 1 >= LEAST_TRIES and now - since >= (GONE_AFTER if gone else OFF_AFTER)
    with store.transaction() as connection:
        hook_posts.failed(connection, now, held, now + rest, error)
        if dead and hook_posts.switch_off(connection, held):
            once = f"{OFF}:{held.id}:{since.isoformat()}"
            enqueue(connection, now, LetterRequest(kind=OFF, once=once, player_id=held.player_id))


def _word(error: Exception) -> str:
    """A word for the hook's page."""
    if isinstance(error, Forbidden):
        return "forbidden"
    if isinstance(error, Unopened):
        return "sealed"
    if isinstance(error, Lost) or str(error) == "TimeoutError":
        return "silent"
    if "SSL" in str(error):
        return "certificate"
    return "name" if str(error) == "gaierror" else "unreached"
