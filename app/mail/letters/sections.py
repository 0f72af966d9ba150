"""Sections of letters about a match: the seats, the questions, the result, and moves that came to nothing."""

from urllib.parse import quote

import msgspec

from app import clock, narrate
from app.engine.game import Decision
from app.mail.core.context import LetterContext, MailContext
from app.mail.letters.recap import name_in
from app.play.match.records import PlayerView
from app.play.moves import orders

FEW = 20
"""Answers up to which each has a link of its own."""
EXAMPLES = 3


class Answer(msgspec.Struct, frozen=True):
    """One legal answer, and the link that opens the page with it prepared."""

    label: str
    text: str
    url: str


class Asking(msgspec.Struct, frozen=True):
    """One open question."""

    asks: str
    answers: tuple[Answer, ...]
    """All of them, or none if they are many."""
    examples: tuple[str, ...]
    """Some legal answers in the notation, if they are many."""
    optional: bool


class Seated(msgspec.Struct, frozen=True):
    """A seat and its player."""

    seat: str
    colour: str
    name: str
    note: str


def seated(context: LetterContext, view: PlayerView) -> list[Seated]:
    """The seats with their players, and notes on each."""
    rows, now = [], clock.now()
    for one in view.sittings:
        notes = []
        if one.seat == view.seat:
            notes.append(context.say("note_you"))
        if one.resigned:
            notes.append(context.say("note_lost" if one.lost else "note_resigned"))
        elif one.bot:
            notes.append(context.say("note_bot"))
        if one.open_since is not None and view.status == "running":
            notes.append(context.say("note_open"))
        if view.status == "running":
            ends = [stop.ends for stop in one.away if stop.ends and stop.begins <= now < stop.ends]
            notes += [
                context.say("note_away", context.formats.short_moment(context.local(at))) for at in ends
            ]
        left = view.banked(one)
        if left is not None:
            notes.append(context.site("banked", left))
        if one.seat in view.to_move:
            notes.append(context.say("note_to_move"))
        note = context.say("seat_notes", notes) if notes else ""
        rows.append(Seated(one.seat, context.site("seat", one.seat), one.name, note))
    return rows


def asking(context: LetterContext, view: PlayerView, decision: Decision, board_url: str) -> Asking:
    """A question with a link for each answer if they are few, else with some in the notation."""
    texts = [view.game.format(move) for move in decision.options]
    answers: tuple[Answer, ...] = ()
    if 0 < len(texts) <= FEW:
        answers = tuple(
            Answer(
                narrate.label(view.game, context.language, move, view.view),
                context.isolated(text),
                f"{board_url}?do={quote(text)}",
            )
            for move, text in zip(decision.options, texts, strict=True)
        )
    if not texts and decision.default is not None:
        written = narrate.example(view.game, context.language, decision)
        texts = [*([written] if written else []), view.game.format(decision.default)]
    step = max(1, len(texts) // EXAMPLES)
    shown = () if answers else tuple(dict.fromkeys(texts[::step]))[:EXAMPLES]
    examples = tuple(context.isolated(text) for text in shown)
    asks = narrate.asks(view.game, context.language, decision, view.view)
    return Asking(asks, answers, examples, decision.optional)


def outcome(context: LetterContext, view: PlayerView) -> dict[str, object]:
    """The ending, the ranking, and the reader's place. The match must be over."""
    assert view.outcome is not None
    name = name_in(context, view)
    ranking = sorted(view.outcome.places.items(), key=lambda pair: pair[1])
    scores = view.outcome.scores
    return {
        "ending": narrate.ending(view.game, context.language, view.outcome, name),
        "ranking": [(place, seat, name(seat), scores.get(seat)) for seat, place in ranking],
        "place": view.outcome.places.get(context.letter.seat or ""),
    }


def dropped_orders(mailer: MailContext, context: LetterContext, chair_id: int, since: int) -> list[str]:
    """The reader's standing orders that came to nothing since a ply, in a sentence for each reason."""
    past = orders.of_chair(mailer.store, chair_id, since).past
    dropped = {
        result: [one.line for one in reversed(past) if one.result == result] for result in orders.DROPPED
    }
    return [
        context.site(f"orders_{result}", [context.isolated(text) for text in texts])
        for result, texts in dropped.items()
        if texts
    ]
