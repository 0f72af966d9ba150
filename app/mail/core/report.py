"""The report on a reply: the result of each of its lines, and what its answer shows."""

import msgspec

DONE, REFUSED, UNTRIED, TOLD = "done", "refused", "untried", "told"
HELP, BOARD, LEGAL, GAMES, RESIGN = "help", "board", "legal", "games", "resign"
"""Commands whose answer shows more than their result."""


class Result(msgspec.Struct, frozen=True):
    """The result of one line."""

    line: str
    outcome: str
    """done, refused, untried, told."""
    said: str = ""
    """The reason of a refusal, or the information that was asked for; in the writer's language."""


class Report(msgspec.Struct, frozen=True):
    """The result of a whole mail."""

    results: tuple[Result, ...] = ()
    shows: tuple[str, ...] = ()
    """The commands whose answer shows more: help, board, legal, games; `resign` if it asks back."""
    unread: str = ""
    """The line at which the reading ended."""
    why: str = ""
    """The reason that this line is no move; in the writer's language."""
    left: tuple[str, ...] = ()
    """Commands at places where they may not have been meant."""
    reason: str = ""
    """The reason that there was no line to carry out."""
    enclosed: str = ""
    """The content of a mail without a text of its own."""
    subject: str = ""
    """A command that stands in the subject of a mail without a text of its own."""
    trouble: str = ""
    """Why nothing could be read: sealed_smime, sealed_signed, sealed_pgp, unreadable_…, error."""
    message_id: str = ""
    sender: str = ""
    """The sender's address if it was not the player's own, or not proven to be."""
    unproven: bool = False
    """The operator's mail server found that the mail was not from the sender's domain."""
