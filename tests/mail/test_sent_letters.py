"""Letters that were sent before stay good: their links open, their replies act, their ways out work."""

import tempfile
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from functools import cache
from pathlib import Path

import msgspec
import pytest

from app import clock, games
from app.mail.core import inbound_address
from app.mail.core.letter import Composed
from app.mail.inbound import process
from app.mail.inbound.store import Taken, take_in
from app.mail.letters.kinds import KINDS
from app.mail.outbound import deliver
from app.web import create_app
from tests.mail import sent_letters
from tests.mail.outbox import Outbox, body, compose
from tests.mail.sent_letters import INDEX, LETTERS
from tests.toy import TOY

FERRY, OTHER, SURVIVE = INDEX["ferry"], INDEX["other_ferry"], INDEX["survive"]
REPLIABLE = sorted(name for name in LETTERS if sent_letters.message(name)["Reply-To"])


@pytest.fixture
def shelf(monkeypatch):
    """Ferry beside the real games."""
    both = {TOY.slug: (TOY,), **games.editions()}
    monkeypatch.setattr(games, "editions", lambda: both)


@cache
def _migrated_file():
    """An SQLite file that holds it: migrated once, and copied for each test."""
    with tempfile.TemporaryDirectory(prefix="tidepost-old-") as folder:
        sent_letters.migrated(f"sqlite:///{folder}/old.db")
        return (Path(folder) / "old.db").read_bytes()


@pytest.fixture
def store_url(tmp_path):
    (tmp_path / "old.db").write_bytes(_migrated_file())
    return f"sqlite:///{tmp_path}/old.db"


@pytest.fixture
def old(store, shelf, clock, tmp_path):  # noqa: ARG001 - must be there
    """The database of the letters, migrated, at the moment at which they had been sent."""
    clock.moment = sent_letters.AT
    outbox = Outbox(store, tmp_path)
    outbox.settings = msgspec.structs.replace(outbox.settings, secret_keys=(INDEX["key"],))
    return outbox


@pytest.fixture
def browser(old):
    return create_app(old.settings, old.store).test_client()


def reply(old, name, text):
    """Answer an old letter, and let the workers work."""
    letter, mail = sent_letters.message(name), EmailMessage()
    mail["From"], mail["To"] = LETTERS[name]["recipient"], str(letter["Reply-To"])
    mail["Subject"], mail["Message-ID"] = f"Re: {letter['Subject']}", make_msgid(domain="example.org")
    quoted = "".join(f"> {line}\n" for line in body(letter).splitlines())
    mail.set_content(f"{text}\n\nOn Monday, Tidepost wrote:\n{quoted}")
    to = parseaddr(str(letter["Reply-To"]))[1]
    took = take_in(old.store, old.settings, mail.as_bytes(), [to], "listener", sender=mail["From"])
    assert took is Taken.KEPT
    old.clear()
    work(old)
    return "\n".join(body(message) for message in old.to(LETTERS[name]["recipient"].partition("@")[0]))


def work(old):
    """Let a minute pass, and the workers read and send."""
    clock.now.__self__.advance(minutes=1)
    process.run_batch(old.store, old.settings)
    old.go()


def results(old):
    """What became of the lines of the last reply."""
    (row,) = old.rows("SELECT status, results FROM incoming WHERE read_at IS NOT NULL ORDER BY read_at")[-1:]
    assert row.status == "read"
    return [(one["line"], one["outcome"]) for one in msgspec.json.decode(row.results)["results"]]


def test_there_is_a_letter_of_every_kind_that_was_written_then():
    assert {one["kind"] for one in LETTERS.values()} <= set(KINDS)
    assert len({one["kind"] for one in LETTERS.values()}) == 27


def test_every_link_opens_as_it_did(browser):
    for number, (name, letter) in enumerate(LETTERS.items()):
        for at, (path, status) in enumerate(letter["links"].items()):
            page = browser.get(path, environ_overrides={"REMOTE_ADDR": f"10.{number}.{at}.1"})
            assert page.status_code == status, (name, path)
    for path, status in INDEX["pages"].items():
        assert browser.get(path, follow_redirects=True).status_code == status == 200, path


@pytest.mark.parametrize("name", ["asked-1", "asked-2", "asked-3", "asked-4", "asked-5", "reply_confirm-1"])
def test_a_link_of_a_turn_that_waits_opens_its_board_with_the_move_prepared(browser, name):
    for path in LETTERS[name]["links"]:
        if path.startswith("/t/"):
            page = browser.get(path).text
            assert 'method="post"' in page, path
            assert path.partition("?do=")[2].replace("%20", " ") in page


@pytest.mark.parametrize("path", ["/i/", "/s/", "/a/"])
def test_a_link_that_answers_signs_in_or_confirms_has_its_button(browser, path):
    names = "confirm-1", "invited-1", "sign_in-1", "address-1"
    live = [one for name in names for one in LETTERS[name]["links"]]
    found = [link for link in live if link.startswith(path)]
    assert found
    assert all('method="post"' in browser.get(link).text for link in found)


@pytest.mark.parametrize("name", REPLIABLE)
def test_every_address_for_replies_is_known_and_is_its_letters(old, name):
    to = parseaddr(str(sent_letters.message(name)["Reply-To"]))[1]
    found = inbound_address.find(old.store, old.settings, to)
    assert found is not None
    assert (found.kind, found.letter_id) == ("reply", LETTERS[name]["letter"])


def test_a_reply_plays_and_takes_back(old):
    reply(old, "asked-2", "bid 0")
    assert "bid 2" in reply(old, "asked-1", "bid 2\nrow on\nundo")
    assert results(old) == [("bid 2", "done"), ("row on", "done"), ("undo", "done")]
    played = old.rows("SELECT move, source FROM played WHERE match_id = :m AND ply > 0 ORDER BY ply", m=FERRY)
    assert [tuple(row) for row in played] == [
        (move, "letter") for move in ("bid 0", "bid 2", "row on", "undo")
    ]


def test_a_reply_to_survive_takes_back_a_move_and_plays_on(old):
    reply(old, "asked-5", "undo\nmove yellow8 F2\nlegal")
    assert results(old) == [("undo", "done"), ("move yellow8 F2", "done"), ("legal", "told")]
    sink = next(word for word in body(old.to("bo")[-1]).split("sink ")[1:]).split()[0].strip(",.·“”")
    reply(old, "asked-5", f"sink {sink}")
    assert results(old) == [(f"sink {sink}", "done")]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("help", "told"),
        ("board", "told"),
        ("legal", "told"),
        ("games", "told"),
        ("say hello", "told"),
        ("note remember", "told"),
        ("letters daily", "told"),
        ("letters none here", "told"),
        ("seen", "done"),
        ("away 1 May - 3 May", "told"),
        ("orders: bid 1", "told"),
        ("resign", "told"),
    ],
)
def test_every_word_of_a_reply_acts(old, text, outcome):
    assert reply(old, "asked-1", text)
    assert results(old) == [(text, outcome)]


def test_back_ends_the_absence_that_the_old_letter_confirms(old):
    reply(old, "asked-1", "away 1 May - 3 May")
    reply(old, "asked-1", "back")
    assert results(old) == [("back", "told")]
    assert len(old.rows("SELECT id FROM absence WHERE cancelled_at IS NOT NULL")) == 1


def test_an_answer_that_asked_back_lets_its_reader_resign(old):
    reply(old, "asked-3", "resign")
    (answer,) = old.to("ada")
    to = parseaddr(str(answer["Reply-To"]))[1]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ada@example.org", to, "Re: resign"
    mail["Message-ID"] = make_msgid(domain="example.org")
    mail.set_content(f"resign #{OTHER}\n")
    take_in(old.store, old.settings, mail.as_bytes(), [to], "listener", sender="ada@example.org")
    work(old)
    assert results(old) == [(f"resign #{OTHER}", "done")]


def test_a_letter_that_comes_back_stops_letters_to_its_address(old):
    for name in ("asked-1", "over-1", "invited-1"):
        letter = LETTERS[name]
        notice = (
            "From: <>\nSubject: failed\nMIME-Version: 1.0\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n'
            "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
            f"Final-Recipient: rfc822; {letter['recipient']}\nAction: failed\nStatus: 5.1.1\n\n--x--\n"
        )
        raw = notice.encode()
        assert (
            take_in(old.store, old.settings, raw, [letter["sender"]], "listener", sender="<>") is Taken.KEPT
        )
        work(old)
        (row,) = old.rows("SELECT status, reason FROM letter WHERE id = :i", i=letter["letter"])
        assert (row.status, row.reason) == ("failed", "bounced"), name
        barred = old.rows("SELECT 1 FROM suppressed WHERE address_key = :k", k=letter["recipient"])
        assert bool(barred), name


def test_every_letter_can_be_left_by_its_page_and_by_mail(old, browser):
    for name, letter in LETTERS.items():
        way = str(sent_letters.message(name)["List-Unsubscribe"])
        page = way.partition("<")[2].partition(">")[0].removeprefix(old.settings.url)
        assert browser.post(page, data={"List-Unsubscribe": "One-Click"}).status_code == 200, name
        to = way.partition("mailto:")[2].partition(">")[0]
        mail = f"From: {letter['recipient']}\nMessage-ID: {make_msgid(domain='x.example')}\n\n\n".encode()
        assert take_in(old.store, old.settings, mail, [to], "listener") is Taken.KEPT, name
        work(old)
        (row,) = old.rows("SELECT status, reason FROM incoming ORDER BY read_at")[-1:]
        assert (row.status, row.reason) == ("read", "left"), name


def test_letters_that_waited_go_out(old, clock):
    """One of them had been put off for ten minutes, the other until the digest of the next day."""
    old.clear()
    clock.advance(minutes=11)
    old.go()
    assert [m["Subject"] for m in old.to("ada")]
    assert not old.to("bo")
    clock.advance(days=1)
    old.go()
    assert old.rows("SELECT status FROM letter WHERE kind = 'digest' AND status = 'waiting'") == []
    assert old.to("bo")


def test_a_letter_of_every_kind_can_be_written_again(old):
    """It is written, or dropped because it is no longer true."""
    named = old.rows("SELECT id, kind, status FROM letter")
    written = {}
    for row in named:
        made = compose(old.store, old.settings, row.id)
        if isinstance(made, Composed):
            written.setdefault(row.kind, made)
    assert {row.kind for row in named} <= set(KINDS)
    assert len({row.kind for row in named}) == 27
    assert len(written) >= 17, sorted(set(KINDS) - set(written))
    assert deliver.due(old.store) == []
