"""Child processes that are copies of this one: they share its memory, and need not read the program again."""

import contextlib
import ctypes
import gc
import importlib
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NoReturn

Command = Callable[[list[str]], object]
"""Runs a command with its arguments; its status is that of the SystemExit that it raises, or 0."""
POLL = 0.05
"""Seconds between two looks at a child that is waited for."""
ARENAS = 2
_M_ARENA_MAX, _PR_SET_PDEATHSIG, _PR_SET_NAME = -8, 1, 15
"""Numbers of glibc and Linux."""

here = False
"""This process is such a copy: what it becomes, it becomes in place."""


def read(modules: Iterable[str], *more: Callable[[], None]) -> None:
    """Read modules, and do more, for all children to come.

    Their garbage collectors keep away from it, so that its pages stay shared.
    """
    for one in modules:
        importlib.import_module(one)
    for act in more:
        act()
    gc.collect()
    gc.freeze()
    _trim()


class Child:
    """A forked process that runs a command."""

    def __init__(
        self,
        command: Command,
        name: str,
        arguments: list[str],
        environment: Mapping[str, str],
        log: Path,
    ) -> None:
        """Start it in its own session, with its output in the log. It ends with its parent (Linux)."""
        self.returncode: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            _run(command, name, arguments, environment, log, parent)

    def poll(self) -> int | None:
        """Its status, or None while it runs."""
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it
                self.returncode = 0
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, seconds: float) -> bool:
        """Wait for its end. False: it did not end in so many seconds."""
        until = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() >= until:
                return False
            time.sleep(POLL)
        return True

    def terminate(self) -> None:
        """Ask it to finish."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)


def done_by_a_child(act: Callable[[], None]) -> None:
    """Have a child do it, and wait for that. Whether it could is for the caller to see."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if not pid:
        with contextlib.suppress(Exception):
            act()
        os._exit(0)
    os.waitpid(pid, 0)


def become(module: str, *arguments: str) -> NoReturn:
    """Go on as another program, in place: what is read stays read."""
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    sys.exit(0)


def _run(
    command: Command,
    name: str,
    arguments: list[str],
    environment: Mapping[str, str],
    log: Path,
    parent: int,
) -> NoReturn:
    """The life of a child."""
    global here  # noqa: PLW0603 - a fact about the process
    status = 1
    try:
        here = True
        os.setsid()
        _as_a_child(name, parent)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.default_int_handler)
        _redirect(log)
        os.environ.clear()
        os.environ.update(environment)
        status = _command(command, arguments)
    except BaseException:  # noqa: BLE001 - the last one to hear of it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _command(command: Command, arguments: list[str]) -> int:
    try:
        command(arguments)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)  # noqa: T201 - as the interpreter does
            return 1
        return end.code or 0
    return 0


def _trim() -> None:
    """Give free memory back, which children would share in vain."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)


def _as_a_child(name: str, parent: int) -> None:
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it has died meanwhile
        os._exit(1)
    libc.prctl(_PR_SET_NAME, f"tidepost {name}".encode()[:15])
    if hasattr(libc, "mallopt"):
        libc.mallopt(_M_ARENA_MAX, ARENAS)


def _redirect(log: Path) -> None:
    """Read from nowhere, and write to the log."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for handle, target in ((nowhere, 0), (out, 1), (out, 2)):
        os.dup2(handle, target)
    os.close(nowhere)
    os.close(out)
