"""Two editions of Ferry on one server: a match of each is played on, taken back and looked at ply by ply."""

import msgspec
import pytest

from app import narrate, parts
from app.engine import codec
from app.engine.errors import BadOptions
from app.mail.core.letter import Composed
from app.play.lobby import invitations
from app.play.lobby.snapshot import lobby_by_token
from app.play.match import reading, replay
from app.play.match.records import Closed, Viewer
from app.play.moves import service
from app.play.moves.upgrading import carry_over
from app.play.views import lists, pending
from app.settings import Settings
from app.store.session import Store
from app.transcripts.bringing import bring
from app.transcripts.export import finished
from app.transcripts.reading import read
from app.transcripts.writing import text_of
from app.web import create_app
from tests.mail.outbox import compose
from tests.play import cast
from tests.servers import database_in
from tests.toy import TOY
from tests.toy2 import TOY2


@pytest.fixture
def settings(tmp_path):
    return Settings("", "", "", "", "http://localhost", "h.example", ("k" * 32,), tmp_path)


@pytest.fixture
def browser(settings, store):
    return create_app(settings, store).test_client()


@pytest.fixture(autouse=True)
def held(clock):
    """Letters of one hour stay in it."""
    return clock


@pytest.fixture
def first(store, offer):
    """A match that began by the first edition, before there was a second."""
    offer(TOY)
    match = cast.seat(store, options={"bank": "long"})
    offer(TOY2, TOY)
    return match


@pytest.fixture
def second(store, first):  # noqa: ARG001 - begun later
    """A match that began by the second."""
    return cast.seat(store, people=("Cleo", "Dan"), options={"bank": "long", "tide": "on"})


def snapshot(match):
    with match.store.reading() as connection:
        return reading.by_match(connection, match.match_id)


def act(match, text=""):
    """The first who is waited for plays a line, or the last thing offered."""
    seat = match.player_view().to_move[0]
    asked = match.player_view(seat).asked[0]
    line = text or match.player_view().game.format(asked.decision.options[-1])
    service.play(match.store, match.bearer(seat), asked.question_id, line)
    return seat


def to_the_row(match):
    """Both bid, so that one has a turn of steps."""
    act(match, "bid 2")
    act(match, "bid 1")


def to_the_end(match):
    for _ in range(200):
        if match.player_view().status == "over":
            return
        act(match)
    pytest.fail("the match does not end")


def editions_of(match):
    return [match.player_view(ply=ply).game.edition for ply in range(match.player_view().ply + 1)]


def test_each_goes_on_by_its_own_rules(first, second):
    assert (snapshot(first).game, snapshot(second).game) == (TOY, TOY2)
    assert set(first.player_view().view.purses.values()) == {5}
    assert set(second.player_view().view.purses.values()) == {3}
    for match, rounds in ((first, 6), (second, 4)):
        to_the_end(match)
        assert match.player_view().view.round == rounds
        assert replay.check(match.store, match.match_id)


def test_a_step_is_taken_back_by_the_rules_that_made_it(first, second):
    for match in (first, second):
        to_the_row(match)
        before = snapshot(match).state
        seat = act(match, "row on")
        service.take_back(match.store, match.bearer(seat), match.match_id)
        assert snapshot(match).state == before
        assert replay.check(match.store, match.match_id)


def test_every_ply_is_looked_at_by_the_rules_of_its_match(first, second, browser):
    for match, game in ((first, TOY), (second, TOY2)):
        to_the_end(match)
        assert set(editions_of(match)) == {game.edition}
        for ply in range(match.player_view().ply + 1):
            state = replay.state_at(match.store, match.match_id, ply)
            assert isinstance(state, game.state_type)
            shown = match.player_view(ply=ply)
            assert codec.dumps(shown.view) == codec.dumps(game.view(state, None))
            assert browser.get(f"/m/{match.match_id}/{ply}", follow_redirects=True).status_code == 200
    assert "The tide carries everybody on." in browser.get(f"/m/{second.match_id}").text


def test_letters_of_both_are_written(first, second, settings):
    for match in (first, second):
        to_the_end(match)
    waiting = cast.rows(first.store, "SELECT id, kind FROM letter WHERE status = 'waiting' AND kind = 'over'")
    assert len(waiting) == 4
    for row in waiting:
        assert isinstance(compose(first.store, settings, row.id), Composed)


def test_lists_have_both(first, second):
    assert second.match_id != first.match_id
    assert {line.game.edition for line in lists.public_lines(first.store, 9)} == {1, 2}
    player = first.rows["red"].player_id
    with first.store.reading() as connection:
        (turn,) = pending.turns(connection, player, first.rows["red"].since)
    assert turn.game is TOY


def test_a_table_opened_by_the_first_starts_by_the_first(store, offer):
    offer(TOY)
    match_id = cast.open_table(store)
    offer(TOY2, TOY)
    for name, token in zip(("Ada", "Bo"), cast.tokens(store, match_id), strict=True):
        assert lobby_by_token(store, token).game is TOY
        invitations.accept(store, token, name, "en", "UTC", "")
    assert snapshot(cast.Seated(store, match_id)).game is TOY


def test_an_option_of_the_second_is_none_of_the_first():
    assert TOY2.complete_options(2, {"tide": "on"})["tide"] == "on"
    with pytest.raises(BadOptions):
        TOY.complete_options(2, {"tide": "on"})


def test_a_running_match_is_carried_over_and_keeps_its_history(first, browser):
    to_the_row(first)
    act(first, "row on")
    before, views = (
        first.player_view().ply,
        [first.player_view(ply=n).view for n in range(first.player_view().ply + 1)],
    )
    questions = {one.id for one in snapshot(first).open}
    assert carry_over(first.store) == 1
    assert carry_over(first.store) == 0
    now = snapshot(first)
    assert (now.edition, now.ply, now.game) == (2, before + 1, TOY2)
    assert {one.id for one in now.open} == questions, "links of letters that are out still work"
    assert replay.check(first.store, first.match_id)
    assert first.player_view().options == {"bank": "long", "cheers": "off", "tide": "off"}
    for seat in first.rows:
        assert not first.player_view(seat).can_take_back
    seat = act(first, "row on")
    assert first.player_view(seat).can_take_back
    service.take_back(first.store, first.bearer(seat), first.match_id)
    assert snapshot(first).state == now.state
    assert [first.player_view(ply=n).view for n in range(before + 1)] == views
    assert editions_of(first) == [1] * (before + 1) + [2] * 3
    entry = next(one for one in first.player_view().heard if one.what == "edition")
    assert entry.move is None
    assert narrate.remarks("en", entry, str) == [
        "The rules of this game were updated. It continues under the new ones."
    ]
    assert "The rules of this game were updated" in browser.get(f"/m/{first.match_id}").text
    to_the_end(first)
    assert first.player_view().view.round == 4
    assert replay.check(first.store, first.match_id)
    for ply in range(first.player_view().ply + 1):
        assert browser.get(f"/m/{first.match_id}/{ply}", follow_redirects=True).status_code == 200


def test_a_starting_server_carries_matches_over(first, settings, store_url, monkeypatch):
    here = msgspec.structs.replace(settings, database_url=store_url)
    monkeypatch.setattr(parts, "_settings", lambda: here)
    assert parts._ready() == here
    assert snapshot(first).edition == 2


def test_a_match_that_the_game_cannot_convert_is_played_on_by_its_own_rules(first):
    while first.player_view().view.round < 5:  # the second edition has four
        act(first)
    assert carry_over(first.store) == 0
    assert snapshot(first).game is TOY
    to_the_end(first)
    assert first.player_view().view.round == 6


def test_a_match_that_fails_to_convert_leaves_the_others_alone(first, offer, store, monkeypatch, caplog):
    offer(TOY)
    other = cast.seat(store, people=("Cleo", "Dan"))
    offer(TOY2, TOY)
    real = TOY2.upgrade

    def upgrade(edition, stored):
        if stored["bank"] == 8:
            raise ValueError("this one is broken")
        return real(edition, stored)

    monkeypatch.setattr(TOY2, "upgrade", upgrade)
    assert carry_over(store) == 1
    assert (snapshot(first).edition, snapshot(other).edition) == (1, 2)
    assert "cannot be carried over" in caplog.text


@pytest.mark.parametrize("has", ["only the second", "nothing"])
def test_a_match_without_its_rules_says_so(first, offer, store, settings, has):
    page, player = f"/m/{first.match_id}", first.rows["red"].player_id
    token = first.token("red")
    offer(*([TOY2] if has == "only the second" else []))
    browser = create_app(settings, store).test_client()
    for path in (page, f"{page}/0", f"/t/{token}"):
        answer = browser.get(path, follow_redirects=True)
        assert answer.status_code == 409, path
        assert "lacks edition 1 of the rules of ferry" in answer.text
    with pytest.raises(Closed) as caught:
        first.player_view()
    assert caught.value.facts == {"game": "ferry", "edition": 1}
    assert lists.player_lines(store, player) == ()
    assert lists.public_lines(store, 9) == ()
    with store.reading() as connection:
        assert pending.turns(connection, player, first.rows["red"].since) == ()
    question = cast.question_of(store, "red")
    with pytest.raises(Closed):
        service.play(store, Viewer(player_id=player), question, "bid 1")
    assert browser.get("/").status_code == 200
    offer(TOY2, TOY)
    assert browser.get(page).status_code == 200


def test_a_match_of_two_editions_goes_out_and_comes_in(store, first, tmp_path):
    """Its file begins with the first edition, says where the second took over, and is the same elsewhere."""
    act(first)
    assert carry_over(store) == 1
    while first.player_view().status == "running":
        act(first)
    written = text_of(finished(store, first.match_id))
    assert "\nedition: 1\n" in written
    assert "\nedition 1 2 @" in written
    (tmp_path / "other").mkdir()
    other = Store(database_in(tmp_path / "other"))
    there = bring(other, read(written.encode()))
    assert text_of(finished(other, there.match_id)) == written
    assert replay.check(other, there.match_id)
    row = cast.one(store, 'SELECT options, state, outcome FROM "match"')
    assert cast.one(other, 'SELECT options, state, outcome FROM "match"') == row
    other.engine.dispose()
