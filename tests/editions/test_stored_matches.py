"""Matches stored by the first edition of each game are shown, replayed and played to their end, for ever."""

import pytest

from app.engine.chance import Chance
from app.games import rules_of
from app.mail.core.letter import Composed
from app.play.match import reading, replay
from app.play.moves import bots, service
from app.play.moves.upgrading import carry_over
from app.settings import Settings
from app.web import create_app
from tests.mail.outbox import compose
from tests.play import cast

SLUGS = ("atlandice", "atlantis", "survive")
MATCHES = (1, 2, 3)
MOST_TURNS = 1500


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


def match_of(store, match_id):
    with store.reading() as connection:
        return reading.by_match(connection, match_id)


def test_the_log_gives_the_snapshot(stored_store):
    for match_id in MATCHES:
        assert match_of(stored_store, match_id).edition == 1
        assert replay.check(stored_store, match_id)


def test_the_questions_of_then_are_those_of_the_states_of_then(slug, stored_store):
    """The questions that were open then are those that the rules ask now."""
    for match_id in MATCHES:
        match = match_of(stored_store, match_id)
        state = replay.state_at(stored_store, match_id, match.ply)
        decisions = rules_of(slug, 1).decisions(state)
        assert {(one.seat, one.asks, one.about, one.optional) for one in match.open} == {
            (one.seat, one.asks, one.about, one.optional) for one in decisions
        }
        assert bool(decisions) == match.running


def test_the_page_of_every_ply_is_shown(stored_store, tmp_path):
    settings = Settings(
        "", "", "", "", "http://localhost", "example.org", ("a key for tests alone",), tmp_path
    )
    browser = create_app(settings, stored_store).test_client()
    for match_id in MATCHES:
        for ply in range(match_of(stored_store, match_id).ply + 1):
            page = browser.get(f"/m/{match_id}/{ply}", follow_redirects=True)
            assert page.status_code == 200, (match_id, ply)
            assert "<svg" in page.text


def test_a_running_match_is_played_to_its_end_and_its_letters_are_written(slug, stored_store, tmp_path):
    settings = Settings("", "", "", "", "https://h.example", "h.example", ("k" * 32,), tmp_path)
    game = rules_of(slug, 1)
    for match_id in MATCHES[1:]:
        match = cast.Seated(stored_store, match_id)
        before = match.player_view().ply
        for turn in range(MOST_TURNS):
            bots.play_unmanned(stored_store)
            seen = match.player_view()
            if seen.status == "over":
                break
            seat = seen.to_move[0]
            mine = match.player_view(seat)
            asked = next(one for one in mine.asked if not one.decision.optional)
            move = game.bot(mine.view, asked.decision, Chance(b"on", turn))
            if turn % 5 == 2 and mine.can_take_back:
                service.take_back(stored_store, match.bearer(seat), match_id)
                continue
            service.play(stored_store, match.bearer(seat), asked.question_id, game.format(move))
        assert match.player_view().status == "over"
        assert match.player_view().ply > before
        assert replay.check(stored_store, match_id)
    letters = cast.rows(stored_store, "SELECT id FROM letter WHERE status = 'waiting' AND kind = 'over'")
    assert len(letters) >= 4
    for letter in letters:
        assert isinstance(compose(stored_store, settings, letter.id), Composed)


def test_a_newer_edition_leaves_no_match_unreadable(stored_store):
    """Matches go on by their own edition, or are carried over to a newer one."""
    carry_over(stored_store)
    for match_id in MATCHES:
        assert replay.check(stored_store, match_id)
        match = match_of(stored_store, match_id)
        for one in match.open:
            assert match.decision(one).asks == one.asks
