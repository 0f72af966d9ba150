"""The examination of a server: what is wrong, why it matters, and what to type."""

from collections.abc import Iterator, Mapping

from app.soundness import configuration
from app.soundness import machine as this_machine
from app.soundness.finding import Finding
from app.upkeep.doctor import database, domain, machine, mail, parts, proxy
from app.upkeep.doctor.finding import Case, Check

CHECKS: Mapping[str, Check] = {
    "settings": lambda case: configuration.settings(case.settings),
    "files": lambda case: configuration.rights(case.settings),
    "disk": lambda case: this_machine.disk(case.settings),
    "database": database.database,
    "clock": machine.times,
    "time zones": lambda _: this_machine.zones(),
    "retention": machine.retention,
    "broker and worker": parts.broker,
    "beat": parts.beat,
    "mail server": mail.smtp_login,
    "letter": mail.letter,
    "reply path": mail.reply_path,
    "mail domain": domain.domain,
    "pages and proxy": proxy.proxy,
    "health": parts.health,
}
"""In the order in which one fault explains the next."""


def examine(case: Case) -> Iterator[tuple[str, list[Finding]]]:
    """The findings of each check, by its name, as soon as it is done."""
    for name, check in CHECKS.items():
        yield name, list(check(case))
