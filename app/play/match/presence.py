"""Changes of a player's settings that concern their clocks, and what they have seen."""

from app import clock
from app.people import seen
from app.people import service as people
from app.people.service import Person
from app.play.match import chairs, turn_clocks
from app.play.match.locking import held, held_running
from app.play.match.reading import by_match, by_token
from app.play.match.records import Closed, NotFound, Viewer
from app.store.session import Store


def change_profile(store: Store, player: Person, name: str, language: str, zone: str) -> None:
    """Change a player's name, language and time zone, and what another zone changes of their clocks.

    Raises Refused as `app.people.service.update`.
    """
    people.update(store, player.id, name, language, zone)
    if zone != player.zone:
        changed(store, player.id)


def changed(store: Store, player_id: int) -> None:
    """Compute the player's deadlines and reminders again, after another zone or other reminders.

    No deadline that was announced moves earlier.
    """
    with store.reading() as connection:
        matches = chairs.timed_matches(connection, player_id)
    for match_id in matches:
        try:
            with store.transaction() as connection:
                match = held_running(connection, match_id)
                seats = {holder.seat for holder in match.holders if holder.player_id == player_id}
                turn_clocks.rearm(connection, clock.now(), match, seats)
        except (NotFound, Closed):  # it ended meanwhile
            continue


def saw(store: Store, viewer: Viewer, match_id: int) -> None:
    """Keep that the viewer has seen their turn: no email is needed. Raises NotFound, Closed."""
    with store.transaction() as connection:
        match, seat = held(connection, match_id, viewer)
        chairs.see(connection, clock.now(), match.holder(seat).chair_id)


def watches(store: Store, chair_id: int) -> None:
    """Keep that a visible page of the seat looks for news: an email can wait its quiet minutes."""
    with store.transaction() as connection:
        chairs.watch(connection, clock.now(), chair_id)


def sitter(store: Store, viewer: Viewer, match_id: int) -> int | None:
    """The player of the seat for which the viewer may act, or None."""
    with store.reading() as connection:
        match = by_match(connection, match_id, viewer.token)
    seat = match.seat_of(viewer) if match is not None else None
    return match.holder(seat).player_id if match is not None and seat is not None else None


def reader_of(store: Store, token: str) -> tuple[int, int]:
    """The player and the match of a turn's link, while that turn goes on. Raises NotFound."""
    with store.reading() as connection:
        match = by_token(connection, token)
    seat = match.seat_of(Viewer(token=token)) if match is not None else None
    player_id = match.holder(seat).player_id if match is not None and seat is not None else None
    if match is None or player_id is None:
        raise NotFound("turn")
    return player_id, match.match_id


def saw_all(store: Store, player_id: int) -> None:
    """Keep that the player has seen everything that waits for them."""
    with store.transaction() as connection:
        seen.see_all(connection, clock.now(), player_id)
