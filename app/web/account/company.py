"""The page on which a player mutes, blocks or reports people, and takes that back."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.games import all_games
from app.people import blocks
from app.people.blocks import Silenced
from app.people.reports import LONGEST
from app.people.service import Person
from app.play.match.records import NotFound, SiteError
from app.play.seats import silencing
from app.play.seats.silencing import Company
from app.play.views import lists
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render

pages = Blueprint("company", __name__)
PATH = "/profile/people"
DONE = ("mute", "block", "lift", "report")


class CompanyPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    silenced: tuple[Silenced, ...]
    held: dict[int, list[str]]
    """The games to which a blocked person invites the player, by that person."""
    company: Company | None
    """The people of the match that was chosen."""
    title: str
    """Of that match."""
    games: list[tuple[int, str]]
    """The player's matches with their names, to choose one."""
    done: str
    about: str
    """The name of the person that was just muted, blocked or reported."""
    refusal: str
    form: Mapping[str, str]
    """The refused form."""
    longest: int = LONGEST


@pages.get(PATH)
def show() -> BaseResponse:
    """The people that the signed-in player has silenced, and those of one match."""
    known = sessions.person()
    return _page(known) if known is not None else redirect("/sign-in", 303)


@pages.post(PATH)
@once.keyed
def change() -> BaseResponse:
    """Mute, block, report, or hear from a person again."""
    known = sessions.person()
    if known is None:
        return signed_out()
    action, other = field("do", 20), _number(field("person", 12))
    match_id = _number(request.args.get("game", ""))
    try:
        if action in ("mute", "block"):
            silencing.silence(store(), known.id, match_id, other, invitations=action == "block")
        elif action == "lift":
            silencing.lift(store(), known.id, other)
        elif action == "report":
            text = field("text", LONGEST + 1)
            silencing.report(store(), known.id, match_id, other, text, site().settings.operator)
        else:
            raise NotFound("act")
    except NotFound:
        raise
    except SiteError as error:
        return _page(known, status_of(error), narrate.refusal(None, language(), error))
    chosen = f"game={match_id}&" if match_id else ""
    return redirect(f"{PATH}?{chosen}done={action}&person={other}#now", 303)


def _page(known: Person, status: int = 200, refusal: str = "") -> Response:
    match_id, other = _number(request.args.get("game", "")), _number(request.args.get("person", ""))
    mine = lists.player_lines(store(), known.id)
    games = [(one.match_id, narrate.match_name(one.game, language(), one.match_id)) for one in mine]
    company = silencing.company_of(store(), known.id, match_id) if match_id else None
    silenced = blocks.silenced_by(store(), known.id)
    names = {one.other_id: one.name for one in silenced}
    names |= {one.player_id: one.name for one in company.others} if company is not None else {}
    done = request.args.get("done", "")
    held: dict[int, list[str]] = {}
    for one in silencing.held_back(store(), known.id, known.address):
        if one.slug in all_games() and one.host_id is not None:
            name = narrate.match_name(all_games()[one.slug], language(), one.match_id)
            held.setdefault(one.host_id, []).append(name)
    page = CompanyPage(
        silenced=silenced,
        held=held,
        company=company,
        title=dict(games).get(match_id, ""),
        games=games,
        done=done if done in DONE and not refusal else "",
        about=names.get(other, ""),
        refusal=refusal,
        form=request.form,
    )
    return render("people/company.html", status, page=page)


def _number(text: str) -> int:
    """The number of a person or match, or 0."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
