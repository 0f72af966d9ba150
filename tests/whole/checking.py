"""What must hold after a game, whatever happened on the way: every letter once, and nobody's secret told."""

import re
from collections import Counter
from html import unescape

import msgspec
from sqlalchemy import Connection, text

from app import games, narrate
from app.engine import codec
from app.engine.chance import Chance
from app.engine.game import Addressed
from app.games import rules_of
from app.play.match import log
from app.play.match.packing import unpack
from app.play.match.replay import kind_of
from app.store.session import Store
from tests.desk import Person, PostOffice

TOKEN = re.compile(r"/[tis]/([A-Za-z0-9_-]{20,})")


def turns(connection: Connection, match_id: int) -> set[tuple[int, str, int]]:
    """The turns of a match by the rules alone: each with its seat and the ply that began it."""
    match = connection.execute(text('SELECT * FROM "match" WHERE id = :id'), {"id": match_id}).one()
    game = rules_of(match.game, match.edition)
    options = game.complete_options(match.seats, msgspec.json.decode(match.options))
    states = [game.setup(game.colours[: match.seats], options, Chance(match.seed, 0)).state]
    asked, found = set[str](), set[tuple[int, str, int]]()
    for entry in log.plies(connection, match_id):
        if kind_of(entry.move) == "undo":
            states.pop()
        elif kind_of(entry.move) == "move":
            move = game.parse(states[-1], entry.seat, entry.move)
            states.append(game.apply(states[-1], entry.seat, move, Chance(match.seed, entry.ply)).state)
        now = {one.seat for one in game.asking(states[-1]) if not one.optional}
        found |= {(match_id, seat, entry.ply) for seat in now - asked}
        asked = now
    return found


def every_letter_came_once(store: Store, office: PostOffice, resent: int = 0) -> None:
    """Each run of questions has its letter, each letter that was sent arrived, none twice.

    `resent` is how many workers died: what each had just sent may come again under its Message-ID, or may
    have come and not be marked so.
    """
    with store.reading() as connection:
        letters = connection.execute(text("SELECT id, kind, status, reason FROM letter")).all()
        people = {
            (one.match_id, one.seat)
            for one in connection.execute(
                text("SELECT match_id, seat FROM chair WHERE NOT bot AND resigned_at IS NULL")
            )
        }
        runs = sum(
            turn[:2] in people
            for one in {match_id for match_id, _ in people}
            for turn in turns(connection, one)
        )
    assert {letter.status for letter in letters} <= {"sent", "dropped"}, Counter(
        (letter.kind, letter.status, letter.reason) for letter in letters
    )
    assert all(letter.reason for letter in letters if letter.status == "dropped")
    assert sum(letter.kind == "asked" for letter in letters) == runs
    arrived = Counter(str(one.message["Message-ID"]) for one in office.letters)
    sent = {letter.id for letter in letters if letter.status == "sent"}
    there = {message_id.strip("<>").split("@")[0] for message_id in arrived}
    assert sent <= there <= {letter.id for letter in letters}
    again = sum(arrived.values()) - len(arrived)
    assert again + len(there - sent) <= resent, arrived.most_common(3)


def nobody_learnt_a_secret(store: Store, people: list[Person], seen: dict[str, str] | None = None) -> None:
    """No page or letter before the end held another's token, address or private news.

    `seen`: all that each read until then, by address; else it is known by how English pages look.
    """
    with store.reading() as connection:
        match = connection.execute(text('SELECT id, game FROM "match"')).one()
        seats = connection.execute(
            text("SELECT c.seat, p.address, p.name FROM chair c JOIN player p ON p.id = c.player_id")
        ).all()
        told = connection.execute(text("SELECT packed FROM played")).scalars().all()
    game = games.all_games()[match.game]
    seat_of = {row.address: row.seat for row in seats}
    names = {row.seat: row.name for row in seats}
    private = [
        one
        for line in told
        for one in codec.load_told(game.event_types, unpack(match.game, line))
        if one.to is not None
    ]
    seen = seen or {person.address: before_the_end(person) for person in people}
    heard = 0

    def say(one: Addressed, language: str) -> list[str]:
        told = narrate.sentences(game, language, [one.event], lambda seat: names[seat])
        return [_without_spaces(sentence) for sentence in told]

    for person in people:
        everything = seen[person.address]
        for other in people:
            if other is person:
                continue
            if person is not people[0]:  # the organiser typed the others' addresses themselves
                assert other.address not in everything
            tokens = set(TOKEN.findall("".join(letter.text for letter in other.letters)))
            assert not tokens & set(TOKEN.findall(everything))
        language = getattr(person, "language", "en")
        own = [one for one in private if seat_of[person.address] in (one.to or ())]
        mine = {line for one in own for line in say(one, language)}
        everything = _without_spaces(everything)
        heard += sum(line in everything for line in mine)
        for one in private:
            if seat_of[person.address] not in (one.to or ()):
                for sentence in say(one, language):
                    assert sentence in mine or sentence not in everything, sentence
    assert heard or not private, "what is looked for was said to its owners in these words"


def _without_spaces(text: str) -> str:
    """A text without the spaces and breaks that lines are wrapped at, and as it is written in a page."""
    return "".join(unescape(text).split())


RESULT = 'id="count"'
OVER = "\nResult:\n"
"""Stand in pages and in emails that show how a game ended, and so all that was hidden."""


def before_the_end(person: Person) -> str:
    """All that a person read until the game was over."""
    letters = [
        letter.raw.decode(errors="replace") + letter.text
        for letter in person.letters
        if OVER not in letter.text.replace("\r\n", "\n")  # an answer to a late reply too
    ]
    return "\n".join((*letters, *(page for page in person.pages if RESULT not in page)))


def logs_hold_no_token(logs: str, people: list[Person]) -> None:
    """What the processes wrote down opens nothing."""
    for person in people:
        for token in TOKEN.findall("".join(letter.text for letter in person.letters)):
            assert token not in logs
