"""Routes of the email settings and the letters recently sent to a player."""

from collections.abc import Mapping

from flask import Blueprint, abort, redirect
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.mail.policy import history
from app.people import confirming, preferences
from app.people import service as people
from app.play.clock import reminders as offsets
from app.play.match import presence
from app.play.match.records import NotFound, Refused
from app.web.account.letters_page import SettingsOwner, running_matches, settings_page
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field
from app.web.match.match_request import MatchRequest
from app.web.match.stale import stale_page

pages = Blueprint("letters", __name__)

SAVED, SENT = "kept", "sent"


@pages.get("/profile/letters")
def show() -> BaseResponse:
    """All settings and the latest letters of the signed-in player."""
    known = sessions.person()
    return settings_page(SettingsOwner(known, "/profile/letters")) if known else redirect("/sign-in", 303)


@pages.post("/profile/letters")
@once.keyed
def change() -> BaseResponse:
    """Save settings or send a letter again."""
    known = sessions.person()
    return _act(SettingsOwner(known, "/profile/letters")) if known else signed_out()


@pages.get("/t/<token>/letters")
def show_for_match(token: str) -> BaseResponse:
    """The settings and letters of a turn's match, for the holder of its link while the turn lasts."""
    stale = MatchRequest(token).version.stale
    return redirect(f"/t/{token}", 303) if stale else settings_page(_by_token(token))


@pages.post("/t/<token>/letters")
@once.keyed
def change_for_match(token: str) -> BaseResponse:
    """Have settings of the match saved once a second email confirms them, or have a letter sent again."""
    match_request = MatchRequest(token)
    if match_request.version.stale:
        return stale_page(match_request)
    owner, action = _by_token(token), field("do", 20)
    if action not in ("choose", "back") or match_request.trusted:
        return _act(owner)
    names = [f"event-{event}" for event in preferences.CHOICES] if action == "choose" else []
    try:
        facts = {name: field(name, 40) for name in names}
        if facts:
            preferences.check_choices(choices_in(facts), owner.match_id)
        request = {"do": action, **facts}
        confirming.request(store(), owner.player.id, owner.match_id, confirming.LETTERS, request)
    except Refused as error:
        return settings_page(owner, status_of(error), narrate.refusal(None, owner.language, error))
    return redirect(f"/t/{token}?asked={confirming.LETTERS}#now", 303)


def choices_in(form: Mapping[str, str]) -> dict[str, str]:
    """The choices of a form by their events."""
    return {event: form.get(f"event-{event}", "") for event in preferences.CHOICES}


def _by_token(token: str) -> SettingsOwner:
    """The seat's player, while the turn lasts. Raises NotFound."""
    player_id, match_id = presence.reader_of(store(), token)
    known = people.player(store(), player_id)
    if known is None:
        raise NotFound("turn")
    return SettingsOwner(known, f"/t/{token}/letters", match_id)


def _act(owner: SettingsOwner) -> BaseResponse:
    action = field("do", 20)
    try:
        if action == "again":
            history.send_again(store(), owner.player.id, _own_letter(owner, field("letter", 40)))
            return redirect(f"{owner.path}?did={SENT}#sent", 303)
        if action == "habits" and not owner.match_id:
            _save_schedule(owner.player.id)
        elif action in ("choose", "back"):
            _save_choices(owner, action)
        else:
            abort(404)
    except (Refused, NotFound) as error:
        return settings_page(owner, status_of(error), narrate.refusal(None, owner.language, error))
    return redirect(f"{owner.path}?did={SAVED}", 303)


def _own_letter(owner: SettingsOwner, letter_id: str) -> str:
    """The letter's id, if the letter is on this page. Raises NotFound."""
    if owner.match_id and not history.is_about(store(), letter_id, owner.player.id, owner.match_id):
        raise NotFound("letter")
    return letter_id


def _save_choices(owner: SettingsOwner, action: str) -> None:
    match_id = owner.match_id or _match(field("match", 12))
    if action == "back":
        preferences.resubscribe_fully(store(), owner.player.id, match_id)
        return
    chosen = {f"event-{event}": field(f"event-{event}", 40) for event in preferences.CHOICES}
    preferences.choose(store(), owner.player.id, match_id, choices_in(chosen))


def _match(text: str) -> int:
    """The number of the match in the form; 0 for all matches. Raises NotFound."""
    if text in ("", "0"):
        return preferences.ALL
    mine = {line.match_id for line in running_matches(sessions.viewer().player_id)}
    if not (text.isascii() and text.isdecimal()) or int(text) not in mine:
        raise NotFound("match")
    return int(text)


def _save_schedule(player_id: int) -> None:
    quiet = (field("quiet_from", 10), field("quiet_to", 10))
    if bool(quiet[0]) != bool(quiet[1]):
        raise Refused("quiet_half")
    hours = (_hour(quiet[0]), _hour(quiet[1])) if all(quiet) else None
    reminders = offsets.check(field("reminders", preferences.LONGEST_REMINDERS))
    preferences.save_schedule(store(), player_id, _hour(field("digest_hour", 10)), hours, reminders)
    presence.changed(store(), player_id)


def _hour(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise Refused("hour", hour=text)
    return int(text)
