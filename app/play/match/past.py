"""Earlier positions of matches, some of them kept in memory.

A replay then costs one move for each position, not all the moves before it.
"""

import hashlib
from collections import OrderedDict
from threading import Lock

import msgspec

from app.engine.game import Game, Record
from app.play.match.log import Ply
from app.play.match.replay import Beginning, kind_of, log_until, replay_in, replayed, undone
from app.store.connection import Connection

KEPT = 400
"""Positions in memory, those used last. One takes some 5 kB."""
EVERY = 16
"""Plies between two that are kept on the way to a later one."""

_kept: OrderedDict[bytes, Record] = OrderedDict()
"""By a hash of the beginning of the match and of all moves up to the position."""
_lock = Lock()


def position_in(connection: Connection, match_id: int, ply: int) -> tuple[Game, Record]:
    """The state of a match after a ply, and its rules, as `replay_in` gives them. Raises NotFound."""
    begun, log = log_until(connection, match_id, ply)
    if any(kind_of(entry.move) == "edition" for entry in log):
        return replay_in(connection, match_id, ply)
    game, state = begun.state()
    moves = undone(log)
    keys = _keys(begun, moves)
    ready = next((done for done in range(len(moves), 0, -1) if keys[done - 1] in _kept), 0)
    if ready and (found := _read(keys[ready - 1])) is not None:
        state = found
    else:
        ready = 0
    for done, entry in enumerate(moves[ready:], ready + 1):
        state = replayed(game, state, begun.seed, [entry])
        if done % EVERY == 0 or done == len(moves):
            _write(keys[done - 1], state)
    return game, state


def _keys(begun: Beginning, moves: list[Ply]) -> list[bytes]:
    """A hash for the position after each of the moves."""
    hashed = hashlib.blake2b(msgspec.json.encode(begun), digest_size=16)
    keys = []
    for entry in moves:
        hashed.update(f"{entry.ply} {entry.seat} {entry.move}\n".encode())
        keys.append(hashed.copy().digest())
    return keys


def _read(key: bytes) -> Record | None:
    with _lock:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
        return found


def _write(key: bytes, state: Record) -> None:
    with _lock:
        _kept[key] = state
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
