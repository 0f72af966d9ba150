"""A house whose letters go into a list."""

from tests.mail.conftest import ferry, outbox

__all__ = ["ferry", "outbox"]
