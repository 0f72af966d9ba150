"""What can be done by a line of a reply: the game's own moves, and the words of the house."""

import re
from collections.abc import Callable, Sequence

import msgspec

from app import narrate
from app.engine.chance import Chance
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Game, Move, Seat
from app.engine.reading import nearest, tidy
from app.mail.core.context import MailContext
from app.mail.letters.results import DONE, REFUSED, UNTRIED, Authority, Call, Report, Result
from app.mail.letters.system_commands import AFTER, ALONE, SHOWN, WORDS
from app.play.match import reading
from app.play.match.records import Closed, SiteError
from app.play.match.snapshot import MatchSnapshot
from app.play.moves import typed as written

LONGEST_SHOWN = 160
"""Characters of a line that an answer repeats."""
MOST_LEFT = 8
"""Lines that an answer asks about."""
_FIRST = re.compile(r"\s*(\S+)\s*")


def carry_out(desk: MailContext, authority: Authority, lines: Sequence[str], key: str) -> Report:
    """Carry out lines in their order until one is refused. Done twice under one key, it is done once."""
    game = game_of(desk, authority)
    results: list[Result] = []
    shows: list[str] = []
    for number, line in enumerate(lines):
        if results and results[-1].outcome == REFUSED:
            results.append(Result(shortened(line), UNTRIED))
            continue
        word, argument = first_word(line)
        command = _play if is_move(desk, authority, line) else WORDS[word]
        call = Call(desk, authority, argument, line, f"{key}:{number}")
        try:
            result = command(call)
        except (RulesError, SiteError) as error:
            result = Result(line, REFUSED, narrate.refusal(game, authority.language, error))
        results.append(msgspec.structs.replace(result, line=shortened(line)))
        if command is not _play and word in SHOWN:
            shows.append(word)
    return Report(tuple(results), tuple(dict.fromkeys(shows)))


def recogniser(desk: MailContext, authority: Authority) -> Callable[[str], bool]:
    """Whether a line begins like a command: a word of the house, or a move that the game can read."""
    standing, seat = _standing(desk, authority)

    def known(line: str) -> bool:
        if _house_word(line):
            return True
        if standing is None or seat is None:
            return False
        steps = standing.game.split(line)
        if not steps:
            return False
        try:
            standing.game.parse(standing.load(), seat, steps[0])
        except UnreadableMove:
            return False
        except RulesError:
            return True
        return True

    return known


def unreadable(desk: MailContext, authority: Authority, line: str) -> str:
    """Why a line is no move, with what it may have meant: legal answers, where some are near."""
    if authority.match_id is None:
        return narrate.refusal(None, authority.language, Closed("no_match"))
    standing, seat = _standing(desk, authority)
    if standing is None or seat is None:
        return ""
    steps = standing.game.split(line) or (line,)
    try:
        standing.game.parse(standing.load(), seat, steps[0])
    except UnreadableMove as error:
        near = nearest(shortened(tidy(line)), (standing.game.format(move) for move in _legal(standing, seat)))
        meant = UnreadableMove(error.text, error.at, near or error.nearest)
        return narrate.refusal(standing.game, authority.language, meant)
    except RulesError as error:
        return narrate.refusal(standing.game, authority.language, error)
    return ""


def possible(desk: MailContext, authority: Authority, lines: Sequence[str]) -> tuple[str, ...]:
    """Those of the lines that could be done now: what looks like a move in a letter of ours could not."""
    standing, seat = _standing(desk, authority)

    def could_be(line: str) -> bool:
        if not _is_move(standing, seat, line):
            return True
        if standing is None or seat is None:
            return False
        try:
            steps = standing.game.split(line)
            move = standing.game.parse(standing.load(), seat, steps[0])
            standing.game.apply(standing.load(), seat, move, Chance(b"", 0))
        except (RulesError, IndexError):
            return False
        return True

    return tuple(line for line in lines if could_be(line))


def is_move(desk: MailContext, authority: Authority, line: str) -> bool:
    """Whether a line is the game's, where the house knows its first word too."""
    return not _house_word(line) or _is_move(*_standing(desk, authority), line)


def _is_move(standing: MatchSnapshot | None, seat: Seat | None, line: str) -> bool:
    if not _house_word(line):
        return True
    if standing is None or seat is None:
        return False
    word = first_word(line)[0]
    return any(one.seat == seat and one.asks == word for one in standing.open)


def first_word(line: str) -> tuple[str, str]:
    """The first word in the plain form of notations, and what stands behind it as it was typed."""
    found = _FIRST.match(line)
    if found is None:
        return "", ""
    return tidy(found[1]).rstrip(":,;"), line[found.end() :].strip()


def game_of(desk: MailContext, authority: Authority) -> Game | None:
    """The game of the letter's match; None: it is about none, or about a table that has not begun."""
    standing, _ = _standing(desk, authority)
    return standing.game if standing is not None else None


def seat_of(desk: MailContext, authority: Authority) -> str | None:
    """The seat that the writer holds in the letter's match; None: none, or no more."""
    return _standing(desk, authority)[1]


def _standing(desk: MailContext, authority: Authority) -> tuple[MatchSnapshot | None, str | None]:
    if authority.match_id is None:
        return None, None
    with desk.store.reading() as connection:
        standing = reading.by_match(connection, authority.match_id)
    return standing, standing.seat_of(authority.bearer) if standing is not None else None


def _legal(standing: MatchSnapshot, seat: Seat) -> tuple[Move, ...]:
    """What the seat's open questions offer."""
    asked = (one for one, _ in standing.decisions() if one.seat == seat)
    return tuple(move for one in asked for move in one.options)


def _house_word(line: str) -> bool:
    """Whether a line is one of the house's: its word, and no more behind it than belongs there."""
    word, argument = first_word(line)
    return word in WORDS and (word not in ALONE or AFTER.fullmatch(tidy(argument)) is not None)


def shortened(line: str) -> str:
    """A line as an answer repeats it."""
    return line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…"


def _play(call: Call) -> Result:
    done = written.play_line(
        call.desk.store,
        call.authority.bearer,
        call.match_id,
        call.line,
        run=call.authority.run,
        source="letter",
        source_key=call.key,
    )
    return Result(call.line, DONE, "; ".join(done.moves) if not done.again else "")
