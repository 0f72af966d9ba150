"""The form for a new game."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.engine.errors import BadOptions
from app.engine.game import Game
from app.people.address_list import LONGEST, addresses_in
from app.play.clock.rules import THENS
from app.play.lobby.create import create_match
from app.play.match.records import Refused
from app.play.views import mine
from app.web.core import once
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.sessions import person
from app.web.lobby import clock_form
from app.web.lobby.game_cards import GameCard, find_game, game_card
from app.web.lobby.options_form import OptionsForm, chosen_options, options_form

pages = Blueprint("new_game", __name__)


class ClockForm(msgspec.Struct, frozen=True):
    """The fields of the clock and the choices for them."""

    values: Mapping[str, str]
    days: tuple[int, ...]
    """Choices of days per turn."""
    weekdays: list[str]
    """Names, Monday first."""
    consequences: tuple[str, ...]
    """The possible actions when time is up."""


class NewGamePage(msgspec.Struct, frozen=True):
    """The contents of the form's page."""

    card: GameCard
    refusal: str
    form: Mapping[str, str]
    """The refused form."""
    clock: ClockForm
    options: OptionsForm


@pages.get("/open/<slug>")
def show(slug: str) -> Response:
    """The form for a new game."""
    return _page(find_game(slug))


@pages.post("/open/<slug>")
@once.keyed
def create(slug: str) -> BaseResponse:
    """Create the match. The organiser confirms it from a letter."""
    game = find_game(slug)
    known = person()
    try:
        allow(REQUESTS)
        seats = _number("seats", "seats_number")
        create_match(
            store(),
            game.slug,
            seats,
            chosen_options(game, seats),
            field("organiser", 320),
            addresses_in(field("others", LONGEST + 1)),
            bots=_number("bots", "bots_number") if field("bots", 20) else 0,
            rule=clock_form.rule(),
            seat_giver=field("seat_giver", 20),
            alike=True,
            by=known.id if known is not None else None,
        )
    except (BadOptions, Refused) as error:
        return _page(game, status_of(error), narrate.refusal(game, language(), error))
    return redirect("/opened", 303)


@pages.get("/opened")
def created() -> Response:
    """The page after creating a match: what happens next."""
    return render("lobby/opened.html")


def _number(name: str, reason: str) -> int:
    """The number in a field. Raises Refused with the reason."""
    text = field(name, 20)
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise Refused(reason, text=text)
    return int(text)


def _newcomer(game: Game) -> bool:
    """Whether the reader is not known to have played the game."""
    reader = person()
    return reader is None or not mine.has_played(store(), reader.id, game.slug)


def _page(game: Game, status: int = 200, refusal: str = "") -> Response:
    spoken = language()
    page = NewGamePage(
        card=game_card(game),
        refusal=refusal,
        form=request.form,
        clock=ClockForm(
            clock_form.values(),
            clock_form.DAYS,
            [narrate.weekday(spoken, day) for day in range(7)],
            THENS,
        ),
        options=options_form(game, newcomer=_newcomer(game)),
    )
    return render("lobby/open.html", status, page=page)
