"""Start a match: draw seats and seed, set up the game, ask the first questions.

Players can check the draw when the secret is published: `app.engine.dice` has the formula.
"""

import msgspec

from app import clock
from app.engine import codec, dice
from app.engine.chance import Chance
from app.engine.game import Seat
from app.play.clock.rules import Calendar, Stop
from app.play.clock.stoppages import decoded
from app.play.clock.turn import TurnClock
from app.play.lobby.snapshot import LobbySnapshot, unstarted
from app.play.match import cache, chairs, log, matches, turn_clocks
from app.play.match.chairs import Sitter
from app.play.match.log import Entry
from app.play.match.snapshot import SeatHolder
from app.play.moves.commit import Overtaken, ask, asked_letter
from app.store import standstills
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import wake_after_commit

BOT_NAMES = ("Coral", "Pebble", "Kelp", "Limpet", "Spindrift", "Cuttle", "Barnacle", "Plover")


class Participant(msgspec.Struct, frozen=True):
    """A player or a bot of a match that starts."""

    player_id: int | None
    name: str
    word: str = ""
    zone: str = "UTC"
    away: tuple[Stop, ...] = ()
    reminders: str = ""


def start(connection: Connection, match_id: int) -> None:
    """Start the match with its accepted players and bots. Raises Overtaken if it has started already."""
    now = clock.now()
    snapshot = unstarted(connection, match_id)
    game, secret = snapshot.game, snapshot.secret
    participants = _participants(snapshot)
    drawn = dice.drawn(secret, [participant.word for participant in participants])
    order, seed = [participants[place] for place in drawn.order], drawn.seed
    seats: tuple[Seat, ...] = game.colours[: snapshot.seats]
    step = game.setup(seats, snapshot.options, Chance(seed, 0))
    state = codec.dumps(step.state)
    if not matches.begin(connection, now, match_id, drawn, state):
        raise Overtaken
    holders = [_holder(seat, one) for seat, one in zip(seats, order, strict=True)]
    chairs.fill(connection, now, match_id, [_sitter(holder) for holder in holders])
    log.write(connection, now, snapshot.slug, match_id, 0, [Entry(None, "start", step.told)], "house")
    bot_seats = {holder.seat for holder in holders if holder.bot}
    rule, stopped = snapshot.rule, decoded(standstills.read(connection))

    def begin(seat: Seat) -> TurnClock:
        holder = holders[seats.index(seat)]
        return turn_clocks.begin(rule, holder, Calendar(holder.zone, rule.off, (*stopped, *holder.away)), now)

    cache.keep(snapshot.slug, snapshot.edition, state, step.state)
    asked = ask(connection, now, match_id, (), game.asking(step.state), 0, bot_seats, begin=begin).begun
    enqueue(
        connection,
        now,
        *(
            asked_letter(match_id, holder, 0) if holder.seat in asked else _started_letter(match_id, holder)
            for holder in holders
            if not holder.bot
        ),
    )
    wake_after_commit(connection)


def _participants(snapshot: LobbySnapshot) -> list[Participant]:
    """The players who accepted, in order of invitation, then the bots."""
    participants = [
        Participant(one.player_id, one.name or "", one.word, one.zone, one.away, one.reminders)
        for one in snapshot.invitations
        if one.status == "accepted"
    ]
    names = Chance(snapshot.secret, 0, "names").shuffled(BOT_NAMES)
    participants += [Participant(None, name) for name in names[: snapshot.bots]]
    assert len(participants) == snapshot.seats
    return participants


def _holder(seat: Seat, participant: Participant) -> SeatHolder:
    """The holder of a seat whose chair has no number yet."""
    return SeatHolder(
        0,
        seat,
        participant.player_id,
        participant.player_id is None,
        participant.name,
        resigned=False,
        zone=participant.zone,
        away=participant.away,
        reminders=participant.reminders,
    )


def _sitter(holder: SeatHolder) -> Sitter:
    return Sitter(holder.seat, holder.player_id, holder.bot, holder.name if holder.bot else "")


def _started_letter(match_id: int, holder: SeatHolder) -> LetterRequest:
    return holder.letter(match_id, "started", f"started:{match_id}:{holder.player_id}")
