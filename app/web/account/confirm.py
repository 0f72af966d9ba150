"""The page of an email that asks to confirm a request: GET shows it, its button carries it out."""

from collections.abc import Callable
from datetime import date

import msgspec
from flask import Blueprint, Response

from app import games, narrate
from app.engine.errors import BadOptions, RulesError
from app.engine.game import Game
from app.people import confirming, preferences
from app.people import service as people
from app.people.confirmations import Confirmation
from app.people.dates import read_date
from app.people.errors import Refused
from app.play.deadlines import pauses
from app.play.lobby import rematch
from app.play.match import vacancies
from app.play.match.records import NotFound, SiteError, Viewer
from app.play.moves import service
from app.play.seats import silencing
from app.play.views import letter_facts
from app.store.deeds import AlreadyDone, Deed
from app.store.session import Store
from app.web.account import days, deleting
from app.web.account.absence_page import Traveller
from app.web.account.letters import choices_in
from app.web.core import once
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import language, render
from app.web.match import lasting
from app.words import formats

pages = Blueprint("confirm", __name__)


class ConfirmPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    what: str
    """resign, away, back, letters, orders, notes, block, pause, no_pause, resume."""
    title: str
    """Of the match."""
    match_id: int
    days: list[str]
    """The first and the last day of an absence, in words."""
    text: str
    """The list of moves, or the note, that the request is about."""
    done: bool
    refusal: str


@pages.get("/c/<token>")
def show(token: str) -> Response:
    """The request and a button. Changes nothing, because mail scanners open links."""
    asked = confirming.requested(store(), token)
    return deleting.confirm_page(asked) if asked.what == confirming.DELETE else _page(asked)


@pages.post("/c/<token>")
@once.by_itself("each link confirms once")
def confirm(token: str) -> Response:
    """Carry the request out. Twice is once."""
    asked = confirming.requested(store(), token)
    if asked.what == confirming.DELETE:
        return deleting.confirmed(asked)
    if asked.done_at is None:
        deed = Deed(site().store, f"confirmation {asked.id}")
        try:
            CARRY_OUT[asked.what](deed.store, asked)
        except AlreadyDone:
            pass
        except (SiteError, RulesError, BadOptions) as error:
            deed.release()
            return _page(asked, status_of(error), narrate.refusal(_game(asked), _language(asked), error))
        confirming.finish(site().store, asked.id)
    return _page(confirming.requested(store(), token))


def _resign(store: Store, asked: Confirmation) -> None:
    service.resign(store, _viewer(asked), _match(asked))


def _away(store: Store, asked: Confirmation) -> None:
    days.enter(store, _traveller(asked), _field(asked))


def _back(store: Store, asked: Confirmation) -> None:
    days.cancel(store, _traveller(asked), _field(asked))


def _letters(store: Store, asked: Confirmation) -> None:
    if asked.facts.get("do") == "back":
        preferences.resubscribe_fully(store, asked.player_id, _match(asked))
    else:
        preferences.choose(store, asked.player_id, _match(asked), choices_in(asked.facts))


def _block(store: Store, asked: Confirmation) -> None:
    silencing.block(store, asked.player_id, int(asked.facts["other"]))


CARRY_OUT: dict[str, Callable[[Store, Confirmation], object]] = {
    confirming.RESIGN: _resign,
    confirming.AWAY: _away,
    confirming.BACK: _back,
    confirming.LETTERS: _letters,
    confirming.ORDERS: lasting.carry_out,
    confirming.NOTES: lasting.carry_out,
    confirming.BLOCK: _block,
    confirming.REMATCH: lambda store, asked: rematch.rematch(store, _match(asked), asked.player_id),
    confirming.PAUSE: lambda store, asked: pauses.request(store, _viewer(asked), _match(asked)),
    confirming.NO_PAUSE: lambda store, asked: pauses.withdraw_request(store, _viewer(asked), _match(asked)),
    confirming.KEEP_SEAT: lambda store, asked: vacancies.come_back(store, _viewer(asked), _match(asked)),
    confirming.RESUME: lambda store, asked: pauses.end(store, _viewer(asked), _match(asked)),
}
"""By the kind of request. Each raises the errors of its service."""


def _viewer(asked: Confirmation) -> Viewer:
    return Viewer(player_id=asked.player_id)


def _match(asked: Confirmation) -> int:
    if asked.match_id is None:
        raise NotFound("match")
    return asked.match_id


def _traveller(asked: Confirmation) -> Traveller:
    return Traveller(asked.player_id, match_id=_match(asked))


def _field(asked: Confirmation) -> days.Field:
    return lambda name, most: asked.facts.get(name, "")[:most]


def _language(asked: Confirmation) -> str:
    player = people.player(store(), asked.player_id)
    return language(player.language if player is not None else None)


def _game(asked: Confirmation) -> Game | None:
    with store().reading() as connection:
        return games.all_games().get(letter_facts.label(connection, _match(asked)).game)


def _page(asked: Confirmation, status: int = 200, refusal: str = "") -> Response:
    spoken = _language(asked)
    game = _game(asked)
    page = ConfirmPage(
        what=asked.what,
        title=narrate.match_name(game, spoken, _match(asked)) if game is not None else "",
        match_id=_match(asked),
        days=[formats(spoken).day(day) for day in dict.fromkeys(_days(asked))],
        text=asked.facts.get("text", ""),
        done=asked.done_at is not None,
        refusal=refusal,
    )
    return render("people/confirm.html", status, language=spoken, page=page)


def _days(asked: Confirmation) -> tuple[date, ...]:
    if asked.what != confirming.AWAY:
        return ()
    try:
        return read_date(asked.facts.get("first", "")), read_date(asked.facts.get("last", ""))
    except Refused:
        return ()
