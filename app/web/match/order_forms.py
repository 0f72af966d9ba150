"""What a player leaves ahead, from the forms on the page of a match."""

from collections.abc import Callable

import msgspec
from flask import request

from app import narrate
from app.play.match.records import PlayerView, Viewer
from app.play.moves import orders
from app.play.moves.orders import LONGEST_WISH, MOST_WISHES, Order, Orders
from app.store.session import Store
from app.web.core.rendering import field

LEAVE, POLICY, WITHDRAW = "orders", "policy", "withdraw"
PART = "orders"
"""Where on the page one goes on."""
ROOM = MOST_WISHES * (LONGEST_WISH + 2) * 2
"""Characters that are read: more than there is room for, so that nothing is cut unseen."""


class Choice(msgspec.Struct, frozen=True):
    """One choice of a policy as the form offers it."""

    value: str
    label: str
    chosen: bool
    counts: bool
    """It takes a number."""
    number: str
    """The one that stands."""


class Offered(msgspec.Struct, frozen=True):
    """A policy with its choices, and what counts now."""

    name: str
    about: str
    choices: tuple[Choice, ...]
    left: Order | None


class Result(msgspec.Struct, frozen=True):
    """What became of something that was left."""

    order: Order
    words: str


class Card(msgspec.Struct, frozen=True):
    """The part of the page where one sees and changes what one has left ahead."""

    left: Orders
    policies: tuple[Offered, ...]
    past: tuple[Result, ...]
    most: int = MOST_WISHES
    room: int = ROOM


def _said() -> str:
    choice = field("choice", 40)
    return choice.replace("N", field("number", 10)) if "N" in choice else choice


ACTS: dict[str, Callable[[Store, Viewer, int], object]] = {
    LEAVE: lambda store, bearer, match: orders.leave(store, bearer, match, field("text", ROOM)),
    POLICY: lambda store, bearer, match: orders.set_policy(store, bearer, match, field("name", 40), _said()),
    WITHDRAW: orders.withdraw,
}
"""What the buttons do. Each raises what its service raises."""


def card(sight: PlayerView, language: str, left: Orders) -> Card | None:
    """What the page shows of it; None where nothing can be left: for onlookers, at the end, in the past."""
    given_up = any(one.seat == sight.seat and one.resigned for one in sight.sittings)
    past = request.args.get("ply", type=int) is not None
    if sight.seat is None or sight.status != "running" or given_up or past:
        return None
    return Card(
        left,
        tuple(_offered(sight, language, left)),
        tuple(Result(one, narrate.order_result(language, one.result)) for one in left.past),
    )


def _offered(sight: PlayerView, language: str, left: Orders) -> list[Offered]:
    offered = []
    for policy in sight.game.policies:
        order = left.policy(policy.name)
        said = order.text if order else policy.choices[0]
        number = "".join(filter(str.isdigit, said))
        choices = tuple(
            Choice(
                value,
                narrate.policy(sight.game, language, policy, value),
                said == (value.replace("N", number) if number else value),
                "N" in value,
                number or "1",
            )
            for value in policy.choices
        )
        offered.append(
            Offered(policy.name, narrate.about_policy(sight.game, language, policy), choices, order)
        )
    return offered
