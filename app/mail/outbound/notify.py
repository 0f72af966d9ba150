"""Browsers are notified that it is their player's turn, by a round beside that of the letters.

What is sent holds the game's name, its number and that it is the player's turn: nothing of the game, and no
key. A browser that can't be reached is left alone for a while; no letter waits for one that fails.
"""

import json
import logging
import random
from datetime import timedelta

from app import clock, games, narrate
from app.mail.core import outbox, pushes
from app.mail.core.guarded import Forbidden, Lost, Unreached
from app.mail.core.letter import LetterRow
from app.mail.core.pushes import Push
from app.mail.outbound import push_service
from app.people import subscriptions
from app.people.subscriptions import Notified
from app.play.views import letter_facts
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store, wake_after_commit

log = logging.getLogger(__name__)

BUSY = timedelta(seconds=20)
BUNDLE = 40


def ask(store: Store, letter: LetterRow) -> None:
    """Have the browsers of a turn's player notified, once for each, if there are any."""
    now = clock.now()
    with store.looking() as connection:
        if letter.kind != "asked" or letter.resent or not pushes.wanted(connection, now, letter):
            return
    with store.statements() as connection:
        if pushes.ask(connection, now, letter):
            wake_after_commit(connection)


def waiting(store: Store) -> bool:
    """Whether a browser is to be notified now."""
    with store.looking() as connection:
        return bool(pushes.due(connection, clock.now(), 1))


def run_batch(store: Store, settings: Settings) -> bool:
    """Notify browsers until none is due or the round has lasted for BUSY; returns whether any are left."""
    end = clock.now() + BUSY
    while True:
        with store.looking() as connection:
            bundle = pushes.due(connection, clock.now(), BUNDLE)
        if not bundle:
            return False
        random.shuffle(bundle)
        for push in bundle:
            if clock.now() >= end:
                return True
            _notify(store, settings, push)


def _notify(store: Store, settings: Settings, found: Push) -> None:
    with store.statements() as connection:
        push = pushes.take(connection, clock.now(), found)
        if push is None:
            return
        told = _told(connection, push)
        if told is None:
            pushes.settle(connection, push, "over")
            return
    browser, text = told
    try:
        status = push_service.send(settings, browser, text)
    except Unreached as error:
        _missed(store, push, browser, str(error), again=not isinstance(error, Forbidden))
    except Lost as error:
        _missed(store, push, browser, str(error), again=False)
    except Exception as error:  # noqa: BLE001 - one bad browser stops no other; the text may name it
        _missed(store, push, browser, type(error).__name__, again=False)
    else:
        _answered(store, push, browser, status)


def _told(connection: Connection, push: Push) -> tuple[Notified, bytes] | None:
    """The browser and what it is told. None: the turn is over, or the browser is not to be notified."""
    letter = outbox.letter(connection, push.letter_id)
    if letter is None or letter.player_id is None or clock.now() >= push.created_at + pushes.YOUNG:
        return None
    browser = subscriptions.find(connection, push.subscription, letter.player_id)
    turn = letter.seat_turn
    sits = letter_facts.player_of(connection, turn.match_id, turn.seat) == letter.player_id
    if browser is None or not sits or not letter_facts.turn_state(connection, turn).waits:
        return None
    game = games.all_games().get(letter_facts.label(connection, turn.match_id).game)
    if game is None:
        return None
    language = browser.language
    facts = {
        "title": narrate.match_name(game, language, turn.match_id),
        "text": narrate.say(narrate.SITE, language, "push_turn"),
        "language": language,
        "path": f"/m/{turn.match_id}",
    }
    return browser, json.dumps(facts, ensure_ascii=False).encode()


def _answered(store: Store, push: Push, browser: Notified, status: int) -> None:
    if push_service.means_gone(status):
        with store.statements() as connection:
            subscriptions.gone(connection, push.subscription)
            pushes.settle(connection, push, "failed")
    elif 200 <= status < 300:
        with store.statements() as connection:
            subscriptions.worked(connection, push.subscription)
            pushes.settle(connection, push, "sent")
    else:
        _missed(store, push, browser, str(status), again=push_service.means_later(status))


def _missed(store: Store, push: Push, browser: Notified, why: str, *, again: bool) -> None:
    """Try it again soon, or give it up and leave the browser alone for a while. The log names neither."""
    log.warning("a browser was not notified of letter %s: %s", push.letter_id, why)
    with store.statements() as connection:
        now = clock.now()
        if again and pushes.again(connection, now, push):
            return
        pushes.settle(connection, push, "failed")
        subscriptions.failed(connection, now, push.subscription, browser.failures)
