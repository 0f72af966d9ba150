"""Requests to servers that players name, without a server: most is refused before anything is sent."""

import socket

import pytest

from app.mail.core import guarded


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x",
        "https://example.org:8443/x",
        "ftp://example.org/x",
        "https://example.org/a b",
        "https://example.org/a\r\nHost: inner",
        "https://example.org:x/",
        "",
    ],
)
def test_nothing_is_looked_up_for_an_address_that_may_not_be_called(url, monkeypatch):
    looked = []
    monkeypatch.setattr(guarded.Deadline, "connected", lambda *given: looked.append(given))
    with pytest.raises(guarded.Forbidden):
        guarded.post(url, {}, b"")
    assert looked == []


def test_an_origin_that_is_vouched_for_is_that_scheme_host_and_port_alone(monkeypatch):
    monkeypatch.setattr(guarded.Deadline, "connected", lambda *_: (_ for _ in ()).throw(OSError()))
    vouched = ("http://chat.lan:8065",)
    with pytest.raises(guarded.Unreached) as reached:
        guarded.post("http://CHAT.lan:8065/hook", {}, b"", vouched=vouched)
    assert not isinstance(reached.value, guarded.Forbidden)
    for other in ("http://chat.lan/hook", "https://chat.lan:8065/", "http://chat.lan.evil.example:8065/"):
        with pytest.raises(guarded.Forbidden):
            guarded.post(other, {}, b"", vouched=vouched)


def test_a_header_cannot_bring_another():
    with pytest.raises(guarded.Forbidden):
        guarded.post("https://example.org/", {"X": "a\r\nHost: inner"}, b"")


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ([b"Retry-After: 30"], 31),
        ([b"x: 1", b"retry-after:0.35"], 1),
        ([b"Retry-After: Mon, 02 Mar 2026 10:00:00 GMT"], 1801),
        ([b"Retry-After: Mon, 02 Mar 2026 09:29:00 GMT"], None),
        ([b"Retry-After: Mon, 32 Mar 2026 09:29:00 GMT"], None),
        ([b"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"], 9_999_999),
        ([b"Retry-After: soon"], None),
        ([b"Retry-After: \xff"], None),
        ([b"Retry-After: 99999999"], None),
        ([b"Retry-After: -5"], None),
        ([], None),
    ],
)
@pytest.mark.usefixtures("clock")
def test_a_wish_to_be_left_alone_is_read_in_seconds(lines, seconds):
    assert guarded._retry_after(lines) == seconds


INNER = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::127.0.0.1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001:0:53aa:64c:0:0:80ff:fffe",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "0",
    "localhost",
    "127.0.0.1.",
    "127.0.0.1:80",
    "[::1]",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "2606:4700::1111",
    "2a00:1450::5",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
]


@pytest.mark.parametrize("address", INNER)
def test_an_address_that_is_or_stands_for_an_inner_one_is_no_public_one(address):
    assert not guarded.is_public(address)
    with pytest.raises(guarded.Forbidden):
        guarded.check_public([("8.8.8.8", 443), (address, 443)])


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_that_the_whole_internet_knows_is_public(address):
    assert guarded.is_public(address)


NAMES = ("localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]")


@pytest.mark.parametrize("host", NAMES)
def test_whatever_the_resolver_makes_of_a_host_the_address_is_judged(host, monkeypatch):
    """Some of these are read as 127.0.0.1 by the resolver of the machine, others are no name at all."""
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it was connected to"))
    with pytest.raises(guarded.Unreached):
        guarded.post(f"https://{host}/x", {}, b"", patience=2)
