"""The small game keeps the contract well enough for the house to be tested with it."""

from app.engine import codec
from app.engine.chance import Chance
from tests.toy import TOY


def test_random_games_of_the_toy_end_both_ways_and_pass_every_question():
    asked, endings = set(), set()
    for number in range(60):
        seed = bytes([number]) * 32
        options = TOY.complete_options(3, {"bank": ("short", "long")[number % 2], "cheers": "on"})
        state = TOY.setup(TOY.colours[:3], options, Chance(seed, 0)).state
        ply = 0
        while decisions := TOY.decisions(state):
            ply += 1
            decision = Chance(seed, ply).apart("mind").pick(decisions)
            asked.add(decision.asks)
            move = Chance(seed, ply).apart("mind").pick(decision.options)
            assert TOY.parse(state, decision.seat, TOY.format(move)) == move
            step = TOY.apply(state, decision.seat, move, Chance(seed, ply))
            assert codec.load_told(TOY.event_types, codec.dump_told(step.told)) == step.told
            state = codec.load_state(TOY, codec.dumps(step.state))
            assert state == step.state
            assert TOY.load(TOY.dump(state), TOY.colours[:3], options, Chance(seed, 0)) == state
            for seat in TOY.colours[:3]:
                other = TOY.resample(state, seat, Chance(seed, ply))
                assert TOY.view(other, seat) == TOY.view(state, seat)
        endings.add(TOY.outcome(state).reason)
    assert asked == set(TOY.asks)
    assert endings == set(TOY.endings)
