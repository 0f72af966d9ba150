"""Letters of a running match: to who is asked, to who waits at its start, and to all at its end."""

import re
from urllib.parse import quote

import msgspec
from sqlalchemy import exists, select
from sqlmodel import col

from app import clock, draw, narrate
from app.engine.game import Decision
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.mail.letters import deadlines
from app.mail.letters.recap import name_in, told
from app.mail.policy.decide import AGAIN
from app.mail.policy.rules import QUIET
from app.people import preferences
from app.play.match import links
from app.play.match.records import ANYBODY, PlayerView, Viewer
from app.play.moves import orders, typed
from app.play.views.player_view import player_view
from app.store.tables import Chair, Letter, Match, Played, Question

FEW = 8
"""Answers up to which each has a link of its own."""
MOST_PLIES = 60
"""Of what happened; more is on the page."""
EXAMPLES = 3


class Answer(msgspec.Struct, frozen=True):
    """One legal answer and the link that opens the page with it prepared."""

    label: str
    text: str
    url: str


class Asking(msgspec.Struct, frozen=True):
    """One open question."""

    asks: str
    answers: tuple[Answer, ...]
    """All of them, or none where they are many."""
    examples: tuple[str, ...]
    """Some legal answers in the notation, where they are many."""
    optional: bool


class Seated(msgspec.Struct, frozen=True):
    """A line of who sits where."""

    seat: str
    colour: str
    name: str
    note: str


def asked(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a seat that must answer: once for its run of questions, until it has acted in it."""
    assert errand.match_id is not None
    run = errand.run
    assert run is not None
    with desk.store.reading() as connection:
        own = (
            col(Question.match_id) == errand.match_id,
            col(Question.seat) == errand.seat,
            col(Question.run) == run,
        )
        # What his standing orders answered leaves him as much to be asked as before.
        acted = exists().where(
            col(Played.match_id) == errand.match_id,
            col(Played.seat) == errand.seat,
            col(Played.ply) > run,
            col(Played.source) != "orders",
        )
        waits = exists().where(*own, col(Question.closed_at).is_(None), col(Question.optional).is_(False))
        in_answer = exists().where(
            col(Letter.kind) == "reply",
            col(Letter.match_id) == errand.match_id,
            col(Letter.player_id) == errand.player_id,
            col(Letter.status) == "sent",
            col(Letter.to_ply) >= run,
        )
        has_acted, still_waits, was_asked = connection.execute(select(acted, waits, in_answer)).one()
    if has_acted:
        return Dropped("answered")
    if was_asked:
        return Dropped("asked_in_answer")
    if not still_waits:
        return Dropped("closed")
    return page(desk, errand, run=run)


def started(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To those who are not asked at once. Who is asked by now hears of the start in that letter."""
    return page(desk, errand)


def news(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a seat of what the house told the table, unless another letter has told it already."""
    written = page(desk, errand)
    return Dropped("told") if isinstance(written, Page) and written.to_notice is None else written


def said(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a seat of what others said, unless another letter has told it already. Also after the end."""
    assert errand.match_id is not None
    written = page(desk, errand, finished=_is_over(desk, errand.match_id))
    return Dropped("told") if isinstance(written, Page) and written.to_notice is None else written


def answering(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a seat whose player wrote to us: how things stand now, and what he is asked."""
    assert errand.match_id is not None
    with desk.store.reading() as connection:
        _, run = typed.run_of(connection, errand.match_id, errand.player_id or 0)
    return page(desk, errand, run=run, finished=_is_over(desk, errand.match_id))


def _is_over(desk: MailContext, match_id: int) -> bool:
    with desk.store.reading() as connection:
        status = select(col(Match.status)).where(col(Match.id) == match_id)
        return connection.execute(status).scalar_one() == "over"


def over(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To everybody who ever sat there: the result, the final board, how to check the dice."""
    return page(desk, errand, finished=True)


def page(
    desk: MailContext, errand: LetterContext, *, run: int | None = None, finished: bool = False
) -> Page | Dropped:
    """What a letter about the match says to its player: what happened, the board, who sits where.

    `run` is what its link is for; `finished`: it tells how the match ended.
    """
    assert errand.match_id is not None
    with desk.store.reading() as connection:
        chair = connection.execute(
            select(
                col(Chair.id),
                col(Chair.heard_ply),
                col(Chair.heard_notice),
                col(Chair.until),
                col(Chair.resigned_at),
                col(Match.ply),
                col(Match.status),
            )
            .join(Match, col(Match.id) == col(Chair.match_id))
            .where(col(Chair.match_id) == errand.match_id, col(Chair.player_id) == errand.player_id)
            .order_by(col(Chair.id).desc())
        ).first()
    if chair is None or (chair.until is not None and not finished):
        return Dropped("replaced")
    if (chair.status == "over") != finished:
        return Dropped("over" if chair.status == "over" else "not_over")
    if run is not None and chair.resigned_at is not None:
        return Dropped("resigned")
    # One more than there is to tell of: what has happened meanwhile is told too, and counted in to_ply.
    last = min(max(chair.ply - chair.heard_ply, 1) + 10, MOST_PLIES)
    seen = player_view(desk.store, errand.match_id, Viewer(player_id=errand.player_id), last=last)
    if errand.kind in ("started", "joined") and seen.seat in seen.to_move:
        return Dropped("asked")
    public = player_view(desk.store, errand.match_id, ANYBODY, last=1)
    board_url = desk.link(links.match_path(errand.match_id))
    if run is not None:
        board_url = desk.turn_link(errand, errand.match_id, errand.seat, run)
    title = narrate.short_title(seen.game, errand.language)
    plies = [ply for ply in seen.heard if ply.ply > chair.heard_ply]
    notices = [
        one
        for one in seen.notices
        if one.notice_id > chair.heard_notice and (one.what != "said" or one.by_seat != seen.seat)
    ]
    happened, all_told = told(errand, seen, plies, notices)
    facts = {
        "title": title,
        "number": errand.match_id,
        "seat": errand.seat,
        "reader": errand.name,
        "board_url": board_url,
        "match_url": desk.link(links.match_path(errand.match_id)),
        "to_move": errand.house("to_move", seen.to_move),
        "alone": seen.to_move == (seen.seat,),
        "stands": any(one.seat == seen.seat and one.stands and one.why != "off" for one in seen.deadlines),
        "names": {one.seat: one.name for one in seen.sittings},
        "seats": seated(errand, seen),
        "happened": happened,
        "first": chair.heard_ply < 0,
        "earlier": not all_told or (bool(plies) and plies[0].ply > chair.heard_ply + 1),
        "asking": [asking(errand, seen, one.decision, board_url) for one in seen.asked],
        "board": draw.text(seen.game, seen.view, language=errand.language),
        "mine": (mine := draw.mine(seen.game, seen.view, language=errand.language)),
        "mine_lines": re.sub(r"\n[ \t]+", " ", mine).splitlines(),
        "outcome": _outcome(errand, seen) if finished else None,
        "words": seen.words,
        "secret": seen.secret,
        "commitment": seen.commitment,
        "why": _why(desk, errand) if run is not None else "",
        "clock": narrate.clock_rule(errand.language, seen.rule),
        "orders": [] if run is None else dropped_orders(desk, errand, chair.id, chair.heard_ply),
        "deadline": [
            sentence
            for one in seen.deadlines
            if one.seat == seen.seat
            for sentence in deadlines.sentences(errand, one, seen.rule)
        ],
    }
    heading = f"{title} #{errand.match_id}"
    picture = draw.picture(seen.game, public.view, desk.settings.data_dir)
    return Page(facts, heading, picture, seen.ply, max((one.notice_id for one in notices), default=None))


def dropped_orders(desk: MailContext, errand: LetterContext, chair_id: int, since: int) -> list[str]:
    """What came to nothing, since a ply, of what the reader had left ahead: a sentence for each reason."""
    past = orders.of_chair(desk.store, chair_id, since).past
    dropped = {
        result: [one.line for one in reversed(past) if one.result == result] for result in orders.DROPPED
    }
    return [
        errand.house(f"orders_{result}", [errand.isolated(text) for text in texts])
        for result, texts in dropped.items()
        if texts
    ]


def _why(desk: MailContext, errand: LetterContext) -> str:
    """When letters of a turn come, so that nobody wonders why one came or why none did."""
    assert errand.player_id is not None
    if errand.kind != "asked":
        return ""
    letter = select(col(Letter.created_at), col(Letter.once)).where(col(Letter.id) == errand.letter_id)
    with desk.store.reading() as connection:
        choice = preferences.choice_of(connection, errand.player_id, errand.match_id, "turn")
        asked_for, once = connection.execute(letter).one()
    if choice not in ("quiet", "at_once") or once.startswith(AGAIN):
        return ""
    if choice == "quiet" and clock.now() < asked_for + QUIET:
        return errand.say("why_caught" if desk.settings.caught else "why_pressed")
    return errand.say(f"why_{choice}")


def seated(errand: LetterContext, seen: PlayerView) -> list[Seated]:
    """Who sits where, and what is to be said of each."""
    rows, now = [], clock.now()
    for one in seen.sittings:
        notes = []
        if one.seat == seen.seat:
            notes.append(errand.say("note_you"))
        if one.resigned:
            notes.append(errand.say("note_lost" if one.lost else "note_resigned"))
        elif one.bot:
            notes.append(errand.say("note_bot"))
        if one.open_since is not None and seen.status == "running":
            notes.append(errand.say("note_open"))
        if seen.status == "running":
            ends = [stop.ends for stop in one.away if stop.ends and stop.begins <= now < stop.ends]
            notes += [errand.say("note_away", errand.house("short_moment", errand.local(at))) for at in ends]
        left = seen.banked(one)
        if left is not None:
            notes.append(errand.house("banked", left))
        if one.seat in seen.to_move:
            notes.append(errand.say("note_to_move"))
        rows.append(Seated(one.seat, errand.house("seat", one.seat), one.name, ", ".join(notes)))
    return rows


def asking(errand: LetterContext, seen: PlayerView, decision: Decision, board_url: str) -> Asking:
    """A question with a link for each answer where there are few, else with some in the notation."""
    texts = [seen.game.format(move) for move in decision.options]
    answers: tuple[Answer, ...] = ()
    if 0 < len(texts) <= FEW:
        answers = tuple(
            Answer(
                narrate.label(seen.game, errand.language, move, seen.view),
                errand.isolated(text),
                f"{board_url}?do={quote(text)}",
            )
            for move, text in zip(decision.options, texts, strict=True)
        )
    if not texts and decision.default is not None:
        written = narrate.example(seen.game, errand.language, decision)
        texts = [*([written] if written else []), seen.game.format(decision.default)]
    step = max(1, len(texts) // EXAMPLES)
    shown = () if answers else tuple(dict.fromkeys(texts[::step]))[:EXAMPLES]
    examples = tuple(errand.isolated(text) for text in shown)
    asks = narrate.asks(seen.game, errand.language, decision, seen.view)
    return Asking(asks, answers, examples, decision.optional)


def _outcome(errand: LetterContext, seen: PlayerView) -> dict[str, object]:
    assert seen.outcome is not None
    name = name_in(errand, seen)
    ranking = sorted(seen.outcome.places.items(), key=lambda pair: pair[1])
    scores = seen.outcome.scores
    return {
        "ending": narrate.ending(seen.game, errand.language, seen.outcome, name),
        "ranking": [(place, seat, name(seat), scores.get(seat)) for seat, place in ranking],
        "place": seen.outcome.places.get(errand.seat or ""),
    }
