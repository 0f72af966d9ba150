"""The secret addresses of a player's feeds."""

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from app.people import feeds
from app.people.feeds import Subscriber
from app.play.match.records import NotFound
from app.web.core.context import site, store


class FeedAddresses(msgspec.Struct, frozen=True):
    """The paths of a player's feeds."""

    atom: str
    calendar: str
    epoch: int
    """Changes when the addresses are renewed."""


def feed_addresses(player_id: int) -> FeedAddresses:
    """The current addresses."""
    epoch = feeds.epoch_of(store(), player_id)
    token = _signer().dumps([player_id, epoch])
    return FeedAddresses(f"/f/{token}/games.atom", f"/f/{token}/deadlines.ics", epoch)


def subscriber(token: str) -> Subscriber:
    """The player of a feed's address. Raises NotFound."""
    try:
        player_id, epoch = _signer().loads(token)
    except (BadSignature, TypeError, ValueError):
        raise NotFound("feed") from None
    return feeds.subscriber(store(), player_id, epoch)


def _signer() -> URLSafeSerializer:
    # The settings list the newest key first, the signer expects it last.
    return URLSafeSerializer(list(reversed(site().settings.secret_keys)), salt="feed")
