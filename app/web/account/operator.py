"""The operator's page: what waits and why, and buttons that do what the commands do. Others get a 404."""

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import clock, narrate, soundness
from app.mail.core import relay
from app.mail.core.relay import Relay
from app.mail.inbound import dead_letters
from app.mail.inbound.dead_letters import Line
from app.mail.inbound.health import whole_health
from app.mail.letters import waiting
from app.mail.letters.waiting import Waiting
from app.mail.outbound import inspection
from app.mail.outbound.inspection import AddressStopped, Inspected, NoSuchLetter
from app.people import operators, reports, suppression
from app.people import service as people
from app.people.reports import Report
from app.people.service import Person
from app.people.suppression import Stopped
from app.play.match.records import NotFound, SiteError
from app.play.seats import operating
from app.play.views import register
from app.play.views.register import Entry
from app.soundness.finding import Finding
from app.store import audit
from app.store.audit import Act
from app.store.session import Store
from app.web.core import once, sessions
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, render

pages = Blueprint("operator", __name__)
PATH = "/operator"
MOST = 30
"""Rows of a list; the commands list more."""
SHOWN = ("stuck", "late", "hidden", "running", "open")
"""Games that are listed, by state."""
EVERY = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
UNSURE = "call off"
"""The word that calls a game off."""
GONE = "It isn’t there any more, or is in another state by now."
STOPPED = "Emails to this address are stopped, and this one would be dropped. Let emails go there first."
NO_SEAT = "The game has no such seat, or someone else has it by now."


class Gift(msgspec.Struct, frozen=True):
    """A seat that is to be given away once the operator has confirmed it: who has it, and who gets it."""

    match_id: int
    seat: str
    holder: str
    address: str
    why: str


class OperatorPage(msgspec.Struct, frozen=True):
    """The contents of the page. It holds no token, and no hidden fact of a game."""

    now: datetime
    wrong: list[str]
    found: tuple[Waiting, ...]
    relay: Relay
    letters: list[Inspected]
    failed: list[Inspected]
    why: tuple[str, ...]
    """All that bears on one letter's fate."""
    letter: str
    stopped: list[Stopped]
    mails: list[Line]
    reports: tuple[Report, ...]
    counts: dict[str, int]
    games: dict[str, list[Entry]]
    findings: tuple[Finding, ...]
    """Of `tidepost doctor`, as far as this machine tells them without asking anyone else."""
    room: str
    """How much the database takes, and how much is free, in a line."""
    asks: Gift | None
    acts: list[Act]
    names: dict[int, str]
    """Of the operators."""
    done: str = ""
    refusal: str = ""


@pages.route(PATH, methods=EVERY, provide_automatic_options=False)
@once.by_itself("each form has a key, which counts once it is known that an operator sends it")
def page() -> BaseResponse:
    """Show the page, or do what a button says; 404 as for any unknown page unless an operator asks."""
    known = sessions.person()
    if known is None or not operators.is_operator(store(), known.id):
        abort(404)
    if request.method not in ("GET", "HEAD", "POST"):
        abort(404)
    if not operators.is_fresh(store(), sessions.key() or ""):
        return _fresh_link(known)
    return _act() if request.method == "POST" else _page(done=request.args.get("done", "")[:20])


def _fresh_link(known: Person) -> BaseResponse:
    """The page of a session that is too old: its button emails a link that leads back."""
    if request.method != "POST":
        return render("operator/stale.html", language="en", sent="sent" in request.args)
    if field("do", 20) != "link":
        return render("operator/stale.html", HTTPStatus.FORBIDDEN, language="en", sent=False)
    allow(REQUESTS)
    people.ask_sign_in_of(store(), known.id)
    sessions.note_way(PATH)
    return redirect(f"{PATH}?sent=1", 303)


@once.keyed
def _act() -> BaseResponse:
    known, action = sessions.person(), field("do", 20)
    assert known is not None
    try:
        if action not in ACTIONS:
            raise NotFound("act")
        if action == "reassign" and not field("sure", 5):
            once.may_come_again()
            return _page(asks=_gift())
        ACTIONS[action](store(), known.id)
    except NoSuchLetter:
        return _page(HTTPStatus.CONFLICT, refusal=GONE)
    except AddressStopped:
        return _page(HTTPStatus.CONFLICT, refusal=STOPPED)
    except NotFound as error:
        return _page(HTTPStatus.CONFLICT, refusal=NO_SEAT if error.reason == "seat" else GONE)
    except SiteError as error:
        return _page(status_of(error), refusal=narrate.refusal(None, "en", error))
    return redirect(f"{PATH}?done={action}#now", 303)


def _number(name: str) -> int:
    """The number in a field. Raises NotFound."""
    text = field(name, 12)
    if not (text.isascii() and text.isdecimal()):
        raise NotFound("match")
    return int(text)


def _found(*, done: bool) -> None:
    if not done:
        raise NotFound("act")


def _game() -> int:
    """The game of the button that was pressed, or the number that was typed. Raises NotFound."""
    return _number("match" if "match" in request.form else "number")


def _call_off(store: Store, by: int) -> None:
    if field("word", 20).lower() != UNSURE:
        raise NotFound("act")
    _found(done=operating.call_off(store, _game(), field("text", 200), by))


def _gift() -> Gift:
    """The seat in the fields and who has it. Raises what `operating.reassign` does."""
    match_id, seat = _game(), (field("seat", 40) or field("colour", 40)).strip().lower()
    address, _ = people.check_address(field("address", 320))
    holder = operating.holder(store(), match_id, seat)
    return Gift(match_id, seat, holder, address, field("text", 200))


def _reassign(store: Store, by: int) -> None:
    """Give the seat away, unless it has passed on since the operator was asked. Raises as `_gift` does."""
    gift = _gift()
    if gift.holder != field("holder", 200):
        raise NotFound("seat")
    operating.reassign(store, gift.match_id, gift.seat, gift.address, gift.why, by)


ACTIONS: dict[str, Callable[[Store, int], object]] = {
    "retry": lambda store, by: inspection.retry(store, field("letter", 40), by),
    "drop": lambda store, by: inspection.drop(store, field("letter", 40), field("text", 200), by),
    "lift": lambda store, by: _found(done=inspection.lift(store, field("address", 320), by)),
    "dealt": lambda store, by: _found(done=dead_letters.deal_with(store, field("mail", 40), by)),
    "close": lambda store, by: _found(done=reports.close(store, _number("report"), by)),
    "hide": lambda store, by: _found(done=operating.hide(store, _game(), field("text", 200), by)),
    "unhide": lambda store, by: _found(done=operating.unhide(store, _game(), field("text", 200), by)),
    "call_off": _call_off,
    "reassign": _reassign,
}
"""By button: the functions of the commands, with the player who pressed it."""


def _page(
    status: int = HTTPStatus.OK, *, done: str = "", refusal: str = "", asks: Gift | None = None
) -> Response:
    now, settings = clock.now(), site().settings
    letter, why = _why(request.args.get("letter", "")[:40].replace("\0", ""))
    with store().reading() as connection:
        found, server = waiting.waiting(connection, now), relay.read(connection)
        stopped, acts = suppression.every(connection, MOST), audit.latest(connection, MOST)
        findings = soundness.findings(connection, settings)
    contents = OperatorPage(
        now=now,
        wrong=list(whole_health(store(), settings)["wrong"]),
        found=found,
        relay=server,
        letters=inspection.listed(store(), "waiting")[:MOST],
        failed=inspection.listed(store(), "failed")[:MOST],
        why=why,
        letter=letter,
        stopped=stopped,
        mails=dead_letters.passed_over(store())[:MOST],
        reports=reports.reports(store())[:MOST],
        counts=register.counts(store()),
        games={state: register.listed(store(), state, MOST) for state in SHOWN},
        findings=findings,
        room=waiting.room(store(), settings),
        asks=asks,
        acts=acts,
        names={one.id: one.name for one in operators.every(store())},
        done=done if done in ACTIONS else "",
        refusal=refusal,
    )
    return render("operator/operator.html", status, language="en", page=contents)


def _why(letter: str) -> tuple[str, tuple[str, ...]]:
    """A letter of the outbox and all that bears on its fate; both empty if there is none."""
    try:
        return (letter, inspection.why(store(), letter)) if letter else ("", ())
    except NoSuchLetter:
        return "", ()
