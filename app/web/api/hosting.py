"""Operations around a running match: pauses, open seats, requests for them, and the host's powers."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from app.people.api_keys import HOST
from app.play.deadlines import pauses
from app.play.match import vacancies
from app.play.match.records import Viewer
from app.play.seats import offers, organiser, requests
from app.store.session import Store
from app.web.api.entering import Address, Key
from app.web.api.operations import Asked, operation
from app.web.api.reading import MATCH, visible
from app.web.api.small_records import Did
from app.web.core.allowances import REQUESTS, allow

SeatName = Annotated[str, Meta(max_length=20)]
LONGEST_MARKS = 400


class Pause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="pause"):
    """Ask for a pause, or agree to one. All clocks stop once everyone has."""


class NoPause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="no_pause"):
    """Ask for a pause no longer."""


class Resume(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="resume"):
    """End a pause."""


class ComeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="back"):
    """Keep the caller's own seat, which others could take."""


class Extend(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="extend"):
    """Give a seat, or (left out) all whose clock runs, more days."""

    days: Annotated[int, Meta(ge=1, le=30)]
    """How many more."""
    seen: Annotated[str, Meta(max_length=LONGEST_MARKS)]
    """The `mark` of each deadline that changes, with spaces between."""
    seat: SeatName | None = None


class OpenSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="open_seat"):
    """Let others take the seat of a silent player."""

    seat: SeatName


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="hand_over"):
    """Make another player the host."""

    seat: SeatName


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="call_off"):
    """End the match without a result. It can't be undone."""


class OfferSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="offer"):
    """Offer an open seat to the owner of an address."""

    seat: SeatName
    address: Address
    """An email address."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="ask_seat"):
    """Have a link to an open seat sent to the caller's own address."""

    seat: SeatName


class Decide(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="decide"):
    """Give an open seat to the person who asks for it, or don't."""

    request: Key
    """Its number."""
    agree: bool
    """Give the seat, or don't."""


Act = Pause | NoPause | Resume | ComeBack | Extend | OpenSeat | HandOver | End | OfferSeat | Ask | Decide


@operation("POST", f"{MATCH}/table", Did, scope=HOST, takes=Act)
def post_table(asked: Asked[None, Act], match_id: int) -> Did:
    """The tools of players and the host while a match runs: pauses, more time, open seats, the host."""
    visible(asked, match_id)
    done = _ACTS[type(asked.body)](asked, asked.store, asked.caller.viewer, match_id)
    return Did(done is not False)


def _extend(asked: Asked[Any, Extend], store: Store, viewer: Viewer, match_id: int) -> bool:
    body = asked.body
    return organiser.extend(store, viewer, match_id, body.days, body.seat, seen=body.seen)


def _offer(asked: Asked[Any, OfferSeat], store: Store, viewer: Viewer, match_id: int) -> None:
    allow(REQUESTS, viewer)
    offers.offer(store, viewer, match_id, asked.body.seat, asked.body.address)


def _ask(asked: Asked[Any, Ask], store: Store, viewer: Viewer, match_id: int) -> None:
    allow(REQUESTS, viewer)
    own = asked.caller.own
    offers.request_offer(store, match_id, asked.body.seat, own.address, own.id)


def _decide(asked: Asked[Any, Decide], store: Store, viewer: Viewer, match_id: int) -> None:
    requests.decide(store, viewer, match_id, asked.body.request, agree=asked.body.agree)


_ACTS: dict[type[Any], Callable[[Asked[Any, Any], Store, Viewer, int], object]] = {
    Pause: lambda _asked, store, viewer, match: pauses.request(store, viewer, match),
    NoPause: lambda _asked, store, viewer, match: pauses.withdraw_request(store, viewer, match),
    Resume: lambda _asked, store, viewer, match: pauses.end(store, viewer, match),
    ComeBack: lambda _asked, store, viewer, match: vacancies.come_back(store, viewer, match),
    Extend: _extend,
    OpenSeat: lambda asked, store, viewer, match: organiser.open_silent_seat(
        store, viewer, match, asked.body.seat
    ),
    HandOver: lambda asked, store, viewer, match: organiser.hand_over(store, viewer, match, asked.body.seat),
    End: lambda _asked, store, viewer, match: organiser.call_off(store, viewer, match),
    OfferSeat: _offer,
    Ask: _ask,
    Decide: _decide,
}
