"""A match for the operator, in lines: what everybody may know of it, and no address."""

from collections.abc import Iterator
from datetime import UTC, datetime

from app import draw, narrate
from app.narrate import FALLBACK
from app.play.lobby.snapshot import unstarted
from app.play.match.records import NotFound, PlayerView
from app.play.views import register
from app.play.views.player_view import player_view
from app.play.views.register import Entry
from app.store.session import Store

NOTICES = 20
"""Of the public log, the last."""
BEGUN = ("running", "over", "moved")


def row(one: Entry) -> str:
    """A match as a line of a list."""
    marks = [name for name, holds in (("hidden", one.hidden), ("private", one.private)) if holds][:1]
    marks += [] if one.playable else [f"no rules here (edition {one.edition})"]
    more = f"  ({', '.join(marks)})" if marks else ""
    return (
        f"#{one.match_id}  {one.at:%Y-%m-%d %H:%M}  {one.status}  {one.game}  {one.seats} seats  "
        f"ply {one.ply}{more}"
    )


def lines(store: Store, match_id: int) -> tuple[str, ...]:
    """Everything public about a match, as an outsider would see it. Raises NotFound."""
    found = register.entry(store, match_id)
    if found is None:
        raise NotFound("match")
    if not found.playable:
        return (row(found),)
    if found.status not in BEGUN:
        return (row(found), *_lobby(store, match_id))
    return (row(found), *_begun(player_view(store, match_id, last=40)))


def _lobby(store: Store, match_id: int) -> Iterator[str]:
    with store.reading() as connection:
        found = unstarted(connection, match_id)
    yield from narrate.variants(found.game, FALLBACK, found.options)
    yield narrate.clock_rule(FALLBACK, found.rule)
    for status in ("accepted", "invited", "waiting", "declined", "withdrawn", "expired"):
        if many := found.count(status):
            yield f"{status}: {many}"
    if found.bots:
        yield f"played by the computer: {found.bots}"


def _begun(view: PlayerView) -> Iterator[str]:
    yield from narrate.variants(view.game, FALLBACK, view.options)
    yield narrate.clock_rule(FALLBACK, view.rule)
    for one in view.sittings:
        marks = [
            name
            for name, holds in (
                ("the computer", one.bot),
                ("resigned", one.resigned),
                ("lost on time", one.lost),
                ("open", one.open_since is not None),
                ("host", one.seat == view.keys),
                ("to move", one.seat in view.to_move),
            )
            if holds
        ]
        more = f" ({', '.join(marks)})" if marks else ""
        yield f"{one.seat}: {one.name}{more}"
    for due in view.deadlines:
        until = f"{due.due_at:%Y-%m-%d %H:%M} UTC" if due.due_at else "stands still"
        yield f"deadline of {due.seat}: {until}{', in grace' if due.late else ''}"
    if view.outcome is not None:
        yield narrate.ending(view.game, FALLBACK, view.outcome, view.name)
    for told in view.notices[-NOTICES:]:
        if told.what != "said":
            said = narrate.notice(FALLBACK, told, view.names_then(told.at), _utc)
            yield f"{told.at:%Y-%m-%d %H:%M}  {said}"
    yield ""
    yield draw.text(view.game, view.view, language=FALLBACK).rstrip()


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
