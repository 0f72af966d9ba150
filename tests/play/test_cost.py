"""A move and a page cost few statements, whatever the length of the match."""

import pytest

from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import sight, sight_by_token
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
        seen = match.sight()
        seat = seen.to_move[0]
        asked = match.sight(seat).asked[0]
        bearer = Viewer(token=match.token(seat))
        text = "row on, roll" if asked.decision.asks == "row" else None
        del sent[:]
        service.play(store, bearer, asked.question_id, text or seen.game.format(asked.decision.options[0]))
        costs.append(len(sent))
        if match.sight().status == "over":
            break
    assert max(costs) <= 5
    assert len(costs) > 12


def test_a_page_costs_two_statements(store, sent):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    token = match.token("red")
    for look in (
        lambda: sight_by_token(store, token),
        lambda: sight(store, match.match_id),
        lambda: sight(store, match.match_id, match.bearer("blue")),
    ):
        del sent[:]
        look()
        assert len(sent) == 2
