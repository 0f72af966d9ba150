"""Every kind of email in every language: whole, no English left in it, and each line says how it reads."""

import re
from collections import defaultdict
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from app import templating
from app.mail.core.context import MailContext
from app.mail.core.letter import Dropped
from app.mail.core.reply_address import answerable
from app.mail.letters.kinds import KINDS
from app.mail.outbound import compose
from app.words import available
from tests.leftovers import faults_of_email
from tests.mail.letters_of_each_kind import Kinds

LANGUAGES = [code for code in available() if code != "en"]
NAMES = {"Tidepost", "Ferry", "Ada", "Bo", "Cleo", "Dan", "Eve", "Zoe", "UTC", "Webhook"}


TYPED = {"hello", "there", "word", "bid", "seen", "links", "letters", "help", "red", "blue", "green", "dud"}
TYPED |= {"good", "luck", "ahead", "They", "wrote", "terrible", "things", "tidepost", "close"}
"""What players say and type in these games, and an operator's command."""
ENGLISH = {"waiting"}
"""Emails to the operator, who types commands."""


@pytest.fixture
def written(outbox, clock, monkeypatch) -> dict[tuple[str, str], list[EmailMessage]]:
    """The emails by language and kind: each is written in every language at the moment when it is sent."""
    found = defaultdict(list)
    build = compose.build_message

    def in_all(settings, context, page):
        mailer, kind = MailContext(outbox.store, settings), KINDS[context.letter.kind]
        for language in LANGUAGES:
            other = replace(context, language=language)
            told = kind.writer(mailer, other)
            assert not isinstance(told, Dropped), context.letter.kind
            whole = build(settings, other, answerable(mailer, other, told, always=kind.repliable))
            found[language, context.letter.kind].append(whole.message)
        return build(settings, context, page)

    monkeypatch.setattr(compose, "build_message", in_all)
    made = Kinds(outbox, clock)
    assert set(made.kinds()) == set(KINDS)
    return found


def of_the_small_game() -> set[str]:
    """The words of the small game, which has English ones alone, and what people say in it."""
    files = ("words/en.jinja", "board.txt")
    sources = (
        templating.loader().get_source(templating.environment(), f"games/ferry/{one}")[0] for one in files
    )
    return {word for source in sources for word in re.findall(r"[A-Za-z]+", source)}


@pytest.mark.slow
def test_every_kind_of_email_is_whole_in_every_language(written):
    """One test for all: what makes an email of each kind takes seconds."""
    known = NAMES | TYPED | of_the_small_game()
    wrong = defaultdict(set)
    assert {kind for _, kind in written} == (set(KINDS) if LANGUAGES else set())
    for (language, kind), messages in written.items():
        if kind in ENGLISH:
            continue
        for message in messages:
            wrong[language, kind] |= faults_of_email(message, language, known)
    assert sorted((*where, *sorted(words)) for where, words in wrong.items() if words) == []
