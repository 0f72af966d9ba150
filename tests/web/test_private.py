"""A private game answers people who don't play in it as if it did not exist, at every address."""

import re

import pytest
from sqlalchemy import text

from app.play.seats import operating

NONE = 987_654


def private(house, *names, **more):
    match_id = house.start(*names, setup="random", **more)
    with house.store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = :p WHERE id = :m'), {"p": True, "m": match_id})
    return match_id


def addresses(app, match_id):
    """Every address that names a match by its number."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if "match_id" in rule.arguments:
            values = {"match_id": match_id} | dict.fromkeys(rule.arguments - {"match_id"}, 0)
            path = adapter.build(rule.endpoint, values, method=next(iter(rule.methods - {"OPTIONS"})))
            yield from ((path, method) for method in sorted(rule.methods - {"OPTIONS", "HEAD"}))
    for query in ("?ply=0", "?log=all", "?done=say", "?pick=red1"):
        yield f"/m/{match_id}{query}", "GET"


def bare(answer):
    """An answer without moment, key of a form, and number of the match, which errors of the API repeat."""
    unlike = {"Date", "Content-Length"} if answer.request.path.startswith("/api/") else {"Date"}
    return (
        answer.status_code,
        re.sub(rb"(/api/v1/matches/|name=.once. value=.)[\w-]+", rb"\1", answer.get_data()),
        sorted((k, "" if k == "Set-Cookie" else v) for k, v in answer.headers if k not in unlike),
    )


@pytest.mark.usefixtures("tongue")
@pytest.mark.parametrize("who", ["nobody", "a stranger", "the host of another game"])
def test_it_does_not_exist_for_others(app, browser, house, who):
    house.start("Cleo", "Dan", setup="random")
    match_id = private(house, "Ada", "Bo")
    if who != "nobody":
        browser.post(house.sign_in_link("Dan" if who == "a stranger" else "Cleo"))
    here, nowhere = list(addresses(app, match_id)), list(addresses(app, NONE))
    assert len(here) > 8
    for (path, method), (absent, _) in zip(here, nowhere, strict=True):
        for sent in (
            ({},) if method == "GET" else ({}, {"do": "say", "text": "x"}, {"do": "resign"}, {"do": "show"})
        ):
            found = browser.open(path, method=method, data=sent or None)
            missing = browser.open(absent, method=method, data=sent or None)
            if found.status_code not in (303, 401, 403):  # of any game they ask to sign in first
                assert found.status_code == 404, path
            assert bare(found) == bare(missing), path


def test_its_players_see_it_by_every_way(browser, house):
    match_id = private(house, "Ada", "Bo")
    token = next(iter(house.turns(match_id).values()))
    assert browser.get(f"/t/{token}").status_code == 200
    browser.post(house.sign_in_link("Bo"))
    for path in (f"/m/{match_id}", f"/m/{match_id}?ply=0", f"/m/{match_id}/table"):
        assert browser.get(path, follow_redirects=True).status_code == 200, path


@pytest.mark.usefixtures("tongue")
def test_no_list_names_it(browser, house):
    seen = house.start("Cleo", "Dan", setup="random")
    hidden = private(house, "Ada", "Bo")
    page = browser.get("/").text
    assert f"/m/{seen}" in page
    assert f"/m/{hidden}" not in page


@pytest.mark.usefixtures("tongue")
def test_a_game_that_the_operator_hid_is_as_private_until_it_is_shown_again(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    ways = [f"/m/{match_id}{end}" for end in ("", "/log", "/board.svg", "/0/board.png", "/feed.atom")]
    seen = [path for path in ways if browser.get(path).status_code == 200]
    assert len(seen) >= 4
    assert operating.hide(house.store, match_id)
    assert [path for path in seen if browser.get(path).status_code != 404] == []
    assert f"/m/{match_id}" not in browser.get("/").text
    assert operating.unhide(house.store, match_id)
    assert [path for path in seen if browser.get(path).status_code != 200] == []
