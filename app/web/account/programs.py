"""The page for programs of a player: the keys by which they act here."""

from datetime import date

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.people import api_keys
from app.people.absences import today
from app.people.api_keys import SCOPES, ApiKey
from app.people.service import Person
from app.play.match.records import NotFound, Refused
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render

pages = Blueprint("programs", __name__)
PATH = "/profile/programs"


class KeyLine(msgspec.Struct, frozen=True):
    """A key in the list."""

    key: ApiKey
    made: date
    used: date | None


class ProgramsPage(msgspec.Struct, frozen=True):
    """The contents of the page. The days are those of the player's time zone."""

    keys: list[KeyLine]
    name: str
    """That was refused."""
    chosen: list[str]
    """The scopes of the refused form."""
    refusal: str
    key: str
    """The key that was made just now, which is shown once; empty: none."""
    ended: bool
    scopes: tuple[str, ...] = SCOPES[1:]
    """The rights that a key can have beside reading."""


@pages.get(PATH)
def show() -> BaseResponse:
    """The keys of the signed-in player."""
    known = sessions.person()
    return _page(known) if known is not None else redirect("/sign-in", 303)


@pages.post(PATH)
@once.keyed
def change() -> BaseResponse:
    """Make a key, which the answer shows and no later one; or end one."""
    known = sessions.person()
    if known is None:
        return signed_out()
    action = field("do", 20)
    if action == "make":
        scopes = [one for one in request.form.getlist("scope") if one in SCOPES]
        try:
            return _page(known, key=api_keys.make(store(), known.id, field("name"), scopes))
        except Refused as error:
            return _page(known, status_of(error), narrate.refusal(None, language(), error))
    if action != "end":
        raise NotFound("act")
    number = field("key", 12)
    api_keys.end(store(), known.id, int(number) if number.isascii() and number.isdecimal() else 0)
    return redirect(f"{PATH}?ended=1#now", 303)


def _page(known: Person, status: int = 200, refusal: str = "", key: str = "") -> Response:
    page = ProgramsPage(
        keys=[_line(one, known.zone) for one in api_keys.keys_of(store(), known.id)],
        name="" if key else field("name"),
        chosen=request.form.getlist("scope"),
        refusal=refusal,
        key=key,
        ended="ended" in request.args,
    )
    return render("people/programs.html", status, page=page)


def _line(key: ApiKey, zone: str) -> KeyLine:
    used = today(key.used_at, zone) if key.used_at is not None else None
    return KeyLine(key, today(key.created_at, zone), used)
