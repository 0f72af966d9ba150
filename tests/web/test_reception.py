"""Slow visitors hold a connection and never a thread, and each has a deadline: real sockets and processes."""

import resource
import socket
from contextlib import ExitStack
from itertools import cycle

import pytest

from app.web.core.allowances import MISSES
from tests.servers import PATIENCE, until
from tests.web.site import Site

THREADS = 8
HEAD = b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
PLAIN = b"GET /static/tidepost.css HTTP/1.1\r\nHost: h\r\n\r\n"
SLOW = {
    "nothing": b"",
    "half a line": b"GET /si",
    "half a header": HEAD,
    "no body": HEAD + b"Content-Length: 30\r\n\r\n",
    "half a body": HEAD + b"Content-Length: 30\r\n\r\naddress=a%40b",
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1e\r\naddress=a",
    "a second request": PLAIN + HEAD,
}


@pytest.fixture(scope="module")
def patient(tmp_path_factory):
    """A site whose deadline no test reaches."""
    with Site(tmp_path_factory.mktemp("patient"), REQUEST_SECONDS="600") as site:
        yield site.up()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A site whose deadline passes at once."""
    with Site(tmp_path_factory.mktemp("hasty"), REQUEST_SECONDS="0.4") as site:
        yield site.up()


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_slow_senders_stop_nobody(patient, sent):
    with ExitStack() as slow:
        for _ in range(THREADS + 4):
            slow.enter_context(patient.connect(sent))
        assert patient.get("/sign-in")[0] == 200
        assert patient.get("/sign-in", "POST", "address=a%40example.org")[0] == 303


def test_slow_readers_stop_nobody(patient):
    """Each asks for much more than the buffers of both kernels hold, and fetches none of it."""
    many = PLAIN * 400
    with ExitStack() as slow:
        for _ in range(THREADS + 4):
            slow.enter_context(patient.connect(many, window=2048))
        assert patient.get("/sign-in")[0] == 200
        assert patient.get("/sign-in", "POST", "address=a%40example.org")[0] == 303


def trickle(connection: socket.socket, rest: bytes) -> bytes:
    """Send a byte now and then until the other side has enough of it; what it said."""
    connection.settimeout(0.01)
    said, coming = [], cycle(rest)

    def over() -> bool:
        try:
            connection.sendall(bytes([next(coming)]))
            said.append(connection.recv(4096))
        except TimeoutError:
            return False
        except OSError:
            return True
        return not said[-1]

    until(over, "the end of a request that never becomes whole")
    return b"".join(said)


@pytest.mark.parametrize("name", ["half a line", "half a header", "no body", "half a body", "half a chunk"])
def test_a_byte_now_and_then_does_not_help(hasty, name):
    """The deadline is for the whole request: a byte in between buys no time."""
    rest = b"a" if name != "half a header" else b"X-A: b\r\n"
    with hasty.connect(SLOW[name]) as connection:
        said = trickle(connection, rest)
    assert said.startswith(b"HTTP/1.1 408"), said


def test_who_says_nothing_is_forgotten(hasty):
    with hasty.connect() as connection:
        assert connection.recv(100) == b""


def test_who_fetches_nothing_is_forgotten(hasty):
    with hasty.connect(PLAIN * 400, window=2048) as connection:

        def gone() -> bool:
            try:
                connection.sendall(b"x")
            except OSError:
                return True
            return False

        until(gone, "the end of a connection that takes nothing")


def test_a_request_in_time_is_answered_and_the_connection_kept(hasty):
    with hasty.connect(PLAIN) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


def test_too_many_connections_make_room_for_the_next(tmp_path):
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160))

    with Site(tmp_path, before=few_files, REQUEST_SECONDS="600") as site, ExitStack() as slow:
        site.up()
        for _ in range(200):
            slow.enter_context(site.connect(SLOW["half a header"]))
        assert site.get("/sign-in")[0] == 200


def test_what_is_much_too_large_is_refused_before_it_is_here(patient):
    with patient.connect(HEAD + b"Content-Length: 2000000000\r\n\r\n") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 413")
    assert patient.get("/sign-in", "POST", "address=" + "a" * 140_000)[0] == 413


@pytest.mark.parametrize(
    ("host", "by"), [("::1", "::1"), ("::", "::1"), ("::", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")]
)
def test_it_listens_wherever_it_is_told_to(tmp_path, host, by):
    with Site(tmp_path, host=host) as site:
        site.up()
        with socket.create_connection((by or site.address, site.port), timeout=PATIENCE) as connection:
            connection.sendall(PLAIN)
            assert connection.recv(100).startswith(b"HTTP/1.1 200")


def test_two_visitors_of_a_server_for_both_families_are_two(tmp_path):
    """Bound to `::`, every IPv4 address comes in one and the same IPv6 network."""
    with Site(tmp_path, host="::", TRUSTED_PROXIES="none") as site:
        site.up()

        def tried(by: str) -> int:
            with socket.create_connection(("127.0.0.1", site.port), PATIENCE, source_address=(by, 0)) as made:
                made.sendall(b"GET /t/wrong HTTP/1.1\r\nHost: h\r\n\r\n")
                return int(made.recv(100)[9:12])

        assert [tried("127.0.0.2") for _ in range(MISSES.most + 1)][-1] == 429
        assert tried("127.0.0.3") == 404


def test_it_ends_when_told_to_and_finishes_what_it_began(tmp_path):
    with Site(tmp_path) as site:
        site.up()
        with site.connect() as idle, site.connect(SLOW["half a body"]) as slow:
            site.get("/livez")  # what came before this was read
            site.process.terminate()
            slow.sendall(b".example&address=")
            assert slow.recv(100).startswith(b"HTTP/1.1 ")
            assert site.process.wait(PATIENCE) == 0
            assert idle.recv(100) == b""


def test_no_link_is_logged(tmp_path):
    token = "abcdefghijklmnopqrstuv"
    with Site(tmp_path) as site:
        site.up()
        site.get(f"/t/{token}")
        with site.connect(f"GET /t/{token} HTTP/9.9\r\nbad header\r\n\r\n".encode()) as connection:
            connection.recv(100)
    assert token not in site.log()
