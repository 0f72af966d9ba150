"""The `tidepost` command. Each command imports what it needs when it runs, so that all start fast."""

import sys
from pathlib import Path

import click
import yaml


@click.group()
def main() -> None:
    """Board games by letter."""


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def scenario(paths: tuple[Path, ...]) -> None:
    """Run scenario files and print what failed, then how many passed and failed."""
    from app import scenarios

    try:
        reports = [scenarios.run(name, document) for name, document in scenarios.documents(paths)]
    except (OSError, yaml.YAMLError) as error:
        raise click.ClickException(f"cannot be read: {error}") from None
    failed = [report for report in reports if report.difference]
    for report in failed:
        click.echo(f"{report.name}\n    {report.difference}")
    click.echo(f"{len(reports) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("slug")
@click.option("--games", default=100, show_default=True, help="How many for each number of seats.")
def simulate(slug: str, games: int) -> None:
    """Let simple players play a game among themselves, and print how long it takes."""
    from app import games as house
    from app import simulate as simulation

    if slug not in house.shelf():
        raise click.ClickException(f"no game {slug!r}; there are {', '.join(house.shelf())}")
    for line in simulation.report(house.shelf()[slug], games, {}):
        click.echo(line)


if __name__ == "__main__":
    main()
