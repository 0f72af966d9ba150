"""Letters that come back: for good they stop letters and say so; delays, policies, machines stop nothing."""

import pytest

from app.mail.bounces import dsn
from app.mail.outbound import smtp
from app.mail.outbound.figures import figures
from app.people import service as people
from app.people.suppression import suppression_of
from app.play.lobby.links import ask_links
from app.play.moves import service
from app.web import create_app
from tests.mail.outbox import links
from tests.play import cast

NOTICE = """\
From: MAILER-DAEMON@mx.example.net
To: <{to}>
Subject: {subject}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=x"

--=x
Content-Type: text/plain

This is the mail system at mx.example.net. It could not deliver your message.
--=x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Mon, 2 Mar 2026 09:41:00 +0000

Original-Recipient: rfc822; ada@example.org
Final-Recipient: rfc822; ada@elsewhere.example
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}

--=x
Content-Type: message/rfc822

Subject: [Tidepost] Ferry #1

--=x--
"""
AWAY = """\
From: Ada <ada@example.org>
To: <{to}>
Subject: Out of office: [Tidepost] Ferry #1
Auto-Submitted: auto-replied

I am away until Monday. 550 5.1.1 is my favourite number.
"""


def notice(to, action="failed", status="5.1.1", said="550 5.1.1 no such user"):
    text = NOTICE.format(to=to, subject="Undelivered", action=action, status=status, said=said)
    return text.encode()


class Post:
    """Ada's turn letter has gone out."""

    def __init__(self, outbox, clock) -> None:
        self.outbox, self.clock = outbox, clock
        self.match = cast.seat(outbox.store)
        clock.advance(minutes=10)
        outbox.go()
        self.sender = self._sender("ada@example.org")

    def _sender(self, address):
        return next(sender for sender, to, _ in reversed(self.outbox.sent) if to == address)

    def back(self, raw=None, to=""):
        to = to or self.sender
        return dsn.bounced(
            self.outbox.store, self.outbox.settings, to.partition("@")[0], notice(to) if raw is None else raw
        )

    def suppress(self, key="ada@example.org"):
        with self.outbox.store.reading() as connection:
            return suppression_of(connection, key)

    def seat(self):
        return next(seat for seat in self.match.rows if self.match.player_view().name(seat) == "Ada")

    def turn(self):
        """Bo and Ada act until Ada is asked anew."""
        self.match = cast.seat(self.outbox.store)


@pytest.fixture
def post(outbox, clock):
    return Post(outbox, clock)


@pytest.fixture
def browser(outbox):
    return create_app(outbox.settings, outbox.store).test_client()


def signed_in(post, browser, name="Ada"):
    from datetime import timedelta

    from app.play.match import links as paths

    with post.outbox.store.transaction() as connection:
        token = paths.mint(
            connection,
            "sign_in",
            player_id=post.outbox.player(name),
            expires_at=post.clock.now() + timedelta(hours=1),
        )
    browser.post(f"/s/{token}")
    return browser


def test_a_letter_that_nobody_takes_for_good_stops_letters_to_that_address(post):
    assert post.back() == "bounced"
    assert post.suppress().reason == "bounced"
    assert ("failed", "bounced") in post.outbox.state("Ada")
    post.turn()
    post.clock.advance(minutes=10)
    post.outbox.clear()
    post.outbox.go()
    assert post.outbox.to("Ada") == []
    assert post.outbox.state("Ada")[-1] == ("dropped", "suppressed")
    assert len(post.outbox.to("Bo")) == 1


def test_the_same_notice_twice_is_one_effect(post):
    post.back()
    first = post.suppress()
    post.clock.advance(hours=1)
    assert post.back() == "bounced"
    assert post.suppress() == first


def test_a_second_notice_of_one_letter_undoes_no_trying_again(post):
    """Some systems send it twice, hours apart."""
    post.back()
    people.try_letters_again(post.outbox.store, post.outbox.player("Ada"))
    post.clock.advance(hours=1)
    post.back()
    assert post.suppress() is None


def test_a_notice_of_a_letter_sent_before_the_address_was_known_to_fail_changes_nothing(post):
    post.turn()
    post.clock.advance(minutes=10)
    post.outbox.go()
    later = post._sender("ada@example.org")
    assert later != post.sender
    post.clock.advance(minutes=1)
    post.back()
    known = post.suppress()
    post.clock.advance(hours=1)
    assert post.back(to=later) == "bounced"
    assert post.suppress() == known


def test_a_notice_of_a_letter_sent_since_the_address_was_known_to_fail_is_the_newer_knowledge(post):
    """A link was asked for, and its letter tried the address once more."""
    post.back()
    known = post.suppress()
    post.clock.advance(minutes=1)
    people.ask_sign_in(post.outbox.store, "ada@example.org")
    post.outbox.go()
    post.clock.advance(minutes=1)
    assert post.back(to=post._sender("ada@example.org")) == "bounced"
    assert post.suppress().at == post.clock.now() > known.at


@pytest.mark.parametrize(
    ("action", "status", "said", "what"),
    [
        ("delayed", "4.4.1", "451 4.4.1 try later", "kept"),
        ("failed", "4.4.7", "delivery time expired", "kept"),
        ("failed", "5.7.1", "550 5.7.1 refused by policy", "kept"),
        ("failed", "5.0.0", "550 5.7.26 not authenticated", "kept"),
        ("failed", "5.2.2", "552 5.2.2 mailbox full", "kept"),
        ("failed", "5.1.8", "550 5.1.8 bad sender", "kept"),
        ("delivered", "2.0.0", "250 ok", "kept"),
        ("relayed", "2.0.0", "250 ok", "kept"),
        ("failed", "5.1.1", "no such user", "bounced"),
        ("Failed (permanently)", "5.1.10", "no such domain", "bounced"),
        ("failed", "5.0.0", "550 5.1.1 no such user", "bounced"),
        ("failed", "5.4.4", "host not found", "bounced"),
        ("failed", "5.2.1", "mailbox disabled", "bounced"),
    ],
)
def test_only_an_address_that_is_none_for_good_counts(post, action, status, said, what):
    assert post.back(notice(post.sender, action, status, said)) == what
    assert (post.suppress() is not None) == (what == "bounced")


@pytest.mark.parametrize(
    ("action", "status", "shown"),
    [
        ("failed", "5.2.2", ("failed", "mailbox_full")),
        ("failed", "4.4.7", ("failed", "undelivered")),
        ("delayed", "4.4.1", ("sent", "")),
        ("delivered", "2.0.0", ("sent", "")),
    ],
)
def test_a_letter_that_did_not_arrive_is_not_called_sent(post, action, status, shown):
    """Though its address may be good: its player can have it sent again."""
    post.back(notice(post.sender, action, status, ""))
    assert post.outbox.state("Ada")[-1] == shown


def test_an_answering_machine_is_no_bounce(post):
    """Whatever it says: no notice of delivery is in it."""
    assert post.back(AWAY.format(to=post.sender).encode()) == "no_notice"
    assert post.suppress() is None


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00",
        b"Content-Type: message/delivery-status\n\nAction: failed\n\n\xff",
        b"Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\n--x--",
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 5000,
        b"From: " + b"(" * 5000 + b"\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n",
        b"Content-Type: message/delivery-status\n\nStatus: \n 5.1.\n 1\nAction:\n",
    ],
)
def test_a_broken_mail_is_no_bounce_and_breaks_nothing(post, raw):
    assert post.back(raw) in ("no_notice", "kept")
    assert post.suppress() is None


def test_a_notice_to_an_address_that_we_never_wrote_stops_nothing(post):
    for to in ("b+" + "a" * 42, "b+", "tidepost", "u" + post.sender[1:], post.sender[:-1]):
        local = to.partition("@")[0]
        if local != post.sender.partition("@")[0]:
            assert post.back(notice(to), f"{local}@h.example") == "unknown"
    assert post.suppress() is None


def test_a_server_that_knows_no_such_address_counts_as_a_bounce_and_one_that_dislikes_us_does_not(post):
    post.turn()
    post.outbox.refusals["ada@example.org"] = smtp.Refused("address_refused", 550, "5.7.1 policy")
    post.clock.advance(minutes=10)
    post.outbox.go()
    assert (post.outbox.state("Ada")[-1], post.suppress()) == (("failed", "address_refused"), None)
    post.turn()
    post.outbox.refusals["ada@example.org"] = smtp.Refused("address_refused", 550, "5.1.1 unknown")
    post.clock.advance(minutes=10)
    post.outbox.go()
    assert post.suppress().reason == "bounced"


def test_who_asks_for_a_link_gets_one_try_each_time(post):
    post.back()
    post.clock.advance(minutes=1)
    people.ask_sign_in(post.outbox.store, "ada@example.org")
    post.outbox.clear()
    post.outbox.go()
    assert len(post.outbox.to("Ada", "Sign in")) == 1
    post.sender = post._sender("ada@example.org")
    post.back()
    post.clock.advance(minutes=10)
    ask_links(post.outbox.store, "ada@example.org")
    post.outbox.go()
    assert len(post.outbox.to("Ada", "Your links")) == 1


def test_a_player_whose_letters_come_back_sees_it_on_every_page_with_other_ways_and_tries_again(
    post, browser
):
    """A banner, the feeds, a bookmark, another address; and the letter that was kept back."""
    signed_in(post, browser, "Ada")
    assert "Emails to you bounce" not in browser.get("/").text
    post.back()
    post.clock.advance(minutes=1)
    post.turn()
    post.clock.advance(minutes=10)
    post.outbox.go()
    post.outbox.clear()
    for path in ("/", "/profile", f"/m/{post.match.match_id}", "/rules", "/profile/letters"):
        page = browser.get(path).text
        assert page.count("Emails to you bounce") == 1, path
        assert 'href="/profile"' in page
    post.outbox.go()
    assert post.outbox.to("Ada") == []
    assert browser.post("/profile", data={"do": "try_again"}).status_code == 303
    assert "Emails to you bounce" not in browser.get("/").text
    post.outbox.go()
    assert len(post.outbox.to("Ada", "your turn")) == 1


def test_the_page_of_their_turn_says_it_too_and_nobody_elses(post, browser):
    token = links(post.outbox.to("Ada")[0], "/t/")[0].rsplit("/", 1)[1].partition("?")[0]
    other = links(post.outbox.to("Bo")[0], "/t/")[0].rsplit("/", 1)[1].partition("?")[0]
    browser.get(f"/t/{token}")
    post.back()
    assert "Emails to you bounce" in browser.get(f"/t/{token}").text
    assert "bounce" not in browser.get(f"/t/{other}").text
    assert "bounce" not in browser.get(f"/m/{post.match.match_id}").text
    assert browser.post(f"/t/{other}", data={"do": "try_again"}).status_code == 303
    assert post.suppress() is not None
    answer = browser.post(f"/t/{token}", data={"do": "try_again"})
    assert answer.status_code == 303
    assert post.suppress() is None
    assert "You’ll get emails at your address again" in browser.get(answer.location).text


def test_a_bounce_costs_nobody_their_game(post):
    post.back()
    service.play(post.outbox.store, post.match.bearer(post.seat()), post.match.question(post.seat()), "bid 1")
    assert post.match.player_view().status == "running"


INPUTS = [
    ("5.0.0", "554 DT:SPM 163 mx1,x, message looks like spam"),
    ("5.0.0", "550 JunkMail rejected - host is in an RBL, see the list"),
    ("5.0.0", "553 sorry, your envelope sender is not allowed"),
    ("5.7.1", "550 5.7.1 ada@example.org is on the suppression list"),
    ("5.0.0", "550 permanently deferred: ip in prison"),
    ("5.7.26", "550 5.7.26 unauthenticated mail is not accepted"),
    ("5.0.0", "550 your sending rate is too high"),
    ("5.1.8", "550 bad sender"),
    ("5.4.1", "554 relay access denied"),
]


@pytest.mark.parametrize(("status", "said"), INPUTS)
def test_a_notice_that_is_about_us_bars_nobody_and_is_told_to_the_operator(post, status, said):
    assert post.back(notice(post.sender, "failed", status, said)) == "kept"
    assert post.suppress() is None
    assert post.outbox.state("Ada")[-1] == ("failed", "refused_us")
    found = figures(post.outbox.store)
    assert found.relay_kind == "us"
    assert "ada@example.org" not in found.relay_said
    assert found.failed == {"refused_us": 1}


def test_that_there_is_no_such_mailbox_is_the_last_word(post):
    """First it was full; then it was closed."""
    post.back(notice(post.sender, "failed", "5.2.2", "552 5.2.2 mailbox full"))
    assert post.outbox.state("Ada")[-1] == ("failed", "mailbox_full")
    assert post.suppress() is None
    assert post.back(notice(post.sender, "failed", "5.1.1", "550 5.1.1 no such user")) == "bounced"
    assert post.outbox.state("Ada")[-1] == ("failed", "bounced")
    assert post.suppress().reason == "bounced"
    post.back(notice(post.sender, "failed", "5.2.2", "552 5.2.2 mailbox full"))
    assert post.outbox.state("Ada")[-1] == ("failed", "bounced")
