"""The addressee of a letter: a player, or the guest of an invitation who may not play here yet."""

import msgspec

from app import narrate, words
from app.mail.core.context import LetterContext
from app.mail.core.letter import LetterRow
from app.people import recipients
from app.people.checks import check_address
from app.people.recipients import Recipient
from app.play.views import letter_facts
from app.store.connection import Connection


class Addressee(msgspec.Struct, frozen=True):
    """Where a letter goes, and the player who reads there."""

    address: str
    address_key: str
    player: Recipient | None
    """None: nobody plays under the address."""
    language: str = narrate.FALLBACK
    """Of people who don't play here yet."""

    @property
    def confirmed(self) -> bool:
        """The player confirmed this very address."""
        return self.player is not None and self.player.address_key == self.address_key


def addressee(connection: Connection, letter: LetterRow) -> Addressee:
    """The player of the letter, else its guest, else nobody. Some go to another address than theirs."""
    language = narrate.FALLBACK
    if letter.player_id is not None:
        player: Recipient | None = recipients.by_id(connection, letter.player_id)
        assert player is not None
        address, key = player.address, player.address_key
    elif letter.invitation_id is None:  # the operator's, if it has an address
        address, key, player = "", "", None
    else:
        guest = letter_facts.guest(connection, letter.invitation_id)
        address, key = guest.address, guest.address_key
        player = recipients.by_key(connection, key)
        language = words.resolve([guest.language])
    if letter.to_address is not None:
        address, key = check_address(letter.to_address)
    return Addressee(address, key, player, language)


def context_of(connection: Connection, letter: LetterRow) -> LetterContext:
    """The letter with its reader's name, language and time zone; for an unknown guest what can be guessed."""
    found = addressee(connection, letter)
    if found.player is None:
        return LetterContext(letter, found.address, found.address_key, "", found.language, "UTC")
    player = found.player
    return LetterContext(letter, found.address, found.address_key, player.name, player.language, player.zone)
