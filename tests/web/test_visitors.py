"""Who a request comes from: proxies that are named are believed, and nobody else."""

import pytest

from app.settings import LOOPBACK, BadSettings, networks
from app.web.core.visitors import visitor

ADA = "203.0.113.5"
PROXIES = ("10.0.0.0/8", "2001:db8:1::/48")


def key(peer, forwarded_for="", forwarded="", trusted=PROXIES):
    return visitor(peer, forwarded_for, forwarded, trusted).key


@pytest.mark.parametrize("peer", ["10.0.0.1", "192.168.1.1", "172.18.0.2", "127.0.0.1", "::1", "fd00::1"])
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_nobody_is_believed_who_is_not_named(peer, header):
    """A private address is no proof: it may be a neighbour, a container, or a proxy that hides nothing."""
    said = (ADA, "") if header == "X-Forwarded-For" else ("", f"for={ADA}")
    asks = visitor(peer, *said, ("10.9.9.9/32",))
    assert asks == visitor(peer, "", "", ("10.9.9.9/32",)).__class__(asks.key, unheard=True)
    assert ADA not in asks.key


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (ADA, ADA),
        (f"{ADA}:4711", ADA),
        (f" {ADA} ", ADA),
        (f"198.51.100.7, {ADA}", ADA),
        (f"{ADA}, 10.2.3.4", ADA),
        (f"198.51.100.7, {ADA}:80, 10.2.3.4:99, 2001:db8:1::9", ADA),
        (f"::ffff:{ADA}", ADA),
        ("::FFFF:cb00:7105", ADA),
        (f"[::ffff:{ADA}]:443", ADA),
        ("64:ff9b::cb00:7105", ADA),
        ("::203.0.113.5", ADA),
        ("2001:0:4136:e378:8000:63bf:34ff:8efa", ADA),
        ("2001:db8::1", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("[2001:db8::1]:1234", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::2", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_a_named_proxy_says_who_asks(said, read):
    assert key("10.0.0.1", said) == read


@pytest.mark.parametrize(
    "said",
    [
        f"for={ADA}",
        f"For={ADA};proto=https;by=10.0.0.1",
        f'for="{ADA}:4711"',
        f'by=10.0.0.1; for="[::ffff:{ADA}]:80"',
        f"for=198.51.100.7, for={ADA}",
        f"for={ADA}, for=10.4.4.4",
    ],
)
def test_the_standard_header_is_read_where_there_is_no_other(said):
    assert key("10.0.0.1", forwarded=said) == ADA
    assert key("10.0.0.1", "198.51.100.8", said) == "198.51.100.8"


def test_two_of_one_network_are_two_and_two_of_one_household_are_one():
    assert key("2001:db8::1") == key("2001:db8::2") != key("2001:db8:0:1::1")
    assert key("::ffff:203.0.113.5") == ADA != key("::ffff:203.0.113.6")


@pytest.mark.parametrize(
    "said", ["", "unknown", "_hidden", "for=unknown", "10.0.0.3", "10.0.0.3, 10.0.0.4", "::"]
)
def test_a_proxy_that_names_nobody_stands_for_everybody(said):
    asks = visitor("10.0.0.1", said, "", PROXIES)
    assert asks.known is (said == "::")


def test_the_mapped_address_of_a_proxy_is_the_proxy():
    """A server bound to `::` sees every IPv4 address in this form."""
    assert key("::ffff:10.0.0.1", ADA) == ADA
    assert key("::ffff:127.0.0.1", ADA, trusted=LOOPBACK) == ADA


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("", LOOPBACK),
        ("none", ()),
        ("127.0.0.1", ("127.0.0.1/32",)),
        ("172.18.0.0/16, ::1", ("172.18.0.0/16", "::1/128")),
        ("172.18.0.9/16,", ("172.18.0.0/16",)),
    ],
)
def test_the_setting_names_addresses_and_networks(written, read):
    assert networks(written) == read


@pytest.mark.parametrize("written", ["proxy", "10.0.0.0/40", "10.0.0.1 10.0.0.2", "*"])
def test_what_names_no_network_is_refused_at_the_start(written):
    with pytest.raises(BadSettings, match="TIDEPOST_TRUSTED_PROXIES"):
        networks(written)


def test_a_stranger_who_writes_such_headers_is_no_proxy_to_be_named():
    assert not visitor("8.8.8.8", ADA, "", PROXIES).unheard
    assert visitor("10.0.0.1", ADA, "", ()).unheard
