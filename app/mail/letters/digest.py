"""One letter a day about all matches: the reader's turns, and the events in the others."""

from typing import Any

import msgspec

from app import clock, narrate
from app.mail.core import outbox
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped, LetterRow, Reached
from app.mail.letters import deadlines
from app.mail.letters.recap import Passage, told
from app.people import recipients
from app.people.recipients import Recipient
from app.play.match import links
from app.play.match.records import LogEntry, PlayerView, Viewer
from app.play.views import letter_facts
from app.play.views.letter_facts import Game
from app.play.views.player_view import player_view
from app.store.connection import Connection

MOST_MATCHES = 30
MOST_PLIES = 20
MOST_SENTENCES = 6
"""Of one match, not counting messages; more is on its page."""
MOST_SAID = 6
"""Messages of one match."""


class Line(msgspec.Struct, frozen=True):
    """A match in a digest."""

    title: str
    seat: str
    waits: bool
    asks: str
    """The questions to the reader."""
    until: tuple[str, ...]
    """The deadline in sentences, if there is one."""
    ending: str
    """The result; empty while it goes on."""
    happened: tuple[Passage, ...]
    more: bool
    """More happened than is told."""
    url: str


def digest(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To a player at the hour of their choice, if anything is new: all turns, and the events elsewhere."""
    player_id, at = context.letter.player_id, context.letter.digest_at
    assert player_id is not None
    assert at is not None
    with mailer.store.reading() as connection:
        held = outbox.in_digest(connection, player_id, at)
        new = {
            one.match_id for one in held if _is_new(connection, one, recipients.by_id(connection, player_id))
        }
        games = letter_facts.games_of(connection, player_id)
    gathered = tuple(one.id for one in held)
    if not new:
        return Dropped("nothing_new", gathered)
    lines: list[Line] = []
    reached: dict[int, Reached] = {}
    for game in sorted(games, key=_urgency):
        known = game.match_id in reached or len(lines) == MOST_MATCHES
        if known or (game.match_id not in new and game.turn is None):
            continue
        view = player_view(mailer.store, game.match_id, Viewer(player_id=player_id), last=MOST_PLIES)
        notices = tuple(one for one in view.notices if one.notice_id > game.heard_notice)
        last = max((one.notice_id for one in notices), default=None)
        reached[game.match_id] = Reached(game.match_id, view.ply, last)
        notices = tuple(one for one in notices if one.what != "said" or one.by_seat != game.seat)
        plies = [ply for ply in view.heard if ply.ply > game.heard_ply and not _own(ply, game.seat)]
        happened, whole = told(context, view, plies, notices)
        lines.append(_line(mailer, context, view, game, _shortened(happened, whole=whole)))
    facts: dict[str, Any] = {
        "reader": context.name,
        "lines": lines,
        "waiting": sum(line.waits for line in lines),
        "day": context.formats.day(context.local(clock.now())),
        "lobby_url": mailer.link("/"),
    }
    return Page(facts, "Tidepost", reached=tuple(reached.values()), gathered=gathered)


def _urgency(game: Game) -> tuple[bool, bool, str, int]:
    """The order of matches: turns first, by their deadline."""
    return game.turn is None, game.due_at is None, str(game.due_at), game.match_id


def _is_new(connection: Connection, letter: LetterRow, player: Recipient) -> bool:
    """Whether the reader does not know yet what the letter would have told."""
    if letter.kind != "asked":
        return True
    turn = letter.seat_turn
    state = letter_facts.turn_state(connection, turn)
    here = letter_facts.seen_at(connection, turn.match_id, player.player_id)
    was_here = any(at is not None and at >= letter.created_at for at in (player.seen_at, here))
    return state.waits and not state.answered and not was_here


def _own(ply: LogEntry, seat: str) -> bool:
    """Whether the reader made the move, on the page or by reply: no news to them."""
    return ply.seat == seat and ply.what == "move" and not (ply.by_clock or ply.by_orders)


def _shortened(happened: list[Passage], *, whole: bool) -> tuple[tuple[Passage, ...], bool]:
    """The last events and messages, and whether any were left out."""
    kept: list[Passage] = []
    rooms = {True: MOST_SAID, False: MOST_SENTENCES}
    for one in happened[::-1]:
        sentences = one.sentences[-rooms[one.said] :] if rooms[one.said] > 0 else ()
        rooms[one.said] -= len(sentences)
        whole = whole and len(sentences) == len(one.sentences)
        if sentences:
            kept.insert(0, msgspec.structs.replace(one, sentences=sentences))
    return tuple(kept), not whole


def _line(
    mailer: MailContext,
    context: LetterContext,
    view: PlayerView,
    game: Game,
    happened: tuple[tuple[Passage, ...], bool],
) -> Line:
    url = mailer.link(links.match_path(view.match_id))
    seat, waits = game.seat, game.turn is not None
    if game.turn is not None:
        url = mailer.turn_link(context, view.match_id, seat, game.turn)
    until = [
        sentence
        for one in view.deadlines
        if one.seat == seat
        for sentence in deadlines.sentences(context, one, view.rule)
    ]
    asks = [
        narrate.asks(view.game, context.language, one.decision, view.view)
        for one in view.asked
        if not one.decision.optional
    ]
    return Line(
        title=narrate.match_name(view.game, context.language, view.match_id),
        seat=context.site("seat", seat),
        waits=waits,
        asks=" ".join(asks) if waits else "",
        until=tuple(until) if waits else (),
        ending=narrate.ending(view.game, context.language, view.outcome, view.name) if view.outcome else "",
        happened=happened[0],
        more=happened[1],
        url=url,
    )
