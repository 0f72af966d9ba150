"""The session's cookie is Flask's own, whoever of the two wrote it."""

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature

from app.web.core.sessions import CookieSessions

HOLDS = (
    {},
    {"_permanent": True, "seats": {"12": ["k" * 22, 1_760_000_000]}},
    {"language": "日本語", "back": '/m/1?" t=1'},
    {"seats": {str(n): [f"key {n}", n] for n in range(20)}},
)


def serializers(keys=("newest",)):
    app = Flask("any")
    app.config.update(SECRET_KEY=keys[0], SECRET_KEY_FALLBACKS=list(keys[1:]))
    found = [one.get_signing_serializer(app) for one in (CookieSessions(), SecureCookieSessionInterface())]
    assert None not in found
    return found


@pytest.mark.parametrize("holds", HOLDS)
def test_each_reads_what_the_other_wrote(holds):
    ours, flasks = serializers()
    assert ours.loads(flasks.dumps(holds)) == flasks.loads(ours.dumps(holds)) == ours.loads(ours.dumps(holds))
    assert ours.loads(ours.dumps(holds)) == holds


def test_a_type_that_only_flask_writes_is_read():
    ours, flasks = serializers()
    assert ours.loads(flasks.dumps({"pair": (1, 2)})) == {"pair": (1, 2)}


def test_a_long_one_is_as_short_as_flasks():
    ours, flasks = serializers()
    many = {"seats": {str(n): ["the same key", 1_760_000_000] for n in range(20)}}
    assert len(ours.dumps(many)) <= len(flasks.dumps(many)) + 20


def test_an_older_key_is_read_and_the_newest_signs():
    old, _ = serializers(("older",))
    both, _ = serializers(("newest", "middle", "older"))
    assert both.loads(old.dumps({"a": 1})) == {"a": 1}
    assert serializers(("newest",))[0].loads(both.dumps({"a": 1})) == {"a": 1}


@pytest.mark.parametrize(
    "change", [str.upper, lambda one: one[:-1], lambda one: f"x{one}", lambda one: one[:0] + "é.é.é"]
)
def test_nothing_else_is_read(change):
    ours, _ = serializers()
    with pytest.raises(BadSignature):
        ours.loads(change(ours.dumps({"a": 1})))


def test_a_cookie_by_an_ended_key_or_too_old_is_not_read(monkeypatch):
    ours, _ = serializers()
    with pytest.raises(BadSignature):
        serializers(("another",))[0].loads(ours.dumps({"a": 1}))
    signer = ours.make_signer()
    now = signer.get_timestamp()
    monkeypatch.setattr(type(signer), "get_timestamp", lambda _self: now - 100)
    written = ours.dumps({"a": 1})
    monkeypatch.setattr(type(signer), "get_timestamp", lambda _self: now)
    assert ours.loads(written, max_age=100) == {"a": 1}
    with pytest.raises(BadSignature):
        ours.loads(written, max_age=99)
