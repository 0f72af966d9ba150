"""A copy brought back: into an empty database of either kind, and a data folder without other keys."""

import shutil
import tempfile
from pathlib import Path

import msgspec

from app import data_folder
from app.mail.core import dkim_keys, push_key
from app.settings import kept_keys
from app.store import migrate
from app.upkeep import backup, copying


class CannotRestore(Exception):  # noqa: N818 - told to who typed the command
    """Nothing was changed; the text says why."""


class Restored(msgspec.Struct, frozen=True):
    """A copy that was brought back."""

    copy: Path
    about: backup.About
    rows: dict[str, int]
    keys_missing: bool
    """Whether TIDEPOST_SECRET_KEYS is set and lacks a key of the copy, which earlier links need."""


def restore(database_url: str, data_dir: Path, keys: tuple[str, ...], folder: Path) -> Restored:
    """Bring a copy back; of a folder of copies the newest.

    `keys`: those of TIDEPOST_SECRET_KEYS; without any the copy's are put into the data folder. A copy of
    older tables is brought to the newest form. The database gets all rows at once or none. Raises
    CannotRestore, migrate.CannotUpgrade, OSError.
    """
    copy = _found(folder)
    try:
        about = backup.about(copy)
        sound = backup.is_sound(copy, about)
    except (OSError, msgspec.MsgspecError) as error:
        raise CannotRestore(f"{copy} can't be read: {error}") from None
    if not sound:
        raise CannotRestore(f"{copy / backup.DATABASE} is not as it was written (its SHA-256 differs)")
    kept = tuple((copy / backup.SECRET_KEYS).read_text().split())
    there = kept_keys(data_dir)
    if not keys and there and there != kept:
        raise CannotRestore(
            f"{data_dir / backup.SECRET_KEYS} holds other keys than the copy; move it away first"
        )
    rows = _fill(database_url, copy)
    data_folder.private(data_dir)
    if not keys and not there:
        _place(copy / backup.SECRET_KEYS, data_dir)
    if (copy / push_key.NAME).exists() and not (data_dir / push_key.NAME).exists():
        _place(copy / push_key.NAME, data_dir)
    dkim = data_dir / dkim_keys.FOLDER
    if (copy / dkim_keys.FOLDER).is_dir() and not dkim.exists():
        dkim.mkdir(mode=data_folder.PRIVATE)
        for file in (copy / dkim_keys.FOLDER).iterdir():
            _place(file, dkim)
    return Restored(copy, about, rows, keys_missing=bool(keys) and not set(kept) <= set(keys))


def _found(folder: Path) -> Path:
    if (folder / backup.ABOUT).exists():
        return folder
    found = backup.copies(folder)
    if not found:
        raise CannotRestore(f"{folder} is no copy made by `tidepost backup`, and has none in it")
    return found[-1]


def _fill(url: str, copy: Path) -> dict[str, int]:
    with tempfile.TemporaryDirectory(prefix="tidepost-restore-") as scratch:
        file = Path(scratch) / backup.DATABASE
        shutil.copyfile(copy / backup.DATABASE, file)
        migrate.upgrade(f"sqlite:///{file}", exactly=True)
        migrate.upgrade(url, exactly=True)
        source, target = copying.connect(f"sqlite:///{file}"), copying.connect(url)
        try:
            with source.begin() as reading, target.begin() as writing:
                if not copying.is_unused(writing):
                    raise CannotRestore(
                        "the database of TIDEPOST_DATABASE_URL has games or players in it; "
                        "a copy goes into an empty one only"
                    )
                return copying.copy(reading, writing)
        finally:
            source.dispose()
            target.dispose()


def _place(file: Path, folder: Path) -> None:
    data_folder.write_private(folder / file.name, file.read_bytes())
