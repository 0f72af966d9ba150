"""The commands that give and take the role of an operator."""

import click

from app.upkeep.commands import working


@click.group()
def operator() -> None:
    """Say which players may use the operator's page, /operator: health, emails, mails, reports, games.

    It opens to them for twelve hours after they signed in by an emailed link, and doesn't exist for others.

    Example: tidepost operator list
    """


@operator.command()
@click.argument("address")
def add(address: str) -> None:
    """Let the player with an ADDRESS use the operator's page. They must have played here before.

    Example: tidepost operator add ada@example.org
    """
    from app.people import operators

    with working() as store:
        done = operators.add(store, address)
    if done is None:
        raise click.ClickException(f"nobody plays by {address}; an address counts once it has joined a game")
    click.echo("They can open /operator, once they have signed in." if done else "They can do so already.")


@operator.command()
@click.argument("address")
def drop(address: str) -> None:
    """Close the operator's page to the player with an ADDRESS.

    Example: tidepost operator drop ada@example.org
    """
    from app.people import operators

    with working() as store:
        done = operators.drop(store, address)
    if not done:
        raise click.ClickException(f"{address} is no operator; `tidepost operator list` names them")
    click.echo("The page is closed to them.")


@operator.command("list")
def listed() -> None:
    """List the players who may use the operator's page.

    Example: tidepost operator list
    """
    from app.people import operators

    with working() as store:
        found = operators.every(store)
    for one in found:
        click.echo(f"#{one.id}  {one.name} <{one.address}>  since {one.since:%Y-%m-%d}")
    if not found:
        click.echo("Nobody.")
