"""Notices of delivery that only people were meant to read: qmail's, and those of an older Exim."""

import pytest

from tests.mail.test_bounces import AWAY, post

__all__ = ["post"]

QMAIL = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: failure notice

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.org>:
{said}

--- Below this line is a copy of the message.

Return-Path: <{to}>
Subject: [Tidepost] Ferry #1

<bo@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)
"""
EXIM = """\
Return-Path: <>
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: {to}
X-Failed-Recipients: ada@example.org
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.org
    {said}

------ This is a copy of the message, including all the headers. ------

Subject: [Tidepost] Ferry #1
"""
REMOTE = "192.0.2.25 {stage}\nRemote host said: {said}\nGiving up on 192.0.2.25."
RECIPIENT, MESSAGE = "does not like recipient.", "failed after I sent the message."
RCPT = "SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    host mx [192.0.2.25]: "
DATA = "SMTP error from remote mail server after end of data:\n    host mx [192.0.2.25]: "


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (QMAIL, "Sorry, no mailbox here by that name. (#5.1.1)"),
        (QMAIL, "Sorry, I couldn't find any host named example.org. (#5.1.2)"),
        (QMAIL, REMOTE.format(stage=RECIPIENT, said="550 5.1.1 <ada@example.org>: user unknown")),
        (QMAIL, REMOTE.format(stage=RECIPIENT, said="550 no such user here")),
        (EXIM, RCPT + "550 5.1.1 <ada@example.org>: no such user"),
        (EXIM, RCPT + "550-no such user here\n    550 ask them"),
        (EXIM, RCPT.replace("mail server", "mailer") + "550 unknown user"),
    ],
)
@pytest.mark.parametrize("line", ["\n", "\r\n"])
def test_nobody_there_in_words_stops_letters_as_a_report_does(post, form, said, line):
    """Small servers send no report for machines: the letter was "sent" for ever, and the next ones too."""
    raw = form.format(to=post.sender, said=said).replace("\n", line).encode()
    assert post.back(raw) == "bounced"
    assert post.suppress().reason == "bounced"
    assert post.outbox.state("Ada")[-1] == ("failed", "bounced")
    assert post.outbox.state("Bo")[-1] == ("sent", ""), "what stands in the copy of the letter is no notice"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (QMAIL, REMOTE.format(stage=RECIPIENT, said="550 5.7.1 refused by policy")),
        (QMAIL, REMOTE.format(stage=RECIPIENT, said="552 5.2.2 mailbox full")),
        (QMAIL, REMOTE.format(stage=MESSAGE, said="550 looks like spam")),
        (QMAIL, REMOTE.format(stage=RECIPIENT, said="451 4.7.1 greylisted")),
        (QMAIL, "I'm not going to try again; this message has been in the queue too long. (#4.4.1)"),
        (QMAIL, "It did not work out."),
        (QMAIL, "Connected to 5.1.1.25 but it hung up."),
        (EXIM, RCPT + "550 5.7.1 refused by policy"),
        (EXIM, DATA + "550 looks like spam"),
        (EXIM, "retry timeout exceeded"),
    ],
)
def test_a_letter_that_failed_for_another_reason_is_not_called_sent_and_bars_nothing(post, form, said):
    assert post.back(form.format(to=post.sender, said=said).encode()) == "kept"
    assert post.suppress() is None
    ((status, reason),) = post.outbox.state("Ada")[-1:]
    assert status == "failed"
    words = {"full": "mailbox_full", "spam": "refused_us"}
    assert reason == next((why for word, why in words.items() if word in said), "undelivered")


GONE = "Sorry, no mailbox here by that name. (#5.1.1)"


@pytest.mark.parametrize(
    "text",
    [
        QMAIL.replace("Hi. This is the", "Hi, I got this: Hi. This is the"),
        QMAIL.replace("Hi. This is the", "> Hi. This is the"),
        QMAIL.replace("This is a permanent error; I've given up.", "I will go on trying."),
        QMAIL.replace("--- Below this line", "Below"),
        QMAIL.replace("<ada@example.org>:", "ada@example.org said:"),
        EXIM.replace("X-Failed-Recipients", "X-Other"),
        EXIM.replace("This is a permanent error.", "It will be tried again."),
        EXIM.replace("This message was created", "I am away. This message was created"),
        AWAY.replace("I am away until Monday.", f"I am away.\n\n<ada@example.org>:\n{GONE}\n\n"),
    ],
)
def test_what_has_not_the_whole_form_is_no_notice(post, text):
    """An answering machine, a person who quotes, a warning of a delay: the letter stays sent."""
    assert post.back(text.replace("{to}", post.sender).replace("{said}", GONE).encode()) == "no_notice"
    assert post.suppress() is None
    assert post.outbox.state("Ada")[-1] == ("sent", "")


OTHERS = [
    (
        "mailer-daemon@mx.example.net",
        """\
Message from mx.example.net.
Unable to deliver message to the following address(es).

<ada@example.org>:
This user doesn't have a mx.example account (ada@example.org) [-9]

--- Original message follows.

Subject: [Tidepost] Ferry #1
""",
        "bounced",
    ),
    (
        "Postmaster <postmaster@mx.example.net>",
        """\
The following addresses had permanent fatal errors -----
<ada@example.org>

   ----- Transcript of session follows -----
... while talking to mx.example.org.:
<<< 550 rejected, your host is in a blocklist
""",
        "kept",
    ),
]
"""Notices in forms that neither a report nor our own reader knows."""


@pytest.mark.parametrize(("sender", "text", "what"), OTHERS)
def test_other_forms_are_read_by_a_library_and_judged_by_their_words(post, sender, text, what):
    raw = f"Return-Path: <>\nFrom: {sender}\nTo: {post.sender}\nSubject: failure\n\n{text}".encode()
    assert post.back(raw) == what
    assert (post.suppress() is not None) == (what == "bounced")
    assert post.outbox.state("Ada")[-1][0] == "failed"


def test_a_person_who_quotes_such_a_notice_sends_none(post):
    raw = f"From: Ada <ada@example.org>\nTo: {post.sender}\n\n{OTHERS[0][1]}".encode()
    assert post.back(raw) == "no_notice"
    assert post.suppress() is None
