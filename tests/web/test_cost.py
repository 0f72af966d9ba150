"""What a move by the link of an email costs the database: connections, statements, and answers waited for."""

import pytest
from sqlalchemy import event

from app.play.views.player_view import player_view_by_token
from app.store import sql, versions
from tests.round_trips import RoundTrips

ALWAYS = ["SELECT m.id AS match_id", 'UPDATE "match"', "INSERT INTO played", "INSERT INTO question"]
AT_MOST = [*ALWAYS, "INSERT INTO letter", "INSERT INTO login"]
FIRST = 9
"""Moves after which a connection has prepared its statements."""


@pytest.fixture
def store_url(each_store_url, monkeypatch):
    """On both databases, whose tables are not looked at meanwhile."""
    monkeypatch.setattr(versions, "EVERY", 1e9)
    return each_store_url


def test_a_move_takes_one_connection_and_each_statement_once(app, house, store, monkeypatch):
    trips, sent, lent, more = RoundTrips(store), [], [], []
    event.listen(store.engine, "checkout", lambda *_: lent.append(True))
    monkeypatch.setattr(sql, "watch", sent.append)
    match_id = house.start("Ada", "Bo", setup="random")
    for number in range(15):
        token = next(iter(house.turns(match_id).values()))
        seen = player_view_by_token(store, token)
        options = seen.asked[0].decision.options
        move = seen.game.format(options[number % len(options)])
        form = {"question": seen.asked[0].question_id, "answer": move}
        browser, answers = app.test_client(), []
        del sent[:], lent[:]
        waited = trips.of(lambda: answers.append(browser.post(f"/t/{token}", data=form)))  # noqa: B023 - at once
        assert answers[0].status_code == 303
        assert lent == [True]
        heads = [next(one for one in AT_MOST if text.startswith(one)) for text in sent]
        assert heads[: len(ALWAYS)] == ALWAYS
        assert len(set(heads)) == len(heads)
        more.append(waited - len(sent))
    if store.engine.dialect.name == "postgresql":
        assert min(more[FIRST:]) == len(["BEGIN", "COMMIT"])
        assert max(more[FIRST:]) <= min(more) + 1, "a form of a statement that was not prepared yet"
