"""For the processes of the chaos: a clock that the test moves, shorter patience with mail, and no pictures.

The moment is the real one plus the seconds in the file that CHAOS_CLOCK names.
"""

import os
from datetime import timedelta
from pathlib import Path

from app import clock
from app.draw import pictures
from app.mail.outbound import wire
from tests.hurried.sitecustomize import DOT

pictures.render = lambda _svg: DOT
wire.CONNECTING, wire.TAKING, wire.WHOLE = 4.0, 8.0, 12.0
_real, _file = clock.now, Path(os.environ["CHAOS_CLOCK"])


def now():
    """The moved moment."""
    return _real() + timedelta(seconds=float(_file.read_text()))


clock.now = now
