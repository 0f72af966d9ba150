"""An SMTP or LMTP server behind a real one, which accepts mail to our addresses and keeps it."""

import asyncio
import contextlib
import logging
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from app.mail.core import inbound_address
from app.mail.inbound.store import LARGEST, Taken, take_in
from app.settings import Settings
from app.store.session import Store

log = logging.getLogger(__name__)
logging.getLogger("mail.log").setLevel(logging.WARNING)  # below that aiosmtpd names every address and line

NO_SUCH = "550 5.1.1 There is no such address here"
NOT_OURS = "550 5.7.1 Mail to that domain is not taken here"
LATER = "451 4.3.0 Please try again later"
MOST_RECIPIENTS = 20
ANSWERS = {
    Taken.KEPT: "250 2.0.0 Kept",
    Taken.KNOWN: "250 2.0.0 Kept before",
    Taken.UNKNOWN: NO_SUCH,
    Taken.TOO_BIG: "552 5.3.4 Too big",
    Taken.TOO_MANY: "452 4.2.1 Too many letters for that address; try again in an hour",
}
"""The answers to the other server."""


class Handler:
    """The handler of aiosmtpd: accepts addresses of ours, and takes mail."""

    def __init__(self, store: Store, settings: Settings, *, lmtp: bool) -> None:
        self.store, self.settings, self.lmtp = store, settings, lmtp

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        """Accept only addresses that are good now, or were once: else the sender's own server says so."""
        if not inbound_address.is_ours(self.settings, address):
            return NOT_OURS
        bare = inbound_address.is_bare(self.settings, address)
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            found = await asyncio.to_thread(inbound_address.find, self.store, self.settings, address)
        except Exception:  # the database is away: the other server keeps the mail, and nothing is lost
            log.exception("an address cannot be looked up")
            return LATER
        if found is None and not bare:  # it may answer a letter of ours, see find_answered
            return NO_SUCH
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's
        """Answer after the commit, and not before. By LMTP every recipient has an answer of its own."""
        each = [envelope.rcpt_tos] if not self.lmtp else [[one] for one in envelope.rcpt_tos]
        return "\r\n".join([await self._take(envelope, recipients) for recipients in each])

    async def _take(self, envelope: Any, recipients: list[str]) -> str:
        try:
            taken = await asyncio.to_thread(
                take_in,
                self.store,
                self.settings,
                bytes(envelope.original_content),
                recipients,
                "listener",
                sender=envelope.mail_from or "<>",
            )
        except Exception:  # as above
            log.exception("a mail cannot be kept")
            return LATER
        return ANSWERS[taken]


class _Smtp(SMTP):
    """A talk in which a line of text may be as long as a mail: some programs write a page into one."""

    line_length_limit = LARGEST


class _Lmtp(LMTP):
    """The same by LMTP."""

    line_length_limit = LARGEST


class Listener(Controller):
    """The server, in its own thread."""

    def __init__(self, store: Store, settings: Settings, host: str, port: int, *, lmtp: bool = False) -> None:
        super().__init__(
            Handler(store, settings, lmtp=lmtp),
            hostname=host,
            port=port,
            data_size_limit=LARGEST,
            server_hostname=settings.mail_domain,
            ident="Tidepost",
        )
        self._kind = _Lmtp if lmtp else _Smtp

    def factory(self) -> Any:
        """A protocol instance for each connection."""
        return self._kind(self.handler, **self.SMTP_kwargs)


@contextlib.contextmanager
def listening(store: Store, settings: Settings, host: str, port: int, *, lmtp: bool = False) -> Any:
    """Accept mail while the block runs. Raises OSError for a port in use."""
    server = Listener(store, settings, host, port, lmtp=lmtp)
    server.start()
    try:
        yield server
    finally:
        server.stop()
