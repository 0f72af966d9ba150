"""Whatever arrives with a good token from its player ends in an answer or on the operator's list."""

import random
import smtplib
from email.message import EmailMessage

import pytest
from click.testing import CliRunner

from app import cli
from app.mail.core import inbound_address
from app.mail.inbound import dead_letters, poller, replies
from app.mail.inbound import store as inbox
from app.mail.inbound.listener import listening
from app.mail.inbound.reading.large import reduced
from app.mail.inbound.store import Taken, take_in
from app.retention.sweep import sweep
from app.settings import Keep
from tests.mail.correspondence import Post, settings, text_of
from tests.mail.imap import Box, imap_server
from tests.play import cast
from tests.servers import free_port

PICTURE = (
    b"Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    + (b"QUJD" * 19 + b"\r\n") * 6_000
)
TEXT = b"Content-Type: text/plain\r\n\r\nbid 2\r\n"


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


def answer(post: Post, seat: str = "red") -> str:
    answers = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return " ".join(text_of(answers[-1]).split())


def address(post: Post, seat: str = "red") -> str:
    return post.letters(seat)[0]["Reply-To"].addresses[0].addr_spec


def head(post: Post, *more: str, to: str | None = None, sender: str = "") -> bytes:
    """The headers of a reply of red's, without those of its content."""
    named = [
        f"From: Ann <{sender or post.address('red')}>",
        f"To: {to or address(post)}",
        "Subject: Re: your turn",
    ]
    return "\r\n".join([*named, "Message-ID: <one@example.org>", *more]).encode() + b"\r\n"


def parts(*each: bytes) -> bytes:
    return (
        b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n"
        + b"".join(b"--B\r\n" + part for part in each)
        + b"--B--\r\n"
    )


# ---- large mails


@pytest.mark.parametrize("order", [(TEXT, PICTURE), (PICTURE, TEXT), (PICTURE, TEXT, PICTURE)])
def test_a_large_mail_is_read_in_a_mailbox(post, order):
    big = head(post) + parts(*order)
    assert len(big) > inbox.KEPT
    box = Box(big)
    with imap_server(box) as port:
        there = poller.mailbox(f"imap://a:b@127.0.0.1:{port}/INBOX")
        with poller.connected(there) as connection:
            assert poller.look(post.store, post.settings, connection, there) == 1
    assert box.seen == {1}
    post.deliver()
    assert post.moves() == [("red", "bid 2")]
    assert "Played: “bid 2”" in answer(post)
    (row,) = cast.rows(post.store, "SELECT length(raw) AS size FROM incoming")
    assert row.size <= inbox.KEPT


def test_of_a_large_mail_with_its_text_first_the_beginning_is_fetched(post):
    box = Box(head(post) + parts(TEXT, PICTURE))
    with imap_server(box) as port:
        there = poller.mailbox(f"imap://a:b@127.0.0.1:{port}/INBOX")
        with poller.connected(there) as connection:
            poller.look(post.store, post.settings, connection, there)
    assert sum("FETCH" in command for command in box.commands) == 1


@pytest.mark.parametrize("lmtp", [False, True])
def test_a_large_mail_is_taken_by_the_listener(post, lmtp):
    port, kind = free_port(), smtplib.LMTP if lmtp else smtplib.SMTP
    with (
        listening(post.store, post.settings, "127.0.0.1", port, lmtp=lmtp),
        kind("127.0.0.1", port) as server,
    ):
        server.sendmail("ada@example.org", [address(post)], head(post) + parts(PICTURE, TEXT))
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


@pytest.mark.parametrize("lmtp", [False, True])
@pytest.mark.parametrize("longest", [1_000, 1_002, 70_000, 2_000_000])
def test_a_mail_with_a_long_line_is_taken_by_the_listener(post, lmtp, longest):
    """The standard allows 1000 bytes, and programs that write a page into one line don't know it."""
    port, kind = free_port(), smtplib.LMTP if lmtp else smtplib.SMTP
    page = b"<p>bid 2</p><blockquote>" + b"x" * longest + b"</blockquote>\r\n"
    with (
        listening(post.store, post.settings, "127.0.0.1", port, lmtp=lmtp),
        kind("127.0.0.1", port) as server,
    ):
        mail = head(post) + b"Content-Type: text/html\r\n\r\n" + page
        server.sendmail("ada@example.org", [address(post)], mail)
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


def test_a_large_mail_is_taken_from_a_pipe(post):
    raw = head(post) + parts(PICTURE, TEXT)
    assert take_in(post.store, post.settings, raw, [address(post)], "stdin") is Taken.KEPT
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


def test_a_large_mail_without_any_text_is_answered(post):
    raw = head(post) + parts(PICTURE)
    assert take_in(post.store, post.settings, raw, [address(post)], "stdin") is Taken.KEPT
    post.deliver()
    assert "Nothing was done" in answer(post)


def test_only_attachments_are_left_out_of_a_large_mail():
    assert reduced(TEXT, 1000) == TEXT
    small = reduced(parts(TEXT, PICTURE, TEXT), 100_000)
    assert small.count(b"bid 2") == 2
    assert len(small) < 20_000
    assert len(reduced(b"x " * 100_000, 5_000)) == 5_000


# ---- stripped addresses


def stripped(post: Post, to: str, **headers: str | None) -> EmailMessage:
    message = post.written("red", "bid 2", post.letters("red")[0], To=to, **headers)
    message.set_content("bid 2\n")
    return message


@pytest.mark.parametrize("where", ["In-Reply-To", "References"])
@pytest.mark.parametrize("to", ["r@play.example.org", "tidepost@play.example.org", "Ann <ann@example.org>"])
def test_a_mail_without_its_token_is_found_by_the_letter_that_it_answers(post, to, where):
    first = str(post.letters("red")[0]["Message-ID"])
    message = stripped(post, to, In_Reply_To=None)
    message[where] = f"<match.1@play.example.org> {first.upper()}"
    assert take_in(post.store, post.settings, message.as_bytes(), (), "imap") is Taken.KEPT
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


def test_another_sender_without_a_token_is_only_listed(post):
    message = stripped(post, "r@play.example.org", From="mallory@example.net")
    assert take_in(post.store, post.settings, message.as_bytes(), (), "imap") is Taken.UNKNOWN
    assert "unknown sender" in dead_letters.passed_over(post.store)[0].why
    blue = stripped(post, "r@play.example.org", From=post.address("blue"))
    assert take_in(post.store, post.settings, blue.as_bytes(), (), "imap") is Taken.UNKNOWN


def test_a_letter_of_another_house_gives_no_right(post):
    message = stripped(post, "r@play.example.org", In_Reply_To=None)
    message["In-Reply-To"] = str(post.letters("red")[0]["Message-ID"]).replace(">", ".evil.example>")
    assert take_in(post.store, post.settings, message.as_bytes(), (), "imap") is Taken.UNKNOWN


def test_the_listener_takes_an_address_whose_token_was_stripped(post):
    port = free_port()
    mine, strange = (
        stripped(post, "r@play.example.org"),
        stripped(post, "r@play.example.org", From="m@example.net"),
    )
    with listening(post.store, post.settings, "127.0.0.1", port), smtplib.SMTP("127.0.0.1", port) as server:
        server.sendmail("ada@example.org", ["r@play.example.org"], mine.as_bytes())
        with pytest.raises(smtplib.SMTPDataError) as refused:
            server.sendmail("m@example.net", ["r@play.example.org"], strange.as_bytes())
    assert refused.value.smtp_code == 550
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


# ---- what cannot be read

UNREADABLE = {
    "far more headers": b"X-Long: " + b"x" * 70_000 + b"\r\n\r\nbid 2\r\n",
    "too many lines": b"\r\n" + b"bid\r\n" * 13_000,
    "too many parts": parts(*[TEXT] * 300),
    "other emails inside": b"Content-Type: multipart/mixed; boundary=a\r\n\r\n"
    + b"--a\r\nContent-Type: message/rfc822\r\n\r\n" * 40,
}


@pytest.mark.parametrize("why", UNREADABLE)
def test_a_mail_that_cannot_be_read_is_answered_once_and_listed(post, why):
    for _ in range(2):
        take_in(post.store, post.settings, head(post) + UNREADABLE[why], [address(post)], "stdin")
        post.deliver()
    assert why in answer(post)
    assert "Nothing was done" in answer(post)
    assert len([one for one in post.letters("red") if one["Auto-Submitted"] == "auto-replied"]) == 1
    (line,) = dead_letters.passed_over(post.store)
    assert line.why.startswith("unreadable: ")
    assert post.moves() == []


def test_what_breaks_the_parser_is_answered_too(post, monkeypatch):
    monkeypatch.setattr("app.mail.inbound.reading.opening._opened", lambda *_: 1 / 0)
    post.reply("red", "bid 2")
    assert "damaged" in answer(post)


@pytest.mark.parametrize(
    "header", ["Auto-Submitted: auto-replied", "X-Autogenerated: Reply", "Precedence: junk"]
)
def test_an_unreadable_mail_of_a_machine_has_no_answer(post, header):
    raw = header.encode() + b"\r\n" + head(post) + UNREADABLE["too many lines"]
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert not [one for one in post.letters("red") if one["Auto-Submitted"] == "auto-replied"]
    assert len(dead_letters.passed_over(post.store)) == 1


def test_an_unreadable_mail_from_elsewhere_is_only_listed(post):
    raw = head(post, sender="mallory@example.net") + UNREADABLE["too many lines"]
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert len(post.letters("red")) == 1
    assert len(dead_letters.passed_over(post.store)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', "(S/MIME)"),
        ('Content-Type: multipart/encrypted; boundary=B; protocol="application/pgp-encrypted"', "(PGP)"),
        ("Content-Type: text/plain", "(PGP)"),
    ],
)
def test_an_encrypted_mail_is_told_what_it_is(post, content, said):
    body = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----\r\n"
    raw = head(post, content) + b"\r\n" + body.encode()
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert said in answer(post)
    assert "encrypted" in answer(post)
    assert "encrypted" in dead_letters.passed_over(post.store)[0].why


@pytest.mark.parametrize(
    "content",
    [
        "Content-Type: text/plain; charset*=us-ascii'en'utf-8\r\nContent-Transfer-Encoding: 8bit",
        "Content-Type: text/plain; charset*=no-such-set",
        "Content-Type: text/plain; charset=utf-7",
        'Content-Type: text/plain; charset="\0"',
        "Content-Type: text/plain; charset==?utf-8?q?utf-8?=",
        "Content-Type: text/plain; charset=idna",
        "Content-Type: text/plain; charset=unicode_escape",
        "Content-Type: text/plain; charset=utf-16",
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64",
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode",
        "Content-Type: ;;;",
        "Content-Type: multipart/mixed",
        "X: \x80\xff",
    ],
)
def test_no_charset_and_no_encoding_ends_in_silence(post, content):
    raw = head(post) + content.encode("latin-1") + b"\r\n\r\nnote \xc3\xbcml\xed\xa0\x80aut \xff\x00\r\n"
    take_in(post.store, post.settings, raw, [address(post)], "stdin")
    post.deliver()
    assert answer(post)


def test_a_mail_of_nothing_but_bytes_is_listed(post):
    take_in(post.store, post.settings, b"\xff\xfe" * 50, [address(post)], "stdin")
    post.deliver()
    assert dead_letters.passed_over(post.store) or answer(post)


# ---- banners and machines


def test_the_operator_can_name_more_banners(store, ferry, clock, tmp_path):  # noqa: ARG001 - must be there
    post = Post(store, settings(tmp_path, mail_banners=("Take care, says Example Corp",)))
    post.reply("red", "Take care, says Example Corp: this came from afar.\n\nbid 2")
    assert post.moves() == [("red", "bid 2")]
    post.reply("blue", "We take care\n\nbid 0")
    assert post.moves() == [("red", "bid 2")]


@pytest.mark.parametrize("sender", ["MAILER-DAEMON", "mailer-daemon@mx.example.org", "<MAILER-DAEMON>", "<>"])
def test_a_null_sender_is_known_however_a_pipe_writes_it(post, sender):
    message = post.written("red", "bid 2", post.last("red"))
    post.hand_in(message, sender=sender)
    post.deliver()
    assert post.moves() == []
    assert "null sender" in dead_letters.passed_over(post.store)[0].why


def test_an_absence_in_an_automatic_answer_is_not_entered(post):
    post.reply("red", "away until 5 Dec\nI read mail then.", Subject="Out of office: Re: your turn")
    assert not cast.rows(post.store, "SELECT id FROM absence")
    assert "automatic reply" in dead_letters.passed_over(post.store)[0].why


# ---- the operator's list


def test_the_list_names_whatever_was_passed_over_and_why(post, monkeypatch, tmp_path):
    for name, value in {
        "DATABASE_URL": str(post.store.engine.url),
        "DATA_DIR": str(tmp_path),
        "URL": "https://play.example.org",
        "SECRET_KEYS": "k" * 20 + "a key of many letters",
    }.items():
        monkeypatch.setenv(f"TIDEPOST_{name}", value)
    asked, token = post.letters("red")[0], address(post).split("+")[1].partition("@")[0]
    post.reply("red", "bid 2", to=asked, Auto_Submitted="auto-replied")
    post.reply("red", "hello there", to=asked, From="mallory@example.net")
    nobody = post.written("red", "bid 2", asked, To="someone@play.example.org", In_Reply_To=None)
    nobody.set_content(f"> r+{token}@play.example.org\nhttps://play.example.org/t/AbCdEfGhIjKlMnOpQrStUv\n")
    take_in(post.store, post.settings, nobody.as_bytes(), (), "imap")
    take_in(post.store, post.settings, head(post) + UNREADABLE["too many lines"], [address(post)], "stdin")
    post.deliver()
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 1)
    for _ in range(2):
        post.reply("red", "help", to=asked)
    listed = CliRunner().invoke(cli.main, ["inbox", "list"]).output
    for why in ("automatic reply", "unknown sender", "no token", "unreadable", "deferred until"):
        assert why in listed, (why, listed)
    for line in listed.strip().splitlines():
        told = CliRunner().invoke(cli.main, ["inbox", "show", line.split()[0]])
        assert told.exit_code == 0
        assert token not in told.output
        assert "AbCdEfGh" not in told.output


def test_a_mail_too_large_to_be_taken_is_listed(post, monkeypatch):
    monkeypatch.setattr(inbox, "LARGEST", 1000)
    raw = head(post) + b"\r\n" + b"x" * 1000
    assert take_in(post.store, post.settings, raw, [address(post)], "stdin") is Taken.TOO_BIG
    (line,) = dead_letters.passed_over(post.store)
    assert (line.why, line.size) == ("too large", len(raw))


def test_strangers_mail_does_not_fill_the_list(post, monkeypatch, clock):
    monkeypatch.setattr("app.mail.core.passed_over.MOST_AN_HOUR", 3)
    for number in range(6):
        raw = f"From: a@b.example\r\nMessage-ID: <{number}@b>\r\n\r\njunk".encode()
        take_in(post.store, post.settings, raw, (), "imap")
    assert len(dead_letters.passed_over(post.store)) == 3
    strange = stripped(post, "r@play.example.org", From="mallory@example.net").as_bytes()
    assert take_in(post.store, post.settings, strange, (), "imap") is Taken.UNKNOWN
    assert len(dead_letters.passed_over(post.store)) == 4, "what answers a letter of ours has its own room"
    clock.advance(days=31)
    sweep(post.store, Keep())
    assert dead_letters.passed_over(post.store) == []


def test_no_number_of_one_kind_keeps_another_off_the_list(post, monkeypatch, clock):
    monkeypatch.setattr(dead_letters, "MOST", 3)
    strange = stripped(post, "r@play.example.org", From="mallory@example.net").as_bytes()
    take_in(post.store, post.settings, strange, (), "imap")
    take_in(post.store, post.settings, head(post) + UNREADABLE["too many lines"], [address(post)], "stdin")
    post.deliver()
    for number in range(6):
        clock.advance(minutes=1)
        raw = f"From: a@b.example\r\nMessage-ID: <{number}@b>\r\n\r\njunk".encode()
        take_in(post.store, post.settings, raw, (), "imap")
        post.reply("red", "bid 2", to=post.letters("red")[0], Auto_Submitted="auto-replied")
    listed = " ".join(line.why for line in dead_letters.passed_over(post.store))
    for why in ("unreadable", "unknown sender", "no token", "automatic reply"):
        assert why in listed, listed
    assert inbound_address.is_bare(post.settings, "R@PLAY.example.org")


HEADERS = (
    *("Content-Type: text/html", "Content-Type: multipart/mixed; boundary=B", "Content-Type: message/rfc822"),
    *('Content-Type: multipart/alternative; boundary=""', "Content-Type: message/partial; id=1; number=1"),
    *("Content-Type: application/octet-stream", "Content-Type: text/calendar", "Content-Type: text/enriched"),
    *("Content-Type: text/plain; charset*0*=utf-8''a%FF; charset*1=x", "Content-Transfer-Encoding: base64"),
    *("Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: 7bit; x", "Date: never"),
    *("Content-Disposition: attachment; filename*=utf-8''%ff", "Subject: =?x?q?=FF?=", "References: <"),
    *("Content-Type: text/plain; format=flowed; delsp=yes", "Content-Type: application/pkcs7-mime"),
)
BODIES = (
    *(
        b"bid 2\r\n",
        b"--B\r\nContent-Type: text/plain\r\n\r\nbid 2\r\n--B--\r\n",
        b"",
        b"\x00\xff\xfe",
        b"YmlkIDI=\r\n",
    ),
    *(
        b"<p>bid 2</p>",
        b"--B\r\n\r\n--B\r\n",
        b"--B",
        b"> quoted\r\n",
        b"-----BEGIN PGP MESSAGE-----\r\n\r\nx",
    ),
    *(
        b"--\r\nsignature\r\n",
        b"MIAGCSqGSIb3DQEHAqCAMIACAQ==",
        b"[EXTERNAL]\r\n",
        b"say \xf0\x9f\x98\x80 =C3=28\r\n",
    ),
    *(b"=\r\n=\r\nbid=202", b"On Monday wrote:\r\n", b"From: x\r\nTo: y\r\n\r\nbid 2", b"+AGIAaQBk- 2"),
)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_player_sends_ends_in_an_answer_or_on_the_list(post, seed, monkeypatch):
    monkeypatch.setattr(replies, "MOST_ANSWERS", 1000)
    draw = random.Random(seed)
    for number in range(15):
        before = len(post.letters("red")) + len(dead_letters.passed_over(post.store))
        named = "\r\n".join([f"Message-ID: <{number}@x.example>", *draw.sample(HEADERS, draw.randint(0, 4))])
        raw = f"From: {post.address('red')}\r\n{named}\r\n\r\n".encode() + b"".join(draw.choices(BODIES, k=2))
        assert take_in(post.store, post.settings, raw, [address(post)], "stdin") is Taken.KEPT
        post.deliver()
        assert post.incoming().status != "waiting", raw
        assert len(post.letters("red")) + len(dead_letters.passed_over(post.store)) > before, raw
