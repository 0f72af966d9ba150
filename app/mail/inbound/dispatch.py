"""Carrying out the lines of a reply: moves of the game, and commands of the system."""

import re
from collections.abc import Callable, Sequence

import msgspec

from app import clock, narrate
from app.engine.errors import RulesError, UnreadableMove
from app.engine.reading import nearest, tidy
from app.graphemes import cut
from app.mail.core.context import MailContext
from app.mail.core.report import DONE, REFUSED, UNTRIED, Report, Result
from app.mail.inbound.command import Authority, Call
from app.mail.inbound.position import Position
from app.mail.inbound.system_commands import AFTER, ALONE, AWAY, END, KEPT, SHOWN, WHOLE, WORDS
from app.people.dates import is_dated
from app.people.errors import Refused
from app.play.match.records import Closed, SiteError
from app.play.moves import typed
from app.words import commands

LONGEST_SHOWN = 160
"""Characters of a line that an answer repeats."""
MOST_NEAR = 3
"""Moves that a line may have meant."""
MOST_LEFT = 8
"""Lines that an answer asks about."""
ORDERS = "orders"
"""A command of the system, and a move of some games: what reads as the move is never kept for later."""
_FIRST = re.compile(r"\s*(\S+)\s*")
_WITH_COLON = re.compile(r"\s*([^\s:\uff1a]+)(?:\uff1a|:(?=[\w\"\u201c\u300c\u00ab]))\s*")
"""A word whose colon has no blank behind it; a face such as :) has no word there."""


def carry_out(
    mailer: MailContext,
    authority: Authority,
    position: Position,
    lines: Sequence[str],
    key: str,
    garbled: bool = False,
) -> Report:
    """Carry out lines in their order until one is refused. Under one key each is carried out only once.

    `garbled`: letters beyond ASCII are a guess; no text for others, or for later, is kept with them.
    """
    game = position.game
    results: list[Result] = []
    shows: list[str] = []
    for number, line in enumerate(lines):
        if results and results[-1].outcome == REFUSED:
            results.append(Result(shortened(line), UNTRIED))
            continue
        word, argument = first_word(line)
        command = _play if is_move(position, line) else WORDS[word]
        call = Call(mailer, authority, argument, line, f"{key}:{number}")
        try:
            if garbled and command in KEPT and not line.isascii():
                raise Refused("text_garbled")
            result = command(call)
        except (RulesError, SiteError) as error:
            result = Result(line, REFUSED, narrate.refusal(game, authority.language, error))
        position.changed()
        results.append(msgspec.structs.replace(result, line=shortened(line)))
        if command is not _play and word in SHOWN:
            shows.append(word)
    return Report(tuple(results), tuple(dict.fromkeys(shows)))


def recogniser(position: Position) -> Callable[[str], bool]:
    """A check whether a line begins with a command of the system or a move that the game can read."""
    return lambda line: _is_system_command(line) or position.can_read(line)


def unreadable(authority: Authority, position: Position, line: str) -> str:
    """The reason that a line is no move, with the legal moves that it may have meant; empty if it is one."""
    if authority.match_id is None:
        return narrate.refusal(None, authority.language, Closed("no_match"))
    error = position.refusal(line)
    if error is None:
        return ""
    if isinstance(error, UnreadableMove):
        plain, offered = tidy(line), position.offered()
        inside = tuple(one for one in offered if f" {one} " in f" {plain} ")[:MOST_NEAR]
        near = inside or nearest(shortened(plain), offered)
        error = UnreadableMove(error.text, error.at, near or error.nearest)
    return narrate.refusal(position.game, authority.language, error)


def possible(position: Position, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines that could be carried out now. Moves quoted from a letter of ours usually could not."""
    return tuple(line for line in lines if not is_move(position, line) or position.can_play(line))


def is_move(position: Position, line: str) -> bool:
    """Whether a line is the game's, even if the system has a command of that name."""
    word, argument = first_word(line)
    if not _is_system_command(line) or (position.asks(word) and _in_english(line)[0] == word):
        return True
    return word == ORDERS and bool(argument) and position.can_read(line)


def first_word(line: str) -> tuple[str, str]:
    """The first word in the plain form of notations, and the text after it as it was typed.

    A command in another language comes out as the English one.
    """
    word, argument = _in_english(line)
    return (word, argument) if word in WORDS else _in_another_language(line) or (word, argument)


def _in_english(line: str) -> tuple[str, str]:
    found = _FIRST.match(line)
    if found is None:
        return "", ""
    word = tidy(found[1]).rstrip(":,;")
    if word not in WORDS and (parted := _WITH_COLON.match(line)) is not None and tidy(parted[1]) in WORDS:
        return tidy(parted[1]), line[parted.end() :].strip()
    return word, line[found.end() :].strip()


def _in_another_language(line: str) -> tuple[str, str] | None:
    """The English command that a line means, and the text after it; dates of an absence may come first."""
    found = commands.command_in(line)
    if found is None:
        today = clock.now().date()
        dates = next((one for one in commands.dates_of_absence(line) if is_dated(one, today)), None)
        return (AWAY, dates) if dates is not None else None
    name, argument = found
    word, _, more = name.partition(" ")
    return word, " ".join(part for part in (more, argument) if part)


def shortened(line: str) -> str:
    """A line as an answer repeats it."""
    return cut(line, LONGEST_SHOWN, "…")


def ends_all(line: str) -> bool:
    """Whether a line ends all sessions and links."""
    return first_word(line)[0] == END and _is_system_command(line)


def _is_system_command(line: str) -> bool:
    """Whether a line is a command of the system: its word, and no more after it than belongs there."""
    word, argument = first_word(line)
    if word in WHOLE:
        return WHOLE[word].fullmatch(tidy(argument)) is not None
    if word in ALONE:
        return AFTER.fullmatch(tidy(argument)) is not None or commands.is_polite(argument)
    return word in WORDS and not _opens_a_sentence(line)


def _opens_a_sentence(line: str) -> bool:
    """Whether a comma follows the first word, as in "Say, are you there?"."""
    found = _FIRST.match(line)
    return found is not None and tidy(found[1]).endswith((",", ";"))


def _play(call: Call) -> Result:
    done = typed.play_line(
        call.mailer.store,
        call.authority.viewer,
        call.match_id,
        call.line,
        turn=call.authority.turn,
        source="letter",
        source_key=call.key,
    )
    return Result(call.line, DONE, "; ".join(done.moves) if not done.again else "")
