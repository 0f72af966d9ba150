"""A match from a file, set up on this server: over or going on, whole or not at all.

A match that goes on keeps its dice, and what `going_on` has of it. Its clocks stand still until a player ends
the pause; links and emails are new.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from app import clock, narrate
from app.engine import codec, dice
from app.engine.game import Asking, Options, Outcome, Seat
from app.people import absences
from app.people import service as people
from app.people.errors import Refused
from app.play.clock import pausing
from app.play.clock.rules import Rule, check_rule
from app.play.match import brought, chairs, log, matches, notices, reading, turn_clocks
from app.play.match.announce import announce, news_letter
from app.play.match.chairs import Sitter
from app.play.match.editions import carried_options, rules_of
from app.play.match.matches import Barrier
from app.play.match.records import Notice
from app.play.match.replay import kind_of
from app.play.match.snapshot import MatchSnapshot
from app.play.moves.commit import asked_letter
from app.play.seats.giving import HOST
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_counter
from app.store.outbox import enqueue
from app.store.session import Store, wake_after_commit
from app.transcripts import going_on
from app.transcripts.export import BROUGHT, COMMENT, HERE, UNTIMED
from app.transcripts.form import CALLED_OFF, Agreed, BadFile, MatchFile, Played, Said
from app.transcripts.reading import Read
from app.transcripts.replaying import Made
from app.transcripts.verifying import verify
from app.transcripts.writing import quoted

LONGEST_COMMENT = 5_000
"""Characters of all comments."""


class Brought(msgspec.Struct, frozen=True):
    """A match that was set up."""

    match_id: int
    running: bool
    ply: int
    new: tuple[str, ...]
    """The addresses of players who are new here."""


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of a message."""

    name: str
    text: str


class _Checked(msgspec.Struct, frozen=True):
    """The facts of a file beside its moves, fit to be stored."""

    rule: Rule
    names: dict[Seat, str]
    people: dict[Seat, tuple[str, str]]
    """Address and key."""


def bring(store: Store, read: Read) -> Brought:
    """Set the match up in one transaction. Raises BadFile; then nothing has changed."""
    now = clock.now()
    found = verify(read)
    match, replay, running = read.match, found.replay, read.match.ending is None
    checked = _check(read, now, running=running)
    entries, said = _entries(read, found.made, now)
    asking = replay.game.asking(replay.state) if running else ()
    going_on.check(read, going_on.Facts(replay.game, asking, replay.ply, checked.rule, now))
    begun = entries[0].at
    ended = None if match.ending is None else match.ending.at or now
    colours = replay.game.colours[: len(match.players)]
    stops = going_on.pauses(match, checked.rule, now) if running else ()
    agreed = match.agreed or Agreed()
    new = brought.WholeMatch(
        game=match.game,
        edition=replay.game.edition,
        options=codec.dumps(_options(read)),
        seats=len(match.players),
        turn_order="" if match.players == colours else " ".join(match.players),
        bots=len(match.bots),
        secret=found.secret,
        seed=found.seed,
        words=codec.dumps([word.text for word in match.words]),
        dice=match.dice,
        clock=codec.dumps(checked.rule),
        private=match.private,
        state=codec.dumps(replay.state),
        ply=replay.ply,
        barrier=replay.barrier if running else Barrier(replay.ply),
        outcome=None if running else codec.dumps(replay.outcome or Outcome({}, {}, CALLED_OFF)),
        stops=codec.dumps(stops),
        extended=agreed.extended,
        seat_giver=agreed.seats or HOST,
        look_at=now + pausing.ASK_EVERY if stops else None,
        news=len(said),
        begun=begun,
        ended=ended,
    )
    with store.transaction() as connection:
        hold_counter(connection, "matches from files")
        known = brought.of_secret(connection, found.secret)
        if known is not None:
            raise BadFile(0, f"the match is here already: it is number {known}")
        match_id = brought.bring(connection, new)
        log.bring(connection, match.game, match_id, entries)
        notices.bring(connection, match_id, said)
        fresh = _seat(connection, now, match_id, read, checked, begun)
        snapshot = reading.by_match(connection, match_id)
        assert snapshot is not None
        _resign(connection, snapshot, entries)
        going_on.write(connection, match, snapshot)
        if running:
            _go_on(connection, now, match, match_id, asking, entries)
        audit.keep(connection, now, "import", f"match {match_id}")
    return Brought(match_id, running, replay.ply, fresh)


def _check(read: Read, now: datetime, *, running: bool) -> _Checked:
    match = read.match
    if running and match.dice == dice.MADE_UP:
        raise BadFile(read.line("seed"), "a made-up match that goes on can't be played: its dice are known")
    for header, seats in (("computer", match.bots), ("host", (match.host,) if match.host else ())):
        if not set(seats) <= set(match.players):
            raise BadFile(read.line(header), "names a seat that isn't one of the players")
    names = {seat: _name(read, seat, name) for seat, name in match.names}
    addresses: dict[Seat, tuple[str, str]] = {}
    for seat, person in match.people:
        addresses[seat] = _address(read, seat, person.address, addresses)
        _person(read, seat, person.language, person.zone)
    plies = [one for one in match.lines if isinstance(one, Played)]
    gone = {one.seat for one in plies if one.move == "resign"}
    for seat in match.players if running else ():
        if seat not in (*match.bots, *gone) and seat not in addresses:
            raise BadFile(
                read.line("dice"),
                f"a game that goes on needs an address for {seat}: only the operator's export has them",
            )
    untimed = not match.bare and any(one.at is None for one in plies)
    if untimed and (running or any(one.at for one in plies) or (match.ending and match.ending.at)):
        raise BadFile(read.at["end"], "every move and the end have a moment, or none has")
    if not untimed and not match.bare and match.ending is not None and match.ending.at is None:
        raise BadFile(read.at["end"], "the end lacks its moment, such as @2026-03-01T18:30:00Z")
    if sum(len(one) + 1 for one in match.comments) > LONGEST_COMMENT:
        raise BadFile(1, f"the comments are longer than {LONGEST_COMMENT} characters")
    for number, line in zip(read.lines, match.lines, strict=True):
        if line.at is not None and line.at > now:
            raise BadFile(number, "is later than now")
        if isinstance(line, Said):
            _sayable(read, number, line)
    return _Checked(_rule(read), names, addresses)


def _rule(read: Read) -> Rule:
    if not read.match.clock:
        return Rule()
    try:
        rule = check_rule(msgspec.json.decode(read.match.clock, type=Rule))
    except (msgspec.MsgspecError, Refused):
        raise BadFile(read.line("clock"), "is no rule of a clock") from None
    return rule


def _name(read: Read, seat: Seat, name: str) -> str:
    line = read.line(f"name {seat}")
    if seat not in read.match.players:
        raise BadFile(line, "names a seat that isn't one of the players")
    try:
        clean = people.clean_name(name)
    except Refused as error:
        raise BadFile(line, narrate.refusal(None, narrate.FALLBACK, error)) from None
    if clean != name:
        raise BadFile(line, f"a name can't be written so here; it would be {quoted(clean)}")
    return name


def _address(read: Read, seat: Seat, address: str, others: dict[Seat, tuple[str, str]]) -> tuple[str, str]:
    line = read.line(f"person {seat}")
    if seat not in read.match.players or seat in read.match.bots:
        raise BadFile(line, "names a seat that no person has")
    try:
        checked = people.check_address(address)
    except Refused as error:
        raise BadFile(line, narrate.refusal(None, narrate.FALLBACK, error)) from None
    if checked[1] in (key for _, key in others.values()):
        raise BadFile(line, "another seat has the same address")
    return checked


def _person(read: Read, seat: Seat, language: str, zone: str) -> None:
    try:
        people.check_language(language)
        people.check_zone(zone)
    except Refused as error:
        line = read.line(f"person {seat}")
        raise BadFile(line, narrate.refusal(None, narrate.FALLBACK, error)) from None


def _sayable(read: Read, number: int, line: Said) -> None:
    """Raises BadFile for a notice that a page couldn't say."""
    seats = {line.seat, line.by_seat} - {None}
    if not seats <= set(read.match.players):
        raise BadFile(number, "names a seat that isn't one of the players")
    try:
        if line.what == "said":
            msgspec.json.decode(line.facts, type=_Message)
        facts = msgspec.json.decode(line.facts, type=dict[str, Any])
        told = Notice(0, 0, line.what, line.seat, line.by_seat, facts, line.at)
        said = narrate.notice(narrate.FALLBACK, told, lambda seat: seat, lambda at: at)
    except Exception:  # noqa: BLE001 - whatever a macro does with facts that aren't its own
        said = ""
    if not said or line.what in (COMMENT, *HERE):
        raise BadFile(number, f"is no notice that can be shown: {line.what}")


def _options(read: Read) -> Options:
    """The options as a match stores them, with those of the rules that took over."""
    match = read.match
    options = dict(
        rules_of(match.game, match.edition).complete_options(len(match.players), dict(match.options))
    )
    for line in match.lines:
        if isinstance(line, Played) and kind_of(line.move) == "edition":
            newer = rules_of(match.game, int(line.move.split(" ")[2]))
            options = carried_options(newer, len(match.players), options)
    return options


def _entries(
    read: Read, made: Sequence[Made], now: datetime
) -> tuple[list[log.Brought], list[notices.Brought]]:
    """The plies and the notices of the file, as the log keeps them. A line without a moment is from now."""
    match = read.match
    lines = (Played(None, "start"), *match.lines) if match.bare else match.lines
    entries: list[log.Brought] = []
    said: list[notices.Brought] = []
    if match.comments:
        first = next((one.at for one in lines if one.at is not None), now)
        facts = codec.dumps({"lines": match.comments})
        said.append(notices.Brought(0, COMMENT, None, None, facts, first))
    for line in lines:
        if isinstance(line, Said):
            at = len(entries) - 1
            said.append(notices.Brought(at, line.what, line.seat, line.by_seat, line.facts, line.at))
            continue
        source = "clock" if line.by_clock else "house" if line.seat is None else "web"
        if line.seat in match.bots and not line.by_clock:
            source = "bot"
        if line.at is None:
            source = UNTIMED
        ply = len(entries)
        entries.append(log.Brought(ply, line.seat, line.move, made[ply].told, source, line.at or now))
    return entries, said


def _seat(
    connection: Connection, now: datetime, match_id: int, read: Read, checked: _Checked, begun: datetime
) -> tuple[str, ...]:
    """Seat the players and the bots; returns the addresses that were not known before."""
    match, fresh = read.match, list[str]()
    persons, sitters, ids = dict(match.people), list[Sitter](), dict[Seat, int]()
    for seat in match.players:
        name, bot = checked.names.get(seat, seat), seat in match.bots
        if seat in checked.people:
            address, key = checked.people[seat]
            known = people.player_with_key(connection, key)
            if known is None:
                one = persons[seat]
                known = people.keep(connection, address, key, name, one.language, one.zone)
                away = (absences.Span(span.begins, span.ends) for span in one.away if span.ends is not None)
                absences.bring(connection, now, known, away)
                fresh.append(address)
            ids[seat] = known
        sitters.append(Sitter(seat, ids.get(seat), bot, "" if seat in ids else name))
    chairs.fill(connection, begun, match_id, sitters)
    if match.host in ids:
        matches.set_organiser(connection, match_id, ids[match.host])
    return tuple(fresh)


def _resign(connection: Connection, snapshot: MatchSnapshot, entries: Sequence[log.Brought]) -> None:
    for one in entries:
        if one.move == "resign" and one.seat is not None:
            chair_id = snapshot.holder(one.seat).chair_id
            chairs.resign(connection, one.at, chair_id, lost=one.source == "clock")


def _go_on(
    connection: Connection,
    now: datetime,
    file: MatchFile,
    match_id: int,
    asking: Sequence[Asking],
    entries: Sequence[log.Brought],
) -> None:
    """Ask whose turn it is, tell everybody else that the match is here now.

    A turn is asked for once, and by no email after its first step: who is in the middle of one gets its link
    with the news.
    """
    match = reading.by_match(connection, match_id)
    assert match is not None
    begun = {
        one.seat: turn_clocks.begin(match.rule, one, match.calendar(one.seat), now) for one in match.holders
    }
    turns = going_on.ask(connection, now, file, match, asking, begun)
    persons = [holder for holder in match.holders if holder.player_id is not None and not holder.resigned]
    if not file.holdings:
        for one in persons:
            assert one.player_id is not None
            chairs.hear(connection, match_id, one.player_id, match.ply, notices.last(connection, match_id))
    others = [one for one in persons if one.seat not in turns]
    announce(connection, now, match_id, BROUGHT, once=BROUGHT, to=others, paused=match.paused)
    acted = {one.seat for one in entries if one.seat in turns and one.ply > turns[one.seat]}
    letters = (
        news_letter(match_id, one, BROUGHT, turns[one.seat])
        if one.seat in acted
        else asked_letter(match_id, one, turns[one.seat])
        for one in persons
        if one.seat in turns
    )
    enqueue(connection, now, *letters)
    wake_after_commit(connection)
