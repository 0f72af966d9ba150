"""The program of the help page recomputes finished games: fingerprint, seed, seats and every draw of play."""

import contextlib
import io
import re
from html import unescape

import pytest
from sqlalchemy import text

from app.engine import dice
from app.engine.chance import Chance
from app.games import all_games
from app.play.lobby import invitations, start
from app.play.lobby.create import create_match
from app.play.match import matches, replay
from app.play.moves import bots, service
from tests.play import cast

NAMES = ("Ada", "Bo")
WORDS = ("gale, 12:34", "シャチ")
TURNS = 25


def program(browser):
    shown = re.search(r'<pre[^>]* id="dice-program"[^>]*>(.*?)</pre>', browser.get("/help").text, re.DOTALL)
    assert shown is not None
    lines = unescape(shown[1]).strip().splitlines()
    assert len([line for line in lines if line.strip()]) <= 24
    return "\n".join(lines)


def run(code, secret, words):
    """What the program has and prints, with these in place of its examples."""
    code = re.sub(r'fromhex\("[^"]*"\)', lambda _: f'fromhex("{secret}")', code, count=1)
    code = re.sub(r"^words = .*$", lambda _: f"words = {list(words)!r}", code, count=1, flags=re.MULTILINE)
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, names)
    return names, printed.getvalue().split()


def begun(store, slug):
    """A game of Ada and Bo, and a bot where the game has three seats."""
    game = all_games()[slug]
    seats = 3 if 3 in game.seats else 2
    addresses = [cast.ADDRESSES[name] for name in NAMES]
    match_id = create_match(store, slug, seats, {}, addresses[0], addresses[1:], bots=seats - 2)
    for name, word, token in zip(NAMES, WORDS, cast.tokens(store, match_id), strict=True):
        invitations.accept(store, token, name, "en", "UTC", word)
    return cast.Seated(store, match_id)


def finish(store, match, game):
    """Play some turns, so that there are draws; then all people resign."""
    people = [seat for seat, row in match.rows.items() if not row.bot]
    for _ in range(TURNS):
        bots.play_unmanned(store)
        waiting = [seat for seat in match.player_view().to_move if seat in people]
        if not waiting:
            break
        asked = match.player_view(waiting[0]).asked[0]
        move = asked.decision.options[0] if asked.decision.options else asked.decision.default
        service.play(store, match.bearer(waiting[0]), asked.question_id, game.format(move))
    for seat in people:
        if match.player_view().status == "running":
            service.resign(store, match.bearer(seat), match.match_id)
    for _ in range(200):
        if match.player_view().status == "over":
            return
        bots.play_unmanned(store)


@pytest.mark.parametrize("formula", [dice.EARLIER, dice.CURRENT])
@pytest.mark.parametrize("slug", sorted(all_games()))
def test_the_program_recomputes_a_finished_game(store, browser, clock, monkeypatch, slug, formula):  # noqa: ARG001
    if formula == dice.EARLIER:
        drawn = dice.drawn
        monkeypatch.setattr(start.dice, "drawn", lambda secret, words: drawn(secret, words, dice.EARLIER))
        monkeypatch.setattr(matches, "CURRENT", dice.EARLIER)
    match = begun(store, slug)
    finish(store, match, all_games()[slug])
    over = match.player_view()
    assert over.status == "over"
    assert over.dice == formula
    page = browser.get(f"/m/{match.match_id}").text
    assert over.secret is not None
    assert over.secret in page
    assert over.commitment in page
    assert f"Formula {formula}" in page

    names, printed = run(program(browser), over.secret, over.words)
    assert printed[0] == over.commitment
    row = cast.one(store, 'SELECT seed FROM "match"')
    assert printed[1] == bytes(row.seed).hex()
    assert dice.proves(bytes.fromhex(over.secret), over.commitment, over.words, bytes(row.seed), formula)

    key = names["seed"] if formula == dice.CURRENT else names["secret"]
    order, _ = names["shuffled"](key, 0, "seats", range(len(over.words)))
    computer = "computer"
    invited = [*NAMES, *[computer] * (len(over.words) - 2)]
    assert [invited[place] for place in order] == [computer if one.bot else one.name for one in over.sittings]
    if formula == dice.CURRENT:
        assert printed[2:] == re.findall(r"\S+", str(order))
        assert over.words[:2] == WORDS
    held = dict(zip(over.word_seats, over.words, strict=True))
    assert {over.name(seat): word for seat, word in held.items() if word} == dict(
        zip(NAMES, WORDS, strict=True)
    )

    drawn_by_them = []

    class Theirs(Chance):
        """Draws by the program's own lines."""

        def __init__(self, seed, ply, name=""):
            super().__init__(seed, ply, name)
            self.state = (seed, ply, name)
            self.count = 0

        def below(self, n):
            result, self.count = names["draw"](*self.state, self.count, n)
            drawn_by_them.append(result)
            return result

        def apart(self, name):
            seed, ply, own = self.state
            return Theirs(seed, ply, f"{own}.{name}")

    monkeypatch.setattr(replay, "Chance", Theirs)
    assert replay.check(store, match.match_id)
    assert drawn_by_them


def test_a_wrong_secret_word_or_order_is_found(store, browser, clock):  # noqa: ARG001
    match = begun(store, "survive")
    finish(store, match, all_games()["survive"])
    over = match.player_view()
    code = program(browser)
    right = run(code, over.secret, over.words)[1]
    assert run(code, "ab" * 32, over.words)[1][0] != right[0]
    for words in (over.words[::-1], ("gale", *over.words[1:]), (*over.words, "")):
        assert run(code, over.secret, words)[1][1] != right[1]
        seed = bytes(cast.one(store, 'SELECT seed FROM "match"').seed)
        assert not dice.proves(bytes.fromhex(over.secret), over.commitment, words, seed, dice.CURRENT)


def test_a_running_game_says_all_but_the_secret(store, browser, clock):  # noqa: ARG001
    match = begun(store, "survive")
    page = browser.get(f"/m/{match.match_id}").text
    secret = bytes(cast.one(store, 'SELECT secret FROM "match"').secret).hex()
    assert secret not in page
    assert "Words, in the order of invitation" in page
    listed = re.findall(r"<li>(\w+): ", page[page.index("Words, in the order") :])
    assert tuple(listed[:3]) == match.player_view().word_seats


def test_games_begun_before_the_formula_keep_theirs(store):
    """The migration leaves the rows of running games at formula 1."""
    match = cast.seat(store, ("Ada", "Bo"), game="survive")
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET dice = 1'))
    view = match.player_view()
    assert (view.dice, view.word_seats) == (1, tuple(one.seat for one in view.sittings))
