"""A request for a match: the viewer, the language, and what they may load."""

from collections.abc import Sequence
from functools import cached_property

from flask import request

from app.people.service import Person
from app.play.match.records import ANYBODY, NotFound, PlayerView, Viewer
from app.play.match.version import PageVersion, page_version
from app.play.moves import orders
from app.play.moves.orders import Orders
from app.play.seats import notes
from app.play.views.player_view import player_view, player_view_by_token
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.rendering import language
from app.web.core.security import same_site

LATEST = 40
"""Plies of the log on a page. The page of the earliest of them shows those before."""


class MatchRequest:
    """A request for a match, by a turn's token or by the match's number."""

    def __init__(self, token: str = "", match_id: int = 0, *, plays: bool = True) -> None:
        """`plays`: a browser that played by a link may see the page as the holder of that seat."""
        self.token = token
        self._match_id = match_id
        self._plays = plays

    @property
    def viewer(self) -> Viewer:
        """The token's holder, else the signed-in player, else the seat that this browser may play.

        A token wins over the browser's session.
        """
        return (
            Viewer(token=self.token) if self.token else sessions.viewer(self._match_id if self._plays else 0)
        )

    @property
    def path(self) -> str:
        """The address of the match's page."""
        return f"/t/{self.token}" if self.token else f"/m/{self._match_id}"

    @cached_property
    def own(self) -> "MatchRequest | None":
        """Once the link's turn is over: the request of this browser's own seat, if that is the link's."""
        if (
            not self.token
            or not sessions.known()
            or not self.version.stale
            or sessions.viewer(self.match_id) == ANYBODY
        ):
            return None
        found, seat = MatchRequest(match_id=self.match_id), self.version.link_seat
        return found if seat is not None and found.version.seat == seat else None

    @property
    def trusted(self) -> bool:
        """The viewer is signed in as the seat's player: what outlasts the turn needs no second email.

        By a token that holds if this browser is signed in as the same player, and the form is this site's.
        """
        holder = self.version.holder
        return holder is not None and sessions.is_player(holder.player_id) and same_site()

    @property
    def plays_here(self) -> bool:
        """The viewer is `trusted`, or this browser may play the seat: what serves that seat alone is done."""
        holder = self.version.holder
        if holder is None or not same_site():
            return False
        return self.trusted or sessions.viewer(self.match_id).chair_id == holder.chair_id

    @property
    def reader(self) -> Person | None:
        """The signed-in player; None by token, whose page must not depend on the browser's session."""
        return None if self.token else sessions.person()

    @cached_property
    def version(self) -> PageVersion:
        """The version of the viewer's page, which changes with everything on it. Raises NotFound."""
        found = page_version(store(), self.viewer, self._match_id)
        if found is None:
            raise NotFound("match")
        return found

    @property
    def match_id(self) -> int:
        """The number of the match. Raises NotFound."""
        return self.version.match_id

    @property
    def language(self) -> str:
        """The language chosen on this browser, else that of the token's player, else of the request."""
        return language(self.version.language if self.token or self.version.limited else None)

    def view(self, ply: int | None = None, steps: Sequence[str] = (), last: int = LATEST) -> PlayerView:
        """The match as the viewer may see it, now or after a ply, with its `last` plies.

        `steps` are planned moves. Raises NotFound.
        """
        if self.token:
            return player_view_by_token(store(), self.token, last=last, steps=steps)
        eyes = request.args.get("as", "")[:20]
        match_id = self.version.match_id
        return player_view(store(), match_id, self.viewer, ply=ply, last=last, steps=steps, eyes=eyes)

    def notes(self) -> tuple[notes.Note, ...]:
        """The viewer's own notes. No statement runs when the version says there are none."""
        version = self.version
        has_notes = version.seat and version.noted
        return notes.notes(store(), self.viewer, version.match_id) if has_notes else ()

    def orders(self) -> Orders:
        """The viewer's standing orders. No statement runs when the version says there are none."""
        version = self.version
        has_orders = version.seat and version.noted
        return orders.orders(store(), self.viewer, version.match_id) if has_orders else Orders()
