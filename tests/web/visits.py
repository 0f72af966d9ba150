"""What tests of the pages do behind their back, and how they read them."""

import re
from datetime import timedelta
from hashlib import sha256
from html import unescape

import msgspec
from sqlalchemy import text

from app import clock
from app.engine.chance import Chance
from app.play.clock.rules import Rule
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from app.store.session import Store


class House:
    """What tests do behind the pages' back: mint the links that letters would carry, and look at rows."""

    def __init__(self, store: Store, language: str = "en") -> None:
        self.store, self.language = store, language

    def rows(self, query: str, **values):
        with self.store.reading() as connection:
            return connection.execute(text(query), values).all()

    def count(self) -> dict[str, int]:
        """How many rows each table has."""
        tables = ("player", "invitation", "chair", "played", "question", "letter")
        counts = {table: self.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables}
        return counts | {"match": self.rows('SELECT count(*) FROM "match"')[0][0]}

    def mint(self, purpose: str, **what) -> str:
        with self.store.transaction() as connection:
            return links.mint(connection, purpose, **what)

    def open(
        self, *names: str, game: str = "survive", bots: int = 0, rule: Rule | None = None, **options: str
    ) -> int:
        addresses = ["".join(filter(str.isalnum, name)).casefold() + "@example.org" for name in names]
        seats = len(names) + bots
        return create_match(
            self.store, game, seats, options, addresses[0], addresses[1:], bots=bots, rule=rule
        )

    def invited(self, match_id: int) -> list[str]:
        """A token for each invitation, the organiser's first."""
        found = self.rows("SELECT id FROM invitation WHERE match_id = :m ORDER BY id", m=match_id)
        return [self.mint("invitation", invitation_id=row.id) for row in found]

    def start(
        self, *names: str, game: str = "survive", bots: int = 0, rule: Rule | None = None, **options: str
    ) -> int:
        """A running match."""
        match_id = self.open(*names, game=game, bots=bots, rule=rule, **options)
        with self.store.transaction() as connection:
            dice = sha256(str(match_id).encode()).digest()  # so that every run sees the same games
            connection.execute(
                text('UPDATE "match" SET secret = :d WHERE id = :m'), {"d": dice, "m": match_id}
            )
        for name, token in zip(names, self.invited(match_id), strict=True):
            invitations.accept(self.store, token, name, self.language, "Europe/Lisbon", f"word of {name}")
        return match_id

    def turns(self, match_id: int) -> dict[str, str]:
        """A turn token for each seat that is asked."""
        asked = self.rows(
            """SELECT q.seat, q.run, c.player_id FROM question q
               JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
               WHERE q.match_id = :m AND q.closed_at IS NULL""",
            m=match_id,
        )
        return {
            row.seat: self.mint(
                "turn", match_id=match_id, seat=row.seat, run=row.run, player_id=row.player_id
            )
            for row in asked
        }

    def play(self, match_id: int, moves: int) -> None:
        """So many answers of the simple players."""
        for n in range(moves):
            for token in list(self.turns(match_id).values())[:1]:
                seen = player_view_by_token(self.store, token)
                decision = seen.asked[0].decision
                move = seen.game.bot(seen.view, decision, Chance(b"tests", n))
                answer = seen.game.format(move)
                service.play(self.store, Viewer(token=token), seen.asked[0].question_id, answer)

    def sign_in_link(self, name: str) -> str:
        player = self.rows("SELECT id FROM player WHERE name = :n", n=name)[0]
        until = clock.now() + timedelta(days=1)
        return f"/s/{self.mint('sign_in', player_id=player.id, expires_at=until)}"


class Turn(msgspec.Struct):
    """Somebody's open turn: its page and what the page offers."""

    match_id: int
    seat: str
    token: str
    html: str

    @property
    def path(self) -> str:
        return f"/t/{self.token}"

    @property
    def question(self) -> str:
        return fields(self.html, "question")[0]


def fields(html: str, name: str) -> list[str]:
    """The values that the page gives to fields or buttons of this name."""
    return [unescape(value) for value in re.findall(rf'name="{name}" value="([^"]*)"', html)]


def picks(html: str) -> dict[str, str]:
    """What can be pointed at next on the board: the address of each name."""
    found = re.findall(r'<a href="([^"]*)" data-at="([^"]*)"(?! data-pick="other")', html)
    return {name: unescape(address) for address, name in found}
