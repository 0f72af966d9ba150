"""The pages of webhooks: of a signed-in player, and of a game for its host."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import clock, narrate
from app.people import webhooks
from app.people.errors import Closed, Refused
from app.people.service import Person
from app.people.webhooks import EVENTS, FORMATS, LONGEST_ADDRESS, NewHook, Webhook
from app.play.match.records import NotFound
from app.play.seats import webhooks as of_games
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.allowances import allow
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.new_hooks import TESTS, add
from app.web.core.rendering import field, language, language_names, render
from app.web.match.clock_view import TimeFormat
from app.web.match.match_request import MatchRequest

pages = Blueprint("webhooks", __name__)
PATH = "/profile/webhooks"
OF_MATCH = "/m/<int(max=2147483647):match_id>/webhooks"
EXAMPLE = """{"type": "tidepost.events", "timestamp": "2026-06-15T18:30:00+00:00", "data": {"events": [
  {"id": "msg_9f86d081884c7d65", "event": "turn", "at": "2026-06-15T18:29:58+00:00",
   "game": "survive", "match": 42, "seat": "red", "language": "en",
   "text": "Ada, it’s your turn in Survive #42.", "url": "SITE/m/42"}]}}"""
"""The body of a post to a program, for those who write one."""
DONE = frozenset({"tested", "removed"})


class Line(msgspec.Struct, frozen=True):
    """A webhook in the list."""

    hook: Webhook
    error: str
    """A sentence on the last failure; empty: the last post arrived."""


class WebhooksPage(msgspec.Struct, frozen=True):
    """The contents of the page. The events and the address are those of a form that was refused."""

    lines: list[Line]
    match_id: int
    """0: the player's own."""
    title: str
    """Of the game."""
    time_format: TimeFormat
    refusal: str
    done: str
    """added, tested, removed; or empty."""
    secret: str
    """It was made just now and is shown once; empty: none."""
    address: str
    chosen: Sequence[str]
    form: str
    languages: dict[str, str]
    """All that there are: their codes and names."""
    language: str
    """That is chosen."""
    events: tuple[str, ...]
    example: str
    """The body of a post to a program."""
    forms: tuple[str, ...] = FORMATS
    longest: int = LONGEST_ADDRESS


class Owner(msgspec.Struct, frozen=True):
    """The player whose webhooks are shown, or the host and the game."""

    player: Person
    match_id: int = 0
    title: str = ""

    @property
    def hooks(self) -> list[Webhook]:
        """The webhooks of the page."""
        if self.match_id:
            return webhooks.of_match(store(), self.match_id)
        return webhooks.of_player(store(), self.player.id)


@pages.get(PATH)
def show() -> BaseResponse:
    """The webhooks of the signed-in player."""
    known = sessions.person()
    return _page(Owner(known)) if known is not None else redirect("/sign-in", 303)


@pages.post(PATH)
@once.keyed
def change() -> BaseResponse:
    """Add a webhook of the signed-in player, test one, or remove one."""
    known = sessions.person()
    return _act(Owner(known)) if known is not None else signed_out()


@pages.get(OF_MATCH)
def show_of_match(match_id: int) -> BaseResponse:
    """The webhooks of a game, for its host who is signed in."""
    known = sessions.person()
    return _page(_host(known, match_id)) if known is not None else redirect("/sign-in", 303)


@pages.post(OF_MATCH)
@once.keyed
def change_of_match(match_id: int) -> BaseResponse:
    """Add a webhook of a game, test one, or remove one."""
    known = sessions.person()
    return _act(_host(known, match_id)) if known is not None else signed_out()


def _host(known: Person, match_id: int) -> Owner:
    """The signed-in player as the host of a running game. Raises NotFound."""
    wanted = MatchRequest(match_id=match_id)
    holder, view = wanted.version.holder, wanted.view(last=1)
    if holder is None or holder.player_id != known.id or view.keys is None or view.keys != view.seat:
        raise NotFound("match")
    return Owner(known, match_id, narrate.match_name(view.game, language(), match_id))


def _act(owner: Owner) -> BaseResponse:
    action, number = field("do", 20), field("hook", 12)
    chosen = int(number) if number.isascii() and number.isdecimal() else 0
    secret = ""
    try:
        if action == "add":
            secret = _add(owner)
        elif action == "test":
            allow(TESTS)
            webhooks.test(store(), clock.now(), owner.hooks, chosen)
        elif action == "remove" and owner.match_id:
            of_games.remove(store(), clock.now(), sessions.viewer(), owner.match_id, chosen)
        elif action == "remove":
            webhooks.remove(store(), owner.hooks, chosen)
        else:
            raise NotFound("act")
    except (Refused, Closed) as error:
        return _page(owner, status_of(error), narrate.refusal(None, language(), error))
    if action == "add":
        return _page(owner, secret=secret, done="added")
    return redirect(f"{request.path}?done={'tested' if action == 'test' else 'removed'}#now", 303)


def _add(owner: Owner) -> str:
    new = NewHook(
        field("form", 20),
        field("url", LONGEST_ADDRESS + 1).strip(),
        request.form.getlist("event"),
        field("language", 20) or language(),
    )
    return add(store(), owner.player.id, sessions.viewer(), owner.match_id, new)


def _page(owner: Owner, status: int = 200, refusal: str = "", secret: str = "", done: str = "") -> Response:
    given = request.args.get("done", "")
    page = WebhooksPage(
        lines=[Line(one, _error(one)) for one in owner.hooks],
        match_id=owner.match_id,
        title=owner.title,
        time_format=TimeFormat(language(), owner.player.zone),
        refusal=refusal,
        done=done or ("" if refusal or given not in DONE else given),
        secret=secret,
        address=field("url", LONGEST_ADDRESS + 1) if refusal else "",
        chosen=request.form.getlist("event") if refusal else (),
        form=field("form", 20) if refusal else "",
        languages=language_names(),
        language=(field("language", 20) if refusal else "") or language(),
        events=EVENTS[owner.match_id != 0],
        example=EXAMPLE.replace("SITE", site().settings.url),
    )
    return render("people/webhooks.html", status, page=page)


def _error(one: Webhook) -> str:
    return narrate.say(narrate.SITE, language(), "hook_error", one.error) if one.error else ""
