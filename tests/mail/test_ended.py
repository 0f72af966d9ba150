"""Replies once a player has ended their links, and replies that are not from where they claim."""

import re

import pytest
from msgspec.structs import replace

from app.mail.inbound.store import Taken
from app.people import keys
from app.people import service as people
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast

VERIFIER = "mx.play.example.org"


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


@pytest.fixture
def ada(post):
    return next(player for player, seat in post.names.items() if seat == "red")


def told(message) -> str:
    return " ".join(text_of(message).split())


def link(message, part: str) -> str:
    return re.search(rf"https://play\.example\.org{part}\S+", text_of(message))[0]


class TestEndedAddresses:
    def test_a_reply_to_an_ended_address_does_nothing_and_is_answered_with_fresh_links(self, post, ada):
        keys.end_all(post.store, ada, fresh=False)
        post.reply("red", "bid 2")
        last = post.last("red")
        assert post.moves() == []
        assert "no longer works" in told(last)
        assert "“bid 2”" in told(last)
        token = link(last, "/s/").rsplit("/", 1)[1]
        assert people.sign_in(post.store, token).id == ada
        assert post.incoming().status == "read"

    def test_the_answer_can_be_replied_to(self, post, ada):
        keys.end_all(post.store, ada, fresh=False)
        post.reply("red", "bid 2")
        post.reply("red", "bid 2")
        assert post.moves() == [("red", "bid 2")]

    def test_it_goes_to_the_registered_address_whoever_wrote(self, post, ada):
        """A thief with an old email gets nothing, and its owner hears of it."""
        keys.end_all(post.store, ada, fresh=False)
        before = len(post.sent)
        post.reply("red", "bid 2", From="Eve <eve@example.net>")
        assert post.moves() == []
        assert {to for _, to, _ in post.sent[before:]} == {post.address("red")}
        assert "no longer works" in told(post.last("red"))

    @pytest.mark.parametrize(
        "body", ["", "what happened?", "away from 3 Dec to 10 Dec 2026", "resign", "help"]
    )
    def test_no_reply_ends_in_silence(self, post, ada, body):
        keys.end_all(post.store, ada, fresh=False)
        before = len(post.letters("red"))
        post.reply("red", body)
        assert len(post.letters("red")) == before + 1
        assert "no longer works" in told(post.last("red"))

    def test_a_thief_cannot_fill_the_mailbox(self, post, ada):
        """Beyond three a day, what comes from elsewhere is told in one email."""
        keys.end_all(post.store, ada, fresh=False)
        old, before = post.last("red"), len(post.letters("red"))
        for n in range(8):
            post.reply("red", f"bid {n}", to=old, From="Eve <eve@example.net>")
        assert len(post.letters("red")) == before + 3

    def test_a_mail_that_waited_while_its_address_ended_is_not_carried_out(self, post, ada):
        message = post.written("red", "bid 2", post.last("red"))
        assert post.hand_in(message) is Taken.KEPT
        keys.end_all(post.store, ada, fresh=False)
        post.execute("UPDATE incoming SET tries = 1")
        post.deliver()
        assert post.moves() == []
        assert "no longer works" in told(post.last("red"))

    def test_an_automatic_answer_gets_none(self, post, ada):
        keys.end_all(post.store, ada, fresh=False)
        before = len(post.sent)
        post.reply("red", "I am away", Auto_Submitted="auto-replied")
        assert len(post.sent) == before

    def test_the_others_addresses_stay_good(self, post, ada):
        keys.end_all(post.store, ada, fresh=False)
        post.reply("blue", "bid 2")
        assert ("blue", "bid 2") in post.moves()


class TestEndingByReply:
    @pytest.mark.parametrize("line", ["end all", "End all my sessions and links.", "END ALL LINKS!"])
    def test_everything_ends_and_the_answer_has_new_links(self, post, ada, line):
        before, browser = post.last("red"), keys.begin(post.store, ada)
        old = link(before, "/t/")
        post.reply("red", line)
        last = post.last("red")
        assert "have ended" in told(last)
        assert people.signed_in(post.store, browser) is None
        assert link(last, "/t/") != old
        post.reply("red", "bid 2", to=before)
        assert post.moves() == []
        post.reply("red", "bid 2", to=last)
        assert post.moves() == [("red", "bid 2")]

    @pytest.mark.parametrize("line", ["end", "end of my turn", "end all of this", "all end"])
    def test_other_sentences_end_nothing(self, post, ada, line):
        browser = keys.begin(post.store, ada)
        post.reply("red", line)
        assert people.signed_in(post.store, browser) is not None

    def test_from_another_address_it_is_asked_about(self, post, ada):
        browser = keys.begin(post.store, ada)
        post.reply("red", "end all", From="eve@example.net")
        assert people.signed_in(post.store, browser) is not None
        assert "did you write this" in post.last("red")["Subject"].lower()

    def test_a_mail_that_is_read_again_after_a_worker_died_is_carried_out(self, post):
        """The first worker ended the address, and died before it answered."""
        message = post.written("red", "end all", post.last("red"))
        assert post.hand_in(message) is Taken.KEPT
        post.execute("UPDATE incoming SET tries = 1")
        post.execute("UPDATE token SET ended_at = (SELECT received_at FROM incoming)")
        post.deliver()
        assert "have ended" in told(post.last("red"))

    def test_help_tells_of_it(self, post):
        post.reply("red", "help")
        assert "“end all”" in told(post.last("red"))


class TestUnprovenSenders:
    @pytest.fixture
    def post(self, post, tmp_path):
        post.settings = replace(settings(tmp_path), authserv_id=VERIFIER)
        return post

    def test_a_failed_dmarc_plays_nothing_and_the_player_is_asked(self, post):
        post.reply("red", "bid 2", Authentication_Results=f"{VERIFIER}; spf=fail; dmarc=fail (p=none)")
        last = post.last("red")
        assert post.moves() == []
        assert "did you write this" in last["Subject"].lower()
        assert "wasn’t sent from there" in told(last)
        assert "do=bid%202" in link(last, "/t/")

    @pytest.mark.parametrize(
        "results",
        [f"{VERIFIER}; dmarc=pass", f"{VERIFIER}; none", "mx.evil.example; dmarc=fail", None],
    )
    def test_everything_else_is_as_before(self, post, results):
        post.reply("red", "bid 2", Authentication_Results=results)
        assert post.moves() == [("red", "bid 2")]

    def test_a_verdict_that_came_with_the_mail_does_not_hide_the_servers(self, post):
        message = post.written("red", "bid 2", post.last("red"))
        forged = f"{VERIFIER}; dmarc=pass"
        message["Authentication-Results"] = forged
        raw = f"Authentication-Results: {VERIFIER};\r\n dmarc=fail\r\n".encode() + message.as_bytes()
        assert post.hand_in_raw(raw, message) is Taken.KEPT
        post.deliver()
        assert post.moves() == []

    def test_without_the_setting_no_verdict_counts(self, post, tmp_path):
        post.settings = settings(tmp_path)
        post.reply("red", "bid 2", Authentication_Results=f"{VERIFIER}; dmarc=fail")
        assert post.moves() == [("red", "bid 2")]

    def test_by_nothing_else_is_anything_done_for_such_a_sender(self, post):
        for line in ("away from 3 Dec to 10 Dec 2026", "emails none", "say hello", "end all"):
            post.reply("red", line, Authentication_Results=f"{VERIFIER}; dmarc=fail")
        for table in ("absence", "preference", "notice WHERE what = 'said'"):
            assert cast.rows(post.store, f"SELECT * FROM {table}") == []
