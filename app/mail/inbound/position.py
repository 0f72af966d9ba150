"""The match that a reply is about, read once and again after each line that may have changed it."""

from app.engine.chance import Chance
from app.engine.errors import RulesError, UnreadableMove
from app.engine.game import Game, Move
from app.mail.core.context import MailContext
from app.mail.inbound.command import Authority
from app.play.match import reading
from app.play.match.snapshot import MatchSnapshot


class Position:
    """The match of a reply and the writer's seat in it, as they were last read."""

    def __init__(self, mailer: MailContext, authority: Authority) -> None:
        self._mailer, self._authority = mailer, authority
        self._read = False
        self._match: MatchSnapshot | None = None

    def changed(self) -> None:
        """Read the match again when it is next needed."""
        self._read = False

    @property
    def match(self) -> MatchSnapshot | None:
        """The match; None: the letter is about none, or about a game that has not started."""
        if not self._read and self._authority.match_id is not None:
            with self._mailer.store.reading() as connection:
                self._match = reading.by_match(connection, self._authority.match_id)
        self._read = True
        return self._match

    @property
    def seat(self) -> str | None:
        """The seat that the writer holds in the match, or None."""
        return self.match.seat_of(self._authority.viewer) if self.match is not None else None

    @property
    def game(self) -> Game | None:
        """The game of the match, by its own edition, or None."""
        return self.match.game if self.match is not None else None

    def asks(self, word: str) -> bool:
        """Whether the game asks the seat for a move of that name."""
        return self.match is not None and any(
            one.seat == self.seat and one.asks == word for one in self.match.open
        )

    def can_read(self, line: str) -> bool:
        """Whether the game reads the line as a move of the seat, legal or not."""
        if self.match is None or self.seat is None:
            return False
        steps = self.match.game.split(line)
        if not steps:
            return False
        try:
            self.match.game.parse(self.match.load(), self.seat, steps[0])
        except UnreadableMove:
            return False
        except RulesError:
            return True
        return True

    def can_play(self, line: str) -> bool:
        """Whether the line begins with a move that the seat could make now."""
        if self.match is None or self.seat is None:
            return False
        try:
            steps = self.match.game.split(line)
            move = self.match.game.parse(self.match.load(), self.seat, steps[0])
            self.match.game.apply(self.match.load(), self.seat, move, Chance(b"", 0))
        except (RulesError, IndexError):
            return False
        return True

    def refusal(self, line: str) -> RulesError | None:
        """The reason that the game reads no move in the line, or None."""
        if self.match is None or self.seat is None:
            return None
        steps = self.match.game.split(line) or (line,)
        try:
            self.match.game.parse(self.match.load(), self.seat, steps[0])
        except RulesError as error:
            return error
        return None

    def offered(self) -> tuple[str, ...]:
        """The moves that the seat's open questions offer, in the notation."""
        if self.match is None:
            return ()
        return tuple(self.match.game.format(move) for move in self._moves(self.match))

    def _moves(self, match: MatchSnapshot) -> tuple[Move, ...]:
        asked = (one for one in match.decisions() if one.seat == self.seat)
        return tuple(move for one in asked for move in one.options)
