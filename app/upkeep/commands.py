"""The commands for copies of the database, and for moving it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from app import settings as settings_module
from app.options import Place
from app.settings import BadSettings, Settings
from app.store.session import Store


def settings() -> Settings:
    """The settings. Raises ClickException."""
    try:
        return settings_module.read()
    except BadSettings as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def told() -> Iterator[None]:
    """Turn what stops these commands into one line. Raises ClickException."""
    from app.store.migrate import CannotUpgrade
    from app.store.patience import Outgrown, driver_errors
    from app.upkeep.backup import CannotBackUp
    from app.upkeep.copying import Differs
    from app.upkeep.restore import CannotRestore
    from app.upkeep.transfer import CannotTransfer

    try:
        yield
    except (BadSettings, CannotBackUp, CannotRestore, CannotTransfer, CannotUpgrade, Differs) as error:
        raise click.ClickException(f"{error}; nothing was changed") from None
    except OSError as error:
        raise click.ClickException(f"{error}; nothing was changed") from None
    except Outgrown as error:
        raise click.ClickException(f"the database can't be used: {error}; nothing was changed") from None
    except driver_errors() as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())
        raise click.ClickException(f"{said}; nothing was changed") from None


@contextmanager
def working() -> Iterator[Store]:
    """The database, with the workers woken at the end. Raises ClickException for what is refused."""
    from app import narrate
    from app.people.errors import SiteError
    from app.store.wakeup import WakeUp

    now = settings()
    wake_up = WakeUp(now.broker_url, now.data_dir)
    store = Store(now.database_url, wake_up, at_once=True)
    try:
        with told():
            yield store
    except SiteError as error:
        raise click.ClickException(narrate.refusal(None, narrate.FALLBACK, error)) from None
    finally:
        wake_up.settle(3)
        store.engine.dispose()


@click.command()
@click.argument("folder", type=Place(file_okay=False, path_type=Path))
@click.option(
    "--keep",
    default=0,
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="Delete all but the newest N copies in FOLDER.",
)
def backup(folder: Path, keep: int) -> None:
    """Copy the database and the keys into FOLDER, while games go on.

    Each copy is a folder of its own, named by the moment in UTC, and holds the database as one SQLite file
    (from PostgreSQL, too), the keys, and a list of what it holds. Anyone who has it can read every address
    and every hidden fact: it is for your eyes only (mode 0700). Pictures of boards are left out; they are
    made again. Keep copies on another machine.

    Example, once a day: tidepost backup /var/backups/tidepost --keep 14
    """
    from app.upkeep import backup as copies

    with told():
        made = copies.back_up(settings(), folder, keep)
    rows = sum(copies.about(made).rows.values())
    click.echo(f"{made}: {rows} rows and the keys. Keep it where nobody else can read it.")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def restore(folder: Path) -> None:
    """Bring back a copy that `tidepost backup` made; of several in FOLDER the newest.

    It goes into the database of TIDEPOST_DATABASE_URL (SQLite or PostgreSQL), which must be empty, and its
    keys into TIDEPOST_DATA_DIR. All clocks then go on from the moment of the copy: nobody's time has run out.
    Emails that waited in it are sent, even if they were sent after the copy was made.

    Example: TIDEPOST_DATA_DIR=/var/lib/tidepost tidepost restore /var/backups/tidepost
    """
    from app.upkeep import restore as restoring

    environment = os.environ
    data_dir = settings_module.data_dir_of(environment)
    url = environment.get("TIDEPOST_DATABASE_URL", "").strip() or f"sqlite:///{data_dir}/tidepost.db"
    keys = tuple(key.strip() for key in environment.get("TIDEPOST_SECRET_KEYS", "").split(",") if key.strip())
    with told():
        settings_module.check_written("DATABASE_URL", url)
        done = restoring.restore(url, data_dir, keys, folder)
    for name, number in sorted(done.rows.items()):
        click.echo(f"{number:>9} {name}")
    click.echo(f"{done.copy} of {done.about.at:%Y-%m-%d %H:%M} UTC, made for {done.about.url}, is back.")
    if done.keys_missing:
        click.echo(
            f"TIDEPOST_SECRET_KEYS lacks keys of {done.copy}/secret_keys: add them, or links in "
            "earlier emails don't open, and webhooks stay untold."
        )


@click.command()
@click.option("--to", "target", required=True, metavar="URL", help="postgresql://… or sqlite:///…, empty.")
def transfer(target: str) -> None:
    """Move all games to another database, with the emails that are under way.

    Stop all parts first. Every row is counted in both databases. The one in TIDEPOST_DATABASE_URL is left
    as it is, but no part of Tidepost takes it any more: set the new address, and start the parts again.

    Example: tidepost transfer --to postgresql://tidepost:password@127.0.0.1/tidepost
    """
    from app.upkeep import transfer as moving

    now = settings()
    try:
        settings_module.check_written("DATABASE_URL", target)
    except BadSettings as error:
        said = str(error).replace("TIDEPOST_DATABASE_URL", "--to")
        raise click.ClickException(f"{said}; nothing was changed") from None
    with told():
        found = moving.transfer(now.database_url, target)
    for name, number in sorted(found.items()):
        click.echo(f"{number:>9} {name}")
    click.echo(f"{sum(found.values())} rows were moved. Set TIDEPOST_DATABASE_URL to the new address.")
