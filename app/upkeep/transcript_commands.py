"""The commands for matches as text files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from app import data_folder
from app.options import NUMBER, Place
from app.upkeep.commands import settings, told

if TYPE_CHECKING:
    from app.store.session import Store
    from app.transcripts.reading import Read

LONGEST_ADDRESS = 200
_CLOSED = {
    "no_rules": "the rules of match {} are not here",
    "over": "match {} is over: there is nothing to move; export it without --move",
    "moved": "match {0} goes on elsewhere; to have it here again: tidepost matches bring-back {0}",
}
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
    store = Store(now.database_url, wake_up, at_once=True)
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
@click.argument("match", type=NUMBER)
@click.argument("file", required=False, type=Place(dir_okay=False, path_type=Path))
@click.option("--move", is_flag=True, help="Close the game here: it goes on where the file is imported.")
@click.option("--to", "where", default="", metavar="URL", help="With --move: the address of that server.")
def export(match: int, file: Path | None, where: str, *, move: bool) -> None:
    """Write a match that has begun into a text file, by default tidepost-MATCH.match.

    It holds the players' addresses and private notes and, if the match goes on, everything that is hidden in
    it: it is for your eyes only (mode 0600). Finished games can be downloaded by anybody who sees their page,
    without all that.

    A match that goes on takes along its clocks with the time that is left and what is in the bank, its
    questions, conditional moves, pauses, absences, messages and notes. Links, sessions, email settings,
    offers of open seats and the accounts of former players stay behind.

    To let a match go on elsewhere, use --move: from then on nobody can move here, its log says so, and its
    players are told by email, also where it goes if you name that with --to. Then import the file there. If
    that comes to nothing, `tidepost matches bring-back` lets it go on here as it was.

    Example: tidepost export 17 --move --to https://games.example.org
    """
    from app.play.match.records import Closed, NotFound
    from app.transcripts import moving, writing
    from app.transcripts.form import MatchFile

    target = file or Path(f"tidepost-{match}.match")
    if where and not move:
        raise click.UsageError("--to goes with --move")
    if where and (not urlsplit(where).netloc or len(where) > LONGEST_ADDRESS or not where.isprintable()):
        raise click.BadParameter("that is no address of a server, such as https://games.example.org")

    def write(found: MatchFile) -> None:
        data_folder.write_private(target, writing.text_of(found).encode())

    with _store() as store:
        try:
            if move:
                found = moving.move(store, match, where, write)
            else:
                write(found := moving.for_operator(store, match))
        except NotFound:
            raise click.ClickException(f"there is no match {match}, or it has not begun") from None
        except Closed as error:
            raise click.ClickException(_CLOSED[error.reason].format(match)) from None
    kept = "the players' addresses and notes"
    if found.ending is None:
        kept += ", and everything that is hidden in the game"
    click.echo(f"{target} holds {kept}. Keep it where nobody else can read it.")
    if move:
        click.echo(
            f"Match {match} is closed here, and its players are told. Import the file where it goes on, or "
            f"undo this: tidepost matches bring-back {match}"
        )
    elif found.ending is None:
        click.echo(
            f"Match {match} goes on here as before. If the file is imported elsewhere, the game is there "
            "twice: to move it, use --move."
        )


@click.command("import")
@FILE
def import_match(file: Path) -> None:
    """Set up a match from a text file: one that is over, or one that goes on, from the export of its server.

    The file is verified first, and taken whole or not at all. Players are known by their addresses, if the
    file has them; players of a finished match without addresses are shown by name. In a match that goes on,
    each clock stands still, with the time that was left, until a player ends the pause, and everybody gets an
    email with new links. Close it on its old server first: tidepost export 17 --move

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
