"""The page of the absence form as one record."""

from datetime import date, datetime

import msgspec
from flask import Response, request

from app import narrate
from app.engine.errors import RulesError
from app.engine.game import Game, Policy
from app.people import service as people
from app.people.absences import MOST_DAYS, Absence
from app.people.dates import read_day
from app.play.deadlines import absences
from app.play.deadlines.absences import PlayerAbsences
from app.play.match.records import NotFound, SiteError
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import language, render
from app.web.match.clock_view import TimeFormat
from app.words import formats


class Traveller(msgspec.Struct, frozen=True):
    """The player who goes away, by sign-in or by a turn's link that shows its match only."""

    player_id: int
    token: str = ""
    match_id: int = 0

    def sees(self, match_id: int) -> bool:
        """Whether the match may be named on this page."""
        return self.match_id in (0, match_id)


class PolicyField(msgspec.Struct, frozen=True):
    """A select field for a policy during the absence."""

    match_id: int
    game: Game
    policy: Policy

    @property
    def name(self) -> str:
        """Of the field."""
        return f"policy-{self.match_id}-{self.policy.name}"

    @property
    def choices(self) -> list[str]:
        """The choices that need no number; the match's page has the others."""
        return [choice for choice in self.policy.choices[1:] if "N" not in choice.split()]


class ShownField(msgspec.Struct, frozen=True):
    """A policy field in words."""

    name: str
    title: str
    """Of the match."""
    about: str
    choices: list[tuple[str, str]]
    """Values and labels."""


class Effect(msgspec.Struct, frozen=True):
    """A deadline that the absence would change. None: the clock is stopped."""

    title: str
    """Of the match; empty if it may not be named here."""
    before: datetime | None
    after: datetime | None


class AbsencePage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    absences: PlayerAbsences
    entered: list[tuple[Absence, list[str]]]
    """Present and future absences with their days in words."""
    first: date | str
    last: date | str
    """The days in the form, unread if they were refused."""
    days: list[str]
    """The same in words, for the preview: one day, or the first and the last."""
    effects: list[Effect] | None
    """None: no preview."""
    fields: list[ShownField]
    refusal: str
    done: str
    time_format: TimeFormat
    by_token: bool
    address: str
    """Of the page to go back to."""
    typed: tuple[str, str] | None
    """The days as they are typed where browsers' pickers show another calendar; None: they are picked."""
    max_days: int = MOST_DAYS


def policy_fields(traveller: Traveller) -> list[PolicyField]:
    """The policies that the player may set for the absence."""
    return [
        PolicyField(match_id, game, policy)
        for match_id, game in absences.running_matches(store(), traveller.player_id)
        for policy in game.policies
        if traveller.sees(match_id)
    ]


def absence_page(traveller: Traveller, error: SiteError | RulesError | None = None) -> Response:
    """The page, with a preview if the query has days. Raises NotFound."""
    player = people.player(store(), traveller.player_id)
    if player is None:
        raise NotFound("player")
    spoken = language(player.language if traveller.token else None)
    first: date | str = request.values.get("first", "")[:40]
    last: date | str = request.values.get("last", "")[:40]
    effects: list[Effect] | None = None
    days: list[str] = []
    if error is None and "first" in request.args:
        try:
            today = absences.absences_of(store(), player.id).today
            first_day, last_day = (read_day(str(one), today, spoken) for one in (first, last))
            first, last = first_day, last_day
            effects = _effects(traveller, spoken, first_day, last_day)
            days = _days(spoken, first_day, last_day)
        except SiteError as refused:
            error = refused
    known = absences.absences_of(store(), player.id)
    page = AbsencePage(
        absences=known,
        entered=[
            (one, _days(spoken, one.first, one.last))
            for one in sorted(known.ahead, key=lambda one: one.first)
        ],
        first=first,
        last=last,
        days=days,
        effects=effects,
        fields=[_shown(one, spoken) for one in policy_fields(traveller)] if effects is not None else [],
        refusal=narrate.refusal(None, spoken, error) if error is not None else "",
        done=request.args.get("done", ""),
        time_format=TimeFormat(spoken, player.zone),
        by_token=bool(traveller.token),
        address=f"/t/{traveller.token}" if traveller.token else "/profile",
        typed=None if formats(spoken).pickers else (_typed(spoken, first), _typed(spoken, last)),
    )
    status = status_of(error) if error is not None else 200
    return render("people/away.html", status, language=spoken, page=page)


def _effects(traveller: Traveller, spoken: str, first: date, last: date) -> list[Effect]:
    return [
        Effect(
            narrate.match_name(one.game, spoken, one.match_id) if traveller.sees(one.match_id) else "",
            one.before,
            one.after,
        )
        for one in absences.preview(store(), traveller.player_id, first, last)
    ]


def _shown(one: PolicyField, spoken: str) -> ShownField:
    return ShownField(
        one.name,
        narrate.match_name(one.game, spoken, one.match_id),
        narrate.about_policy(one.game, spoken, one.policy),
        [(choice, narrate.policy(one.game, spoken, one.policy, choice)) for choice in one.choices],
    )


def _days(spoken: str, first: date, last: date) -> list[str]:
    """The first and the last day in words, once if they are the same."""
    days = (first,) if first == last else (first, last)
    return [formats(spoken).day(day) for day in days]


def _typed(spoken: str, day: date | str) -> str:
    return day if isinstance(day, str) else formats(spoken).short_day(day, year=True)
