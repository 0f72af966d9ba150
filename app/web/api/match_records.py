"""A match that has begun, as one viewer may see it: the records of the answers."""

from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from app import narrate
from app.engine.game import Outcome, Seat
from app.play.clock.rules import Rule, Stop
from app.play.match.records import Asked, LogEntry, Notice, PlayerView, SeatInfo
from app.words import formats


class SeatHolder(msgspec.Struct, frozen=True):
    """A seat and who plays it."""

    seat: Seat
    name: str
    bot: bool
    resigned: bool
    lost: bool
    """The seat was lost on time."""
    open_since: datetime | None
    """Since then others may take the seat."""
    pause_wanted: bool
    """Its player asks for a pause, or agrees to one."""
    away: tuple[Stop, ...]
    """Absences, current and planned."""
    thinking_time: float | None
    """Seconds for the next turn, where the clock has a bank; null while it runs."""


class Deadline(msgspec.Struct, frozen=True):
    """The deadline of a seat whose turn it is."""

    seat: Seat
    due_at: datetime | None
    """null: the clock stands still, with no end known."""
    late: bool
    """The deadline has passed; `due_at` is the end of the grace."""
    stands: bool
    """The clock stands still now."""
    why: str
    """paused, frozen, away or off; empty while it runs."""
    mark: str
    """To be sent as `seen` with `extend`: it differs for each deadline."""


class Question(msgspec.Struct, frozen=True):
    """A question to the viewer's seat."""

    id: str
    """To be sent with the answer."""
    asks: str
    """The kind of question."""
    about: str
    """The piece or place in question, in the game's notation; empty: none in particular."""
    text: str
    """As a sentence."""
    asked_at: datetime
    optional: bool
    """The game doesn't wait for the answer."""
    answers: tuple[str, ...]
    """All legal answers in the game's notation. Empty: too many to list; any legal move may be sent."""
    default: str | None
    """The answer that is played when time runs out."""


Facts = Annotated[dict[str, Any], Meta(description="With `type`, and the facts of the event.")]


class Ply(msgspec.Struct, frozen=True):
    """An entry of the log, as the viewer may know it."""

    ply: int
    seat: Seat | None
    what: str
    """move, start, undo, resign, or edition: newer rules took over."""
    move: str | None
    """In notation: of the viewer's own moves, and of all once the game is over."""
    events: tuple[
        Annotated[dict[str, Any], Meta(description="With `type`, and the facts of the event.")], ...
    ]
    """Each with `type`, and the facts of the event."""
    text: str
    """The same in sentences."""
    at: datetime
    by_clock: bool
    """Its time was up: the default move."""
    by_orders: bool
    """The viewer's conditional moves made it."""


class Entry(msgspec.Struct, frozen=True):
    """An event beside the moves: a message, a pause, a seat that opens."""

    id: int
    ply: int
    """The ply after which it was written."""
    what: str
    """`said` is a message of a player."""
    seat: Seat | None
    by_seat: Seat | None
    text: str
    """As a sentence; of a message, the message."""
    at: datetime


class History(msgspec.Struct, frozen=True):
    """A page of the log, the oldest first."""

    plies: tuple[Ply, ...]
    """Of this page."""
    entries: tuple[Entry, ...]
    """Since the first of these plies, and before the next one after the last."""
    earlier: str
    """The cursor of the page before; empty: this is the first."""


class SeatRequest(msgspec.Struct, frozen=True):
    """A request for an open seat, on which the viewer may decide."""

    id: int
    seat: Seat
    name: str
    asked_at: datetime
    by_vote: bool
    mine: bool | None
    """The caller's vote; null: none yet."""
    yes: int
    """Votes for it."""
    no: int
    """Votes against it."""
    voters: int
    """Players who may vote."""


class Match(msgspec.Struct, frozen=True):
    """A match that has begun."""

    id: int
    game: str
    title: str
    """Of the game, in words."""
    edition: int
    """Of the rules that it goes on by."""
    status: str
    """running, over, or moved to another server, where it goes on."""
    options: dict[str, str]
    clock: Rule
    """Spans are in seconds, weekdays from 0, Monday."""
    ply: int
    """After which ply this is the position."""
    last_ply: int
    """Of the log so far."""
    seat: Seat | None
    """The caller's; null: an onlooker."""
    players: tuple[SeatHolder, ...]
    """In turn order."""
    host: Seat | None
    """The seat with the host's powers."""
    to_move: tuple[Seat, ...]
    questions: tuple[Question, ...]
    """To the caller's seat."""
    can_take_back: bool
    """The last step of the caller's seat can still be taken back."""
    deadlines: tuple[Deadline, ...]
    """Of the seats whose turn it is, where there is a clock."""
    paused: bool
    """All clocks stand still, because everybody agreed to it."""
    pause_ends: datetime | None
    """When the pause ends by itself."""
    extended: int
    """Days that the host has given so far, of 30."""
    seat_giver: str
    """The giver of open seats: host, anybody."""
    frozen: bool
    """The operator stopped all clocks."""
    requests: tuple[SeatRequest, ...]
    """For open seats, on which the caller may decide."""
    nudges: tuple[Seat, ...]
    """The seats that the caller may remind."""
    view: dict[str, Any]
    """All that the caller's seat, or everybody, may know of the position. `type` names its schema."""
    position: dict[str, Any] | None
    """The whole position as in a scenario file, once the game is over; null before."""
    outcome: Outcome | None
    """The places and scores; null: it goes on, or was called off."""
    points: dict[str, int]
    """Of all seats, and of a neutral player, once the match is over."""
    commitment: str
    """SHA-256 of the secret, in hex: known before the first invitation was answered."""
    words: tuple[str, ...]
    """Of the players, for the dice."""
    secret: str | None
    """In hex, once the game is over: by it every draw can be checked."""
    started_at: datetime | None
    ended_at: datetime | None


def match_of(view: PlayerView, language: str, position: dict[str, Any] | None) -> Match:
    """The match in a language. `position`: where it may be told."""
    game = view.game
    return Match(
        id=view.match_id,
        game=game.slug,
        title=narrate.title(game, language),
        edition=game.edition,
        status=view.status,
        options=view.options,
        clock=view.rule,
        ply=view.ply,
        last_ply=view.last_ply,
        seat=view.seat,
        players=tuple(_player(view, one) for one in view.sittings),
        host=view.keys,
        to_move=view.to_move,
        questions=tuple(_question(view, language, one) for one in view.asked),
        can_take_back=view.can_take_back,
        deadlines=tuple(
            Deadline(one.seat, one.due_at, one.late, one.stands, one.why, one.mark) for one in view.deadlines
        ),
        paused=view.paused,
        pause_ends=view.pause_ends,
        extended=view.extended,
        seat_giver=view.seat_giver,
        frozen=view.frozen,
        requests=tuple(
            SeatRequest(
                one.invitation_id,
                one.seat,
                one.name,
                one.asked_at,
                one.by_vote,
                one.mine,
                one.yes,
                one.no,
                one.voters,
            )
            for one in view.requests
        ),
        nudges=view.nudges,
        view=msgspec.to_builtins(view.view, str_keys=True),
        position=position,
        outcome=view.outcome,
        points=view.points,
        commitment=view.commitment,
        words=view.words,
        secret=view.secret,
        started_at=view.started_at,
        ended_at=view.ended_at,
    )


def history_of(view: PlayerView, language: str, earlier: str) -> History:
    """The page of the log that a view has."""
    zone = ZoneInfo(view.zone)
    return History(
        tuple(_ply(view, language, one) for one in view.heard),
        tuple(_entry(view, language, one, zone) for one in view.notices),
        earlier,
    )


def _player(view: PlayerView, one: SeatInfo) -> SeatHolder:
    return SeatHolder(
        one.seat,
        one.name,
        one.bot,
        one.resigned,
        one.lost,
        one.open_since,
        one.pause_wanted,
        one.away,
        view.banked(one),
    )


def _question(view: PlayerView, language: str, one: Asked) -> Question:
    decision, game = one.decision, view.game
    return Question(
        id=one.question_id,
        asks=decision.asks,
        about=decision.about,
        text=narrate.asks(game, language, decision, view.view),
        asked_at=one.asked_at,
        optional=decision.optional,
        answers=tuple(map(game.format, decision.options)),
        default=game.format(decision.default) if decision.default is not None else None,
    )


def _ply(view: PlayerView, language: str, one: LogEntry) -> Ply:
    name = view.names_then(one.at)
    told = [*narrate.remarks(language, one, name), *narrate.sentences(view.game, language, one.events, name)]
    return Ply(
        ply=one.ply,
        seat=one.seat,
        what=one.what,
        move=one.move,
        events=tuple(msgspec.to_builtins(event, str_keys=True) for event in one.events),
        text=formats(language).together(told),
        at=one.at,
        by_clock=one.by_clock,
        by_orders=one.by_orders,
    )


def _entry(view: PlayerView, language: str, one: Notice, zone: ZoneInfo) -> Entry:
    if one.what == "said":
        text = str(one.facts["text"])
    else:
        text = narrate.notice(language, one, view.names_then(one.at), lambda moment: moment.astimezone(zone))
    return Entry(one.notice_id, one.ply, one.what, one.seat, one.by_seat, text, one.at)
