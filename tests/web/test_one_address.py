"""Every field for one address takes it as a mail program copies it, with the name beside it."""

import re
from pathlib import Path

import pytest

from tests.web.test_once import SELF

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
COPIED = "Cleo Copied <cleo@example.org>"


def test_no_field_leaves_the_check_to_the_browser_which_would_refuse_a_name():
    for path in TEMPLATES.rglob("*.html"):
        assert 'type="email"' not in path.read_text(), path
        for field in re.findall(r'<input\b[^>]*name="(?:address|organiser)"[^>]*>', path.read_text()):
            assert 'inputmode="email"' in field, path


@pytest.mark.parametrize("path", ["/sign-in", "/links"])
def test_signing_in_and_links(browser, house, path):
    house.start("Cleo", "Bo", setup="random")
    assert browser.post(path, data={"address": COPIED}).status_code == 303
    kind = "sign_in" if path == "/sign-in" else "links"
    assert house.rows("SELECT kind FROM letter WHERE kind = :k", k=kind) == [(kind,)]


def test_a_new_game_an_invitation_and_the_profile(browser, house):
    form = {"organiser": "Ada <ada@example.org>", "others": "Bo <bo@example.org>", "seats": "2", "bots": "0"}
    assert browser.post("/open/survive", data=form | {"clock": "none"}).location == "/opened"
    ada, _ = house.invited(1)
    browser.post(f"/i/{ada}", data={"do": "accept", **SELF, "name": "Ada <ada@example.org>"})
    assert house.rows("SELECT name, address FROM player") == [("Ada", "ada@example.org")]
    number = house.rows("SELECT id FROM invitation WHERE NOT organiser")[0].id
    browser.post(f"/i/{ada}", data={"do": "replace", "invitation": number, "address": COPIED})
    browser.post(house.sign_in_link("Ada"))
    browser.post("/profile/address", data={"address": "Ada <ada@new.example>"})
    addresses = {row.address for row in house.rows("SELECT address FROM invitation")}
    assert addresses == {"ada@example.org", "bo@example.org", "cleo@example.org"}
    assert house.rows("SELECT to_address FROM letter WHERE kind = 'address'") == [("ada@new.example",)]
