"""Matches of the small game with Ada, Bo and Cleo, for the tests of the house."""

from sqlalchemy import text

from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links
from app.play.match.records import Viewer
from app.play.views.player_view import player_view
from app.store.session import Store

ADDRESSES = {
    "Ada": "ada@example.org",
    "Bo": "bo@example.org",
    "Cleo": "cleo@example.org",
    "Dan": "dan@example.org",
    "Zoe": "zoe@example.org",
}


class Seated:
    """A running match and its people by seat."""

    def __init__(self, store: Store, match_id: int) -> None:
        self.store = store
        self.match_id = match_id
        with store.reading() as connection:
            self.rows = {
                row.seat: row
                for row in connection.execute(
                    text("SELECT * FROM chair WHERE match_id = :id AND until IS NULL"), {"id": match_id}
                )
            }

    def bearer(self, seat: str) -> Viewer:
        return Viewer(player_id=self.rows[seat].player_id)

    def player_view(self, seat: str | None = None, **more):
        return player_view(self.store, self.match_id, self.bearer(seat) if seat else Viewer(), **more)

    def question(self, seat: str) -> str:
        return self.player_view(seat).asked[0].question_id

    def token(self, seat: str) -> str:
        """A turn token for the seat's present run, as a letter would carry it."""
        number = int(self.question(seat).partition(".")[2])
        query = "SELECT run FROM question WHERE match_id = :match_id AND number = :number"
        question = one(self.store, query, match_id=self.match_id, number=number)
        with self.store.transaction() as connection:
            return links.mint(
                connection,
                "turn",
                match_id=self.match_id,
                seat=seat,
                run=question.run,
                player_id=self.rows[seat].player_id,
            )


def question_of(store: Store, seat: str) -> str:
    """The name of the one open question of a seat, as forms write it."""
    found = one(store, "SELECT match_id, number FROM question WHERE closed_at IS NULL AND seat = :s", s=seat)
    return f"{found.match_id}.{found.number}"


def rows(store: Store, query: str, **values):
    with store.reading() as connection:
        return connection.execute(text(query), values).all()


def one(store: Store, query: str, **values):
    return rows(store, query, **values)[0]


def invitation_token(store: Store, invitation_id: int) -> str:
    with store.transaction() as connection:
        return links.mint(connection, "invitation", invitation_id=invitation_id)


def open_table(store: Store, people=("Ada", "Bo"), bots=0, options=None, rule=None, game="ferry") -> int:
    return create_match(
        store,
        game,
        len(people) + bots,
        options or {},
        ADDRESSES[people[0]],
        [ADDRESSES[name] for name in people[1:]],
        bots=bots,
        rule=rule,
    )


def tokens(store: Store, match_id: int) -> list[str]:
    """An invitation's token for each guest, the organiser first."""
    guests = rows(store, "SELECT id FROM invitation WHERE match_id = :id ORDER BY id", id=match_id)
    return [invitation_token(store, guest.id) for guest in guests]


def seat(
    store: Store, people=("Ada", "Bo"), bots=0, options=None, dice=b"a", rule=None, game="ferry"
) -> Seated:
    """A match that has just started."""
    match_id = open_table(store, people, bots, options, rule, game)
    with store.transaction() as connection:  # the same dice in every run of the test
        connection.execute(
            text('UPDATE "match" SET secret = :dice WHERE id = :id'), {"dice": dice, "id": match_id}
        )
    for name, token in zip(people, tokens(store, match_id), strict=True):
        invitations.accept(store, token, name, "en", "Europe/Lisbon", f"{name}'s word")
    return Seated(store, match_id)
