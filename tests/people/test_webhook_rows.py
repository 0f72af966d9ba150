"""The rows of webhooks and of what they are to tell, on both databases."""

from datetime import timedelta

import pytest

from app.people import hook_posts, service, webhooks
from app.people.errors import Refused
from app.people.hook_posts import Occasion

ADDRESS = "https://chat.example.org/hooks/one"


@pytest.fixture
def ada(store):
    with store.transaction() as connection:
        return service.keep(connection, "ada@example.org", "ada@example.org", "Ada", "en", "UTC")


def test_a_hook_from_its_test_to_its_end(store, clock, ada):
    now = clock.now()
    secret = webhooks.add(store, now, ada, 0, "json", ADDRESS, ["over", "turn"], ())
    assert secret.startswith("whsec_")
    (hook,) = webhooks.of_player(store, ada)
    assert (hook.status, hook.events, hook.testing) == ("new", " turn over ", True)
    assert hook.masked == "chat.example.org/…/one"
    assert ADDRESS not in repr(hook)
    turn = Occasion(event="turn", occasion="turn:1:red:2", match_id=1, seat="red", run=2)
    with store.transaction() as connection:
        hook_posts.ask(connection, now, turn, ada)
        assert not hook_posts.wanted(connection, ada, None), "no test has arrived"
        assert hook_posts.due(connection, now, 9) == [hook.id]
        held, (test,) = hook_posts.take(connection, now, hook.id)
        assert (test.event, held.secret, repr(held)) == ("test", secret, f"<Held {hook.id}>")
        hook_posts.settle(connection, held, test, "sent")
        hook_posts.arrived(connection, now, held, now + timedelta(minutes=2), tested=True)
        assert hook_posts.wanted(connection, ada, None)
        for _ in range(2):
            hook_posts.ask(connection, now, turn, ada)
        assert hook_posts.take(connection, now, hook.id) is None, "it rests"
        assert hook_posts.due(connection, now, 9) == []
        later = now + timedelta(minutes=2)
        held, posts = hook_posts.take(connection, later, hook.id)
        assert [one.occasion for one in posts] == ["turn:1:red:2"]
        assert hook_posts.take(connection, later, hook.id) is None, "it is held"
        hook_posts.failed(connection, later, held, later + timedelta(minutes=1), "500")
    assert webhooks.count_failing(store) == 1
    with store.transaction() as connection:
        end = later + timedelta(minutes=1)
        held, posts = hook_posts.take(connection, end, hook.id)
        assert (held.failures, held.failing_since, len(posts)) == (1, later, 1)
        assert hook_posts.switch_off(connection, held)
        assert not hook_posts.switch_off(connection, held)
        assert hook_posts.due(connection, end + timedelta(days=1), 9) == []
        assert hook_posts.forget(connection, end, 9) == 2
        assert webhooks.delete_all_of(connection, ada) == 1
    assert webhooks.of_player(store, ada) == []


def test_a_hook_of_a_game_is_apart_from_those_of_its_player(store, clock, ada):
    now = clock.now()
    webhooks.add(store, now, ada, 7, "slack", ADDRESS, ["turn"], ())
    webhooks.add(store, now, ada, 0, "slack", ADDRESS, ["turn"], ())
    with pytest.raises(Refused, match="hook_twice"):
        webhooks.add(store, now, ada, 7, "discord", ADDRESS, ["turn"], ())
    with store.transaction() as connection:
        for held in [hook_posts.take(connection, now, one) for one in hook_posts.due(connection, now, 9)]:
            hook_posts.arrived(connection, now, held[0], now, tested=True)
        hook_posts.ask_of_match(connection, now, Occasion(event="turn", occasion="a", match_id=7))
        hook_posts.ask_of_match(connection, now, Occasion(event="turn", occasion="b", match_id=8))
        hook_posts.ask(connection, now, Occasion(event="turn", occasion="c", match_id=7), ada)
        told = {
            held.match_id: [one.occasion for one in posts if one.event == "turn"]
            for held, posts in (
                hook_posts.take(connection, now, one) for one in hook_posts.due(connection, now, 9)
            )
        }
        assert told == {7: ["a"], 0: ["c"]}
        assert webhooks.delete_of_match(connection, 7, 9) == 1
        assert [one.match_id for one in webhooks.all_of(connection, ada)] == [0]
