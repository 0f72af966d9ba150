"""Send all links of an email address again: to the player's matches, and to unanswered invitations."""

from app import clock
from app.people import service as people
from app.play.match import invitations
from app.play.match.invitations import Unanswered
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def ask_links(store: Store, address: str) -> None:
    """Send fresh links to the owner of an address: to matches, to invitations, for signing in.

    At most one letter of each kind an hour. Nothing is returned, so that nobody learns whether an address is
    known. Raises Refused for a malformed address.
    """
    _, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        letter = people.links_letter(connection, key, now)
        requests = [] if letter is None else [letter]
        hour = f"{now:%Y%m%d%H}"
        requests += [_letter(one, hour) for one in invitations.unanswered(connection, key)]
        enqueue(connection, now, *requests)


def _letter(invitation: Unanswered, hour: str) -> LetterRequest:
    kind = "seat_offer" if invitation.seat else "confirm" if invitation.organiser else "invited"
    once = f"{kind}:{invitation.id}:{hour}"
    return LetterRequest(kind=kind, once=once, match_id=invitation.match_id, invitation_id=invitation.id)
