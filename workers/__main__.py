"""`python -m workers worker|beat …`: Celery's own command line, with the house's application."""

import sys

from app import settings
from workers.app import make

make(settings.read()).start(sys.argv[1:])
