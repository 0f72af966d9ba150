"""Replies: what is done by them, what is not, and what their writers are told."""

import re

import pytest

from app.mail.core import inbox
from app.mail.inbound import dispatch, position, process, replies
from app.mail.inbound.store import Taken, take_in
from app.play.match import links
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast
from tests.rows import moment


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


def answer(post: Post, seat: str) -> str:
    """The text of the last answer to a seat, in one line."""
    answers = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return " ".join(text_of(answers[-1]).split())


def test_a_reply_plays_and_its_answer_says_so_and_shows_the_board(post):
    asked = post.last("red")
    sent = post.reply("red", "bid 2")
    assert post.moves() == [("red", "bid 2")]
    assert cast.one(post.store, "SELECT source FROM played WHERE ply = 1").source == "letter"
    told = answer(post, "red")
    assert "Played: “bid 2”." in told
    assert "red is on place 0" in told
    last = post.last("red")
    assert last["In-Reply-To"] == sent["Message-ID"]
    assert last["References"].split()[0] == asked["References"]
    sender, to, _ = post.sent[-1]
    assert (sender, to) == ("", post.address("red"))
    assert next(part for part in last.walk() if part.get_content_type() == "image/png")


def test_a_letter_names_its_address_for_replies_and_how_one_answers(post):
    asked = post.last("red")
    assert re.fullmatch(r"Tidepost <r\+[a-z2-7]{26}@play\.example\.org>", asked["Reply-To"])
    assert "You can reply to this email" in text_of(asked)
    assert "don’t read replies" not in text_of(asked)
    html = asked.get_body(("html",)).get_content()
    assert re.search(
        r'href="mailto:r\+[a-z2-7]{26}@play\.example\.org\?subject=[^"&]+&amp;body=bid%202"', html
    )
    assert post.last("blue")["Reply-To"] != asked["Reply-To"]


@pytest.mark.parametrize("line", ["x" * 19_000, "<" * 19_000, "bid " + "&" * 19_000, "orders " + "<" * 190])
def test_what_cannot_be_read_comes_back_cut_however_long_it_was(post, line):
    """Nobody can have letters written that mail programs cut off."""
    post.reply("red", line)
    last = post.last("red")
    assert "can’t read" in answer(post, "red")
    assert max(map(len, text_of(last).splitlines())) < 300
    assert len(last.get_body(("html",)).get_content().encode()) < 30_000


@pytest.mark.parametrize(
    "line", ["board", "help", "say a", "note b", "legal", "orders", "ahead", "games", "seen"]
)
def test_a_reply_of_very_many_lines_has_a_letter_of_the_usual_size_for_an_answer(post, line):
    post.reply("red", f"{line}\n" * 2000)
    assert len(post.last("red").get_body(("html",)).get_content().encode()) < 40_000


def test_several_lines_make_a_turn_and_the_answer_asks_for_the_next_step(post):
    post.reply("blue", "bid 0")
    post.reply("red", "bid 2\nrow on\nroll")
    assert [move for _, move in post.moves()][:3] == ["bid 0", "bid 2", "row on"]
    told = answer(post, "red")
    assert told.count("Played: ") == 3
    assert post.letters("red")[-1]["Reply-To"] != post.letters("red")[0]["Reply-To"]


def test_a_refused_line_ends_the_run_what_came_before_it_stands(post):
    post.reply("blue", "bid 0")
    post.reply("red", "bid 2\nrow sideways\nroll")
    assert post.moves() == [("blue", "bid 0"), ("red", "bid 2")]
    told = answer(post, "red")
    assert "Played: “bid 2”" in told
    assert "row sideways" in told
    assert "roll” wasn’t tried" in told or "We stopped reading" in told


def test_the_same_mail_twice_plays_once_and_is_answered_once(post):
    message = post.reply("red", "bid 2")
    letters = len(post.sent)
    assert post.hand_in(message) is Taken.KNOWN
    post.deliver()
    assert len(post.sent) == letters
    assert post.moves() == [("red", "bid 2")]


def test_a_worker_that_dies_in_the_middle_leaves_nothing_twice(post, clock, monkeypatch):
    post.reply("blue", "bid 0")
    message = post.written("red", "bid 2\nrow on\nundo", post.last("red"))
    post.hand_in(message)

    def dies(*_args, **_more):
        raise SystemExit

    with monkeypatch.context() as trouble:
        trouble.setattr(replies, "_answered", dies)
        with pytest.raises(SystemExit):
            post.deliver()
    played = post.moves()
    assert played[-1] == ("red", "undo")
    post.deliver()
    assert post.incoming().status == "waiting", "the dead worker's lease still runs"
    clock.advance(minutes=3)
    post.deliver()
    assert post.moves() == played
    assert post.incoming().status == "read"
    assert answer(post, "red").count("Done: ") == 3
    assert len([one for one in post.letters("red") if one["Auto-Submitted"] == "auto-replied"]) == 1


def carried_out_twice(post: Post, clock, monkeypatch, body: str, to) -> str:
    """The answer to a reply that a worker carried out, who died before they wrote so down."""
    post.hand_in(post.written("red", body, to))

    def dies(*_args, **_more):
        raise SystemExit

    with monkeypatch.context() as trouble:
        trouble.setattr(replies, "_answered", dies)
        with pytest.raises(SystemExit):
            post.deliver()
    clock.advance(minutes=3)
    post.deliver()
    return answer(post, "red")


def test_who_resigns_by_a_mail_that_is_read_twice_has_resigned_once(post, clock, monkeypatch):
    """The second reading finds the game over, as they were one of two."""
    post.reply("red", "resign")
    told = carried_out_twice(post, clock, monkeypatch, f"resign {post.match.match_id}", post.last("red"))
    assert "Done: " in told
    assert "didn’t work" not in told
    assert post.moves() == [("red", "resign")]
    assert cast.one(post.store, "SELECT source FROM played WHERE move = 'resign'").source == "letter"


def test_who_comes_back_by_a_mail_that_is_read_twice_keeps_their_other_absence(post, clock, monkeypatch):
    post.reply("red", "away from 5 March to 7 March\naway from 10 April to 12 April")
    told = " ".join(carried_out_twice(post, clock, monkeypatch, "back", post.letters("red")[0]).split())
    assert "You wrote “back”. Your absence from 5 March 2026 to 7 March 2026 is cancelled." in told
    assert "You’re still away from 10 April 2026 to 12 April 2026." in told
    left = cast.rows(post.store, "SELECT begins FROM absence WHERE cancelled_at IS NULL")
    assert [moment(row.begins).month for row in left] == [4]


def test_a_reply_to_an_old_letter_plays_nothing_and_shows_how_things_stand(post):
    old = post.last("red")
    post.reply("blue", "bid 0")
    post.reply("red", "bid 2\nroll")
    post.reply("blue", "allow")
    assert "red" in post.match.player_view("red").to_move, "the next round asks them too"
    played = post.moves()
    post.reply("red", "bid 1", to=old)
    assert post.moves() == played
    assert "the turn in that email is over" in answer(post, "red")


def test_from_another_address_nothing_is_played_and_the_owner_is_asked(post):
    """When in doubt it is not played: an address that is not their own needs the yes of the player."""
    post.reply("red", "bid 2\nroll", From="Mallory <mallory@example.net>")
    assert post.moves() == []
    last = post.last("red")
    assert "did you write this" in last["Subject"]
    told = text_of(last)
    assert "mallory@example.net" in told
    assert "“bid 2”" in told
    assert re.search(r"/t/[\w-]{23}\?do=bid%202", told)
    assert not [to for _, to, _ in post.sent if to == "mallory@example.net"]


def test_the_owner_is_not_asked_without_end(post):
    for _ in range(6):
        post.reply("red", "bid 2", to=post.letters("red")[0], From="mallory@example.net")
    assert len(post.letters("red", "did you write this")) == replies.MOST_QUESTIONS
    assert post.moves() == []


@pytest.mark.parametrize("spelt", ["ADA@EXAMPLE.ORG", '"Ada, of the house" <ada@example.org>'])
def test_the_registered_address_is_known_however_it_is_spelt(post, spelt):
    seat = next(seat for seat in ("red", "blue") if post.address(seat) == "ada@example.org")
    post.reply(seat, "bid 2", From=spelt)
    assert post.moves() == [(seat, "bid 2")]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated (vacation)"},
        {"X_Autoreply": "yes"},
        {"Precedence": "bulk"},
        {"List_Id": "<players.example.org>"},
        {"From": "MAILER-DAEMON@example.org"},
        {"From": "tidepost@play.example.org"},
        {"From": "no-reply@example.org"},
    ],
    ids=str,
)
def test_machines_get_silence(post, headers):
    """Our own address as a sender too: once a responder and a house wrote to each other without end."""
    letters = len(post.sent)
    post.reply("red", "bid 2", **headers)
    assert post.moves() == []
    assert len(post.sent) == letters
    kept = post.incoming()
    assert kept.status == "dropped"
    assert kept.reason


def test_a_bounce_to_a_reply_address_gets_silence(post):
    """Two machines would answer each other for ever."""
    letters = len(post.sent)
    assert post.hand_in(post.written("red", "bid 2", post.last("red")), sender="<>") is Taken.KEPT
    post.deliver()
    assert len(post.sent) == letters
    assert post.moves() == []


def test_what_cannot_be_read_is_answered_with_what_was_read_and_examples(post):
    post.reply("red", "bdi 2")
    told = answer(post, "red")
    assert "bdi 2" in told
    assert "can’t read" in told
    assert "Did you mean" in told
    assert "bid" in told
    assert post.moves() == []


def test_an_empty_reply_is_answered_with_how_to_write_one(post):
    post.reply("red", "")
    told = answer(post, "red")
    assert "only quoted text in your email" in told
    assert "“legal”" in told
    assert post.moves() == []


def test_help_names_what_can_be_answered_ahead_every_time(post):
    """The policies of the game, which only the page showed."""
    post.reply("red", "help")
    told = " ".join(answer(post, "red").split())
    assert "“ahead ward” and “ask”, “always”, “at least N” or “never”" in told


def test_a_greeting_may_follow_the_moves_and_is_no_move(post):
    post.reply("red", "Bid 2.\n\nCheers,\nAda")
    assert post.moves() == [("red", "bid 2")]


def test_help_board_legal_and_games_change_nothing(post):
    for word, part in {
        "help": "What you can write",
        "LEGAL": "Your legal moves",
        "games": "It’s your turn in these games",
        "board": "red is on place 0",
    }.items():
        post.reply("red", word)
        assert part in answer(post, "red"), word
    assert post.moves() == []


def test_undo_takes_the_last_step_back(post):
    post.reply("blue", "bid 0")
    post.reply("red", "bid 2")
    post.reply("red", "row on")
    post.reply("red", "undo")
    assert post.moves()[-1] == ("red", "undo")
    post.reply("red", "row on\nundo\nundo")
    told = answer(post, "red")
    assert "can’t take anything back" in told


def test_resigning_asks_back_and_only_the_answer_to_that_resigns(post):
    number = post.match.match_id
    asked = post.last("red")
    post.reply("red", f"resign {number}", to=asked)
    assert "Nothing has changed" in answer(post, "red")
    post.reply("red", f"resign {number + 1}")
    assert post.moves() == []
    post.reply("red", f"resign {number}", to=asked)
    assert post.moves() == [], "not to a letter that did not ask"
    post.reply("red", f"resign {number}")
    assert ("red", "resign") in post.moves()


@pytest.mark.usefixtures("ferry", "clock")
def test_who_has_nothing_to_resign_from_is_told_so_and_not_asked_back(store, tmp_path):
    post = Post(store, settings(tmp_path), ("Ada", "Bo", "Cleo"))
    asked, number = {seat: post.letters(seat)[0] for seat in ("red", "blue")}, post.match.match_id
    post.reply("red", "resign", to=asked["red"])
    post.reply("red", f"resign {number}")
    post.reply("red", "resign", to=asked["red"])
    assert "The seat is no longer yours" in answer(post, "red")
    post.reply("blue", "resign", to=asked["blue"])
    post.reply("blue", f"resign {number}")
    for line in ("resign", f"resign {number}"):
        post.reply("blue", line, to=asked["blue"])
        assert "the game is over" in answer(post, "blue")
        assert "confirm" not in answer(post, "blue")


@pytest.mark.usefixtures("ferry", "clock")
def test_the_answer_to_a_reply_holds_nothing_of_another_seat(store, tmp_path):
    post = Post(store, settings(tmp_path), ("Ada", "Bo", "Cleo"))
    post.reply("red", "bid 1")
    post.reply("blue", "bid 3")
    assert "bid 3" in answer(post, "blue")
    post.reply("red", "board\nlegal\ngames")
    told = answer(post, "red") + post.last("red").get_body(("html",)).get_content()
    assert len(set(re.findall(r"charm is a (\w+)", told))) == 1
    assert "bid 3" not in told.lower()
    for other in ("blue", "green"):
        assert post.address(other) not in told


def test_a_bad_mail_is_kept_for_the_operator_and_the_others_are_read(post, monkeypatch):
    monkeypatch.setattr(dispatch, "carry_out", lambda *_: 1 / 0)
    post.reply("red", "bid 2")
    assert post.incoming().status == "waiting"
    for _ in range(process.TRIES):
        post.execute("UPDATE incoming SET held_until = NULL")
        post.deliver()
    kept = post.incoming()
    assert kept.status == "failed"
    assert "ZeroDivisionError" in kept.error
    assert kept.tries == process.TRIES
    assert answer(post, "red").count("Something went wrong on our side") == 1
    monkeypatch.undo()


def test_a_bomb_is_kept_with_its_error_and_stops_nothing(post):
    to = str(post.last("red")["Reply-To"])
    bomb = f"From: ada@example.org\r\nTo: {to}\r\nMessage-ID: <bomb@example.org>\r\n".encode()
    bomb += b"Content-Type: multipart/mixed; boundary=a\r\n\r\n" + b"--a\r\n\r\nx\r\n" * 5000
    assert take_in(post.store, post.settings, bomb, (), "imap") is Taken.KEPT
    post.reply("red", "bid 2")
    assert post.moves() == [("red", "bid 2")]
    failed = cast.one(post.store, "SELECT * FROM incoming WHERE status = 'failed'")
    assert "many_" in failed.error


def test_who_lost_their_seat_is_told_and_does_nothing(post):
    old = post.last("red")
    rows = post.match.rows
    post.execute(
        "UPDATE chair SET until = since WHERE match_id = :id AND seat = 'red'", id=post.match.match_id
    )
    post.execute(
        """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
           SELECT match_id, seat, NULL, 1, 'Somebody', since, 0 FROM chair WHERE id = :id""",
        id=rows["red"].id,
    )
    before = len(post.letters("red"))
    post.reply("red", "bid 2", to=old)
    assert post.moves() == []
    told = [text_of(one) for one in post.letters("red")[before:]]
    assert all("you no longer have a seat" in one for one in told)
    assert not any("charm" in one for one in told)


def test_no_token_stands_in_what_is_kept_or_logged(post, caplog):
    token = re.search(r"r\+(\w+)@", str(post.last("red")["Reply-To"]))[1]
    caplog.set_level("DEBUG")
    post.reply("red", "bid 2")
    kept = post.incoming()
    assert token not in f"{kept.recipient}{kept.reason}{kept.error}{kept.results}{kept.token_hash}"
    assert token not in caplog.text


BOUNCE = """From: MAILER-DAEMON@example.org
To: {to}
Message-ID: <bounce@example.org>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; example.org

Final-Recipient: rfc822; somebody@example.org
Action: failed
Status: 5.1.1

--b--
"""


def test_a_letter_that_comes_back_stops_letters_to_its_address(post):
    to, _, _ = next(one for one in post.sent if one[1] == post.address("red"))
    raw = BOUNCE.format(to=to).replace("\n", "\r\n").encode()
    assert take_in(post.store, post.settings, raw, [to.upper()], "listener", sender="<>") is Taken.KEPT
    post.deliver()
    assert (post.incoming().status, post.incoming().kind) == ("read", "bounce")
    barred = cast.rows(post.store, "SELECT address_key FROM suppressed")
    assert [row.address_key for row in barred] == [post.address("red")]


def test_a_mail_to_the_address_that_stops_letters_stops_them_and_a_reply_is_answered_all_the_same(post):
    asked = post.last("red")
    to = re.search(r"mailto:(u\+[a-z2-7]+@[\w.]+)", asked["List-Unsubscribe"])[1]
    assert take_in(post.store, post.settings, b"Subject: stop\r\n\r\n", [to], "imap") is Taken.KEPT
    post.deliver()
    assert (post.incoming().status, post.incoming().reason) == ("read", "left")
    before = len(post.letters("red"))
    post.reply("red", "bid 2", to=asked)
    assert post.moves() == [("red", "bid 2")]
    assert len(post.letters("red")) == before + 1


def test_what_is_said_reaches_the_table_and_what_is_noted_nobody(post):
    post.reply("red", "say Good luck, Bo!\nnote bids are high\nbid 1")
    told = answer(post, "red")
    assert "Sent to everyone in the game." in told
    assert post.moves() == [("red", "bid 1")]
    assert [row.text for row in cast.rows(post.store, "SELECT text FROM note")] == ["bids are high"]
    post.reply("blue", "board")
    other = answer(post, "blue")
    assert "Good luck, Bo!" in other
    assert "bids are high" not in other


@pytest.mark.parametrize("word", ["orders", "ahead", "Ahead:"])
def test_orders_are_left_ahead_shown_and_taken_back(post, word):
    post.reply("red", f"bid 1\n{word} roll")
    assert "Your conditional moves are now “roll”" in answer(post, "red")
    post.reply("red", f"{word} clear", to=post.letters("red")[0])
    assert "You have no conditional moves now" in answer(post, "red")
    assert "roll" not in str(cast.rows(post.store, "SELECT text FROM standingorder WHERE closed_at IS NULL"))


def test_an_absence_is_entered_and_an_unclear_date_refused(post):
    post.reply("red", "away from 5 March to 7 March")
    assert "from 5 March 2026 to 7 March 2026" in answer(post, "red")
    assert cast.one(post.store, "SELECT count(*) AS n FROM absence").n == 1
    post.reply("red", "away 03/04 to 04/04", to=post.letters("red")[0])
    assert "can mean two dates" in answer(post, "red")
    post.reply("red", "back", to=post.letters("red")[0])
    assert cast.one(post.store, "SELECT count(*) AS n FROM absence WHERE cancelled_at IS NULL").n == 0


def test_when_letters_come_is_chosen_by_reply_for_all_matches_or_this_one(post):
    post.reply("red", "letters daily")
    assert "in the daily email" in answer(post, "red")
    post.reply("red", "letters chat at once here", to=post.letters("red")[0])
    rows = cast.rows(post.store, "SELECT match_id, event, choice FROM preference ORDER BY match_id")
    assert [tuple(row) for row in rows] == [(0, "turn", "digest"), (post.match.match_id, "chat", "at_once")]
    told = " ".join(answer(post, "red").split())
    assert "For this game: messages from other players (at once)." in told
    post.reply("red", "letters whenever", to=post.letters("red")[0])
    told = " ".join(answer(post, "red").split())
    assert "Choose “at once”, “quiet”, “daily”, “reminders” or “none”" in told


def test_who_has_seen_what_waits_says_so(post):
    post.reply("red", "seen")
    assert cast.one(post.store, "SELECT seen_at FROM chair WHERE seat = 'red'").seen_at


def test_a_sentence_that_begins_like_a_word_of_the_house_is_no_command(post):
    post.reply("red", "Help yourself to a biscuit, and resign yourself to losing")
    post.reply("red", "Resign? Never, my friend", to=post.letters("red")[0])
    assert post.moves() == []
    assert not [one for one in post.letters("red") if "asks first" in text_of(one)]
    assert "Nothing was done" in answer(post, "red")


def test_what_one_player_writes_in_two_mails_is_read_in_that_order(post, clock):
    """Several workers read at a time: the second mail waits while the first is in another's hands."""
    post.reply("blue", "bid 0")
    first, second = (post.written("red", body, post.last("red")) for body in ("bid 2", "row on"))
    post.hand_in(first)
    (held,) = process.waiting(post.store)
    with post.store.transaction() as connection:
        assert inbox.claim(connection, held, clock.now(), clock.now() + process.LEASE)
    clock.advance(seconds=1)
    post.hand_in(second)
    blue = post.written("blue", "help", post.last("blue"))
    post.hand_in(blue)
    post.deliver()
    waiting = cast.rows(post.store, "SELECT player_id FROM incoming WHERE status = 'waiting'")
    assert {row.player_id for row in waiting} == {post.match.rows["red"].player_id}
    assert len(waiting) == 2
    clock.advance(minutes=3)
    post.deliver()
    assert post.moves()[1:] == [("red", "bid 2"), ("red", "row on")]


def test_a_mail_that_fails_holds_up_its_writers_next_one_no_longer_than_once(post, monkeypatch, clock):
    post.reply("blue", "bid 0")
    carry_out = dispatch.carry_out
    post.hand_in(post.written("red", "help", post.last("red")))
    monkeypatch.setattr(dispatch, "carry_out", lambda *_: 1 / 0)
    post.deliver()
    monkeypatch.setattr(dispatch, "carry_out", lambda *a: 1 / 0 if a[3] == ("help",) else carry_out(*a))
    clock.advance(minutes=3)
    post.deliver()
    post.reply("red", "bid 2")
    assert post.moves()[1:] == [("red", "bid 2")]


def test_a_letter_about_no_match_takes_the_words_that_need_none(post):
    with post.store.transaction() as connection:
        token = links.mint(connection, "reply", player_id=post.match.rows["red"].player_id)
    to = post.last("red")
    del to["Reply-To"]
    to["Reply-To"] = f"r+{token}@play.example.org"
    post.reply("red", "games", to=to)
    assert "It’s your turn in these games" in answer(post, "red")
    post.reply("red", "say hello", to=to)
    assert "isn’t about one game" in answer(post, "red")
    post.reply("red", "bid 2", to=to)
    assert "isn’t about one game" in answer(post, "red")
    assert post.moves() == []


def test_a_heading_or_a_farewell_that_begins_like_a_word_is_no_command(post):
    """A firm's “Legal disclaimer” below the move, or “Back soon”, which would end their absence."""
    post.reply("red", "away from 5 March to 7 March")
    post.reply("red", "bid 1\n\nBack soon", to=post.letters("red")[0])
    assert "stopped reading at “Back soon”" in answer(post, "red")
    assert cast.one(post.store, "SELECT count(*) AS n FROM absence WHERE cancelled_at IS NULL").n == 1
    post.reply("red", "Legal disclaimer", to=post.letters("red")[0])
    assert "Nothing was done" in answer(post, "red")
    post.reply("red", "Legal, please!", to=post.letters("red")[0])
    assert "Nothing was done" not in answer(post, "red")


def test_where_a_step_is_left_its_legal_answers_are_listed_and_where_none_is_that_is_said(post):
    post.reply("blue", "bid 0")
    post.reply("red", "bid 2")
    asked = post.match.player_view("red").asked[0].decision
    told = answer(post, "red")
    assert "Your legal moves" in told
    for move in asked.options:
        assert f"“{post.match.player_view().game.format(move)}”" in told
    post.reply("blue", "legal")
    assert "It’s not your turn now" in answer(post, "blue")


def test_what_is_near_to_a_legal_answer_is_answered_with_that(post):
    post.reply("red", "please bid 2")
    assert "Did you mean “bid 2”" in answer(post, "red")


def test_what_could_not_be_done_is_not_asked_about(post):
    """What stands below other text is asked about where it is possible: our own lists of facts are not."""
    post.reply("red", "Hello!\nrow on\nbid 2")
    told = answer(post, "red")
    assert "“bid 2”" in told
    assert "- “row on”" not in told


def test_a_reply_reads_its_match_once_for_each_line(post, monkeypatch):
    """At most, and once for its answer; the lines themselves are played under the match's lock."""
    post.reply("blue", "bid 0")
    read, by_match = [], position.reading.by_match

    class Counted:
        @staticmethod
        def by_match(*args):
            read.append(args)
            return by_match(*args)

    monkeypatch.setattr(position, "reading", Counted)
    post.reply("red", "bid 2\nrow on\nundo")
    assert [move for _, move in post.moves()[1:]] == ["bid 2", "row on", "undo"]
    assert len(read) == 3
