"""Whole games of people who read different languages, by email and page: each reads all in their own."""

import email.policy
import re
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from pathlib import Path

import pytest
from sqlalchemy import text

from app.games import all_games
from app.people import preferences
from app.play.match.records import Viewer
from app.play.views.player_view import player_view
from app.store.session import Store
from app.words.command_words import OWN
from tests.conftest import HeldClock
from tests.desk import Arrived
from tests.leftovers import faults_of_email, faults_of_page
from tests.share import sharing
from tests.whole import checking
from tests.whole.inside import Inside, Resident
from tests.whole.playing import Table

PAIRS = (("fa", "zh-Hans"), ("ja", "zh-Hant"))
ADDRESSES = ("ada@example.org", "bo@example.net")
NAMES = {"fa": "آرش", "zh-Hans": "小明", "ja": "さくら", "zh-Hant": "志明"}
KNOWN = {"Tidepost", "Survive", "Atlantis", "Atlandice", "Python", "HMAC", "Atom", "UTC", "mod"}
NOTATION = {"pay", "card", "ahead", "always", "ask", "defend", "least", "never"}
"""Typed words beside those of the moves that are listed."""
BOARDS = {"fa": {"clk", "pts", "gem", "book", "prov", "tool", "weap"}}
"""The labels of a board as text, which is written from left to right."""
OPTIONS = {"survive": {"setup": "random"}}
"""Placing by hand is many pages more of one kind."""
WROTE = {
    "fa": "در سه‌شنبه ۳ نوامبر ۲۰۲۶ ساعت ۱۷:۳۰، Tidepost <{to}> نوشت:",
    "zh-Hans": '在 2026-11-03 17:30:00，"Tidepost" <{to}> 写道：',
    "ja": "2026年11月3日(火) 17:30 Tidepost <{to}>:",
    "zh-Hant": "Tidepost <{to}> 於 2026年11月3日 週二 下午5:30寫道：",
}
"""How a mail program of the language begins what it quotes."""
SAID = {
    "fa": "سلام به همه، موفق باشید",
    "zh-Hans": "大家好",
    "ja": "よろしく。がんばろう",
    "zh-Hant": "大家好，加油",
}
ASIDES = ("help", "board", "legal", "games", "say", "note", "undo", "ahead", "seen")
"""Commands that are written now and then, each by the language's own word."""
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


def typed(move: str, language: str) -> str:
    """A move as somebody types it whose keyboard is set to the language."""
    return move.translate(PERSIAN if language == "fa" else WIDE)


class Company(Table):
    """People around one match in one process: they take turns by page and by reply."""

    house: Inside
    people: list[Resident]
    match_id: int

    def begin(self, game: str) -> None:
        """Open the game, and let all accept and wish to hear of their turns at once."""
        self.open(game, len(self.people), **OPTIONS.get(game, {}))
        self.match_id, self.game = self._rows('SELECT id FROM "match"')[0].id, all_games()[game]
        self.written, self.words = 0, set[str]()

    def hurry(self, person: Resident) -> None:
        """Without their settings' page, and under their own name."""
        player = self._player(person)
        preferences.choose(self.house.store, player, preferences.ALL, {"turn": "at_once", "chat": "at_once"})
        with self.house.store.transaction() as connection:
            connection.execute(
                text("UPDATE player SET name = :n WHERE id = :p"), {"n": NAMES[person.language], "p": player}
            )

    def hurry_the_last(self) -> None:
        self.hurry(self.people[-1])

    def _rows(self, query: str, **values: object):
        with self.house.store.reading() as connection:
            return connection.execute(text(query), values).all()

    def _player(self, person: Resident) -> int:
        return int(self._rows("SELECT id FROM player WHERE address = :a", a=person.address)[0].id)

    def is_over(self) -> bool:
        return self._rows('SELECT status FROM "match"')[0].status == "over"

    def play_all(self) -> None:
        """Until the game is over: each third turn by page, the others by reply."""
        turn = 0
        while not self.is_over():
            before = {one.address: one.read_so_far() for one in self.people}
            person, letter = self.next_letter()
            if not letter.links("/t/"):
                continue
            turn += 1
            self.house.clock.advance(hours=1)  # so many replies a day are answered one by one
            moves = self._moves(person)
            self.words |= set(re.findall("[A-Za-z]+", " ".join(moves)))
            if turn % 3 == 0:
                self.take_turn(person, letter)
                continue
            if moves:
                self._reply(person, letter, typed(self.chance.choice(moves), person.language))
        self.seen = {one.address: one.read(*before[one.address]) for one in self.people}
        self.house.wait(lambda: all(self._heard_of_the_end(one) for one in self.people), "the end")

    def _moves(self, person: Resident) -> list[str]:
        """What they can do now, in notation."""
        seen = player_view(self.house.store, self.match_id, Viewer(player_id=self._player(person)))
        options = [
            move for asked in seen.asked for move in asked.decision.options or (asked.decision.default,)
        ]
        return [self.game.format(move) for move in options if move is not None]

    def _heard_of_the_end(self, person: Resident) -> bool:
        return "over" in self.kinds(person)

    def kinds(self, person: Resident) -> list[str]:
        """Of their letters, oldest first."""
        named = dict(map(tuple, self._rows("SELECT id, kind FROM letter")))
        return [named[str(one.message["Message-ID"]).strip("<>").split("@")[0]] for one in person.letters]

    def faults(self, person: Resident) -> dict[str, list[set[str]]]:
        """What is wrong with each email and each page that somebody got.

        Nobody knows a guest's language yet: they are invited in the organiser's.
        """
        language = person.language
        known = KNOWN | NOTATION | self.words | BOARDS.get(language, set())
        invitation, *others = person.letters
        return {
            "invitation": [faults_of_email(invitation.message, self.people[0].language, known)],
            "email": [faults_of_email(one.message, language, known) for one in others],
            "page": [faults_of_page(one, language, known) for one in person.pages],
        }

    def _reply(self, person: Resident, letter: Arrived, line: str) -> None:
        """Write back as a mail program of the language does; sometimes with a command on the line above."""
        self.written += 1
        own = OWN[person.language]
        if self.written % 3 == 0:
            name = ASIDES[self.written // 3 % len(ASIDES)]
            word = own[name].split("|")[0]
            above = {"say": f"{word} {SAID[person.language]}", "note": f"{word} {SAID[person.language]}"}
            line = f"{above.get(name, word)}\n{line}"
        to = parseaddr(str(letter.message["Reply-To"]))[1]
        message = EmailMessage()
        message["From"], message["To"] = person.address, to
        message["Subject"] = f"Re: {letter.message['Subject']}"
        message["Message-ID"] = make_msgid(domain="example.org")
        message["In-Reply-To"] = str(letter.message["Message-ID"])
        below = "".join(f"> {one}\n" for one in letter.text.splitlines())
        message.set_content(f"{line}\n\n{WROTE[person.language].format(to=to)}\n{below}")
        self.house.hand_in(message.as_bytes(policy=email.policy.SMTP), person.address, to)


@pytest.mark.parametrize(
    ("game", "languages"),
    sharing(
        [(game, pair) for game in all_games() for pair in PAIRS],
        ("survive", PAIRS[0]),
        ("atlantis", PAIRS[1]),
        ("atlandice", PAIRS[0]),
    ),
)
def test_a_whole_game_in_two_languages_by_page_and_reply(
    store: Store, clock: HeldClock, tmp_path: Path, monkeypatch, game: str, languages: tuple[str, str]
):
    monkeypatch.setattr("app.draw.pictures.render", lambda _svg: b"")
    house = Inside(store, tmp_path, clock)
    people = [Resident(address, house, code) for address, code in zip(ADDRESSES, languages, strict=True)]
    company = Company(house, house, people, seed=1)
    company.begin(game)
    company.play_all()
    for person in people:
        for path in ("", "/log", "/statistics", "/again", "/1"):
            person.get(f"/m/{company.match_id}{path}")
        person.get(f"/rules/{game}")
    wrong = {
        (person.language, number, what): found
        for person in people
        for what, checked in company.faults(person).items()
        for number, found in enumerate(checked)
        if found
    }
    assert wrong == {}
    played = company._rows("SELECT source, seat FROM played WHERE ply > 0")
    assert {(row.source, row.seat) for row in played} >= {
        (source, seat) for source in ("web", "letter") for seat in {row.seat for row in played}
    }
    checking.nobody_learnt_a_secret(store, people, company.seen)
