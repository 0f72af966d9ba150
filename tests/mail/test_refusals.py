"""What mail servers say when they refuse, and what it is about. The wording is ours, the forms are theirs."""

import pytest

from app.mail.bounces.refusals import About, Stage, about, masked
from app.mail.outbound import smtp
from tests.mail import refusal_answers

PERSON, FULL, POLICY, US, LATER = About
RECIPIENT = [
    # there is nobody: by the status, by words, by both
    (550, "5.1.1 user unknown", PERSON),
    (550, "5.1.1", PERSON),
    (
        550,
        "5.1.1 <bo@example.org>: Recipient address rejected: User unknown in relay recipient table",
        PERSON,
    ),
    (550, "5.1.1 The email account that you tried to reach does not exist. Look for typos.", PERSON),
    (550, "5.1.10 RESOLVER.ADR.RecipientNotFound; recipient not found by address lookup", PERSON),
    (550, "5.1.2 no such domain", PERSON),
    (553, "5.1.3 bad destination mailbox address syntax", PERSON),
    (550, "5.1.6 the mailbox has moved, no address given", PERSON),
    (550, "5.1.0 address rejected", PERSON),
    (550, "no such mailbox", PERSON),
    (550, "No such user here", PERSON),
    (550, "5.7.1 No such user!", PERSON),
    (550, "sorry, no mailbox here by that name (#5.1.1)", PERSON),
    (550, "unrouteable address", PERSON),
    (551, "user not local; try somewhere else", PERSON),
    (554, "delivery error: this user doesn't have an account here [-5]", PERSON),
    (550, "User bo not listed in Domino Directory", PERSON),
    (550, "5.4.1 Recipient address rejected: Access denied [AM0.example]", PERSON),
    (550, "5.5.0 Requested action not taken: mailbox unavailable (S1)", PERSON),
    (550, "5.4.4 host not found", PERSON),
    (550, "Benutzer unbekannt", PERSON),
    (550, "Utilisateur inconnu", PERSON),
    (550, "El usuario no existe", PERSON),
    (550, "la cuenta de correo no existe", PERSON),
    (550, "Empfängeradresse existiert nicht", PERSON),
    (550, "the recipient may contain a non-existent account", PERSON),
    (550, "5.4.1 All recipient addresses rejected : Access denied", PERSON),
    (550, "account expired", PERSON),
    # closed for good
    (550, "5.2.1 mailbox disabled", PERSON),
    (554, "30 sorry, this mailbox is disabled (554.30)", PERSON),
    (550, "account closed", PERSON),
    # full: later, then the person
    (552, "5.2.2 mailbox full", FULL),
    (552, "Requested action aborted: exceeded storage allocation", FULL),
    (550, "user is over quota", FULL),
    (452, "4.2.2 over quota", FULL),
    (452, "insufficient storage for this mailbox: mailbox is full", FULL),
    # us
    (550, "JunkMail rejected - host is in an RBL, see the list", US),
    (553, "sorry, your envelope sender is not allowed (for this one 5.7.1 would have been right)", US),
    (554, "DT:SPM 163 mx1,x, message looks like spam", US),
    (554, "5.7.1 Service unavailable; client host [192.0.2.1] blocked using a list", US),
    (550, "5.7.1 messages from [192.0.2.1] weren't sent: part of the network is on our block list", US),
    (550, "5.7.1 bo@example.org is on the suppression list of the account", US),
    (550, "address is on suppression list", US),
    (550, "permanently deferred: your ip in prison", US),
    (550, "5.7.1 SPF check failed", US),
    (550, "5.7.26 unauthenticated mail from a domain with DMARC reject", US),
    (550, "5.7.23 the message was rejected by SPF", US),
    (550, "5.7.25 no PTR record", US),
    (554, "refused, see our reputation page", US),
    (550, "5.1.8 bad sender's system address", US),
    (553, "5.1.7 bad sender address syntax", US),
    (550, "5.1.0 sender rejected", US),
    (550, "5.1.1 mail from this IP address is refused: listed in an RBL", US),
    (550, "user unknown, or your IP is on a blacklist", US),
    (550, "5.7.1 relaying denied", US),
    (554, "relay access denied", US),
    (550, "too many messages this hour", US),
    (550, "5.7.1 sending rate exceeded", US),
    (503, "5.5.1 bad sequence of commands", US),
    (530, "5.7.0 authentication required", US),
    # the relay's own list, and our sender, whatever the status
    (550, "5.1.1 the relay has suppressed sending to this address: a recent history of bouncing", US),
    (550, "5.1.1 on the suppression list because it was an invalid address", US),
    (550, "5.1.1 not delivering to a previously bounced address", US),
    (550, "5.1.1 hard bounce in the past, invalid recipient", US),
    (550, "5.1.1 unsubscribed address", US),
    (550, "5.2.1 inactive recipient: mailbox disabled", US),
    (550, "5.1.1 <b@play.example>: Sender address rejected: undeliverable address: unknown user", US),
    (550, "5.1.1 could not verify sender: no such user", US),
    (550, "5.7.708 access denied, traffic not accepted from this IP", US),
    (553, "5.7.2 all messages from 192.0.2.1 will be permanently deferred", US),
    (554, "message rejected: email address is not verified", US),
    (553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", US),
    # this letter, or a rule of theirs
    (550, "5.7.1 refused by policy", POLICY),
    (550, "5.7.1 the recipient takes mail of members only", POLICY),
    (552, "5.3.4 message too big", POLICY),
    (554, "5.6.0 the message is malformed", POLICY),
    (554, "5.4.6 routing loop", POLICY),
    (550, "", POLICY),
    (554, "transaction failed", POLICY),
    (550, "go away", POLICY),
    # not now
    (451, "4.7.1 greylisted, come back in five minutes", LATER),
    (450, "4.2.1 mailbox temporarily not available", LATER),
    (421, "4.7.0 your IP is sending too fast", LATER),
    (451, "5.1.1", LATER),
    (450, "user unknown in local recipient table", LATER),
    (550, "5.4.7 delivery time expired", LATER),
    (550, "5.2.1 mailbox temporarily locked", LATER),
    (550, "5.2.1 mailbox disabled, try again tomorrow", LATER),
    (550, "5.2.1 the user is receiving mail at a rate that prevents more", LATER),
]


@pytest.mark.parametrize(("code", "text", "what"), [*RECIPIENT, *refusal_answers.RECIPIENT])
def test_a_refusal_of_the_recipient(code, text, what):
    assert about(Stage.RECIPIENT, code, text) is what


@pytest.mark.parametrize(
    ("stage", "code", "text", "what"),
    [
        (Stage.CONNECT, 554, "5.7.1 no, you are in a list", US),
        (Stage.CONNECT, 550, "5.1.1 user unknown", US),
        (Stage.CONNECT, 421, "too many connections", LATER),
        (Stage.CONNECT, 535, "5.7.8 authentication failed", US),
        (Stage.CONNECT, 454, "4.7.0 temporary failure of authentication", LATER),
        (Stage.SENDER, 550, "5.1.1 no such user", US),
        (Stage.SENDER, 553, "sender address rejected: not owned by user", US),
        (Stage.SENDER, 552, "5.3.4 the message is too big", POLICY),
        (Stage.SENDER, 451, "4.4.3 sender's domain can't be looked up", LATER),
        (Stage.TEXT, 550, "5.7.1 spam", US),
        (Stage.TEXT, 554, "5.7.1 the letter was refused by a filter rule", POLICY),
        (Stage.TEXT, 550, "5.1.1 no such user", PERSON),
        (Stage.TEXT, 550, "it says: user unknown", POLICY),
        (Stage.TEXT, 554, "delivery error: this user doesn't have an account here [-5]", PERSON),
        (Stage.TEXT, 554, "sorry, this mailbox is disabled", PERSON),
        (Stage.TEXT, 552, "5.2.2 mailbox full", FULL),
        (Stage.TEXT, 452, "4.3.1 insufficient system storage", LATER),
        (Stage.TEXT, 554, "transaction failed", POLICY),
        *[(Stage.TEXT, *one) for one in refusal_answers.TEXT],
    ],
)
def test_the_same_words_mean_another_thing_at_another_moment(stage, code, text, what):
    assert about(stage, code, text) is what


@pytest.mark.parametrize("text", ["x" * 10**6, "5." * 10**5, "<" * 10**5, "a@" * 10**5, "\0\ud800"])
def test_no_refusal_is_too_strange_to_be_read(text):
    assert about(Stage.RECIPIENT, 550, text) is POLICY
    assert len(masked(text)) <= 300


def test_what_an_operator_reads_names_nobody():
    assert (
        masked("550 5.1.1 <ada@example.org>: (bo@x.example)\n no such user")
        == "550 5.1.1 <…>: (…) no such user"
    )


@pytest.mark.parametrize("answer", ["Empfänger gesperrt".encode(), "Empfänger gesperrt".encode("latin-1")])
def test_a_refusal_in_another_script_is_read(answer):
    assert smtp.Refused("address_refused", 550, smtp.text_of(answer)).about is PERSON
