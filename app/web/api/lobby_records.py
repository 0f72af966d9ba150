"""Lists of matches, and a match before its start: the records of the answers."""

from datetime import datetime

import msgspec

from app import narrate
from app.engine.game import Game, Seat
from app.play.clock.rules import Rule
from app.play.lobby.records import LobbyView
from app.play.match.records import MatchLine
from app.play.views.open_games import OpenGame


class OptionChoices(msgspec.Struct, frozen=True):
    """A setting of a game."""

    name: str
    """As it is sent."""
    choices: tuple[str, ...]
    """The default first."""
    about: str
    """In words."""


class Kind(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    game: str
    title: str
    edition: int
    seats: tuple[int, ...]
    """With how many it can be played."""
    colours: tuple[Seat, ...]
    """The names of the seats; a match of n has the first n."""
    options: tuple[OptionChoices, ...]
    """The settings that it can be played with."""
    presets: dict[str, dict[str, str]]
    """Named sets of options, the recommended one first."""


class Sitter(msgspec.Struct, frozen=True):
    """A seat and who plays it."""

    seat: Seat
    name: str
    bot: bool


class Line(msgspec.Struct, frozen=True):
    """A match in a list."""

    id: int
    game: str
    title: str
    status: str
    """open: before its start; running; over."""
    seat: Seat | None
    """The caller's, in lists of their own."""
    waiting: bool
    """It is the caller's turn."""
    host: bool
    """The caller is the host."""
    players: tuple[Sitter, ...]
    """None before the start."""
    to_move: tuple[Seat, ...]
    due_at: datetime | None
    """The caller's deadline."""
    ply: int
    place: int | None
    """The caller's, once it is over."""
    at: datetime
    """Of its end, start or creation, whichever came last."""


class MatchList(msgspec.Struct, frozen=True):
    """A page of a list of matches."""

    matches: tuple[Line, ...]
    next: str
    """The cursor of the next page; empty: this is the last."""


class Open(msgspec.Struct, frozen=True):
    """A match before its start that anybody may join."""

    id: int
    game: str
    title: str
    options: dict[str, str]
    seats: int
    bots: int
    free: int
    clock: Rule
    host: str
    """The name of the host."""
    host_language: str
    """A code, such as `en`."""
    created_at: datetime


class OpenMatches(msgspec.Struct, frozen=True):
    """A page of the matches that anybody may join."""

    matches: tuple[Open, ...]
    next: str
    """The cursor of the next page; empty: this is the last."""


class Guest(msgspec.Struct, frozen=True):
    """Somebody invited to a match."""

    id: int
    """Of the invitation."""
    name: str
    """Once accepted; before, the address for the host, and empty for others."""
    host: bool
    status: str
    """waiting, invited, accepted, declined, withdrawn or expired."""
    asked_to_join: bool
    """They joined by the list or the link, uninvited."""


class Lobby(msgspec.Struct, frozen=True):
    """A match before its start, for its host and those who are invited."""

    id: int
    game: str
    title: str
    status: str
    """unconfirmed, open, running, over or called_off."""
    options: dict[str, str]
    clock: Rule
    seats: int
    bots: int
    free: int
    """Seats that nobody has and nobody was invited to."""
    guests: tuple[Guest, ...]
    """Those who were invited or joined, the host among them."""
    mine: Guest | None
    """The caller's own invitation."""
    organised: bool
    """The caller is the host."""
    private: bool
    """Onlookers will not see it."""
    listed: bool
    """Anybody may take a free seat."""
    shared: str
    """The path of the link to share, for the host; empty: there is none."""
    commitment: str
    """SHA-256 of the secret of the dice, in hex."""
    created_at: datetime


class Lobbies(msgspec.Struct, frozen=True):
    """Matches before their start."""

    matches: tuple[Lobby, ...]


def kind_of(game: Game, language: str) -> Kind:
    """A game in a language."""
    return Kind(
        game.slug,
        narrate.title(game, language),
        game.edition,
        tuple(game.seats),
        game.colours,
        tuple(
            OptionChoices(one.name, one.choices, narrate.option(game, language, one)) for one in game.options
        ),
        {one.name: dict(one.choices) for one in game.presets},
    )


def line_of(line: MatchLine, language: str) -> Line:
    """A match of a list in a language."""
    return Line(
        id=line.match_id,
        game=line.game.slug,
        title=narrate.title(line.game, language),
        status=line.status,
        seat=line.seat,
        waiting=line.waiting,
        host=line.organised,
        players=tuple(Sitter(one.seat, one.name, one.bot) for one in line.sittings),
        to_move=line.to_move,
        due_at=line.deadline.due_at if line.deadline is not None else None,
        ply=line.ply,
        place=line.place,
        at=line.at,
    )


def open_of(one: OpenGame, language: str) -> Open:
    """A match to join in a language."""
    return Open(
        id=one.match_id,
        game=one.game.slug,
        title=narrate.title(one.game, language),
        options=one.options,
        seats=one.seats,
        bots=one.bots,
        free=one.free,
        clock=one.rule,
        host=one.host,
        host_language=one.host_language,
        created_at=one.created_at,
    )


def lobby_record(view: LobbyView, language: str, shared: str = "") -> Lobby:
    """A match before its start in a language. `shared`: the path of its link to share."""
    guests = {
        one.invitation_id: Guest(one.invitation_id, one.name, one.organiser, one.status, one.joins)
        for one in (*view.guests, *((view.mine,) if view.mine else ()))
    }
    return Lobby(
        id=view.match_id,
        game=view.game.slug,
        title=narrate.title(view.game, language),
        status=view.status,
        options=view.options,
        clock=view.rule,
        seats=view.seats,
        bots=view.bots,
        free=view.free,
        guests=tuple(guests[one.invitation_id] for one in view.guests),
        mine=guests[view.mine.invitation_id] if view.mine else None,
        organised=view.organised,
        private=view.private,
        listed=view.joinable,
        shared=shared,
        commitment=view.commitment,
        created_at=view.created_at,
    )
