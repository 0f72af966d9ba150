"""Replies to letters, read: bytes in, records out. It knows no store, no game and no socket.

`open_message` says what sort of mail it is, from whom and to whom; `read` finds the commands in a reply.
Neither raises, whatever comes. Both visit a message once, within fixed limits, and without patterns that
can go back over it.
"""

from app.mail.inbound.reading.message import House, Kind, Message, Unreadable
from app.mail.inbound.reading.opening import open_message
from app.mail.inbound.reading.reply import Reply, read

__all__ = ["House", "Kind", "Message", "Reply", "Unreadable", "open_message", "read"]
