from functools import cache

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from app import templating, words
from app.web.core import rendering


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


def test_compiled_templates_are_kept_for_the_next_start_and_those_of_another_version_go(
    tmp_path, monkeypatch
):
    for made in (templating.environment, templating.plain):
        monkeypatch.setattr(templating, made.__name__, cache(made.__wrapped__))
    name = "words/en.jinja"
    (tmp_path / "earlier" / "plain").mkdir(parents=True)
    assert not templating.is_compiled(templating.plain(), name), "without a folder"
    templating.keep_compiled(tmp_path)
    assert not templating.is_compiled(templating.plain(), name)
    text = templating.plain().get_template(name).module
    assert templating.is_compiled(templating.plain(), name)
    assert not templating.is_compiled(templating.environment(), name), "which escapes"
    assert [one.name for one in tmp_path.iterdir()] != ["earlier"]
    assert len(list(tmp_path.iterdir())) == 1
    templating.plain.cache_clear()
    templating.keep_compiled(tmp_path)
    monkeypatch.setattr(templating.LeanEnvironment, "compile", None)
    assert dir(templating.plain().get_template(name).module) == dir(text)


def test_pages_of_all_languages_share_what_is_kept_of_their_templates(tmp_path, monkeypatch):
    made = cache(templating.environment.__wrapped__)
    monkeypatch.setattr(templating, "environment", made)
    codes = tuple(words.available())

    def text(code):
        page = rendering.environment.__wrapped__(code)
        page.globals["switches"] = list
        values = {"language": code, "direction": "", "person": None, "sent": (), "path": "/"}
        return page.get_template("errors/away.html").render(values)

    texts = {code: text(code) for code in codes}
    assert len(set(texts.values())) == len(codes)
    templating.keep_compiled(tmp_path)
    for _ in range(2):  # the second time all are read, not compiled
        for code in codes:
            assert text(code) == texts[code]
        monkeypatch.setattr(templating.LeanEnvironment, "compile", None)
