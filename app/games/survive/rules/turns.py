"""The order of steps in a turn, the order of turns, and the end (rules, sections 4 and 5)."""

from app.engine.chance import Chance
from app.games.survive.board import DIE_FACES, EXPLORERS, ISLAND, LOST, ON_ISLE, POINTS
from app.games.survive.events import Died, Ended, Rolled, TurnBegan
from app.games.survive.rules import creatures, moving
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import back_of
from app.games.survive.rules.scoring import outcome_of

STILL_ROUNDS = 3
"""With `to_the_last`: so many rounds without land and without a moved explorer end the game."""
MOST_DRY_ROUNDS = 12
"""With `to_the_last`: so many rounds without land end it at the latest."""


def begin(draft: Draft) -> None:
    """Begin the active player's turn, with step `play` if they hold any tile."""
    draft.number += 1
    draft.points = POINTS
    draft.water = 0
    draft.die = ""
    draft.stirred = False
    if not draft.ground.land:
        draft.dry += 1
    draft.step = "play"
    draft.tell(TurnBegan(draft.mover, draft.number))
    skip_idle_steps(draft)


def settle(draft: Draft) -> None:
    """End the game if nobody is left, else skip steps without a choice."""
    if not draft.anybody_left():
        end(draft, "nobody_left")
    else:
        skip_idle_steps(draft)


def skip_idle_steps(draft: Draft) -> None:
    """Skip `play` without a tile in hand, and `move` without anything to move."""
    if draft.step == "play" and not draft.hands[draft.active]:
        draft.step = "move"
    if draft.step == "move" and not moving.can_move(draft):
        draft.step = "sink"


def roll(draft: Draft, chance: Chance) -> None:
    """Roll the die, and finish the turn if no creature of that kind can move."""
    if not draft.anybody_left():
        end(draft, "nobody_left")
        return
    draft.die = chance.pick(DIE_FACES)
    draft.reveals = True
    draft.step = "creature"
    movable = creatures.any_can_move(draft)
    draft.tell(Rolled(draft.mover, draft.die, movable))
    if not movable:
        finish(draft)


def finish(draft: Draft) -> None:
    """Finish the turn: begin the next player's, or end the game."""
    draft.die = ""
    if not draft.anybody_left():
        end(draft, "nobody_left")
        return
    if draft.dry:
        draft.idle = 0 if draft.stirred else draft.idle + 1
    if draft.variant.to_the_last and draft.dry:
        seats = len(draft.seats)
        if draft.idle >= STILL_ROUNDS * seats:
            end(draft, "nobody_moved")
            return
        if draft.dry >= MOST_DRY_ROUNDS * seats:
            end(draft, "twelve_rounds")
            return
    draft.active = (draft.active + 1) % len(draft.seats)
    begin(draft)


def end(draft: Draft, reason: str) -> None:
    """End the game and reveal everything."""
    draft.step = "over"
    draft.ending = reason
    draft.die = ""
    draft.reveals = True
    state = draft.state()
    outcome = outcome_of(state)
    draft.tell(
        Ended(
            reason,
            outcome.scores if outcome else {},
            {name: worth for name, worth in zip(EXPLORERS, state.worth, strict=True) if worth},
            {name: back_of(code) for name, code in zip(ISLAND, state.tiles, strict=True) if code},
            dict(zip(state.seats, state.hands, strict=True)),
        )
    )


def erupt(draft: Draft, at: str) -> None:
    """Erupt: every explorer not on an isle is lost, and nobody gets a kill."""
    lost = tuple(name for name, place in zip(EXPLORERS, draft.where, strict=True) if 0 <= place < ON_ISLE)
    if lost:
        draft.tell(Died(draft.mover, lost, at, "volcano"))
    draft.where = [LOST if at < ON_ISLE else at for at in draft.where]
    end(draft, "volcano")
