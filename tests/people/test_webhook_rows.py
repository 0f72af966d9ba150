"""The rows of webhooks and of what they are to tell, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.people import hook_posts, hook_seals, service, webhooks
from app.people.errors import Refused
from app.people.hook_posts import Occasion
from app.people.sealed import Unopened, is_current, opened, sealed
from app.people.webhooks import Means, NewHook

ADDRESS = "https://chat.example.org/hooks/one"
KEYS = ("the newest key", "an earlier key")
MEANS = Means(KEYS, ())


def added(store, now, player, match_id, form, *events):
    new = NewHook(form, ADDRESS, events or ["turn"], "en")
    with store.transaction() as connection:
        return webhooks.add(connection, now, player, match_id, new, MEANS)


def written(store):
    with store.reading() as connection:
        return connection.execute(text("SELECT * FROM webhook ORDER BY id")).all()


@pytest.fixture
def ada(store):
    with store.transaction() as connection:
        return service.keep(connection, "ada@example.org", "ada@example.org", "Ada", "en", "UTC")


def test_a_hook_from_its_test_to_its_end(store, clock, ada):
    now = clock.now()
    secret = added(store, now, ada, 0, "json", "over", "turn")
    assert secret.startswith("whsec_")
    (hook,) = webhooks.of_player(store, ada)
    assert (hook.status, hook.events, hook.testing) == ("new", " turn over ", True)
    assert hook.masked == "chat.example.org/…/one"
    assert ADDRESS not in repr(hook)
    assert (hook.language, hook.masked) == ("en", "chat.example.org/…/one")
    turn = Occasion(event="turn", occasion="turn:1:red:2", match_id=1, seat="red", run=2)
    with store.transaction() as connection:
        hook_posts.ask(connection, now, turn, ada)
        assert not hook_posts.wanted(connection, ada, None), "no test has arrived"
        assert hook_posts.due(connection, now, 9) == [hook.id]
        held, (test,) = hook_posts.take(connection, now, hook.id)
        assert (test.event, opened(KEYS, held.secret)) == ("test", secret)
        assert repr(held) == f"<Held {hook.id}>"
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
    added(store, now, ada, 7, "slack")
    added(store, now, ada, 0, "slack")
    with pytest.raises(Refused, match="hook_twice"):
        added(store, now, ada, 7, "discord")
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


def test_nothing_secret_of_a_hook_stands_in_the_database(store, clock, ada):
    secret = added(store, clock.now(), ada, 0, "json")
    (row,) = written(store)
    told = repr(row)
    assert "hooks/one" not in told
    assert secret.removeprefix(webhooks.SECRETS) not in told
    assert (opened(KEYS, row.url), opened(KEYS, row.secret)) == (ADDRESS, secret)
    assert opened(KEYS[:1], row.url) == ADDRESS, "the first key sealed it"
    with pytest.raises(Unopened):
        opened(KEYS[1:], row.url)
    assert sealed(KEYS, ADDRESS) != row.url, "equal texts are sealed differently"


def test_a_seal_that_was_changed_opens_nothing():
    kept = sealed(KEYS, ADDRESS)
    for bad in (kept[:-8] + "AAAAAAAA", kept[:20], kept[:16], "sealed:", "sealed:00000000:" + kept[16:]):
        with pytest.raises(Unopened):
            opened(KEYS, bad)
    assert opened(KEYS, ADDRESS) == ADDRESS, "of an earlier version"
    assert sealed(KEYS, "") == opened(KEYS, "") == ""
    assert is_current(KEYS, "")


def test_a_new_key_seals_all_hooks_anew_so_that_the_earlier_one_can_go(store, clock, ada):
    secret = added(store, clock.now(), ada, 0, "json")
    added(store, clock.now(), ada, 7, "slack")
    with store.transaction() as connection:  # as an earlier version kept it
        values = {"url": ADDRESS + "2"}
        connection.execute(text("UPDATE webhook SET url = :url, label = '' WHERE match_id = 7"), values)
    newer = ("a key made today", *KEYS)
    assert hook_seals.look_after(store, clock.now(), newer) == 2
    own, of_game = written(store)
    assert (opened(newer[:1], own.url), opened(newer[:1], own.secret)) == (ADDRESS, secret)
    assert (opened(newer[:1], of_game.url), of_game.secret) == (ADDRESS + "2", "")
    assert of_game.label == "chat.example.org/…one2"
    assert hook_seals.look_after(store, clock.now(), newer) == 0
    clock.advance(hours=13)
    assert hook_seals.look_after(store, clock.now(), newer) == 0
    assert hook_seals.look_after(store, clock.now(), ("another machine's",)) == 0, "what it can't open stays"
    assert written(store) == [own, of_game]


def test_however_many_hooks_there_are_all_are_sealed_anew(store, clock, ada, monkeypatch):
    monkeypatch.setattr(hook_seals, "AT_A_TIME", 2)
    for match_id in range(5):
        added(store, clock.now(), ada, match_id, "json")
    assert hook_seals.seal_anew(store, ("newer", *KEYS)) == 5
    assert all(is_current(("newer",), one.url) for one in written(store))
