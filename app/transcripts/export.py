"""A stored match as a file: whole, with every hidden fact.

`sight` has what one player may know of it, `moving` what the operator needs to have it go on elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from app.engine import codec, dice
from app.engine.chance import commitment
from app.engine.game import Game, Outcome
from app.play.clock.rules import Rule
from app.play.deadlines.moving import BACK, MOVED
from app.play.match import log, matches, notices, reading
from app.play.match.editions import rules_of
from app.play.match.log import Logged
from app.play.match.records import NotFound, Notice
from app.play.match.replay import first_edition
from app.play.match.snapshot import MatchSnapshot
from app.play.views.player_view import without_muted
from app.store.connection import Connection
from app.store.session import Store
from app.transcripts.form import Ending, MatchFile, Played, Said, Word
from app.transcripts.replaying import Made, Replay
from app.transcripts.verifying import chosen_options, ending_of, word_lines

BROUGHT = "brought"
"""The notice of a match that came from a file."""
COMMENT = "comment"
"""The notice that holds the comments of a file, as `lines`."""
UNTIMED = "file"
"""The source of a ply of which nobody knows when it was made."""
HERE = frozenset({BROUGHT, MOVED, BACK})
"""Notices that are about this server alone, and in no file."""


def finished(store: Store, match_id: int, reader: int | None = None) -> MatchFile:
    """A match that is over, for anybody who may see its page.

    `reader`: a player who reads it, without the messages of people that they have muted. Raises NotFound: it
    is not over, or there is none; Closed("no_rules").
    """
    with store.looking() as connection:
        snapshot = reading.by_match(connection, match_id)
        if snapshot is None or not snapshot.over:
            raise NotFound("match")
        return whole(connection, snapshot, reader)


def whole(connection: Connection, snapshot: MatchSnapshot, reader: int | None = None) -> MatchFile:
    """A match with every hidden fact. Raises Closed("no_rules")."""
    plies = log.told(connection, snapshot.slug, snapshot.match_id, -1, snapshot.ply)
    game = rules_of(snapshot.slug, first_edition(plies, snapshot.edition))
    heard = notices.told(connection, snapshot, 0, snapshot.ply)
    told = [
        one for one in without_muted(connection, snapshot, reader, heard) if one.what not in (*HERE, COMMENT)
    ]
    comments = tuple(line for one in heard if one.what == COMMENT for line in one.facts["lines"])
    options = chosen_options(game, msgspec.json.decode(snapshot.options, type=dict[str, str]))
    words = msgspec.json.decode(snapshot.words, type=tuple[str, ...])
    places = word_lines(snapshot.secret, snapshot.seed, len(words), snapshot.dice)
    holders, seats = snapshot.holders, snapshot.seats
    whole = MatchFile(
        game=game.slug,
        edition=game.edition,
        players=seats,
        lines=tuple(_lines(snapshot, game, dict(options), plies, told)),
        ending=_ending(snapshot, timed=plies[-1].source != UNTIMED),
        comments=comments,
        options=options,
        private=matches.is_private(connection, snapshot.match_id),
        clock=clock_text(snapshot.rule),
        bots=tuple(one.seat for one in holders if one.bot),
        names=tuple((one.seat, one.name) for one in holders),
        commitment=commitment(snapshot.secret) if snapshot.dice else "",
        dice=snapshot.dice,
        words=tuple(
            Word(place, seats[seat], word) for word, (place, seat) in zip(words, places, strict=True)
        ),
        secret=snapshot.secret.hex(),
    )
    return _bare(whole) or whole


def counted(connection: Connection, snapshot: MatchSnapshot) -> list[int]:
    """The numbers of the notices that a file can have, in order: they tell how far a player has heard."""
    told = notices.told(connection, snapshot, 0, snapshot.ply)
    return [one.notice_id for one in told if one.what not in HERE]


def _bare(match: MatchFile) -> MatchFile | None:
    """A made-up match with its moves alone, if nothing else is known of it."""
    moves = [one for one in match.lines if isinstance(one, Played) and one.at is None and not one.by_clock]
    named = any(name != seat for seat, name in match.names)
    more = named or match.clock or match.private or match.bots or len(moves) < len(match.lines)
    if match.dice != dice.MADE_UP or more:
        return None
    try:
        seed = bytes.fromhex(match.secret).decode()
    except UnicodeDecodeError:
        return None
    if not seed.isprintable() or not seed:
        return None
    lines = tuple(Played(one.seat, one.move) for one in moves[1:])
    return MatchFile(
        match.game,
        match.edition,
        match.players,
        lines,
        match.ending,
        match.comments,
        match.options,
        seed,
    )


def _lines(
    snapshot: MatchSnapshot,
    game: Game,
    options: Mapping[str, str],
    plies: Sequence[Logged],
    told: Sequence[Notice],
) -> Iterator[Played | Said]:
    seats = snapshot.seats
    complete = game.complete_options(len(seats), options)
    replay = Replay(game.slug, game.edition, seats, complete, snapshot.seed)
    by_ply: dict[int, list[Notice]] = {}
    for one in told:
        by_ply.setdefault(one.ply, []).append(one)
    for ply in plies:
        made: Made = replay.line(ply.seat, ply.move) if ply.ply else replay.first
        at = None if ply.source == UNTIMED else ply.at
        yield Played(ply.seat, made.move, made.draws, at, ply.source == "clock")
        for one in by_ply.get(ply.ply, ()):
            yield Said(one.what, one.seat, one.by_seat, codec.dumps(one.facts), one.at)


def _ending(snapshot: MatchSnapshot, *, timed: bool) -> Ending | None:
    if snapshot.outcome is None:
        return None
    outcome = msgspec.json.decode(snapshot.outcome, type=Outcome)
    return ending_of(outcome, snapshot.seats, snapshot.ended_at if timed else None)


def clock_text(rule: Rule) -> str:
    """The JSON of what differs in a rule from a match without a clock."""
    facts, usual = msgspec.structs.asdict(rule), msgspec.structs.asdict(Rule())
    different = {name: fact for name, fact in facts.items() if fact != usual[name]}
    return codec.dumps(different) if different else ""
