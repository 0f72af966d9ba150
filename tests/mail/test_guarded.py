"""Requests to servers that players name, without a server: most is refused before anything is sent."""

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
        ([b"Retry-After: Mon, 15 Jun 2026 18:30:00 GMT"], None),
        ([b"Retry-After: -5"], None),
        ([], None),
    ],
)
def test_a_wish_to_be_left_alone_is_read_in_seconds(lines, seconds):
    assert guarded._retry_after(lines) == seconds
