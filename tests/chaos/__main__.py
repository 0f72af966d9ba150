"""`python -m tests.chaos`: faults for as long as is asked, then the audit; exit 1 if it finds anything."""

import argparse
import sys
import tempfile
from pathlib import Path

import click

from tests.chaos.run import PAUSES, run


def main() -> int:
    """Run it as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--pairs", type=int, default=3, help="people who play at the same time, in twos")
    parser.add_argument("--game", default="survive")
    parser.add_argument("--alone", action="store_true", help="on SQLite and the folder, without servers")
    parser.add_argument("--folder", type=Path, help="where data and logs stay; else they vanish")
    asked = parser.parse_args()
    faults = round(asked.minutes * 60 / (sum(PAUSES) / 2))
    with tempfile.TemporaryDirectory(prefix="tidepost-chaos-") as made:
        folder = asked.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        report = run(
            folder,
            asked.seed,
            faults,
            servers=not asked.alone,
            pairs=asked.pairs,
            game=asked.game,
            say=click.echo,
        )
    for what, many in {**report.faults, **report.counts}.items():
        click.echo(f"{many:6} {what}")
    for line in report.wrong:
        click.echo(f"WRONG: {line}")
    click.echo(f"{len(report.wrong)} things are wrong")
    return bool(report.wrong)


if __name__ == "__main__":
    sys.exit(main())
