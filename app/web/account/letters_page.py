"""The page of email settings and sent letters as one record."""

import logging
from collections.abc import Callable, Mapping

import msgspec
from flask import Response, request

from app import narrate
from app.mail.core import push_key
from app.mail.policy import history
from app.people import preferences, subscriptions
from app.people.preferences import EmailSettings
from app.people.service import Person
from app.play.match.records import MatchLine
from app.play.views import lists
from app.web.core.context import site, store
from app.web.core.rendering import language, render
from app.web.core.sent_letters import LAST, SentLetter, sent_letter
from app.web.match.clock_view import TimeFormat

log = logging.getLogger(__name__)

FEW = 8
"""Games with a form on the page, where not all are asked for."""


class SettingsOwner(msgspec.Struct, frozen=True):
    """The player whose settings are shown, by sign-in or by a turn's link for that match only."""

    player: Person
    path: str
    match_id: int = 0
    """0: all matches."""

    @property
    def language(self) -> str:
        """The player's language by a turn's link, else the request's."""
        return self.player.language if self.match_id else language()


class EmailSettingsPage(msgspec.Struct, frozen=True):
    """The contents of the page."""

    owner: SettingsOwner
    settings: EmailSettings
    games: list[tuple[int, str]]
    """Running matches with their names."""
    most_games: int
    """The number of them that have a form on the page."""
    letters: list[SentLetter]
    """Of this page."""
    newer: str
    """The query of the page with newer letters; empty on the first."""
    older: str
    """The query of the page with older letters; empty on the last."""
    time_format: TimeFormat
    form: Mapping[str, str]
    """The refused form."""
    refusal: str
    done: str
    say: Callable[..., str]
    """A macro of the site's words, by name."""
    choices: Mapping[str, tuple[str, ...]]
    hours: range
    push_key: str
    """The site's public key, by which this browser can be notified; empty: it can't."""
    browsers: str
    """Hashes of the endpoints of the player's browsers that are notified."""


def running_matches(player_id: int | None) -> list[MatchLine]:
    """The player's running matches; none without a player."""
    if player_id is None:
        return []
    return [line for line in lists.player_lines(store(), player_id) if line.status == "running"]


def settings_page(owner: SettingsOwner, status: int = 200, refusal: str = "") -> Response:
    """The page with the owner's settings and latest letters."""
    player, spoken = owner.player, language(owner.language)
    number = min(max(request.args.get("page", 0, type=int), 0), LAST)
    running = running_matches(player.id)
    lines = history.latest(store(), player.id, owner.match_id, number)
    page = EmailSettingsPage(
        owner=owner,
        settings=preferences.settings_of(store(), player.id),
        games=[(line.match_id, narrate.match_name(line.game, spoken, line.match_id)) for line in running],
        most_games=len(running) if "games" in request.args or refusal else FEW,
        letters=[sent_letter(line, spoken) for line in lines[: history.MOST]],
        newer=f"?page={number - 1}#sent" if number else "",
        older=f"?page={number + 1}#sent" if len(lines) > history.MOST else "",
        time_format=TimeFormat(spoken, player.zone),
        form=request.form,
        refusal=refusal,
        done=request.args.get("did", ""),
        say=lambda name, *facts: narrate.say(narrate.SITE, spoken, name, *facts),
        choices=preferences.CHOICES,
        hours=range(24),
        push_key=_push_key() if not owner.match_id else "",
        browsers=" ".join(subscriptions.hashes(store(), player.id)) if not owner.match_id else "",
    )
    return render("people/letters.html", status, language=spoken, page=page)


def _push_key() -> str:
    try:
        return push_key.public_key(site().settings)
    except (OSError, ValueError):  # a folder that can't be written, a setting that is no key
        log.warning("there is no key for notifications to browsers", exc_info=False)
        return ""
