import pytest
from jinja2 import TemplateNotFound, UndefinedError

from app import templating


def test_pages_escape_and_text_does_not():
    name = "<b>Ada</b>"
    assert templating.environment().from_string("{{ name }}").render(name=name) == "&lt;b&gt;Ada&lt;/b&gt;"
    assert templating.plain().from_string("{{ name }}").render(name=name) == name
    escapes = templating.environment().autoescape
    assert callable(escapes)
    assert [escapes(file) for file in ("a.html", "b.svg", None)] == [True] * 3
    assert [escapes(file) for file in ("a.txt", "words/en.jinja")] == [False] * 2


@pytest.mark.parametrize("environment", [templating.environment, templating.plain])
def test_a_name_that_is_not_there_is_an_error(environment):
    with pytest.raises(UndefinedError):
        environment().from_string("{{ nobody }}").render()
    with pytest.raises(TemplateNotFound):
        environment().get_template("no/such.html")
