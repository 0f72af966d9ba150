"""Send all links of an email address again, in one email: those of matches and of unanswered invitations."""

from app import clock
from app.people import bars, equal_work, fresh_links
from app.people import service as people
from app.play.match import chairs, invitations
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def ask_links(store: Store, address: str, by: int | None = None) -> None:
    """Send fresh links to the owner of an address: to matches, to invitations, for signing in.

    It is one email, as often as `fresh_links` allows. `by` is the signed-in player who asks. Nothing is
    returned, so that nobody learns whether an address is known. Raises Refused for a malformed address.
    """
    _, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        equal_work.work(connection, now, "links", key)
        player_id = people.player_with_key(connection, key)
        bar = bars.of(connection, key)
        letter: LetterRequest | None
        if player_id is not None and bar is not None and not chairs.running_of(connection, player_id):
            letter = bars.notice(player_id, bar)
        elif player_id is not None:
            how = fresh_links.OWN if player_id == by else fresh_links.FORM
            letter = fresh_links.to_player(connection, now, player_id, how)
        elif invitations.unanswered(connection, key):
            letter = fresh_links.to_guest(connection, now, invitations.first_of(connection, key))
        else:
            letter = None
        enqueue(connection, now, *([letter] if letter is not None else []))
