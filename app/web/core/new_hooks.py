"""A new webhook, by a page or by a program: both are counted together."""

from datetime import timedelta

from app import clock
from app.people import webhooks
from app.people.webhooks import Means, NewHook
from app.play.match.records import Viewer
from app.play.seats import webhooks as of_games
from app.store.session import Store
from app.web.core.allowances import Limit, allow
from app.web.core.context import site

TESTS = Limit("webhook tests", 12, timedelta(hours=1))
"""Of a player, new webhooks among them."""


def add(where: Store, player_id: int, viewer: Viewer, match_id: int, new: NewHook) -> str:
    """Set a hook of a player, or of the match that they host; returns its secret. Raises Refused, Closed."""
    settings, now = site().settings, clock.now()
    means = Means(settings.secret_keys, settings.webhook_origins)
    webhooks.check(match_id, new, means)
    allow(TESTS, viewer)  # what can't be tested counts as no test
    if match_id:
        return of_games.add(where, now, viewer, match_id, new, means)
    return webhooks.add_own(where, now, player_id, new, means)
