"""The command that examines a server."""

import json
import sys
from pathlib import Path

import click
import msgspec

from app.options import SECONDS
from app.upkeep.commands import settings

MARKS = {True: "wrong", False: "could be better"}


@click.command()
@click.option(
    "--send", default="", metavar="ADDRESS", help="Send a letter there, and test the way of replies."
)
@click.option(
    "--wait",
    default=60.0,
    type=SECONDS,
    show_default=True,
    help="Seconds to wait for a worker, and for a mail.",
)
@click.option("--nameserver", default="", metavar="ADDRESS[:PORT]", help="The name server to ask.")
@click.option(
    "--records",
    default=None,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with DNS records, one a line, to be read instead of asking.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a finding.")
def doctor(send: str, wait: float, nameserver: str, records: Path | None, *, as_json: bool) -> None:
    """Examine this server: what is wrong, why it matters, and what to type.

    Settings, files and their rights, database, broker, worker, beat, mail server, DNS records, proxy, clock,
    disk, time zones, and what should have been deleted. Nothing is changed. The status is 1 if something is
    wrong, and 0 if at most something could be better.

    Example: tidepost doctor --send you@example.org
    """
    from app.upkeep import doctor as examining
    from app.upkeep.doctor.finding import Case
    from app.upkeep.records import Asked, Given, Unreadable

    if send and not _is_address(send):
        raise click.ClickException(f"--send: {send!r} is no email address")
    try:
        text = records.read_text() if records else ""
    except (OSError, UnicodeDecodeError):
        raise click.ClickException(f"--records: {records} can't be read as text") from None
    try:
        known = Given(text) if records else Asked([nameserver] if nameserver else ())
    except Unreadable as error:
        raise click.ClickException(f"--records: {error}") from None
    except ValueError as error:
        raise click.ClickException(f"--nameserver: {error}") from None
    case = Case(settings(), known, send, wait, lambda line: click.echo(line, err=True))
    grave = sound = 0
    for name, found in examining.examine(case):
        sound += not found
        grave += sum(one.grave for one in found)
        for one in found:
            if as_json:
                click.echo(json.dumps({"check": name, **msgspec.structs.asdict(one)}, ensure_ascii=False))
            else:
                click.echo(f"{MARKS[one.grave]} ({name}): {one.what}\n    {one.why}\n    {one.do}")
    if not as_json:
        click.echo(f"{sound} of {len(examining.CHECKS)} checks found nothing; {grave} things are wrong.")
    sys.exit(1 if grave else 0)


def _is_address(text: str) -> bool:
    from app.people.checks import check_address
    from app.people.errors import Refused

    try:
        check_address(text)
    except Refused:
        return False
    return True
