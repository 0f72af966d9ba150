"""A table becomes a match: seats and seed are drawn, the game is set up, the first are asked.

What can be checked afterwards, from the secret that is then published: the seats are
`Chance(secret, 0, "seats").shuffled(...)` of the players in the order in which they were invited, bots last;
the seed is `seed_of(secret, words)`, the words in the order of the seats thus drawn (a bot's is empty).
"""

import msgspec
from sqlalchemy import Connection

from app import clock, games
from app.engine import codec
from app.engine.chance import Chance, seed_of
from app.engine.game import Seat
from app.play.clock.rules import Calendar
from app.play.clock.turn import TurnClock
from app.play.match import cache, turn_clocks
from app.play.match.snapshot import SeatHolder, rule, stops
from app.play.moves.commit import Entry, Overtaken, ask, asked_letter, log
from app.store.outbox import LetterRequest, enqueue
from app.store.session import wake_after_commit
from app.store.statement import Statement, stored

BOT_NAMES = ("Coral", "Pebble", "Kelp", "Limpet", "Spindrift", "Cuttle", "Barnacle", "Plover")

_table = Statement('SELECT game, options, seats, bots, secret, clock FROM "match" WHERE id = ?')
_house = Statement("SELECT (SELECT stops FROM house WHERE id = 1)")
_guests = Statement(
    """SELECT i.player_id, i.word, p.name, p.zone, p.away, p.reminders
       FROM invitation i JOIN player p ON p.id = i.player_id
       WHERE i.match_id = ? AND i.status = 'accepted' ORDER BY i.id"""
)
_begin = Statement(
    """UPDATE "match" SET status = 'running', seed = ?, words = ?, state = ?, ply = 0, barrier_ply = 0,
                          barrier_seat = NULL, barrier_state = '', started_at = ?
       WHERE id = ? AND status IN ('unconfirmed', 'open')"""
)
_seat = Statement(
    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
       VALUES (?, ?, ?, ?, ?, ?, -1)"""
)


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who will sit at the table."""

    player_id: int | None
    name: str
    word: str = ""
    zone: str = "UTC"
    away: str = "[]"
    reminders: str = ""


def start(connection: Connection, match_id: int) -> None:
    """Begin the match with all who accepted and its bots. Raises Overtaken where it has begun already."""
    now = clock.now()
    at = stored(connection, now)
    slug, options, seats, bots, secret, clock_rule = _table.fetch(connection, match_id)[0]
    game, secret = games.all_games()[slug], bytes(secret)
    entrants = [
        Entrant(player_id, name, word, *rest)
        for player_id, word, name, *rest in _guests.fetch(connection, match_id)
    ]
    entrants += [Entrant(None, name) for name in Chance(secret, 0, "names").shuffled(BOT_NAMES)[:bots]]
    assert len(entrants) == seats
    order = Chance(secret, 0, "seats").shuffled(entrants)
    seed = seed_of(secret, [entrant.word for entrant in order])
    colours: tuple[Seat, ...] = game.colours[:seats]
    step = game.setup(colours, msgspec.json.decode(options), Chance(seed, 0))
    text = codec.dumps(step.state)
    words = codec.dumps(tuple(entrant.word for entrant in order))
    if _begin.run(connection, seed, words, text, at, match_id) != 1:
        raise Overtaken
    rows = []
    places = []
    for seat, entrant in zip(colours, order, strict=True):
        bot = entrant.player_id is None
        rows.append((match_id, seat, entrant.player_id, bot, entrant.name if bot else "", at))
        away = stops(entrant.away)
        places.append(
            SeatHolder(
                0,
                seat,
                entrant.player_id,
                bot,
                entrant.name,
                resigned=False,
                zone=entrant.zone,
                away=away,
                reminders=entrant.reminders,
            )
        )
    _seat.write(connection, rows)
    log(connection, at, match_id, 0, [Entry(None, "start", step.told)], "house")
    bots_at = {place.seat for place in places if place.bot}
    timed = rule(clock_rule)
    still = stops(_house.fetch(connection)[0][0] or "[]")

    def begin(seat: Seat) -> TurnClock:
        place = places[colours.index(seat)]
        return turn_clocks.begin(timed, place, Calendar(place.zone, timed.off, (*still, *place.away)), now)

    asked = ask(connection, at, match_id, (), cache.asked(slug, text), 0, bots_at, begin=begin)
    people = [place for place in places if not place.bot]
    enqueue(
        connection,
        now,
        *(
            asked_letter(match_id, place, 0) if place.seat in asked else _started_letter(match_id, place)
            for place in people
        ),
    )
    wake_after_commit(connection)


def _started_letter(match_id: int, place: SeatHolder) -> LetterRequest:
    return place.letter(match_id, "started", f"started:{match_id}:{place.player_id}")
