"""Five years on a held clock with games going on: the log stays whole, and nothing else grows with time."""

from collections import Counter
from datetime import timedelta
from unittest.mock import patch

import pytest

from app.play.deadlines import sweep as clocks
from app.play.lobby import changes, expiry, invitations
from app.play.match import site_stops
from app.play.match.records import Viewer
from app.play.moves import bots
from app.retention import sweep as retention
from app.settings import Keep
from app.store import counters, deeds
from app.store.tokens import key_of
from tests.mail.outbox import answer, links
from tests.play import cast

STEP = timedelta(days=5)
YEAR = 365 // STEP.days
"""Steps of a year."""
LOG = ("match", "played", "notice", "chair", "invitation", "note")
"""Tables of what a game is, which grow with every game."""
FEW = 40
"""Rows by which a bounded table may differ from one year to another."""


class Years:
    """A house in which two play one game after another, and sometimes one that never begins."""

    def __init__(self, outbox, clock):
        self.outbox, self.store, self.clock = outbox, outbox.store, clock
        self.running = None
        self.begun = 0
        self.links = {}
        """Of each match the first link of a turn that was emailed."""
        self.logs = {}
        """Of each finished match its log."""
        self.ended = {}

    def pass_by(self, steps):
        with patch.object(site_stops, "GAP", 2 * STEP), patch("app.draw.picture", return_value=None):
            for _ in range(steps):
                self._step()

    def _step(self):
        self.clock.advance(days=STEP.days)
        self._use()
        clocks.tick(self.store)
        expiry.remind_and_expire(self.store)
        bots.play_unmanned(self.store)
        for _ in range(2):
            self.outbox.go()
            self.clock.advance(minutes=15)
        for _, _, message in self.outbox.sent:
            for link in links(message, "/t/"):
                token = link.rsplit("/", 1)[1].partition("?")[0]
                self.links.setdefault(self._match_of(token), token)
        self.outbox.clear()
        retention.sweep(self.store, Keep())

    def _use(self):
        """Moves, and forms that leave their keys."""
        now = self.clock.now()
        counters.count(self.store, f"{now}", 5, timedelta(minutes=1), now)
        with self.store.transaction() as connection:
            deeds.hold(connection, f"{now}", now)
        if self.running is None:
            self._begin()
            return
        for _ in range(3):
            asked = [seat for seat in self.running.rows if self.running.player_view(seat).asked]
            if asked:
                answer(self.running, asked[0])
        if self.running.player_view().status == "over":
            match_id = self.running.match_id
            self.logs[match_id] = self.log(match_id)
            self.ended[match_id] = now
            self.running = None

    def _begin(self):
        self.begun += 1
        self.running = cast.seat(self.store, dice=str(self.begun).encode())
        if self.begun % 3 == 0:
            match_id = cast.open_table(self.store, ("Ada", "Cleo"))
            token = cast.tokens(self.store, match_id)[0]
            invitations.accept(self.store, token, "Ada", "en", "UTC", "")
            if self.begun % 2:
                changes.call_off(self.store, Viewer(player_id=self.outbox.player("Ada")), match_id)

    def _match_of(self, token):
        found = self.outbox.rows("SELECT match_id FROM token WHERE hash = :h", h=key_of(token))
        return found[0].match_id

    def log(self, match_id):
        return self.outbox.rows("SELECT * FROM played WHERE match_id = :m ORDER BY ply", m=match_id)


@pytest.mark.slow
def test_five_years_of_games_leave_their_log_and_little_else(outbox, clock, sizes, pages):
    years = Years(outbox, clock)
    each = []
    for _ in range(5):
        years.pass_by(YEAR)
        each.append(Counter(sizes()))
    assert len(years.logs) > 40
    for match_id, log in years.logs.items():
        assert years.log(match_id) == log
    for table in each[-1].keys() - set(LOG):
        assert each[-1][table] <= each[-2][table] + FEW, (table, [one[table] for one in each])
    never_began = outbox.rows('SELECT count(*) AS n FROM "match" WHERE started_at IS NULL')[0].n
    assert never_began <= 3
    assert_links(years, pages)


def assert_links(years, pages):
    """The links of the last year show how things stand; the first older one is unknown."""
    shown = 0
    for match_id, ended_at in sorted(years.ended.items(), key=lambda one: one[1], reverse=True):
        page = pages.get(f"/t/{years.links[match_id]}")
        if years.clock.now() - ended_at > timedelta(days=366):
            assert page.status_code == 404
            break
        assert page.status_code == 200
        shown += 1
    assert shown > 5
