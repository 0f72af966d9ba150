"""Letters go out once, whoever dies and whatever the mail server says. On SQLite and on PostgreSQL."""

import sqlite3
from datetime import timedelta
from email import policy
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import event, func, select, text
from sqlmodel import col

from app import clock as clocks
from app.mail.core import relay
from app.mail.core.letter import Composed, Dropped
from app.mail.outbound import deliver as postman
from app.mail.outbound import smtp, wire
from app.mail.outbound.figures import figures
from app.settings import Settings
from app.store import tokens
from app.store.session import Store
from app.store.tables import Chair, Letter, Match, Player
from tests.conftest import HeldClock
from tests.mail.sinks import mail_server, moody_server
from tests.rows import rows_of

SETTINGS = Settings("", "folder://", "", "", "https://h.example", "h.example", ("k" * 32,), Path("/nowhere"))


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url


class Office:
    """One letter to Ada about ply 7 of a match, and a mail server that does as it is told."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self.sent: list[EmailMessage] = []
        self.trouble: Exception | None = None
        self.truth: Composed | Dropped | Exception = self.letter()
        monkeypatch.setattr(postman, "compose", self.compose)
        now = clocks.now()
        with rows_of(store) as session:
            player = Player(address="ada@x.example", address_key="ada@x.example", name="Ada", created_at=now)
            match = Match(
                game="ferry",
                edition=1,
                options="{}",
                seats=2,
                status="running",
                secret=b"s",
                ply=9,
                created_at=now,
            )
            session.add_all([player, match])
            session.flush()
            own = {"match_id": match.id, "seat": "red", "player_id": player.id}
            session.add(Chair(**own, since=now))
            session.add(Letter(**own, id="one", kind="started", once="one", created_at=now, due_at=now))

    def letter(self) -> Composed:
        message = EmailMessage(policy=policy.SMTP)
        message["From"], message["To"], message["Message-ID"] = (
            "h@h.example",
            "ada@x.example",
            "<one@h.example>",
        )
        message.set_content("Your turn\n")
        return Composed(message, "h@h.example", "ada@x.example", 7)

    def compose(self, _store, _settings, _letter_id):
        if isinstance(self.truth, Exception):
            raise self.truth
        return self.truth

    def send(self, _url, _sender, _recipient, message):
        if self.trouble is not None:
            raise self.trouble
        self.sent.append(message)

    def deliver(self) -> str:
        return postman.deliver(self.store, SETTINGS, "one", self.send)

    def row(self):
        with self.store.reading() as connection:
            return connection.execute(select(Letter.__table__)).one()

    def heard(self) -> int:
        with self.store.reading() as connection:
            return connection.execute(select(col(Chair.heard_ply))).scalar_one()


@pytest.fixture
def office(store: Store, clock: HeldClock, monkeypatch: pytest.MonkeyPatch) -> Office:  # noqa: ARG001
    return Office(store, monkeypatch)


def test_a_letter_goes_out_once_and_its_reader_has_heard(office, clock):
    assert postman.due(office.store) == ["one"]
    assert office.deliver() == "sent"
    assert office.deliver() == "held"
    assert postman.due(office.store) == []
    assert len(office.sent) == 1
    assert (office.row().sent_at, office.row().to_ply, office.heard()) == (clock.now(), 7, 7)


def test_two_workers_do_not_send_the_same_letter(office):
    def meanwhile(*_):
        assert office.deliver() == "held"
        assert postman.due(office.store) == []

    assert postman.deliver(office.store, SETTINGS, "one", meanwhile) == "sent"


def test_a_letter_that_is_not_due_waits(office, clock):
    clock.moment -= timedelta(seconds=1)
    assert postman.due(office.store) == []
    assert office.deliver() == "held"


def test_a_letter_that_is_no_longer_true_is_dropped_with_the_reason(office):
    office.truth = Dropped("answered")
    assert office.deliver() == "dropped"
    assert (office.row().status, office.row().reason, office.sent) == ("dropped", "answered", [])
    assert office.heard() == -1


def test_a_no_for_now_waits_longer_each_time_and_in_the_end_gives_up(office, clock):
    """A mail server that is busy is tried again: “not now” is no “no”."""
    office.trouble = smtp.TryLater("relay", 451)
    start, waits = clock.now(), []
    while office.deliver() == "waiting":
        waits.append(int((office.row().due_at - clock.now()) / timedelta(minutes=1)))
        clock.moment = office.row().due_at
    assert waits[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert timedelta(days=4) <= clock.now() - start < timedelta(days=4, hours=2)
    assert (office.row().status, office.row().reason, office.heard()) == ("failed", "given_up", -1)


def test_a_mail_server_that_was_away_for_an_hour_gets_the_letter_afterwards(office, clock):
    """No letter is lost for it, and nobody has to play a move again to be told of their turn."""
    office.trouble = smtp.TryLater("connection")
    start = clock.now()
    while clock.now() - start < timedelta(hours=1):
        office.deliver()
        clock.advance(seconds=30)
    office.trouble = None
    while postman.due(office.store) == []:
        clock.advance(seconds=30)
    assert office.deliver() == "sent"
    assert clock.now() - start < timedelta(hours=2, minutes=10)


def test_a_no_for_good_is_final_and_says_why(office, clock):
    """It is not tried again, and it does not vanish: its reader finds it in the list of their letters."""
    office.trouble = smtp.Refused("address_refused", 550)
    assert office.deliver() == "failed"
    clock.advance(days=1)
    assert office.deliver() == "held"
    assert (office.row().reason, office.heard()) == ("address_refused", -1)


def test_a_letter_lost_after_the_last_dot_is_tried_once_more_after_half_an_hour(office, clock):
    office.trouble = smtp.Lost("gone")
    assert office.deliver() == "waiting"
    clock.advance(minutes=29)
    assert postman.due(office.store) == []
    clock.advance(minutes=1)
    office.trouble = None
    assert office.deliver() == "sent"
    assert office.sent[0]["Message-ID"] == "<one@h.example>"


def test_a_letter_lost_twice_or_overtaken_meanwhile_stays_unknown(office, clock):
    office.trouble = smtp.Lost("gone")
    office.deliver()
    clock.advance(minutes=30)
    assert office.deliver() == "unknown"
    assert (office.row().status, office.heard()) == ("unknown", -1)


def test_a_letter_lost_once_and_no_longer_true_stays_unknown(office, clock):
    office.trouble = smtp.Lost("gone")
    office.deliver()
    office.truth = Dropped("answered")
    clock.advance(minutes=30)
    assert office.deliver() == "unknown"


class Killed(BaseException):
    """SIGKILL: nothing after it runs."""


def test_a_worker_killed_between_sending_and_marking_leads_to_the_same_letter_again(
    office, clock, monkeypatch
):
    def killed(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(postman.outcome, "sent", killed)
        with pytest.raises(Killed):
            office.deliver()
    assert (len(office.sent), office.row().status) == (1, "waiting")
    clock.advance(minutes=4)
    assert postman.due(office.store) == []
    clock.advance(minutes=2)
    assert postman.due(office.store) == ["one"]
    assert office.deliver() == "sent"
    assert {message["Message-ID"] for message in office.sent} == {"<one@h.example>"}
    assert office.heard() == 7


def test_a_slow_worker_that_sent_after_its_lease_does_not_undo_what_another_wrote(office, clock):
    def slow(*_):
        clock.advance(minutes=6)
        assert office.deliver() == "sent"
        raise smtp.TryLater("connection")

    postman.deliver(office.store, SETTINGS, "one", slow)
    assert office.row().status == "sent"


def test_a_letter_that_cannot_be_written_stops_neither_the_others_nor_the_worker(office, clock, caplog):
    office.truth = ValueError("a fault in a template")
    assert office.deliver() == "waiting"
    assert office.row().reason == "unwritable"
    assert office.row().due_at > clock.now()
    assert "cannot be written" in caplog.text


def test_a_reader_who_left_is_not_told_in_their_successors_place(office, store, clock):
    with rows_of(store) as session:
        session.add(Chair(match_id=office.row().match_id, seat="blue", since=clock.now()))
    assert office.deliver() == "sent"
    with store.reading() as connection:
        heard = dict(connection.execute(select(col(Chair.player_id), col(Chair.heard_ply))).all())
    assert heard == {office.row().player_id: 7, None: -1}


def test_by_a_real_mail_server(office, monkeypatch):
    from msgspec.structs import replace

    with moody_server("rcpt", b"451 greylisted") as (url, _server):
        assert postman.deliver(office.store, replace(SETTINGS, smtp_url=url), "one") == "waiting"
    monkeypatch.setattr(clocks, "now", lambda: office.row().due_at)
    with mail_server() as (url, mailbox):
        assert postman.deliver(office.store, replace(SETTINGS, smtp_url=url), "one") == "sent"
    assert mailbox.to("ada@x.example")[0]["Message-ID"] == "<one@h.example>"


def test_what_a_mail_server_module_cannot_do_waits_and_is_not_held_for_ever(office, clock, caplog):
    office.trouble = UnicodeError("label too long")
    assert office.deliver() == "waiting"
    assert office.row().reason == "unsendable"
    assert office.row().held_until is None
    assert "cannot be sent" in caplog.text
    clock.advance(minutes=1)
    office.trouble = None
    assert office.deliver() == "sent"


@pytest.fixture
def talks(office, monkeypatch):
    """The steps of a hand-over as a real mail server goes through them; a test adds what happens at each."""
    steps = {"begins": lambda: None, "text": lambda: None, "taken": lambda: None}

    def send(_url, _sender, _recipient, message, progress, **_):
        steps["begins"]()
        progress.begins()
        office.sent.append(message)
        steps["text"]()
        progress.taken()
        steps["taken"]()

    monkeypatch.setattr(smtp, "send", send)
    monkeypatch.setattr(postman.outcome, "pause", lambda _seconds: None)
    return steps


def hand_over(office) -> str:
    return postman.deliver(office.store, SETTINGS, "one")


def raises(error):
    def now():
        raise error

    return now


def test_that_it_was_taken_stands_before_the_talk_with_the_server_ends(office, talks):
    """A worker killed while it says QUIT has lost nothing."""
    talks["taken"] = raises(Killed())
    with pytest.raises(Killed):
        hand_over(office)
    assert (office.row().status, office.heard()) == ("sent", 7)
    assert hand_over(office) == "held"
    assert len(office.sent) == 1


def test_killed_after_the_answer_it_goes_out_once_more_and_is_counted(office, clock, talks):
    talks["text"] = raises(Killed())
    with pytest.raises(Killed):
        hand_over(office)
    clock.advance(minutes=6)
    talks["text"] = lambda: None
    assert hand_over(office) == "sent"
    assert {message["Message-ID"] for message in office.sent} == {"<one@h.example>"}
    assert len(office.sent) == 2
    assert figures(office.store).repeated == 1


def test_killed_twice_it_does_not_go_out_a_third_time(office, clock, talks):
    talks["text"] = raises(Killed())
    for _ in range(2):
        with pytest.raises(Killed):
            hand_over(office)
        clock.advance(minutes=6)
    assert hand_over(office) == "unknown"
    assert len(office.sent) == 2


def test_killed_before_the_text_it_is_a_first_try_however_often(office, clock, talks):
    talks["begins"] = raises(Killed())
    for _ in range(5):
        with pytest.raises(Killed):
            hand_over(office)
        clock.advance(minutes=6)
    talks["begins"] = lambda: None
    assert hand_over(office) == "sent"
    assert (len(office.sent), figures(office.store).repeated) == (1, 0)


def test_links_act_from_the_moment_at_which_the_text_can_be_on_its_way(office, clock, talks):
    """A worker that dies before has promised nothing; one whose lease is over promises nothing either."""
    _, row = tokens.make("turn", clock.moment, seat="red", run=7)
    office.truth = msgspec.structs.replace(office.truth, tokens=(row,))
    talks["begins"] = raises(Killed())
    with pytest.raises(Killed):
        hand_over(office)
    assert kept_tokens(office) == []
    clock.advance(minutes=6)
    talks["begins"] = lambda: (clock.advance(minutes=6), postman.outcome.claim(office.store, "one"))
    assert hand_over(office) == "waiting"
    assert kept_tokens(office) == office.sent == []
    clock.advance(minutes=6)
    talks["begins"] = lambda: None
    talks["text"] = lambda: kept_tokens(office) == [row.hash] or pytest.fail("the text came first")
    assert hand_over(office) == "sent"


def kept_tokens(office) -> list[bytes]:
    with office.store.reading() as connection:
        return [bytes(one) for one in connection.execute(text("SELECT hash FROM token")).scalars()]


@pytest.mark.parametrize(
    "trouble",
    [Dropped("answered"), smtp.Refused("letter_refused", 554), smtp.Refused("address_refused", 550)],
)
def test_what_may_have_arrived_never_stands_as_dropped_or_failed(office, clock, talks, trouble):
    talks["text"] = raises(Killed())
    with pytest.raises(Killed):
        hand_over(office)
    clock.advance(minutes=6)
    if isinstance(trouble, Dropped):
        office.truth = trouble
    else:
        talks["begins"] = raises(trouble)
    assert hand_over(office) == "unknown"
    assert office.row().failed_at is None


def away(office, times):
    """The database fails at so many transactions that would record that a letter went out."""
    left = [times]
    sent = postman.outcome.sent

    def failing(*args):
        if left[0]:
            left[0] -= 1
            raise office.store.away[-2]("restarting")
        return sent(*args)

    return failing


@pytest.mark.usefixtures("talks")
def test_a_database_that_restarts_is_told_again_and_again(office, monkeypatch):
    monkeypatch.setattr(postman.outcome, "sent", away(office, 9))
    assert hand_over(office) == "sent"
    assert (office.row().status, len(office.sent)) == ("sent", 1)


@pytest.mark.usefixtures("talks")
def test_a_database_that_is_away_for_longer_than_the_lease_is_told_when_it_is_back(
    office, clock, monkeypatch
):
    """The same process remembers it, and another that took the letter over sends it once more at most."""
    monkeypatch.setattr(postman.outcome, "sent", away(office, 10**6))
    monkeypatch.setattr(postman.outcome, "pause", lambda seconds: clock.advance(seconds=seconds))
    began = clock.now()
    hand_over(office)
    assert office.row().status == "waiting"
    assert clock.now() - began <= postman.outcome.LEASE
    monkeypatch.undo()
    monkeypatch.setattr(clocks, "now", clock.now)
    postman.run_batch(office.store, SETTINGS, office.send)
    assert (office.row().status, len(office.sent)) == ("sent", 1)


def test_a_locked_sqlite_is_told_again(store, office, talks, monkeypatch):
    if store.engine.dialect.name != "sqlite":
        return  # nobody is locked out there
    other = sqlite3.connect(store.engine.url.database, isolation_level=None)
    talks["text"] = lambda: other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(postman.outcome, "pause", lambda _seconds: other.execute("ROLLBACK"))

    @event.listens_for(store.engine, "connect")
    def hasty(connection, _record):
        connection.execute("PRAGMA busy_timeout=1")

    store.engine.dispose()
    assert hand_over(office) == "sent"
    assert (office.row().status, len(office.sent)) == ("sent", 1)


@pytest.mark.usefixtures("talks")
def test_a_fault_in_what_follows_does_not_send_it_again(office, monkeypatch, caplog):
    monkeypatch.setattr(postman.outcome.chairs, "hear", raises_any(LookupError("a fault")))
    monkeypatch.setattr(postman.outcome.reach, "taken", raises_any(LookupError("a fault")))
    assert hand_over(office) == "sent"
    assert office.row().status == "sent"
    assert "not all that follows" in caplog.text


def raises_any(error):
    def now(*_args, **_named):
        raise error

    return now


@pytest.mark.usefixtures("talks")
def test_nothing_is_sent_that_could_not_be_recorded(office, clock, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(postman.outcome.outbox, "begin", raises_any(office.store.away[-2]("away")))
        assert hand_over(office) == "waiting"
    assert office.sent == []
    clock.advance(minutes=6)
    assert hand_over(office) == "sent"
    assert figures(office.store).repeated == 0


def test_a_worker_whose_lease_is_over_sends_nothing(office, clock, talks):
    talks["begins"] = lambda: clock.advance(minutes=6) or hand_over_once()

    def hand_over_once():
        talks["begins"] = lambda: None
        assert hand_over(office) == "sent"

    hand_over(office)
    assert (len(office.sent), office.row().status) == (1, "sent")


def test_a_hand_over_and_its_record_are_shorter_than_the_lease():
    assert timedelta(seconds=wire.WHOLE) < postman.outcome.LEASE / 2 + timedelta(seconds=1)
    assert wire.CONNECTING < wire.TAKING < wire.WHOLE
    assert timedelta(seconds=wire.WHOLE) < relay.PROBING


class Pile:
    """A hundred letters beside the one, none of which can be told from another but by its number."""

    def __init__(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = office.store
        self.tried: list[str] = []
        self.bad: set[str] = set()
        now = clocks.now()
        with rows_of(self.store) as session:
            for n in range(100):
                session.add(Letter(id=f"n{n}", kind="asked", once=f"n{n}", created_at=now, due_at=now))
        written = office.letter()

        def compose(_store, _settings, letter):
            letter_id = letter.id
            self.tried.append(letter_id)
            if letter_id in self.bad:
                raise ZeroDivisionError
            return Composed(written.message, written.sender, written.recipient, None)

        monkeypatch.setattr(postman, "compose", compose)

    def status(self) -> dict[str, int]:
        with self.store.reading() as connection:
            found = connection.execute(select(col(Letter.status), func.count()).group_by(col(Letter.status)))
            return {row[0]: row[1] for row in found}


@pytest.fixture
def pile(office: Office, monkeypatch: pytest.MonkeyPatch) -> Pile:
    return Pile(office, monkeypatch)


def test_a_round_sends_all_that_is_due_whatever_cannot_be_written(pile):
    pile.bad = {f"n{n}" for n in range(60)}
    assert postman.run_batch(pile.store, SETTINGS, lambda *_: None) is False
    assert pile.status() == {"waiting": 60, "sent": 41}
    assert len(pile.tried) == 101, "a letter that cannot be written is tried once a round"


def test_a_round_ends_after_a_while_and_says_that_letters_are_left(pile, clock):
    assert postman.run_batch(pile.store, SETTINGS, lambda *_: clock.advance(seconds=1)) is True
    assert pile.status() == {"waiting": 96, "sent": 5}


def test_two_rounds_at_once_send_each_letter_once(pile):
    sent = []

    def send(*_):
        sent.append(pile.tried[-1])
        if len(sent) == 1:
            postman.run_batch(pile.store, SETTINGS, send)

    assert postman.run_batch(pile.store, SETTINGS, send) is False
    assert len(sent) == 101
    assert len(set(pile.tried)) == 101
