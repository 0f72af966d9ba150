"""The records of the mail domain by which receivers judge our emails: SPF, DKIM, DMARC, PTR and MX."""

import re
from collections.abc import Iterator

from app.mail.core import dkim_keys
from app.soundness.finding import Finding
from app.upkeep.doctor.finding import Case
from app.upkeep.doctor.mail import sends_from
from app.upkeep.records import NoAnswer, addresses, pointers, texts

MOST_LOOKUPS = 10
"""Look-ups that receivers make for one SPF record; RFC 7208, 4.6.4."""
_LOOKS_UP = re.compile(r"[+?~-]?(include|a|mx|ptr|exists)([:/].*)?|redirect=.*", re.IGNORECASE)


def domain(case: Case) -> Iterator[Finding]:
    """All findings about the mail domain; none for a server that sends nowhere."""
    if case.settings.caught or case.settings.development:
        return
    try:
        yield from _spf(case)
        yield from _dkim(case)
        yield from _dmarc(case)
        yield from _pointer(case)
        yield from _mx(case)
    except NoAnswer as error:
        yield Finding(
            f"DNS doesn't answer: {error}",
            "Receivers may find no records either, and refuse emails.",
            "Look at /etc/resolv.conf, or name a server: tidepost doctor --nameserver 9.9.9.9",
        )


def _spf(case: Case) -> Iterator[Finding]:
    name = case.settings.mail_domain
    found = texts(case.records, name, "v=spf1")
    wanted = f'{name} TXT "v=spf1 mx a:{sends_from(case.settings)} -all"'
    if not found:
        yield Finding(
            f"{name} has no SPF record",
            "Large providers refuse emails from domains without one, or put them into spam.",
            f"Publish: {wanted}",
        )
    elif len(found) > 1:
        yield Finding(
            f"{name} has {len(found)} SPF records",
            "Receivers take that for an error, as if there were none.",
            "Make them one record",
        )
    else:
        terms = found[0].split()[1:]
        if "+all" in terms or "all" in terms:
            yield Finding(
                f"the SPF record of {name} allows everybody: {found[0]}",
                "Anyone can send in your name, and receivers distrust the domain.",
                f"End it with -all: {wanted}",
            )
        elif not any(one.lstrip("~-?").startswith("all") or one.startswith("redirect=") for one in terms):
            yield Finding(
                f"the SPF record of {name} doesn't end: {found[0]}",
                "Without -all it forbids nobody, so it proves little.",
                "Put -all at its end",
                grave=False,
            )
        looked_up = sum(bool(_LOOKS_UP.fullmatch(one)) for one in terms)
        if looked_up > MOST_LOOKUPS:
            yield Finding(
                f"the SPF record of {name} needs {looked_up} look-ups; receivers make {MOST_LOOKUPS}",
                "Beyond that they treat it as broken.",
                "Write addresses (ip4:…) instead of some names",
            )


def _dkim(case: Case) -> Iterator[Finding]:
    name = case.settings.mail_domain
    key = next((one for one in dkim_keys.keys(case.settings) if one.in_use), None)
    if key is None:
        yield Finding(
            "we don't sign emails (DKIM)",
            "Unless your mail server does, large providers refuse them or put them into spam.",
            "Let your mail server sign, or: tidepost dkim new",
            grave=False,
        )
        return
    place = dkim_keys.record_name(key.selector, name)
    found = [" ".join(one.split()) for one in texts(case.records, place, "v=DKIM1")]
    if dkim_keys.record(key) not in found:
        yield Finding(
            f"{place} has {'another record than' if found else 'no record for'} the key that signs",
            "Receivers take every email for a forgery.",
            f'Publish: {place} TXT "{dkim_keys.record(key)}"',
        )


def _dmarc(case: Case) -> Iterator[Finding]:
    name = case.settings.mail_domain
    found = [
        one
        for place in dict.fromkeys((name, ".".join(name.split(".")[-2:])))
        for one in texts(case.records, f"_dmarc.{place}", "v=DMARC1")
    ]
    if not found:
        yield Finding(
            f"_dmarc.{name} has no DMARC record",
            "Gmail, Yahoo and Microsoft ask for one from those who send much.",
            f'Publish: _dmarc.{name} TXT "v=DMARC1; p=none; rua=mailto:you@{name}"',
        )
    elif not re.search(r";\s*p\s*=\s*(none|quarantine|reject)\b", found[0], re.IGNORECASE):
        yield Finding(
            f"the DMARC record can't be read: {found[0]}",
            "Receivers act as if there were none.",
            "It needs p=none, p=quarantine or p=reject",
        )


def _pointer(case: Case) -> Iterator[Finding]:
    """The names of the addresses that we send from, where the mail server is one of our own."""
    host = sends_from(case.settings)
    for address in addresses(case.records, host):
        if address.startswith(("127.", "10.", "192.168.", "fd", "::1")):
            continue
        names = pointers(case.records, address)
        if not names:
            yield Finding(
                f"{address} ({host}) has no name in reverse DNS (PTR)",
                "Many servers refuse emails from such addresses.",
                f"Ask the provider of the address to let it point to {host}",
            )
        elif not any(address in addresses(case.records, one) for one in names):
            yield Finding(
                f"{address} points to {names[0]}, which doesn't lead back to it",
                "Many servers refuse emails from such addresses.",
                f"Let {names[0]} have the address {address}, or the address point to {host}",
            )


def _mx(case: Case) -> Iterator[Finding]:
    name = case.settings.mail_domain
    if case.settings.inbox and not case.records.find(name, "MX") and not addresses(case.records, name):
        yield Finding(
            f"{name} has neither MX records nor an address",
            "No reply arrives, and many servers refuse senders that can't be answered.",
            f"Publish: {name} MX 10 and the name of the server that takes your mail",
        )
