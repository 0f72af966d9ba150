"""A copy of everything that can't be made again: the database and the keys, in a folder of its own."""

import hashlib
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from app import clock, data_folder
from app.mail.core import dkim_keys, push_key
from app.settings import Settings
from app.store import migrate, versions
from app.upkeep import copying

DATABASE = "tidepost.db"
SECRET_KEYS = "secret_keys"  # noqa: S105 - the name of a file
ABOUT = "about.json"
BEGINNING = "tidepost-"
"""Of the name of each copy's folder; the moment in UTC follows."""


class CannotBackUp(Exception):  # noqa: N818 - told to who typed the command
    """Nothing was copied; the text says why."""


class About(msgspec.Struct, frozen=True):
    """The contents of a copy, as told in its folder."""

    at: datetime
    url: str
    """Of the site."""
    tables: str
    """The revision of the tables."""
    sha256: str
    """Of the database's file."""
    rows: dict[str, int]
    """By table."""


def back_up(settings: Settings, folder: Path, keep: int = 0) -> Path:
    """Copy database and keys into a new folder within `folder`, and return it; games go on meanwhile.

    The copy shows one moment. It is an SQLite file whichever database it comes from. It appears under its
    name when it is whole and on the disk. `keep`: how many such copies are kept, the oldest go; 0 keeps all.
    Raises CannotBackUp, OSError.
    """
    now = clock.now().astimezone(UTC)
    whole = folder / f"{BEGINNING}{now:%Y%m%d-%H%M%S}"
    if whole.exists():
        raise CannotBackUp(f"{whole} is there already; try again in a second")
    if not folder.exists():
        data_folder.private(folder)
    part = folder / f".{whole.name}.part"
    part.mkdir(mode=data_folder.PRIVATE)
    try:
        rows = _copy_database(settings.database_url, part / DATABASE)
        keys = "".join(f"{key}\n" for key in settings.secret_keys)
        data_folder.write_private(part / SECRET_KEYS, keys.encode())
        if kept := settings.push_key or _kept(settings.data_dir / push_key.NAME):
            data_folder.write_private(part / push_key.NAME, f"{kept}\n".encode())
        if (folder_of_dkim := dkim_keys.folder_of(settings)).is_dir():
            _copy_folder(folder_of_dkim, part / dkim_keys.FOLDER)
        about = About(now, settings.url, versions.newest(), _sha256(part / DATABASE), rows)
        told = msgspec.json.format(msgspec.json.encode(about)) + b"\n"
        data_folder.write_private(part / ABOUT, told)
        for file in (*part.rglob("*"), part):
            _to_disk(file)
        part.rename(whole)
        _to_disk(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    _let_go(folder, keep)
    return whole


def copies(folder: Path) -> list[Path]:
    """The whole copies in a folder, the oldest first."""
    return sorted(one.parent for one in folder.glob(f"{BEGINNING}*/{ABOUT}"))


def about(copy: Path) -> About:
    """The contents of a copy, as it tells them. Raises OSError, msgspec.MsgspecError."""
    return msgspec.json.decode((copy / ABOUT).read_bytes(), type=About)


def is_sound(copy: Path, told: About) -> bool:
    """Whether the file of the copy's database is as it was written. Raises OSError."""
    return _sha256(copy / DATABASE) == told.sha256


def _let_go(folder: Path, keep: int) -> None:
    for one in copies(folder)[:-keep] if keep else ():
        shutil.rmtree(one)


def _copy_database(url: str, file: Path) -> dict[str, int]:
    """Write the database into a new SQLite file and count its rows. Raises CannotBackUp."""
    source = copying.connect(url)
    try:
        _check(source)
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if source.dialect.name == "sqlite":
            return _copy_sqlite(source, file)
        return _copy_postgresql(source, file)
    finally:
        source.dispose()


def _check(source: Engine) -> None:
    found = migrate.revision(source)
    if found != versions.newest():
        raise CannotBackUp(
            f"the tables of the database are of version {found or 'none'}, and this program is for "
            f"{versions.newest()}: back up with the program that runs there, or start this one first"
        )


def _copy_sqlite(source: Engine, file: Path) -> dict[str, int]:
    lent = source.raw_connection()
    try:
        lent.cursor().execute("VACUUM INTO ?", (str(file),))
    finally:
        lent.close()
    copied = copying.connect(f"sqlite:///{file}")
    with copied.begin() as connection:
        copying.leave_out(connection)
        found = copying.counts(connection)
    copied.dispose()
    _one_file(file)
    return found


def _copy_postgresql(source: Engine, file: Path) -> dict[str, int]:
    migrate.upgrade(f"sqlite:///{file}")
    target = copying.connect(f"sqlite:///{file}")
    snapshot = source.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with snapshot.begin() as reading, target.begin() as writing:
        found = copying.copy(reading, writing)
    target.dispose()
    _one_file(file)
    return found


def _one_file(file: Path) -> None:
    """Put what SQLite keeps beside the file into it."""
    copied = sqlite3.connect(file, isolation_level=None)
    copied.execute("PRAGMA journal_mode=DELETE")
    copied.close()


def _kept(file: Path) -> str:
    return file.read_text().strip() if file.exists() else ""


def _copy_folder(source: Path, target: Path) -> None:
    target.mkdir(mode=data_folder.PRIVATE)
    for file in source.iterdir():
        data_folder.write_private(target / file.name, file.read_bytes())


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def _sha256(file: Path) -> str:
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
