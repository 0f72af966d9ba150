"""A host who knows a person by name learns by no form whether an address is theirs."""

import pytest

from app.play.lobby import changes, expiry, invitations, joining
from app.play.lobby.create import Opening, create_match
from app.play.lobby.snapshot import lobby_of
from app.play.match.records import Closed, Refused, Viewer
from tests.play import cast

STATES = ("waits", "accepted", "declined", "withdrawn", "expired", "replaced", "joined")


class Table:
    """A game of Ada and two guests: of Cleo, Ada knows the address; of Bo, only the name."""

    def __init__(self, outbox, clock, state: str) -> None:
        self.outbox, self.store = outbox, outbox.store
        met = {} if state == "joined" else {"bo@example.org": "Bo"}
        self.match_id = create_match(
            self.store,
            "ferry",
            3,
            {},
            "ada@example.org",
            ["cleo@example.org", *met],
            known=met,
            opening=Opening(listed=state == "joined"),
        )
        invitations.accept(self.store, cast.tokens(self.store, self.match_id)[0], "Ada", "en", "UTC", "")
        self.host = Viewer(player_id=outbox.player("Ada"))
        getattr(self, f"_{state}", lambda _clock: None)(clock)
        outbox.go()
        self.place = self.id_of("bo@example.org" if state == "replaced" else "cleo@example.org")

    def id_of(self, address: str) -> int:
        query = "SELECT id FROM invitation WHERE match_id = :m AND address = :a"
        return cast.one(self.store, query, m=self.match_id, a=address).id

    def _token(self) -> str:
        return cast.invitation_token(self.store, self.id_of("bo@example.org"))

    def _accepted(self, _clock) -> None:
        invitations.accept(self.store, self._token(), "Bo", "en", "UTC", "")

    def _declined(self, _clock) -> None:
        invitations.decline(self.store, self._token())

    def _withdrawn(self, _clock) -> None:
        changes.withdraw(self.store, self.host, self.id_of("bo@example.org"))

    def _expired(self, clock) -> None:
        clock.advance(days=15)
        expiry.remind_and_expire(self.store)

    def _joined(self, _clock) -> None:
        joining.join(self.store, self.outbox.player("Bo"), self.match_id)

    def guess(self, address: str):
        """All that the host sees of inviting that address in the place of another, and again."""
        with_it = changes.replace(self.store, self.host, self.place, address)
        self.outbox.go()
        found = with_it.guests[-1]
        told = [self._told(address)]
        for act in (
            lambda: changes.replace(self.store, self.host, found.invitation_id, address),
            lambda: changes.send_again(self.store, self.host, found.invitation_id),
            lambda: changes.withdraw(self.store, self.host, found.invitation_id),
        ):
            try:
                act()
            except (Closed, Refused) as error:
                told.append(error.reason)
            told.append(self._told(address))
        return told

    def _told(self, address: str):
        view = lobby_of(self.store, self.match_id, self.host.player_id)
        return [(one.name.replace(address, "it"), one.status) for one in view.guests], view.free

    def sent(self, address: str) -> list[str]:
        return [str(message["Subject"]) for _, to, message in self.outbox.sent if to == address]


@pytest.mark.parametrize("state", STATES)
def test_a_guessed_address_is_like_any_other(outbox, clock, state):
    cast.seat(outbox.store, ("Bo", "Dan"))
    outbox.go()
    answers, letters = [], []
    for guess in ("bo@example.org", "eve@example.org"):
        table = Table(outbox, clock, state)
        before = len(table.sent(guess))
        answers.append(table.guess(guess))
        outbox.go()
        letters.append(len(table.sent(guess)) - before)
        clock.advance(days=2)
    assert answers[0] == answers[1]
    stands = state in ("waits", "accepted", "joined")
    assert (letters[0] == 0) == stands, "who has been asked gets no second invitation"
    assert letters[1]
