"""Letters of a running match: a turn, the start, the news, what players say, and the end."""

from msgspec.structs import replace

from app import clock, draw, narrate
from app.graphemes import unfolded
from app.mail.core import outbox
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import QUIET, Dropped
from app.mail.letters import deadlines
from app.mail.letters.recap import told
from app.mail.letters.sections import asking, dropped_orders, outcome, seated
from app.people import preferences
from app.play.lobby import rematch
from app.play.match import links
from app.play.match.records import ANYBODY, Viewer
from app.play.moves import typed
from app.play.views import letter_facts
from app.play.views.player_view import player_view

MOST_PLIES = 60
"""Of the log; more is on the page."""


def asked(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a seat that must answer: once a turn, until it has acted in it."""
    letter = context.letter
    with mailer.store.looking() as connection:
        state = letter_facts.turn_state(connection, letter.seat_turn)
        was_asked = outbox.asked_in_answer(connection, letter)
    if state.acted:
        return Dropped("answered")
    if was_asked:
        return Dropped("asked_in_answer")
    if not state.waits:
        return Dropped("closed")
    return page(mailer, context, turn=letter.turn)


def started(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To players who are not asked at once. The others hear of the start when they are asked."""
    return page(mailer, context)


def news(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a seat, with notices of the match, unless another letter has told them already.

    With the link and the questions of a turn, if it is for one that goes on.
    """
    turn = None
    if context.letter.turn is not None:
        with mailer.store.looking() as connection:
            waits = letter_facts.turn_state(connection, context.letter.seat_turn).waits
        turn = context.letter.turn if waits else None
    written = page(mailer, context, turn=turn)
    return Dropped("told") if isinstance(written, Page) and written.to_notice is None else written


def said(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a seat, with messages of others, unless another letter has told them. Also after the end."""
    written = page(mailer, context, finished=_is_over(mailer, context))
    return Dropped("told") if isinstance(written, Page) and written.to_notice is None else written


def answering(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player who replied: the current position and the questions."""
    letter = context.letter
    assert letter.match_id is not None
    with mailer.store.looking() as connection:
        _, turn = typed.turn_of(connection, letter.match_id, letter.player_id or 0)
        holder = letter_facts.holder(connection, letter.match_id, letter.player_id or 0)
    if holder is not None and holder.resigned_at is not None:
        turn = None  # the seat's turns are no longer theirs
    return page(mailer, context, turn=turn, finished=_is_over(mailer, context))


def _is_over(mailer: MailContext, context: LetterContext) -> bool:
    assert context.letter.match_id is not None
    with mailer.store.looking() as connection:
        return letter_facts.label(connection, context.letter.match_id).status == "over"


def over(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To everybody who ever had a seat: the result, the final board, how to check the dice."""
    letter = context.letter
    written = page(mailer, context, finished=True)
    if not isinstance(written, Page) or letter.match_id is None or letter.player_id is None:
        return written
    with mailer.store.looking() as connection:
        people = rematch.of_match(connection, letter.match_id).people
    if all(one.player_id != letter.player_id for one in people):  # only those at the end can play again
        return written
    what = {"match_id": letter.match_id, "player_id": letter.player_id}
    ends = clock.now() + rematch.LASTS
    url = mailer.fresh_link(context, rematch.PURPOSE, expires_at=ends, **what)
    return replace(written, facts=written.facts | {"again_url": url})


def page(
    mailer: MailContext, context: LetterContext, *, turn: int | None = None, finished: bool = False
) -> Page | Dropped:
    """The facts of a letter about the match: events since the last one, board, seats, questions.

    `turn` is the turn that its link is for; `finished`: it tells how the match ended.
    """
    letter = context.letter
    assert letter.match_id is not None
    assert letter.player_id is not None
    with mailer.store.looking() as connection:
        holder = letter_facts.holder(connection, letter.match_id, letter.player_id)
    if holder is None or (holder.until is not None and not finished):
        return Dropped("replaced")
    if (holder.status == "over") != finished:
        return Dropped("over" if holder.status == "over" else "not_over")
    if turn is not None and holder.resigned_at is not None:
        return Dropped("resigned")
    # One more than there is to tell of: what has happened meanwhile is told too, and counted in to_ply.
    last = min(max(holder.ply - holder.heard_ply, 1) + 10, MOST_PLIES)
    view = player_view(mailer.store, letter.match_id, Viewer(player_id=letter.player_id), last=last)
    if letter.kind in ("started", "joined") and view.seat in view.to_move:
        return Dropped("asked")
    public = player_view(mailer.store, letter.match_id, ANYBODY, last=1)
    board_url = mailer.link(links.match_path(letter.match_id))
    if turn is not None:
        board_url = mailer.turn_link(context, letter.match_id, letter.seat, turn)
    title = narrate.short_title(view.game, context.language)
    plies = [ply for ply in view.heard if ply.ply > holder.heard_ply]
    notices = [
        one
        for one in view.notices
        if one.notice_id > holder.heard_notice and (one.what != "said" or one.by_seat != view.seat)
    ]
    happened, all_told = told(context, view, plies, notices)
    facts = {
        "title": title,
        "number": letter.match_id,
        "seat": context.site("seat", letter.seat),
        "reader": context.name,
        "board_url": board_url,
        "match_url": mailer.link(links.match_path(letter.match_id)),
        "rules_url": mailer.link(f"/rules/{view.game.slug}"),
        "to_move": context.site("to_move", view.to_move),
        "alone": view.to_move == (view.seat,),
        "stands": any(one.seat == view.seat and one.stands and one.why != "off" for one in view.deadlines),
        "names": {one.seat: one.name for one in view.sittings},
        "seats": seated(context, view),
        "happened": happened,
        "first": holder.heard_ply < 0,
        "earlier": not all_told or (bool(plies) and plies[0].ply > holder.heard_ply + 1),
        "asking": [asking(context, view, one.decision, board_url) for one in view.asked],
        "board": draw.text(view.game, view.view, language=context.language),
        "mine": (mine := draw.mine(view.game, view.view, language=context.language)),
        "mine_lines": unfolded(mine, close=context.language == "ja").splitlines(),
        "outcome": outcome(context, view) if finished else None,
        "words": view.words,
        "dice": view.dice,
        "secret": view.secret,
        "commitment": view.commitment,
        "why": _why(mailer, context) if turn is not None else "",
        "clock": narrate.clock_rule(context.language, view.rule),
        "orders": [] if turn is None else dropped_orders(mailer, context, holder.chair_id, holder.heard_ply),
        "deadline": [
            sentence
            for one in view.deadlines
            if one.seat == view.seat
            for sentence in deadlines.sentences(context, one, view.rule)
        ],
    }
    heading = narrate.match_name(view.game, context.language, letter.match_id)
    picture = draw.picture(view.game, public.view, mailer.settings.data_dir, context.language)
    return Page(facts, heading, picture, view.ply, max((one.notice_id for one in notices), default=None))


def _why(mailer: MailContext, context: LetterContext) -> str:
    """A sentence on when emails of a turn come, so that nobody wonders why this one came."""
    letter = context.letter
    if letter.kind != "asked" or letter.resent:
        return ""
    assert letter.player_id is not None
    with mailer.store.looking() as connection:
        choice = preferences.choice_of(connection, letter.player_id, letter.match_id, "turn")
    if choice not in ("quiet", "at_once"):
        return ""
    if choice == "quiet" and clock.now() < letter.created_at + QUIET:
        return context.say("why_caught" if mailer.settings.caught else "why_pressed")
    return context.say(f"why_{choice}")
