"""Reads the words after the keyword of a move (rules, section 7)."""

import re
from typing import Final

from app.engine.errors import AmbiguousMove, IllegalMove, UnreadableMove
from app.engine.game import Move
from app.engine.reading import nearest
from app.games.survive.board import (
    COLOURS,
    CREATURE_ID,
    CREATURES,
    EXPLORER_ID,
    EXPLORERS,
    FAR,
    ID,
    ISLE_NAMES,
    ISLE_OF,
    KIND_OF,
    KINDS,
    NAME,
    ON_ISLE,
    ON_SHIP,
    RANGE,
    SHIP_ID,
    SHIPS,
    SPACES,
)
from app.games.survive.moves import (
    Board,
    Climb,
    Dolphin,
    Go,
    Hunt,
    Jump,
    Land,
    Lure,
    Orders,
    Pass,
    Place,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    Wind,
    Wish,
)
from app.games.survive.notation.format import written
from app.games.survive.notation.spelling import BETWEEN, LURE
from app.games.survive.rules import creatures
from app.games.survive.rules.ground import teams
from app.games.survive.rules.placing import colours_left
from app.games.survive.state import State
from app.graphemes import cut

_ISLES: Final = {f"isle_{isle.casefold()}": isle for isle in ISLE_NAMES}
_LIST_WORD: Final = re.compile(r"[^>\s:-]+")
_LIST_FORMS: Final = ("orders 3 F5 F6; 1 G4; … ships E2 D4", "orders random")
_IDLE_WORDS: Final = frozenset(("to", "on", "onto", "with", "the", "into", "and", "then", "a", "at"))


class Reader:
    """Reads the words after the keyword, as the seat means them."""

    def __init__(self, state: State, seat: int, text: str, plain: str) -> None:
        self.state = state
        self.seat = seat
        self.text = text
        self.plain = plain
        self.words = [word for word in BETWEEN.split(plain) if word and word not in _IDLE_WORDS]

    def unreadable(self, at: str, *names: str) -> UnreadableMove:
        """The error that points at a word."""
        return UnreadableMove(self.text, cut(at, 40), nearest(at[:40], names) if names else ())

    def exactly(self, count: int) -> list[str]:
        """The words. Raises UnreadableMove if their number differs."""
        if len(self.words) != count:
            raise UnreadableMove(self.text, cut(" ".join(self.words[count:]), 40))
        return self.words

    def space(self, word: str) -> str:
        """A space's name. Raises UnreadableMove."""
        name = word.upper()
        if name not in ID:
            raise self.unreadable(word, *SPACES)
        return name

    def explorer(self, word: str) -> str:
        """An explorer's name; a bare number is one of the seat's own. Raises UnreadableMove."""
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        if word.isdecimal() and len(own) == 1:
            word = f"{own[0]}{word}"
        if word not in EXPLORER_ID:
            raise self.unreadable(word, *EXPLORERS, *SHIPS, *CREATURES)
        return word

    def whereabouts(self, who: str) -> int:
        """The sea or land space where an explorer is, its ship's if it is aboard, or -1."""
        at = self.state.where[EXPLORER_ID[who]]
        if ON_SHIP <= at < ON_ISLE:
            return self.state.ships[at - ON_SHIP]
        return at if at < ON_SHIP else -1

    def named(self, who: str) -> str:
        """The space where an explorer is, its ship's if it is aboard, or "" if it is lost or safe."""
        return NAME[space] if (space := self.whereabouts(who)) >= 0 else ""

    def aboard(self, who: str) -> bool:
        """Whether an explorer is on a ship."""
        return ON_SHIP <= self.state.where[EXPLORER_ID[who]] < ON_ISLE

    def step(self) -> Move:
        """One step of a movement."""
        piece, to = self.exactly(2)
        if piece in CREATURE_ID:
            return self.creature()
        if piece in SHIP_ID:
            return Sail(piece, self.space(to))
        who = self.explorer(piece)
        if to in SHIP_ID:
            return Climb(who, to)
        space = self.whereabouts(who)
        if to in ("isle", "ashore", "island") or to in _ISLES:
            at = self.state.where[EXPLORER_ID[who]]
            if at >= ON_ISLE:
                raise IllegalMove("ashore", piece=who, isle=ISLE_NAMES[at - ON_ISLE])
            if space not in ISLE_OF:
                raise IllegalMove("not_at_isle", piece=who, at=self.named(who))
            isle = ISLE_NAMES[ISLE_OF[space]]
            if _ISLES.get(to, isle) != isle:
                raise IllegalMove("other_isle", piece=who, at=NAME[space], isle=isle)
            return Land(who, isle)
        if to in ("sea", "water") or (self.aboard(who) and to.upper() == NAME[space]):
            if not self.aboard(who):
                raise IllegalMove("not_aboard", piece=who)
            return Jump(who, NAME[space])
        return Go(who, self.space(to))

    def sink(self) -> Move:
        """The tile to remove."""
        return Sink(self.space(self.exactly(1)[0]))

    def path(self, words: list[str], start: int) -> tuple[str, tuple[str, ...]]:
        """The end of a path, and the spaces entered if several are given, without the start."""
        spaces = tuple(self.space(word) for word in words)
        if len(spaces) > 1 and ID[spaces[0]] == start:
            spaces = spaces[1:]
        if not spaces or len(spaces) > FAR + 1:
            raise UnreadableMove(self.text, cut(" ".join(words), 40))
        return spaces[-1], spaces if len(spaces) > 1 else ()

    def play(self) -> Move:
        """A tile play. The tile's name may be left out, because the piece implies it."""
        lure = LURE.match(self.plain)
        words = self.words[2:] if lure and self.words[0] == "move" else self.words
        tile = f"move-{lure[1]}" if lure else ""
        if lure and self.words[0] != "move":
            words = self.words[1:]
        elif words and words[0] in ("dolphin", "wind", "winds"):
            tile, words = words[0].rstrip("s"), words[1:]
        if not words:
            raise UnreadableMove(self.text, nearest=("play dolphin red3 E9", "play wind ship2 D4"))
        piece, *rest = words
        move: Move
        if piece in CREATURE_ID:
            needs, (to, path) = f"move-{KIND_OF[CREATURE_ID[piece]]}", self.path(rest, -1)
            if path:
                raise self.unreadable(rest[-1])
            move = Lure(piece, to)
        elif piece in SHIP_ID:
            needs = "wind"
            move = Wind(piece, *self.path(rest, self.state.ships[SHIP_ID[piece]]))
        else:
            needs, who = "dolphin", self.explorer(piece)
            move = Dolphin(who, *self.path(rest, self.whereabouts(who)))
        if tile and tile != needs:
            raise IllegalMove("wrong_piece", tile=tile, piece=piece)
        return move

    def creature(self) -> Move:
        """A creature move. If the number is left out, the one creature that can go there."""
        words = self.words
        if words == ["pass"]:
            return Pass()
        if words and words[0] in CREATURE_ID:
            start = self.state.creatures[CREATURE_ID[words[0]]]
            return Hunt(words[0], *self.path(words[1:], start))
        kind = words[0] if words and words[0] in KINDS else ""
        to = self.space(words[1 if kind else 0]) if len(words) == (2 if kind else 1) else ""
        if not to:
            raise self.unreadable(words[0] if words else self.text, *CREATURES, "pass")
        found: list[Move] = []
        if self.state.die in RANGE:
            creatures.add_hunts(self.state, found)
        fits = [hunt for hunt in found if isinstance(hunt, Hunt) and hunt.to == to]
        fits = [hunt for hunt in fits if hunt.creature.startswith(kind)]
        if len(fits) > 1:
            raise AmbiguousMove(self.text, tuple(written(hunt) for hunt in fits))
        if not fits:
            raise IllegalMove("no_creature_reaches", to=to, die=self.state.die)
        return fits[0]

    def board(self) -> Move:
        """The swimmers that board a new ship."""
        names = [self.explorer(word) for word in self.words]
        return Board(tuple(sorted(names, key=EXPLORER_ID.__getitem__)))

    def place(self) -> Move:
        """A value and a tile, in either order."""
        words = self.words
        if words and words[0] in ("ship", "ships"):
            self.words = words[1:]
            return self.ship()
        if words == ["random"]:
            return PlaceRandom()
        colour, value, spaces = self.wish(words)
        if value is None or len(spaces) != 1:
            raise UnreadableMove(self.text, cut(self.plain, 40), ("place 3 F5",))
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        if len(own) > 1 and not colour:
            left = colours_left(self.state, self.seat)
            if len(left) != 1:
                raise AmbiguousMove(self.text, tuple(written(Place(value, spaces[0], c)) for c in own))
            colour = left[0]
        return Place(value, spaces[0], colour if len(own) > 1 else self.only(colour, own))

    def only(self, colour: str, own: tuple[str, ...]) -> str:
        """Always "": players with one colour may name it. Raises IllegalMove for another colour."""
        if colour and colour not in own:
            raise IllegalMove("not_yours", piece=colour)
        return ""

    def wish(self, words: list[str]) -> tuple[str, int | None, tuple[str, ...]]:
        """A colour, a value and spaces, in any order. Empty if left out. Raises UnreadableMove."""
        colour, value = "", None
        spaces: list[str] = []
        for word in words:
            if word in COLOURS and not colour:
                colour = word
            elif word.isdecimal() and len(word) < 4 and value is None:
                value = int(word)
            else:
                spaces.append(self.space(word))
        return colour, value, tuple(spaces)

    def ship(self) -> Move:
        """The space of the next ship."""
        if self.words == ["random"]:
            return PlaceRandom(ship=True)
        return PutShip(self.space(self.exactly(1)[0]))

    def orders(self) -> Orders:
        """A whole placing list."""
        if self.words == ["random"]:
            return Orders(random=True)
        own = teams(self.state.seats, self.state.variant.two).colours[self.seat]
        plain = self.plain.replace("...", " ")
        explorers, _, coast = re.sub(r"\bships?\b", "|", plain, count=1).partition("|")
        wishes: list[Wish] = []
        last = ""
        for entry in explorers.split(";"):
            for words in wishes_in(entry):
                if len(words) == 1 and words[0] in COLOURS:
                    last = words[0]
                    continue
                colour, value, tiles = self.wish(words)
                if value is None:
                    raise self.unreadable(" ".join(words))
                last = colour or last
                if len(own) > 1 and not last:
                    raise IllegalMove("which_colour", at=" ".join(words), colours=own)
                wishes.append(Wish(value, tiles, last if len(own) > 1 else self.only(last, own)))
        after = [word for word in re.split(r"[>\s,;:-]+", coast) if word]
        if (explorer := next((word for word in after if word.isdecimal()), None)) is not None:
            raise UnreadableMove(self.text, explorer, nearest=_LIST_FORMS[:1])  # they stand before the ships
        spaces = [self.space(word) for word in after]
        if not wishes and not spaces:
            raise UnreadableMove(self.text, nearest=_LIST_FORMS)
        return Orders(tuple(wishes), tuple(spaces))


def wishes_in(entry: str) -> list[list[str]]:
    """The words of each wish between two semicolons: one wish, unless commas or values separate more.

    Where each part between commas has a value, each is a wish. Where a value leads, each later one leads on.
    """
    parts = [_LIST_WORD.findall(part) for part in entry.split(",")]
    parts = [part for part in parts if part]
    values = [sum(map(str.isdecimal, part)) for part in parts]
    if all(count == 1 for count in values):
        return parts
    words = [word for part in parts for word in part]
    if sum(values) < 2 or not all(map(_leads, [part for part in parts if any(map(str.isdecimal, part))])):
        return [words] if words else []
    wishes: list[list[str]] = [[]]
    for n, word in enumerate(words):
        begins = word.isdecimal() and not (n and words[n - 1] in COLOURS)
        if n and (begins or (word in COLOURS and words[n + 1 : n + 2] and words[n + 1].isdecimal())):
            wishes.append([])
        wishes[-1].append(word)
    return wishes


def _leads(words: list[str]) -> bool:
    """Whether a value stands first, or right behind a colour."""
    return words[1 if words[0] in COLOURS and len(words) > 1 else 0].isdecimal()
