"""Absences as the form on the page, or a request that was confirmed later, names them."""

from collections.abc import Callable
from datetime import date

from app.people.absences import Absence
from app.people.dates import read_date
from app.play.deadlines import absences
from app.play.match.records import Viewer
from app.play.moves import orders
from app.store.session import Store
from app.web.account.absence_page import PolicyField, Traveller, policy_fields

Field = Callable[[str, int], str]
"""The text of a field, by its name and its greatest length."""


def fields(traveller: Traveller) -> tuple[str, ...]:
    """The names of the form's fields."""
    return ("first", "last", *(one.name for one in policy_fields(traveller)))


def check(store: Store, traveller: Traveller, field: Field) -> None:
    """Raises what `enter` would raise for these fields now."""
    first, last, _ = _read(traveller, field)
    absences.preview(store, traveller.player_id, first, last)


def enter(store: Store, traveller: Traveller, field: Field) -> Absence:
    """Enter the absence and set the chosen policies until its end. Raises Refused, RulesError."""
    first, last, chosen = _read(traveller, field)
    entered = absences.enter(store, traveller.player_id, first, last)
    viewer = Viewer(player_id=traveller.player_id)
    for one, text in chosen:
        orders.set_policy(store, viewer, one.match_id, one.policy.name, text, until=entered.ends)
    return entered


def cancel(store: Store, traveller: Traveller, field: Field) -> Absence:
    """End or cancel the absence that the form names. Raises NotFound."""
    number = field("absence", 12)
    absence_id = int(number) if number.isascii() and number.isdecimal() else 0
    return absences.cancel(store, traveller.player_id, absence_id)


def _read(traveller: Traveller, field: Field) -> tuple[date, date, list[tuple[PolicyField, str]]]:
    """The first and the last day, and the chosen policies with their settings."""
    first, last = read_date(field("first", 40)), read_date(field("last", 40))
    chosen = [
        (one, one.game.read_policy(one.policy.name, text))
        for one in policy_fields(traveller)
        if (text := field(one.name, 40))
    ]
    return first, last, chosen
