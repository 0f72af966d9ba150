"""Every page in every language: no English is left on it, and it says which language it is."""

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from app.play.clock.rules import Rule
from app.words import available
from tests.leftovers import faults_of_page, loose, on_page
from tests.web.visits import House

LANGUAGES = [code for code in available() if code != "en"]
RULE = Rule("per_move", per_move=3 * 86400, grace=43200, off=(5, 6))
NAMES = {
    "Tidepost",
    "Ada",
    "Bo",
    "Cleo",
    "Dora",
    "Emil",
    "Atlandice",
    "Atom",
    "Webhook",
    "webhook",
    "cookie",
    "UTC",
    "Lisbon",
    "WET",
    "Python",
    "HMAC",
    "Discord",
    "Slack",
    "JSON",
    "Standard",
    "Webhooks",
    "SHA",
    "base",
    "mod",
}
KNOWN = NAMES | {
    "resign",
    "help",
    "pass",
    "done",
    "none",
    "flag",
    "olive",
    "helmet",
    "pot",
    "ring",
    "crown",
    "statue",
}


@pytest.fixture
def addresses(house: House) -> dict[str, str]:
    """The pages by what they are: a match of each game for onlookers and for its player, and others."""
    found = {
        one: one
        for one in (
            "/",
            "/help",
            "/help/api",
            "/rules",
            "/games",
            "/games/finished",
            "/sign-in",
            "/links",
            "/privacy",
        )
    }
    for game in ("survive", "atlantis", "atlandice"):
        match_id = house.start(
            "Ada", "Bo", game=game, rule=RULE, **({"setup": "random"} if game == "survive" else {})
        )
        house.play(match_id, 6)
        token = next(iter(house.turns(match_id).values()))
        found |= {
            f"{game}: onlooker": f"/m/{match_id}",
            f"{game}: player": f"/t/{token}",
            f"{game}: settings": f"/t/{token}/table",
            f"{game}: log": f"/m/{match_id}/log",
            f"{game}: earlier": f"/m/{match_id}/3",
            f"{game}: rules": f"/rules/{game}",
            f"{game}: new": f"/open/{game}",
            f"{game}: try": f"/try/{game}",
        }
    (first, second, *_) = house.invited(house.open("Dora", "Emil"))
    return found | {"invitation": f"/i/{second}", "host": f"/i/{first}"}


@pytest.mark.slow
def test_no_page_has_english_left_in_another_language(browser, addresses, house):
    """One test for all languages, because the games are played once for all."""
    wrong = {}
    for language in LANGUAGES:
        with house.store.transaction() as connection:
            connection.exec_driver_sql(f"UPDATE player SET language = '{language}'")
        for name, address in addresses.items():
            page = browser.get(address, headers={"Accept-Language": language})
            assert page.status_code == 200, (address, page.status_code)
            if found := faults_of_page(page.text, language, KNOWN):
                wrong[language, name] = found
    assert sorted(wrong.items()) == []


@pytest.mark.slow
def test_no_page_of_a_player_has_english_left_in_another_language(browser, house):
    house.start("Ada", "Bo", rule=RULE)
    browser.post(house.sign_in_link("Ada"))
    wrong = {}
    for language in LANGUAGES:
        with house.store.transaction() as connection:
            connection.exec_driver_sql(f"UPDATE player SET language = '{language}'")
        for address in (
            "/",
            "/profile",
            "/profile/letters",
            "/profile/away",
            "/profile/people",
            "/profile/delete",
            "/profile/programs",
            "/profile/webhooks",
            "/games/mine",
        ):
            page = browser.get(address)
            assert page.status_code == 200, address
            if found := faults_of_page(page.text, language, KNOWN):
                wrong[language, address] = found
    assert sorted(wrong.items()) == []


def test_a_space_between_two_sentences_is_found():
    assert loose("<p>沈めました。 次の番です。</p>") == ["沈めました。 次の番です。"]
    assert loose("<p>沈めました。</p>\n<p>次の番です。</p><textarea>はい。 いいえ。</textarea>") == []
    assert loose('<p>沈めました。 <a href="/">記録</a></p>') == []


def test_what_is_left_of_english_is_found():
    page = "<body><p>خانه‌ی E5 Your turn <code>sink E5</code> <bdi>Some Body</bdi> ship1 Ada</p></body>"
    assert on_page(page, KNOWN) == {"Your", "turn"}
    assert on_page('<body><img alt="A board"></body>', set()) == {"board"}


NAME = "آدا بانو"
ALONE = {"td", "th", "dd", "dt", "h1", "h2", "option", "title", "textarea", "label", "button"}


def mixed(html: str) -> list[str]:
    """The places where a name stands within other text and isn't isolated from it."""
    tree = LexborHTMLParser(html)
    found = []
    for node in tree.css("*"):
        own = node.text(deep=False)
        if NAME not in own or re.fullmatch(rf"(?:[^{NAME[0]}]|[\u2066-\u2068]{NAME}\u2069)*", own):
            continue
        inside = [node]
        while (parent := inside[-1].parent) is not None and parent.tag != "body":
            inside.append(parent)
        isolated = any(
            one.tag == "bdi" or "seat" in (one.attributes.get("class") or "").split() for one in inside
        )
        block = next((one for one in inside if one.tag in ALONE), None)
        if not isolated and (block is None or block.text().strip() != NAME):
            found.append(f"<{node.tag}> {' '.join(own.split())[:120]}")
    return found


def test_a_name_from_right_to_left_is_isolated_on_every_page(browser, house):
    """A number behind it would otherwise change places with it."""
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    house.play(match_id, 6)
    token = next(iter(house.turns(match_id).values()))
    host, guest = house.invited(house.open("Dora", "Emil"))
    with house.store.transaction() as connection:
        connection.exec_driver_sql(f"UPDATE player SET name = '{NAME}' WHERE name = 'Ada'")
    wrong = {}
    for address in (
        f"/m/{match_id}",
        f"/m/{match_id}/log",
        f"/t/{token}",
        f"/t/{token}/table",
        f"/i/{guest}",
        f"/i/{host}",
        "/",
        "/games",
    ):
        page = browser.get(address)
        assert page.status_code == 200, address
        if found := mixed(page.text):
            wrong[address] = found
    browser.post(house.sign_in_link(NAME))
    for address in ("/", "/profile", "/profile/people", "/games/mine", "/profile/letters"):
        if found := mixed(browser.get(address).text):
            wrong[address] = found
    assert wrong == {}


def test_a_name_within_other_text_is_found():
    assert mixed(f"<body><p>{NAME}: 3</p></body>")
    assert not mixed(f"<body><p><bdi>{NAME}</bdi>: 3</p><h1>{NAME}</h1><p>\u2068{NAME}\u2069 3</p></body>")
