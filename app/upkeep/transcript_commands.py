"""The commands for matches as text files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app import clock, data_folder
from app.upkeep.commands import settings, told

if TYPE_CHECKING:
    from app.store.session import Store
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


@contextmanager
def _store() -> Iterator["Store"]:
    """The database, with the workers woken at the end. Raises ClickException for what is refused."""
    from app.store.session import Store
    from app.store.wakeup import WakeUp

    now = settings()
    wake_up = WakeUp(now.broker_url, now.data_dir)
    store = Store(now.database_url, wake_up)
    try:
        with told():
            yield store
    finally:
        wake_up.settle(3)
        store.engine.dispose()


@click.command()
@FILE
def verify(file: Path) -> None:
    """Check a match's text file: the fingerprint, the seats, every draw, every move and the result.

    Says yes, or the first line that is not true. It needs no server and no database. The fingerprint binds
    the dice, not the players: another legal move in place of one is found only where a later line no longer
    fits it.

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


@click.command()
@click.argument("match", type=int)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def export(match: int, file: Path | None) -> None:
    """Write a match that has begun into a text file, by default tidepost-MATCH.match.

    It holds the players' addresses and, if the match goes on, everything that is hidden: it is for your eyes
    only (mode 0600). Notes and conditional moves are left out. Finished games can be downloaded by
    anybody who sees their page, without addresses.

    Example: tidepost export 17
    """
    from app.play.match.records import Closed, NotFound
    from app.store import audit
    from app.transcripts import writing
    from app.transcripts.export import for_operator

    target = file or Path(f"tidepost-{match}.match")
    with _store() as store:
        try:
            found = for_operator(store, match)
        except NotFound:
            raise click.ClickException(f"there is no match {match}, or it has not begun") from None
        except Closed:
            raise click.ClickException(f"the rules of match {match} are not here") from None
        data_folder.write_private(target, writing.text_of(found).encode())
        with store.transaction() as connection:
            audit.keep(connection, clock.now(), "export", f"match {match}")
    held = "the players' addresses" + ("" if found.ending else " and everything that is hidden in it")
    click.echo(f"{target} holds {held}. Keep it where nobody else can read it.")


@click.command("import")
@FILE
def import_match(file: Path) -> None:
    """Set up a match from a text file: one that is over, or one that goes on, from the export of its server.

    The file is verified first, and taken whole or not at all. Players are known by their addresses, if the
    file has them; players of a finished match without addresses are shown by name. Of a match that goes on,
    the clocks stand still until a player ends the pause, and everybody gets an email with new links: end it
    on its old server first.

    Example: tidepost import tidepost-17.match
    """
    from app.transcripts.bringing import bring
    from app.transcripts.form import BadFile

    with _store() as store:
        try:
            done = bring(store, _read(file))
        except BadFile as error:
            raise click.ClickException(f"{file.name}: {error}; nothing was changed") from None
    state = f"it goes on after {done.ply} moves" if done.running else f"it is over, {done.ply} moves"
    new = f"; new players: {', '.join(done.new)}" if done.new else ""
    click.echo(f"{file.name} is match {done.match_id}: {state}{new}")
