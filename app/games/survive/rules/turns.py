"""The order of steps in a turn, the order of turns, and the end (rules, sections 4 and 5)."""

from app.engine.chance import Chance
from app.engine.game import Outcome
from app.games.survive.board import (
    DIE_FACES,
    EXPLORERS,
    ISLAND,
    LOST,
    ON_ISLE,
    POINTS,
)
from app.games.survive.rules import creatures, moving
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import back_of, teams
from app.games.survive.tidings import Died, Ended, Rolled, TurnBegan
from app.games.survive.words import State

STILL_ROUNDS = 3
"""With `to_the_last`: so many rounds without land and without a moved explorer end the game."""
MOST_DRY_ROUNDS = 12
"""With `to_the_last`: so many rounds without land end it at the latest."""


def begin(course: Course) -> None:
    """The active player's turn begins. The tiles he may play are asked for where he holds any at all."""
    course.number += 1
    course.points = POINTS
    course.water = 0
    course.die = ""
    course.stirred = False
    if not course.ground.land:
        course.dry += 1
    course.step = "play"
    course.tell(TurnBegan(course.mover, course.number))
    skip_idle_steps(course)


def settle(course: Course) -> None:
    """After a step of a turn: the game ends when nobody is left."""
    if not course.anybody_left():
        end(course, "nobody_left")
    else:
        skip_idle_steps(course)


def skip_idle_steps(course: Course) -> None:
    """Without a tile in the hand nothing is played; without anything to move comes the sinking."""
    if course.step == "play" and not course.hands[course.active]:
        course.step = "move"
    if course.step == "move" and not moving.can_move(course):
        course.step = "sink"


def roll(course: Course, chance: Chance) -> None:
    """The die is rolled; where no creature of that kind can move, the turn is over."""
    if not course.anybody_left():
        end(course, "nobody_left")
        return
    course.die = chance.pick(DIE_FACES)
    course.reveals = True
    course.step = "creature"
    movable = creatures.any_can_move(course)
    course.tell(Rolled(course.mover, course.die, movable))
    if not movable:
        finish(course)


def finish(course: Course) -> None:
    """The turn is over: the next player's begins, or the game ends."""
    course.die = ""
    if not course.anybody_left():
        end(course, "nobody_left")
        return
    if course.dry:
        course.idle = 0 if course.stirred else course.idle + 1
    if course.variant.to_the_last and course.dry:
        seats = len(course.seats)
        if course.idle >= STILL_ROUNDS * seats:
            end(course, "nobody_moved")
            return
        if course.dry >= MOST_DRY_ROUNDS * seats:
            end(course, "twelve_rounds")
            return
    course.active = (course.active + 1) % len(course.seats)
    begin(course)


def end(course: Course, reason: str) -> None:
    """The game is over, and everything is shown."""
    course.step = "over"
    course.ending = reason
    course.die = ""
    course.reveals = True
    state = course.state()
    outcome = outcome_of(state)
    course.tell(
        Ended(
            reason,
            outcome.scores if outcome else {},
            {name: worth for name, worth in zip(EXPLORERS, state.worth, strict=True) if worth},
            {name: back_of(code) for name, code in zip(ISLAND, state.tiles, strict=True) if code},
            dict(zip(state.seats, state.hands, strict=True)),
        )
    )


def erupt(course: Course, at: str) -> None:
    """The volcano: every explorer that is not on an isle is lost, by nobody's doing."""
    lost = tuple(name for name, place in zip(EXPLORERS, course.where, strict=True) if 0 <= place < ON_ISLE)
    if lost:
        course.tell(Died(course.mover, lost, at, "volcano"))
    course.where = [LOST if at < ON_ISLE else at for at in course.where]
    end(course, "volcano")


def saved(state: State) -> list[list[int]]:
    """For each seat its explorers on the isles."""
    members = teams(state.seats, state.variant.two).members
    return [[n for n in mine if state.where[n] >= ON_ISLE] for mine in members]


def outcome_of(state: State) -> Outcome | None:
    """The result (rules, section 5), or None while the game goes on."""
    if state.step != "over":
        return None
    scores: dict[str, int] = {}
    heads: dict[str, int] = {}
    for seat, mine, kills in zip(state.seats, saved(state), state.kills, strict=True):
        score = len(mine) if state.variant.all_equal else sum(state.worth[n] for n in mine)
        if state.variant.hunters:
            score += kills
        if state.variant.isles:
            score += len({state.where[n] for n in mine})
        scores[seat], heads[seat] = score, len(mine)
    ranks = {seat: (scores[seat], heads[seat]) for seat in state.seats}
    places = {seat: 1 + sum(other > rank for other in ranks.values()) for seat, rank in ranks.items()}
    return Outcome(places, scores, state.ending)
