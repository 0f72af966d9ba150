"""What was typed into a form that did nothing stands on the answer, ready to be sent again."""

import re
from pathlib import Path

import pytest
from markupsafe import escape

from app.web.core.allowances import REQUESTS
from app.web.core.typed import FREE, NUMBERS
from tests.web.test_doors import ROWS

TEMPLATES = Path(__file__).parent.parent.parent / "templates"

TEXT = "a long line that somebody typed"
BY_PATH = {
    "chat after signing out": ("/m/{match}", {"do": "say", "text": TEXT}, 404),
    "a move after signing out": ("/m/{match}", {"question": "q", "answer": TEXT}, 404),
    "a report after signing out": ("/profile/people?game={match}", {"do": "report", "text": TEXT}, 403),
    "a name after signing out": ("/profile", {"name": TEXT, "language": "en", "zone": "UTC"}, 403),
    "an address after signing out": ("/profile/address", {"address": TEXT}, 403),
    "reminders after signing out": ("/profile/letters", {"do": "habits", "reminders": TEXT}, 403),
    "days after signing out": ("/profile/away", {"do": "away", "first": TEXT}, 403),
    "guests after signing out": ("/m/{open}/table", {"do": "replace", "address": TEXT}, 404),
    "a word by a link that isn't one": ("/i/xxxxxxxxxxxxxxxxxxxxxx", {"do": "accept", "word": TEXT}, 404),
    "a note by a link that isn't one": ("/t/xxxxxxxxxxxxxxxxxxxxxx", {"do": "note", "text": TEXT}, 404),
    "a form for a page without one": ("/rules/survive", {"text": TEXT}, 405),
    "a move that is too long": ("{turn}", {"question": "q", "answer": TEXT * 200}, 413),
    "an address for signing in": ("/sign-in", {"address": TEXT}, 422),
    "an address for links": ("/links", {"address": TEXT}, 422),
}


@pytest.mark.parametrize("case", BY_PATH, ids=str)
def test_a_form_that_did_nothing_comes_back(browser, house, turn, case):
    path, form, status = BY_PATH[case]
    path = path.format(match=turn.match_id, open=house.open("Cleo", "Dan"), turn=turn.path)
    before = house.count()
    answer = browser.post(path, data=form)
    assert answer.status_code == status
    assert TEXT in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert house.count() == before


@pytest.mark.parametrize("path", ["/open/survive", "/links", "/sign-in"])
def test_so_does_one_of_too_many(browser, path):
    form = {"organiser": "ada@example.org", "address": "ada@example.org", "others": TEXT, "seats": "2"}
    sent = [
        browser.post(path, data=form, environ_base={"REMOTE_ADDR": "203.0.113.9"})
        for _ in range(REQUESTS.most + 1)
    ]
    assert sent[-1].status_code == 429
    assert (TEXT if "open" in path else 'value="ada@example.org"') in sent[-1].text
    assert "Please try again in an hour" in sent[-1].text


def test_what_another_site_sends_is_not_shown_here(browser):
    """It isn't what the visitor typed, and could say anything."""
    foreign = {"Origin": "https://evil.example"}
    assert TEXT not in browser.post("/open/survive", data={"others": TEXT}, headers=foreign).text
    assert TEXT not in browser.post(f"/t/{'x' * 22}", data={"text": TEXT}, headers=foreign).text


def test_every_field_that_people_type_in_is_known_as_one():
    found = set()
    for path in TEMPLATES.rglob("*.html"):
        if path.parent.name != "catcher":
            fields = re.findall(r"<textarea\b[^>]*>|<input\b[^>]*>", path.read_text())
            typed = (one for one in fields if re.search(r'^<textarea|type="(text|email|number|date)"', one))
            found |= {name for one in typed for name in re.findall(r'name="([^"]*)"', one)}
    assert found <= FREE | NUMBERS
    assert found >= {"text", "answer", "address", "others"}


EVERYTHING = {name: f"<b>{name}</b> & more\r\nin two lines" for name in sorted(FREE)}
FORMS = sorted({(row.rule, row.do) for row in ROWS})


@pytest.mark.parametrize(("rule", "do"), FORMS, ids=" ".join)
def test_a_form_that_is_refused_comes_back_whatever_it_was(browser, house, turn, rule, do):
    """Without a session, and by links that work: what isn't done shows everything that was typed."""
    guest = house.invited(house.open("Cleo", "Dan"))[0] if rule.endswith("/i/<token>") else ""
    started = house.invited(turn.match_id)[0]
    link = turn.token if rule.startswith("/t/") else guest or started
    path = rule.replace("<token>", link).replace("<int(max=2147483647):match_id>", str(turn.match_id))
    answer = browser.post(path.replace("<slug>", "survive"), data=EVERYTHING | {"do": do})
    if answer.status_code < 400:
        return
    assert answer.text.count("<main") == 1
    assert answer.text.count("&lt;main") == 0
    shown = answer.text.replace("\r\n", "\n")
    lost = [name for name, text in EVERYTHING.items() if str(escape(text)).replace("\r\n", "\n") not in shown]
    assert lost == []


def test_a_form_that_is_too_long_comes_back_whole(browser, turn):
    end = "the last of many words"
    for path in (turn.path, "/open/survive", "/sign-in", "/no-such-page"):
        answer = browser.post(path, data={"text": "word " * 40_000 + end, "answer": "x"})
        assert answer.status_code in (404, 413)
        assert end in answer.text


def test_a_form_of_the_longest_fields_is_read(browser):
    """Chinese takes nine bytes for each character."""
    answer = browser.post("/open/survive", data={"others": "\u6f6e" * 10_000, "organiser": "ada@example.org"})
    assert answer.status_code == 422
    assert "\u6f6e" * 10_000 in answer.text
