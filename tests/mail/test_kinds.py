"""A kind of letter is one entry of the registry; all rules about kinds are read from it."""

from datetime import timedelta

import pytest
from jinja2 import ChoiceLoader, DictLoader

from app import templating
from app.mail.core.context import Page
from app.mail.core.kind import Kind
from app.mail.core.letter import Dropped
from app.mail.letters.kinds import KINDS
from app.mail.policy import history, unsubscribe
from app.people import preferences
from app.people.suppression import suppress
from app.store.outbox import LetterRequest, enqueue
from tests.mail.outbox import body
from tests.play import cast

GREETING = {
    "mail/greeting/subject.txt": "Hello {{ reader }}",
    "mail/greeting/body.txt": "Hello {{ reader }}: {{ word }}.",
    "mail/greeting/body.html": "<html><body><p>Hello {{ reader }}: {{ word }}.</p></body></html>",
}


def greeting(_mailer, context):
    return (
        Dropped("nobody")
        if not context.name
        else Page({"reader": context.name, "word": "welcome"}, "Tidepost")
    )


@pytest.fixture
def add(monkeypatch):
    """Puts a kind into the registry, and its three templates among the others."""
    loader = templating.environment().loader
    both = ChoiceLoader([DictLoader(GREETING), loader])
    for made in (templating.environment(), templating.plain()):
        monkeypatch.setattr(made, "loader", both)
    return lambda **entry: monkeypatch.setitem(KINDS, "greeting", Kind(greeting, **entry))


@pytest.fixture
def ada(outbox, clock):
    """Ada's number, in a match that has started; the letters about it have been sent."""
    cast.seat(outbox.store, ("Ada", "Bo"))
    clock.advance(hours=1)
    outbox.go()
    outbox.clear()
    return outbox.player("Ada")


def ask(outbox, clock, ada, once="greeting:1"):
    with outbox.store.transaction() as connection:
        enqueue(connection, clock.now(), LetterRequest(kind="greeting", once=once, player_id=ada))
    outbox.go()
    return outbox.to("Ada", "Hello Ada")


def test_a_new_kind_is_one_entry_a_writer_and_three_templates(outbox, clock, ada, add):
    add()
    (letter,) = ask(outbox, clock, ada)
    assert body(letter) == "Hello Ada: welcome.\n"
    assert letter["Reply-To"] is None
    assert outbox.state("Ada", "greeting") == [("sent", "")]
    assert not history.latest(outbox.store, ada)[0].again


def test_an_entry_that_is_repliable_gives_its_letters_an_address(outbox, clock, ada, add):
    add(repliable=True)
    (letter,) = ask(outbox, clock, ada)
    assert str(letter["Reply-To"]).startswith("Tidepost <r+")


def test_an_entry_that_is_resendable_lets_its_letters_come_again(outbox, clock, ada, add):
    add(resendable=True)
    ask(outbox, clock, ada)
    (line,) = (one for one in history.latest(outbox.store, ada) if one.kind == "greeting")
    assert line.again
    history.send_again(outbox.store, ada, line.id)
    outbox.go()
    assert len(outbox.to("Ada", "Hello")) == 2


def test_an_entry_says_which_choice_holds_and_whether_it_waits(outbox, clock, ada, add):
    preferences.choose(outbox.store, ada, preferences.ALL, {"chat": "none"})
    add(event="chat", may_wait=True)
    assert not ask(outbox, clock, ada)
    assert outbox.state("Ada", "greeting") == [("dropped", "by_choice")]
    add(event="chat")
    assert ask(outbox, clock, ada, "greeting:2")


def test_an_entry_that_settles_waits_a_minute(outbox, clock, ada, add):
    add(event="news", may_wait=True, settles=True)
    assert not ask(outbox, clock, ada)
    clock.advance(minutes=1)
    outbox.go()
    assert outbox.to("Ada", "Hello Ada")


def test_an_entry_says_what_its_reader_leaves(outbox, clock, ada, add):
    add(event="over")
    (letter,) = ask(outbox, clock, ada)
    text = str(letter["List-Unsubscribe"]).partition("/u/")[2].partition(">")[0]
    assert unsubscribe.leaving(outbox.store, outbox.settings, text).event == "over"
    assert unsubscribe.leave(outbox.store, outbox.settings, text).scopes == {"kind": True, "all": False}
    assert len(ask(outbox, clock, ada, "greeting:2")) == 1, "no second one"
    add(answers=True)
    assert len(ask(outbox, clock, ada, "greeting:3")) == 2, "an answer is no list"


@pytest.mark.parametrize("on_request", [False, True])
def test_an_entry_on_request_is_tried_where_letters_came_back(outbox, clock, ada, add, on_request):
    add(on_request=on_request)
    with outbox.store.transaction() as connection:
        suppress(connection, "ada@example.org", "bounced", clock.now() - timedelta(hours=1))
    assert bool(ask(outbox, clock, ada)) is on_request


def test_every_entry_has_its_three_templates_and_every_folder_its_entry():
    folders = {name.split("/")[1] for name in templating.environment().list_templates() if _is_letter(name)}
    assert folders == set(KINDS)
    for kind in KINDS:
        for file in ("subject.txt", "body.txt", "body.html"):
            assert templating.plain().get_template(f"mail/{kind}/{file}")


def _is_letter(name):
    return name.startswith("mail/") and name.endswith("/subject.txt")
