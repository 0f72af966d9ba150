"""The pages as the world sees them: through the proxy, with its certificate and its forwarded headers."""

import http.client
import json
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from app import clock
from app.soundness.finding import Finding
from app.upkeep.doctor.finding import Case

PATIENCE = 10
"""Seconds."""
FORGED = "203.0.113.77"
"""An address for documentation, in whose name we ask: a proxy must not believe us."""
EXPIRES = timedelta(days=14)
CLOCKS = timedelta(seconds=30)


def proxy(case: Case) -> Iterator[Finding]:
    """All findings; none for a server on this machine only."""
    if case.settings.development:
        return
    parts = urlsplit(case.settings.url)
    try:
        status, headers, body, certificate = _ask(case, parts.scheme, parts.hostname or "", parts.port)
    except ssl.SSLCertVerificationError as error:
        yield Finding(
            f"the certificate of {case.settings.url} isn't valid: {error.verify_message}",
            "Browsers warn players away, and mail programs don't open links.",
            "Renew it, and let it name this host; Caddy does both by itself",
        )
        return
    except (OSError, http.client.HTTPException) as error:
        yield Finding(
            f"{case.settings.url} can't be reached from here: {error or type(error).__name__}",
            "Every link in every email leads there.",
            "Start the proxy and `tidepost web`, and look at DNS and firewall",
        )
        return
    yield from _certificate(certificate)
    yield from _clock(headers.get("Date", ""))
    if status not in (200, 503) or "you" not in body:
        yield from _not_ours(case, status, body)
        return
    yield from _forwarded(body["you"])


def _ask(
    case: Case, scheme: str, host: str, port: int | None
) -> tuple[int, http.client.HTTPMessage, dict[str, dict[str, str]], object]:
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=PATIENCE)
    headers = {"X-Forwarded-For": FORGED, "Forwarded": f"for={FORGED}"}
    if case.settings.operator_key:
        headers["Authorization"] = f"Bearer {case.settings.operator_key}"
    try:
        connection.request("GET", "/healthz", headers=headers)
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        answer = connection.getresponse()
        text = answer.read(1_000_000)
    finally:
        connection.close()
    try:
        body = json.loads(text)
    except ValueError:
        body = {}
    return answer.status, answer.msg, body if isinstance(body, dict) else {}, certificate


def _not_ours(case: Case, status: int, body: dict[str, dict[str, str]]) -> Iterator[Finding]:
    if "status" in body:
        if case.settings.operator_key:
            yield Finding(
                "the pages don't take TIDEPOST_OPERATOR_KEY",
                "They run with other settings than this command, or the proxy drops Authorization.",
                "Give all parts the same settings, and let the proxy pass Authorization on",
            )
        return
    yield Finding(
        f"{case.settings.url}/healthz answers {status}, and not as Tidepost does",
        "Links may lead to another program, or the proxy finds no pages.",
        "Let the proxy pass every path on to `tidepost web`",
    )


def _certificate(certificate: object) -> Iterator[Finding]:
    if not isinstance(certificate, dict) or "notAfter" not in certificate:
        return
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    if ends - clock.now() < EXPIRES:
        yield Finding(
            f"the certificate ends on {ends:%Y-%m-%d}",
            "From then on browsers warn players away.",
            "Renew it, and see why nothing renews it by itself",
        )


def _clock(date: str) -> Iterator[Finding]:
    try:
        shown = parsedate_to_datetime(date)
    except ValueError:
        return
    apart = abs(shown - clock.now())
    if apart > CLOCKS:
        yield Finding(
            f"the clocks of this machine and of the pages are {apart.total_seconds():.0f} s apart",
            "Deadlines and links end at the wrong moment.",
            "Set the clocks by NTP: timedatectl set-ntp true",
        )


def _forwarded(seen: dict[str, str]) -> Iterator[Finding]:
    address, known = seen.get("address", ""), seen.get("known")
    if address == FORGED:
        yield Finding(
            "the proxy passes on whatever X-Forwarded-For a visitor writes",
            "Anyone can ask in anyone's name: limits hold nobody back, and can shut out others.",
            "nginx: proxy_set_header X-Forwarded-For $remote_addr; Caddy: no trusted_proxies",
        )
    elif not known:
        yield Finding(
            "the pages see the proxy's address instead of the visitor's",
            "All visitors share one limit, and one of them can use it up.",
            "Let the proxy set X-Forwarded-For, and name its address in TIDEPOST_TRUSTED_PROXIES"
            if not seen.get("unheard")
            else f"Name the proxy in TIDEPOST_TRUSTED_PROXIES: it is {address}",
        )
