"""Building a state from a position (rules, section 10); what a position leaves open is drawn."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from app.engine.chance import Chance
from app.engine.errors import BadPosition, RulesError
from app.engine.game import Options, Position, Seat
from app.games.survive.board import (
    ABOARD,
    BACK_COUNT,
    BACKS,
    COLOURS,
    CREATURE_ID,
    CREATURES,
    DEFENCES,
    DIE_FACES,
    EACH,
    EXPLORER_ID,
    EXPLORERS,
    FIRST_OF,
    ID,
    IMMEDIATE,
    ISLAND,
    ISLE_NAMES,
    KIND_OF,
    LOST,
    NAME,
    ON_ISLE,
    ON_SHIP,
    POINTS,
    SHIP_ID,
    SHIPS,
    TERRAINS,
    UNPLACED,
    VALUES,
)
from app.games.survive.choices import variant_of
from app.games.survive.given import given_in, listing, mapping, number, one_of
from app.games.survive.notation import read_list
from app.games.survive.rules import creatures, placing, sinking, turns
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import ground, teams, tile
from app.games.survive.words import Orders, State

SETUP_STEPS: Final = ("explorers", "ships", "orders")
STEPS: Final = (*SETUP_STEPS, "play", "move", "sink", "board", "creature", "defend", "over")
ENDINGS: Final = ("volcano", "nobody_left", "submerged", "nobody_moved", "twelve_rounds")
REASONS: Final = ("unknown_key", "unknown_name", "bad_value", "too_many", "cannot_be_there")
_KEYS: Final = (
    *("terrain", "explorers", "lost", "ships", "creatures", "hands", "kills", "turn", "attack", "boarding"),
    *("appeared", "idle", "idle_turns", "dry", "orders", "ending"),
)
_TURN_KEYS: Final = ("seat", "step", "points", "water_moved", "die", "number", "stirred")


def load(position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """The state of a position; what it leaves open is drawn beside play. Raises BadPosition, BadOptions."""
    return Loader(position, seats, options, chance.apart("position")).state()


class Loader:
    """Builds the state of a position, part by part."""

    def __init__(self, position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> None:
        self.given = mapping(position, "", _KEYS)
        self.seats = seats
        self.variant = variant_of(options, seats)
        self.chance = chance
        self.teams = teams(seats, self.variant.two)
        self.turn = mapping(self.given.get("turn"), "turn", _TURN_KEYS)
        self.attack = mapping(self.given.get("attack"), "attack", ("creature", "at", "asked"))
        self.boarding = mapping(self.given.get("boarding"), "boarding", ("at", "ship"))
        self.step = one_of(given_in(self.turn, "step", self.natural_step()), STEPS, "turn.step")

    def natural_step(self) -> str:
        """The step of a position that names none."""
        if self.attack:
            return "defend"
        if self.boarding:
            return "board"
        return "orders" if self.given.get("orders") else "play"

    def state(self) -> State:
        """The state, with what must follow from it done. Raises BadPosition."""
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
        """The state with what needs a state to be read, and without steps that nobody would be asked."""
        course = Course(state)
        course.idle, course.dry = self.idle(state)
        if state.step == "over":
            natural = "volcano" if course.anybody_left() else "nobody_left"
            course.ending = one_of(given_in(self.given, "ending", natural), ENDINGS, "ending")
        elif state.step == "orders":
            course.orders = self.orders(state)
            if None not in course.orders:
                placing.place_all(course, course.orders, self.chance)
        elif state.step == "explorers":
            if not (placing.colours_left(course, course.active) and placing.free_tiles(course)):
                placing.go_on(course, after=course.active)
        elif state.step == "ships":
            if not placing.next_to_launch(course, after=course.active - 1):
                placing.open_game(course)
        elif state.step == "defend":
            self.asked(course)
        elif state.step == "board" and len(sinking.boarders(state)) <= ABOARD:
            raise BadPosition("bad_value", key="boarding", value="")
        else:
            turns.skip_idle_steps(course)
        return course.state()

    def tiles(self) -> tuple[int, ...]:
        """The tiles; backs not given are drawn from what is left of their terrain's."""
        given: dict[str, tuple[str, str]] = {}
        for name, text in mapping(self.given.get("terrain"), "terrain", ISLAND).items():
            if text is None:
                continue
            terrain, _, back = str(text).partition("/")
            one_of(terrain, TERRAINS, f"terrain.{name}")
            given[name] = (terrain, one_of(back, BACKS, f"terrain.{name}") if back else "")
        codes = dict.fromkeys(ISLAND, 0)
        for kind in TERRAINS:
            backs = [back for terrain, back in given.values() if terrain == kind]
            left = (BACK_COUNT[kind] - Counter(filter(None, backs))).elements()
            pool = list(self.chance.shuffled(sorted(left, key=BACKS.index)))
            if backs.count("") > len(pool):
                raise BadPosition("too_many", key="terrain", name=kind)
            for name in ISLAND:
                terrain, back = given.get(name, ("", ""))
                if terrain == kind:
                    codes[name] = tile(terrain, back or pool.pop())
        return tuple(codes.values())

    def pieces(self, key: str, known: Mapping[str, int], sea: int) -> list[int]:
        """The spaces of ships or creatures, -1 for those not listed."""
        places = [-1] * len(known)
        for name, at in mapping(self.given.get(key), key).items():
            one_of(name, known, key)
            if at is None:
                continue
            space = ID[one_of(at, ID, f"{key}.{name}")]
            if not sea >> space & 1:
                raise BadPosition("cannot_be_there", key=key, name=name)
            places[known[name]] = space
        return places

    def paused(self, ships: list[int], beasts: list[int], sea: int) -> tuple[int, int]:
        """The attacking creature and the boarding ship, or -1; both come onto the board if not listed."""
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
        """The sea space of a pause, which may be where its piece is listed. Raises BadPosition."""
        space = ID[one_of(given_in(pause, "at", NAME[listed] if listed >= 0 else None), ID, f"{key}.at")]
        if not sea >> space & 1:
            raise BadPosition("cannot_be_there", key=key, name=NAME[space])
        return space

    def asked(self, course: Course) -> None:
        """Who is asked to defend; the first who may be where the position does not say."""
        if self.attack.get("asked") is not None:
            course.asked = self.seat(self.attack, "asked")
        elif not creatures.ask_next(course, course.active):
            raise BadPosition("bad_value", key="attack.asked", value="")

    def explorers(self, ships: list[int], sea: int) -> tuple[list[int], list[int]]:
        """Where the explorers are, and their values; those not given are drawn from what is left."""
        away = UNPLACED if self.step in SETUP_STEPS else LOST
        where = [away if owner >= 0 else LOST for owner in self.teams.owner]
        worth = [0] * len(EXPLORERS)
        listed: list[int] = []
        for name, entry in mapping(self.given.get("explorers"), "explorers").items():
            inner = {"at": entry} if isinstance(entry, str) else entry
            inner = mapping(inner, f"explorers.{name}", ("at", "value"))
            if inner.get("at") is None and "value" not in inner:
                one_of(name, EXPLORER_ID, "explorers")
                continue
            explorer = self.known(name)
            where[explorer] = self.place(name, str(inner.get("at")), ships, sea)
            worth[explorer] = self.value(inner.get("value"), name)
            listed.append(explorer)
        for name, value in mapping(self.given.get("lost"), "lost").items():
            where[self.known(name)] = LOST
            worth[self.known(name)] = self.value(None if value == 0 else value, name)
        for ship in range(len(SHIPS)):
            if where.count(ON_SHIP + ship) > ABOARD:
                raise BadPosition("too_many", key="explorers", name=SHIPS[ship])
        for first in range(0, len(EXPLORERS), EACH):
            open_ones = [n for n in set(listed) if first <= n < first + EACH and not worth[n]]
            left = (Counter(VALUES) - Counter(worth[first : first + EACH])).elements()
            pool = list(self.chance.shuffled(sorted(left)))
            if len(open_ones) > len(pool):
                raise BadPosition("too_many", key="explorers", name=COLOURS[first // EACH])
            for n in sorted(open_ones):
                worth[n] = pool.pop()
        return where, worth

    def known(self, name: str) -> int:
        """The number of an explorer that plays. Raises BadPosition."""
        explorer = EXPLORER_ID[one_of(name, EXPLORER_ID, "explorers")]
        if self.teams.owner[explorer] < 0:
            raise BadPosition("unknown_name", key="explorers", name=name)
        return explorer

    def value(self, value: Any, name: str) -> int:
        """An explorer's value, or 0 where none is given. Raises BadPosition."""
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
            raise BadPosition("bad_value", key=f"explorers.{name}.value", value=str(value))
        return value

    def place(self, name: str, at: str, ships: list[int], sea: int) -> int:
        """The place of an explorer: `F5`, `sea:E3`, `ship1`, `isle:NW`. Raises BadPosition."""
        key = f"explorers.{name}.at"
        kind, _, inner = at.partition(":")
        if kind == "isle":
            return ON_ISLE + ISLE_NAMES.index(one_of(inner, ISLE_NAMES, key))
        if at in SHIP_ID:
            if ships[SHIP_ID[at]] < 0:
                raise BadPosition("cannot_be_there", key=key, name=name)
            return ON_SHIP + SHIP_ID[at]
        space = ID[one_of(inner if kind == "sea" else at, ID, key)]
        if kind == "sea" and not sea >> space & 1:
            raise BadPosition("cannot_be_there", key=key, name=name)
        return space

    def appeared(self, ships: list[int], beasts: list[int]) -> tuple[int, int, int]:
        """The highest numbers so far: as given, at least the highest listed."""
        given = mapping(self.given.get("appeared"), "appeared", ("shark", "whale", "ship"))
        rows = {
            "shark": beasts[FIRST_OF["shark"] : FIRST_OF["whale"]],
            "whale": beasts[FIRST_OF["whale"] :],
            "ship": ships,
        }
        shark, whale, ship = (
            max(
                number(given_in(given, kind, 0), f"appeared.{kind}"),
                max((n for n, at in enumerate(row, 1) if at >= 0), default=0),
            )
            for kind, row in rows.items()
        )
        return shark, whale, ship

    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The hands in the order of the seats."""
        given = mapping(self.given.get("hands"), "hands", self.seats)
        return tuple(tuple(sorted(self.hand(given, seat), key=BACKS.index)) for seat in self.seats)

    def hand(self, given: Mapping[str, Any], seat: Seat) -> list[str]:
        """The tiles of one hand. Raises BadPosition."""
        kept = [back for back in BACKS if back not in IMMEDIATE]
        return [one_of(name, kept, f"hands.{seat}") for name in listing(given.get(seat), f"hands.{seat}")]

    def seat(self, given: Mapping[str, Any], key: str) -> int:
        """A seat by its name, the first where none is given. Raises BadPosition."""
        return self.seats.index(one_of(given_in(given, key, self.seats[0]), self.seats, key))

    def per_seat(self, key: str) -> tuple[int, ...]:
        """A number for each seat, 0 where not given."""
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
        """What the die shows; it is rolled where a creature may move and the position does not say."""
        if self.step == "defend":
            return str(self.attack.get("creature")).rstrip("0123456789")
        if self.step != "creature":
            return ""
        die = self.turn.get("die")
        return self.chance.pick(DIE_FACES) if die is None else one_of(die, DIE_FACES, "turn.die")

    def idle(self, state: State) -> tuple[int, int]:
        """Turns in a row without land and movement, and turns begun without land.

        A position gives whole rounds, or exactly `idle_turns`.
        """
        rounds = number(given_in(self.given, "idle", 0), "idle", most=1000)
        # Three rounds end the game: a larger number can only have been meant as turns.
        natural_turns = rounds if rounds >= turns.STILL_ROUNDS else rounds * len(self.seats)
        turns_idle = number(given_in(self.given, "idle_turns", natural_turns), "idle_turns")
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
