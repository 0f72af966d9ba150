"""The switch by which a player has a browser notified of their turns, and the script that it then runs."""

from pathlib import Path

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import clock, narrate
from app.mail.core import push_key
from app.people import subscriptions
from app.people.subscriptions import LONGEST_ADDRESS, Browser
from app.play.match.records import Refused
from app.web.account.letters_page import SettingsOwner, settings_page
from app.web.account.sign_in import signed_out
from app.web.core import once, sessions
from app.web.core.context import site, store
from app.web.core.errors import status_of
from app.web.core.rendering import field, language

pages = Blueprint("notifying", __name__)

SETTINGS = "/profile/letters"
WORKER = Path(__file__).with_name("push_worker.js")
"""No part of the one script: only browsers in which the switch was turned on load it."""


@pages.get("/push-worker.js")
def worker() -> Response:
    """The script that runs in a browser that is notified, for the whole site."""
    response = Response(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


@pages.post("/profile/push")
@once.keyed
def change() -> BaseResponse:
    """Notify this browser of the signed-in player's turns, or no more."""
    known, key = sessions.person(), sessions.key()
    if known is None or key is None:
        return signed_out()
    action, endpoint = field("do", 20), field("endpoint", LONGEST_ADDRESS + 1)
    if action == "off":
        subscriptions.turn_off(store(), known.id, endpoint)
    elif action == "on":
        browser = Browser(endpoint, field("p256dh", 200), field("auth", 100))
        try:
            push_key.public_key(site().settings)
            subscriptions.turn_on(store(), clock.now(), known.id, key, browser)
        except (OSError, ValueError):
            abort(404)
        except Refused as error:
            owner = SettingsOwner(known, SETTINGS)
            return settings_page(owner, status_of(error), narrate.refusal(None, language(), error))
    else:
        abort(404)
    return redirect(f"{SETTINGS}?did={action}#notify", 303)
