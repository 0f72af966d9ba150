"""Whether a match file is true: its dice as promised, its seats as drawn, its moves legal, its end right.

Nothing here is believed: everything but names and talk is worked out again from the secret.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

import msgspec

from app import narrate
from app.engine import dice
from app.engine.chance import seed_of
from app.engine.errors import RulesError
from app.engine.game import Game, Outcome, Seat
from app.play.match.editions import rules_of
from app.play.match.records import Closed
from app.transcripts.form import CALLED_OFF, BadFile, Ending, MatchFile, Played, SeatResult
from app.transcripts.reading import Read
from app.transcripts.replaying import Fault, Made, Replay
from app.transcripts.writing import draw_text, options_text


class Verified(msgspec.Struct, frozen=True):
    """A match file that was found true, and the match at its end."""

    match: MatchFile
    secret: bytes
    seed: bytes
    replay: Replay
    made: tuple[Made, ...]
    """The result of each ply, from the start on."""

    @property
    def draws(self) -> int:
        """How many draws were worked out."""
        return sum(len(one.draws) for one in self.made)


def verify(read: Read) -> Verified:
    """The match of a file, played again from its secret. Raises BadFile at the first line that is wrong."""
    match = read.match
    try:
        game = rules_of(match.game, match.edition)
    except Closed:
        raise BadFile(
            read.line("edition"), f"there are no rules here for edition {match.edition} of “{match.game}”"
        ) from None
    options = _options(read, game)
    secret, seed = _dice(read)
    with _refused(read.line("options"), game):
        replay = Replay(match.game, match.edition, match.players, options, seed)
    made = [replay.first] if match.bare else []
    for number, line in zip(read.lines, match.lines, strict=True):
        if not isinstance(line, Played):
            continue
        if line.move == "start" or not made:
            if line.move != "start" or made:
                raise BadFile(number, "the start stands first, and once")
            done = replay.first
        else:
            with _refused(number, replay.game):
                done = replay.line(line.seat, line.move)
            if done.move != line.move:
                raise BadFile(number, f"the move is written {done.move}")
        if not match.bare:
            _check_draws(number, line, done)
        elif line.draws or line.at or line.by_clock:
            raise BadFile(number, "in a made-up match a line has its move alone")
        made.append(done)
    _end(read, replay)
    return Verified(match, secret, seed, replay, tuple(made))


def chosen_options(game: Game, stored: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Those of the rules at the start that differ from the usual ones."""
    return tuple(
        (one.name, stored[one.name])
        for one in game.options
        if stored.get(one.name, one.choices[0]) != one.choices[0]
    )


def ending_of(outcome: Outcome, players: Sequence[Seat], at: datetime | None = None) -> Ending:
    """An outcome as the file of a match tells it."""
    return Ending(
        outcome.reason,
        tuple(
            SeatResult(seat, outcome.scores.get(seat), outcome.places[seat])
            for seat in players
            if seat in outcome.places
        ),
        at,
    )


def _dice(read: Read) -> tuple[bytes, bytes]:
    """The secret and the seed, after the fingerprint and the draw of the seats were checked."""
    match = read.match
    if match.seed is not None:
        return match.seed.encode(), hashlib.sha256(match.seed.encode()).digest()
    if not match.secret:
        raise BadFile(
            read.line("dice"),
            "the secret is missing: this is what could be seen of a game that was still going on",
        )
    try:
        secret = bytes.fromhex(match.secret)
    except ValueError:
        secret = b""
    if not secret or secret.hex() != match.secret:
        raise BadFile(read.line("secret"), "the secret isn't written in hexadecimal digits")
    if match.dice == dice.MADE_UP:
        if match.words or match.commitment:
            raise BadFile(read.line("dice"), "a made-up match has no fingerprint and no words")
        return secret, hashlib.sha256(secret).digest()
    texts = tuple(word.text for word in match.words)
    seed = seed_of(secret, texts)
    if not dice.proves(secret, match.commitment, texts, seed, match.dice):
        if match.dice not in (dice.EARLIER, dice.CURRENT):
            raise BadFile(read.line("dice"), f"there is no formula {match.dice}")
        raise BadFile(read.line("fingerprint"), "the fingerprint isn't that of the secret")
    _check_seats(read, secret, seed)
    return secret, seed


def _check_seats(read: Read, secret: bytes, seed: bytes) -> None:
    match = read.match
    if len(match.words) != len(match.players):
        raise BadFile(read.line("dice"), "there must be a word for each seat, if only an empty one")
    drawn = word_lines(secret, seed, len(match.words), match.dice)
    for word, (place, seat) in zip(match.words, drawn, strict=True):
        if (word.place, word.seat) != (place, match.players[seat]):
            raise BadFile(
                read.line(f"word {word.seat}"),
                f"the draw of the seats gives here word {place} {match.players[seat]}",
            )


def word_lines(secret: bytes, seed: bytes, words: int, formula: int) -> tuple[tuple[int, int], ...]:
    """For each word, as the formula takes them, the places of its player.

    The first is that in the order of invitation, from 1, the second that of the seat drawn, in turn order
    from 0.
    """
    if formula == dice.EARLIER:
        order = dice.drawn(secret, [""] * words, formula).order
        return tuple((place + 1, seat) for seat, place in enumerate(order))
    return tuple((n + 1, seat) for n, seat in enumerate(dice.seats_of_words(seed, words, formula)))


def _options(read: Read, game: Game) -> Mapping[str, str]:
    match = read.match
    if match.players != tuple(dict.fromkeys(match.players)) or not set(match.players) <= set(game.colours):
        raise BadFile(read.line("players"), f"the seats of this game are {' '.join(game.colours)}")
    if len(match.players) not in game.seats:
        raise BadFile(read.line("players"), f"it is a game for {game.seats[0]} to {game.seats[-1]}")
    with _refused(read.line("options"), game):
        complete = game.complete_options(len(match.players), dict(match.options))
    if (usual := chosen_options(game, complete)) != match.options:
        raise BadFile(read.line("options"), f"the options are written {options_text(usual) or 'not at all'}")
    return complete


def _check_draws(number: int, line: Played, done: Made) -> None:
    for at, (told, true) in enumerate(zip(line.draws, done.draws, strict=False), 1):
        if told != true:
            raise BadFile(number, f"draw {at} is {draw_text(told)}, but the dice give {draw_text(true)}")
    if len(line.draws) != len(done.draws):
        raise BadFile(number, f"has {len(line.draws)} draws, but the dice give {len(done.draws)}")


def _end(read: Read, replay: Replay) -> None:
    match, number, outcome = read.match, read.at["end"], replay.outcome
    if not match.bare and not any(isinstance(one, Played) for one in match.lines):
        raise BadFile(number, "the start is missing")
    if outcome is None:
        if match.ending is not None and (match.ending.reason != CALLED_OFF or match.ending.results):
            raise BadFile(number, "the game isn't over here: the file is cut")
        return
    true = ending_of(outcome, match.players)
    if match.ending is None or msgspec.structs.replace(match.ending, at=None) != true:
        told = ", ".join(f"{one.seat} {one.score} ({one.place})" for one in true.results)
        raise BadFile(number, f"the game ended otherwise: {true.reason}: {told}")


@contextmanager
def _refused(number: int, game: Game) -> Iterator[None]:
    """Say what the rules refuse as a fault of a line. Raises BadFile."""
    try:
        yield
    except Fault as fault:
        raise BadFile(number, str(fault)) from None
    except RulesError as error:
        raise BadFile(number, " ".join(narrate.refusal(game, narrate.FALLBACK, error).split())) from None
    except Closed:
        raise BadFile(number, "there are no rules here for this edition") from None
