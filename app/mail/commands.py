"""What can be done by a line of a reply: the game's own moves, and the words of the house."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from app import games, narrate
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Game
from app.engine.reading import tidy
from app.mail.errand import Desk
from app.play import lines as written
from app.play import service
from app.play import standing as reading
from app.play.records import Bearer, Closed, HouseError
from app.play.standing import Standing

DONE, REFUSED, UNTRIED, TOLD = "done", "refused", "untried", "told"
HELP, BOARD, LEGAL, GAMES, RESIGN = "help", "board", "legal", "games", "resign"
LONGEST_SHOWN = 160
"""Characters of a line that an answer repeats."""
MOST_LEFT = 8
"""Lines that an answer asks about."""
_FIRST = re.compile(r"\s*(\S+)\s*")
_NUMBER = re.compile(r"#?([0-9]{1,10})")


class Authority(msgspec.Struct, frozen=True):
    """Who writes, and what the letter was about that he answers."""

    player_id: int
    match_id: int | None
    run: int | None
    """The run of questions in which it asked him; None: in none."""
    letter_id: str | None
    address_key: str
    language: str
    zone: str
    may_resign: bool = False
    """The letter asked whether he really wants to."""

    @property
    def bearer(self) -> Bearer:
        """He himself: what he may do hangs on his seats and not on the letter."""
        return Bearer(player_id=self.player_id)


class Result(msgspec.Struct, frozen=True):
    """What became of one line."""

    line: str
    outcome: str
    """done, refused, untried, told."""
    said: str = ""
    """Why not, or what is to be told; in the writer's language."""


class Report(msgspec.Struct, frozen=True):
    """What became of a whole mail."""

    results: tuple[Result, ...] = ()
    shows: tuple[str, ...] = ()
    """What its answer must show: help, board, legal, games; and `resign` where it asks back."""
    unread: str = ""
    """Where the reading ended."""
    why: str = ""
    """Why that is no move; in the writer's language."""
    left: tuple[str, ...] = ()
    """Commands that stand where they may not have been meant."""
    reason: str = ""
    """Why there was no line to carry out."""
    message_id: str = ""
    sender: str = ""
    """Whose mail it was, where it was not the player's own address."""


class Call(msgspec.Struct, frozen=True):
    """One line to carry out."""

    desk: Desk
    authority: Authority
    argument: str
    """What stands behind the first word, as it was typed."""
    line: str
    key: str
    """Of this line of this mail: what is done under it once is not done again."""

    def say(self, name: str, *facts: object) -> str:
        """A phrase of the letters in the writer's language."""
        return narrate.say(narrate.LETTERS, self.authority.language, name, *facts)

    @property
    def match_id(self) -> int:
        """The match of the letter. Raises Closed where it is about none."""
        if self.authority.match_id is None:
            raise Closed("no_match")
        return self.authority.match_id


Command: TypeAlias = Callable[[Call], Result]


def carry_out(desk: Desk, authority: Authority, lines: Sequence[str], key: str) -> Report:
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
        except (RulesError, HouseError) as error:
            result = Result(line, REFUSED, narrate.refusal(game, authority.language, error))
        results.append(msgspec.structs.replace(result, line=shortened(line)))
        if command is not _play and word in SHOWN:
            shows.append(word)
    return Report(tuple(results), tuple(dict.fromkeys(shows)))


def recogniser(desk: Desk, authority: Authority) -> Callable[[str], bool]:
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


def unreadable(desk: Desk, authority: Authority, line: str) -> str:
    """Why a line is no move, with what it may have meant; empty where there is no game to ask."""
    standing, seat = _standing(desk, authority)
    if standing is None or seat is None:
        return ""
    steps = standing.game.split(line) or (line,)
    try:
        standing.game.parse(standing.load(), seat, steps[0])
    except RulesError as error:
        return narrate.refusal(standing.game, authority.language, error)
    return ""


def is_move(desk: Desk, authority: Authority, line: str) -> bool:
    """Whether a line is the game's, where the house knows its first word too."""
    if not _house_word(line):
        return True
    standing, seat = _standing(desk, authority)
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


def game_of(desk: Desk, authority: Authority) -> Game | None:
    """The game of the letter's match; None: it is about none, or about a table that has not begun."""
    standing, _ = _standing(desk, authority)
    return games.shelf()[standing.slug] if standing is not None else None


def seat_of(desk: Desk, authority: Authority) -> str | None:
    """The seat that the writer holds in the letter's match; None: none, or no more."""
    return _standing(desk, authority)[1]


def _standing(desk: Desk, authority: Authority) -> tuple[Standing | None, str | None]:
    if authority.match_id is None:
        return None, None
    with desk.store.reading() as connection:
        standing = reading.by_match(connection, authority.match_id)
    return standing, standing.seat_of(authority.bearer) if standing is not None else None


def _house_word(line: str) -> bool:
    """Whether a line is one of the house's: its word, and no more behind it than belongs there."""
    word, argument = first_word(line)
    return word in WORDS and (word not in ALONE or len(argument.split()) <= 1)


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


def _undo(call: Call) -> Result:
    written.undo_line(
        call.desk.store,
        call.authority.bearer,
        call.match_id,
        run=call.authority.run,
        source="letter",
        source_key=call.key,
    )
    return Result(call.line, DONE)


def _resign(call: Call) -> Result:
    """Asks back; the reply to that answer, with the match's number, does it."""
    match_id = call.match_id
    number = _NUMBER.fullmatch(call.argument.rstrip("."))
    if call.authority.may_resign and number is not None and int(number[1]) == match_id:
        service.resign(call.desk.store, call.authority.bearer, match_id)
        return Result(call.line, DONE)
    return Result(call.line, TOLD, call.say("resign_how", match_id))


def _show(call: Call) -> Result:
    return Result(call.line, TOLD)


WORDS: Mapping[str, Command] = {
    HELP: _show,
    BOARD: _show,
    LEGAL: _show,
    GAMES: _show,
    "undo": _undo,
    RESIGN: _resign,
}
"""The words of the house. A game may have one of them too, and then keeps it while it asks by that name."""
SHOWN = frozenset({HELP, BOARD, LEGAL, GAMES, RESIGN})
ALONE = frozenset({HELP, BOARD, LEGAL, GAMES, RESIGN, "undo"})
"""Words with nothing behind them, or one word at most: more would be a sentence that begins like this."""
