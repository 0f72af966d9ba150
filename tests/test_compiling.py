"""Leaner Jinja prints what Jinja prints."""

import re
from types import SimpleNamespace

import pytest
from jinja2 import Environment, StrictUndefined, TemplateRuntimeError, pass_context, pass_eval_context
from markupsafe import Markup, escape

from app.compiling import LeanEnvironment, escaped


class Marked:
    """Something that brings its own markup."""

    def __html__(self) -> str:
        return "<hr>"


class Callable:
    """A value that can be called, and asks for the context."""

    @pass_context
    def __call__(self, context: object) -> str:
        return f"<{type(context).__name__.removeprefix('Lean')}>"


@pass_eval_context
def escapes(context: object, text: str) -> str:
    """A function that asks whether the template escapes."""
    return f"{text} {context.autoescape}"  # type: ignore[attr-defined]


VALUES = ("a", "<b>", "x" * 50 + "&", "<" * 50, Markup("<i>"), 7, -1, True, None, 1.5, Marked(), (1, "<"), "")


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_escaped_as_ever(value: object) -> None:
    assert escaped(value) == escape(value)
    assert type(escaped(value)) in (str, Markup)
    assert escaped(value) == escape(value)  # the kept form too


TEXTS = (
    "{{ a }}{{ b }}{{ m }}{{ n }}{{ a ~ m }}{{ a|upper }}{{ [a]|join }}{{ m|length }}",
    "{% macro f(x, y='<', z=none) %}{{ x }}-{{ y }}-{{ z }}{% endmacro %}{{ f(a) }}{{ f(a, z=n) }}",
    "{% macro f(x, y, z=1) %}{{ x }}-{{ y }}-{{ z }}{% endmacro %}{{ f(a, b, m) }}{{ f(x=f(a, b), y=b) }}",
    "{% macro f() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, a, q=b) }}{{ f() }}",
    "{% macro f(x) %}<p>{{ caller() }}{{ x }}</p>{% endmacro %}{% call f(a) %}{{ b }}{% endcall %}",
    "{% macro f(x) %}{{ caller(x, '<') }}{% endmacro %}{% call(u, v) f(a) %}{{ u }}{{ v }}{% endcall %}",
    "{% macro f(caller=none) %}{{ caller }}{% endmacro %}{{ f() }}{{ f(a) }}",
    "{% set t %}{{ a }}<{% endset %}{{ t }}",
    "{% for x in many if x != a %}{{ loop.index }}{{ f2(x) }}{% endfor %}",
    "{% for x in many %}{{ wants() }}{{ asks(x) }}{{ dict(k=x).k }}{{ range(2)|list }}{% endfor %}",
    "{{ thing.name }}{{ thing.part.name }}{{ thing.rows.items()|list }}{{ thing.nothing|default('-') }}",
    "{% for x in many if x != thing.name %}{{ thing.part.name.lower() }}{{ x.y is defined }}{% endfor %}",
    "{{ things|selectattr('n', 'gt', 1)|map(attribute='n')|join }}{{ things|rejectattr('n')|list|length }}",
    "{{ things|selectattr('name', 'in', ['<x>', 'y'])|list|length }}",
    "{{ things|selectattr('no', 'undefined')|list|length }}",
    "{{ things|map(attribute='name')|map('upper')|first }}{{ []|selectattr('n')|map(attribute='n')|list }}",
    "{{ things|map(attribute='no', default='<')|list|join }}{{ things|map(attribute='part.name')|first|e }}",
    "{{ many|map('length')|list }}{{ pairs|selectattr(1, 'eq', 2)|map(attribute=0)|list|join }}",
    "{{ things|rejectattr('name', 'none')|selectattr('n', 'odd')|map(attribute='name')|list|join }}",
    "{{ [things[1]]|selectattr('items', 'eq', 'a')|list }}{{ things|selectattr('n', 'callable')|list }}",
    "{% block here %}{{ f2(a) }}{{ f2(f2(m)) }}{% endblock %}{{ self.here() }}",
    "{% autoescape false %}{{ a }}{% endautoescape %}{% autoescape true %}{{ a }}{% endautoescape %}",
    "{% macro f(x) %}{{ x }}{% endmacro %}{% filter upper %}{{ f(a) }}{% endfilter %}{{ f.name }}",
    "{% macro inner(x) %}{{ x }}{% endmacro %}{% macro outer(g) %}{{ g(a) }}{% endmacro %}{{ outer(inner) }}",
)
FAULTS = (
    "{% macro f(x) %}{% endmacro %}{{ f(1, 2) }}",
    "{% macro f(x) %}{% endmacro %}{{ f(y=2) }}",
    "{% macro f(x) %}{% endmacro %}{{ f(1, x=2) }}",
    "{% macro f(x) %}{{ x }}{% endmacro %}{{ f() }}",
    "{{ nothing() }}",
    "{{ a.nothing }}",
    "{{ things|map(attribute='nothing')|join }}",
    "{{ things|selectattr('n', 'nosuchtest')|list }}",
    "{{ nothing|selectattr('n')|list }}",
    "{{ a.nothing.more }}",
    "{{ nothing.more }}",
    "{% macro f() %}{{ caller() }}{% endmacro %}{{ f() }}",
)


def _rendered(kind: type[Environment], text: str, *, safe: bool) -> str:
    environment = kind(autoescape=safe, undefined=StrictUndefined)
    values = {"a": "<a>", "b": "b&", "m": Markup("<m>"), "n": 3, "many": ["<a>", "é<", "ok"]}
    part = {"name": "<P>"}
    values |= {"thing": SimpleNamespace(name="<n>", part=part, rows={"items": "an item, and no method"})}
    values["things"] = [
        SimpleNamespace(name="<x>", n=2, part=part),
        {"name": "y", "n": 0, "part": part, "items": "an item"},
        SimpleNamespace(name="z&", n=3, part=part),
    ]
    values["pairs"] = [("<a>", 1), ("<b>", 2)]
    tools = {"f2": lambda x: f"{x}!", "wants": Callable(), "asks": escapes}
    return re.sub(r"\bLean", "", environment.from_string(text).render(**values, **tools))


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("text", TEXTS)
def test_templates_print_what_they_printed(text: str, safe: bool) -> None:
    assert _rendered(LeanEnvironment, text, safe=safe) == _rendered(Environment, text, safe=safe)


@pytest.mark.parametrize("text", FAULTS)
def test_faults_are_the_same_faults(text: str) -> None:
    found = []
    for kind in (Environment, LeanEnvironment):
        with pytest.raises((TypeError, TemplateRuntimeError)) as raised:
            _rendered(kind, text, safe=True)
        found.append((type(raised.value), str(raised.value)))
    assert found[0] == found[1]


@pytest.mark.parametrize("safe", [True, False])
def test_a_macro_called_from_python_is_markup_only_where_its_file_escapes(safe: bool) -> None:
    environment = LeanEnvironment(autoescape=safe)
    made = environment.from_string("{% macro f(x, y='y') %}{{ x }}{{ y }}{% endmacro %}").module.f("<")
    assert type(made) is (Markup if safe else str)
    assert made == ("&lt;y" if safe else "<y")


def test_what_is_settled_is_asked_when_a_template_is_loaded_and_prints_the_same() -> None:
    asked = []

    def say(name: str, **facts: object) -> str:
        asked.append(name)
        return Markup(f"<b>{name}</b>") if name == "marked" else f"<{name}{facts or ''}>"

    text = (
        "<p>{{ say('a') }}'\\ \n{{ say('marked') }}{{ say('b', n=1) }}{{ x }}{{ say('c', n=x) }}{{ say(x) }}"
        "{{ say('a')|upper }}{{ say('a') ~ x }}{% set kept = say('marked') %}{{ kept }}{{ say(*[x]) }}"
        "{% macro f(y) %}<i>{{ say('d') }}</i>{{ y }}{% endmacro %}{{ f(say('e')) }}"
        "{% block z %}{{ say('a') }}{% endblock %}"
        "{{ say('f') if x else say('g') }}{% set told %}{{ say('a') }}<{% endset %}{{ told }}"
    )
    pages, needed = set(), []
    for settled in (frozenset[str](), frozenset({"say"})):
        environment = LeanEnvironment(autoescape=True, undefined=StrictUndefined)
        environment.settled = settled
        environment.globals["say"] = say
        template = environment.from_string(text)
        asked.clear()
        pages |= {template.render(x="<x>"), template.render(x="<x>")}
        needed.append(set(asked))
    assert len(pages) == 1
    assert needed == [{"a", "marked", "b", "c", "d", "e", "f", "<x>"}, {"c", "<x>"}]
