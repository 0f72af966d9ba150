"""How a person without scripts and without any knowledge of the rules plays: read, open, point, press."""

import random
import re

from sqlalchemy import text

from app.people import preferences
from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.desk import Arrived, Form, House, Page, Person, PostOffice

PICK = re.compile(r'href="([^"]*\?[^"#]*(?:pick|step)=[^"#]*)')
"""A link that picks a name, or puts a whole move into the plan."""
END = "game over"
"""How the subject of the last letter ends."""
MOST_STEPS = 400
MOST_PICKS, FREE_PICKS = 12, 4
"""Links that are followed for one answer, and those of them that may lead anywhere."""


class Table:
    """Three people around one match."""

    def __init__(self, house: House, office: PostOffice, people: list[Person], seed: int) -> None:
        self.house, self.office, self.people = house, office, people
        self.chance = random.Random(seed)
        self.read = dict.fromkeys((person.address for person in people), 0)
        """Letters that each has dealt with."""

    def open(self, game: str, seats: int, **options: str) -> None:
        """The first opens a table for all, confirms from their mail, and the others accept from theirs."""
        first, *others = self.people
        page = first.get(f"{self.house.url}/open/{game}")
        form = page.form("organiser")
        said = {
            "organiser": first.address,
            "others": "\n".join(person.address for person in others),
            "seats": str(seats),
            **{f"option-{name}": choice for name, choice in options.items()},
        }
        assert first.submit(form, **said).status == 200
        for person in self.people:
            letter = person.wait_for_letter(0, "/i/")
            invitation = person.get(letter.links("/i/")[0])
            name = person.address.split("@")[0].title()
            button = next(one for one in invitation.form("word").buttons if one[1] == "accept")
            answer = person.submit(
                invitation.form("word"), button, name=name, zone="Europe/Berlin", word=name[::-1]
            )
            assert answer.status == 200, answer.html[:2000]
            if person is not self.people[-1]:
                self.hurry(person)  # before the game begins: who signs in later has seen the turn
        self.hurry_the_last()

    def hurry(self, person: Person) -> None:
        """Who plays as fast as they can wants their letters at once, and says so on their page."""
        page = person.get(f"{self.house.url}/sign-in")
        person.submit(page.form("address"), address=person.address)
        page = person.get(person.wait_for_letter(0, "/s/").links("/s/")[0])
        assert person.submit(page.form("/s/")).status == 200
        page = person.get(f"{self.house.url}/profile/letters")
        form = page.form("event-turn")
        answer = person.submit(form, ("do", "choose"), **{"event-turn": "at_once"})
        assert "Saved." in answer.html

    def hurry_the_last(self) -> None:
        """As `hurry`, without signing in: they find the game begun, and would have seen the turn."""
        house, address = self.house, self.people[-1].address
        database = house.environment.get("TIDEPOST_DATABASE_URL", f"sqlite:///{house.folder}/tidepost.db")
        broker = house.environment.get("TIDEPOST_BROKER_URL", "folder://")
        store = Store(database, WakeUp(broker, house.folder))
        with store.reading() as connection:
            found = connection.execute(text("SELECT id FROM player WHERE address = :a"), {"a": address})
            player_id = found.scalar_one()
        preferences.choose(store, player_id, preferences.ALL, {"turn": "at_once"})
        store.engine.dispose()

    def next_letter(self) -> tuple[Person, Arrived]:
        """The next letter that anybody gets and has not dealt with, waiting for it."""

        def there() -> tuple[Person, Arrived] | None:
            for person in self.people:
                fresh = person.letters[self.read[person.address] :]
                if fresh:
                    self.read[person.address] += 1
                    return person, fresh[0]
            return None

        found: tuple[Person, Arrived] = self.office.wait(there)
        return found

    def play(self, turns: int = 10_000) -> bool:
        """Answer letters as they come, until this many turns were made (False) or the game is over (True)."""
        over: set[str] = set()
        made = 0
        while len(over) < len(self.people):
            person, letter = self.next_letter()
            if letter.message["Subject"].endswith(END):
                over.add(person.address)
            elif letter.links("/t/"):
                made += bool(self.take_turn(person, letter))
                if made >= turns:
                    return False
        return True

    def take_turn(self, person: Person, letter: Arrived) -> int:
        """How many answers a whole turn took, all from one link."""
        link = letter.links("/t/")[0].split("?")[0]
        page = person.get(link)
        for answers in range(MOST_STEPS):
            assert page.status == 200, page.html[:3000]
            if not any("question" in form.fields for form in page.forms):
                return answers
            page = self.answer(person, page, link)
        raise AssertionError("the turn does not end")

    def answer(self, person: Person, page: Page, link: str) -> Page:
        """The page after one answer: a button where there is one, else what can be pointed at."""
        planned = False
        for tried in range(MOST_PICKS):
            links = [] if planned else picks(page)
            if tried >= FREE_PICKS:  # who has pointed at one piece after another plays a whole move at last
                links = onward(links)
            ways: list[tuple[Form, str] | str] = [*page.answers(), *links]
            assert ways, f"nothing can be done on {page.url}"
            way = self.chance.choice(ways)
            if isinstance(way, str):
                page, planned = person.get(link + way), "step=" in way
                continue
            form, value = way
            return person.submit(form, ("answer", value))
        raise AssertionError("pointing never comes to a button")


def onward(links: list[str]) -> list[str]:
    """Those that complete a move, else those that pick most, so that pointing comes to an end."""
    most = max((one.count("pick=") for one in links), default=0)
    return [one for one in links if "step=" in one] or [one for one in links if one.count("pick=") == most]


def picks(page: Page) -> list[str]:
    """What the page lets a person point at next, as the queries of its links."""
    found = [found.replace("&amp;", "&") for found in PICK.findall(page.html) if "lang=" not in found]
    return sorted({"?" + one.split("?", 1)[1] for one in found})
