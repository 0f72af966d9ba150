"""Reading replies: bytes in, records out, without store, games or sockets.

`open_message` returns the kind of a mail, its sender and its recipients; `read` finds the commands in a
reply. Neither raises for any input. Both pass over a message once, within fixed limits, and without patterns
that can backtrack.
"""

from app.mail.inbound.reading.message import Kind, Message, OwnNames, Unreadable
from app.mail.inbound.reading.opening import open_message
from app.mail.inbound.reading.reply import Reply, read, rejoined

__all__ = ["Kind", "Message", "OwnNames", "Reply", "Unreadable", "open_message", "read", "rejoined"]
