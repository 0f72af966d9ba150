"""The data folder: for its owner's eyes, served by one, with logs that don't grow for ever."""

import contextlib
import fcntl
import os
import shutil
import stat
from pathlib import Path
from typing import BinaryIO

LARGEST_LOG = 2_000_000
"""Bytes, after which a log is put aside."""
KEPT_LOGS = 3
"""Logs put aside, of each part."""
PRIVATE = 0o700
SECRETS = ("secret_keys", "push_key", "dkim/*.pem", "*.db")
"""Patterns of the files that nobody else may read."""


class Taken(Exception):  # noqa: N818 - told to who typed the command
    """Another process serves from this folder."""


def private(folder: Path) -> Path:
    """The folder, made with its parents, and closed to other users if it is ours. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=PRIVATE, exist_ok=True)
    with contextlib.suppress(PermissionError):  # somebody else's, who knows why
        if stat.S_IMODE(folder.stat().st_mode) & 0o077:
            folder.chmod(PRIVATE)
    return folder


def write_private(file: Path, contents: bytes) -> None:
    """Write a new file for its owner's eyes, and have it on the disk. Raises FileExistsError, OSError."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(contents)
        out.flush()
        os.fsync(out.fileno())


def others_may_read(folder: Path) -> bool:
    """Whether other users of this machine can look into the folder."""
    return bool(stat.S_IMODE(folder.stat().st_mode) & 0o077)


def take(folder: Path) -> BinaryIO:
    """Take the folder for this process: the open file is the lock, and ends with the process.

    Raises Taken with the number of the process that has it, OSError.
    """
    handle = os.open(folder / "serve.lock", os.O_RDWR | os.O_CREAT, 0o600)
    file = os.fdopen(handle, "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = file.read(20).decode(errors="replace").strip() or "another process"
        file.close()
        raise Taken(f"{folder} is already served by pid {owner}") from None
    file.truncate()
    file.write(f"{os.getpid()}\n".encode())
    file.flush()
    return file


def put_aside(log: Path) -> None:
    """Put a log aside once it is large, and begin it anew, though its writer keeps it open.

    The writer must append. What it writes in the moment of the change may be lost.
    """
    if not log.exists() or log.stat().st_size <= LARGEST_LOG:
        return
    for number in range(KEPT_LOGS - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
    shutil.copyfile(log, log.with_name(f"{log.name}.1"))
    log.with_name(f"{log.name}.1").chmod(0o600)
    os.truncate(log, 0)
