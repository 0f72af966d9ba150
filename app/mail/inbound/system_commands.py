"""The system's commands in a reply. A mail that is read twice carries out each of them once."""

import re
from collections.abc import Mapping

from app.engine.reading import tidy
from app.graphemes import cut
from app.mail.core.report import BOARD, DONE, GAMES, HELP, LEGAL, RESIGN, TOLD, Result
from app.mail.inbound.command import Call, Command
from app.people import blocks, keys, preferences
from app.people.errors import NotFound, Refused
from app.play.deadlines import absences
from app.play.match import presence, reading
from app.play.match.records import Closed
from app.play.moves import orders, service
from app.play.moves import typed as written
from app.play.seats import chat, notes, silencing
from app.words import commands

CHOICES = {
    "at once": "at_once",
    "now": "at_once",
    "quiet": "quiet",
    "daily": "digest",
    "digest": "digest",
    "reminders": "reminders",
    "none": "none",
    "off": "none",
}
"""The words for the times of letters, and the choices that they mean."""
END, AWAY, CLEAR = "end", "away", "clear"
"""Words that end all sessions and links, enter an absence, and take all conditional moves back."""
SAID = ("at once", "quiet", "daily", "reminders", "none")
"""The words that the player is told of."""
HERE = " here"
"""After a choice: for this match alone."""
_AROUND = " \"'<>\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_NUMBER = re.compile(r"#?([0-9]{1,10})")


def undo(call: Call) -> Result:
    """Take the last step back."""
    written.undo_line(
        call.mailer.store,
        call.authority.viewer,
        call.match_id,
        turn=call.authority.turn,
        source="letter",
        source_key=call.key,
    )
    return Result(call.line, DONE)


def resign(call: Call) -> Result:
    """Ask the player to confirm it; a reply to that answer with the match's number resigns.

    Raises Closed("over", "resigned"): there is nothing to resign from.
    """
    match_id = call.match_id
    number = _NUMBER.fullmatch(tidy(call.argument))
    if call.authority.may_resign and number is not None and int(number[1]) == match_id:
        try:
            service.resign(call.mailer.store, call.authority.viewer, match_id, source="letter")
        except Closed:
            if call.authority.read_before is None or not _has_resigned(call):
                raise
        return Result(call.line, DONE)
    service.check_resigning(call.mailer.store, call.authority.viewer, match_id)
    return Result(call.line, TOLD, call.say("resign_how", match_id))


def _has_resigned(call: Call) -> bool:
    """Whether the writer has resigned, even if the game is over by that."""
    with call.mailer.store.reading() as connection:
        match = reading.by_match(connection, call.match_id)
    seat = match.seat_of(call.authority.viewer) if match is not None else None
    return match is not None and seat is not None and match.holder(seat).resigned


def show(call: Call) -> Result:
    """Do nothing: the answer shows it."""
    return Result(call.line, TOLD)


def say(call: Call) -> Result:
    """Send a message to the table."""
    chat.say(call.mailer.store, call.authority.viewer, call.match_id, call.argument, once=call.key)
    return Result(call.line, TOLD, call.say("said_to_all"))


def note(call: Call) -> Result:
    """Keep a note that only the writer can see."""
    notes.note(call.mailer.store, call.authority.viewer, call.match_id, call.argument, once=call.key)
    return Result(call.line, TOLD, call.say("noted"))


def leave_orders(call: Call) -> Result:
    """Leave standing orders, take them back, or list them."""
    argument = commands.argument_in(call.argument, (CLEAR,))
    left = orders.leave_by_line(call.mailer.store, call.authority.viewer, call.match_id, argument)
    lines = [one.line for one in (*left.orders.wishes, *left.orders.policies)]
    return Result(call.line, TOLD, call.say("orders_left", lines))


def away(call: Call) -> Result:
    """Enter an absence."""
    entered = absences.enter_by_line(
        call.mailer.store, call.authority.player_id, call.argument, call.authority.language
    )
    return Result(call.line, TOLD, call.say("away_entered", entered.first, entered.last))


def back(call: Call) -> Result:
    """End or cancel the first absence that is not over."""
    leave, before = (
        absences.absences_of(call.mailer.store, call.authority.player_id),
        call.authority.read_before,
    )
    done = (one for one in leave.absences if before and one.cancelled_at and one.cancelled_at >= before)
    found = next(done, None)
    if found is None:
        if not leave.ahead:
            raise NotFound("absence")
        found = absences.cancel(call.mailer.store, call.authority.player_id, leave.ahead[0].absence_id)
    rest = [(one.first, one.last) for one in leave.ahead if one.absence_id != found.absence_id]
    return Result(call.line, TOLD, call.say("away_ended", (found.first, found.last), rest))


def letters(call: Call) -> Result:
    """Choose when emails come: `letters daily`, `letters news at once`, `letters none here`."""
    store, player_id = call.mailer.store, call.authority.player_id
    plain = tidy(commands.argument_in(call.argument, (*CHOICES, commands.HERE)))
    if plain:
        match_id = call.match_id if plain.endswith(HERE) else preferences.ALL
        event, _, rest = plain.removesuffix(HERE).partition(" ")
        if event not in preferences.CHOICES:
            event, rest = "turn", plain.removesuffix(HERE)
        if rest not in CHOICES:
            offered = tuple(commands.own_argument(word, call.authority.language) for word in SAID)
            raise Refused("letters_choice", choice=cut(rest, 40), offered=offered)
        preferences.choose(store, player_id, match_id, {event: CHOICES[rest]})
    wishes, match_id = preferences.settings_of(store, player_id), call.authority.match_id or preferences.ALL

    def when(event: str, of: int) -> tuple[str, str]:
        return call.site(f"list_{event}"), call.site(f"choice_{wishes.choice(event, of)}", event)

    everywhere = [when(event, preferences.ALL) for event in preferences.CHOICES]
    apart = [
        when(event, match_id)
        for event in preferences.CHOICES
        if wishes.choice(event, match_id) != wishes.choice(event)
    ]
    return Result(call.line, TOLD, call.say("letters_chosen", everywhere, apart))


def end_all(call: Call) -> Result:
    """End all sessions and links of the writer; the answer has new ones."""
    keys.end_all(call.mailer.store, call.authority.player_id, fresh=False)
    return Result(call.line, TOLD, call.say("all_ended"))


def mute(call: Call) -> Result:
    """Mute a person of the match, or list those who are muted and blocked."""
    return _silence(call, invitations=False)


def block(call: Call) -> Result:
    """Block a person of the match, or list those who are muted and blocked."""
    return _silence(call, invitations=True)


def _silence(call: Call, *, invitations: bool) -> Result:
    store, player_id, name = call.mailer.store, call.authority.player_id, _name(call)
    if not name:
        return _silenced(call)
    done = silencing.silence_by_name(store, player_id, call.match_id, name, invitations=invitations)
    return Result(call.line, TOLD, call.say("silenced", done.name, done.blocked))


def unmute(call: Call) -> Result:
    """Hear from a person again who was muted or blocked."""
    name = _name(call)
    if not name:
        return _silenced(call)
    done = silencing.lift_by_name(call.mailer.store, call.authority.player_id, call.authority.match_id, name)
    return Result(call.line, TOLD, call.say("heard_again", done.name))


def _name(call: Call) -> str:
    """The name behind the word, without the marks that people put around it."""
    return call.argument.strip(_AROUND)


def _silenced(call: Call) -> Result:
    known = blocks.silenced_by(call.mailer.store, call.authority.player_id)
    muted = [one.name for one in known if not one.invitations]
    blocked = [one.name for one in known if one.invitations]
    return Result(call.line, TOLD, call.say("silenced_now", muted, blocked))


def seen(call: Call) -> Result:
    """Mark the writer's turns as seen, so that no letter tells of them."""
    if call.authority.match_id is None:
        presence.saw_all(call.mailer.store, call.authority.player_id)
    else:
        presence.saw(call.mailer.store, call.authority.viewer, call.authority.match_id)
    return Result(call.line, DONE)


WORDS: Mapping[str, Command] = {
    HELP: show,
    BOARD: show,
    LEGAL: show,
    GAMES: show,
    RESIGN: resign,
    "undo": undo,
    "say": say,
    "note": note,
    "orders": leave_orders,
    "ahead": leave_orders,
    AWAY: away,
    "back": back,
    "letters": letters,
    "emails": letters,
    "seen": seen,
    "mute": mute,
    "block": block,
    "unmute": unmute,
    "unblock": unmute,
    END: end_all,
}
"""A game can have a move of the same name; while it asks for that, the word is the game's."""
KEPT: frozenset[Command] = frozenset({say, note})
"""The commands that keep a text as it was typed."""
SHOWN = frozenset({HELP, BOARD, LEGAL, GAMES, RESIGN})
"""The commands whose answer shows more than their result."""
ALONE = commands.ALONE
"""Commands without an argument: with more behind it, the word only begins a sentence."""
AFTER = re.compile(r"(?:#?[0-9]{1,10}|please)?[.!]*")
"""The text that is allowed after them all the same."""
WHOLE: Mapping[str, re.Pattern[str]] = {
    END: re.compile(r"all(?: my)?(?: (?:sessions|links|sessions and links))?[.!]*"),
}
"""Commands of several words: the text that must stand after the first."""
