"""kombu's Redis transport, which a message of somebody else's does not end."""

from queue import Empty
from typing import Any

from kombu.transport import redis

from app.store.tolerant import TolerantTransport


class RedisChannel(redis.Channel):
    """Drops what is no JSON. kombu lets it end the worker."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except ValueError:  # it was taken from the queue: the next is read
            TolerantTransport.tell("it is no JSON")
            raise Empty from None


class RedisTransport(TolerantTransport, redis.Transport):
    """`redis://`, `rediss://` and `redis+socket://`."""

    Channel = RedisChannel
