"""A match that goes on as one player may know it, a text to read: no hidden fact, and nothing to verify.

It tells what the player's page tells, in English: moves by what was seen of them, the player's own by their
text while their turn goes on, private events from their last turn on.
"""

from collections.abc import Iterator

from app import draw, narrate
from app.engine import codec, dice
from app.narrate import FALLBACK
from app.play.match.records import LogEntry, PlayerView
from app.transcripts.export import clock_text
from app.transcripts.form import MatchFile, Said, Word
from app.transcripts.verifying import chosen_options
from app.transcripts.writing import headers, moment, quoted, said_line

SEEN_BY = "seen by"
"""The header that no whole file has."""


def text_for(view: PlayerView) -> str:
    """The text for the seat of the view, which has all plies of a match that goes on."""
    return "".join(f"{line}\n" for line in _lines(view))


def _lines(view: PlayerView) -> Iterator[str]:
    assert view.seat is not None
    yield f"# This is what {view.seat} can know of a game that goes on, told in English."
    yield "# When the game is over, all of it can be downloaded and verified."
    names = {one.seat: one.name for one in view.sittings}
    yield from headers(
        MatchFile(
            game=view.game.slug,
            edition=view.game.edition,
            players=tuple(names),
            lines=(),
            ending=None,
            options=chosen_options(view.game, view.options),
            clock=clock_text(view.rule),
            bots=tuple(one.seat for one in view.sittings if one.bot),
            names=tuple(names.items()),
            commitment=view.commitment,
            dice=view.dice,
            words=_words(view),
        )
    )
    if view.dice == dice.EARLIER:  # the order of invitation follows from the secret
        yield from (
            f"word {seat}: {quoted(word)}" for seat, word in zip(view.word_seats, view.words, strict=True)
        )
    yield f"{SEEN_BY}: {view.seat}"
    yield ""
    for entry in view.heard:
        yield _played(entry)
        told = narrate.sentences(view.game, FALLBACK, entry.events, view.names_then(entry.at))
        yield from (f"# {line}" for text in told for line in text.splitlines())
        for one in view.notices:
            if one.ply == entry.ply:
                facts = codec.dumps(one.facts)
                yield said_line(Said(one.what, one.seat, one.by_seat, facts, one.at), names)
    board = draw.text(view.game, view.view) + "\n" + draw.mine(view.game, view.view)
    yield from (f"# {line}".rstrip() for line in ("", *board.strip("\n").splitlines(), ""))
    yield "= goes on"


def _words(view: PlayerView) -> tuple[Word, ...]:
    if view.dice == dice.EARLIER:
        return ()
    pairs = zip(view.word_seats, view.words, strict=True)
    return tuple(Word(place, seat, word) for place, (seat, word) in enumerate(pairs, 1))


def _played(entry: LogEntry) -> str:
    """The line of a ply: the text of a move that isn't the player's own in their turn is a question mark."""
    move = (entry.move or "?") if entry.what == "move" else entry.what
    by_clock = " by the clock" if entry.by_clock else ""
    return f"{f'{entry.seat}: ' if entry.seat else ''}{move} @{moment(entry.at)}{by_clock}"
