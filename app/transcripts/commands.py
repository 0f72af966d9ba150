"""The commands for matches as text files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from app.transcripts.reading import Read

FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


def _read(file: Path) -> "Read":
    """The match of a file. Raises ClickException, BadFile."""
    from app.transcripts.form import LARGEST
    from app.transcripts.reading import read

    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise click.ClickException(str(error)) from None
    return read(data)


@click.command()
@FILE
def verify(file: Path) -> None:
    """Check a match's text file: the fingerprint, the seats, every draw, every move and the result.

    Says yes, or the first line that is not true. It needs no server and no database.

    Example: tidepost verify tidepost-17.match
    """
    from app import narrate
    from app.transcripts import verifying
    from app.transcripts.form import BadFile

    try:
        found = verifying.verify(_read(file))
    except BadFile as error:
        raise click.ClickException(f"{file.name}: no: {error}") from None
    match = found.match
    ending = "it goes on" if match.ending is None else f"it ended: {match.ending.reason}"
    promised = f"fingerprint {match.commitment}" if match.commitment else "made up, nothing was promised"
    click.echo(
        f"{file.name}: yes: {narrate.title(found.replay.game, narrate.FALLBACK)}, edition {match.edition}, "
        f"{len(match.players)} seats, {len(found.made) - 1} moves, {found.draws} draws; {ending}; {promised}"
    )
