"""A letter of ours, quoted without any mark, is never taken for a move: no line of it can be read as one."""

import textwrap
from itertools import cycle

import pytest
from sqlalchemy import text as sql

from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.reading import tidy
from app.games import all_games
from app.mail.core.context import MailContext
from app.mail.core.letter import Composed
from app.mail.inbound import process
from app.mail.inbound.command import Authority
from app.mail.inbound.dispatch import WORDS, first_word, possible, recogniser
from app.mail.inbound.position import Position
from app.mail.inbound.reading import Message, OwnNames, open_message, read
from app.mail.inbound.reading.hypertext import text_of
from app.mail.inbound.store import Taken, take_in
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links, reading
from app.play.moves import bots, service
from app.settings import Settings
from app.words.commands import ALONE, command_in
from app.words.languages import available
from tests.mail.outbox import compose
from tests.play import cast
from tests.share import sharing

HOUSE = OwnNames(domain="h.example")
TURNS = {"en": 24}
WIDTHS = (40, 66, 72, 76)
BARE = {(word, "") for word in ALONE}
each_game_and_language = pytest.mark.parametrize(
    ("slug", "language"),
    sharing(
        [(slug, language) for language in available() for slug in all_games()],
        *((slug, "en") for slug in all_games()),
        *zip(cycle(all_games()), (language for language in available() if language != "en"), strict=False),
    ),
)


@pytest.mark.usefixtures("clock")
@each_game_and_language
def test_no_line_of_a_letter_that_asks_can_be_read_as_an_answer_to_it(store, slug, language, tmp_path):
    """Also where the reader's program breaks the lines anew."""
    settings = Settings(
        "", "folder://", "", "smtp://127.0.0.1:0", "https://h.example", "h.example", ("k" * 32,), tmp_path
    )
    game, desk = all_games()[slug], MailContext(store, settings)
    seats = 3 if 3 in game.seats else game.seats[0]
    match_id = create_match(store, slug, seats, {}, "ada@example.org", (), bots=seats - 1)
    invitations.accept(store, cast.tokens(store, match_id)[0], "Ada", language, "UTC", "gale")
    match = cast.Seated(store, match_id)
    person, row = next((seat, row) for seat, row in match.rows.items() if not row.bot)
    authority = Authority(row.player_id, match_id, None, None, "", language, "UTC")
    asked_for = set()
    for _ in range(TURNS.get(language, 6)):
        bots.play_unmanned(store)
        seen = match.player_view(person)
        if seen.status == "over":
            break
        question = seen.asked[0]
        is_command = recogniser(Position(desk, authority))
        options = question.decision.options
        move = options[-1] if options else question.decision.default
        if question.decision.asks not in asked_for:
            assert is_command(game.format(move))
            assert playable(store, match_id, person)(game.format(move))
            for text in letters(store, settings, match_id):
                asked_for.add(question.decision.asks)
                check(text, is_command, playable(store, match_id, person), asker(desk, authority))
        service.play(store, match.bearer(person), question.question_id, game.format(move))
    assert asked_for


@pytest.mark.usefixtures("clock")
@each_game_and_language
def test_no_line_of_an_answer_to_a_reply_can_be_read_as_the_next_reply(store, slug, language, tmp_path):
    """Not its list of all legal answers either, nor what it repeats of the reply, nor its help."""
    settings = Settings("", "folder://", "", "pipe:", "https://h.example", "h.example", ("k" * 32,), tmp_path)
    game, desk = all_games()[slug], MailContext(store, settings)
    match_id = create_match(store, slug, 2, {}, "ada@example.org", (), bots=1)
    invitations.accept(store, cast.tokens(store, match_id)[0], "Ada", language, "UTC", "gale")
    match = cast.Seated(store, match_id)
    person, row = next((seat, row) for seat, row in match.rows.items() if not row.bot)
    with store.transaction() as connection:
        token = links.mint(connection, "reply", match_id=match_id, seat=person, player_id=row.player_id)
    authority = Authority(row.player_id, match_id, None, None, "", language, "UTC")
    asked_for = set()
    for turn in range(TURNS.get(language, 6)):
        bots.play_unmanned(store)
        seen = match.player_view(person)
        if seen.status == "over":
            break
        decision = seen.asked[0].decision
        text = game.format(decision.options[-1] if decision.options else decision.default)
        if decision.asks not in asked_for:
            asked_for.add(decision.asks)
            body = f"help\nlegal\ngames\n{text}x\n{text}"
            mail = f"From: ada@example.org\nMessage-ID: <{turn}@example.org>\n\n{body}\n".encode()
            assert take_in(store, settings, mail, [f"r+{token}@h.example"], "stdin") is Taken.KEPT
            process.run_batch(store, settings)
            for written in letters(store, settings, match_id, "reply"):
                known = recogniser(Position(desk, authority))
                check(written, known, playable(store, match_id, person), asker(desk, authority))
            with store.transaction() as connection:
                connection.execute(sql("DELETE FROM letter WHERE kind = 'reply'"))
        service.play(store, match.bearer(person), seen.asked[0].question_id, text)
    assert len(asked_for) > 1 or len(game.asks) == 1 or language != "en"


def letters(store, settings, match_id, kind="asked"):
    """The texts, plain and from HTML, of the letters that could go out now: none in the middle of a turn."""
    rows = cast.rows(store, "SELECT id FROM letter WHERE match_id = :m AND kind = :k", m=match_id, k=kind)
    written = [compose(store, settings, row.id) for row in rows]
    texts = []
    for one in written:
        if isinstance(one, Composed):
            texts.append(one.message.get_body(("plain",)).get_content())
            texts.append(text_of(one.message.get_body(("html",)).get_content())[0])
    return texts


def playable(store, match_id, seat):
    """Whether a line would be carried out: a word of the house, or a move that the rules allow now."""
    with store.reading() as connection:
        standing = reading.by_match(connection, match_id)
    game, state = standing.game, standing.load()

    def would_be_done(line):
        if tidy(line) in WORDS or command_in(line) in BARE:
            return True
        try:
            steps = game.split(line)
            return bool(steps) and bool(
                game.apply(state, seat, game.parse(state, seat, steps[0]), Chance(b"c", 1))
            )
        except RulesError:
            return False

    return would_be_done


def asker(desk, authority):
    """Which moves among some lines an answer would ask about."""
    return lambda lines: [
        one for one in possible(Position(desk, authority), lines) if first_word(one)[0] not in WORDS
    ]


def check(text, is_command, would_be_done, asked_about):
    bare = [
        line.strip().removeprefix("- ") for line in text.splitlines() if line.strip()
    ]  # as the reader does
    found = [line for line in bare if would_be_done(line)]
    assert not found, "\n".join(found)
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    for quote in (
        text,
        *(broken(text, width) for width in WIDTHS),
        *(broken(quoted, width) for width in WIDTHS),
    ):
        for typed in ("", "Hello,\n\n", "Tidepost wrote:\n"):
            raw = f"From: a@p.example\nContent-Type: text/plain; charset=utf-8\n\n{typed}{quote}".encode()
            message = open_message(raw, HOUSE)
            assert isinstance(message, Message)
            reply = read(message, is_command, HOUSE)
            assert reply.lines == ()
            if quote is text:
                assert asked_about(reply.left) == []


def broken(text, width):
    """The lines as a program breaks them that knows nothing of quotes."""
    return "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.splitlines())
