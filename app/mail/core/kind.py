"""An entry of the registry of kinds of letters: its writer and how the settings of its reader apply to it."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped

Writer: TypeAlias = Callable[[MailContext, LetterContext], Page | Dropped]


class Kind(msgspec.Struct, frozen=True):
    """A kind of letter. Its templates are in `templates/mail/<kind>`."""

    writer: Writer
    event: str = ""
    """The event of the preferences that it tells of; empty: none, such as an answer."""
    may_wait: bool = False
    """The reader can choose the time of such letters, or have them come in a digest."""
    settles: bool = False
    """It waits a minute, because what happens in one minute is told at once."""
    on_request: bool = False
    """The reader asked for it: it is sent even if letters came back from the address before."""
    answers: bool = False
    """It answers mail: it goes at once, and leaving a list does not stop it."""
    repliable: bool = False
    """It can be replied to even if it is about no match, or about several."""
    resendable: bool = False
    """The reader can have it sent again."""
    owed: bool = False
    """Its reader had confirmed the address once: it's sent there whatever limits strangers have used up."""
