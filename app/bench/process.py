"""Memory, start and idle cost of `tidepost serve` with all its parts (Linux only)."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from app.bench import Figure
from app.bench.server import PATIENCE, free_port

IDLE = 60.0
QUICK_IDLE = 20.0
"""Seconds without a visitor."""
MEMORY_AIM, START_AIM = 250.0, 6.0
_TICKS = os.sysconf("SC_CLK_TCK")


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """One run of each: megabytes (shared pages counted once), seconds of CPU to start, CPU while idle."""
    if not Path("/proc/self/smaps_rollup").exists():
        return
    port, mail_port = free_port(), free_port()
    with tempfile.TemporaryDirectory(prefix="tidepost-bench-") as folder:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TIDEPOST_")}
        command = [
            sys.executable,
            "-m",
            "app.cli",
            "serve",
            "--port",
            str(port),
            "--mail-port",
            str(mail_port),
        ]
        begun = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            env=environment | {"TIDEPOST_DATA_DIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            while "Ctrl-C" not in process.stdout.readline():
                if process.poll() is not None:
                    raise RuntimeError("serve ended")
            yield Figure("serve: until its pages answer", "s", (time.monotonic() - begun,))
            time.sleep(PATIENCE)  # the worker and beat settle
            settled = _cpu(process.pid)
            yield Figure("serve: CPU to start", "s", (settled,), aim=START_AIM, most=True)
            yield Figure("serve: memory", "MB", (_memory(process.pid),), aim=MEMORY_AIM, most=True)
            idle = QUICK_IDLE if quick else IDLE
            time.sleep(idle)
            yield Figure("serve: CPU while idle", "%", (100 * (_cpu(process.pid) - settled) / idle,))
        finally:
            process.terminate()
            process.wait(PATIENCE + PATIENCE)


def _family(pid: int) -> Iterator[int]:
    """A process and all its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from _family(int(child))


def _cpu(pid: int) -> float:
    """Seconds of CPU that the processes have used, with children that ended."""
    return sum(_times(one) for one in _family(pid))


def _times(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / _TICKS


def _memory(pid: int) -> float:
    """Megabytes; a page that several processes share counts in parts for each."""
    kilobytes = 0
    for one in _family(pid):
        rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
        kilobytes += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return kilobytes / 1000
