"""`python -m workers worker|beat …`: Celery's own command line, with the application of this server."""

import sys

from app import settings
from workers.app import make

make(settings.read()).start(sys.argv[1:])
