"""For the processes of tests that stand for a newer version: they know the migrations of another folder.

They draw no pictures either, as those of `tests/hurried`.
"""

import os
import runpy
from pathlib import Path

from app.store import migrate, versions

runpy.run_path(str(Path(__file__).parent.parent / "hurried" / "sitecustomize.py"))
versions.MIGRATIONS = migrate.MIGRATIONS = Path(os.environ["MIGRATIONS_OF_TESTS"])
