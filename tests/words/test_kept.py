"""Sentences are kept by their facts, and never said for others."""

from datetime import UTC, datetime
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from app import templating, words
from app.words import catalogue


@pytest.mark.parametrize(("one", "other"), [("<b>", Markup("<b>")), (1, True), (0, False), (0, None)])
def test_a_kept_sentence_is_not_said_for_an_equal_fact_of_another_kind(one: object, other: object) -> None:
    macro = "{% macro told(x, y=1) %}{{ x }} {{ y }}{% endmacro %}"
    made = templating.environment().from_string(macro).make_module()
    for facts in ((one,), (other,), (one,)):
        with mock.patch.object(catalogue, "find", return_value=made.told):
            assert words.say("kinds", "en", "told", *facts) == made.told(*facts)
            assert words.say("kinds", "en", "told", x=facts[0], y=facts[0]) == made.told(facts[0], facts[0])


def test_equal_moments_of_two_zones_are_told_apart() -> None:
    moment = datetime(2026, 3, 2, 12, tzinfo=UTC)
    there = moment.astimezone(ZoneInfo("Asia/Tokyo"))
    assert moment == there
    made = templating.plain().from_string("{% macro told(x) %}{{ x }}{% endmacro %}").make_module()
    with mock.patch.object(catalogue, "find", return_value=made.told):
        said = [words.say("kinds", "en", "moments", one) for one in (moment, there)]
    assert said[0] != said[1]
