"""Every page in every state: axe finds nothing, and nothing is wider than the screen."""

import pytest

from tests.share import sharing
from tests.web.barriers import barriers
from tests.web.states import ADA, States

LOOKS = [("light", 1400, "en"), ("dark", 360, "ja"), ("light", 360, "fa"), ("dark", 1400, "zh-Hant")]
"""Schemes and widths, each with a language."""
PARTS = 8
"""Of the states: each run visits half of them, each in one look, and `-m long` all of them in all looks."""
CASES = sharing(
    [(*look, part) for look in LOOKS for part in range(PARTS)],
    *((*look, 2 * number) for number, look in enumerate(LOOKS)),
)


@pytest.mark.parametrize(("scheme", "width", "language", "part"), CASES)
def test_axe_finds_nothing_on_any_page_in_any_state(house, site, visit, scheme, width, language, part):
    states, wrong = States(house), []
    with house.store.transaction() as connection:
        connection.exec_driver_sql(f"UPDATE player SET language = '{language}'")
    look = {
        "color_scheme": scheme,
        "viewport": {"width": width, "height": 800},
        "reduced_motion": "reduce",
        "locale": language,
    }
    ada = visit(site + house.sign_in_link("Ada"), **look)
    ada.locator("main").get_by_role("button").click()
    ada.wait_for_url(f"{site}/")
    guest = visit(site, **look)
    for name, browser, address, act in list(states.all())[part::PARTS]:
        page = ada if browser == ADA else guest
        page.goto(site + address)
        act(page)
        wrong += [f"{name}: {one}" for one in barriers(page)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{name} is wider than the screen")
    assert wrong == [], "\n".join(wrong)
