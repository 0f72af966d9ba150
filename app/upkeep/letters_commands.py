"""The commands for emails that wait or failed, and for addresses that get none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from app.store.session import Store
from app.upkeep.commands import settings, told

Found = TypeVar("Found")
MOST = 500
"""Addresses in a list."""


@contextmanager
def _store() -> Iterator[Store]:
    """The database, with the workers woken at the end. Raises ClickException for what is refused."""
    from app import narrate
    from app.people.errors import Refused
    from app.store.wakeup import WakeUp

    now = settings()
    wake_up = WakeUp(now.broker_url, now.data_dir)
    store = Store(now.database_url, wake_up)
    try:
        with told():
            yield store
    except Refused as error:
        raise click.ClickException(narrate.refusal(None, narrate.FALLBACK, error)) from None
    finally:
        wake_up.settle(3)
        store.engine.dispose()


@click.group()
def letters() -> None:
    """Look after emails: those that wait, those that failed, and addresses that get none.

    What you change stands in the log of your acts: tidepost letters acts

    Example: tidepost letters list --failed
    """


@letters.command("list")
@click.option("--failed", is_flag=True, help="Those that failed, instead of those that wait.")
@click.option("--match", "match_id", type=int, default=None, help="All of one match.")
def listed(*, failed: bool, match_id: int | None) -> None:
    """List emails with where they go, their state, and why.

    Example: tidepost letters list --match 12
    """
    from app.mail.outbound import inspection

    with _store() as store:
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

    with _store() as store:
        for line in _known(lambda: inspection.why(store, letter), letter):
            click.echo(line)


@letters.command()
@click.argument("letter")
def retry(letter: str) -> None:
    """Try an email now that failed, or that waits for its next try.

    Example: tidepost letters retry mzxw6ytboi2dc
    """
    from app.mail.outbound import inspection

    with _store() as store:
        _known(lambda: inspection.retry(store, letter), letter)
    click.echo("It is tried as soon as a worker is free.")


@letters.command()
@click.argument("letter")
def resend(letter: str) -> None:
    """Send an email once more that went out, if what it says is still true.

    Example: tidepost letters resend mzxw6ytboi2dc
    """
    from app.mail.outbound import inspection

    with _store() as store:
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

    with _store() as store:
        _known(lambda: inspection.drop(store, letter, reason), letter)
    click.echo("It won't go out.")


@letters.command()
def suppressed() -> None:
    """List the addresses that get no emails: because emails came back, or because their owner wants none.

    Example: tidepost letters suppressed
    """
    from app.people import suppression

    with _store() as store, store.reading() as connection:
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

    with _store() as store:
        lifted = inspection.lift(store, address)
    if not lifted:
        raise click.ClickException(f"emails to {address} were not stopped")
    click.echo(f"Emails go to {address} again.")


@letters.command()
def acts() -> None:
    """List what you did by command, the latest first.

    Example: tidepost letters acts
    """
    from app.store import audit

    with _store() as store, store.reading() as connection:
        found = audit.latest(connection, MOST)
    for one in found:
        click.echo(f"{one.at:%Y-%m-%d %H:%M}  {one.act}  {one.about}{f'  {one.why}' if one.why else ''}")
    if not found:
        click.echo("Nothing yet.")


def _known(act: Callable[[], Found], letter: str) -> Found:
    """The result of the act. Raises ClickException where there is no such letter, or a worker has it."""
    from app.mail.outbound.inspection import NoSuchLetter

    try:
        return act()
    except NoSuchLetter:
        raise click.ClickException(
            f"there is no email {letter!r} with which this can be done; `tidepost letters list` names them"
        ) from None
