"""Pages that are visible while they look for news: the email about a turn that one shows can wait a while."""

import threading
from datetime import datetime, timedelta

from flask import Response, request

from app import clock
from app.play.match import presence
from app.play.views import pending
from app.web.core import sessions
from app.web.core.context import site, store
from app.web.match.match_request import MatchRequest

HEADER = "HTTP_TIDEPOST_VISIBLE"
"""Sent by the pages' script only: a form or a link of another site can't, nor can a mail scanner."""
WAITING = "Tidepost-Waiting"
"""How many games wait for the signed-in player, in the answer to a page that looks for news."""
OFTEN = timedelta(seconds=45)
"""How often at most a seat's row is written."""
MOST = 5000

_lock = threading.Lock()
_written: dict[tuple[str, int], datetime] = {}
"""When this process wrote the row of a seat last."""


def keep(match_request: MatchRequest) -> None:
    """Keep that the seat's player has the page before their eyes, if the request says so."""
    if HEADER not in request.environ:
        return
    holder = match_request.version.holder
    if holder is None or match_request.version.status != "running":
        return
    key, now = (site().settings.database_url, holder.chair_id), clock.now()
    with _lock:
        before = _written.get(key)
        if before is not None and now - OFTEN < before <= now:
            return
        if len(_written) >= MOST:
            _written.clear()
        _written[key] = now
    presence.watches(store(), holder.chair_id)


def counted(response: Response) -> Response:
    """The answer with the number of games that wait for the reader, if their page looks for news."""
    reader = sessions.person() if HEADER in request.environ else None
    if reader is not None:
        response.headers[WAITING] = str(pending.count(store(), reader.id))
    return response
