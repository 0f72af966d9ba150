"""What the operator's mail server found about a sender counts; what anybody else wrote does not."""

import pytest

from app.mail.inbound.reading.verdicts import dmarc_fails

OURS = "mx.example.org"


@pytest.mark.parametrize(
    "text",
    [
        "mx.example.org; dmarc=fail",
        "mx.example.org; spf=pass smtp.mailfrom=a.example; dkim=none; dmarc=fail (p=reject dis=none)",
        "MX.Example.ORG 1; DMARC=Fail header.from=b.example",
        '"mx.example.org" 1 ; dmarc = fail',
        '(a comment; dmarc=pass) mx.example.org (another (inside) one) ; dmarc/1=fail reason="x; dmarc=pass"',
        "mx.example.org;dkim=pass (2048-bit key\\) ; dmarc=pass) header.d=a.example;dmarc=fail",
        "mx.example.org; dmarc=pass header.from=a.example; dmarc=fail header.from=b.example",
        "mx.example.org; dmarc=fail (never closed",
        "mx.example.org; dmarc=fail policy.dmarc=reject;",
    ],
)
def test_a_failure_as_servers_write_it(text):
    assert dmarc_fails([text], OURS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "(",
        '"',
        "mx.example.org",
        "mx.example.org; none",
        "mx.example.org; dmarc=pass",
        "mx.example.org; dmarc=none",
        "mx.example.org; dmarc=temperror",
        "mx.example.org; dmarc=bestguesspass",
        "mx.example.org; spf=fail; dkim=fail",
        "mx.example.org; x-dmarc=fail",
        'mx.example.org; dmarc=pass reason="; dmarc=fail"',
        "mx.example.org; dmarc=pass (; dmarc=fail)",
        "other.example.net; dmarc=fail",
        "mx.example.org.evil.example; dmarc=fail",
        "mx.example.org dmarc=fail",
        "dmarc=fail; mx.example.org",
        "x; mx.example.org; dmarc=fail",
    ],
)
def test_everything_else_says_nothing(text):
    assert not dmarc_fails([text], OURS)


def test_the_uppermost_verdict_of_the_server_counts():
    """What the sender wrote into the mail stands below what the server writes above it."""
    failed, passed = f"{OURS}; dmarc=fail", f"{OURS}; dmarc=pass"
    assert dmarc_fails([failed, passed], OURS)
    assert not dmarc_fails([passed, failed], OURS)
    assert dmarc_fails([f"{OURS}; spf=pass", "other.example; dmarc=pass", failed], OURS)


def test_without_a_named_server_nothing_counts():
    assert not dmarc_fails(["; dmarc=fail", "mx.example.org; dmarc=fail"], "")


@pytest.mark.parametrize("text", ["(" * 8000, '"' * 7999, "\\" * 8000, "(\\" * 4000, ";" * 8000, "a" * 8000])
def test_hostile_headers_are_read_at_once(text):
    assert not dmarc_fails([text] * 50, OURS)
