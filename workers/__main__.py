"""`python -m workers worker|beat …`: the application of this server, without Celery's command line.

That one brings shells and colours with it, twelve megabytes of them.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from celery.beat import EmbeddedService

from app import logs, settings
from workers.app import make


def main(arguments: Sequence[str]) -> int:
    """Run a worker or beat until it is asked to end; returns the exit status."""
    parser = argparse.ArgumentParser(prog="workers")
    parser.add_argument("part", choices=["worker", "beat"])
    parser.add_argument("--pool", default="threads")
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--beat", action="store_true")
    given = parser.parse_args(arguments)
    if os.environ.get(logs.AS_JSON):
        _only_lines()
    app = make(settings.read())
    if given.part == "beat":
        app.Beat(loglevel="WARNING", pidfile=None).run()
        return 0
    if given.beat:
        EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler).start()
    worker = app.Worker(
        pool_cls=given.pool,
        concurrency=given.concurrency,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        loglevel="WARNING",
    )
    worker.start()
    return worker.exitcode or 0


def _only_lines() -> None:
    """Leave nothing but lines of the log: Celery prints its banner and its farewell on stdout."""
    logs.install()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
