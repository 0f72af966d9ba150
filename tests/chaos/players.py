"""Two people at one table after another, who know nothing of faults: they try again until a page answers."""

import http.client
import random
import smtplib
import threading
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr

import msgspec

from app.people import preferences
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links
from app.store.session import Store
from app.store.sql import Query
from tests.chaos.post import MoodyPost
from tests.desk import Arrived, Page, Person
from tests.servers import PATIENCE
from tests.whole.playing import END, picks
from tests.whole.writing import answers_in

TROUBLE = (OSError, http.client.HTTPException)
BY_REPLY = 0.25
"""Share of the answers that are given by email."""
MOST_TRIES = 60
PATIENT = 20
"""Seconds without an email after which people look at their page."""
_invited = Query(int, "SELECT id FROM invitation WHERE match_id = :match_id ORDER BY id")


class Asked(msgspec.Struct, frozen=True):
    """A turn that waits for a player."""

    match_id: int
    seat: str
    run: int
    player_id: int


_asked = Query(
    Asked,
    """SELECT DISTINCT q.match_id, q.seat, q.run, c.player_id FROM question q
       JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       JOIN player p ON p.id = c.player_id
       WHERE q.closed_at IS NULL AND NOT q.optional AND p.address_key = :address""",
)
_player = Query(int, "SELECT id FROM player WHERE address_key = :address")


class Confirmed(msgspec.Struct, frozen=True):
    """An answer of which the page said that it was played."""

    question_id: str
    answer: str


class Pair(threading.Thread):
    """Two people who play until they are told to stop."""

    def __init__(
        self, number: int, seed: str, store: Store, post: MoodyPost, url: str, inbox_port: int, game: str
    ) -> None:
        super().__init__(name=f"pair {number}", daemon=True)
        self.chance = random.Random(f"{seed} {number}")
        self.store, self.post, self.url = store, post, url
        self.inbox_port, self.game = inbox_port, game
        self.visits = 0
        """Turns that were found without an email."""
        self.people = [Person(f"{name}{number}@example.org", post) for name in ("ada", "bo")]
        self.read = dict.fromkeys((person.address for person in self.people), 0)
        self.stop = threading.Event()
        self.confirmed: list[Confirmed] = []
        self.replies: list[str] = []
        """The ids of the mails that were taken in."""
        self.tables: list[int] = []
        self.fault = ""

    def open_table(self) -> None:
        """Begin a game. Raises the errors of a database that is away."""
        addresses = [person.address for person in self.people]
        match_id = create_match(self.store, self.game, 2, {}, addresses[0], addresses[1:])
        for person in self.people:
            with self.store.transaction() as connection:
                ids = _invited.all(connection, match_id=match_id)
                one = ids[addresses.index(person.address)]
                token = links.mint(connection, "invitation", invitation_id=one)
            name = person.address.split("@")[0].title()
            invitations.accept(self.store, token, name, "en", "Europe/Berlin", name)
        for person in self.people:
            with self.store.reading() as connection:
                player_id = _player.one(connection, address=person.address)
            preferences.choose(self.store, player_id, preferences.ALL, {"turn": "at_once"})
        self.tables.append(match_id)

    def run(self) -> None:
        """Answer letters as they come."""
        try:
            idle = 0
            while not self.stop.is_set():
                found = self._next()
                idle = idle + 1 if found is None else 0
                if idle >= PATIENT:
                    idle = 0
                    self._visit()
                if found is None:
                    continue
                person, letter = found
                if str(letter.message["Subject"]).endswith(END):
                    if person is self.people[0] and f"#{self.tables[-1]} " in str(letter.message["Subject"]):
                        self._open_another()
                elif letter.links("/t/"):
                    self._turn(person, letter)
        except Exception as error:  # noqa: BLE001 - the audit tells it
            self.fault = f"{self.name} broke off: {error!r}"

    def _open_another(self) -> None:
        while not self.stop.is_set():
            try:
                self.open_table()
            except self.store.away:
                self.stop.wait(1)
            else:
                return

    def _next(self) -> tuple[Person, Arrived] | None:
        def there() -> tuple[Person, Arrived] | None:
            for person in self.people:
                fresh = person.letters[self.read[person.address] :]
                if fresh:
                    self.read[person.address] += 1
                    return person, fresh[0]
            return None

        with self.post.changed:
            self.post.changed.wait_for(lambda: self.stop.is_set() or self._unread(), 1)
        return there()

    def _unread(self) -> bool:
        return any(len(person.letters) > self.read[person.address] for person in self.people)

    def _turn(self, person: Person, letter: Arrived) -> None:
        link = letter.links("/t/")[0].split("?")[0]
        if answers_in(letter.text) and letter.message["Reply-To"] and self.chance.random() < BY_REPLY:
            self._reply(person, letter)
            return
        self._play(person, link)

    def _visit(self) -> None:
        """Look at the page without an email: two of them can get lost in a row."""
        for person in self.people:
            try:
                with self.store.transaction() as connection:
                    links_ = [
                        f"{self.url}/t/{links.mint(connection, 'turn', **msgspec.structs.asdict(one))}"
                        for one in _asked.all(connection, address=person.address)
                    ]
            except self.store.away:
                return
            for link in links_:
                self.visits += 1
                self._play(person, link)

    def _play(self, person: Person, link: str) -> None:
        tries = 0
        while not self.stop.is_set() and tries < MOST_TRIES:
            tries += 1
            page = self._get(person, link)
            if page is None or page.status in (404, 410):
                return
            if page.status != 200:
                self.stop.wait(1)
                continue
            if not any("question" in form.fields for form in page.forms):
                return
            self._answer(person, page, link)

    def _get(self, person: Person, link: str) -> Page | None:
        while not self.stop.is_set():
            try:
                return person.get(link)
            except TROUBLE:
                self.stop.wait(0.5)
        return None

    def _answer(self, person: Person, page: Page, link: str) -> None:
        planned = False
        for _ in range(6):
            ways = [*page.answers(), *([] if planned else picks(page))]
            if not ways:
                return
            way = self.chance.choice(ways)
            if isinstance(way, str):
                picked = self._get(person, link + way)
                if picked is None or picked.status != 200:
                    return
                page, planned = picked, "step=" in way
                continue
            form, value = way
            try:
                answered = person.submit(form, ("answer", value))
            except TROUBLE:  # it may have been played: the page will show it
                self.stop.wait(0.5)
                return
            if answered.status == 200:
                self.confirmed.append(Confirmed(form.fields["question"], value))
            return

    def _reply(self, person: Person, letter: Arrived) -> None:
        message, to = EmailMessage(), parseaddr(str(letter.message["Reply-To"]))[1]
        message["From"], message["To"] = person.address, to
        message["Subject"] = f"Re: {letter.message['Subject']}"
        message["Message-ID"] = make_msgid(domain="example.org")
        message["In-Reply-To"] = str(letter.message["Message-ID"])
        message.set_content(self.chance.choice(answers_in(letter.text)))
        while not self.stop.is_set():  # as a mail system does
            try:
                with smtplib.SMTP("127.0.0.1", self.inbox_port, timeout=PATIENCE) as server:
                    server.send_message(message, person.address, [to])
            except smtplib.SMTPRecipientsRefused as refused:
                if all(code >= 500 for code, _ in refused.recipients.values()):
                    return
                self.stop.wait(1)
            except (OSError, smtplib.SMTPException):
                self.stop.wait(1)
            else:
                self.replies.append(str(message["Message-ID"]))
                return
