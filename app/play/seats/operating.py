"""Acts of the operator on a match: hide it from outsiders, call it off, give a seat to another player.

Each stands in the log of the match or in that of operators, and its players are told by email.
"""

from app import clock
from app.engine.game import Outcome, Seat
from app.people import bars
from app.people import service as people
from app.people.names import told_apart
from app.play.lobby.invitations import OPERATOR, call_off_unstarted
from app.play.lobby.snapshot import OPEN, unstarted
from app.play.match import chairs, matches, notices, presence, reading
from app.play.match.announce import announce
from app.play.match.locking import held_running, played_by_people
from app.play.match.records import NotFound, Refused
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.moves.commit import record
from app.play.seats.offers import offer_by_operator
from app.play.seats.organiser import CALLED_OFF
from app.play.seats.succession import replace
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.store.sql import is_key

GIVEN, OFFERED = "given", "offered"
"""The result of giving a seat away."""


def hide(store: Store, match_id: int, why: str = "", by: int | None = None) -> bool:
    """Keep a match from everybody who doesn't play in it: lists, pages, feeds, pictures. It goes on.

    False: it is hidden already. `by`: the player who does it on the operator's page. Raises NotFound.
    """
    return _show(store, match_id, why, by, hidden=True)


def unhide(store: Store, match_id: int, why: str = "", by: int | None = None) -> bool:
    """Let a match be seen again as its host wished. False: it was not hidden. Raises NotFound."""
    return _show(store, match_id, why, by, hidden=False)


def _show(store: Store, match_id: int, why: str, by: int | None, *, hidden: bool) -> bool:
    now, word = clock.now(), "hide" if hidden else "unhide"
    with store.transaction() as connection:
        _hold(connection, match_id)
        change = matches.hide if hidden else matches.unhide
        if not change(connection, match_id):
            return False
        notices.tell(connection, now, match_id, "hidden" if hidden else "unhidden")
        audit.keep(connection, now, f"matches {word}", f"match {match_id}", why, by)
    return True


def call_off(store: Store, match_id: int, why: str = "", by: int | None = None) -> bool:
    """End a match without a result, before or after its start, and write to everybody. False: it was so.

    Raises NotFound, Closed("over").
    """
    now = clock.now()
    with store.transaction() as connection:
        _hold(connection, match_id)
        match = reading.by_match(connection, match_id)
        if match is None:
            lobby = unstarted(connection, match_id)
            if lobby.status not in OPEN:
                return False
            call_off_unstarted(connection, lobby, now, OPERATOR)
        elif match.called_off:
            return False
        else:
            snapshot = held_running(connection, match_id)
            announce(connection, now, match_id, "operator_called_off", once=CALLED_OFF)
            outcome = Outcome({}, {}, CALLED_OFF)
            record(connection, now, snapshot, [], snapshot.load(), None, source="house", outcome=outcome)
        audit.keep(connection, now, "matches call-off", f"match {match_id}", why, by)
    return True


def reassign(
    store: Store, match_id: int, seat: Seat, address: str, why: str = "", by: int | None = None
) -> str:
    """Give a seat to the player with an address at once; or offer it to an address that nobody confirmed yet.

    Returns GIVEN or OFFERED. Links, notes and standing orders of the player before don't pass on; an email
    tells them. Raises NotFound("match"), NotFound("seat"), Closed("over"), Refused("address",
    "plays_already", "nobodys_seat", "address_barred").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        _hold(connection, match_id)
        bars.check(connection, key, "address_barred")
        snapshot = held_running(connection, match_id)
        holder = _holder(snapshot, seat)
        player_id = people.player_with_key(connection, key)
        if player_id is not None and any(one.player_id == player_id for one in snapshot.holders):
            raise Refused("plays_already")
        opened = holder.open_since is not None or chairs.open_seat(connection, now, holder.chair_id)
        assert opened, "the match is held"
        snapshot = held_running(connection, match_id)
        if player_id is not None:
            replace(connection, now, snapshot, seat, player_id, OPERATOR)
            names = (one.name for one in held_running(connection, match_id).holders)
            *_, before = told_apart([*names, holder.name])
            notices.tell(connection, now, match_id, "operator_gave", seat=seat, before=before)
        else:
            told = played_by_people(snapshot)
            once = f"operator_offered:{holder.chair_id}:{now.isoformat()}"
            announce(connection, now, match_id, "operator_offered", once=once, to=told, seat=seat)
            offer_by_operator(connection, now, snapshot, seat, address, key)
        audit.keep(connection, now, "matches reassign", f"match {match_id} {seat}", why, by)
    if player_id is None:
        return OFFERED
    presence.changed(store, player_id)
    return GIVEN


def holder(store: Store, match_id: int, seat: Seat) -> str:
    """The name of the person on a seat that `reassign` would give away. Raises what that raises of it."""
    with store.transaction() as connection:
        _hold(connection, match_id)
        return _holder(held_running(connection, match_id), seat).name


def _holder(snapshot: MatchSnapshot, seat: Seat) -> SeatHolder:
    """The person on a seat. Raises NotFound("seat"), Refused("nobodys_seat")."""
    if seat not in snapshot.seats:
        raise NotFound("seat")
    holder = snapshot.holder(seat)
    if holder.player_id is None or holder.resigned:
        raise Refused("nobodys_seat", name=holder.name)
    return holder


def _hold(connection: Connection, match_id: int) -> None:
    """Lock the match. Raises NotFound: there is none."""
    if not is_key(match_id) or matches.rules_named(connection, match_id) is None:
        raise NotFound("match")
    hold_match(connection, match_id)
