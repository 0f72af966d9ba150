"""Matches to measure: one played to its middle, and a copy of it for each move."""

import uuid
from typing import Any
from urllib.parse import urlencode

import msgspec
from sqlalchemy import select
from sqlmodel import SQLModel, insert

from app.bench.site import LETTERS, LOG, TABLE
from app.engine.chance import Chance
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links
from app.play.match.records import Viewer
from app.play.moves import bots, service
from app.play.views.player_view import player_view, player_view_by_token
from app.store.session import Store

MIDDLE = 60
"""Plies before the match is copied."""


class Turn(msgspec.Struct, frozen=True):
    """A move to send by POST."""

    path: str
    body: str


def prepared(store: Store, game: str, copies: int) -> tuple[str, list[Turn]]:
    """The path of a match's page, and one turn on each copy of the match."""
    match_id, seat, run = _middle(store, game)
    with store.transaction() as connection:
        path = links.path("turn", links.mint(connection, "turn", match_id=match_id, seat=seat, run=run))
    now = player_view_by_token(store, path.rsplit("/", 1)[1])
    asked = now.asked[0]
    answer = now.game.format(asked.decision.options[0])
    turns = []
    with store.transaction() as connection:
        rows = {name: _rows(connection, name, match_id) for name in ("match", "chair", "question")}
        top = max(row[0] for row in connection.execute(select(_table("match").c.id)))
        for number in range(1, copies + 1):
            new = top + number
            question = uuid.uuid4().hex
            connection.execute(insert(_table("match")), [{**row, "id": new} for row in rows["match"]])
            chairs = [{key: value for key, value in row.items() if key != "id"} for row in rows["chair"]]
            connection.execute(insert(_table("chair")), [{**row, "match_id": new} for row in chairs])
            open_now = [row for row in rows["question"] if row["closed_at"] is None]
            connection.execute(
                insert(_table("question")),
                [{**row, "id": question, "match_id": new} for row in open_now[:1]],
            )
            token = links.mint(connection, "turn", match_id=new, seat=seat, run=run)
            body = urlencode({"question": question, "answer": answer})
            turns.append(Turn(links.path("turn", token), body))
    return path, turns


def bare_rows(store: Store, copies: int) -> None:
    """Insert the rows of the bare turn, with a state of usual size."""
    with store.transaction() as connection:
        for statement in (TABLE, LOG, LETTERS):
            connection.exec_driver_sql(statement)
        state = connection.execute(select(_table("match").c.state)).scalars().first()
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        for number in range(copies):
            connection.exec_driver_sql(f"INSERT INTO bare VALUES ({mark}, 0, {mark})", (number, state))  # noqa: S608


def _middle(store: Store, game: str) -> tuple[int, str, int]:
    """A match against two bots at the player's turn, in its middle: its id, the seat and the turn."""
    match_id = create_match(store, game, 3, {}, "bench@example.org", (), bots=2)
    with store.transaction() as connection:
        invitation = connection.execute(select(_table("invitation").c.id)).scalars().first()
        token = links.mint(connection, "invitation", match_id=match_id, invitation_id=invitation)
    invitations.accept(store, token, "Bench", "en", "UTC", "word")
    while True:
        bots.play_unmanned(store)
        with store.reading() as connection:
            match = connection.execute(select(_table("match")).where(_table("match").c.id == match_id)).one()
            question = connection.execute(
                select(_table("question")).where(
                    _table("question").c.match_id == match_id, _table("question").c.closed_at.is_(None)
                )
            ).first()
        if question is None or match.ply >= MIDDLE:
            assert question is not None, "the game was over before its middle"
            return match_id, question.seat, question.run
        _go_on(store, match_id, question)


def _go_on(store: Store, match_id: int, question: Any) -> None:
    with store.reading() as connection:
        chair = connection.execute(
            select(_table("chair")).where(
                _table("chair").c.match_id == match_id, _table("chair").c.seat == question.seat
            )
        ).one()
    bearer = Viewer(player_id=chair.player_id)
    now = player_view(store, match_id, bearer)
    move = now.game.bot(now.view, now.asked[0].decision, Chance(b"bench", now.ply))
    service.play(store, bearer, question.id, now.game.format(move))


def _table(name: str) -> Any:
    return SQLModel.metadata.tables[name]


def _rows(connection: Any, name: str, match_id: int) -> list[dict[str, Any]]:
    table = _table(name)
    column = table.c.id if name == "match" else table.c.match_id
    return [dict(row) for row in connection.execute(select(table).where(column == match_id)).mappings()]
