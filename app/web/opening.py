"""The pages open when the database is there and its tables are those of this version."""

import logging
import threading

from app.play.moves.upgrading import prepare
from app.settings import Settings
from app.store import migrate
from app.store.patience import is_away
from app.store.session import Store

log = logging.getLogger(__name__)

AGAIN = 2.0
"""Seconds between tries."""


class Opening:
    """Whether the pages may open. While they may not, a thread prepares the database."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._ready = False
        self._thread: threading.Thread | None = None

    def is_done(self) -> bool:
        """Whether the tables are those of this version. Raises errors of the driver while it is away."""
        if not self._ready:
            self._ready = migrate.is_current(self._store)
        return self._ready

    def begin(self) -> None:
        """Prepare the database in the background, unless it is prepared."""
        try:
            if self.is_done():
                return
        except Exception as error:
            if not is_away(error):
                raise
        self._thread = threading.Thread(target=self._prepare, name="opening", daemon=True)
        self._thread.start()

    def _prepare(self) -> None:
        pause = threading.Event()
        while True:
            try:
                prepare(self._settings.database_url)
            except Exception as error:  # noqa: BLE001 - it may be away in any way; the pages say that it is
                log.warning("the pages wait: %s", " ".join(str(error).split()))
                pause.wait(AGAIN)
            else:
                return
