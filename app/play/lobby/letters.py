"""The letters that carry an invitation."""

from datetime import datetime

from app.store.outbox import LetterRequest


def invitation_letter(match_id: int, invitation_id: int, again: str = "") -> LetterRequest:
    """The letter with an invitation. `again` tells repeated sendings apart."""
    once = f"invited:{invitation_id}" + (f":{again}" if again else "")
    return LetterRequest(kind="invited", once=once, match_id=match_id, invitation_id=invitation_id)


def seat_offer_letter(
    match_id: int, invitation_id: int, now: datetime, by: str | None = None
) -> LetterRequest:
    """The letter that offers a seat of a running match, at most one an hour.

    `by` is "own_wish" if the recipient asked for it, "reminder", "operator", or None for the organiser.
    """
    once = f"seat_offer:{invitation_id}:{now:%Y%m%d%H}"
    return LetterRequest(
        kind="seat_offer", once=once, match_id=match_id, invitation_id=invitation_id, offer=by
    )
