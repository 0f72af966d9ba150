"""Operations on webhooks: the caller's own, and those of a match that they host."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from app import clock, narrate
from app.people import webhooks
from app.people.api_keys import ACCOUNT, HOST, READ
from app.people.errors import NotFound
from app.people.webhooks import LONGEST_ADDRESS, NewHook
from app.play.seats import webhooks as of_games
from app.play.views.player_view import player_view
from app.web.api.operations import Asked, operation
from app.web.api.reading import MATCH, visible
from app.web.api.small_records import Did
from app.web.core.allowances import allow
from app.web.core.new_hooks import TESTS, add

MINE = "/my/webhooks"
OF_MATCH = f"{MATCH}/webhooks"
ONE = "<int(max=2147483647):webhook_id>"


class Hook(msgspec.Struct, frozen=True):
    """A webhook, without what is secret in it."""

    id: int
    form: str
    """discord, slack, or json: a program of one's own."""
    address: str
    """Its host and its last letters."""
    language: str
    """That it speaks; empty: its player's."""
    events: tuple[str, ...]
    """The events that it tells."""
    status: str
    """new: no test has arrived yet, and it tells nothing; on; off: it failed for too long."""
    testing: bool
    """A test is on its way."""
    error: str
    """The last failure, as a sentence; empty: the last post arrived."""
    failing_since: datetime | None
    """Since then nothing has arrived; null: all is well."""
    sent_at: datetime | None
    """When the last post arrived."""


class Hooks(msgspec.Struct, frozen=True):
    """Webhooks, the oldest first."""

    webhooks: tuple[Hook, ...]
    """With those that are off."""


class NewWebhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook to be added, and tested at once."""

    form: Literal["discord", "slack", "json"]
    """The kind of receiver: `json` for a program of one's own."""
    url: Annotated[str, Meta(max_length=LONGEST_ADDRESS)]
    """The address: https, a public server, no port."""
    events: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=10)]
    """turn, started, over, chat, invitation; of a match: turn, over."""
    language: Annotated[str, Meta(max_length=20)] = ""
    """That it speaks; empty: the caller's."""


class Added(msgspec.Struct, frozen=True):
    """A webhook that was added."""

    webhook: Hook
    """As it is listed from now on."""
    secret: str
    """It signs the posts to a program, as Standard Webhooks has it, and is told this once; else empty."""


def _without_secret(found: Added) -> Added:
    return msgspec.structs.replace(found, secret="")


@operation("GET", MINE, Hooks, scope=READ)
def get_webhooks(asked: Asked) -> Hooks:
    """The caller's own webhooks: they tell what emails tell."""
    return _hooks(asked, webhooks.of_player(asked.store, asked.caller.own.id))


@operation("POST", MINE, Added, scope=ACCOUNT, takes=NewWebhook, kept=_without_secret)
def post_webhook(asked: Asked[None, NewWebhook]) -> Added:
    """Add a webhook of the caller. It begins when its first test has arrived."""
    secret = add(asked.store, asked.caller.own.id, asked.caller.viewer, 0, _new(asked))
    return _added(asked, secret, webhooks.of_player(asked.store, asked.caller.own.id))


@operation("POST", f"{MINE}/{ONE}/test", Did, scope=ACCOUNT)
def post_webhook_test(asked: Asked, webhook_id: int) -> Did:
    """Have a webhook of the caller tested; once a minute at most."""
    return _test(asked, webhooks.of_player(asked.store, asked.caller.own.id), webhook_id)


@operation("DELETE", f"{MINE}/{ONE}", Did, scope=ACCOUNT)
def delete_webhook(asked: Asked, webhook_id: int) -> Did:
    """Remove a webhook of the caller. What waits there is not posted."""
    webhooks.remove(asked.store, webhooks.of_player(asked.store, asked.caller.own.id), webhook_id)
    return Did()


@operation("GET", OF_MATCH, Hooks, scope=READ)
def get_webhooks_of_match(asked: Asked, match_id: int) -> Hooks:
    """The webhooks of a match, for its host. Everybody can read in its history who set one."""
    return _hooks(asked, _of_hosted(asked, match_id))


@operation("POST", OF_MATCH, Added, scope=HOST, takes=NewWebhook, kept=_without_secret)
def post_webhook_of_match(asked: Asked[None, NewWebhook], match_id: int) -> Added:
    """Have another program told what anybody sees of a match. Only its host can; its history says so."""
    _of_hosted(asked, match_id)
    secret = add(asked.store, asked.caller.own.id, asked.caller.viewer, match_id, _new(asked))
    return _added(asked, secret, webhooks.of_match(asked.store, match_id))


@operation("POST", f"{OF_MATCH}/{ONE}/test", Did, scope=HOST)
def post_webhook_test_of_match(asked: Asked, match_id: int, webhook_id: int) -> Did:
    """Have a webhook of a match tested; once a minute at most."""
    return _test(asked, _of_hosted(asked, match_id), webhook_id)


@operation("DELETE", f"{OF_MATCH}/{ONE}", Did, scope=HOST)
def delete_webhook_of_match(asked: Asked, match_id: int, webhook_id: int) -> Did:
    """Remove a webhook of a match, also one that an earlier host set."""
    _of_hosted(asked, match_id)
    of_games.remove(asked.store, clock.now(), asked.caller.viewer, match_id, webhook_id)
    return Did()


def _of_hosted(asked: Asked[Any, Any], match_id: int) -> list[webhooks.Webhook]:
    """The webhooks of a match that the caller hosts. Raises NotFound."""
    visible(asked, match_id)
    view = player_view(asked.store, match_id, asked.caller.viewer, last=1)
    if view.seat is None or view.keys != view.seat:
        raise NotFound("match")
    return webhooks.of_match(asked.store, match_id)


def _new(asked: Asked[None, NewWebhook]) -> NewHook:
    body = asked.body
    return NewHook(body.form, body.url.strip(), body.events, body.language or asked.caller.own.language)


def _test(asked: Asked[Any, Any], hooks: list[webhooks.Webhook], webhook_id: int) -> Did:
    webhooks.named(hooks, webhook_id)
    allow(TESTS, asked.caller.viewer)
    webhooks.test(asked.store, clock.now(), hooks, webhook_id)
    return Did()


def _added(asked: Asked[Any, Any], secret: str, hooks: list[webhooks.Webhook]) -> Added:
    return Added(_hook(asked, max(hooks, key=lambda one: one.id)), secret)


def _hooks(asked: Asked[Any, Any], hooks: list[webhooks.Webhook]) -> Hooks:
    return Hooks(tuple(_hook(asked, one) for one in hooks))


def _hook(asked: Asked[Any, Any], one: webhooks.Webhook) -> Hook:
    error = narrate.say(narrate.SITE, asked.caller.language, "hook_error", one.error) if one.error else ""
    return Hook(
        id=one.id,
        form=one.format,
        address=one.masked,
        language=one.language,
        events=tuple(one.events.split()),
        status=one.status,
        testing=one.testing,
        error=error,
        failing_since=one.failing_since,
        sent_at=one.sent_at,
    )
