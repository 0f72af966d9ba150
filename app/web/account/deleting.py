"""A player's own data: everything in one file, and the end of the account."""

import msgspec
from flask import Blueprint, Response, make_response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import games, narrate
from app.accounts import deleting, exporting
from app.people import confirming
from app.people import service as people
from app.people.confirmations import Confirmation
from app.people.errors import Refused
from app.people.service import Person
from app.play.deadlines.absences import running_matches
from app.play.match.records import SiteError
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import store
from app.web.core.errors import error_page, status_of
from app.web.core.rendering import language, render

pages = Blueprint("deleting", __name__)
PATH = "/profile/delete"


class DeletePage(msgspec.Struct, frozen=True):
    """The contents of the page: what happens, and the running games in which a seat is given up."""

    running: list[tuple[int, str]]
    """Their numbers and titles."""
    sent: bool = False
    refusal: str = ""
    by_email: bool = False
    """The page of the email's link: its button deletes the account."""
    done: bool = False


@pages.post("/profile/export")
@once.by_itself("a file twice is one file, as things are then")
def export() -> BaseResponse:
    """Everything about the signed-in player as a file to download."""
    known = sessions.person()
    if known is None:
        return signed_out()
    try:
        allow(REQUESTS)
    except Refused as error:
        return error_page(status_of(error), narrate.refusal(None, language(), error))
    response = make_response(exporting.export(store(), known.id))
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = 'attachment; filename="tidepost.json"'
    response.headers["Cache-Control"] = "no-store"
    return response


@pages.get(PATH)
def show() -> BaseResponse:
    """The meaning of the end of the account, and a button that has the link to it emailed."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    return _page(known, sent="sent" in request.args)


@pages.post(PATH)
@once.keyed
def send() -> BaseResponse:
    """Email the signed-in player the link by which the account is deleted."""
    known = sessions.person()
    if known is None:
        return signed_out()
    try:
        allow(REQUESTS)
        confirming.request(store(), known.id, None, confirming.DELETE, {})
    except Refused as error:
        return _page(known, status_of(error), refusal=narrate.refusal(None, language(), error))
    return redirect(f"{PATH}?sent=1#now", 303)


def confirm_page(asked: Confirmation) -> Response:
    """The page of the email's link: what happens, and the button. Changes nothing."""
    known = people.player(store(), asked.player_id)
    assert known is not None
    return _page(known, by_email=True, done=asked.done_at is not None)


def confirmed(asked: Confirmation) -> Response:
    """Delete the account, and show that it is gone. Twice is once."""
    known = people.player(store(), asked.player_id)
    assert known is not None
    if asked.done_at is None:
        signed_in = sessions.person()
        try:
            deleting.delete(store(), known.id)
        except SiteError as error:
            sentence = narrate.refusal(None, language(known.language), error)
            return _page(known, status_of(error), by_email=True, refusal=sentence)
        if signed_in is not None and signed_in.id == known.id:
            sessions.end()
    return _page(known, by_email=True, done=True)


def _page(
    known: Person,
    status: int = 200,
    *,
    sent: bool = False,
    refusal: str = "",
    by_email: bool = False,
    done: bool = False,
) -> Response:
    spoken = language(known.language if by_email else None)
    shelf = games.all_games()
    running = [
        (match_id, narrate.match_name(game, spoken, match_id))
        for match_id, game in (running_matches(store(), known.id) if not done else ())
        if game.slug in shelf
    ]
    page = DeletePage(running, sent, refusal, by_email, done)
    return render("people/delete.html", status, language=spoken, page=page)
