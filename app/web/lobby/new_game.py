"""The form for a new game."""

from collections.abc import Mapping, Sequence

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.engine.errors import BadOptions
from app.engine.game import Game
from app.people import service as people
from app.people.address_list import LONGEST, addresses_in
from app.people.service import Person
from app.play.clock.rules import THENS
from app.play.lobby.create import Opening, create_match
from app.play.lobby.rematch import Companion, Finished, finished_match
from app.play.lobby.snapshot import lobby_of
from app.play.match.records import NotFound, Refused
from app.play.views import mine
from app.web.core import once, sessions
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.security import same_site
from app.web.core.sessions import person
from app.web.lobby import clock_form
from app.web.lobby.game_cards import GameCard, find_game, game_card
from app.web.lobby.options_form import OWN, OptionsForm, chosen_options, options_form

pages = Blueprint("new_game", __name__)

RESTS = ("computer", "anybody", "link")
"""Choices for seats that nobody is invited to: the computer, anybody, or people with the link to share."""
BESIDE = {
    "address": "others",
    "address_list": "others",
    "text_too_long": "others",
    "twice": "others",
    "own_address": "others",
    "too_many": "others",
    "too_few": "others",
    "too_many_open": "others",
    "seats_number": "seats",
    "bots_number": "bots",
    "bots": "bots",
    "private_listed": "private",
    "listed_most": "rest",
    "preset": "options",
    "clock_number": "clock",
    "clock_kind": "clock",
    "clock_weekdays": "clock",
    "clock_then": "clock",
}
"""The field of each reason of a refusal."""


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
    beside: str
    """The field beside which the refusal stands; empty: none."""
    rest: str
    """The choice for seats that nobody is invited to: one of RESTS."""
    company: list[tuple[str, str, bool]]
    """The people of a game before, each with their seat, and whether they are invited."""
    again: int
    """The number of that game; 0: none."""
    own_address: str
    """Of the signed-in player."""


@pages.get("/open/<slug>")
def show(slug: str) -> Response:
    """The form for a new game."""
    return _page(find_game(slug))


@pages.post("/open/<slug>")
@once.keyed
def create(slug: str) -> BaseResponse:
    """Create the match. The organiser confirms it from a letter, unless this browser is signed in as them."""
    game = find_game(slug)
    known = person()
    try:
        allow(REQUESTS)
        seats = _number("seats", "seats_number")
        typed = addresses_in(field("others", LONGEST + 1))
        met = _met(typed)
        others = [*typed, *met]
        match_id = create_match(
            store(),
            game.slug,
            seats,
            chosen_options(game, seats),
            field("organiser", 320),
            others,
            bots=_bots(seats, len(others)),
            known=met,
            opening=Opening(
                listed=field("rest", 20) == "anybody",
                shared=field("rest", 20) == "link",
                private=bool(field("private", 4)),
            ),
            rule=clock_form.rule(),
            seat_giver=field("seat_giver", 20),
            alike=True,
            by=known.id if known is not None else None,
            at_once=same_site(),
            language=language(),
        )
    except (BadOptions, Refused) as error:
        return _page(game, status_of(error), narrate.refusal(game, language(), error), _field_of(error))
    if known is not None and (status := _confirmed(known, match_id)):
        return redirect(f"/m/{match_id}/table?done=accept" if status == "open" else f"/m/{match_id}", 303)
    sessions.note_address(field("organiser", 320))
    return redirect("/opened", 303)


@pages.get("/opened")
def created() -> Response:
    """The page after creating a match: what happens next, and where the email goes."""
    return render("lobby/opened.html", address=sessions.noted_address())


def _confirmed(known: Person, match_id: int) -> str:
    """The status of a match that the signed-in player has just confirmed, or an empty text."""
    try:
        return lobby_of(store(), match_id, known.id).status
    except NotFound:
        return ""


def _met(typed: Sequence[str]) -> dict[str, str]:
    """The people of an earlier game that the form invites again: their names by address.

    Only a signed-in player who had a seat there invites them so. An address that was typed too is left out
    without a word, which would tell whose it is. Raises NotFound.
    """
    before = _before()
    if before is None:
        return {}
    seats = request.form.getlist("with")
    keys = {people.check_address(one)[1] for one in typed}
    return {one.address: one.name for one in before[1] if one.seat in seats and one.key not in keys}


def _before() -> tuple[Finished, tuple[Companion, ...]] | None:
    """The game that the form repeats, with its other people; None: the form repeats none."""
    number, reader = request.values.get("again", 0, type=int), person()
    if not number or reader is None:
        return None
    before = finished_match(store(), number)
    return before, before.but(reader.id)


def _bots(seats: int, others: int) -> int:
    """The number of bots: all seats that are left, unless others can take them."""
    if field("rest", 20) == "computer":
        return max(seats - 1 - others, 0)
    return _number("bots", "bots_number") if field("bots", 20) else 0


def _field_of(error: BadOptions | Refused) -> str:
    """The field that a refusal is about, or an empty text."""
    if isinstance(error, BadOptions):
        return "options"
    if error.reason in ("address", "name_link"):
        try:
            people.check_address(field("organiser", 320))
        except Refused:
            return "organiser"
    return BESIDE.get(error.reason, "")


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


def _prefilled() -> MultiDict[str, str]:
    """The form as it was sent, else with the settings of the game that it repeats."""
    before = _before() if request.method == "GET" else None
    if before is None:
        return MultiDict(request.form)
    settings, others = before
    chosen = {f"option-{name}": choice for name, choice in settings.options.items()}
    bots = settings.seats - 1 - len(others)
    clocks = clock_form.fields_of(settings.rule)
    private = {"private": "on"} if settings.private else {}
    return MultiDict(
        {"seats": str(settings.seats), "bots": str(bots), "preset": OWN, **chosen, **clocks, **private}
    )


def _page(game: Game, status: int = 200, refusal: str = "", beside: str = "") -> Response:
    spoken, reader, before = language(), person(), _before()
    form = _prefilled()
    invited = form.getlist("with") if request.method == "POST" else None
    page = NewGamePage(
        card=game_card(game),
        refusal=refusal,
        form=form,
        beside=beside,
        rest=form.get("rest", "") if form.get("rest", "") in RESTS else RESTS[0],
        company=[
            (one.seat, one.name, invited is None or one.seat in invited)
            for one in (before[1] if before is not None else ())
        ],
        again=request.values.get("again", 0, type=int) if before is not None else 0,
        own_address=reader.address if reader is not None else "",
        clock=ClockForm(
            clock_form.values(form),
            clock_form.DAYS,
            [narrate.weekday(spoken, day) for day in range(7)],
            THENS,
        ),
        options=options_form(game, newcomer=_newcomer(game), chosen=form),
    )
    return render("lobby/open.html", status, page=page)
