"""What stands in letters: all that a reader needs, nothing that they may not know, in every part."""

import re
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlmodel import col

from app import templating
from app.engine.game import Game
from app.mail.core import outbox
from app.mail.core.letter import Composed, Dropped
from app.mail.core.recipients import context_of
from app.mail.letters.kinds import KINDS
from app.mail.letters.recap import told
from app.mail.outbound.message import one_line
from app.people import service as people
from app.play.clock.rules import Rule
from app.play.lobby import changes, expiry, invitations
from app.play.lobby.create import create_match
from app.play.lobby.links import ask_links
from app.play.match.records import LogEntry, Viewer
from app.play.moves import service
from app.play.views.player_view import player_view, player_view_by_token
from app.settings import Settings
from app.store.session import Store
from app.store.tables import Chair, Invitation, Letter, Player
from tests.conftest import HeldClock
from tests.mail.outbox import compose
from tests.toy import BidMade

ADDRESSES = {name: f"{name}@example.org" for name in ("ada", "bo", "cleo")}
LINK = re.compile(r"https://play\.example\.org/[^\s<>\"']*")
LEAVE = re.compile(r"<https://play\.example\.org/u/([a-z2-7]+)>")
VOID = frozenset({"meta", "br", "img", "link", "hr", "input", "base"})


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        "", "folder://", "", "", "https://play.example.org", "play.example.org", ("k" * 32,), tmp_path
    )


class MailContext:
    """A table of three, and the letters that are written about it."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self.names = {"ada": "Ada", "bo": "Bo", "cleo": "Cleo"}

    def waiting(self, kind: str = "", address: str = "") -> list[str]:
        with self.store.reading() as connection:
            rows = connection.execute(
                select(col(Letter.id), col(Letter.kind))
                .where(col(Letter.status) == "waiting")
                .order_by(col(Letter.created_at), col(Letter.id))
            ).all()
        return [row.id for row in rows if kind in ("", row.kind) and self._to(row.id, address)]

    def _to(self, letter_id: str, address: str) -> bool:
        if not address:
            return True
        written = compose(self.store, self.settings, letter_id)
        return isinstance(written, Composed) and written.recipient == address

    def write(self, kind: str, address: str = "") -> Composed:
        """The only letter of the kind (to the address), which is then marked as sent."""
        (letter_id,) = self.waiting(kind, address)
        written = compose(self.store, self.settings, letter_id)
        assert isinstance(written, Composed), written
        with self.store.transaction() as connection:
            connection.execute(update(Letter).where(col(Letter.id) == letter_id).values(status="sent"))
        return written

    def open(self, rule: Rule | None = None, **options: str) -> int:
        others = [ADDRESSES["bo"], ADDRESSES["cleo"]]
        return create_match(self.store, "ferry", 3, options, ADDRESSES["ada"], others, rule=rule)

    def accept(self, name: str, kind: str = "invited") -> None:
        token = links(self.write(kind, ADDRESSES[name]).message, "/i/")[0].rsplit("/", 1)[1]
        invitations.accept(self.store, token, self.names[name], "en", "Europe/Lisbon", f"word of {name}")

    def start(self, rule: Rule | None = None, **options: str) -> int:
        match_id = self.open(rule, **options)
        self.accept("ada", "confirm")
        self.accept("bo")
        self.accept("cleo")
        return match_id


@pytest.fixture
def desk(store: Store, ferry: Game, clock: HeldClock, settings: Settings) -> MailContext:  # noqa: ARG001 - must be there
    return MailContext(store, settings)


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def links(message: EmailMessage, part: str = "") -> list[str]:
    return list(dict.fromkeys(link for link in LINK.findall(text_of(message)) if part in link))


class Dom(HTMLParser):
    """Checks that every tag is closed in order, and keeps what a letter must have."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self.html: dict[str, str | None] = {}
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        facts = dict(attrs)
        if tag == "img":
            self.images.append(facts)
        elif tag == "a":
            self.links.append(str(facts["href"]))
        elif tag == "html":
            self.html = facts
        assert tag not in ("script", "form", "iframe", "object", "link", "video")
        assert not any(name.startswith("on") for name in facts)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "title"} & set(self.open):
            self.text += data


def check(written: Composed) -> Dom:
    """What holds for every letter."""
    message = written.message
    raw = message.as_bytes()
    assert message["To"].addresses[0].addr_spec == written.recipient
    for header in ("From", "Subject", "Date", "Message-ID", "List-Id"):
        assert len(message.get_all(header)) == 1
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Content-Language"] == "en"
    assert message["Reply-To"] is None
    leave = LEAVE.fullmatch(message["List-Unsubscribe"])
    assert leave, message["List-Unsubscribe"]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert written.sender == "tidepost@play.example.org", "where no mail is read, none is sent to"
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert message.get_content_type() == "multipart/alternative"
    html = html_of(message)
    assert len(html.encode()) < 30_000
    assert len(raw) < 100_000
    assert "@media (prefers-color-scheme: dark)" in html
    dom = Dom(html)
    assert dom.html == {"lang": "en", "dir": "ltr"}
    assert all(image["alt"] and image["width"] for image in dom.images)
    text = text_of(message)
    assert "we don’t read replies to this email" in text
    assert "we don’t read replies to this email" in dom.text
    assert set(links(message)) == {link for link in dom.links if link.startswith("https")}
    others = {address for address in ADDRESSES.values() if address != written.recipient}
    if not written.message["Subject"].endswith("news about your game"):
        assert not any(address in text or address in html for address in others)
    return dom


def test_a_table_is_told_of_step_by_step(desk, settings, clock):
    match_id = desk.open(bank="long")
    assert desk.waiting() == desk.waiting("confirm")
    first = desk.waiting("confirm")[0]
    confirm = compose(desk.store, settings, first)
    assert isinstance(confirm, Composed)
    check(confirm)
    assert confirm.recipient == ADDRESSES["ada"]
    assert "2 other players" in " ".join(text_of(confirm.message).split())
    assert "eight places" in text_of(confirm.message)
    desk.accept("ada", "confirm")
    assert compose(desk.store, settings, first) == Dropped("open")

    (bo, cleo) = (compose(desk.store, settings, letter) for letter in desk.waiting("invited"))
    for written in (bo, cleo):
        dom = check(written)
        assert "Ada invites you to play Ferry" in dom.text
        assert "A game takes" in dom.text, "how long, before anybody accepts"
        assert re.search(r"SHA-256 of the server.s secret is [0-9a-f]{64}", dom.text)
        assert "Monday 16 March 2026" in dom.text
        assert written.message["Subject"] == f"[Tidepost] Ferry #{match_id} – an invitation"

    clock.advance(days=3, minutes=1)
    expiry.remind_and_expire(desk.store)
    for letter in desk.waiting("invitation_reminder"):
        reminder = compose(desk.store, settings, letter)
        assert "the only reminder" in check(reminder).text

    (invitation,) = desk.waiting("invited", ADDRESSES["bo"])
    desk.accept("bo")
    assert compose(desk.store, settings, invitation) == Dropped("answered")
    news = desk.write("answered")
    assert news.recipient == ADDRESSES["ada"]
    dom = check(news)
    assert "Bo accepted." in dom.text
    assert f"{ADDRESSES['cleo']}: invited, no answer yet" in dom.text


@pytest.mark.parametrize("joined", [True, False])
def test_a_guest_is_told_whether_their_invitation_ended_or_their_seat(desk, joined):
    desk.open()
    desk.accept("ada", "confirm")
    if joined:
        desk.accept("bo")
    else:
        desk.write("invited", ADDRESSES["bo"])
    with desk.store.reading() as connection:
        host = connection.execute(select(col(Player.id)).where(col(Player.name) == "Ada")).scalar_one()
        bo = connection.execute(
            select(col(Invitation.id)).where(col(Invitation.address) == ADDRESSES["bo"])
        ).scalar_one()
    end = changes.take_out if joined else changes.withdraw
    end(desk.store, Viewer(player_id=host), bo)
    written = desk.write("withdrawn")
    subject, text = written.message["Subject"], check(written).text
    assert "an invitation" not in subject
    assert ("no longer in this game" in subject) is joined
    assert ("invitation withdrawn" in subject) is not joined
    assert ("Ada removed you from the game" in text) is joined
    assert ("Your invitation to Ferry was withdrawn" in text) is not joined


def test_whoever_is_asked_gets_the_board_what_happened_their_secret_and_a_link_for_each_answer(desk):
    match_id = desk.start()
    with desk.store.reading() as connection:
        seats = {row.name: row for row in connection.execute(select(col(Player.name), col(Player.id)))}
    assert set(seats) == {"Ada", "Bo", "Cleo"}
    charms = {}
    for name, address in ADDRESSES.items():
        written = desk.write("asked", address)
        dom = check(written)
        text = text_of(written.message)
        assert written.message["Subject"] == f"[Tidepost] Ferry #{match_id} – your turn"
        assert links(written.message, "/rules/") == ["https://play.example.org/rules/ferry"]
        assert written.message["References"] == f"<match.{match_id}@play.example.org>"
        for part in (text, dom.text):
            assert "Bid up to three coins." in part
            assert "Waiting for " in part
            assert desk.names[name] in part
            charms[name] = re.search(r"Your charm is a (\w+)", part)[1]
        assert len(dom.images) == 1
        picture = next(part for part in written.message.walk() if part.get_content_type() == "image/png")
        assert dom.images[0]["src"] == f"cid:{picture['Content-ID'].strip('<>')}"
        assert picture.get_content().startswith(b"\x89PNG")
        own = links(written.message, "/t/")
        assert [link.partition("?do=")[2] for link in own] == ["", "bid%200", "bid%201", "bid%202", "bid%203"]
        assert len({link.partition("?")[0] for link in own}) == 1
        assert "red is on place 0 with 5 coins." in text
    assert set(charms) == set(ADDRESSES)


def test_a_letter_that_was_overtaken_is_not_sent(desk, settings):
    desk.start()
    first, *others = desk.waiting("asked")
    written = compose(desk.store, settings, first)
    token = links(written.message, "/t/")[0].rsplit("/", 1)[1]
    answer_all(desk, token, "bid 1")
    assert compose(desk.store, settings, first) == Dropped("answered")
    assert all(isinstance(compose(desk.store, settings, letter), Composed) for letter in others)


def answer_all(desk, token, text):
    (asked,) = player_view_by_token(desk.store, token).asked
    service.play(desk.store, Viewer(token=token), asked.question_id, text)


def test_the_same_letter_composed_again_keeps_its_identity_and_both_links_work(desk, settings):
    """Two sends make two links; the link of the first letter does not die of the second."""
    desk.start()
    letter = desk.waiting("asked")[0]
    once, again = (compose(desk.store, settings, letter).message for _ in range(2))
    assert once["Message-ID"] == again["Message-ID"]
    assert links(once, "/t/") != links(again, "/t/")
    for message in (once, again):
        assert player_view_by_token(desk.store, links(message, "/t/")[0].rsplit("/", 1)[1]).asked


def test_no_letter_says_what_another_seat_holds(desk, settings):
    desk.start()
    for letter in desk.waiting("asked"):
        written = compose(desk.store, settings, letter)
        text = text_of(written.message) + html_of(written.message)
        assert len(set(re.findall(r"charm is a (\w+)", text))) == 1
        assert "secret was" not in text


def play_out(desk, match_id):
    """Everybody answers with the first thing offered until the game is over."""
    with desk.store.reading() as connection:
        players = list(connection.execute(select(col(Player.id))).scalars())
    for _ in range(200):
        for player in players:
            seen = player_view(desk.store, match_id, Viewer(player_id=player))
            if seen.status == "over":
                return
            for asked in seen.asked[:1]:
                move = seen.game.format(asked.decision.options[0])
                service.play(desk.store, Viewer(player_id=player), asked.question_id, move)
    raise AssertionError("the game does not end")


def test_what_happened_is_told_once_with_names_and_own_secrets(desk, settings):
    match_id = desk.start()
    for letter in desk.waiting("asked"):
        assert "Only you see this: your charm is" in text_of(compose(desk.store, settings, letter).message)
    first = desk.write("asked", ADDRESSES["ada"])
    assert first.to_ply == 0
    with desk.store.transaction() as connection:
        connection.execute(update(Chair).values(heard_ply=0))
        players = dict(connection.execute(select(col(Player.name), col(Player.id))).all())
    # Equal bids: red wins, and is asked anew only if it was not the last to bid.
    for name in [one.name for one in player_view(desk.store, match_id).sittings]:
        seen = player_view(desk.store, match_id, Viewer(player_id=players[name]))
        service.play(desk.store, Viewer(player_id=players[name]), seen.asked[0].question_id, "bid 1")
    (letter,) = [
        one for one in desk.waiting("asked") if isinstance(compose(desk.store, settings, one), Composed)
    ]
    text = " ".join(text_of(compose(desk.store, settings, letter).message).split())
    told = text.partition("Since your last email")[2].partition("is on place")[0]
    assert "The game began" not in told
    for name in ("Bo", "Cleo", "Ada"):
        assert len(re.findall(rf"{name} \(\w+\) has bid", told)) == 1
    assert re.search(r"The bids are open, and (Ada|Bo|Cleo) bid most\.", told)


def test_what_is_too_much_for_a_letter_is_told_by_its_end(desk, clock):
    for name in desk.names:
        desk.names[name] = name[0] + "島" * 39
    match_id = desk.start()
    with desk.store.reading() as connection:
        errand = context_of(connection, outbox.letter(connection, desk.waiting("asked")[0]))
    seen = player_view(desk.store, match_id)
    seats = [one.seat for one in seen.sittings]
    bids = [LogEntry(n, seats[n % 3], "move", (BidMade(seats[n % 3]),), clock.now()) for n in range(200)]
    few, all_told = told(errand, seen, bids[:6])
    assert all_told
    assert len(few) == 6
    many, all_told = told(errand, seen, bids)
    assert not all_told
    parts = templating.environment().get_template("mail/parts.html").module
    assert 3_000 < len(str(parts.happened(many)).encode()) < 9_000, "styles come on top"
    assert "(" in many[0].sentences[0], "who is named first is named with their colour"
    assert many[-1].sentences[0].startswith(seen.name(seats[199 % 3]))


def test_who_is_asked_by_now_hears_of_the_start_in_that_letter_alone(desk, settings):
    desk.start()
    letter = desk.waiting("asked")[0]
    with desk.store.transaction() as connection:
        connection.execute(update(Letter).where(col(Letter.id) == letter).values(kind="started"))
    assert compose(desk.store, settings, letter) == Dropped("asked")


def test_the_end_is_told_to_everybody_with_the_proof_of_the_dice(desk, settings):
    match_id = desk.start()
    play_out(desk, match_id)
    told = [compose(desk.store, settings, letter) for letter in desk.waiting("over")]
    assert {written.recipient for written in told} == set(ADDRESSES.values())
    for written in told:
        dom = check(written)
        assert "is over" in dom.text
        assert "1. " in dom.text
        assert "word of ada" in dom.text
        assert re.search(r"secret was [0-9a-f]{64}", dom.text)
        assert links(written.message) == [
            f"https://play.example.org/m/{match_id}",
            *links(written.message, "/r/"),
            "https://play.example.org/",
            "https://play.example.org/privacy",
            f"https://play.example.org/u/{LEAVE.fullmatch(written.message['List-Unsubscribe'])[1]}",
        ]
    for letter in desk.waiting("asked") + desk.waiting("started"):
        assert isinstance(compose(desk.store, settings, letter), Dropped)


def test_lost_links_come_again_in_one_letter(desk):
    match_id = desk.start()
    ask_links(desk.store, ADDRESSES["bo"])
    written = desk.write("links")
    dom = check(written)
    assert f"Ferry #{match_id} (you play" in dom.text
    assert [link.split("/")[3] for link in links(written.message)] == ["t", "s", "", "privacy", "u"]
    people.ask_sign_in(desk.store, ADDRESSES["bo"])
    written = desk.write("sign_in")
    check(written)
    assert "2 March 2026, 15:30 (WET, UTC+00:00)" in text_of(written.message)


@pytest.mark.parametrize(
    "name",
    ["Ada\r\nBcc: all", "<script>alert(1)</script>", "\u202eadA", "A" * 40, "Åda “the” Ünready"],
)
def test_a_name_breaks_no_letter(desk, settings, name):
    desk.open()
    desk.names["ada"] = name
    desk.accept("ada", "confirm")
    for letter in desk.waiting("invited"):
        written = compose(desk.store, settings, letter)
        check(written)
        assert written.message["Bcc"] is None


def test_a_language_that_runs_from_right_to_left_has_its_letter_run_so_but_not_its_board(desk, settings):
    desk.start()
    with desk.store.transaction() as connection:
        connection.execute(update(Player).values(language="fa"))
    letter = desk.waiting("asked")[0]
    written = compose(desk.store, settings, letter)
    dom = Dom(html_of(written.message))
    assert dom.html == {"lang": "fa", "dir": "rtl"}
    assert written.message["Content-Language"] == "fa"
    assert html_of(written.message).count('dir="ltr"') == 2
    assert "\u2066bid 1\u2069" in text_of(written.message)


@given(st.text(max_size=400))
def test_a_header_is_one_line_of_what_can_be_seen(text):
    line = one_line(text)
    message = EmailMessage()
    message["Subject"] = line
    assert len(line) <= 180
    assert str(message["Subject"]) == line
    assert line == line.strip()
    assert not re.search(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]", line)


def test_each_kind_of_letter_has_its_templates():
    from app.templating import loader

    names = set(loader().list_templates())
    for kind in KINDS:
        assert {f"mail/{kind}/{file}" for file in ("subject.txt", "body.txt", "body.html")} <= names
