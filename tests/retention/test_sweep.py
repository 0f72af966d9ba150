"""What goes with time: each kind of row at its time, and nothing else."""

from datetime import timedelta
from unittest.mock import patch

import pytest

from app.catcher.server import Sink
from app.mail.core import signed_addresses
from app.mail.policy import history
from app.mail.policy.unsubscribe import leaving
from app.people import service as people
from app.people.errors import NotFound
from app.play.deadlines import outages
from app.play.deadlines import sweep as clocks
from app.play.lobby import changes, expiry, invitations
from app.play.match import site_stops
from app.play.match.records import Viewer
from app.retention import sweep
from app.settings import Keep
from tests.mail.outbox import answer
from tests.play import cast

KEEP = Keep()


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


def go(outbox):
    return sweep.sweep(outbox.store, KEEP)


def deliver(outbox, clock):
    """All letters that wait go out, or are dropped."""
    for _ in range(3):
        clock.advance(minutes=15)
        outbox.go()


@pytest.fixture
def over(outbox, clock):
    """A match that has ended, with letters that were sent and links that were used."""
    seated = cast.seat(outbox.store)
    seated.old_link = seated.token(next(seat for seat in seated.rows if seated.player_view(seat).asked))
    while seated.player_view().status == "running":
        clock.advance(minutes=15)
        outbox.go()
        answer(seated, next(seat for seat in seated.rows if seated.player_view(seat).asked))
    deliver(outbox, clock)
    return seated


def log_of(outbox, match_id):
    return outbox.rows("SELECT * FROM played WHERE match_id = :m ORDER BY ply", m=match_id)


def test_an_old_link_shows_how_things_stand_until_a_year_after_the_end(outbox, over, pages, clock):
    log = log_of(outbox, over.match_id)
    path = f"/t/{over.old_link}"
    before = pages.get(path)
    assert before.status_code == 200
    for days in (61, 300):
        clock.advance(days=days)
        go(outbox)
        page = pages.get(path)
        assert page.status_code == 200
        assert over.player_view().name("red") in page.text or "over" in page.text
    assert outbox.rows("SELECT 1 FROM token WHERE match_id = :m AND purpose = 'reply'", m=over.match_id) == []
    found = outbox.rows("SELECT run, letter_id, expires_at FROM token WHERE purpose = 'turn'")
    assert {tuple(one) for one in found} == {(-1, None, None)}
    clock.advance(days=5)
    go(outbox)
    assert outbox.rows("SELECT hash FROM token WHERE match_id = :m", m=over.match_id) == []
    assert pages.get(path).status_code == 404
    assert log_of(outbox, over.match_id) == log


def test_links_by_an_old_link_are_still_sent_to_the_player(outbox, over, clock):
    clock.advance(days=70)
    go(outbox)
    people.ask_links_by_turn(outbox.store, over.old_link)
    assert outbox.rows("SELECT 1 FROM letter WHERE kind = 'links' AND status = 'waiting'")


def test_the_line_of_an_email_outlives_its_facts(outbox, over, clock):
    player = next(iter(over.rows.values())).player_id
    first = history.latest(outbox.store, player, over.match_id)
    assert first
    sent = outbox.rows("SELECT id FROM letter WHERE player_id = :p AND sent_to <> ''", p=player)[0].id
    signed = signed_addresses.signed(outbox.settings, signed_addresses.LEAVE, sent)
    assert leaving(outbox.store, outbox.settings, signed).player_id == player
    clock.advance(days=366)
    go(outbox)
    again = history.latest(outbox.store, player, over.match_id)
    assert [(one.id, one.kind, one.status, one.sent_at) for one in again] == [
        (one.id, one.kind, one.status, one.sent_at) for one in first
    ]
    assert not any(one.again for one in again)
    assert {row.sent_to for row in outbox.rows("SELECT sent_to FROM letter WHERE match_id IS NOT NULL")} == {
        "-"
    }
    assert outbox.rows("SELECT 1 FROM letter WHERE match_id IS NOT NULL AND player_id IS NULL") == []
    with pytest.raises(NotFound):
        leaving(outbox.store, outbox.settings, signed)
    clock.advance(days=731)
    go(outbox)
    assert outbox.rows("SELECT 1 FROM letter WHERE match_id = :m", m=over.match_id) == []
    assert history.latest(outbox.store, player, over.match_id) == ()


def test_a_running_match_keeps_everything_for_years(outbox, clock, sizes):
    cast.seat(outbox.store)
    outbox.go()
    before = sizes()
    clock.advance(days=2000)
    go(outbox)
    after = sizes()
    for table in ("match", "played", "notice", "chair", "question", "token", "invitation"):
        assert after[table] == before[table], table


def test_big_matches_go_in_small_steps(outbox, over, clock, monkeypatch):
    monkeypatch.setattr(sweep, "ROWS", 2)
    monkeypatch.setattr(sweep, "ROUNDS", 3)
    clock.advance(days=366)
    many = outbox.rows("SELECT count(*) AS n FROM letter WHERE sent_to <> '-'")[0].n
    go(outbox)
    left = outbox.rows("SELECT count(*) AS n FROM letter WHERE sent_to <> '-'")[0].n
    assert many - left <= 2 * 3 * 3
    for _ in range(200):
        go(outbox)
    (done,) = outbox.rows('SELECT tidied FROM "match" WHERE id = :m', m=over.match_id)
    assert done.tidied == 2


# ---- games that never began


def pass_a_day(outbox, clock):
    """A day in which the server runs."""
    with patch.object(site_stops, "GAP", timedelta(days=2)):
        clock.advance(days=1)
        clocks.tick(outbox.store)
        expiry.remind_and_expire(outbox.store)
        outbox.go()
        go(outbox)


def status(outbox, match_id):
    return outbox.rows('SELECT status FROM "match" WHERE id = :m', m=match_id)[0].status


@pytest.fixture
def called_off(outbox):
    """A game with two guests that its host called off; the tokens of its invitations."""
    match_id = cast.open_table(outbox.store, ("Ada", "Bo", "Cleo"))
    found = cast.tokens(outbox.store, match_id)
    invitations.accept(outbox.store, found[0], "Ada", "en", "UTC", "")
    outbox.go()
    invitations.accept(outbox.store, found[1], "Bo", "en", "UTC", "")
    changes.call_off(outbox.store, Viewer(player_id=outbox.player("Ada")), match_id)
    outbox.go()
    return match_id, found


def test_a_game_that_never_began_goes_after_a_month_and_its_links_say_so(outbox, called_off, pages, clock):
    _, found = called_off
    mine = history.latest(outbox.store, outbox.player("Ada"))
    clock.advance(days=29)
    go(outbox)
    assert pages.get(f"/i/{found[1]}").status_code == 200
    clock.advance(days=2)
    go(outbox)
    for table in ("match", "invitation"):
        assert outbox.rows(f'SELECT 1 FROM "{table}"') == []
    page = pages.get(f"/i/{found[1]}")
    assert page.status_code == 409
    assert "called off" in page.text
    assert len(history.latest(outbox.store, outbox.player("Ada"))) == len(mine)
    clock.advance(days=366)
    go(outbox)
    assert outbox.rows("SELECT 1 FROM token") == []
    assert pages.get(f"/i/{found[1]}").status_code == 404


@pytest.mark.usefixtures("called_off")
def test_a_guest_can_still_unsubscribe_by_an_email_of_a_game_that_is_gone(outbox, clock):
    one = outbox.rows("SELECT id FROM letter WHERE kind = 'invited' AND status = 'sent'")[-1].id
    text_ = signed_addresses.signed(outbox.settings, signed_addresses.LEAVE, one)
    before = leaving(outbox.store, outbox.settings, text_)
    clock.advance(days=31)
    go(outbox)
    assert leaving(outbox.store, outbox.settings, text_).address_key == before.address_key


@pytest.mark.usefixtures("called_off")
def test_a_game_with_an_email_that_waits_stays(outbox, clock):
    outbox.write("UPDATE letter SET status = 'waiting' WHERE kind = 'called_off'")
    clock.advance(days=31)
    go(outbox)
    assert outbox.rows('SELECT 1 FROM "match"') != []


def test_a_game_to_which_nobody_answers_is_called_off_and_told(outbox, clock):
    match_id = cast.open_table(outbox.store, ("Ada", "Bo", "Cleo"))
    found = cast.tokens(outbox.store, match_id)
    invitations.accept(outbox.store, found[0], "Ada", "en", "UTC", "")
    outbox.go()
    invitations.accept(outbox.store, found[1], "Bo", "en", "UTC", "")
    for _ in range(43):
        pass_a_day(outbox, clock)
        assert status(outbox, match_id) == "open"
    outbox.clear()
    pass_a_day(outbox, clock)
    pass_a_day(outbox, clock)
    outbox.go()
    assert status(outbox, match_id) == "called_off"
    assert len(outbox.to("Ada", "called off")) == len(outbox.to("Bo", "called off")) == 1
    assert outbox.to("Cleo") == []


def test_a_game_to_which_nobody_can_answer_while_all_clocks_stand_still_is_not_called_off(outbox, clock):
    match_id = cast.open_table(outbox.store, ("Ada", "Bo"))
    invitations.accept(outbox.store, cast.tokens(outbox.store, match_id)[0], "Ada", "en", "UTC", "")
    for _ in range(20):
        pass_a_day(outbox, clock)
    outages.freeze(outbox.store)
    for _ in range(60):
        pass_a_day(outbox, clock)
    outages.thaw(outbox.store)
    for _ in range(20):
        pass_a_day(outbox, clock)
        assert status(outbox, match_id) == "open"
    for _ in range(8):
        pass_a_day(outbox, clock)
    assert status(outbox, match_id) == "called_off"


# ---- rows that only get old


def test_a_caught_email_goes(tmp_path, clock):
    sink = Sink(tmp_path, timedelta(days=30))
    at = int(clock.now().timestamp() * 1e9)
    old, new = (f"{at - days * 86_400 * 10**9:020}-0123abcd.eml" for days in (31, 29))
    for name in (old, new, "another.eml"):
        (tmp_path / name).write_text("a letter")
    Sink(tmp_path, timedelta(days=30))
    assert {one.name for one in tmp_path.iterdir()} == {new, "another.eml"}
    assert sink.folder == tmp_path
