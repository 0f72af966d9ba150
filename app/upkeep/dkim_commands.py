"""The commands for the keys that sign emails."""

import click

from app.upkeep.commands import settings, told


@click.group()
def dkim() -> None:
    """Sign emails (DKIM), where no mail server of yours does it.

    Make a key, publish its record in DNS, take the key into use. To change keys do the same again, and drop
    the old key and its record a week later, when no email signed by it is under way.

    Example: tidepost dkim new
    """


@dkim.command("list")
def listed() -> None:
    """List the keys, and which one signs.

    Example: tidepost dkim list
    """
    from app.mail.core import dkim_keys

    with told():
        found = dkim_keys.keys(settings())
    for key in found:
        click.echo(f"{key.selector}{'  signs' if key.in_use else ''}")
    if not any(key.in_use for key in found):
        click.echo("No key signs emails.")


@dkim.command()
def new() -> None:
    """Make a key and print the record that publishes it.

    Example: tidepost dkim new
    """
    from app.mail.core import dkim_keys

    now = settings()
    with told():
        key = dkim_keys.make(now)
    click.echo("Publish this record in the zone of your mail domain:\n")
    parts = " ".join(f'"{one}"' for one in dkim_keys.strings(dkim_keys.record(key)))
    click.echo(f"{dkim_keys.record_name(key.selector, now.mail_domain)}. IN TXT ( {parts} )\n")
    click.echo(f"When it can be seen, sign with the key: tidepost dkim use {key.selector}")


@dkim.command()
@click.argument("selector", default="")
@click.option("--unseen", is_flag=True, help="Don't ask DNS whether the key's record is there.")
@click.option("--none", "stop", is_flag=True, help="Sign no more.")
@click.option("--nameserver", default="", metavar="ADDRESS[:PORT]", help="The name server to ask.")
def use(selector: str, nameserver: str, *, unseen: bool, stop: bool) -> None:
    """Sign all emails with this key from now on, if its record can be seen in DNS.

    Example: tidepost dkim use tidepost2026112848c1
    """
    from app.mail.core import dkim_keys
    from app.upkeep.records import Asked, NoAnswer, texts

    now = settings()
    if stop == bool(selector):
        raise click.UsageError("name a SELECTOR, or --none")
    try:
        with told():
            key = next((one for one in dkim_keys.keys(now) if one.selector == selector), None)
            if not stop and key is None:
                raise click.ClickException(f"there is no key {selector!r}; `tidepost dkim list` names them")
            if key is not None and not unseen:
                name = dkim_keys.record_name(selector, now.mail_domain)
                found = texts(Asked([nameserver] if nameserver else ()), name, "v=DKIM1")
                if dkim_keys.record(key) not in [" ".join(one.split()) for one in found]:
                    seen = "another record" if found else "no record"
                    raise click.ClickException(
                        f"DNS has {seen} at {name}: nothing was changed; publish what `dkim new` printed"
                    )
            dkim_keys.use(now, selector)
    except NoAnswer as error:
        raise click.ClickException(f"{error}; nothing was changed (--unseen doesn't ask)") from None
    except ValueError as error:
        raise click.ClickException(f"--nameserver: {error}") from None
    click.echo("No key signs emails." if stop else f"{selector} signs every email from now on.")


@dkim.command()
@click.argument("selector")
def drop(selector: str) -> None:
    """Delete a key that signs no more. Remove its record from DNS, too.

    Example: tidepost dkim drop tidepost2025010148c1
    """
    from app.mail.core import dkim_keys

    try:
        with told():
            dkim_keys.drop(settings(), selector)
    except dkim_keys.NoSuchKey:
        raise click.ClickException(f"there is no key {selector!r}; `tidepost dkim list` names them") from None
    except ValueError:
        raise click.ClickException(f"{selector} signs emails: take another key into use first") from None
    click.echo(f"{selector} is deleted.")
