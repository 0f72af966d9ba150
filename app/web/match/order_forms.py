"""The forms for standing orders and policies on a match's page."""

from collections.abc import Callable

import msgspec

from app import narrate
from app.engine.game import Policy
from app.play.match.records import PlayerView, Viewer
from app.play.moves import orders
from app.play.moves.orders import LONGEST_WISH, MOST_WISHES, Order, Orders
from app.store.session import Store
from app.web.core.rendering import field

LEAVE, POLICY, WITHDRAW = "orders", "policy", "withdraw"
ANCHOR = "orders"
"""The part of the page to return to after each action."""
LONGEST_READ = MOST_WISHES * (LONGEST_WISH + 2) * 2
"""Characters read of a list: more than allowed, so that nothing is cut silently."""


class PolicyChoice(msgspec.Struct, frozen=True):
    """A choice of a policy in its form."""

    value: str
    label: str
    chosen: bool
    takes_number: bool
    number: str
    """The number in force, else "1"."""


class PolicyForm(msgspec.Struct, frozen=True):
    """The form for a policy."""

    name: str
    about: str
    choices: tuple[PolicyChoice, ...]
    setting: str
    """The setting in force, in words."""
    order: Order | None
    """The policy in force."""


class OrderResult(msgspec.Struct, frozen=True):
    """A closed order and its result in words."""

    order: Order
    words: str


class OrdersCard(msgspec.Struct, frozen=True):
    """The viewer's standing orders and the forms to change them."""

    orders: Orders
    policies: tuple[PolicyForm, ...]
    closed: tuple[OrderResult, ...]
    typed: str | None
    """A refused list."""
    once: str
    """Makes sending the same form twice count once."""
    match_id: int
    asked_now: bool
    """The match waits for the viewer, so the list counts from the next question on."""
    max_wishes: int = MOST_WISHES
    max_length: int = LONGEST_READ


def policy_text() -> str:
    """The setting of a policy as its form names it."""
    choice = field("choice", 40)
    return choice.replace("N", field("number", 10)) if "N" in choice else choice


ACTIONS: dict[str, Callable[[Store, Viewer, int], object]] = {
    LEAVE: lambda store, viewer, match: orders.leave(store, viewer, match, field("text", LONGEST_READ)),
    POLICY: lambda store, viewer, match: orders.set_policy(
        store, viewer, match, field("name", 40), policy_text()
    ),
    WITHDRAW: orders.withdraw,
}
"""The action of each button. Each raises the errors of its service."""


def orders_card(
    view: PlayerView, language: str, current: Orders, typed: str | None, once: str
) -> OrdersCard | None:
    """The card; None for onlookers, for a resigned seat and after the end."""
    resigned = any(info.seat == view.seat and info.resigned for info in view.sittings)
    if view.seat is None or view.status != "running" or resigned:
        return None
    return OrdersCard(
        current,
        tuple(_policy_form(view, language, policy, current) for policy in view.game.policies),
        tuple(OrderResult(one, narrate.order_result(language, one.result)) for one in current.past),
        typed,
        once,
        view.match_id,
        view.seat in view.to_move,
    )


def _policy_form(view: PlayerView, language: str, policy: Policy, current: Orders) -> PolicyForm:
    order = current.policy(policy.name)
    text = order.text if order else policy.choices[0]
    number = "".join(filter(str.isdigit, text))
    choices = tuple(
        PolicyChoice(
            value,
            narrate.policy(view.game, language, policy, value),
            text == (value.replace("N", number) if number else value),
            "N" in value,
            number or "1",
        )
        for value in policy.choices
    )
    about = narrate.about_policy(view.game, language, policy)
    return PolicyForm(policy.name, about, choices, narrate.policy(view.game, language, policy, text), order)
