"""A program lists the emails to its player, and has one of them sent again."""

import pytest
from msgspec.structs import replace

from app.mail.outbound import deliver
from tests.web.programs import program

SENT = "/my/emails/sent"


@pytest.fixture
def go(house, clock, settings):
    """Lets emails go out; gives the addresses that got one."""
    sending, sent = replace(settings, smtp_url="smtp://unused"), []

    def go():
        clock.advance(minutes=10)
        deliver.run_batch(house.store, sending, lambda _url, _sender, to, _mail: sent.append(to))
        return sent

    return go


def test_an_email_is_listed_and_sent_again(app, house, go):
    match = house.start("Ada", "Bo", setup="random")
    go()
    players = [program(app, house, name) for name in ("Ada", "Bo")]
    asked = house.rows("SELECT id, player_id FROM letter WHERE kind = 'asked' AND status = 'sent'")[0]
    mine, other = sorted(players, key=lambda one: not one.get("/my/matches")["matches"])
    found = mine.get(SENT)
    assert found["next"] == ""
    line = next(one for one in found["emails"] if one["id"] == asked.id)
    assert (line["match"], line["status"], line["again"]) == (match, "sent", True)
    assert line["kind"] == "Your turn"
    assert line in mine.get(f"{SENT}?match={match}")["emails"]
    assert mine.get(f"{SENT}?match={match + 1}")["emails"] == []
    assert asked.id not in {one["id"] for one in other.get(SENT)["emails"]}
    before = len(go())
    assert mine.post(f"{SENT}/{asked.id}/again") == {"done": True}
    assert len(go()) == before + 1
    late = mine.refused("POST", f"{SENT}/{asked.id}/again")
    assert (late["status"], late["title"]) == (429, "sent_lately")
    for caller, email in ((other, asked.id), (mine, "nothing")):
        assert caller.refused("POST", f"{SENT}/{email}/again")["title"] == "letter"


def test_the_list_has_pages(app, house, monkeypatch):
    monkeypatch.setattr("app.mail.policy.history.MOST", 1)
    for _ in range(2):
        house.start("Ada", "Bo", setup="random")
    ada = program(app, house, "Ada")
    first = ada.get(SENT)
    second = ada.get(f"{SENT}?cursor={first['next']}")
    assert len(first["emails"]) == len(second["emails"]) == 1
    assert first["emails"] != second["emails"]
    assert ada.refused("GET", f"{SENT}?cursor=nonsense")["title"] == "request_unreadable"
