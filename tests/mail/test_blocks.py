"""A blocked person's invitations, nudges and messages don't come; the person sees what everybody sees."""

import pytest
from click.testing import CliRunner

from app.cli import main
from app.people import blocks
from app.people.errors import NotFound, Refused
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.lobby.links import ask_links
from app.play.lobby.snapshot import lobby_of
from app.play.seats import silencing
from tests.mail.outbox import body
from tests.play import cast


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


@pytest.fixture
def met(outbox):
    """Ada, Bo and Cleo have met in a game."""
    match = cast.seat(outbox.store, ("Ada", "Bo", "Cleo"))
    outbox.go()
    outbox.clear()
    return match


def game_of(outbox, host, guest):
    """The number of a game to which one invites the other."""
    addresses = [f"{name.casefold()}@example.org" for name in (host, guest)]
    match_id = create_match(outbox.store, "ferry", 2, {}, addresses[0], addresses[1:])
    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], host, "en", "UTC", "")
    outbox.go()
    return match_id


def silence(outbox, met, who, other, *, invitations):
    silencing.silence(
        outbox.store, outbox.player(who), met.match_id, outbox.player(other), invitations=invitations
    )


def test_a_blocked_persons_invitation_is_not_sent_and_looks_like_any_other(outbox, met):
    silence(outbox, met, "Bo", "Ada", invitations=True)
    match_id = game_of(outbox, "Ada", "Bo")
    assert outbox.to("Bo", "an invitation") == []
    assert [guest.status for guest in lobby_of(outbox.store, match_id, outbox.player("Ada")).guests] == [
        "accepted",
        "invited",
    ]
    found = outbox.rows(
        "SELECT status, reason FROM letter WHERE kind = 'invited' AND match_id = :m", m=match_id
    )
    assert [tuple(row) for row in found] == [("dropped", "blocked")]
    game_of(outbox, "Cleo", "Bo")
    assert len(outbox.to("Bo", "an invitation")) == 1, "only Ada is blocked"
    game_of(outbox, "Ada", "Cleo")
    assert len(outbox.to("Cleo", "an invitation")) == 1, "and only for Bo"


def test_what_was_held_back_is_not_lost(outbox, met, clock):
    silence(outbox, met, "Bo", "Ada", invitations=True)
    match_id = game_of(outbox, "Ada", "Bo")
    ask_links(outbox.store, "bo@example.org")
    outbox.go()
    assert f"#{match_id}" not in body(outbox.to("Bo", "Your links")[-1])
    silencing.lift(outbox.store, outbox.player("Bo"), outbox.player("Ada"))
    clock.advance(minutes=10)
    ask_links(outbox.store, "bo@example.org")
    outbox.go()
    assert f"See the invitation to Ferry #{match_id}" in body(outbox.to("Bo", "Your links")[-1])


def test_a_muted_person_still_invites(outbox, met):
    silence(outbox, met, "Bo", "Ada", invitations=False)
    game_of(outbox, "Ada", "Bo")
    assert len(outbox.to("Bo", "an invitation")) == 1


def test_the_last_choice_holds_and_can_be_undone_twice(outbox, met):
    ada, bo = outbox.player("Ada"), outbox.player("Bo")
    for blocked in (False, True, False):
        silence(outbox, met, "Bo", "Ada", invitations=blocked)
        assert [one.invitations for one in blocks.silenced_by(outbox.store, bo)] == [blocked]
    for _ in range(2):
        silencing.lift(outbox.store, bo, ada)
    assert blocks.silenced_by(outbox.store, bo) == ()


def test_only_people_that_one_has_met_can_be_silenced_or_reported(outbox, met):
    cast.seat(outbox.store, ("Dan", "Cleo"))
    ada, dan = outbox.player("Ada"), outbox.player("Dan")
    for who, other in ((ada, dan), (ada, ada), (ada, 999), (dan, ada)):
        with pytest.raises(NotFound):
            silencing.silence(outbox.store, who, met.match_id, other, invitations=True)
        with pytest.raises(NotFound):
            silencing.report(outbox.store, who, met.match_id, other, "text")
    with pytest.raises(NotFound):
        silencing.company_of(outbox.store, ada, 2**40)


@pytest.mark.usefixtures("met")
def test_a_player_declines_and_blocks_by_the_invitation(outbox):
    match_id = game_of(outbox, "Ada", "Bo")
    token = cast.tokens(outbox.store, match_id)[1]
    assert silencing.can_block_host(outbox.store, token)
    silencing.block_host(outbox.store, token, outbox.player("Bo"))
    outbox.go()
    assert "declined" in body(outbox.to("Ada", "news about your game")[-1])
    outbox.clear()
    game_of(outbox, "Ada", "Bo")
    assert outbox.to("Bo", "an invitation") == []


def test_a_stranger_cannot_block_but_decline(outbox):
    match_id = game_of(outbox, "Ada", "Bo")
    ada, bo = cast.tokens(outbox.store, match_id)
    assert not silencing.can_block_host(outbox.store, bo)
    assert not silencing.can_block_host(outbox.store, ada), "nobody blocks themselves"
    with pytest.raises(NotFound):
        silencing.block_host(outbox.store, bo)


def test_reports_reach_the_operator_once_an_hour_and_end(outbox, met, clock, monkeypatch):
    bo, ada = outbox.player("Bo"), outbox.player("Ada")
    for text in ("They wrote\nterrible things.", "They wrote\nterrible things.", "And again."):
        silencing.report(outbox.store, bo, met.match_id, ada, text, "boss@example.org")
    outbox.go()
    assert len(outbox.to("boss", "reports of players")) == 1
    told = body(outbox.to("boss")[0])
    assert "Bo about Ada" in told
    assert "| terrible things." in told
    assert "ada@example.org" not in told
    clock.advance(hours=1)
    silencing.report(outbox.store, bo, met.match_id, ada, "Still.")
    outbox.go()
    assert len(outbox.to("boss")) == 1, "without an address nothing is sent"
    monkeypatch.setenv(
        "TIDEPOST_DATABASE_URL", outbox.store.engine.url.render_as_string(False).replace("+psycopg", "")
    )
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", "k" * 40)
    listed = CliRunner().invoke(main, ["people"]).output
    assert "about Ada <ada@example.org>" in listed
    assert listed.count("| They wrote") == 1
    assert CliRunner().invoke(main, ["people", "close", "1"]).exit_code == 0
    assert CliRunner().invoke(main, ["people", "close", "1"]).exit_code == 1
    assert "They wrote" not in CliRunner().invoke(main, ["people", "reports"]).output
    assert "They wrote" in CliRunner().invoke(main, ["people", "reports", "--all"]).output


def test_a_player_sends_ten_reports_a_day(outbox, met):
    bo, ada = outbox.player("Bo"), outbox.player("Ada")
    for n in range(10):
        silencing.report(outbox.store, bo, met.match_id, ada, f"report {n}")
    with pytest.raises(Refused, match="reported_too_often"):
        silencing.report(outbox.store, bo, met.match_id, ada, "one more")
    with pytest.raises(Refused, match="text_empty"):
        silencing.report(outbox.store, bo, met.match_id, ada, " \u200b ")
