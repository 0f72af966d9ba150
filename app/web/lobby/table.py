"""The table page of a match before its start."""

from collections.abc import Callable, Mapping

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.engine.errors import BadOptions
from app.people import service as people
from app.play.lobby import changes, invitations, joining
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import accepted_player, invited_player, is_fresh, lobby_of
from app.play.match.records import NotFound, Refused, SiteError, Viewer
from app.play.seats import silencing
from app.web.core import once, sessions
from app.web.core.allowances import REQUESTS, allow
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.core.security import same_site
from app.web.core.self_form import SelfForm, plays_as, posted_self, self_form
from app.web.core.watched import watched
from app.web.lobby.game_cards import GameCard, game_card
from app.web.lobby.join import share_path
from app.web.match import admin
from app.web.match.match_request import MatchRequest

pages = Blueprint("table", __name__)

ASKED_BLOCK = "asked_block"
"""The invitation is declined, and an email asks about blocking its host."""
CONFIRMED = frozenset(
    {ASKED_BLOCK, "accept", "send_again", "withdraw", "take_out", "replace", "block", admin.HOST_LINK}
) | {"list", "unlist", "share", "unshare", "join"}
"""Actions that the page confirms while the table is open; after the others its heading tells."""


class TablePage(msgspec.Struct, frozen=True):
    """The contents of the table page."""

    table: LobbyView
    card: GameCard
    admin_address: str
    """Of the table page after the start, by the link of an invitation."""
    options: list[str]
    """The options that differ from the usual ones, in words."""
    clock_rule: str
    refusal: str
    done: str
    """The action to confirm, or an empty text."""
    form: Mapping[str, str]
    """The refused form."""
    self_form: SelfForm
    plays_as: str
    """The name of the player whose address got the link, if this browser isn't theirs; else empty."""
    locked: bool
    """The reader is the organiser, but by a link that is too old to give powers."""
    share: str
    """The address of the link to share, for the organiser; empty: there is none."""
    can_block: bool
    """The invited person is a player, who can block the host."""

    @property
    def waits(self) -> bool:
        """The game hasn't begun, and the reader has done all they can: the page looks for news by itself."""
        return self.table.status == "open" and bool(self.table.mine and self.table.mine.status == "accepted")

    @property
    def empty_seats(self) -> int:
        """The seats for people without an invitation that is accepted or open."""
        invited = [one for one in self.table.guests if one.status in ("accepted", "invited", "waiting")]
        return self.table.seats - self.table.bots - len(invited)


@pages.get("/m/<int(max=2147483647):match_id>/table")
def show(match_id: int) -> Response:
    """The table page: before the start for the organiser, afterwards for everybody."""
    if admin.has_started(match_id):
        return admin.show(MatchRequest(match_id=match_id, plays=False))
    return table_page(_own(match_id))


@pages.post("/m/<int(max=2147483647):match_id>/table")
@once.keyed
def organise(match_id: int) -> BaseResponse:
    """Carry out an action as the signed-in player."""
    if admin.has_started(match_id):
        return admin.carry_out(MatchRequest(match_id=match_id, plays=False))
    _own(match_id)
    return act(sessions.viewer(), lambda: _own(match_id))


def table_page(table: LobbyView, status: int = 200, refusal: str = "", token: str = "") -> Response:
    """The table page before the start."""
    game, spoken, done = table.game, language(), request.args.get("done", "")
    page = TablePage(
        table=table,
        card=game_card(game),
        admin_address=f"{request.path}/table" if request.path.startswith("/i/") else "",
        options=narrate.variants(game, spoken, table.options),
        clock_rule=narrate.clock_rule(spoken, table.rule),
        refusal=refusal,
        done=done if done in CONFIRMED and table.status == "open" and not refusal else "",
        form=request.form,
        self_form=self_form(sessions.person()),
        plays_as=plays_as(invited_player(store(), token) if token else None),
        locked=_locked(table, token),
        share=site().settings.url + share_path(table.match_id, table.share)
        if table.organised and table.share > 0
        else "",
        can_block=bool(token) and not table.organised and silencing.can_block_host(store(), token),
    )
    response = render("table/table.html", status, page=page)
    return watched(response) if page.waits and request.method == "GET" else response


def act(viewer: Viewer, table: Callable[[], LobbyView], token: str = "") -> BaseResponse:
    """Accept or decline by the token of an invitation, or carry out an organiser's action."""
    action = field("do", 40)
    try:
        if action == "accept" and token:
            about = posted_self(invited_player(store(), token))
            invitations.accept(store(), token, *about, field("word"))
        elif action == "decline" and token and not _locked(table(), token):
            invitations.decline(store(), token)
        elif action == "block" and token:
            if not silencing.block_host(store(), token, _signed_in()):
                return redirect(f"{request.path}?done={ASKED_BLOCK}", 303)
        elif token and _locked(shown := table(), token):
            if action != admin.HOST_LINK:
                return table_page(shown, 403, narrate.refusal(None, language(), Refused("host_link")), token)
            _, player_id = accepted_player(store(), token)
            people.ask_host_link(store(), player_id, shown.match_id)
        else:
            _organise(viewer, table().match_id, action)
    except NotFound:
        raise
    except (SiteError, BadOptions) as error:
        return table_page(table(), status_of(error), narrate.refusal(table().game, language(), error), token)
    return redirect(f"{request.path}?done={action}" if action in CONFIRMED else request.path, 303)


def _signed_in() -> int | None:
    known = sessions.person()
    return known.id if known is not None and same_site() else None


def _locked(table: LobbyView, token: str) -> bool:
    """Whether an organiser's link is too old for the tools, and its player isn't signed in here."""
    if not token or not table.organised or table.status != "open" or is_fresh(store(), token):
        return False
    return not sessions.is_player(accepted_player(store(), token)[1])


def _own(match_id: int) -> LobbyView:
    """The table, if the signed-in player organises it. Raises NotFound."""
    reader = sessions.person()
    if reader is None:
        raise NotFound("table")
    return lobby_of(store(), match_id, reader.id)


def _organise(viewer: Viewer, match_id: int, action: str) -> None:
    if action not in ACTIONS:
        raise NotFound("act")
    number = field("invitation", 12)
    ACTIONS[action](viewer, match_id, int(number) if number.isascii() and number.isdecimal() else 0)


def _send_again(viewer: Viewer, _match_id: int, invitation_id: int) -> None:
    allow(REQUESTS, viewer)
    changes.send_again(store(), viewer, invitation_id)


def _replace(viewer: Viewer, _match_id: int, invitation_id: int) -> None:
    allow(REQUESTS, viewer)
    changes.replace(store(), viewer, invitation_id, field("address", 320))


ACTIONS: dict[str, Callable[[Viewer, int, int], object]] = {
    "send_again": _send_again,
    "withdraw": lambda viewer, _match, invitation: changes.withdraw(store(), viewer, invitation),
    "take_out": lambda viewer, _match, invitation: changes.take_out(store(), viewer, invitation),
    "replace": _replace,
    "list": lambda viewer, match, _invitation: joining.list_game(store(), viewer, match, listed=True),
    "unlist": lambda viewer, match, _invitation: joining.list_game(store(), viewer, match, listed=False),
    "share": lambda viewer, match, _invitation: joining.share(store(), viewer, match, shared=True),
    "unshare": lambda viewer, match, _invitation: joining.share(store(), viewer, match, shared=False),
    "start_with_fewer": lambda viewer, match, _invitation: changes.start_with_fewer(store(), viewer, match),
    "call_off": lambda viewer, match, _invitation: changes.call_off(store(), viewer, match),
}
"""The organiser's actions, by the match and the invitation that the form names."""
BY_LINK = frozenset({"accept", "decline", "block", admin.HOST_LINK})
"""The actions of an invitation's own link."""
