"""Simulated players: each reads their letters sooner or later, or never, and acts by the links."""

import hashlib
import heapq
import random
import re
from collections import Counter
from datetime import datetime, timedelta
from email.message import EmailMessage

import msgspec

from app import clock
from app.engine.chance import Chance
from app.mail.outbound.smtp import Unsent
from app.play.deadlines import absences
from app.play.match import presence
from app.play.match.links import key_of
from app.play.match.records import SiteError, Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from app.store.session import Store
from app.store.sql import Command, Query

ZONES = (
    "Europe/Berlin",
    "Europe/Lisbon",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Pacific/Auckland",
    "UTC",
)
REMINDERS = ("", "", "50%", "24h 6h", "none", "30% 60% 90%")
LOST = 0.03
"""Share of turn letters that get lost."""
REFUSED, REFUSED_FOR = 0.08, timedelta(days=6)
"""Share of the spans in which a mail server refuses all letters to an address."""
MOST_STEPS = 80
PATIENCE = timedelta(hours=1)
"""After which a player tries again where the database was away."""
_TOKEN = re.compile(r"/t/([A-Za-z0-9_-]{22,23})(?![A-Za-z0-9_-])")


class TurnOfToken(msgspec.Struct, frozen=True):
    """The turn that a link plays."""

    match_id: int
    seat: str
    run: int


_player = Query(int, "SELECT id FROM player WHERE address_key = :address")
_set_reminders = Command("UPDATE player SET reminders = :reminders WHERE id = :player_id")
_kind = Query(str, "SELECT kind FROM letter WHERE id = :letter_id")
_turn = Query(TurnOfToken, "SELECT match_id, seat, run FROM token WHERE hash = :hash")


class Correspondent(msgspec.Struct, frozen=True):
    """One simulated player."""

    name: str
    address: str
    zone: str
    pace: float
    """Typical hours to answer."""
    sloth: float
    """Share of letters left unanswered."""
    reminders: str


class Taken(msgspec.Struct, frozen=True):
    """A letter as delivered."""

    kind: str
    address: str
    text: str
    """Its lines joined."""
    tokens: tuple[str, ...]


class Correspondents:
    """All simulated players and their plans."""

    def __init__(self, store: Store, seed: str, matches: int, days: int, begins: datetime) -> None:
        self.store, self.seed = store, seed
        self.counts: Counter[str] = Counter()
        self.taken: list[Taken] = []
        """The letters of this round."""
        self.refused: set[str] = set()
        """The addresses whose letters were refused since players last read theirs."""
        self._plans: list[tuple[datetime, str, str, str]] = []
        """Moment, address, key, and a token to play with (empty: an absence)."""
        self._settled: dict[str, int] = {}
        self.people = [self._made(number) for number in range(max(6, matches))]
        for one in self.people:
            chance = self._chance(one.name, "absences")
            for day in range(0, days, 40):
                at = begins + timedelta(days=day + chance.uniform(3, 38))
                heapq.heappush(self._plans, (at, one.address, "", ""))

    def _chance(self, *about: object) -> random.Random:
        """Chance that depends on the occasion alone, so that the order of letters does not matter."""
        return random.Random(" ".join(map(str, (self.seed, *about))))  # noqa: S311 - a rehearsal

    def _made(self, number: int) -> Correspondent:
        name = f"Player {number}"
        chance = self._chance(name)
        return Correspondent(
            name,
            f"player{number}@rehearsal.example",
            ZONES[number % len(ZONES)],
            chance.choice((2, 8, 20, 40)),
            chance.choice((0.0, 0.05, 0.15, 0.5)),
            REMINDERS[number % len(REMINDERS)],
        )

    def sample(self, chance: random.Random, many: int) -> list[Correspondent]:
        """A random choice of this many players."""
        return chance.sample(self.people, many)

    def settle(self, one: Correspondent) -> None:
        """Store the player's wishes, once they are registered."""
        if one.address in self._settled:
            return
        with self.store.transaction() as connection:
            player_id = _player.one(connection, address=one.address)
            _set_reminders.run(connection, one, player_id=player_id)
        self._settled[one.address] = player_id
        presence.changed(self.store, player_id)

    @property
    def next_act(self) -> datetime | None:
        """The moment of the next planned act, or None."""
        return self._plans[0][0] if self._plans else None

    def receive(self, _url: str, _sender: str, recipient: str, message: EmailMessage) -> None:
        """Accept a letter as a mail server would. Raises Unsent on days when it refuses the address."""
        if self._refuses(recipient):
            self.refused.add(recipient)
            self.counts["letters refused"] += 1
            raise Unsent("address_refused", 550, "5.7.1 message rejected due to local policy")
        letter_id = str(message["Message-ID"]).strip("<>").partition("@")[0]
        with self.store.reading() as connection:
            kind = _kind.one(connection, letter_id=letter_id)
        part = message.get_body(("plain",))
        assert part is not None
        text = " ".join(str(part.get_content()).split())
        self.counts[f"letters of the kind {kind}"] += 1
        self.taken.append(Taken(kind, recipient, text, tuple(dict.fromkeys(_TOKEN.findall(text)))))

    def _refuses(self, address: str) -> bool:
        """Whether the address is refused in this span of REFUSED_FOR."""
        span = int(clock.now().timestamp() // REFUSED_FOR.total_seconds())
        return self._chance(address, span, "refused").random() < REFUSED

    def read(self, now: datetime) -> None:
        """Plan the answers to the letters of this round."""
        taken, self.taken, self.refused = self.taken, [], set()
        by_address = {one.address: one for one in self.people}
        for letter in taken:
            for token in letter.tokens:
                with self.store.reading() as connection:
                    turn = _turn.one(connection, hash=key_of(token))
                about = msgspec.structs.astuple(turn)
                one = by_address[letter.address]
                chance = self._chance(one.name, letter.kind, now.isoformat(), *about)
                if letter.kind == "asked" and chance.random() < LOST:
                    self.counts["letters lost on their way"] += 1
                    continue
                if chance.random() < (one.sloth if letter.kind == "asked" else one.sloth / 2):
                    continue
                at = now + timedelta(hours=one.pace * chance.lognormvariate(0, 0.8))
                key = " ".join(map(str, about))
                heapq.heappush(self._plans, (at, one.address, key, token))

    def act(self, now: datetime) -> None:
        """Carry out the plans that are due."""
        while self._plans and self._plans[0][0] <= now:
            _, address, key, token = heapq.heappop(self._plans)
            if token:
                self._play(address, key, token)
            elif address in self._settled:
                self._go_away(address, now)

    def _play(self, address: str, key: str, token: str) -> None:
        """Answer until the turn is over; now and then leave the rest for later."""
        chance = self._chance(address, key, "moves")
        mind = hashlib.sha256(f"{self.seed} {address} {key}".encode()).digest()
        steps = 1 if chance.random() < 0.1 else MOST_STEPS
        for number in range(steps):
            seen = player_view_by_token(self.store, token, last=1)
            asked = [one for one in seen.asked if not one.decision.optional]
            if seen.stale or not asked:
                return
            move = seen.game.bot(seen.view, asked[0].decision, Chance(mind, number))
            try:
                service.play(self.store, Viewer(token=token), asked[0].question_id, seen.game.format(move))
            except SiteError:  # settled in the meantime
                return
            except self.store.away:  # the page said so, and kept what was typed
                self.counts["tries in vain"] += 1
                heapq.heappush(self._plans, (clock.now() + PATIENCE, address, key, token))
                return
            self.counts["answers"] += 1

    def _go_away(self, address: str, now: datetime) -> None:
        chance = self._chance(address, now.isoformat(), "away")
        first = now.date() + timedelta(days=chance.randint(1, 4))
        try:
            absences.enter(
                self.store, self._settled[address], first, first + timedelta(days=chance.randint(1, 8))
            )
        except SiteError:
            return
        except self.store.away:
            self.counts["tries in vain"] += 1
            return
        self.counts["absences"] += 1
