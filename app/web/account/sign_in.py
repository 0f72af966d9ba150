"""Signing in by a link in a letter, and signing out."""

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.people import service as people
from app.play.match.records import NotFound, Refused, SiteError
from app.web.core import once, sessions
from app.web.core.allowances import REQUESTS, allow, missed
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, page_words, render
from app.web.core.signing_in import sign_in_page
from app.web.core.typed import typed

pages = Blueprint("sign_in", __name__)


@pages.get("/sign-in")
def show() -> Response:
    """The form for a sign-in letter."""
    sent = "sent" in request.args
    return sign_in_page(sent=sent, to=sessions.noted_address() if sent else "", ended="ended" in request.args)


@pages.post("/sign-in")
@once.keyed
def send() -> BaseResponse:
    """Send a sign-in link. The response is the same for unknown addresses."""
    try:
        allow(REQUESTS)
        people.ask_sign_in(store(), field("address", 320))
    except Refused as error:
        refusal = narrate.refusal(None, language(), error)
        return sign_in_page(status_of(error), refusal=refusal, address=field("address", 320))
    sessions.note_address(field("address", 320))
    return redirect("/sign-in?sent=1", 303)


@pages.get("/s/<token>")
def arrive(token: str) -> Response:
    """A page with a button, because mail scanners open links; a link that was used offers another one."""
    try:
        good = people.signs_in(store(), token)
    except SiteError as error:
        return _refused(error)
    over = "" if good else narrate.refusal(None, language(), NotFound("sign_in"))
    return render("people/arrive.html", 200 if good else 410, refusal=over)


@pages.post("/s/<token>")
@once.by_itself("each link signs in once, and the same form again for a moment")
def sign_in(token: str) -> BaseResponse:
    """Sign in. Each link works once."""
    try:
        match_id = people.match_of_sign_in(store(), token)
        known = people.sign_in(store(), token, field(once.FIELD, once.LONGEST))
    except SiteError as error:
        return _refused(error)
    back = sessions.noted_way()
    sessions.begin(known)
    return redirect(back if match_id is None else f"/m/{match_id}/table", 303)


def _refused(error: SiteError) -> Response:
    sentence = narrate.refusal(None, language(), error)
    status = 410 if status_of(error) == 409 else 429 if missed() else 404
    return render("people/arrive.html", status, refusal=sentence)


@pages.post("/sign-out")
@once.by_itself("signed out twice is signed out")
def sign_out() -> BaseResponse:
    """Sign out on this browser: the cookie that it had opens nothing any more."""
    sessions.end()
    return redirect("/", 303)


def signed_out() -> BaseResponse:
    """The answer to a form of a page whose session is over: the form to sign in, and what was typed."""
    kept = typed()
    if not kept:
        return redirect("/sign-in", 303)
    return sign_in_page(403, refusal=page_words(language(), "people.session_over"), typed=kept)
