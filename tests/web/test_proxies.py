"""The samples for nginx and Caddy, as they stand in the repository, before a real `tidepost web`."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import pytest

from app import settings
from app.store.session import Store
from app.upkeep.doctor import proxy as examination
from app.upkeep.doctor.finding import Case
from app.upkeep.records import Given
from app.web.core.allowances import BY_TOKEN, MISSES
from tests.servers import PATIENCE, database_in, free_port, missing, until
from tests.web.site import ROOT, Site
from tests.web.visits import House

SAMPLES = ROOT / "app" / "web" / "proxies"
NAME = "games.example.org"
ANYWHERE = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
KEY = "0123456789abcdef" * 2
TOKEN = "abcdefghijklmnopqrstuv"
NGINX = """
{user}
daemon off; pid {folder}/pid; error_log {folder}/main.log;
events {{}}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/sample.conf;
}}
"""


def installed(name: str) -> str:
    found = shutil.which(name, path=ANYWHERE)
    if found is None:
        missing(name)
    return str(found)


class Proxy:
    """A proxy with its sample, in which only ports and folders are others than an operator's."""

    def __init__(self, kind: str, folder: Path, site: Site) -> None:
        self.port, self.plain, self.folder = free_port(), free_port(), folder
        self.out = folder / "out.log"
        openssl, program = installed("openssl"), installed(kind)
        subprocess.run(
            [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "key", "-out", folder / "crt"],
            check=True,
            capture_output=True,
        )  # fmt: skip
        self.config = folder / ("sample.conf" if kind == "nginx" else "Caddyfile")
        self.command = [program, *getattr(self, f"_{kind}")(f"127.0.0.1:{site.port}")]
        self._start()

    def _start(self) -> None:
        environment = os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        with self.out.open("ab") as out:
            self.process = subprocess.Popen(self.command, stdout=out, stderr=out, env=environment)

    def _nginx(self, behind: str) -> list[str]:
        changes = {
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
            "127.0.0.1:8000": behind,
            f"/etc/ssl/{NAME}.crt": str(self.folder / "crt"),
            f"/etc/ssl/{NAME}.key": str(self.folder / "key"),
            "/var/log/nginx": str(self.folder),
        }
        self._sample("nginx.conf", "sample.conf", changes)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, user=user))
        return ["-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def _caddy(self, behind: str) -> list[str]:
        changes = {
            "{\n\t# Links": f"{{\n\tadmin off\n\thttp_port {self.plain}\n\thttps_port {self.port}\n"
            "\tskip_install_trust\n\t# Links",
            f"\n{NAME} {{": f"\n{NAME} {{\n\tbind 127.0.0.1\n"
            f"\ttls {self.folder / 'crt'} {self.folder / 'key'}",
            "127.0.0.1:8000": behind,
        }
        self._sample("Caddyfile", "Caddyfile", changes)
        return ["run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]

    def _sample(self, name: str, into: str, changes: dict[str, str]) -> None:
        text = (SAMPLES / name).read_text()
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        (self.folder / into).write_text(text)

    def __enter__(self) -> Self:
        until(self.answers, "an answer of the proxy", self.log)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def log(self) -> str:
        return "".join(file.read_text(errors="replace") for file in self.folder.glob("*.log"))

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log()
        return self.status("/livez") == 200

    def status(self, path: str) -> int:
        """The status of an answer, or 0 where there is none."""
        try:
            return self.get(path)[0]
        except (OSError, http.client.HTTPException):
            return 0

    def move(self, before: int, now: int) -> None:
        """Begin again before another port."""
        self.write(self.config.read_text().replace(f"127.0.0.1:{before}", f"127.0.0.1:{now}"))

    def write(self, sample: str) -> None:
        """Begin again with another text."""
        self.config.write_text(sample)
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._start()

    def connect(self, by: str = "127.0.0.1") -> ssl.SSLSocket:
        """An encrypted connection from an address of this machine."""
        context = ssl.create_default_context(cafile=str(self.folder / "crt"))
        made = socket.create_connection(("127.0.0.1", self.port), PATIENCE, source_address=(by, 0))
        return context.wrap_socket(made, server_hostname=NAME)

    def get(
        self, path: str, method: str = "GET", body: str = "", by: str = "127.0.0.1", **headers: str
    ) -> tuple[int, str, http.client.HTTPMessage]:
        connection = http.client.HTTPConnection(NAME, timeout=PATIENCE)
        connection.sock = self.connect(by)
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body or None, form | named)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace"), answer.headers
        finally:
            connection.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "data").mkdir()
    url = database_in(folder / "data")
    named = {"DATABASE_URL": url, "URL": f"https://{NAME}", "TRUSTED_PROXIES": "127.0.0.1"}
    with Site(
        folder, REQUEST_SECONDS="600", SMTP_URL="smtp://127.0.0.1:1", OPERATOR_KEY=KEY, **named
    ) as made:
        made.database_url = url
        yield made.up("/readyz")


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(request, site, tmp_path_factory):
    installed(request.param)
    with Proxy(request.param, tmp_path_factory.mktemp(request.param), site) as made:
        yield made


@pytest.fixture
def house(site):
    store = Store(site.database_url)
    with store.transaction() as connection:
        for table in ("counter",):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    yield House(store)
    store.engine.dispose()


def test_pages_come_encrypted_and_their_addresses_are_public_ones(proxy, house):
    status, page, headers = proxy.get("/")
    assert status == 200
    assert "Strict-Transport-Security" in headers
    assert "http://" not in page.replace("http://www.w3.org", "")
    status, _, headers = proxy.get("/sign-in", "POST", "address=a%40example.org", Origin=f"https://{NAME}")
    assert (status, headers["Location"]) == (303, "/sign-in?sent=1")
    match_id = house.start("Ada", "Bo", setup="random")
    assert f"https://{NAME}/m/{match_id}" in proxy.get(f"/m/{match_id}/feed.atom")[1]


def test_who_signs_in_gets_a_cookie_for_encrypted_connections(proxy, house):
    house.start("Ada", "Bo", setup="random")
    link = house.sign_in_link("Ada")
    status, _, headers = proxy.get(link, "POST", "x=1", Origin=f"https://{NAME}")
    assert status == 303
    assert headers["Set-Cookie"].startswith("__Host-tidepost=")
    assert "; Secure" in headers["Set-Cookie"]
    assert proxy.get("/sign-out", "POST", "x=1", Origin="https://evil.example")[0] == 403


def test_an_unencrypted_address_leads_to_the_encrypted_one(proxy):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=PATIENCE)
    connection.request("GET", "/rules", headers={"Host": NAME})
    answer = connection.getresponse()
    assert answer.status in (301, 308)
    assert answer.headers["Location"].startswith(f"https://{NAME}")
    connection.close()


def test_each_visitor_counts_alone_and_nobody_can_be_another(proxy, house):
    forged = {"X_Forwarded_For": "127.0.0.3", "Forwarded": "for=127.0.0.3"}
    statuses = [proxy.get(f"/t/{n:022d}", by="127.0.0.2", **forged)[0] for n in range(MISSES.most + 1)]
    assert (statuses[0], statuses[-1]) == (404, 429)
    assert proxy.get(f"/t/{0:022d}", by="127.0.0.3")[0] == 404
    for n in range(3):
        other = {"X_Forwarded_For": f"198.51.100.{n}", "Forwarded": f"for=198.51.100.{n}"}
        assert proxy.get(f"/t/{0:022d}", by="127.0.0.2", **other)[0] == 429
    path = f"/t/{next(iter(house.turns(house.start('Ada', 'Bo', setup='random')).values()))}"
    assert proxy.get(path, by="127.0.0.2")[0] == 200


def examined(proxy, monkeypatch):
    """What doctor finds through the proxy, but for the certificate, which ends in two days."""
    monkeypatch.setattr(
        http.client.HTTPSConnection, "connect", lambda self: setattr(self, "sock", proxy.connect("127.0.0.2"))
    )
    given = {"TIDEPOST_URL": f"https://{NAME}", "TIDEPOST_SECRET_KEYS": KEY, "TIDEPOST_OPERATOR_KEY": KEY}
    ends, *others = examination.proxy(Case(settings.read(given), Given("")))
    assert "the certificate ends" in ends.what
    return [one.what for one in others]


def test_the_doctor_is_content_with_it(proxy, monkeypatch):
    assert examined(proxy, monkeypatch) == []


WRONG = {
    "nginx": {
        "believes": ("X-Forwarded-For $remote_addr", "X-Forwarded-For $http_x_forwarded_for"),
        "hides": ("X-Forwarded-For $remote_addr", 'X-Forwarded-For ""'),
        "loses": ('Forwarded "";', 'Forwarded ""; proxy_set_header Authorization "";'),
    },
    "caddy": {
        "believes": ("-Forwarded\n", "-Forwarded\n\t\theader_up X-Forwarded-For {header.X-Forwarded-For}\n"),
        "hides": ("-Forwarded\n", "-Forwarded\n\t\theader_up -X-Forwarded-For\n"),
        "loses": ("-Forwarded\n", "-Forwarded\n\t\theader_up -Authorization\n"),
    },
}
"""The samples with a mistake: what stands in them, and what an operator wrote."""


@pytest.mark.parametrize("kind", WRONG)
def test_the_doctor_finds_mistakes_in_it(kind, tmp_path, site, monkeypatch):
    with Proxy(kind, tmp_path, site) as proxy:
        sample = proxy.config.read_text()
        for mistake, said in (
            ("believes", "passes on whatever X-Forwarded-For"),
            ("hides", "see the proxy's address"),
            ("loses", "don't take TIDEPOST_OPERATOR_KEY"),
        ):
            old, new = WRONG[kind][mistake]
            assert old in sample
            proxy.write(sample.replace(old, new, 1))
            until(proxy.answers, "an answer of the proxy", proxy.log)
            (found,) = examined(proxy, monkeypatch)
            monkeypatch.undo()
            assert said in found


HEAD = f"POST /sign-in HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.mark.parametrize(
    "sent", ["", "GET /si", HEAD, HEAD + "Content-Length: 30\r\n\r\naddress=a%40b"], ids=range(4)
)
def test_slow_visitors_stop_nobody(proxy, sent):
    with ExitStack() as slow:
        for _ in range(12):
            slow.enter_context(proxy.connect()).sendall(sent.encode())
        assert proxy.get("/sign-in")[0] == 200
        assert proxy.get("/sign-in", "POST", "address=a%40example.org")[0] == 303


def test_what_is_much_too_large_stays_outside(proxy):
    # Caddy breaks off what it has begun to pass on.
    assert proxy.get("/sign-in", "POST", "address=" + "a" * 2_000_000)[0] in (413, 502)


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_no_link_is_logged(kind, tmp_path, site):
    """Not where it is answered, and not where Tidepost is away."""
    with Proxy(kind, tmp_path, site) as proxy:
        by_token = (f"{begins}{TOKEN}" for begins in BY_TOKEN)
        for path in (*by_token, f"/i/{TOKEN}/table?go={TOKEN}", f"/m/1?pick={TOKEN}", f"/m/1?step={TOKEN}"):
            proxy.get(path)
        proxy.move(site.port, free_port())
        until(lambda: proxy.status(f"/t/{TOKEN}") == 502, "an answer for a site that is away", proxy.log)
    assert proxy.log()
    assert TOKEN not in proxy.log()
