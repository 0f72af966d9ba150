"""Whole games of four: two by programs that know only the OpenAPI document, one by email, one by page."""

import email.policy
import random
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.games import all_games
from app.people import api_keys, preferences
from app.people import service as people
from app.store.session import Store
from tests.conftest import HeldClock
from tests.desk import Arrived
from tests.documented import FromDocument
from tests.share import sharing
from tests.whole import checking
from tests.whole.inside import Inside, Resident
from tests.whole.test_in_every_language import Company

PROGRAMS = ("ada@example.org", "bo@example.net")
PEOPLE = ("cleo@example.com", "dan@example.org")
LOOKS = 0.04
"""How often a program reads the log after its answer."""
OPTIONS = {"survive": {"setup": "random"}}
"""Placing by hand is many pages more of one kind."""


class Mixed(Company):
    """The people at their mail client and their browser, and two programs."""

    def begin(self, game: str) -> None:
        """The first program sets the game up, the second accepts, and the people do by their emails."""
        self.programs = [self._program(address) for address in PROGRAMS]
        self.chance = random.Random(game)
        host, guest = self.programs
        kind = next(one for one in host.call("get_games")["games"] if one["game"] == game)
        seats = max(kind["seats"])
        new = {"game": game, "seats": seats, "invite": [PROGRAMS[1], *PEOPLE[: seats - 2]]}
        made = host.call("post_match", new | {"options": OPTIONS.get(game, {})})
        self.match_id, self.game = made["match"], all_games()[game]
        (invited,) = guest.call("get_my_invitations")["matches"]
        guest.call("post_accept", {"word": "by program"}, match_id=invited["id"])
        self.people = self.people[: seats - 2]
        for person in self.people:
            invitation = person.get(person.wait_for_letter(0, "/i/").links("/i/")[0])
            form = invitation.form("word")
            button = next(one for one in form.buttons if one[1] == "accept")
            assert person.submit(form, button, name=person.address.split("@")[0], zone="UTC").status == 200
            self.choose(person.address, "at_once")

    def _program(self, address: str) -> FromDocument:
        with self.house.store.transaction() as connection:
            player = people.keep(connection, address, address, address.split("@", maxsplit=1)[0], "en", "UTC")
        self.choose(address, "none")
        key = api_keys.make(self.house.store, player, "bot", api_keys.SCOPES)
        return FromDocument(self.house.app.test_client(), key)

    def reader(self, address: str, program: FromDocument) -> SimpleNamespace:
        """A program as somebody who reads, until the game was over."""
        over = '"status":"over"'
        return SimpleNamespace(
            address=address, letters=[], pages=[text for text in program.read if over not in text]
        )

    def choose(self, address: str, turn: str) -> None:
        """When somebody wants to be told of their turn."""
        player = self._rows("SELECT id FROM player WHERE address = :a", a=address)[0].id
        preferences.choose(self.house.store, player, preferences.ALL, {"turn": turn})

    def play_all(self) -> None:
        """Until the game is over: programs whenever it is their turn, people as their emails come."""
        while not self.is_over():
            if any(self._by_program(one) for one in self.programs) or self.is_over():
                continue
            person, letter = self.next_letter()
            if not letter.links("/t/"):
                continue
            self.house.clock.advance(hours=1)  # so many replies a day are answered one by one
            if person is self.people[-1]:
                self.take_turn(person, letter)
            elif moves := self._moves(person):
                self._write(person, letter, self.chance.choice(moves))

    def _by_program(self, program: FromDocument) -> int:
        """How many answers a program gave to a question that was open."""
        given = 0
        while True:
            found = program.call("get_match", match_id=self.match_id)
            asked = [one for one in found["questions"] if not one["optional"]]
            if not asked:
                return given
            one = asked[0]
            answer = self.chance.choice(one["answers"]) if one["answers"] else one["default"]
            done = program.call(
                "post_answer", {"question": one["id"], "answer": answer}, match_id=self.match_id
            )
            assert done["moves"]
            given += 1
            if self.chance.random() < LOOKS:
                program.call("get_history", match_id=self.match_id)

    def _write(self, person: Resident, letter: Arrived, line: str) -> None:
        """Reply with a move alone."""
        to = parseaddr(str(letter.message["Reply-To"]))[1]
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = person.address, to, "Re: your turn"
        message["Message-ID"] = make_msgid(domain="example.org")
        message.set_content(f"{line}\n")
        self.house.hand_in(message.as_bytes(policy=email.policy.SMTP), person.address, to)


@pytest.mark.parametrize("game", sharing(list(all_games()), *all_games()))
def test_a_whole_game_by_programs_email_and_page(
    store: Store, clock: HeldClock, tmp_path: Path, monkeypatch, game: str
):
    monkeypatch.setattr("app.draw.pictures.render", lambda _svg: b"")
    house = Inside(store, tmp_path, clock)
    company = Mixed(house, house, [Resident(address, house, "en") for address in PEOPLE], seed=1)
    company.begin(game)
    company.play_all()
    host, guest = company.programs
    readers = [company.reader(address, one) for address, one in zip(PROGRAMS, company.programs, strict=True)]
    over = host.call("get_match", match_id=company.match_id)
    assert over["status"] == "over"
    assert over["outcome"]["places"]
    assert over["position"]
    assert guest.call("get_match", match_id=company.match_id)["outcome"] == over["outcome"]
    assert host.call("get_history", match_id=company.match_id)["plies"][-1]["ply"] == over["last_ply"]
    played = {row.source for row in company._rows("SELECT source FROM played WHERE ply > 0")}
    assert played >= ({"api", "web", "letter"} if len(company.people) == 2 else {"api"})
    checking.nobody_learnt_a_secret(store, [*readers, *company.people])
