"""Children that are copies of their parent: their output, their status, their end."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

PARENT = """
import os, signal, sys
from pathlib import Path
from app import forked

def child(act):
    return forked.Child(lambda _arguments: act(), "a part", [], {{"KEY": "value"}}, Path("log"))

{script}
"""


@pytest.fixture
def parent(tmp_path: Path):
    """A function that runs a script in a process without threads; returns what it printed, and the log."""

    def run(script: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-c", PARENT.format(script=script)],
            cwd=tmp_path,
            env={"PYTHONPATH": f"{Path(__file__).parent.parent}:{tmp_path}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        log = tmp_path / "log"
        return done.stdout, log.read_text() if log.exists() else ""

    return run


def test_what_a_child_says_stands_in_its_log_and_its_settings_are_its_own(parent):
    told, log = parent(
        """
one = child(lambda: print(dict(os.environ), os.getsid(0) == os.getpid(), repr(sys.stdin.read())))
print("before")
assert one.wait(60)
print(one.returncode, "KEY" in os.environ)
"""
    )
    assert (told, log) == ("before\n0 False\n", "{'KEY': 'value'} True ''\n")


@pytest.mark.parametrize(
    ("act", "status", "words"),
    [("sys.exit(3)", 3, ""), ("sys.exit('no way')", 1, "no way"), ("1 / 0", 1, "ZeroDivisionError")],
)
def test_a_child_that_fails_says_why_and_leaves_its_status(parent, act, status, words):
    told, log = parent(f"one = child(lambda: {act})\nassert one.wait(60)\nprint(one.poll(), one.poll())")
    assert told == f"{status} {status}\n"
    assert words in log
    assert bool(words) == bool(log)


def test_a_child_that_is_asked_to_finish_ends_and_bears_its_name_until_then(parent):
    told, _ = parent(
        """
reading, writing = os.pipe()
one = child(lambda: (os.write(writing, b"x"), signal.pause()))
os.read(reading, 1)
print(one.poll(), one.wait(0), Path(f"/proc/{one.pid}/comm").read_text().strip())
one.terminate()
assert one.wait(60)
one.terminate()
print(one.returncode)
"""
    )
    assert told == f"None False tidepost a part\n{-signal.SIGTERM}\n"


def test_what_a_child_does_for_its_parent_stays_with_it(parent):
    told, _ = parent(
        """
def act():
    sys.modules["large"] = Path("done").write_text("done")
    raise RuntimeError("which the parent sees by what is not done")

forked.done_by_a_child(act)
print(Path("done").read_text(), "large" in sys.modules)
"""
    )
    assert told == "done False\n"


def test_a_child_becomes_another_program_in_place(parent, tmp_path):
    program = "import sys\nprint(__name__, sys.argv[1:], 'app.forked' in sys.modules)\nsys.exit(4)\n"
    (tmp_path / "another_program.py").write_text(program)
    told, log = parent(
        """
one = child(lambda: forked.become("another_program", "--loud"))
assert one.wait(60)
print(one.returncode)
"""
    )
    assert (told, log) == ("4\n", "__main__ ['--loud'] True\n")


def test_a_child_ends_with_its_parent(parent):
    """The kernel tells it, however the parent ends."""
    told, _ = parent(
        """
reading, writing = os.pipe()
pid = os.fork()
if not pid:
    one = child(lambda: (os.write(writing, str(os.getpid()).encode()), signal.pause()))
    signal.pause()
found = int(os.read(reading, 20))
os.close(writing)
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
print(os.read(reading, 1))  # the end of the pipe: nobody holds it any more
"""
    )
    assert told == "b''\n"
