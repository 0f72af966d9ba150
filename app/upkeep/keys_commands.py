"""The commands for the secret keys, which sign sessions, feeds, links to share and ways off the list."""

import hashlib
import os
import secrets

import click

from app import settings as settings_module
from app.upkeep.commands import settings, told


@click.group()
def keys() -> None:
    """Change the secret keys. The first signs; all are accepted, so that earlier links and sessions go on.

    They sign sessions, feeds, links to share, reply addresses and ways off the list, and seal the addresses
    of webhooks. The links to games in emails need none of them.

    Example: tidepost keys new
    """


@keys.command("list")
def listed() -> None:
    """List the keys by the beginning of their SHA-256, the one that signs first.

    Example: tidepost keys list
    """
    for number, key in enumerate(settings().secret_keys):
        name = hashlib.sha256(key.encode()).hexdigest()[:8]
        click.echo(f"{name}  {'is accepted' if number else 'signs'}")


@keys.command()
def new() -> None:
    """Make a key that signs from the next start on, in the data folder or for TIDEPOST_SECRET_KEYS.

    Restart all parts at once afterwards: what is signed by the new key is refused by those that don't know
    it. An earlier key that was given away is deleted from the same place, and with it all that it signed;
    a minute after the start webhooks no longer need it.

    Example: tidepost keys new
    """
    now = settings()
    if os.environ.get("TIDEPOST_SECRET_KEYS", "").strip():
        click.echo("Put this key and a comma before those in TIDEPOST_SECRET_KEYS, on all machines:")
        click.echo(secrets.token_hex(32))
    else:
        with told():
            settings_module.add_key(now.data_dir)
        click.echo(f"{now.data_dir / 'secret_keys'} has a new key in its first line.")
    click.echo("Then restart all parts.")
