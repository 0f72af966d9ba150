"""A move and a page cost few statements, whatever the length of the match."""

import pytest

from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view, player_view_by_token
from app.store import sql
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy", "clock")


@pytest.fixture
def sent(monkeypatch):
    """Every statement sent, transactions' own aside."""
    texts = []
    monkeypatch.setattr(sql, "watch", texts.append)
    return texts


def test_a_move_costs_five_statements_at_most_also_one_of_several_steps(store, sent):
    match = cast.seat(store, ("Ada", "Bo", "Cleo", "Dan"), options={"cheers": "on", "bank": "long"})
    costs = []
    for _ in range(30):
        seen = match.player_view()
        seat = seen.to_move[0]
        asked = match.player_view(seat).asked[0]
        bearer = Viewer(token=match.token(seat))
        text = "row on, roll" if asked.decision.asks == "row" else None
        del sent[:]
        service.play(store, bearer, asked.question_id, text or seen.game.format(asked.decision.options[0]))
        costs.append(len(sent))
        if match.player_view().status == "over":
            break
    assert max(costs) <= 5
    assert len(costs) > 12


def test_a_page_costs_two_statements(store, sent):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    token = match.token("red")
    for look in (
        lambda: player_view_by_token(store, token),
        lambda: player_view(store, match.match_id),
        lambda: player_view(store, match.match_id, match.bearer("blue")),
    ):
        del sent[:]
        look()
        assert len(sent) == 2
