"""Which letters a player wants, and what became of those that he was sent."""

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as Answer

from app import games, narrate
from app.engine.game import Game
from app.mail.policy import history
from app.people import preferences
from app.people import service as people
from app.people.service import Person
from app.play.clock.rules import check_reminders
from app.play.match import presence
from app.play.match.records import MatchLine, NotFound, Refused
from app.play.views import lists
from app.web.core import sessions
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language, render
from app.web.match.clock_view import TimeFormat

pages = Blueprint("letters", __name__)

HOURS = tuple(range(24))
KEPT, SENT = "kept", "sent"


class Owner:
    """Whose page it is: a signed-in player, or the reader of a turn's letter for that match alone."""

    def __init__(self, known: Person, path: str, match_id: int = 0) -> None:
        self.known, self.path, self.match_id = known, path, match_id

    @property
    def speaks(self) -> str:
        """The language of the page."""
        return self.known.language if self.match_id else language()


@pages.get("/profile/letters")
def show() -> Answer:
    """All choices, and the last letters."""
    known = sessions.person()
    return _page(Owner(known, "/profile/letters")) if known else redirect("/sign-in", 303)


@pages.post("/profile/letters")
def change() -> Answer:
    """Choose, or have a letter sent again."""
    known = sessions.person()
    return _act(Owner(known, "/profile/letters")) if known else redirect("/sign-in", 303)


@pages.get("/t/<token>/letters")
def show_one(token: str) -> Answer:
    """The same for the match of a turn's letter."""
    return _page(_by_token(token))


@pages.post("/t/<token>/letters")
def change_one(token: str) -> Answer:
    """Choose for this match."""
    return _act(_by_token(token))


def _by_token(token: str) -> Owner:
    """The seat's player, while the turn goes on. Raises NotFound."""
    player_id, match_id = presence.reader_of(store(), token)
    known = people.player(store(), player_id)
    if known is None:
        raise NotFound("turn")
    return Owner(known, f"/t/{token}/letters", match_id)


def _act(owner: Owner) -> Answer:
    act = field("do", 20)
    try:
        if act == "again":
            history.send_again(store(), owner.known.id, _own_letter(owner, field("letter", 40)))
            return redirect(f"{owner.path}?did={SENT}#sent", 303)
        if act == "habits" and not owner.match_id:
            _keep_habits(owner.known.id)
        elif act in ("choose", "back"):
            _choose(owner, act)
        else:
            abort(404)
    except (Refused, NotFound) as error:
        return _page(owner, status_of(error), narrate.refusal(None, owner.speaks, error))
    return redirect(f"{owner.path}?did={KEPT}", 303)


def _own_letter(owner: Owner, letter_id: str) -> str:
    """The letter, if it is on this page. Raises NotFound."""
    if owner.match_id and letter_id not in {
        one.id for one in history.latest(store(), owner.known.id, owner.match_id)
    }:
        raise NotFound("letter")
    return letter_id


def _choose(owner: Owner, act: str) -> None:
    match_id = owner.match_id or _match(field("match", 12))
    if act == "back":
        preferences.resubscribe_fully(store(), owner.known.id, match_id)
        return
    choices = {event: field(f"event-{event}", 40) for event in preferences.CHOICES}
    preferences.choose(store(), owner.known.id, match_id, choices)


def _match(text: str) -> int:
    """The match that a form names; none is all of them. Raises NotFound."""
    if text in ("", "0"):
        return preferences.ALL
    mine = {line.match_id for line in _games(sessions.viewer().player_id)}
    if not (text.isascii() and text.isdecimal()) or int(text) not in mine:
        raise NotFound("match")
    return int(text)


def _keep_habits(player_id: int) -> None:
    quiet = (field("quiet_from", 10), field("quiet_to", 10))
    if bool(quiet[0]) != bool(quiet[1]):
        raise Refused("quiet_half")
    hours = (_hour(quiet[0]), _hour(quiet[1])) if all(quiet) else None
    reminders = check_reminders(field("reminders", preferences.LONGEST_REMINDERS))
    preferences.save_schedule(store(), player_id, _hour(field("digest_hour", 10)), hours, reminders)
    presence.changed(store(), player_id)


def _hour(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise Refused("hour", hour=text)
    return int(text)


def _games(player_id: int | None) -> list[MatchLine]:
    if player_id is None:
        return []
    return [line for line in lists.mine(store(), player_id) if line.status == "running"]


def _page(owner: Owner, status: int = 200, refusal: str = "") -> Response:
    known, tongue = owner.known, owner.speaks
    return render(
        "people/letters.html",
        status,
        language=tongue,
        owner=owner,
        wishes=preferences.settings_of(store(), known.id),
        choices=preferences.CHOICES,
        games=[(line.match_id, _title(line.game, line.match_id, tongue)) for line in _games(known.id)],
        letters=[
            (one, _title(games.all_games().get(one.game or ""), one.match_id, tongue))
            for one in history.latest(store(), known.id, owner.match_id)
        ],
        say=lambda name, *facts: narrate.say(narrate.SITE, tongue, name, *facts),
        knows=lambda name: narrate.has_words(narrate.SITE, tongue, name),
        time_format=TimeFormat(tongue, known.zone),
        kept=request.form,
        refusal=refusal,
        did=request.args.get("did", ""),
        hours=HOURS,
    )


def _title(game: Game | None, match_id: int | None, tongue: str) -> str:
    return narrate.match_name(game, tongue, match_id) if game is not None and match_id else ""
