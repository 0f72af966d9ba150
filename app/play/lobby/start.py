"""Start a match: draw seats and seed, set up the game, ask the first questions.

Players can check the draw when the secret is published: the seats are
`Chance(secret, 0, "seats").shuffled(...)` of the players in order of invitation, bots last; the seed is
`seed_of(secret, words)`, with the words in the order of the drawn seats (a bot's word is empty).
"""

import msgspec
from sqlalchemy import Connection

from app import clock
from app.engine import codec
from app.engine.chance import Chance, seed_of
from app.engine.game import Seat
from app.play.clock.rules import Calendar
from app.play.clock.turn import TurnClock
from app.play.match import cache, turn_clocks
from app.play.match.editions import rules_of
from app.play.match.snapshot import SeatHolder, rule, stops
from app.play.moves.commit import Entry, Overtaken, ask, asked_letter, log
from app.store.outbox import LetterRequest, enqueue
from app.store.session import wake_after_commit
from app.store.statement import Statement, stored

BOT_NAMES = ("Coral", "Pebble", "Kelp", "Limpet", "Spindrift", "Cuttle", "Barnacle", "Plover")

_match = Statement('SELECT game, edition, options, seats, bots, secret, clock FROM "match" WHERE id = ?')
_standstills = Statement("SELECT (SELECT stops FROM house WHERE id = 1)")
_accepted = Statement(
    """SELECT i.player_id, i.word, p.name, p.zone, p.away, p.reminders
       FROM invitation i JOIN player p ON p.id = i.player_id
       WHERE i.match_id = ? AND i.status = 'accepted' ORDER BY i.id"""
)
_begin = Statement(
    """UPDATE "match" SET status = 'running', seed = ?, words = ?, state = ?, ply = 0, barrier_ply = 0,
                          barrier_seat = NULL, barrier_state = '', started_at = ?
       WHERE id = ? AND status IN ('unconfirmed', 'open')"""
)
_insert_chairs = Statement(
    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
       VALUES (?, ?, ?, ?, ?, ?, -1)"""
)


class Participant(msgspec.Struct, frozen=True):
    """A player or a bot of a match that starts."""

    player_id: int | None
    name: str
    word: str = ""
    zone: str = "UTC"
    away: str = "[]"
    reminders: str = ""


def start(connection: Connection, match_id: int) -> None:
    """Start the match with its accepted players and bots. Raises Overtaken if it has started already."""
    now = clock.now()
    at = stored(connection, now)
    slug, edition, options, seats, bots, secret, clock_rule = _match.fetch(connection, match_id)[0]
    game, secret = rules_of(slug, edition), bytes(secret)
    participants = [
        Participant(player_id, name, word, *rest)
        for player_id, word, name, *rest in _accepted.fetch(connection, match_id)
    ]
    participants += [
        Participant(None, name) for name in Chance(secret, 0, "names").shuffled(BOT_NAMES)[:bots]
    ]
    assert len(participants) == seats
    order = Chance(secret, 0, "seats").shuffled(participants)
    seed = seed_of(secret, [participant.word for participant in order])
    colours: tuple[Seat, ...] = game.colours[:seats]
    step = game.setup(colours, msgspec.json.decode(options), Chance(seed, 0))
    text = codec.dumps(step.state)
    words = codec.dumps(tuple(participant.word for participant in order))
    if _begin.run(connection, seed, words, text, at, match_id) != 1:
        raise Overtaken
    rows = []
    holders = []
    for seat, participant in zip(colours, order, strict=True):
        bot = participant.player_id is None
        rows.append((match_id, seat, participant.player_id, bot, participant.name if bot else "", at))
        away = stops(participant.away)
        holders.append(
            SeatHolder(
                0,
                seat,
                participant.player_id,
                bot,
                participant.name,
                resigned=False,
                zone=participant.zone,
                away=away,
                reminders=participant.reminders,
            )
        )
    _insert_chairs.write(connection, rows)
    log(connection, at, match_id, 0, [Entry(None, "start", step.told)], "house")
    bot_seats = {holder.seat for holder in holders if holder.bot}
    timing = rule(clock_rule)
    still = stops(_standstills.fetch(connection)[0][0] or "[]")

    def begin(seat: Seat) -> TurnClock:
        holder = holders[colours.index(seat)]
        return turn_clocks.begin(
            timing, holder, Calendar(holder.zone, timing.off, (*still, *holder.away)), now
        )

    asked = ask(connection, at, match_id, (), cache.asked(slug, edition, text), 0, bot_seats, begin=begin)
    people = [holder for holder in holders if not holder.bot]
    enqueue(
        connection,
        now,
        *(
            asked_letter(match_id, holder, 0) if holder.seat in asked else _started_letter(match_id, holder)
            for holder in people
        ),
    )
    wake_after_commit(connection)


def _started_letter(match_id: int, holder: SeatHolder) -> LetterRequest:
    return holder.letter(match_id, "started", f"started:{match_id}:{holder.player_id}")
