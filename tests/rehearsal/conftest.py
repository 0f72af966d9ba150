"""The small game with its words and boards."""

from tests.mail.conftest import ferry

__all__ = ["ferry"]
