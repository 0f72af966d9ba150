"""The draft of a move's result: changed parts of the state, and events, while a move is applied."""

import msgspec

from app.engine.chance import Chance
from app.engine.game import Addressed, Event, Seat, Step
from app.games.atlantis.board import Item
from app.games.atlantis.events import Drew, DrewCards, Shuffled
from app.games.atlantis.rules.setup import NO_CARDS
from app.games.atlantis.state import State, counted, listed, plus, put


class Draft:
    """The parts of a state that a move of the current player changes, and the events so far."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        """The state before the move."""
        self.chance = chance
        self.place = state.turn
        self.seat: Seat = state.seats[state.turn]
        self.hand = state.hands[state.turn]
        self.won = state.won[state.turn]
        self.draw_pile = state.draw
        self.discard = state.discard
        self.told: list[Addressed] = []
        self.reveals = False

    def tell(self, event: Event, to: tuple[Seat, ...] | None = None) -> None:
        """Add an event."""
        self.told.append(Addressed(event, to))

    def draw(self, count: int) -> int:
        """Draw cards into the hand. Returns their number, which is lower if both piles run out."""
        drawn: list[Item] = []
        while len(drawn) < count and (self.draw_pile or any(self.discard)):
            if not self.draw_pile:
                self.tell(Shuffled(sum(self.discard)))
                self.draw_pile = self.chance.shuffled(listed(self.discard))
                self.discard = NO_CARDS
            wanted = count - len(drawn)
            drawn += self.draw_pile[:wanted]
            self.draw_pile = self.draw_pile[wanted:]
        self.hand = plus(self.hand, drawn)
        self.tell(Drew(self.seat, len(drawn)))
        if drawn:
            self.reveals = True
            self.tell(DrewCards(self.seat, listed(counted(drawn))), to=(self.seat,))
        return len(drawn)

    def result(self, **changes: object) -> State:
        """The state with the changes so far and the ones given."""
        return msgspec.structs.replace(
            self.state,
            hands=put(self.state.hands, self.place, self.hand),
            won=put(self.state.won, self.place, self.won),
            draw=self.draw_pile,
            discard=self.discard,
            **changes,
        )

    def next_turn(self, **changes: object) -> State:
        """The state with the changes so far and the ones given, and the turn passed to the next player."""
        following = (self.place + 1) % len(self.state.seats)
        return self.result(turn=following, step="buy", **changes)

    def step(self, state: State) -> Step:
        """The result of the move."""
        return Step(state, tuple(self.told), self.reveals)
