"""Builds a state from a position (rules, section 10)."""

from collections.abc import Mapping
from typing import Any, Final

from app.engine.chance import Chance
from app.engine.errors import BadPosition, RulesError
from app.engine.game import Options, Position, Seat
from app.games.survive.board import (
    ABOARD,
    BACKS,
    CREATURE_ID,
    CREATURES,
    DEFENCES,
    DIE_FACES,
    EXPLORER_ID,
    ID,
    IMMEDIATE,
    KIND_OF,
    NAME,
    POINTS,
    SHIP_ID,
)
from app.games.survive.moves import Orders
from app.games.survive.notation.parse import read_list
from app.games.survive.options import variant_of
from app.games.survive.position_fields import given_in, listing, mapping, number, one_of
from app.games.survive.position_pieces import PieceLoader
from app.games.survive.rules import creatures, lists, placing, sinking, turns
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import ground, teams
from app.games.survive.state import ENDINGS, SETUP_STEPS, STEPS, State

REASONS: Final = ("unknown_key", "unknown_name", "bad_value", "too_many", "cannot_be_there")
_KEYS: Final = (
    *("terrain", "explorers", "lost", "ships", "creatures", "hands", "kills", "turn", "attack", "boarding"),
    *("appeared", "idle", "idle_turns", "dry", "orders", "ending"),
)
_TURN_KEYS: Final = ("seat", "step", "points", "water_moved", "die", "number", "stirred")


class Loader(PieceLoader):
    """The parts of a state that aren't pieces, and the state as a whole."""

    def __init__(
        self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance, edition: int
    ) -> None:
        given = mapping(position, "", _KEYS)
        self.seats = seats
        self.variant = variant_of(options, seats, edition)
        self.turn = mapping(given.get("turn"), "turn", _TURN_KEYS)
        self.attack = mapping(given.get("attack"), "attack", ("creature", "at", "asked"))
        self.boarding = mapping(given.get("boarding"), "boarding", ("at", "ship"))
        step = one_of(given_in(self.turn, "step", self.natural_step(given)), STEPS, "turn.step")
        super().__init__(given, step, teams(seats, self.variant.two), chance)

    def natural_step(self, given: Mapping[str, Any]) -> str:
        """The natural step of a position that names none."""
        if self.attack:
            return "defend"
        if self.boarding:
            return "board"
        return "orders" if given.get("orders") else "play"

    def state(self) -> State:
        """The complete state. Raises BadPosition."""
        tiles = self.tiles()
        sea = ground(tiles).sea
        ships = self.pieces("ships", SHIP_ID, sea)
        beasts = self.pieces("creatures", CREATURE_ID, sea)
        attacker, boarding = self.paused(ships, beasts, sea)
        if len({at for at in ships if at >= 0}) != sum(at >= 0 for at in ships):
            raise BadPosition("cannot_be_there", key="ships", name="")
        where, worth = self.explorers(ships, sea)
        state = State(
            self.seats,
            self.variant,
            tiles,
            tuple(where),
            tuple(worth),
            tuple(ships),
            tuple(beasts),
            self.appeared(ships, beasts),
            self.hands(),
            self.per_seat("kills"),
            number=number(given_in(self.turn, "number", 0 if self.step in SETUP_STEPS else 1), "turn.number"),
            active=self.seats.index(
                one_of(given_in(self.turn, "seat", self.seats[0]), self.seats, "turn.seat")
            ),
            step=self.step,
            points=number(given_in(self.turn, "points", POINTS), "turn.points"),
            water=sum(1 << n for n in self.named(self.turn.get("water_moved"), "turn.water_moved")),
            die=self.die(),
            attacker=attacker,
            boarding=boarding,
            stirred=self.stirred(),
        )
        return self.completed(state)

    def completed(self, state: State) -> State:
        """The state with the fields that depend on it, past steps in which nobody has a choice."""
        draft = Draft(state)
        draft.idle, draft.dry = self.idle(state)
        if state.step == "over":
            natural = "volcano" if draft.anybody_left() else "nobody_left"
            draft.ending = one_of(given_in(self.given, "ending", natural), ENDINGS, "ending")
        elif state.step == "orders":
            draft.orders = self.orders(state)
            if None not in draft.orders:
                lists.place_all(draft, draft.orders, self.chance)
        elif state.step == "explorers":
            if not (placing.colours_left(draft, draft.active) and placing.free_tiles(draft)):
                placing.go_on(draft, after=draft.active)
        elif state.step == "ships":
            if not placing.next_to_launch(draft, after=draft.active - 1):
                placing.open_game(draft)
        elif state.step == "defend":
            self.asked(draft)
        elif state.step == "board" and len(sinking.boarders(state)) <= ABOARD:
            raise BadPosition("bad_value", key="boarding", value="")
        elif state.step == "creature" and not creatures.any_can_move(draft):
            turns.finish(draft)
        else:
            turns.skip_idle_steps(draft)
        return draft.state()

    def paused(self, ships: list[int], beasts: list[int], sea: int) -> tuple[int, int]:
        """The attacking creature and the boarding ship, or -1. Adds them to the board if not listed."""
        attacker = boarding = -1
        if self.step == "defend":
            attacker = CREATURE_ID[one_of(self.attack.get("creature"), CREATURE_ID, "attack.creature")]
            if KIND_OF[attacker] not in DEFENCES:
                raise BadPosition("bad_value", key="attack.creature", value=CREATURES[attacker])
            beasts[attacker] = self.at_sea(self.attack, "attack", beasts[attacker], sea)
        if self.step == "board":
            boarding = SHIP_ID[one_of(self.boarding.get("ship"), SHIP_ID, "boarding.ship")]
            ships[boarding] = self.at_sea(self.boarding, "boarding", ships[boarding], sea)
        return attacker, boarding

    def at_sea(self, pause: Mapping[str, Any], key: str, listed: int, sea: int) -> int:
        """The sea space of an attack or a boarding, by default its piece's. Raises BadPosition."""
        space = ID[one_of(given_in(pause, "at", NAME[listed] if listed >= 0 else None), ID, f"{key}.at")]
        if not sea >> space & 1:
            raise BadPosition("cannot_be_there", key=key, name=NAME[space])
        return space

    def asked(self, draft: Draft) -> None:
        """Set the seat asked to defend, by default the first possible one."""
        if self.attack.get("asked") is not None:
            draft.asked = self.seat(self.attack, "asked")
            if draft.asked not in creatures.possible_defenders(draft):
                raise BadPosition("bad_value", key="attack.asked", value=draft.seats[draft.asked])
        elif not creatures.ask_next(draft, draft.active):
            raise BadPosition("bad_value", key="attack.asked", value="")

    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The hands in the order of the seats."""
        given = mapping(self.given.get("hands"), "hands", self.seats)
        return tuple(tuple(sorted(self.hand(given, seat), key=BACKS.index)) for seat in self.seats)

    def hand(self, given: Mapping[str, Any], seat: Seat) -> list[str]:
        """The tiles of one hand. Raises BadPosition."""
        kept = [back for back in BACKS if back not in IMMEDIATE]
        return [one_of(name, kept, f"hands.{seat}") for name in listing(given.get(seat), f"hands.{seat}")]

    def seat(self, given: Mapping[str, Any], key: str) -> int:
        """A seat by its name, by default the first. Raises BadPosition."""
        return self.seats.index(one_of(given_in(given, key, self.seats[0]), self.seats, key))

    def per_seat(self, key: str) -> tuple[int, ...]:
        """A number for each seat, by default 0."""
        given = mapping(self.given.get(key), key, self.seats)
        return tuple(number(given_in(given, seat, 0), f"{key}.{seat}") for seat in self.seats)

    def named(self, names: Any, key: str) -> list[int]:
        """The numbers of listed explorers. Raises BadPosition."""
        return sorted({EXPLORER_ID[one_of(name, EXPLORER_ID, key)] for name in listing(names, key)})

    def stirred(self) -> bool:
        """Whether an explorer has moved in this turn. Raises BadPosition."""
        value = given_in(self.turn, "stirred", False)
        if not isinstance(value, bool):
            raise BadPosition("bad_value", key="turn.stirred", value=str(value))
        return value

    def die(self) -> str:
        """The face of the die. Rolled if the step is `creature` and the position doesn't say."""
        if self.step == "defend":
            return str(self.attack.get("creature")).rstrip("0123456789")
        if self.step != "creature":
            return ""
        die = self.turn.get("die")
        return self.chance.pick(DIE_FACES) if die is None else one_of(die, DIE_FACES, "turn.die")

    def idle(self, state: State) -> tuple[int, int]:
        """Turns in a row without land and movement, and turns begun without land.

        A position gives whole rounds as `idle`, or turns as `idle_turns`, which wins.
        """
        rounds = number(given_in(self.given, "idle", 0), "idle", most=1000)
        turns_idle = number(given_in(self.given, "idle_turns", rounds * len(self.seats)), "idle_turns")
        begun = not ground(state.tiles).land and self.step not in SETUP_STEPS
        natural = turns_idle + 1 if begun else 0
        return turns_idle, number(given_in(self.given, "dry", natural), "dry")

    def orders(self, state: State) -> tuple[Orders | None, ...]:
        """The sealed lists. Raises BadPosition."""
        given = mapping(self.given.get("orders"), "orders", self.seats)
        try:
            return tuple(
                read_list(state, seat, str(given[seat])) if given.get(seat) else None for seat in self.seats
            )
        except RulesError as error:
            raise BadPosition("bad_value", key="orders", value=str(error)) from None
