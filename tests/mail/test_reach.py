"""Trouble that is ours: who is told, what waits, and since when nobody could be asked."""

from datetime import timedelta

import pytest

from app.mail.bounces.refusals import About
from app.mail.core import relay
from app.mail.outbound import deliver, smtp
from app.mail.outbound.figures import figures
from app.people import reach
from app.people import service as people
from app.play.match import links as paths
from app.store.outbox import undeliverable_since
from app.web import create_app
from tests.mail.test_bounces import Post, notice, post, signed_in
from tests.mail.test_time_letters import ada_and_bo

__all__ = ["post"]

LISTED = smtp.Refused("address_refused", 550, "5.7.1 ada@example.org is on the suppression list")
FULL = smtp.Refused("address_refused", 552, "5.2.2 mailbox full")
POLICY = smtp.Refused("letter_refused", 554, "5.6.0 malformed")
BUSY = smtp.TryLater("address_refused", 450, "4.2.0 greylisted")
AWAY = smtp.TryLater("connection", 0, "timed out")
ADA = "ada@example.org"
BANNER = "Emails don’t reach you."


@pytest.fixture
def browser(outbox):
    return create_app(outbox.settings, outbox.store).test_client()


def a_turn(post: Post, trouble: smtp.Unsent | None) -> None:
    """Ada is asked in another match, and her server answers so."""
    if trouble is None:
        post.outbox.refusals.pop(ADA, None)
    else:
        post.outbox.refusals[ADA] = trouble
    post.turn()
    post.clock.advance(minutes=10)
    post.outbox.go()


def known(post: Post) -> reach.Unreached | None:
    with post.outbox.store.reading() as connection:
        return reach.of_address(connection, ADA)


def since(post: Post):
    seat = post.seat()
    turn = post.outbox.rows(
        "SELECT run FROM question WHERE match_id = :m AND seat = :s AND closed_at IS NULL",
        m=post.match.match_id,
        s=seat,
    )[0].run
    with post.outbox.store.reading() as connection:
        return undeliverable_since(connection, post.match.match_id, seat, turn, post.outbox.player("Ada"))


def test_a_player_sees_that_emails_do_not_arrive_and_nobody_else_does(post, browser):
    signed_in(post, browser, "Ada")
    post.clock.advance(minutes=1)  # what comes now she has not seen
    a_turn(post, LISTED)
    assert BANNER not in browser.get("/").text, "once may be chance"
    a_turn(post, LISTED)
    assert post.suppress() is None
    for path in ("/", "/profile", f"/m/{post.match.match_id}", "/profile/letters"):
        assert browser.get(path).text.count(BANNER) == 1, path
    stranger = create_app(post.outbox.settings, post.outbox.store).test_client()
    assert BANNER not in signed_in(post, stranger, "Bo").get("/").text
    a_turn(post, None)
    assert BANNER not in browser.get("/").text


def test_who_opens_the_link_of_a_turn_sees_it_without_signing_in(post, browser):
    for _ in range(2):
        a_turn(post, LISTED)
    with post.outbox.store.transaction() as connection:
        token = paths.mint(
            connection,
            "turn",
            match_id=post.match.match_id,
            player_id=post.outbox.player("Ada"),
            seat=post.seat(),
            run=post.outbox.rows(
                "SELECT run FROM question WHERE match_id = :m AND seat = :s AND closed_at IS NULL",
                m=post.match.match_id,
                s=post.seat(),
            )[0].run,
        )
    assert browser.get(f"/t/{token}").text.count(BANNER) == 1


def test_a_player_with_a_full_mailbox_is_told_that_and_not_that_it_is_ours(post, browser):
    signed_in(post, browser, "Ada")
    post.clock.advance(minutes=1)
    for _ in range(2):
        a_turn(post, FULL)
    page = browser.get("/").text
    assert page.count(BANNER) == 1
    assert "Your mailbox is full." in page
    assert "isn’t your fault" not in page


@pytest.mark.parametrize(
    ("bounced", "kind", "words"),
    [
        (True, None, "doesn’t accept emails"),
        (False, About.FULL, "doesn’t accept emails"),
        (False, About.US, "refuses our emails"),
        (True, About.US, "doesn’t accept emails"),
    ],
)
def test_the_host_sees_which_players_emails_do_not_reach(post, browser, bounced, kind, words):
    host = next(name for name in ("Ada", "Bo") if post.match.player_view().name(_keys(post)) == name)
    other = "Bo" if host == "Ada" else "Ada"
    address = f"{other.casefold()}@example.org"
    with post.outbox.store.transaction() as connection:
        if bounced:
            from app.people.suppression import suppress

            suppress(connection, address, "bounced", post.clock.now())
        for _ in range(reach.REPEATED if kind else 0):
            reach.refused(connection, address, kind, "550", post.clock.now())
    page = signed_in(post, browser, host).get(f"/m/{post.match.match_id}/table").text
    assert page.count(f"Emails don’t reach {other}.") == 1
    assert words in page
    stranger = create_app(post.outbox.settings, post.outbox.store).test_client()
    own = signed_in(post, stranger, other).get(f"/m/{post.match.match_id}/table").text
    assert "Emails don’t reach" not in own.replace(BANNER, "")


def _keys(post: Post) -> str:
    view = post.match.player_view()
    assert view.keys is not None
    return view.keys


def test_trying_again_forgets_the_refusals(post):
    for _ in range(2):
        a_turn(post, LISTED)
    assert known(post).times == 2
    people.try_letters_again(post.outbox.store, post.outbox.player("Ada"))
    assert known(post) is None


def test_notices_count_too_and_are_believed_for_a_while_though_the_next_email_was_taken(post):
    """The relay takes everything; the answer comes an hour later."""
    for _ in range(2):
        a_turn(post, None)
        post.sender = post._sender(ADA)
        post.clock.advance(hours=1)
        post.back(notice(post.sender, "failed", "5.7.1", "550 5.7.1 on the suppression list"))
    assert known(post).times == 2
    a_turn(post, None)
    assert known(post).times == 2
    post.clock.advance(days=4)
    a_turn(post, None)
    assert known(post) is None


def test_the_operator_is_told_when_many_refuse_us(post):
    assert figures(post.outbox.store).wrong == ()
    with post.outbox.store.transaction() as connection:
        for name in ("ada", "cleo", "dan"):
            reach.refused(connection, f"{name}@example.org", About.US, "550 listed", post.clock.now())
    a_turn(post, LISTED)
    found = figures(post.outbox.store)
    assert any("3 addresses refused emails because of us" in line for line in found.wrong)
    assert (found.relay_kind, found.relay_said) == ("us", "550 5.7.1 … is on the suppression list")


def test_what_is_refused_because_of_us_is_tried_twice_more_and_then_fails(post):
    a_turn(post, LISTED)
    assert post.outbox.state("Ada")[-1] == ("waiting", "refused_us")
    for hours in (1, 6):
        post.clock.advance(hours=hours)
        post.outbox.go()
    assert post.outbox.state("Ada")[-1] == ("failed", "refused_us")
    assert figures(post.outbox.store).failed == {"refused_us": 1}


@pytest.mark.parametrize(
    "said",
    ["5.2.1 receiving mail at a rate that prevents more", "5.3.2 system not accepting", "5.4.7 expired"],
)
def test_what_is_refused_for_now_under_a_permanent_code_is_tried_again_and_is_not_the_persons(post, said):
    """A relay that answers so for a day would else lose all the letters of that day."""
    a_turn(post, smtp.Refused("address_refused", 550, said))
    assert post.outbox.state("Ada")[-1] == ("waiting", "address_refused")
    assert since(post) == post.clock.now()
    for hours in (1, 6):
        post.clock.advance(hours=hours)
        post.outbox.go()
    assert post.outbox.state("Ada")[-1] == ("failed", "address_refused")
    assert since(post) is not None
    assert post.suppress() is None


def test_a_list_that_forgets_us_within_the_hour_costs_nobody_an_email(post):
    a_turn(post, LISTED)
    post.outbox.refusals.clear()
    post.clock.advance(hours=1)
    post.outbox.go()
    assert post.outbox.state("Ada")[-1] == ("sent", "")


def test_a_full_mailbox_is_tried_for_days_and_then_is_the_persons(post):
    a_turn(post, FULL)
    assert post.outbox.state("Ada")[-1] == ("waiting", "mailbox_full")
    assert since(post) is None, "the player can empty it"
    for _ in range(5):
        post.clock.advance(days=1)
        post.outbox.go()
    assert post.outbox.state("Ada")[-1] == ("failed", "mailbox_full")
    assert post.suppress() is None
    for _ in range(4):
        a_turn(post, FULL)
        post.clock.advance(days=4)
    assert post.suppress().reason == "bounced"


@pytest.mark.parametrize("trouble", [LISTED, POLICY, BUSY, AWAY])
def test_since_when_a_turn_cannot_be_asked_for(post, trouble):
    assert since(post) is None, "it went out"
    a_turn(post, trouble)
    began = post.clock.now()
    assert since(post) == began
    post.clock.advance(hours=8)
    post.outbox.go()
    assert since(post) == began
    post.outbox.refusals.clear()
    post.outbox.write("UPDATE letter SET status = 'waiting', held_until = NULL WHERE status = 'failed'")
    post.clock.advance(hours=8)
    post.outbox.go()
    assert since(post) is None


def test_what_the_players_own_settings_or_mailbox_keep_back_is_not_ours(post):
    a_turn(post, smtp.Refused("address_refused", 550, "5.1.1 user unknown"))
    assert post.suppress() is not None
    assert since(post) is None
    a_turn(post, None)
    assert post.outbox.state("Ada")[-1] == ("dropped", "suppressed")
    assert since(post) is None


def test_a_mail_server_that_is_away_is_left_alone_and_then_tried_once(post, monkeypatch):
    """The others wait without being tried; the sign that it works lets all go on."""
    tried = []

    def send(_url, _sender, recipient, _message):
        tried.append(recipient)
        if trouble:
            raise trouble[0]

    for _ in range(3):
        post.turn()
    post.clock.advance(minutes=10)
    trouble = [AWAY]
    run = lambda: deliver.run_batch(post.outbox.store, post.outbox.settings, send)  # noqa: E731
    assert run() is False
    assert len(tried) == 1
    assert figures(post.outbox.store).relay_said == "timed out"
    run()
    assert len(tried) == 1, "it is left alone"
    waiting = post.outbox.rows("SELECT tries, stuck_since FROM letter WHERE status = 'waiting'")
    assert {row.tries for row in waiting} == {0, 1}
    assert all(row.stuck_since for row in waiting)
    post.clock.advance(seconds=31)
    run()
    assert len(tried) == 2, "one tries, the others wait for it"
    post.clock.advance(minutes=2)
    trouble.clear()
    run()
    assert post.outbox.rows("SELECT 1 FROM letter WHERE status = 'waiting'") == []
    assert figures(post.outbox.store).relay_failing_since is None
    assert monkeypatch


def test_the_rest_grows_and_is_bounded(store, clock):
    rests = []
    for _ in range(20):
        with store.transaction() as connection:
            rests.append(relay.failed(connection, clock.now(), "connection", "") - clock.now())
    assert rests[:3] == [timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=2)]
    assert rests[-1] == relay.LONGEST_REST


def test_one_of_many_workers_tries_a_server_that_failed(store, clock):
    with store.transaction() as connection:
        relay.failed(connection, clock.now(), "connection", "")
    assert not deliver.server.admits(store)
    clock.advance(seconds=31)
    assert [deliver.server.admits(store) for _ in range(3)] == [True, False, False]
    clock.advance(minutes=4)
    assert deliver.server.admits(store), "who tried it may have died"


def test_letters_that_went_out_after_the_server_was_away_give_their_time_back(outbox, clock):
    match, seat = ada_and_bo(outbox.store)
    before = next(one.due_at for one in match.player_view().deadlines if one.seat == seat)
    clock.advance(minutes=10)
    with outbox.store.transaction() as connection:
        relay.failed(connection, clock.now() + timedelta(hours=2), "connection", "")
    outbox.go()
    assert outbox.state("Ada")[-1][0] == "waiting"
    clock.advance(hours=3)
    outbox.go()
    after = next(one.due_at for one in match.player_view().deadlines if one.seat == seat)
    assert after - before == timedelta(hours=3)
