"""Signing in by letter, and what a player may say about himself."""

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Answer

from app import narrate
from app.people import address as addresses
from app.people import service as people
from app.people.service import Person
from app.play.match import presence
from app.play.match.records import Refused, SiteError
from app.web.core import sessions
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, language_names, render
from app.web.core.security import REQUESTS, allow
from app.web.feeds.routes import feeds_of
from app.web.lobby.table import ZONES

pages = Blueprint("people", __name__)


@pages.get("/sign-in")
def ask() -> Response:
    """The form for a sign-in letter."""
    return render("people/sign_in.html", sent="sent" in request.args, refusal="")


@pages.post("/sign-in")
def send() -> Answer:
    """Send a sign-in link. Nobody learns whether the address is known."""
    allow(REQUESTS)
    try:
        people.ask_sign_in(store(), field("address", 320))
    except Refused as error:
        return render(
            "people/sign_in.html", 422, sent=False, refusal=narrate.refusal(None, language(), error)
        )
    return redirect("/sign-in?sent=1", 303)


@pages.get("/s/<token>")
def arrive(token: str) -> Response:
    """A button: robots open links, people press buttons."""
    del token
    return render("people/arrive.html", refusal="")


@pages.post("/s/<token>")
def sign_in(token: str) -> Answer:
    """Sign in, once for each link."""
    try:
        known = people.sign_in(store(), token)
    except SiteError as error:
        # 410: whatever it was, it is used up or was never there, and a new one is a letter away.
        sentence = narrate.refusal(None, language(), error)
        return render("people/arrive.html", 410 if status_of(error) == 409 else 404, refusal=sentence)
    sessions.begin(known)
    return redirect("/", 303)


@pages.post("/sign-out")
def sign_out() -> Answer:
    """Sign out on this browser."""
    sessions.end()
    return redirect("/", 303)


@pages.get("/profile")
def profile() -> Answer:
    """Name, language, time zone."""
    known = sessions.person()
    return _profile(known) if known else redirect("/sign-in", 303)


@pages.post("/profile")
def change() -> Answer:
    """Change them."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    if field("do", 20) == "try_again":
        people.try_letters_again(store(), known.id)
        return redirect("/profile?tried=1", 303)
    try:
        people.update(store(), known.id, field("name"), field("language", 20), field("zone", 80))
    except Refused as error:
        return _profile(known, 422, narrate.refusal(None, language(), error))
    if known.zone != field("zone", 80):
        presence.changed(store(), known.id)
    return redirect("/profile?saved=1", 303)


@pages.post("/profile/address")
def ask_address() -> Answer:
    """Have a letter sent to a new address. Nobody learns whether somebody else has it."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    allow(REQUESTS)
    try:
        addresses.request_change(store(), known.id, field("address", 320))
    except Refused as error:
        return _profile(known, 422, narrate.refusal(None, language(), error))
    return redirect("/profile?asked=1#address", 303)


@pages.get("/a/<token>")
def new_address(token: str) -> Response:
    """A button: robots open links, people press buttons."""
    return render(
        "people/address.html", address=addresses.requested_address(store(), token), refusal="", done=False
    )


@pages.post("/a/<token>")
def change_address(token: str) -> Response:
    """Take the new address. This browser stays signed in if it was, and no other does."""
    was = sessions.person()
    try:
        known = addresses.confirm_change(store(), token)
    except SiteError as error:
        sentence = narrate.refusal(None, language(), error)
        return render("people/address.html", status_of(error), address="", refusal=sentence, done=False)
    if was is not None and was.id == known.id:
        sessions.begin(known)
    return render("people/address.html", address=known.address, refusal="", done=True)


def _profile(known: Person, status: int = 200, refusal: str = "") -> Response:
    return render(
        "people/profile.html",
        status,
        kept=request.form,
        refusal=refusal,
        saved="saved" in request.args,
        tried="tried" in request.args,
        asked="asked" in request.args,
        renewed="renewed" in request.args,
        zones=ZONES,
        language_names=language_names(),
        feeds=feeds_of(known.id),
        site=site().settings.url,
    )
