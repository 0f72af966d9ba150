"""Two players of one name: pages, the log, the lobby, emails and what is said tell them apart."""

import re

import pytest

from app.people import service as people
from app.play.lobby import invitations
from tests.web.forms import form


@pytest.fixture
def match_id(house, store):
    """A running game of Ada and of Bo, who calls themselves Ada too."""
    match_id = house.start("Ada", "Bo", setup="random")
    bo = house.rows("SELECT id FROM player WHERE name = 'Bo'")[0].id
    people.update(store, bo, "ada", "en", "UTC")
    return match_id


def names(html):
    return set(re.findall(r"(?i)(?<!word of )\bada(?: \d)?\b(?!@)", re.sub(r"<title>.*?</title>", "", html)))


def test_the_page_the_log_and_the_lobby(browser, house, match_id):
    house.play(match_id, 4)
    for path in (f"/m/{match_id}", f"/m/{match_id}/log", "/", f"/m/{match_id}/feed.atom"):
        found = {name.casefold() for name in names(browser.get(path).text)}
        assert found == {"ada 1", "ada 2"}, path


def test_what_is_said_is_told_by_who_said_it(browser, house, match_id):
    for n, token in enumerate(house.turns(match_id).values()):
        path = f"/t/{token}"
        sent = form(browser.get(path).text, do="say") | {"text": f"said {n}"}
        browser.post(path, data=sent)
    page = browser.get(f"/m/{match_id}").text
    assert re.search(r"(?i)ada \d[^“]{0,60}“", page)


def test_guests_of_one_name_before_the_start(browser, house):
    match_id = house.open("Ada", "Bo", "Cleo", setup="random")
    tokens = house.invited(match_id)
    for token in tokens[:2]:
        invitations.accept(house.store, token, "Ada", "en", "UTC", "w")
    page = browser.get(f"/i/{tokens[2]}").text
    assert names(page) == {"Ada 1", "Ada 2"}


def test_emails(house, settings, match_id):
    from msgspec.structs import replace

    from app.mail.outbound import deliver

    sent = []
    ready = replace(settings, smtp_url="smtp://unused")
    deliver.run_batch(house.store, ready, lambda _u, _s, to, m: sent.append((to, str(m))))
    assert match_id
    told = {name.casefold() for _, message in sent for name in names(message)}
    assert {"ada 1", "ada 2"} & told
