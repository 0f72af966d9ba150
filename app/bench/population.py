"""Matches to measure: distinct, of all games, stopped somewhere in their middle, with clocks and emails."""

import random
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import msgspec

from app import games
from app.engine.errors import RulesError
from app.engine.game import Seat
from app.play.clock.rules import DAY, Rule
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links, reading
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, OpenQuestion
from app.play.moves import orders, service
from app.store.session import Store
from app.store.sql import Query

RULES = (
    Rule("per_move", per_move=3 * DAY, grace=DAY),
    Rule("bank", bank=6 * DAY, increment=DAY, cap=8 * DAY),
    Rule(),
)
"""The time limits of the matches, in turn."""
PLIES = (10, 90)
"""A match is stopped somewhere between these plies, or earlier if it ends."""
AHEAD = 5
"""One match in so many has a conditional move."""

_invitations = Query(int, "SELECT id FROM invitation WHERE match_id = :match_id ORDER BY id")


class Turn(msgspec.Struct, frozen=True):
    """A move to send by POST."""

    match_id: int
    path: str
    body: str


class Population:
    """A number of running matches in a store, and random legal moves on them. Equal seeds, equal matches."""

    def __init__(self, store: Store, seed: str = "bench") -> None:
        self.store = store
        self.matches: list[int] = []
        self._chance = random.Random(seed)  # noqa: S311 - a bench, to be repeated
        self._made = 0

    def grow(self, wanted: int, plies: tuple[int, int] = PLIES) -> None:
        """Play more matches, of all games in turn, to somewhere between these plies."""
        slugs = sorted(games.all_games())
        while len(self.matches) < wanted:
            match_id = self.begin(slugs[len(self.matches) % len(slugs)])
            if self.advance(match_id, self._chance.randint(*plies)):
                self.matches.append(match_id)
                if len(self.matches) % AHEAD == 0:
                    self._look_ahead(match_id)

    def begin(self, slug: str = "", accepted: int | None = None, host: str = "") -> int:
        """The id of a new match, accepted by so many of its players; None: by all, and so it runs.

        `host` is the address of the player who sets it up; empty: a new player.
        """
        self._made += 1
        game = games.all_games()[slug or min(games.all_games())]
        seats = self._chance.randint(max(2, game.seats[0]), game.seats[-1])
        people = [f"p{self._made}.{n}@bench.example" for n in range(seats)]
        people[0] = host or people[0]
        rule = RULES[self._made % len(RULES)]
        match_id = create_match(self.store, game.slug, seats, {}, people[0], people[1:], rule=rule)
        for n, invitation in enumerate(self._invitations(match_id)[:accepted]):
            with self.store.transaction() as connection:
                token = links.mint(connection, "invitation", match_id=match_id, invitation_id=invitation)
            name = f"Player {self._made} {n}"
            invitations.accept(self.store, token, name, "en", "Europe/Berlin", f"word {n}")
        return match_id

    def begin_for_one(self, matches: int) -> int:
        """The id of a player who set up so many matches, of all games in turn, and plays in each."""
        slugs = sorted(games.all_games())
        begun = [self.begin(slugs[n % len(slugs)], host="host@bench.example") for n in range(matches)]
        host = self.snapshot(begun[0]).organiser_id
        assert host is not None
        return host

    def finished(self) -> int:
        """The id of a match that was played to its end."""
        match_id = self.begin()
        while self.advance(match_id, self.snapshot(match_id).ply + 1):
            pass
        return match_id

    def advance(self, match_id: int, ply: int) -> bool:
        """Play random moves until that ply. False: the match ended before."""
        while (match := self.snapshot(match_id)).ply < ply:
            if not match.running:
                return False
            question = self._chance.choice([one for one in match.open if not one.optional])
            viewer = Viewer(player_id=match.holder(question.seat).player_id)
            service.play(self.store, viewer, question.id, self._move(match, question))
        return match.running

    def snapshot(self, match_id: int) -> MatchSnapshot:
        """A match as it stands."""
        with self.store.reading() as connection:
            match = reading.by_match(connection, match_id)
        assert match is not None
        return match

    def turns(self) -> Iterator[Turn]:
        """One legal move on each match that still runs, as a form posts it by the link of an email."""
        for match_id in self.matches:
            match = self.snapshot(match_id)
            if match.running:
                question = next(one for one in match.open if not one.optional)
                path = self.link(match, question.seat, question.turn)
                body = urlencode({"question": question.id, "answer": self._move(match, question)})
                yield Turn(match_id, path, body)

    def link(self, match: MatchSnapshot, seat: Seat, turn: int) -> str:
        """The path of a turn's page."""
        with self.store.transaction() as connection:
            token = links.mint(connection, "turn", match_id=match.match_id, seat=seat, run=turn)
        return links.path("turn", token)

    def _invitations(self, match_id: int) -> Sequence[int]:
        with self.store.reading() as connection:
            return _invitations.all(connection, match_id=match_id)

    def _move(self, match: MatchSnapshot, question: OpenQuestion) -> str:
        decision = match.decision(question)
        move = self._chance.choice(decision.options) if decision.options else decision.default
        assert move is not None
        return match.game.format(move)

    def _look_ahead(self, match_id: int) -> None:
        """Leave a conditional move for a seat that isn't asked now, where the game can read it."""
        match = self.snapshot(match_id)
        waiting = [one.seat for one in match.open]
        seat = next((seat for seat in match.seats if seat not in waiting), None)
        if seat is None:
            return
        line = self._move(match, match.open[0])
        viewer = Viewer(player_id=match.holder(seat).player_id)
        try:
            orders.leave(self.store, viewer, match_id, line)
        except (RulesError, Refused, Closed):
            return  # the line is only the other seat's
