"""The commands for emails that wait or failed, and for addresses that get none."""

from collections.abc import Callable
from typing import TypeVar

import click

from app.options import NUMBER
from app.upkeep.commands import working

Found = TypeVar("Found")
MOST = 500
"""Addresses in a list."""


@click.group()
def letters() -> None:
    """Look after emails: those that wait, those that failed, and addresses that get none.

    What you change stands in the log of your acts: tidepost letters acts

    Example: tidepost letters list --failed
    """


@letters.command("list")
@click.option("--failed", is_flag=True, help="Those that failed, instead of those that wait.")
@click.option("--match", "match_id", type=NUMBER, default=None, help="All of one match.")
def listed(*, failed: bool, match_id: int | None) -> None:
    """List emails with where they go, their state, and why.

    Example: tidepost letters list --match 12
    """
    from app.mail.outbound import inspection

    with working() as store:
        found = inspection.listed(store, "failed" if failed else "waiting", match_id)
    for one in found:
        row = one.letter
        reason = f" ({row.reason})" if row.reason else ""
        about = f"  match #{row.match_id}" if row.match_id is not None else ""
        at = f"{row.due_at:%Y-%m-%d %H:%M}"
        click.echo(f"{row.id}  {at}  {row.status}{reason}  {row.kind}{about}  {one.address}")
    if not found:
        click.echo("There are none.")


@letters.command()
@click.argument("letter")
def why(letter: str) -> None:
    """Say all that bears on an email's fate.

    Example: tidepost letters why mzxw6ytboi2dc
    """
    from app.mail.outbound import inspection

    with working() as store:
        for line in _known(lambda: inspection.why(store, letter), letter):
            click.echo(line)


@letters.command()
@click.argument("letter")
def retry(letter: str) -> None:
    """Try an email now that failed, or that waits for its next try.

    Example: tidepost letters retry mzxw6ytboi2dc
    """
    from app.mail.outbound import inspection

    with working() as store:
        _known(lambda: inspection.retry(store, letter), letter)
    click.echo("It is tried as soon as a worker is free.")


@letters.command()
@click.argument("letter")
def resend(letter: str) -> None:
    """Send an email once more that went out, if what it says is still true.

    Example: tidepost letters resend mzxw6ytboi2dc
    """
    from app.mail.outbound import inspection

    with working() as store:
        _known(lambda: inspection.resend(store, letter), letter)
    click.echo("It goes out as soon as a worker is free.")


@letters.command()
@click.argument("letter")
@click.option("--why", "reason", default="", help="For the log of your acts.")
def drop(letter: str, reason: str) -> None:
    """Let a waiting email never go out. Its player sees that in their list of emails.

    Example: tidepost letters drop mzxw6ytboi2dc --why "the game was a test"
    """
    from app.mail.outbound import inspection

    with working() as store:
        _known(lambda: inspection.drop(store, letter, reason), letter)
    click.echo("It won't go out.")


@letters.command()
def suppressed() -> None:
    """List the addresses that get no emails: because emails came back, or because their owner wants none.

    Example: tidepost letters suppressed
    """
    from app.people import suppression

    with working() as store, store.reading() as connection:
        found = suppression.every(connection, MOST)
    for one in found:
        address, _, match_id = one.address_key.partition(" ")
        only = f"  only of match #{match_id}" if match_id else ""
        click.echo(f"{one.at:%Y-%m-%d %H:%M}  {one.reason}  {address}{only}")
    if not found:
        click.echo("There are none.")


@letters.command()
@click.argument("address")
def lift(address: str) -> None:
    """Let emails go to an address again. Do it only if its owner asked you to.

    Example: tidepost letters lift ada@example.org
    """
    from app.mail.outbound import inspection

    with working() as store:
        lifted = inspection.lift(store, address)
    if not lifted:
        raise click.ClickException(f"emails to {address} were not stopped")
    click.echo(f"Emails go to {address} again.")


@letters.command()
def acts() -> None:
    """List what was done by command and on the operator's page, the latest first.

    Example: tidepost letters acts
    """
    from app.store import audit

    with working() as store, store.reading() as connection:
        found = audit.latest(connection, MOST)
    for one in found:
        who = f"  by player {one.by_id}" if one.by_id is not None else ""
        click.echo(f"{one.at:%Y-%m-%d %H:%M}  {one.act}  {one.about}{who}{f'  {one.why}' if one.why else ''}")
    if not found:
        click.echo("Nothing yet.")


def _known(act: Callable[[], Found], letter: str) -> Found:
    """The result of the act. Raises ClickException where it can't be done: why, and what to type."""
    from app.mail.outbound.inspection import AddressStopped, NoSuchLetter

    try:
        return act()
    except NoSuchLetter:
        raise click.ClickException(
            f"there is no email {letter!r} with which this can be done; `tidepost letters list` names them"
        ) from None
    except AddressStopped as error:
        raise click.ClickException(
            f"emails to {error} are stopped, and this one would be dropped; if its owner asks for emails, "
            f"type `tidepost letters lift {error}` first"
        ) from None
