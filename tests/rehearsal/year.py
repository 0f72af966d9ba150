"""What happens to a server in a year, and a ledger of all that its players did and were told was accepted."""

import contextlib
import random
import re
from datetime import timedelta
from unittest import mock

import msgspec
import pytest
from sqlalchemy import text

from app import settings as settings_module
from app.accounts import barring
from app.mail.core import dkim_keys
from app.play.deadlines import sweep
from app.play.lobby.create import create_match
from app.play.match.records import SiteError, Viewer
from app.play.moves import orders, service
from app.play.moves.upgrading import prepare
from app.play.seats import chat, notes
from app.play.views.player_view import player_view
from app.rehearsal import Rehearsal, held
from app.retention import sweep as retention
from app.store import migrate, versions
from app.store.patience import is_away
from app.store.session import Store, connect
from app.upkeep import backup, restore, transfer
from app.upkeep.doctor import CHECKS
from app.upkeep.doctor.finding import Case
from app.upkeep.records import Given
from app.web import create_app

OLD, NEW = "https://games.example.org", "https://play.example.net"
EARLIER = "0025"
"""The tables of the version before the upgrade in the middle: all that the ledger knows is in these."""
LINK = re.compile(r"https://[a-z.]+(/[tu]/[^\s<>]+)")
KNOWN = ("commits are not on the disk", "the queries of the server's health take")
"""Of the tests' PostgreSQL, and of a machine that is busy."""
FULL_FOR = timedelta(hours=10)
FULL = """
CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$
"""


class Ledger:
    """What players did, and where the database must have it."""

    def __init__(self):
        self.moves, self.said, self.noted, self.ordered = [], [], [], []

    def lost(self, store):
        """What of it is not there."""
        with store.reading() as connection:
            played = _pairs(connection, "SELECT match_id, answers FROM played WHERE answers IS NOT NULL")
            said = _pairs(connection, "SELECT match_id, facts FROM notice WHERE what = 'said'")
            said = {(match_id, msgspec.json.decode(facts)["text"]) for match_id, facts in said}
            noted = _pairs(
                connection, "SELECT c.match_id, n.text FROM note n JOIN chair c ON c.id = n.chair_id"
            )
            ordered = _pairs(connection, "SELECT match_id, text FROM standingorder")
        return [
            *(("move", one) for one in self.moves if one not in played),
            *(("line", one) for one in self.said if one not in said),
            *(("note", one) for one in self.noted if one not in noted),
            *(("order", one) for one in self.ordered if one not in ordered),
        ]

    def kinds(self):
        """What the ledger has of each kind."""
        return self.moves, self.said, self.noted


def _pairs(connection, query):
    return {tuple(row) for row in connection.execute(text(query))}


class Year:
    """A server from its installation on; each event of its life is a method."""

    def __init__(self, folder, postgresql, clock_held, games, *, matches, days, seed, policy=""):
        """`postgresql` makes an empty database; `policy`: one that can be given ahead, and its text."""
        self.folder, self._postgresql, self.policy = folder, postgresql, policy
        self.chance, self.ledger = random.Random(seed), Ledger()
        self.letters, self.links = [], []
        self.barred = ""
        self._installed("first")
        store = Store(self.settings.database_url)
        self.going = Rehearsal(clock_held, store, self.settings, games, matches=matches, days=days, seed=seed)
        self._read = self.going.people.receive
        self.going.people.receive = self.receive
        self.done = []

    def _installed(self, name):
        data = self.folder / name
        settings_module.make_keys(data)
        self.settings = settings_module.read(
            {
                "TIDEPOST_DATA_DIR": str(data),
                "TIDEPOST_URL": OLD,
                "TIDEPOST_SMTP_URL": "smtp://mail.example.org:25",
                "TIDEPOST_INBOX_URL": "smtp://0.0.0.0:2525",
                "TIDEPOST_OPERATOR": "you@example.org",
                "TIDEPOST_OPERATOR_KEY": "0123456789abcdef" * 2,
            }
        )
        prepare(self.settings.database_url)

    def receive(self, url, sender, recipient, message):
        """Keep the latest letters as they came."""
        if recipient == self.barred:
            assert LINK.search(_plain(message)) is None, "who is barred is asked for nothing"
        self._read(url, sender, recipient, message)
        self.letters = [*self.letters[-20:], message]

    @property
    def store(self):
        """The database of now."""
        return self.going.store

    def live(self, days):
        """Let days pass, on which people also talk, make notes and leave orders; the doctor must be quiet."""
        for _ in range(days):
            self.going.go_on(1)
            self._talk()
            retention.sweep(self.store, self.settings.keep)
        self.links += [link for link in map(_link, self.letters[-3:]) if link]
        case = Case(self.settings, Given(""))
        for name in ("settings", "files", "database", "retention"):
            assert [one.what for one in CHECKS[name](case) if not one.what.startswith(KNOWN)] == []
        assert self.ledger.lost(self.store) == []

    def _talk(self):
        chairs = self._chairs()
        for match_id, player_id in self.chance.sample(chairs, min(2, len(chairs))):
            viewer, line = Viewer(player_id=player_id), f"said on {self.going.clock.moment:%d %b}"
            with contextlib.suppress(SiteError):
                chat.say(self.store, viewer, match_id, line)
                self.ledger.said.append((match_id, line))
                notes.note(self.store, viewer, match_id, line)
                self.ledger.noted.append((match_id, line))
                if self.policy:
                    orders.set_policy(self.store, viewer, match_id, *self.policy)
                    self.ledger.ordered.append((match_id, self.policy[1]))

    def _chairs(self):
        """The matches that run, each with a player."""
        with self.store.reading() as connection:
            return connection.execute(
                text(
                    """SELECT c.match_id, c.player_id FROM chair c JOIN "match" m ON m.id = c.match_id
                       WHERE m.status = 'running' AND c.until IS NULL AND c.player_id IS NOT NULL
                       ORDER BY c.id"""
                )
            ).all()

    def _move_to(self, url, data_dir=None):
        """Go on with another database, whose old one nobody uses any more."""
        self.store.engine.dispose()
        changed = {"database_url": url, "data_dir": data_dir or self.settings.data_dir}
        self._go_on_with(**changed)

    def _go_on_with(self, **changed):
        self.settings = msgspec.structs.replace(self.settings, **changed)
        if "database_url" in changed:
            self.going.move(Store(self.settings.database_url), self.settings)
        else:
            self.going.move(self.store, self.settings)

    def restored(self):
        """Its machine breaks; the copy of the night is brought back on another one."""
        copies, data = self.folder / "copies", self.folder / "second"
        backup.back_up(self.settings, copies)
        url = f"sqlite:///{data}/tidepost.db"
        back = restore.restore(url, data, (), copies)
        assert not back.keys_missing
        assert settings_module.kept_keys(data) == self.settings.secret_keys
        self._move_to(url, data)

    def on_postgresql(self):
        """It moves to PostgreSQL, with letters under way."""
        self.going.clock.moment += transfer.STILL
        url, before = self._postgresql(), Store(self.settings.database_url)
        self.store.engine.dispose()
        rows = transfer.transfer(self.settings.database_url, url)
        assert rows["played"] > 0
        assert not migrate.is_current(before)
        before.engine.dispose()
        self._move_to(url)

    def upgraded(self):
        """The tables of an earlier version are brought to today's, in the middle of all games."""
        url = self.settings.database_url
        self.store.engine.dispose()
        migrate.downgrade(url, EARLIER)
        assert not migrate.is_current(self.store)
        prepare(url)
        assert migrate.revision(self.store.engine) == versions.newest()
        self._move_to(url)

    def keys_rotated(self):
        """New keys sign links and letters; those of before are accepted."""
        keys = (self.chance.randbytes(32).hex(), *self.settings.secret_keys)
        self._go_on_with(secret_keys=keys)
        for _ in range(2):
            key = dkim_keys.make(self.settings)
            dkim_keys.use(self.settings, key.selector)
            self.going.clock.moment += timedelta(seconds=1)
        assert dkim_keys.in_use(self.settings) == key.selector
        self.see_links(OLD)

    def address_changed(self):
        """The pages are found elsewhere from now on, and still where they were."""
        self._go_on_with(url=NEW, mail_domain="play.example.net")
        self.letters.clear()
        self.see_links(OLD)
        self.see_links(NEW)

    def abuser_barred(self):
        """Somebody is barred, and their seats are given up."""
        running = self._chairs()
        with self.store.reading() as connection:
            address = connection.execute(
                text("SELECT address FROM player WHERE id = :id"), {"id": running[0].player_id}
            ).scalar_one()
        met = barring.bar(self.store, address, "threatens others", games=barring.RESIGN)
        assert len(met.running) == sum(one.player_id == running[0].player_id for one in running) > 0
        people = self.going.people.people
        people[:] = [one for one in people if one.address != address]
        with pytest.raises(SiteError, match="barred"):
            create_match(self.store, min(self.going.games), 2, {}, address, [], bots=1)
        self.barred = address

    def broker_lost(self):
        """For a day nobody can wake the workers; their sweeps find everything."""

        def lost():
            raise OSError("no broker")

        before = self.store
        self.going.move(Store(self.settings.database_url, lost), self.settings)
        self.going.go_on(1)
        self.store.engine.dispose()
        self.going.move(before, self.settings)

    def disk_full(self):
        """For some hours the database can't write."""
        while not self.going.is_calm(FULL_FOR):
            self.going.go_on(0.5)
        engine = connect(self.settings.database_url)
        with engine.begin() as connection:
            tables = connection.execute(
                text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            ).scalars()
            connection.execute(text(FULL))
            for table in tables.all():
                connection.execute(
                    text(
                        f'CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON "{table}" '
                        "FOR EACH ROW EXECUTE FUNCTION no_space()"
                    )
                )
        match_id, viewer, question, answer = self._asked()
        for act in (
            lambda: sweep.tick(self.store),
            lambda: chat.say(self.store, viewer, match_id, "lost"),
            lambda: service.play(self.store, viewer, question, answer),
        ):
            with pytest.raises(self.store.away) as caught:
                act()
            assert is_away(caught.value)
        self.going.stop(FULL_FOR)
        self.going.go_on((FULL_FOR - timedelta(minutes=10)) / timedelta(days=1))
        with engine.begin() as connection:
            connection.execute(text("DROP FUNCTION no_space CASCADE"))
        engine.dispose()

    def _asked(self):
        """Somebody who is asked for a move: their match, they, the question, and an answer to it."""
        for match_id, player_id in self._chairs():
            viewer = Viewer(player_id=player_id)
            seen = player_view(self.store, match_id, viewer)
            for one in seen.asked:
                if not one.decision.optional:
                    return match_id, viewer, one.question_id, seen.game.format(one.decision.options[0])
        raise AssertionError("nobody is asked for anything")

    def see_links(self, host):
        """Links of all letters so far open their pages."""
        pages = create_app(self.settings, self.store).test_client()
        for link in self.links:
            assert pages.get(link, base_url=host).status_code == 200, link

    def letters_lead_to(self, host):
        """Whether the letters of the last days lead to this address alone."""
        hosts = {found for one in self.letters for found in re.findall(r"https://[^/\s\"<>]+", _plain(one))}
        assert hosts == {host}


def _plain(message):
    return message.get_body(("plain",)).get_content()


def _link(message):
    found = LINK.search(_plain(message))
    return found[1] if found else ""


@contextlib.contextmanager
def lived(folder, postgresql, games, **facts):
    """A year whose clock is held, and whose ledger knows each answer that was accepted."""
    with held() as clock_held:
        year = Year(folder, postgresql, clock_held, games, **facts)
        play = service.play

        def remembered(store, viewer, question_id, line, **more):
            done = play(store, viewer, question_id, line, **more)
            match_id, _, number = question_id.partition(".")
            year.ledger.moves.append((int(match_id), int(number)))
            return done

        with mock.patch.object(service, "play", remembered):
            yield year
        year.store.engine.dispose()
