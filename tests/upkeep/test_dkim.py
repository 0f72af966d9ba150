"""Emails are signed by a key of ours, as a receiver with our record in DNS verifies."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import dkim
import pytest
from click.testing import CliRunner

from app.cli import main
from app.mail.core import dkim_keys
from app.mail.outbound import signature, smtp
from app.upkeep import backup, restore
from tests.mail.sinks import mail_server
from tests.upkeep.conftest import KEY
from tests.upkeep.name_server import name_server

DOMAIN = "games.example.org"


@pytest.fixture
def settings(databases, house):
    return house(databases("sqlite"))


def letter():
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = f"Tidepost <tidepost@{DOMAIN}>"
    message["To"], message["Subject"] = "ada@example.org", "It’s your turn: Ferry"
    message["List-Unsubscribe"] = f"<https://{DOMAIN}/u/{'x' * 90}>, <mailto:leave.{'y' * 60}@{DOMAIN}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content("From the isle to the land.\n.\nÄ board: ⛵\n", cte="quoted-printable")
    message.add_alternative("<p>⛵</p>", subtype="html", cte="quoted-printable")
    return message


def sent(settings):
    """The bytes of an email that a mail server took."""
    with mail_server() as (url, mailbox):
        mailbox.raw = []
        take = mailbox.handle_DATA

        async def keep(server, session, envelope):
            mailbox.raw.append(envelope.original_content)
            return await take(server, session, envelope)

        mailbox.handle_DATA = keep
        smtp.send(
            url,
            "a@example.org",
            "ada@example.org",
            letter(),
            sign=lambda text: signature.signed(settings, text),
        )
    return mailbox.raw[0]


def verifies(settings, text, selector):
    key = next(one for one in dkim_keys.keys(settings) if one.selector == selector)
    name = dkim_keys.record_name(selector, DOMAIN).encode() + b"."

    def dns(asked, **_):
        return dkim_keys.record(key).encode() if asked == name else None

    return dkim.verify(text, dnsfunc=dns)


def test_without_a_key_in_use_nothing_is_signed(settings):
    dkim_keys.make(settings)
    assert b"dkim-signature" not in sent(settings).lower()


def test_a_receiver_verifies_what_arrived(settings):
    key = dkim_keys.make(settings)
    dkim_keys.use(settings, key.selector)
    text = sent(settings)
    assert verifies(settings, text, key.selector)
    assert message_from_bytes(text, policy=policy.default)["DKIM-Signature"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Subject:", b"X-Subject:"),
        (b"List-Unsubscribe:", b"X-List-Unsubscribe:"),
        (b"List-Unsubscribe-Post:", b"X-Post:"),
        (b"To: ada@", b"To: eve@"),
        (b"the isle", b"the island"),
        (b"From: Tidepost", b"From: Eve <eve@example.org>\r\nFrom: Tidepost"),
        (b"Subject:", b"Reply-To: eve@example.org\r\nSubject:"),
    ],
)
def test_whatever_a_reader_relies_on_cannot_be_changed(settings, before, after):
    key = dkim_keys.make(settings)
    dkim_keys.use(settings, key.selector)
    text = sent(settings)
    head, _, body = text.partition(b"\r\n\r\n")
    signature_line, rest = head[: head.index(b"\r\nFrom:") + 2], head[head.index(b"\r\nFrom:") + 2 :]
    changed = signature_line + (rest + b"\r\n\r\n" + body).replace(before, after, 1)
    assert changed != text
    assert not verifies(settings, changed, key.selector)


def test_keys_take_over_from_each_other(settings):
    old, new = dkim_keys.make(settings), dkim_keys.make(settings)
    dkim_keys.use(settings, old.selector)
    signed_before = sent(settings)
    dkim_keys.use(settings, new.selector)
    assert verifies(settings, sent(settings), new.selector)
    assert verifies(settings, signed_before, old.selector)
    with pytest.raises(ValueError, match=new.selector):
        dkim_keys.drop(settings, new.selector)
    dkim_keys.drop(settings, old.selector)
    assert [key.selector for key in dkim_keys.keys(settings)] == [new.selector]
    dkim_keys.use(settings, "")
    assert b"dkim-signature" not in sent(settings).lower()


@pytest.mark.parametrize("name", ["", "../secret_keys", "nobody", "in_use", "a/b"])
def test_a_name_that_is_no_key_is_refused(settings, name):
    dkim_keys.make(settings)
    with pytest.raises(dkim_keys.NoSuchKey):
        dkim_keys.drop(settings, name) if not name else dkim_keys.use(settings, name)


def test_keys_are_for_their_owner_and_in_no_repr(settings):
    key = dkim_keys.make(settings)
    dkim_keys.use(settings, key.selector)
    folder = dkim_keys.folder_of(settings)
    assert folder.stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
    assert "PRIVATE" not in repr(key)


def test_a_copy_has_the_keys(settings, databases, tmp_path):
    key = dkim_keys.make(settings)
    dkim_keys.use(settings, key.selector)
    backup.back_up(settings, tmp_path / "copies")
    restore.restore(databases("sqlite"), tmp_path / "new", (), tmp_path / "copies")
    there = tmp_path / "new" / "dkim"
    assert (there / "in_use").read_text().strip() == key.selector
    assert (there / f"{key.selector}.pem").read_bytes() == key.pem


@pytest.fixture
def run(settings, monkeypatch):
    monkeypatch.setenv("TIDEPOST_URL", f"https://{DOMAIN}")
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)

    def invoke(*arguments):
        done = CliRunner().invoke(main, ["dkim", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def test_a_key_is_used_when_its_record_can_be_seen(run, settings):
    code, said = run("new")
    key = dkim_keys.keys(settings)[0]
    name, record = dkim_keys.record_name(key.selector, DOMAIN), dkim_keys.record(key)
    published = said[said.index("( ") + 2 : said.index(" )")]
    assert code == 0
    assert f"{name}. IN TXT" in said
    assert "".join(published.split('" "')).strip('"') == record
    assert "PRIVATE" not in said
    for records, why in [((), "no record"), (((name, "TXT", '"v=DKIM1; p=other"'),), "another record")]:
        with name_server(*records) as server:
            code, said = run("use", key.selector, "--nameserver", server)
        assert (code, dkim_keys.in_use(settings)) == (1, "")
        assert why in said
    with name_server((name, "TXT", published)) as server:
        code, said = run("use", key.selector, "--nameserver", server)
    assert (code, dkim_keys.in_use(settings)) == (0, key.selector)
    assert f"{key.selector}  signs" in run("list")[1]


def test_refusals_of_the_command_say_what_would_do(run, settings):
    run("new")
    selector = dkim_keys.keys(settings)[0].selector
    assert "`tidepost dkim list` names them" in run("use", "nobody")[1]
    assert "`tidepost dkim list` names them" in run("drop", "nobody")[1]
    assert "name a SELECTOR, or --none" in run("use")[1]
    assert "--nameserver" in run("use", selector, "--nameserver", "nowhere")[1]
    assert run("use", selector, "--unseen")[0] == 0
    assert "take another key into use first" in run("drop", selector)[1]
    assert run("use", "--none")[0] == 0
    assert run("drop", selector)[0] == 0


def test_every_command_has_an_example(run):
    for command in ("list", "new", "use", "drop"):
        assert "Example: tidepost dkim" in run(command, "--help")[1]
