"""Names of another direction keep their order wherever they stand, and no grapheme of theirs is cut."""

import re
from html import unescape

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.mail.core.letter import Composed
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.seats import chat
from tests.mail.outbox import compose
from tests.web.test_feeds import addresses
from tests.web.test_once import THREE_DAYS
from tests.web.test_worlds import PAGES

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
NAMES = {"en": f"עדי {FAMILY} 12!", "fa": f"Zoë {FAMILY} 12!"}
"""In each language a player's name of the other direction, with signs that have none."""
ISOLATED = ("<bdi>", "\u2066", "\u2068")


@pytest.fixture
def spoken(language: str) -> str:
    return language


def bare(where: str, told: str, name: str) -> list[str]:
    """The places where a name is not isolated, or is not whole."""
    told = unescape(told).replace("\r\n ", "")
    assert told.count("👩\u200d👩") == told.count(FAMILY), where
    return [
        f"{where}: {told[max(0, found.start() - 60) : found.end()]}"
        for found in re.finditer(re.escape(name), told)
        if not told[: found.start()].endswith(ISOLATED)
    ]


@pytest.mark.parametrize("language", sorted(NAMES))
def test_a_name_of_the_other_direction_is_isolated_and_whole(app, house, settings, language):
    name = NAMES[language]
    match = house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE player SET name = :n WHERE name = 'Bo'"), {"n": name})
    house.play(match, 9)
    other = house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id
    chat.say(house.store, Viewer(player_id=other), match, "!")
    browser = app.test_client()
    feeds = addresses(browser, house, "Ada")
    browser.post(house.sign_in_link("Ada"))
    lists = ("/", "/games", "/games/finished", "/games/mine", f"/profile/people?game={match}")
    wrong, seen = [], 0
    for over in (False, True):
        if over:
            service.resign(house.store, Viewer(player_id=other), match)
        for path in (*(f"/m/{match}{end}" for end in PAGES if end != "/text"), *lists, *feeds.values()):
            told = browser.get(path).get_data(as_text=True)
            seen += name in told
            wrong += bare(path, told, name)
    mails = replace(settings, smtp_url="smtp://unused", inbox_url="pipe:")
    for row in house.rows("SELECT max(id) AS id, kind FROM letter GROUP BY kind"):
        if isinstance(written := compose(house.store, mails, row.id), Composed):
            for part in written.message.walk():
                if part.get_content_maintype() == "text":
                    seen += name in (told := part.get_content())
                    wrong += bare(f"{row.kind} {part.get_content_subtype()}", told, name)
    assert seen > 10
    assert wrong == []
