"""Answers to mail that came in: what was done, what was not and why, and how things stand."""

from datetime import UTC, datetime
from urllib.parse import quote

import msgspec
from sqlalchemy import select
from sqlmodel import col

from app import narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters import match
from app.mail.letters.results import DONE, REFUSED, TOLD, Report
from app.mail.letters.system_commands import GAMES, HELP, LEGAL
from app.play.match import links
from app.play.match.records import MatchLine, PlayerView, Viewer
from app.play.moves import typed
from app.play.views.lists import mine
from app.play.views.player_view import player_view
from app.store.tables import Incoming

MOST_LEGAL = 400
"""Answers of one question that are written out."""
MOST_NEXT = 100
"""The same for what comes next after a step, to which nobody asked for a list."""
MOST_GAMES = 40
HOUSE = "Tidepost"
NEVER = datetime.max.replace(tzinfo=UTC)
_report = msgspec.json.Decoder(Report)


class Legal(msgspec.Struct, frozen=True):
    """All that a question can be answered with."""

    asks: str
    answers: tuple[str, ...]
    more: int
    """How many are left out."""


class Waiting(msgspec.Struct, frozen=True):
    """A match that waits for the reader."""

    title: str
    seat: str
    until: str
    """Its deadline; empty where it has none."""
    url: str


def reply(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """What became of a mail line by line, and the board as it is now with what is asked next."""
    report = _reported(desk, errand)
    seen = _seen(desk, errand) if errand.seat is not None else None
    page: Page | Dropped = Dropped("replaced")
    for _ in range(2):  # once more where the game ended in between
        if seen is not None and isinstance(page, Dropped):
            page = match.answering(desk, errand)
    facts = {
        "results": _results(errand, report),
        "unread": _unread(errand, report),
        "left": report.left if not report.results else (),
        "help": HELP in report.shows or not (report.results or report.left),
        "legal": _next(errand, seen, report) if seen is not None else (),
        "legal_none": seen is not None and LEGAL in report.shows and not seen.asked,
        "games": _games(desk, errand) if GAMES in report.shows else None,
        "in_match": seen is not None,
        "policies": [(one.name, one.choices) for one in seen.game.policies] if seen is not None else [],
    }
    if isinstance(page, Dropped):
        facts |= {"parent": "mail/reply/house", "reader": errand.name, "asking": ()}
        if errand.match_id is not None:
            facts["unread"] = errand.say("no_more_yours", errand.match_id)
        return Page(facts, HOUSE, answers=report.message_id)
    parent = "asked" if page.facts["asking"] else "over" if page.facts["outcome"] else "reply"
    facts["parent"] = f"mail/{parent}/body" if parent != "reply" else "mail/match"
    return msgspec.structs.replace(page, facts=page.facts | facts, answers=report.message_id)


def confirm(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To the owner of an address for replies, at which somebody wrote from another address than his."""
    report = _reported(desk, errand)
    written = [one.line for one in report.results]
    url, title, answer = "", "", ""
    if errand.match_id is not None and errand.seat is not None:
        seen = _seen(desk, errand)
        if seen is not None:
            title = narrate.match_name(seen.game, errand.language, errand.match_id)
            url, answer = _turn(desk, errand), written[0]
    facts = {
        "reader": errand.name,
        "sender": report.sender or errand.house("someone"),
        "written": [errand.isolated(line) for line in written],
        "of": title,
        "url": url and f"{url}?do={quote(answer)}",
    }
    return Page(facts, title or HOUSE)


def _reported(desk: MailContext, errand: LetterContext) -> Report:
    with desk.store.reading() as connection:
        results = connection.execute(
            select(col(Incoming.results)).where(col(Incoming.id) == errand.incoming_id)
        ).scalar_one()
    return _report.decode(results)


def _seen(desk: MailContext, errand: LetterContext) -> PlayerView | None:
    assert errand.match_id is not None
    seen = player_view(desk.store, errand.match_id, Viewer(player_id=errand.player_id), last=1)
    return seen if seen.seat is not None else None


def _results(errand: LetterContext, report: Report) -> list[str]:
    return [
        errand.say(f"result_{one.outcome}", errand.isolated(one.line), one.said)
        for one in report.results
        if one.outcome != TOLD or one.said
    ]


def _unread(errand: LetterContext, report: Report) -> str:
    """What is to be said of a mail, or of its end, that was not carried out."""
    if report.results:
        refused = any(one.outcome == REFUSED for one in report.results)
        return errand.say("read_until", report.unread) if report.unread and not refused else ""
    if report.left:
        return errand.say("not_sure")
    if report.unread:
        return errand.say("no_command", report.unread, report.why)
    return errand.say("nothing_typed")


def _next(errand: LetterContext, seen: PlayerView, report: Report) -> tuple[Legal, ...]:
    """What can be answered now, where he asks for it, or has done a step and others are left to him."""
    if LEGAL in report.shows:
        return _legal(errand, seen, MOST_LEGAL)
    if any(one.outcome == DONE for one in report.results):
        return _legal(errand, seen, MOST_NEXT, but_optional=True)
    return ()


def _legal(
    errand: LetterContext, seen: PlayerView, most: int, *, but_optional: bool = False
) -> tuple[Legal, ...]:
    told = []
    for one in seen.asked:
        if one.decision.optional and but_optional:
            continue
        texts = [seen.game.format(move) for move in one.decision.options]
        if not texts:
            written = narrate.example(seen.game, errand.language, one.decision)
            texts = [written] if written else []
            if one.decision.default is not None:
                texts.append(seen.game.format(one.decision.default))
        shown = tuple(errand.isolated(text) for text in texts[:most])
        asks = narrate.asks(seen.game, errand.language, one.decision, seen.view)
        told.append(Legal(asks, shown, max(0, len(texts) - most)))
    return tuple(told)


def _games(desk: MailContext, errand: LetterContext) -> list[Waiting]:
    """The matches that wait for the reader, the most pressing first."""
    waiting = [line for line in mine(desk.store, errand.player_id or 0) if line.waiting][:MOST_GAMES]
    return [
        Waiting(
            narrate.match_name(line.game, errand.language, line.match_id),
            errand.house("seat", line.seat),
            errand.house("moment", errand.local(due)) if due is not None else "",
            desk.link(links.match_path(line.match_id)),
        )
        for due, line in sorted(((_due(line), line) for line in waiting), key=_urgency)
    ]


def _due(line: MatchLine) -> datetime | None:
    return line.deadline.due_at if line.deadline is not None else None


def _urgency(one: tuple[datetime | None, MatchLine]) -> tuple[datetime, int]:
    due, line = one
    return due or NEVER, line.match_id


def _turn(desk: MailContext, errand: LetterContext) -> str:
    """A link to the reader's board, good for the turn that it is his; the bookmark where it is not."""
    assert errand.match_id is not None
    with desk.store.reading() as connection:
        seat, run = typed.run_of(connection, errand.match_id, errand.player_id or 0)
    return desk.turn_link(errand, errand.match_id, seat, run) if run is not None else ""
