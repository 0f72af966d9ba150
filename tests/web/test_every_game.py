"""Every game can be played by pressing what its pages offer, and nothing else."""

from random import Random

import pytest

from app import games
from tests.web.visits import fields, picks

STEPS = 30


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_a_game_has_its_pages(browser, slug):
    assert browser.get(f"/rules/{slug}").status_code == 200
    form = browser.get(f"/open/{slug}")
    for option in games.all_games()[slug].options:
        assert f'name="option-{option.name}"' in form.text
    assert browser.get(f"/pictures/{slug}.svg").text.startswith("<svg")


@pytest.mark.parametrize("slug", sorted(games.all_games()))
def test_a_game_is_played_by_pressing_what_is_offered(browser, house, slug):
    match_id = house.start("Ada", "Bo", game=slug)
    luck = Random(slug)
    pressed = 0
    for _ in range(STEPS):
        for token in list(house.turns(match_id).values())[:1]:
            path = f"/t/{token}"
            page = browser.get(path)
            for _ in range(6):
                answers = [answer for answer in fields(page.text, "answer") if answer]
                offered = sorted(picks(page.text).values())
                offered = [address for address in offered if address.startswith("?")]
                if answers and (not offered or luck.random() < 0.5):
                    break
                page = browser.get(path + luck.choice(offered).split("#")[0])
            assert page.status_code == 200
            assert answers, "nothing to press"
            question = fields(page.text, "question")[0]
            done = browser.post(path, data={"question": question, "answer": luck.choice(answers)})
            assert done.status_code == 303, done.text
            pressed += 1
            assert browser.get(f"/m/{match_id}").status_code == 200
    over = house.rows('SELECT status FROM "match"')[0].status == "over"
    assert over or pressed == STEPS
    assert len(house.rows("SELECT ply FROM played")) >= pressed > 0
