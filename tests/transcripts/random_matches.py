"""Whole random matches as files: of any game, edition, seats and options, with undo and resignations."""

import functools
import hashlib
from datetime import UTC, datetime, timedelta

import msgspec

from app.engine import codec, dice
from app.engine.chance import Chance, commitment
from app.engine.errors import BadOptions
from app.engine.game import Game, Options
from app.games import editions
from app.transcripts.form import MatchFile, Played, Said, Word
from app.transcripts.replaying import Fault, Replay
from app.transcripts.verifying import ending_of, word_lines

MANY = 300
NAMES = ("Ada", "Bö “B” \\ Bo", "\u674e\u96f7", "\u0634\u0647\u200c\u0631", "Eve: #1 [2/6]")
WORDS = ("gale, 12:34", "シャチ", "", 'say "no"', "\u2028\u202e=")
BEGUN = datetime(2024, 3, 1, 18, 30, tzinfo=UTC)
TABLES = [
    (slug, game.edition, seats)
    for slug, all_of in editions().items()
    for game in all_of
    for seats in game.seats
]


def random_options(game: Game, seats: int, chance: Chance) -> Options:
    """Choices of options that can be had together."""
    chosen: dict[str, str] = {}
    for option in game.options:
        tried = {**chosen, option.name: chance.pick(option.choices)}
        try:
            game.complete_options(seats, tried)
        except BadOptions:
            continue
        chosen = tried
    return {name: choice for name, choice in chosen.items() if choice != usual(game, name)}


def usual(game: Game, name: str) -> str:
    return next(one.choices[0] for one in game.options if one.name == name)


@functools.lru_cache(maxsize=8)
def match_of(number: int) -> MatchFile:
    """The match of this number, played to its end."""
    slug, edition, seats = TABLES[number % len(TABLES)]
    secret = hashlib.sha256(f"match {number}".encode()).digest()
    mind = Chance(secret, 0, "mind")
    formula = mind.pick((dice.EARLIER, dice.CURRENT, dice.CURRENT))
    words = [mind.pick(WORDS) for _ in range(seats)]
    drawn = dice.drawn(secret, words, formula)
    game = next(one for one in editions()[slug] if one.edition == edition)
    players = game.colours[:seats]
    options = random_options(game, seats, mind)
    replay = Replay(slug, edition, players, game.complete_options(seats, options), drawn.seed)
    lines: list[Played | Said] = [Played(None, "start", replay.first.draws, BEGUN)]
    moves, at, resigns = 0, BEGUN, mind.below(4) == 0
    while replay.outcome is None:
        moves, at = moves + 1, at + timedelta(seconds=mind.below(90_000))
        decision = mind.pick([one for one in game.decisions(replay.state) if not one.optional])
        moods = ("undo",) if mind.below(12) == 0 else ()
        if resigns and mind.below(60) == 0 and decision.seat not in replay.resigned:
            moods = ("resign",)
        move = mind.pick(decision.options) if decision.options else decision.default
        if not decision.options:
            move = game.bot(game.view(replay.state, decision.seat), decision, mind.apart(str(moves)))
        assert move is not None
        for text in (*moods, game.format(move)):
            try:
                made = replay.line(decision.seat, text)
            except Fault:
                continue
            lines.append(Played(decision.seat, text, made.draws, at, by_clock=mind.below(30) == 0))
            break
        if mind.below(40) == 0:
            lines.append(talk(players, mind, at))
    places = word_lines(secret, drawn.seed, seats, formula)
    names = tuple((seat, NAMES[place]) for place, seat in enumerate(players))
    made_up = MatchFile(
        game=slug,
        edition=edition,
        players=players,
        lines=tuple(lines),
        ending=None,
        options=tuple(options.items()),
        clock=mind.pick(("", codec.dumps({"kind": "per_move", "per_move": 3 * 86400}))),
        bots=mind.pick(((), players[1:2])),
        names=names,
        commitment=commitment(secret),
        dice=formula,
        words=tuple(
            Word(place, players[seat], word) for word, (place, seat) in zip(drawn.words, places, strict=True)
        ),
        secret=secret.hex(),
    )
    ending = ending_of(replay.outcome, players, at)
    return msgspec.structs.replace(made_up, ending=ending)


def talk(players: tuple[str, ...], mind: Chance, at: datetime) -> Said:
    seat = mind.pick(players)
    name = NAMES[players.index(seat)]
    if mind.below(2):
        facts = codec.dumps({"name": name, "text": 'Line\none\u2028 "two" \\ #3 🌊'})
        return Said("said", seat, seat, facts, at)
    return Said("extended", seat, mind.pick(players), codec.dumps({"days": 2}), at)
