"""The profile: name, language, time zone, address and feeds."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.people import address as addresses
from app.people import keys, profiles
from app.people import service as people
from app.people.service import Person
from app.play.match import presence
from app.play.match.records import NotFound, Refused, SiteError
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions, switching
from app.web.core.allowances import REQUESTS, allow, missed
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.player_addresses import player_path
from app.web.core.rendering import field, language, render
from app.web.core.self_form import SelfForm, self_form
from app.web.feeds.addresses import FeedAddresses, feed_addresses

pages = Blueprint("people", __name__)


class ProfilePage(msgspec.Struct, frozen=True):
    """The contents of the profile."""

    address: str
    self_form: SelfForm
    form: Mapping[str, str]
    """The refused form."""
    refusal: str
    feeds: FeedAddresses
    site_url: str
    saved: bool
    letters_resumed: bool
    address_requested: bool
    feeds_renewed: bool
    public_page: str
    """Its path."""
    shows: frozenset[str]
    """The parts of the public page beside the name."""
    page_saved: bool


@pages.get("/profile")
def show() -> BaseResponse:
    """The profile of the signed-in player."""
    known = sessions.person()
    return _page(known) if known else redirect("/sign-in", 303)


@pages.post("/profile")
@once.keyed
def change() -> BaseResponse:
    """Save name, language and zone, or send letters to the address again after bounces."""
    known = sessions.person()
    if known is None:
        return signed_out()
    if field("do", 20) == "try_again":
        people.try_letters_again(store(), known.id)
        return redirect("/profile?tried=1", 303)
    try:
        presence.change_profile(store(), known, field("name"), field("language", 20), field("zone", 80))
    except Refused as error:
        return _page(known, status_of(error), narrate.refusal(None, language(), error))
    if known.language != field("language", 20):
        switching.forget()
    return redirect("/profile?saved=1", 303)


@pages.post("/profile/address")
@once.keyed
def request_address() -> BaseResponse:
    """Send a confirmation letter to a new address. The response is the same if somebody else has it."""
    known = sessions.person()
    if known is None:
        return signed_out()
    try:
        allow(REQUESTS)
        addresses.request_change(store(), known.id, field("address", 320))
    except Refused as error:
        return _page(known, status_of(error), narrate.refusal(None, language(), error))
    return redirect("/profile?asked=1#address", 303)


@pages.post("/profile/end")
@once.by_itself("ended twice is ended")
def end_all() -> BaseResponse:
    """End all sessions and links of the signed-in player, this browser's too, and email fresh links."""
    known = sessions.person()
    if known is None:
        return redirect("/sign-in", 303)
    keys.end_all(store(), known.id)
    sessions.end()
    return redirect("/sign-in?ended=1", 303)


@pages.get("/a/<token>")
def new_address(token: str) -> Response:
    """A page with a button, because mail scanners open links."""
    return render(
        "people/address.html", address=addresses.requested_address(store(), token), refusal="", done=False
    )


@pages.post("/a/<token>")
@once.by_itself("each link changes the address once")
def change_address(token: str) -> Response:
    """Change the address. All sessions end but this browser's, if it is the player's."""
    before = sessions.person()
    try:
        known = addresses.confirm_change(store(), token)
    except SiteError as error:
        sentence = narrate.refusal(None, language(), error)
        status = 429 if isinstance(error, NotFound) and missed() else status_of(error)
        return render("people/address.html", status, address="", refusal=sentence, done=False)
    if before is not None and before.id == known.id:
        sessions.begin(known)
    return render("people/address.html", address=known.address, refusal="", done=True)


@pages.get("/k/<token>")
def former_address(token: str) -> Response:
    """The address that a link restores, and a button, because mail scanners open links."""
    found = addresses.former_address(store(), token)
    return render("people/undo.html", address=found.address, refusal="", done=found.ended_at is not None)


@pages.post("/k/<token>")
@once.by_itself("each link restores the address once")
def undo_change(token: str) -> Response:
    """Restore the address that the player had before. All sessions end, this browser's too."""
    try:
        known = addresses.undo_change(store(), token)
    except SiteError as error:
        sentence = narrate.refusal(None, language(), error)
        return render("people/undo.html", status_of(error), address="", refusal=sentence, done=False)
    return render("people/undo.html", address=known.address, refusal="", done=True)


def _page(known: Person, status: int = 200, refusal: str = "") -> Response:
    shown = profiles.profile(store(), known.id)
    page = ProfilePage(
        address=known.address,
        self_form=self_form(known),
        form=request.form,
        refusal=refusal,
        feeds=feed_addresses(known.id),
        site_url=site().settings.url,
        saved="saved" in request.args,
        letters_resumed="tried" in request.args,
        address_requested="asked" in request.args,
        feeds_renewed="renewed" in request.args,
        public_page=player_path(known.id),
        shows=shown.shows if shown else frozenset(),
        page_saved="page" in request.args,
    )
    return render("people/profile.html", status, page=page)
