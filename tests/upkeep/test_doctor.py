"""The examination finds each planted fault, and nothing on a sound server."""

import contextlib
import http.server
import json
import shutil
import sqlite3
import threading
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from aiosmtpd.smtp import AuthResult
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import text
from werkzeug.serving import make_server

from app import clock as clock_module
from app.cli import main
from app.mail.core import dkim_keys
from app.mail.inbound.process import run_batch
from app.mail.inbound.store import take_in
from app.store import deeds, heartbeat, versions
from app.store.session import Store, connect
from app.upkeep import doctor, transfer
from app.upkeep.doctor import configuration, database, domain, machine, mail, parts, proxy
from app.upkeep.doctor.finding import Case
from app.upkeep.records import Asked, Given, NoAnswer, Unreadable
from app.web import create_app
from tests.mail.sinks import mail_server, moody_server
from tests.servers import free_port, until
from tests.upkeep.conftest import KEY
from tests.upkeep.name_server import name_server

DOMAIN = "games.example.org"
OPERATOR_KEY = "o" * 4 + "0123456789abcdef" * 2
SOUND = f"""
{DOMAIN} TXT "v=spf1 mx a:mail.example.org -all"
_dmarc.{DOMAIN} TXT "v=DMARC1; p=reject; rua=mailto:you@example.org"
mail.example.org A 198.51.100.7
7.100.51.198.in-addr.arpa PTR mail.example.org.
{DOMAIN} MX 10 mail.example.org.
"""


@pytest.fixture
def case(databases, house):
    """Makes a case; a public server with everything set, unless it is said otherwise."""

    def make(*, kind="sqlite", records=SOUND, wait=0.0, letter_to="", url=None, **changed):
        found = msgspec.structs.replace(
            house(url or databases(kind)),
            **{
                "smtp_url": "smtp://mail.example.org:25",
                "inbox_url": "smtp://0.0.0.0:2525",
                "operator": "you@example.org",
                "operator_key": OPERATOR_KEY,
                **changed,
            },
        )
        found.data_dir.chmod(0o700)
        return Case(found, Given(records) if isinstance(records, str) else records, letter_to, wait)

    return make


def whats(findings):
    return " | ".join(one.what for one in findings)


def assert_found(findings, words):
    found = list(findings)
    assert words in whats(found), whats(found)
    assert all(one.why and one.do for one in found)
    return found


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"url": "http://games.example.org"}, "without TLS"),
        ({"smtp_url": ""}, "TIDEPOST_SMTP_URL is not set"),
        ({"inbox_url": ""}, "TIDEPOST_INBOX_URL is not set"),
        ({"operator": ""}, "TIDEPOST_OPERATOR is not set"),
        ({"operator_key": ""}, "TIDEPOST_OPERATOR_KEY is not set"),
        ({"broker_url": "redis://127.0.0.1/0"}, "SQLite, but the broker is a server"),
    ],
)
def test_settings(case, changed, words):
    sound = case()
    assert list(configuration.settings(sound)) == []
    faulty = msgspec.structs.replace(sound, settings=msgspec.structs.replace(sound.settings, **changed))
    assert_found(configuration.settings(faulty), words)


@pytest.mark.parametrize("name", ["secret_keys", "push_key", "dkim/a.pem", "tidepost.db"])
def test_files_that_others_can_read(case, name):
    sound = case()
    file = sound.settings.data_dir / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(sound.settings.secret_keys[0])
    file.chmod(0o600)
    assert list(configuration.rights(sound)) == []
    file.chmod(0o644)
    (found,) = assert_found(configuration.rights(sound), "can read")
    assert found.do == f"chmod 600 {file}"


def test_keys_that_are_left_out(case):
    now = case()
    file = now.settings.data_dir / "secret_keys"
    file.write_text("another" * 8 + "\n")
    file.chmod(0o600)
    assert_found(configuration.rights(now), "lacks 1 of the keys")
    file.write_text(now.settings.secret_keys[0] + "\n")
    assert list(configuration.rights(now)) == []


def test_a_folder_that_others_can_enter_and_one_that_is_missing(case):
    now = case()
    now.settings.data_dir.chmod(0o755)
    assert_found(configuration.rights(now), "can look into")
    shutil.rmtree(now.settings.data_dir)
    assert_found(configuration.rights(now), "is missing")


def test_a_sound_database(case):
    assert list(database.database(case(kind="sqlite"))) == []


def run_sql(url, *statements):
    engine = connect(url)
    with engine.begin() as connection:
        for one in statements:
            connection.execute(text(one))
    engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_tables_of_another_version(case, kind):
    now = case(kind=kind)
    for version, oldest, words in (
        ("0002", "", "version 0002"),
        ("9999", "9999", "(to 9999)"),
        ("9999", versions.newest(), "newer version (9999) beside which"),
    ):
        run_sql(
            now.settings.database_url,
            f"UPDATE alembic_version SET version_num = '{version}'",
            f"UPDATE house SET oldest = '{oldest}'",
        )
        assert_found(database.database(now), words)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_tables_that_are_others_than_the_migrations_make(case, kind):
    now = case(kind=kind)
    run_sql(
        now.settings.database_url,
        "DROP INDEX question_look",
        "DROP TABLE picture",
        "ALTER TABLE house ADD COLUMN spare INTEGER",
    )
    found = assert_found(
        database.database(now), "lacks what its migrations made: picture, ix_picture_made_at, question_look"
    )
    assert "has what no migration made: house.spare" in whats(found)


def test_a_database_that_was_left(case, databases):
    now = case()
    transfer.transfer(now.settings.database_url, databases("sqlite"))
    assert_found(database.database(now), "moved to another one")


def test_a_database_that_is_away(case):
    url = f"postgresql://tidepost:secret@127.0.0.1:{free_port()}/tidepost"
    (found,) = assert_found(database.database(case(url=url)), "doesn't answer")
    assert "secret" not in found.what


def test_postgresql_that_acknowledges_too_early(case):
    now = case(kind="postgresql")
    url = now.settings.database_url
    name = url.rpartition("?")[0].rpartition("/")[2]
    run_sql(url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    assert_found(database.database(now), "synchronous_commit is off")


def test_postgresql_that_never_clears_up(case, postgres):
    server = connect(postgres)
    try:
        with server.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("ALTER SYSTEM SET autovacuum = off"))
            connection.execute(text("SELECT pg_reload_conf()"))
        now = case(kind="postgresql")
        until(lambda: "autovacuum is off" in whats(database.database(now)), "the finding")
    finally:
        with server.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("ALTER SYSTEM RESET autovacuum"))
            connection.execute(text("SELECT pg_reload_conf()"))
        server.dispose()


def test_sqlite_that_acknowledges_too_early(case, monkeypatch):
    monkeypatch.setattr("app.store.session.durability", lambda: ("synchronous=OFF",))
    assert_found(database.database(case()), "synchronous is 0")


def test_a_damaged_file(case):
    now = case()
    file = Path(now.settings.database_url.removeprefix("sqlite:///"))
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    with file.open("r+b") as out:
        out.seek(file.stat().st_size - 20_000)
        out.write(b"\xff" * 12_000)
    assert_found(database.database(now), "damaged")


@pytest.mark.parametrize(("limit", "words"), [("LARGE", "GB"), ("SLOW", "take")])
def test_large_and_slow(case, monkeypatch, limit, words):
    monkeypatch.setattr(database, limit, 0)
    assert_found(database.database(case()), words)


def test_a_transaction_that_is_never_ended(case, monkeypatch):
    monkeypatch.setattr(database, "_STUCK", database._STUCK.replace("1 minute", "0 minutes"))
    now = case(kind="postgresql")
    engine = connect(now.settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        assert_found(database.database(now), "lasted for more than a minute")
    engine.dispose()


def test_a_broker_that_is_away(case):
    assert_found(parts.broker(case(broker_url=f"redis://127.0.0.1:{free_port()}/0")), "takes no message")


def test_a_worker_that_does_not_answer_and_one_that_does(case):
    now = case()
    assert_found(parts.broker(now), "no worker answered")
    store = Store(now.settings.database_url)

    def answers(_):
        with store.transaction() as connection:
            heartbeat.mark(connection, heartbeat.ANSWER, clock_module.now())

    assert list(parts.broker(msgspec.structs.replace(now, say=answers))) == []
    store.engine.dispose()


def test_beat(case):
    now = case()
    assert_found(parts.beat(now), "no sweep ever")
    store = Store(now.settings.database_url)
    for age, words in ((timedelta(minutes=9), "no sweep since"), (timedelta(), "")):
        with store.transaction() as connection:
            heartbeat.mark(connection, heartbeat.BEAT, clock_module.now() - age)
        assert words in whats(parts.beat(now))
    assert list(parts.beat(now)) == []
    store.engine.dispose()


def test_health_is_repeated(case):
    assert_found(parts.health(case()), "no sweep has ever run")


def test_a_mail_server_that_turns_us_away(case):
    with moody_server("greeting", b"554 go away") as (url, _):
        assert_found(mail.smtp_login(case(smtp_url=url)), "turns us away: 554 go away")


def test_a_mail_server_that_refuses_our_password(case):
    refusing = {
        "authenticator": lambda *_: AuthResult(success=False, handled=False),
        "auth_require_tls": False,
    }
    with mail_server(**refusing) as (url, _):
        now = case(smtp_url=url.replace("smtp://", "smtp://us:hidden@"))
        found = assert_found(mail.smtp_login(now), "refuses the password: 535")
    assert "without TLS" in whats(found)
    assert "hidden" not in str(found)


def test_a_mail_server_that_is_away_and_one_that_takes_us(case):
    assert_found(mail.smtp_login(case(smtp_url=f"smtp://127.0.0.1:{free_port()}")), "can't be reached")
    with mail_server() as (url, _):
        assert list(mail.smtp_login(case(smtp_url=url))) == []


def test_a_letter_to_oneself(case):
    with mail_server() as (url, mailbox):
        now = case(smtp_url=url, letter_to="you@example.org")
        assert list(mail.letter(now)) == []
        assert len(mailbox.to("you@example.org")) == 1
    with moody_server("text", b"550 5.7.1 not from this address") as (url, _):
        assert_found(mail.letter(case(smtp_url=url, letter_to="you@example.org")), "550 5.7.1")


@contextlib.contextmanager
def returning(now, *, read=True):
    """A mail server that brings every mail back to us."""
    with mail_server() as (url, mailbox):
        settings = msgspec.structs.replace(now.settings, smtp_url=url)
        store = Store(settings.database_url)

        async def back(_server, _session, envelope):
            take_in(store, settings, envelope.original_content, envelope.rcpt_tos, "listener")
            if read:
                run_batch(store, settings)
            return "250 Taken"

        mailbox.handle_DATA = back
        yield msgspec.structs.replace(now, settings=settings)
        store.engine.dispose()


def test_a_mail_that_comes_back_and_is_read(case):
    with returning(case(letter_to="you@example.org")) as now:
        assert list(mail.reply_path(now)) == []


def test_a_mail_that_comes_back_and_is_not_read(case):
    with returning(case(letter_to="you@example.org"), read=False) as now:
        assert_found(mail.reply_path(now), "nobody reads it")


def test_a_mail_that_does_not_come_back(case):
    with mail_server() as (url, mailbox):
        now = case(smtp_url=url, letter_to="you@example.org")
        (found,) = assert_found(mail.reply_path(now), "didn't come back")
        address = mailbox.letters[0][0]
    assert address.startswith("d+")
    assert address not in found.what


def test_a_sound_domain(case):
    now = case()
    key = dkim_keys.make(now.settings)
    dkim_keys.use(now.settings, key.selector)
    name, record = dkim_keys.record_name(key.selector, DOMAIN), dkim_keys.record(key)
    given = Given(SOUND + f'{name} TXT "{record[:200]}" "{record[200:]}"')
    assert list(domain.domain(msgspec.structs.replace(now, records=given))) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("v=spf1 mx a:mail.example.org -all", "other", "no SPF record"),
        ("v=spf1 mx a:mail.example.org -all", "v=spf1 +all", "allows everybody"),
        ("v=spf1 mx a:mail.example.org -all", "v=spf1 mx", "doesn't end"),
        ("-all", " ".join(f"include:{n}.example.org" for n in range(11)) + " -all", "13 look-ups"),
        ("_dmarc", "_other", "no DMARC record"),
        ("p=reject", "pct=3", "can't be read"),
        ("7.100.51.198", "8.100.51.198", "no name in reverse DNS"),
        ("PTR mail.example.org", "PTR other.example.org", "doesn't lead back"),
        (f"{DOMAIN} MX", "example.org MX", "neither MX records nor an address"),
    ],
)
def test_faults_of_a_domain(case, old, new, words):
    assert old in SOUND
    assert_found(domain.domain(case(records=SOUND.replace(old, new, 1))), words)


def test_two_spf_records_and_a_key_that_is_not_published(case):
    assert_found(domain.domain(case(records=SOUND + f'{DOMAIN} TXT "v=spf1 -all"')), "2 SPF records")
    now = case()
    assert_found(domain.domain(now), "we don't sign")
    dkim_keys.use(now.settings, dkim_keys.make(now.settings).selector)
    assert_found(domain.domain(now), "no record for the key that signs")


def test_records_are_asked_from_a_name_server(case):
    asked = (
        (DOMAIN, "TXT", '"v=spf1 mx " "a:mail.example.org -all"'),
        (f"_dmarc.{DOMAIN}", "TXT", '"v=DMARC1; p=none"'),
        ("mail.example.org", "A", "198.51.100.7"),
        ("7.100.51.198.in-addr.arpa", "PTR", "mail.example.org."),
        (DOMAIN, "MX", "10 mail.example.org."),
    )
    with name_server(*asked) as server:
        assert whats(domain.domain(case(records=Asked([server])))) == "we don't sign emails (DKIM)"


def test_a_name_server_that_is_silent(case, monkeypatch):
    monkeypatch.setattr("app.upkeep.records.PATIENCE", 0.2)
    with name_server(silent=True) as server:
        asked = Asked([server])
        with pytest.raises(NoAnswer):
            asked.find(DOMAIN, "TXT")
        assert_found(domain.domain(case(records=asked)), "DNS doesn't answer")


def test_a_text_that_is_no_record_is_refused():
    with pytest.raises(Unreadable, match="line 2"):
        Given(f'{DOMAIN} TXT "v=spf1 -all"\nnonsense\n')


@contextlib.contextmanager
def pages(now):
    """The pages themselves on a port, as a proxy of this machine or of another sees them."""
    server = make_server(
        "127.0.0.1", 0, create_app(now.settings, Store(now.settings.database_url)), threaded=True
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.port
    finally:
        server.shutdown()


class _Passing(http.server.BaseHTTPRequestHandler):
    """A proxy that changes the headers as its server's `change` says."""

    def do_GET(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.behind)
        headers = self.server.change({name: value for name, value in self.headers.items() if name != "Host"})
        connection.request("GET", self.path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        connection.close()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def through(now, change):
    """A case whose address is a proxy before the pages."""
    with pages(now) as port, http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Passing) as server:
        server.behind, server.change = port, change
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield SimpleNamespace(settings=_public(now.settings, url))
        finally:
            server.shutdown()


class _public(SimpleNamespace):  # noqa: N801
    """Settings of a public server whose address is on this machine all the same."""

    def __init__(self, settings, url):
        super().__init__(url=url, development=False, operator_key=settings.operator_key)


def forwards(address):
    return lambda headers: {**headers, "X-Forwarded-For": address, "X-Forwarded-Proto": "http"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (forwards("198.51.100.9"), ""),
        (dict, "passes on whatever X-Forwarded-For"),
        (forwards(f"{proxy.FORGED}, 198.51.100.9"), ""),
        (
            lambda headers: {k: v for k, v in headers.items() if "Forwarded" not in k},
            "the proxy's address instead of the visitor's",
        ),
        (
            lambda headers: forwards("198.51.100.9")({**headers, "Authorization": ""}),
            "don't take TIDEPOST_OPERATOR_KEY",
        ),
    ],
)
def test_what_a_proxy_passes_on(case, change, words):
    with through(case(), change) as now:
        found = list(proxy.proxy(now))
    assert words in whats(found)
    assert bool(words) == bool(found), whats(found)


def test_a_proxy_that_is_away_or_leads_elsewhere(case):
    now = SimpleNamespace(settings=_public(case().settings, f"http://127.0.0.1:{free_port()}"))
    assert_found(proxy.proxy(now), "can't be reached")

    class Elsewhere(_Passing):
        def do_GET(self):
            self.send_response(404)
            self.end_headers()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        other = SimpleNamespace(
            settings=_public(case().settings, f"http://127.0.0.1:{server.server_address[1]}")
        )
        assert_found(proxy.proxy(other), "not as Tidepost does")
        server.shutdown()


def _self_signed(folder):
    """The files of a certificate that nobody vouches for, and its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = clock_module.now()
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = built.not_valid_before(now).not_valid_after(now + timedelta(days=90)).sign(key, hashes.SHA256())
    (folder / "crt").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return str(folder / "crt"), str(folder / "key")


def test_a_certificate_that_nobody_vouches_for(case, tmp_path):
    server = make_server("127.0.0.1", 0, lambda *_: [], ssl_context=_self_signed(tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    now = SimpleNamespace(settings=_public(case().settings, f"https://127.0.0.1:{server.port}"))
    assert_found(proxy.proxy(now), "isn't valid: self-signed certificate")
    server.shutdown()


@pytest.mark.parametrize(("days", "words"), [(3, "ends on"), (60, "")])
def test_a_certificate_that_ends(days, words):
    ends = (clock_module.now() + timedelta(days=days)).strftime("%b %d %H:%M:%S %Y GMT")
    assert words in whats(proxy._certificate({"notAfter": ends}))


def test_clocks_that_differ(case, clock):
    assert_found(machine.times(case(kind="postgresql")), "clocks of this machine and of the database's")
    assert_found(proxy._clock("Mon, 01 Jan 2024 00:00:00 GMT"), "clocks of this machine and of the pages")
    assert list(proxy._clock(clock.now().strftime("%a, %d %b %Y %H:%M:%S GMT"))) == []


def test_clocks_that_agree(case):
    assert list(machine.times(case(kind="postgresql"))) == []


@pytest.mark.parametrize("free", [10_000_000, 600_000_000])
def test_a_disk_that_is_nearly_full(case, monkeypatch, free):
    monkeypatch.setattr(
        machine.shutil, "disk_usage", lambda _: SimpleNamespace(free=free, total=50_000_000_000)
    )
    assert_found(machine.disk(case()), "nearly full")


def test_a_disk_without_places_for_files(case, monkeypatch):
    monkeypatch.setattr(
        machine.shutil, "disk_usage", lambda _: SimpleNamespace(free=9_000_000_000, total=50_000_000_000)
    )
    monkeypatch.setattr(machine.os, "statvfs", lambda _: SimpleNamespace(f_files=1000, f_favail=3))
    assert_found(machine.disk(case()), "places for 3 files")


def test_time_zones_that_are_old_or_missing(case, monkeypatch):
    assert list(machine.zones(case())) == []
    monkeypatch.setattr(machine.importlib.metadata, "version", lambda _: "2019.3")
    assert_found(machine.zones(case()), "of 2019")

    def missing(_):
        raise machine.zoneinfo.ZoneInfoNotFoundError

    monkeypatch.setattr(machine.zoneinfo, "ZoneInfo", missing)
    assert_found(machine.zones(case()), "is missing")


def test_what_should_have_gone(case):
    now = case()
    assert list(machine.retention(now)) == []
    store = Store(now.settings.database_url)
    with store.transaction() as connection:
        deeds.hold(connection, "key", clock_module.now() - timedelta(days=900))
    store.engine.dispose()
    assert_found(machine.retention(now), "keys of forms that acted")
    assert_found(machine.retention(now), "keys of forms that acted")  # nothing was deleted by looking


@pytest.fixture
def run(databases, monkeypatch, tmp_path):
    def invoke(*arguments, url="http://127.0.0.1:8000"):
        monkeypatch.setenv("TIDEPOST_URL", url)
        monkeypatch.setenv("TIDEPOST_DATABASE_URL", databases("sqlite"))
        monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
        (tmp_path / "data").mkdir(mode=0o700, exist_ok=True)
        done = CliRunner().invoke(main, ["doctor", "--wait", "0", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def test_the_command_says_what_why_and_what_to_do(run):
    code, said = run()
    assert code == 1
    assert "wrong (broker and worker): no worker answered" in said
    assert "Start `tidepost worker`" in said
    assert f"of {len(doctor.CHECKS)} checks found nothing" in said


def test_the_command_for_programs(run):
    code, said = run("--json")
    found = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert code == 1
    assert {"check", "what", "why", "do", "grave"} == set(found[0])


def test_bad_input_of_the_command(run, tmp_path):
    assert "--nameserver" in run("--nameserver", "nowhere")[1]
    (tmp_path / "records").write_text("nonsense")
    assert "line 1 is no record" in run("--records", str(tmp_path / "records"))[1]
    assert "Example: tidepost doctor" in run("--help")[1]
