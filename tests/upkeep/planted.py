"""Faults to be planted in a server, each with what `tidepost doctor` must say about it.

A row of FAULTS belongs to one thing that doctor promises to examine (THINGS). `tests/upkeep/test_doctor.py`
runs the command for each row, and fails where a finding of doctor has no row.
"""

import contextlib
import http.client
import http.server
import ipaddress
import os
import shutil
import sqlite3
import ssl
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import msgspec
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import text
from werkzeug.serving import make_server

from app import clock as clock_module
from app.mail.core import dkim_keys
from app.mail.inbound.process import run_batch
from app.mail.inbound.store import take_in
from app.soundness import machine
from app.store import deeds, session, versions
from app.store.session import Store, connect
from app.upkeep import transfer
from app.upkeep.doctor import database, proxy
from app.web import create_app
from tests.mail.sinks import mail_server, moody_server
from tests.servers import free_port, until
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
PLACED = {
    "smtp_url": "smtp://mail.example.org:25",
    "inbox_url": "smtp://0.0.0.0:2525",
    "operator": "you@example.org",
    "operator_key": OPERATOR_KEY,
}
"""A public server with everything set."""
THINGS = (
    *("settings", "keys and their rights", "database version", "migrations", "durability", "size"),
    *("slow queries", "broker", "beat's pulse", "workers alive", "SMTP login", "letter to oneself"),
    *("reply path", "DKIM", "SPF", "DMARC", "PTR", "TLS", "forwarded headers", "clock", "disk"),
    *("time zone data", "retention", "health"),
)
"""Everything that doctor promises to examine."""


class Server(msgspec.Struct, frozen=True):
    """A server to be examined: its settings, and the command's options."""

    settings: object
    records: str = SOUND
    nameserver: str = ""
    send: str = ""


class Ground(msgspec.Struct, frozen=True):
    """What faults are planted in."""

    databases: Callable[[str], str]
    house: Callable[[str], object]
    monkeypatch: object
    folder: Path
    cluster: Callable[[], str]
    """The address of a PostgreSQL server."""
    hold: Callable[[], None]
    """Holds the clock where it stood on a day long ago."""

    def server(self, kind="sqlite", *, at="", records=SOUND, nameserver="", send="", **changed):
        """A sound server, but for what is said; `at`: the address of its database."""
        settings = msgspec.structs.replace(self.house(at or self.databases(kind)), **PLACED | changed)
        settings.data_dir.chmod(0o700)
        return Server(settings, records, nameserver, send)


class Fault(msgspec.Struct, frozen=True):
    """A fault: where it is planted, and the words of its finding."""

    thing: str
    check: str
    says: str
    plant: Callable[[Ground], "contextlib.AbstractContextManager[Server]"]
    grave: bool = True
    told_by: str = ""
    """The expression by which doctor repeats what another part says, where the words are that part's."""


def run_sql(url, *statements):
    """Run statements in a transaction."""
    engine = connect(url)
    with engine.begin() as connection:
        for one in statements:
            connection.execute(text(one))
    engine.dispose()


def having(kind="sqlite", **changed):
    """Plants nothing but other settings or options."""
    return contextlib.contextmanager(lambda ground: (yield ground.server(kind, **changed)))


def records(old, new):
    """Plants other DNS records."""
    assert old in SOUND
    return having(records=SOUND.replace(old, new, 1))


def planted(act, kind="sqlite", **changed):
    """Plants what the act does to a sound server."""

    @contextlib.contextmanager
    def plant(ground):
        server = ground.server(kind, **changed)
        act(ground, server.settings)
        yield server

    return plant


def patched(where, name, value, kind="sqlite"):
    """Plants another answer of the system, or a limit that every server is beyond."""
    return planted(lambda ground, _: ground.monkeypatch.setattr(where, name, value), kind)


def readable(name):
    """Plants a file that others can read."""

    def act(_, settings):
        file = settings.data_dir / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(settings.secret_keys[0])
        file.chmod(0o644)

    return planted(act)


def _unreadable_keys(_, settings):
    (settings.data_dir / "secret_keys").mkdir()


def _other_keys(_, settings):
    file = settings.data_dir / "secret_keys"
    file.write_text("another" * 8 + "\n")
    file.chmod(0o600)


def sql(kind, *statements):
    """Plants what the statements leave behind in the database."""
    return planted(lambda _, settings: run_sql(settings.database_url, *statements), kind)


def of_version(found, oldest, kind):
    """Plants tables of another version of the program."""
    return sql(
        kind,
        f"UPDATE alembic_version SET version_num = '{found}'",
        f"UPDATE house SET oldest = '{oldest}'",
    )


def _file(settings):
    return Path(settings.database_url.removeprefix("sqlite:///"))


def _not_ahead(ground, settings):
    with contextlib.closing(sqlite3.connect(_file(settings))) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    ground.monkeypatch.setattr(session, "_write_ahead", lambda *_: None)


def _damage(_, settings):
    file = _file(settings)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    with file.open("r+b") as out:
        out.seek(file.stat().st_size - 20_000)
        out.write(b"\xff" * 12_000)


def _hollow(_, settings):
    with _file(settings).open("r+b") as out:  # a hole takes no room
        out.truncate(database.LARGE + 4096)


def _bloat(_, settings):
    engine = connect(settings.database_url)
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("ALTER TABLE deed SET (autovacuum_enabled = off)"))
        connection.execute(
            text("INSERT INTO deed (key, at) SELECT 'k' || n, now() FROM generate_series(1, 12000) AS n")
        )
        connection.execute(text("DELETE FROM deed"))
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
    engine.dispose()


HASTY = ("fsync", "full_page_writes", "synchronous_commit")
"""Settings that the tests' PostgreSQL has switched off: what a test writes need not survive the machine."""


@contextlib.contextmanager
def durable(ground, *, but=""):
    """A server on PostgreSQL with everything on that a sound one has, but for one setting."""
    engine = connect(ground.cluster()).execution_options(isolation_level="AUTOCOMMIT")

    def change(words):
        with engine.connect() as connection:
            for one in words:
                connection.execute(text(f"ALTER SYSTEM {one}"))
            connection.execute(text("SELECT pg_reload_conf()"))

    wanted = {name: "off" if name == but else "on" for name in (*HASTY, "autovacuum")}
    try:
        change(f"SET {name} = {value}" for name, value in wanted.items())
        server = ground.server("postgresql")
        until(lambda: _shown(server, wanted) == wanted, f"{wanted}")
        yield server
    finally:
        change((*(f"SET {name} = off" for name in HASTY), "RESET autovacuum"))
        engine.dispose()


def _shown(server, names):
    engine = connect(server.settings.database_url)
    with engine.connect() as connection:
        found = {name: connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in names}
    engine.dispose()
    return found


def switched_off(name):
    """Plants a PostgreSQL server with a setting off."""
    return lambda ground: durable(ground, but=name)


@contextlib.contextmanager
def stuck(ground):
    """Plants a transaction that is never ended."""
    ground.monkeypatch.setattr(database, "_STUCK", database._STUCK.replace("1 minute", "0 minutes"))
    server = ground.server("postgresql")
    engine = connect(server.settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        yield server
    engine.dispose()


@contextlib.contextmanager
def crowded(ground):
    """Plants so many connections that hardly one is left."""
    server = ground.server("postgresql")
    engine = connect(server.settings.database_url).execution_options(isolation_level="AUTOCOMMIT")
    with contextlib.ExitStack() as opened:
        first = opened.enter_context(engine.connect())
        most = int(first.exec_driver_sql("SHOW max_connections").scalar_one())
        several = connect(server.settings.database_url)
        used = "SELECT count(*) FROM pg_stat_activity"
        while int(first.exec_driver_sql(used).scalar_one()) < most * 0.92:
            raw = opened.enter_context(contextlib.closing(several.raw_connection()))
            raw.detach()
        yield server
    several.dispose()
    engine.dispose()


@contextlib.contextmanager
def away(ground):
    """Plants a database that is away."""
    yield ground.server(at=f"postgresql://tidepost:hidden@127.0.0.1:{free_port()}/tidepost")


def left(ground, settings):
    """Plants a database whose games were moved to another one."""
    transfer.transfer(settings.database_url, ground.databases("sqlite"))


@contextlib.contextmanager
def no_broker(ground):
    """Plants a broker that is away."""
    yield ground.server("postgresql", broker_url=f"redis://127.0.0.1:{free_port()}/0")


def mood(place, answer, **more):
    """Plants a mail server that gives such an answer."""

    @contextlib.contextmanager
    def plant(ground):
        with moody_server(place, answer) as (url, _):
            yield ground.server(smtp_url=url + more.get("ending", ""), send=more.get("send", ""))

    return plant


@contextlib.contextmanager
def refusing(ground):
    """Plants a mail server that refuses our password, which goes there without TLS."""
    options = {
        "authenticator": lambda *_: AuthResult(success=False, handled=False),
        "auth_require_tls": False,
    }
    with mail_server(**options) as (url, _):
        yield ground.server(smtp_url=url.replace("smtp://", "smtp://us:hidden@"))


@contextlib.contextmanager
def unvouched_mail(ground):
    """Plants a mail server whose certificate nobody vouches for."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*self_signed(ground.folder))
    with mail_server(tls_context=context) as (url, _):
        yield ground.server(smtp_url=f"{url}?starttls")


@contextlib.contextmanager
def no_mail_server(ground):
    """Plants a mail server that is away."""
    yield ground.server(smtp_url=f"smtp://127.0.0.1:{free_port()}")


@contextlib.contextmanager
def returning(server, *, read=True):
    """A mail server that brings every mail back to us, as the settings of its server."""
    with mail_server() as (url, mailbox):
        settings = msgspec.structs.replace(server.settings, smtp_url=url)
        store = Store(settings.database_url)

        async def back(_server, _session, envelope):
            take_in(store, settings, envelope.original_content, envelope.rcpt_tos, "listener")
            if read:
                run_batch(store, settings)
            return "250 Taken"

        mailbox.handle_DATA = back
        yield msgspec.structs.replace(server, settings=settings)
        store.engine.dispose()


@contextlib.contextmanager
def unread(ground):
    """Plants a mail that comes back and that no worker reads."""
    with returning(ground.server(send="you@example.org"), read=False) as server:
        yield server


@contextlib.contextmanager
def lost(ground):
    """Plants a mail server that brings nothing back."""
    with mail_server() as (url, _):
        yield ground.server(smtp_url=url, send="you@example.org")


def _other_key(_, settings):
    dkim_keys.use(settings, dkim_keys.make(settings).selector)


@contextlib.contextmanager
def asked(ground):
    """Plants a real name server that has no DMARC record."""
    zone = (
        (DOMAIN, "TXT", '"v=spf1 mx " "a:mail.example.org -all"'),
        ("mail.example.org", "A", "198.51.100.7"),
        ("7.100.51.198.in-addr.arpa", "PTR", "mail.example.org."),
        (DOMAIN, "MX", "10 mail.example.org."),
    )
    with name_server(*zone) as address:
        yield ground.server(records="", nameserver=address)


@contextlib.contextmanager
def silent(ground):
    """Plants a name server that doesn't answer."""
    ground.monkeypatch.setattr("app.upkeep.records.PATIENCE", 0.2)
    with name_server(silent=True) as address:
        yield ground.server(records="", nameserver=address)


@contextlib.contextmanager
def pages(settings):
    """The pages themselves on a port."""
    server = make_server("127.0.0.1", 0, create_app(settings, Store(settings.database_url)), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.port
    finally:
        server.shutdown()


class Passing(http.server.BaseHTTPRequestHandler):
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


class Elsewhere(Passing):
    """Another program at our address."""

    def do_GET(self):
        self.send_response(404)
        self.end_headers()


class Public(SimpleNamespace):
    """Settings of a public server whose address is on this machine all the same."""

    def __init__(self, settings, url):
        super().__init__(url=url, development=False, operator_key=settings.operator_key)


@contextlib.contextmanager
def serving(handler, **attributes):
    """The address of a server of such requests."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        vars(server).update(attributes)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def through(change):
    """Plants a proxy that changes headers so."""

    @contextlib.contextmanager
    def plant(ground):
        settings = ground.server().settings
        with pages(settings) as port, serving(Passing, behind=port, change=change) as url:
            yield Server(Public(settings, url))

    return plant


def forwards(address):
    """A change of headers: the proxy says that this address asks."""
    return lambda headers: {**headers, "X-Forwarded-For": address, "X-Forwarded-Proto": "http"}


def without_forwarding(headers):
    """A change of headers: the proxy says nothing of who asks."""
    return {name: value for name, value in headers.items() if "Forwarded" not in name}


def without_key(headers):
    """A change of headers: the operator's key is dropped."""
    return forwards("198.51.100.9")({**headers, "Authorization": ""})


@contextlib.contextmanager
def elsewhere(ground):
    """Plants another program at our address."""
    with serving(Elsewhere) as url:
        yield Server(Public(ground.server().settings, url))


@contextlib.contextmanager
def no_proxy(ground):
    """Plants an address where nothing answers."""
    yield Server(Public(ground.server().settings, f"http://127.0.0.1:{free_port()}"))


def self_signed(folder, days=90):
    """The files of a certificate that nobody vouches for, and its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = clock_module.now()
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    named = x509.SubjectAlternativeName(
        [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("127.0.0.1")]
    )
    made = (
        built.add_extension(named, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, hashes.SHA256())
    )
    (folder / "crt").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return str(folder / "crt"), str(folder / "key")


def certified(days, *, vouched):
    """Plants pages with a certificate that ends in so many days, and that this machine believes or not."""

    @contextlib.contextmanager
    def plant(ground):
        settings = ground.server().settings
        files = self_signed(ground.folder, days)
        if vouched:
            ground.monkeypatch.setenv("SSL_CERT_FILE", files[0])
        site = create_app(settings, Store(settings.database_url))
        server = make_server("127.0.0.1", 0, site, threaded=True, ssl_context=files)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Server(Public(settings, f"https://127.0.0.1:{server.port}"))
        finally:
            server.shutdown()

    return plant


class Late(Passing):
    """Pages on a machine whose clock stands in another year."""

    def date_time_string(self, *_):
        return "Mon, 01 Jan 2024 00:00:00 GMT"


@contextlib.contextmanager
def late_pages(ground):
    """Plants pages whose clock is wrong."""
    settings = ground.server().settings
    with pages(settings) as port, serving(Late, behind=port, change=forwards("198.51.100.9")) as url:
        yield Server(Public(settings, url))


@contextlib.contextmanager
def held(ground):
    """Plants a machine whose clock differs from PostgreSQL's."""
    server = ground.server("postgresql")
    ground.hold()
    yield server


def _old(_, settings):
    store = Store(settings.database_url)
    with store.transaction() as connection:
        deeds.hold(connection, "key", clock_module.now() - timedelta(days=900))
    store.engine.dispose()


def _no_zone(_):
    raise machine.zoneinfo.ZoneInfoNotFoundError


def room(free):
    """Plants a disk with so many bytes left."""
    return patched(machine.shutil, "disk_usage", lambda _: SimpleNamespace(free=free, total=50_000_000_000))


def _places(ground, _):
    usage = SimpleNamespace(free=9_000_000_000, total=50_000_000_000)
    ground.monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: usage)
    ground.monkeypatch.setattr(machine.os, "statvfs", lambda _: SimpleNamespace(f_files=1000, f_favail=3))


def _closed(ground, settings):
    """Root may write everywhere, so the system's answer is changed."""
    asked = os.access
    ground.monkeypatch.setattr(
        machine.os, "access", lambda path, mode: path != settings.data_dir and asked(path, mode)
    )


SPF = "v=spf1 mx a:mail.example.org -all"
MANY = " ".join(f"include:{number}.example.org" for number in range(11))
SQLITE, POSTGRESQL = "sqlite", "postgresql"
FAULTS = (
    Fault("settings", "settings", "without TLS", having(url="http://games.example.org")),
    Fault("settings", "settings", "TIDEPOST_SMTP_URL is not set", having(smtp_url="")),
    Fault("settings", "settings", "TIDEPOST_INBOX_URL is not set", having(inbox_url=""), grave=False),
    Fault("settings", "settings", "TIDEPOST_OPERATOR is not set", having(operator=""), grave=False),
    Fault("settings", "settings", "TIDEPOST_OPERATOR_KEY is not set", having(operator_key=""), grave=False),
    Fault(
        *("settings", "settings", "is SQLite, but the broker is a server"),
        having(broker_url="redis://127.0.0.1/0"),
        grave=False,
    ),
    *(
        Fault("keys and their rights", "files", "other users of this machine can read", readable(name))
        for name in ("secret_keys", "push_key", "dkim/a.pem", "tidepost.db")
    ),
    Fault(
        *("keys and their rights", "files", "the kept keys cannot be read"),
        planted(_unreadable_keys),
        told_by="str(error)",
    ),
    Fault("keys and their rights", "files", " of the keys in ", planted(_other_keys), grave=False),
    Fault(
        *("keys and their rights", "files", "can look into"),
        planted(lambda _, settings: settings.data_dir.chmod(0o755)),
    ),
    Fault(
        *("keys and their rights", "files", "is missing"),
        planted(lambda _, settings: shutil.rmtree(settings.data_dir)),
    ),
    Fault("database version", "database", "; this program is for ", of_version("0002", "", SQLITE)),
    Fault("database version", "database", "; this program is for ", of_version("0002", "", POSTGRESQL)),
    *(
        Fault(
            *("database version", "database", "(to 9999)", of_version("9999", "9999", kind)),
            told_by="refusal.partition(';')[0]",
        )
        for kind in (SQLITE, POSTGRESQL)
    ),
    Fault(
        *("database version", "database", ") beside which this one ("),
        of_version("9999", versions.newest(), SQLITE),
        grave=False,
    ),
    Fault("database version", "database", "were moved to another one", planted(left)),
    Fault("database version", "database", "the database doesn't answer", away),
    *(
        Fault(
            *("migrations", "database", "lacks what its migrations made"),
            sql(kind, "DROP INDEX question_look", "DROP TABLE picture"),
        )
        for kind in (SQLITE, POSTGRESQL)
    ),
    *(
        Fault(
            *("migrations", "database", "has what no migration made"),
            sql(kind, "ALTER TABLE house ADD COLUMN spare INTEGER"),
            grave=False,
        )
        for kind in (SQLITE, POSTGRESQL)
    ),
    Fault(
        *("durability", "database", "when they are acknowledged: synchronous is 0"),
        patched(session, "durability", lambda: ("synchronous=OFF",)),
    ),
    Fault("durability", "database", "synchronous_commit is off", switched_off("synchronous_commit")),
    Fault("durability", "database", "acknowledged: fsync is off", switched_off("fsync")),
    Fault(
        "durability", "database", "acknowledged: full_page_writes is off", switched_off("full_page_writes")
    ),
    Fault("durability", "database", "the database is not in WAL mode", planted(_not_ahead)),
    Fault("durability", "database", "the database file is damaged", planted(_damage)),
    Fault("size", "database", "the SQLite file has", planted(_hollow), grave=False),
    Fault("size", "database", " dead rows, more than living ones", planted(_bloat, POSTGRESQL), grave=False),
    Fault("size", "database", "autovacuum is off", switched_off("autovacuum")),
    *(
        Fault(
            *("slow queries", "database", "the queries of the server's health take"),
            patched(database, "SLOW", 0, kind),
        )
        for kind in (SQLITE, POSTGRESQL)
    ),
    Fault("slow queries", "database", "have lasted for more than a minute", stuck),
    Fault("slow queries", "database", "connections of PostgreSQL are taken", crowded),
    Fault("broker", "broker and worker", "the broker takes no message", no_broker),
    Fault("workers alive", "broker and worker", "no worker answered within", having()),
    Fault("beat's pulse", "beat", "beat has asked for no sweep", having()),
    Fault("health", "health", "no sweep has ever run", having(), told_by="one"),
    Fault("SMTP login", "mail server", "turns us away", mood("greeting", b"554 go away")),
    Fault("SMTP login", "mail server", "refuses the password", refusing),
    Fault("SMTP login", "mail server", "the password goes to", refusing),
    Fault("SMTP login", "mail server", "doesn't offer what is wanted", mood("", b"", ending="?starttls")),
    Fault("SMTP login", "mail server", "has a certificate that isn't valid", unvouched_mail),
    Fault("SMTP login", "mail server", "can't be reached", no_mail_server),
    Fault(
        *("letter to oneself", "letter", "the mail server doesn't take an email to"),
        mood("text", b"550 5.7.1 not from this address", send="you@example.org"),
    ),
    Fault("reply path", "reply path", "didn't come back within", lost),
    Fault("reply path", "reply path", "a mail came back, but nobody reads it", unread),
    Fault(
        *("reply path", "reply path", "the mail server doesn't take an email to"),
        mood("rcpt", b"550 5.1.1 no such user", send="you@example.org"),
    ),
    Fault("SPF", "mail domain", "has no SPF record", records(SPF, "other")),
    Fault("SPF", "mail domain", "allows everybody", records(SPF, "v=spf1 +all")),
    Fault("SPF", "mail domain", "doesn't end", records(SPF, "v=spf1 mx"), grave=False),
    Fault("SPF", "mail domain", " look-ups; receivers make ", records("-all", f"{MANY} -all")),
    Fault(*("SPF", "mail domain", " SPF records"), having(records=f'{SOUND}{DOMAIN} TXT "v=spf1 -all"')),
    Fault("DKIM", "mail domain", "we don't sign emails (DKIM)", having(), grave=False),
    Fault("DKIM", "mail domain", "no record for", planted(_other_key)),
    Fault("DMARC", "mail domain", "has no DMARC record", records("_dmarc", "_other")),
    Fault("DMARC", "mail domain", "has no DMARC record", asked),
    Fault("DMARC", "mail domain", "the DMARC record can't be read", records("p=reject", "pct=3")),
    Fault("PTR", "mail domain", "has no name in reverse DNS", records("7.100.51.198", "8.100.51.198")),
    Fault(
        *("PTR", "mail domain", "which doesn't lead back to it"),
        records("PTR mail.example.org", "PTR other.example.org"),
    ),
    Fault(
        *("reply path", "mail domain", "has neither MX records nor an address"),
        records(f"{DOMAIN} MX", "example.org MX"),
    ),
    Fault("SPF", "mail domain", "DNS doesn't answer", silent),
    Fault("TLS", "pages and proxy", "isn't valid: self-signed certificate", certified(90, vouched=False)),
    Fault("TLS", "pages and proxy", "the certificate ends on", certified(3, vouched=True)),
    Fault("TLS", "pages and proxy", "can't be reached from here", no_proxy),
    Fault("TLS", "pages and proxy", ", and not as Tidepost does", elsewhere),
    Fault("forwarded headers", "pages and proxy", "passes on whatever X-Forwarded-For", through(dict)),
    Fault(
        *("forwarded headers", "pages and proxy", "see the proxy's address instead of the visitor's"),
        through(without_forwarding),
    ),
    Fault("forwarded headers", "pages and proxy", "don't take TIDEPOST_OPERATOR_KEY", through(without_key)),
    Fault("clock", "clock", "the clocks of this machine and of the database's are", held),
    Fault("clock", "pages and proxy", "the clocks of this machine and of the pages are", late_pages),
    Fault("disk", "disk", "is nearly full", room(10_000_000)),
    Fault("disk", "disk", "is nearly full", room(600_000_000)),
    Fault("disk", "disk", "is nearly full", planted(_places)),
    Fault("disk", "disk", "can't be written", planted(_closed)),
    Fault(
        *("time zone data", "time zones", "the data of time zones is of"),
        patched(machine.importlib.metadata, "version", lambda _: "2019.3"),
        grave=False,
    ),
    Fault(
        *("time zone data", "time zones", "the data of time zones is missing"),
        patched(machine.zoneinfo, "ZoneInfo", _no_zone),
    ),
    Fault("retention", "retention", "are still kept, though they should have gone days ago", planted(_old)),
)
"""Every finding of doctor has a row at least; some have one for each database."""
FORGED = proxy.FORGED
