"""Answers to replies: the result of each line, the current position, and what is asked next."""

from datetime import UTC, datetime
from urllib.parse import quote

import msgspec

from app import narrate
from app.games import all_games
from app.mail.core import inbox
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.core.report import DONE, GAMES, HELP, LEGAL, REFUSED, TOLD, Report, Result
from app.mail.letters import match
from app.mail.letters.people import signing_in
from app.play.match import links
from app.play.match.records import MatchLine, PlayerView, Viewer
from app.play.moves import typed
from app.play.views import letter_facts
from app.play.views.lists import player_lines
from app.play.views.player_view import player_view

MOST_LEGAL = 400
"""The answers of one question that are listed, at most."""
MOST_NEXT = 100
"""The same after a step, when the reader did not ask for a list."""
MOST_GAMES = 40
MOST_MAILS = 120
"""Mails of which a collected answer tells."""
MOST_RESULTS = 20
"""Sentences about one of them."""
SITE = "Tidepost"
NEVER = datetime.max.replace(tzinfo=UTC)


class Legal(msgspec.Struct, frozen=True):
    """The legal answers to a question."""

    asks: str
    answers: tuple[str, ...]
    more: int
    """The number that is left out."""


class Waiting(msgspec.Struct, frozen=True):
    """A match in which it is the reader's turn."""

    title: str
    seat: str
    until: str
    """Its deadline; empty if it has none."""
    url: str


def reply(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player who replied: the result line by line, the board now, and the next questions."""
    report = _reported(mailer, context)
    view = _seen(mailer, context) if context.letter.seat is not None else None
    page: Page | Dropped = Dropped("replaced")
    for _ in range(2):  # once more where the game ended in between
        if view is not None and isinstance(page, Dropped):
            page = match.answering(mailer, context)
    facts = {
        "results": _results(context, report),
        "unread": _unread(context, report),
        "left": report.left if not report.results else (),
        "help": HELP in report.shows or not (report.results or report.left or report.trouble),
        "legal": _next(context, view, report) if view is not None else (),
        "legal_none": view is not None and LEGAL in report.shows and not view.asked,
        "games": _games(mailer, context) if GAMES in report.shows else None,
        "in_match": view is not None,
        "policies": [(one.name, one.choices) for one in view.game.policies] if view is not None else [],
    }
    if isinstance(page, Dropped):
        facts |= {"parent": "mail/reply/house", "reader": context.name, "asking": (), "in_match": False}
        if context.letter.match_id is not None:
            facts["unread"] = context.say("no_more_yours", context.letter.match_id)
        return Page(facts, SITE, answers=report.message_id)
    parent = "asked" if page.facts["asking"] else "over" if page.facts["outcome"] else "reply"
    facts["parent"] = f"mail/{parent}/body" if parent != "reply" else "mail/match"
    return msgspec.structs.replace(page, facts=page.facts | facts, answers=report.message_id)


def confirm(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the owner of an address for replies, after mail came there from another sender."""
    report = _reported(mailer, context)
    written = [one.line for one in report.results]
    url, title, answer = "", "", ""
    if context.letter.match_id is not None and context.letter.seat is not None:
        view = _seen(mailer, context)
        if view is not None:
            title = narrate.match_name(view.game, context.language, context.letter.match_id)
            url, answer = _turn(mailer, context), written[0]
    facts = {
        "reader": context.name,
        "sender": report.sender or context.site("someone"),
        "unproven": report.unproven,
        "written": [context.isolated(line) for line in written],
        "of": title,
        "url": url and f"{url}?do={quote(answer)}",
    }
    return Page(facts, title or SITE)


def ended(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player, after mail came to a reply address that they ended: fresh links instead of it."""
    report, of = _reported(mailer, context), ""
    match_id = context.letter.match_id
    url = _turn(mailer, context) if match_id is not None and context.letter.seat is not None else ""
    if match_id is not None:
        with mailer.store.reading() as connection:
            game = all_games().get(letter_facts.label(connection, match_id).game)
        of = narrate.match_name(game, context.language, match_id) if game is not None else ""
    facts = {
        "written": [context.isolated(one.line) for one in report.results if one.line],
        "of": of,
        "url": url,
        **signing_in(mailer, context),
    }
    return Page(facts, of or SITE, answers=report.message_id)


class Mailed(msgspec.Struct, frozen=True):
    """One mail in a collected answer."""

    about: str
    """The match; empty for none."""
    lines: tuple[str, ...]


def collected(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player who sent more mail than is answered one by one: the results of an hour's mails."""
    letter = context.letter
    assert letter.digest_at is not None
    assert letter.player_id is not None
    with mailer.store.reading() as connection:
        told = inbox.collected(connection, letter.player_id, letter.digest_at, MOST_MAILS + 1)
    if not told:
        return Dropped("replaced")
    games = {line.match_id: line for line in player_lines(mailer.store, letter.player_id)}
    mails: list[Mailed] = []
    elsewhere = 0
    for one in told[:MOST_MAILS]:
        report = msgspec.json.decode(one.results, type=Report)
        if report.sender and not one.own:
            elsewhere += 1
            continue
        line = games.get(one.match_id or 0)
        about = "" if line is None else narrate.match_name(line.game, context.language, line.match_id)
        shown = (context.say("collected_shows", one.line) for one in report.results if _only_shows(one))
        said = (*_results(context, report), *shown, _unread(context, report))
        mails.append(Mailed(about, tuple(text for text in said if text)[:MOST_RESULTS]))
    facts = {
        "reader": context.name,
        "mails": mails,
        "elsewhere": elsewhere,
        "more": len(told) > MOST_MAILS,
    }
    return Page(facts, SITE, answers="")


def _only_shows(result: Result) -> bool:
    """Whether a line asked to be shown what only an answer of its own has room for."""
    return result.outcome == TOLD and not result.said


def put_off(_mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player whose mails of an hour are too many: the others are read later."""
    return Page({"reader": context.name}, SITE)


def _reported(mailer: MailContext, context: LetterContext) -> Report:
    assert context.letter.incoming_id is not None
    with mailer.store.reading() as connection:
        return inbox.report(connection, context.letter.incoming_id)


def _seen(mailer: MailContext, context: LetterContext) -> PlayerView | None:
    assert context.letter.match_id is not None
    view = player_view(
        mailer.store, context.letter.match_id, Viewer(player_id=context.letter.player_id), last=1
    )
    return view if view.seat is not None else None


def _results(context: LetterContext, report: Report) -> list[str]:
    return [
        context.say(f"result_{one.outcome}", context.isolated(one.line), one.said)
        for one in report.results
        if one.outcome != TOLD or one.said
    ]


def _unread(context: LetterContext, report: Report) -> str:
    """A sentence about a mail, or about its end, that was not carried out."""
    if report.trouble:
        return context.say(report.trouble)
    if report.results:
        refused = any(one.outcome == REFUSED for one in report.results)
        return context.say("read_until", report.unread) if report.unread and not refused else ""
    if report.left:
        return context.say("not_sure")
    if report.unread:
        return context.say("no_command", report.unread, report.why)
    return _nothing(context, report)


def _nothing(context: LetterContext, report: Report) -> str:
    """A sentence about a mail without a text of its own: what came, and what would do."""
    if report.subject:
        return context.say("only_subject", report.subject)
    if report.reason == "too_long":
        return context.say("too_long")
    if report.enclosed == "damaged":
        return context.say("unreadable_broken")
    quoted = report.reason == "quoted_only"
    if report.enclosed and not (report.enclosed == "shown" and quoted):
        return context.say("only_picture" if report.enclosed == "shown" else f"only_{report.enclosed}")
    return context.say("nothing_typed" if quoted else "only_blank")


def _next(context: LetterContext, view: PlayerView, report: Report) -> tuple[Legal, ...]:
    """The legal answers, if the reader asked for them or did a step and has another to do."""
    if LEGAL in report.shows:
        return _legal(context, view, MOST_LEGAL)
    if any(one.outcome == DONE for one in report.results):
        return _legal(context, view, MOST_NEXT, but_optional=True)
    return ()


def _legal(
    context: LetterContext, view: PlayerView, most: int, *, but_optional: bool = False
) -> tuple[Legal, ...]:
    told = []
    for one in view.asked:
        if one.decision.optional and but_optional:
            continue
        texts = [view.game.format(move) for move in one.decision.options]
        if not texts:
            written = narrate.example(view.game, context.language, one.decision)
            texts = [written] if written else []
            if one.decision.default is not None:
                texts.append(view.game.format(one.decision.default))
        shown = tuple(context.isolated(text) for text in texts[:most])
        asks = narrate.asks(view.game, context.language, one.decision, view.view)
        told.append(Legal(asks, shown, max(0, len(texts) - most)))
    return tuple(told)


def _games(mailer: MailContext, context: LetterContext) -> list[Waiting]:
    """The matches in which it is the reader's turn, the most urgent first."""
    waiting = [line for line in player_lines(mailer.store, context.letter.player_id or 0) if line.waiting][
        :MOST_GAMES
    ]
    return [
        Waiting(
            narrate.match_name(line.game, context.language, line.match_id),
            context.site("seat", line.seat),
            context.formats.moment(context.local(due)) if due is not None else "",
            mailer.link(links.match_path(line.match_id)),
        )
        for due, line in sorted(((_due(line), line) for line in waiting), key=_urgency)
    ]


def _due(line: MatchLine) -> datetime | None:
    return line.deadline.due_at if line.deadline is not None else None


def _urgency(one: tuple[datetime | None, MatchLine]) -> tuple[datetime, int]:
    due, line = one
    return due or NEVER, line.match_id


def _turn(mailer: MailContext, context: LetterContext) -> str:
    """A link to the reader's board, good for the present turn; empty if it is not their turn."""
    assert context.letter.match_id is not None
    with mailer.store.reading() as connection:
        seat, run = typed.turn_of(connection, context.letter.match_id, context.letter.player_id or 0)
    return mailer.turn_link(context, context.letter.match_id, seat, run) if run is not None else ""
