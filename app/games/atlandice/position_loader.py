"""A position read into a state (section 10)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from app.engine.chance import Chance
from app.engine.errors import BadPosition
from app.engine.game import Options, Position, Seat
from app.games.atlandice.board import (
    AREAS,
    DISTRICTS,
    HOME,
    IN_BOX,
    INDEX,
    KIND_INDEX,
    KINDS,
    MARKET,
    TILES,
    dice_each,
    dice_of,
)
from app.games.atlandice.moves import EFFECT_ASKS, Pair
from app.games.atlandice.options import donations_of, track_of
from app.games.atlandice.position_fields import items, kind_name, mapping, number, tile_name
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.legal import donors, effect_choices
from app.games.atlandice.rules.rounds import roll_dice
from app.games.atlandice.state import Effect, State, owners_of

KEYS = (
    "piles",
    "stock",
    "owned",
    "tiles",
    "points",
    "dice",
    "taken",
    "neutral_given",
    "submarine",
    "clock",
    "first",
    "turn",
    "effect",
    "gifts",
)
STEPS = ("visit", "effect", "donate", "over")
UNKNOWN = "?"


def load(position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """The state of a position. Pieces it does not list are out of the game; numbers left out are 0.

    Tiles given as "?" are dealt from the rest of their district. Dice are rolled if a round begins and none
    are given. An effect may say `before`: the districts that held something before its visit; left out,
    those that do now and the one visited. Raises BadPosition.
    """
    return _Loader(position, seats, options).state(chance)


class _Loader:
    """Reads one position."""

    def __init__(self, position: Position, seats: tuple[Seat, ...], options: Options) -> None:
        self.position = mapping(position, "position", KEYS)
        self.seats = seats
        self.owners = owners_of(seats)
        self.donations = donations_of(options)
        self.track = track_of(options)

    def state(self, chance: Chance) -> State:
        seats, owners = self.seats, self.owners
        tiles = self._tiles()
        piles = self._piles(tiles, chance)
        turn, step = self._turn()
        served = self._flags() if len(seats) == 2 else ()
        state = State(
            seats=seats,
            piles=piles,
            stock=self._table("stock", AREAS),
            owned=self._table("owned", owners),
            tiles=tiles,
            points=self._row("points", owners),
            dice=self._dice(piles),
            taken=self._row("taken", seats, dice_each(len(seats))),
            served=served,
            submarine=self._submarine(piles),
            clock=number(self.position.get("clock", 0), "clock", self.track.last),
            first=self._seat(self.position.get("first", seats[0]), "first"),
            turn=turn,
            step=step,
            gifts=self._gifts(step),
            donations=self.donations,
            track=self.track,
        )
        self._count(state)
        return self._asked(state, chance)

    def _asked(self, state: State, chance: Chance) -> State:
        """The state with its open question. Raises BadPosition if nothing is asked."""
        draft = Draft(state)
        if state.step == "visit":
            if "dice" not in self.position and not any(state.taken):
                roll_dice(draft, chance)
            if not any(draft.dice) or state.taken[state.turn] == dice_each(len(self.seats)):
                raise BadPosition("nothing_asked", seat=self.seats[state.turn], step=state.step)
        elif state.step == "effect":
            draft.effect = self._effect(state)
            if not effect_choices(state, draft.effect):
                raise BadPosition("nothing_asked", seat=self.seats[state.turn], step=state.step)
        elif state.step == "donate" and not donors(state):
            raise BadPosition("nothing_asked", seat=self.seats[state.turn], step=state.step)
        return draft.state()

    def _tiles(self) -> tuple[tuple[str, ...], ...]:
        given = mapping(self.position.get("tiles"), "tiles", self.owners)
        return tuple(
            tuple(sorted(tile_name(tile, "tiles") for tile in items(given.get(name), "tiles")))
            for name in self.owners
        )

    def _piles(self, owned: Sequence[Sequence[str]], chance: Chance) -> tuple[tuple[str, ...], ...]:
        """The piles; unknown tiles are dealt, and no tile is in two places."""
        given = mapping(self.position.get("piles"), "piles", DISTRICTS)
        seen = Counter(tile for tiles in owned for tile in tiles)
        piles = []
        for at, name in enumerate(DISTRICTS):
            pile = [str(tile) for tile in items(given.get(name), name)]
            known = [tile_name(tile, name) for tile in pile if tile != UNKNOWN]
            for tile in known:
                if HOME[tile] != at:
                    raise BadPosition("bad_value", key=name, value=tile, known=TILES[at])
            seen.update(known)
            rest = list(chance.shuffled([tile for tile in TILES[at] if not seen[tile]]))
            if len(pile) - len(known) > len(rest):
                raise BadPosition("no_tile_left", area=name, known=TILES[at])
            piles.append(tuple(rest.pop(0) if tile == UNKNOWN else tile for tile in pile))
        for tile, count in seen.items():
            if count > 1:
                raise BadPosition("tile_twice", tile=tile, known=TILES[HOME[tile]])
        return tuple(piles)

    def _table(self, key: str, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        given = mapping(self.position.get(key), key, names)
        rows = []
        for name in names:
            row = mapping(given.get(name), f"{key}.{name}", KINDS)
            rows.append(tuple(number(row.get(kind, 0), f"{key}.{name}.{kind}", IN_BOX) for kind in KINDS))
        return tuple(rows)

    def _row(self, key: str, names: Sequence[str], most: int | None = None) -> tuple[int, ...]:
        given = mapping(self.position.get(key), key, names)
        return tuple(number(given.get(name, 0), f"{key}.{name}", most) for name in names)

    def _dice(self, piles: Sequence[Sequence[str]]) -> tuple[int, ...]:
        """Dice of a district that is gone lie at the market."""
        dice = list(self._row("dice", AREAS))
        for at, pile in enumerate(piles):
            if not pile:
                dice[MARKET] += dice[at]
                dice[at] = 0
        return tuple(dice)

    def _flags(self) -> tuple[bool, ...]:
        given = mapping(self.position.get("neutral_given"), "neutral_given", self.seats)
        flags = [given.get(name, False) for name in self.seats]
        for flag in flags:
            if not isinstance(flag, bool):
                raise BadPosition("bad_value", key="neutral_given", value=str(flag), known=("true", "false"))
        return tuple(flags)

    def _submarine(self, piles: Sequence[Sequence[str]]) -> int | None:
        name = self.position.get("submarine")
        if name is None:
            return None
        if name not in AREAS:
            raise BadPosition("bad_value", key="submarine", value=str(name), known=AREAS)
        at = INDEX[name]
        return at if at == MARKET or piles[at] else MARKET

    def _turn(self) -> tuple[int, str]:
        turn = mapping(self.position.get("turn"), "turn", ("seat", "step"))
        first = self.position.get("first", self.seats[0])
        # An effect or gifts tell the step too.
        told = [step for step, key in (("effect", "effect"), ("donate", "gifts")) if self.position.get(key)]
        step = turn.get("step", (*told, "visit")[0])
        if step not in STEPS:
            raise BadPosition("bad_value", key="turn.step", value=str(step), known=STEPS)
        seat = turn.get("seat")
        return self._seat(first if seat is None else seat, "turn.seat"), step

    def _seat(self, name: Any, key: str) -> int:
        if name not in self.seats:
            raise BadPosition("bad_value", key=key, value=str(name), known=self.seats)
        return self.seats.index(name)

    def _effect(self, state: State) -> Effect:
        given = mapping(self.position.get("effect"), "effect", ("tile", "area", "for", "before"))
        tile = tile_name(given.get("tile"), "effect.tile")
        asking = tuple(name for name in EFFECT_ASKS if state.piles[HOME[name]])
        if tile not in asking:
            raise BadPosition("bad_value", key="effect.tile", value=tile, known=asking)
        area = given.get("area", AREAS[HOME[tile]])
        fitting: tuple[str, ...] = AREAS if tile == "J3" else (AREAS[HOME[tile]],)
        if area not in fitting or (area != AREAS[MARKET] and not state.piles[INDEX[area]]):
            raise BadPosition("bad_value", key="effect.area", value=str(area), known=fitting)
        owner = given.get("for", self.seats[state.turn])
        fitting = (self.seats[state.turn], *self.owners[len(self.seats) :])
        if owner not in fitting:
            raise BadPosition("bad_value", key="effect.for", value=str(owner), known=fitting)
        if "before" in given:
            before = set()
            there = tuple(name for name, pile in zip(DISTRICTS, state.piles, strict=True) if pile)
            for name in items(given["before"], "effect.before"):
                if name not in there:
                    raise BadPosition("bad_value", key="effect.before", value=str(name), known=there)
                before.add(INDEX[name])
        else:
            # Districts that hold something now held it before, and most visits go where something lies.
            visited = {INDEX[area], HOME[tile]} - {MARKET}
            before = visited | {at for at in range(MARKET) if any(state.stock[at])}
        return Effect(tile, INDEX[area], self.owners.index(owner), tuple(sorted(before)))

    def _gifts(self, step: str) -> tuple[tuple[Pair, ...] | None, ...]:
        if step != "donate":
            return ()
        if self.donations == "in_turn":  # each gift is carried out at once
            mapping(self.position.get("gifts"), "gifts", ())
            return ()
        given = mapping(self.position.get("gifts"), "gifts", self.seats)
        return tuple(self._gift(given.get(name), f"gifts.{name}") for name in self.seats)

    def _gift(self, given: Any, key: str) -> tuple[Pair, ...] | None:
        if given is None:
            return None
        pairs: list[Pair] = []
        for pair in items(given, key):
            kinds = [kind_name(kind, key) for kind in items(pair, key)]
            if len(kinds) != 2:
                raise BadPosition("bad_value", key=key, value=str(pair), known=KINDS)
            one, two = sorted(kinds, key=KIND_INDEX.__getitem__)
            pairs.append((one, two))
        return tuple(pairs)

    def _count(self, state: State) -> None:
        """Check that no more pieces are used than exist, and none on a district that is gone."""
        for at, kind in enumerate(KINDS):
            total = sum(row[at] for row in (*state.stock, *state.owned))
            if total > IN_BOX:
                raise BadPosition("too_many_resources", kind=kind, count=total, most=IN_BOX)
        for at, name in enumerate(DISTRICTS):
            if not state.piles[at] and any(state.stock[at]):
                raise BadPosition("on_gone", area=name)
        dice, most = sum(state.dice), dice_of(len(self.seats))
        if dice > most:
            raise BadPosition("too_many_dice", count=dice, most=most)
        for seat, gift in enumerate(state.gifts):
            for kind, count in Counter(kind for pair in gift or () for kind in pair).items():
                have = state.owned[seat][KIND_INDEX[kind]]
                if count > have:
                    raise BadPosition("too_many_resources", kind=kind, count=count, most=have)
