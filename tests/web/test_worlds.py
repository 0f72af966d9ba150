"""Two worlds that a reader can't tell apart look the same: pages, emails, feeds, calendars and pictures.

The API is compared in `test_api_secrecy.py`, webhooks in `test_webhooks.py`, the past in `test_past.py`.
"""

import re

import pytest
from msgspec.structs import replace

from app.engine import codec
from app.engine.chance import Chance
from app.games import all_games
from app.mail.core.letter import Composed
from app.play.match import reading
from tests.mail.outbox import compose
from tests.web.test_api_secrecy import after_a_move, put, seat_of
from tests.web.test_feeds import addresses
from tests.web.test_once import THREE_DAYS

HIDING = sorted(slug for slug, game in all_games().items() if not game.open_information)
OPTIONS = {"survive": {"setup": "random"}}
PAGES = ("", "/log", "/5", "/text", "/table", "/feed.atom", "/board.svg", "/statistics")
BEGUN = """SELECT 1 FROM question q JOIN "match" m ON m.id = q.match_id
           WHERE m.id = :m AND q.closed_at IS NULL AND q.run = m.ply"""
"""Whether somebody's turn has just begun: the email about it still goes out."""
ONCE = re.compile(rb'name="once" value="[\w-]+"|data-tag="[^"]*"')
TOKENS = re.compile(r"/[a-z]/[\w-]{20,}|(?:r|u)\+\w+|cid:[^\"]+")


class World:
    """A running game of each kind, and all that can be read of it from outside or from one seat."""

    def __init__(self, app, house, settings, slug: str) -> None:
        self.app, self.house = app, house
        self.settings = replace(settings, smtp_url="smtp://unused", inbox_url="pipe:")
        self.match = house.start("Ada", "Bo", game=slug, rule=THREE_DAYS, **OPTIONS.get(slug, {}))
        house.play(self.match, 9)
        while not house.rows(BEGUN, m=self.match):
            house.play(self.match, 1)
        with house.store.reading() as connection:
            snapshot = reading.by_match(connection, self.match)
        self.game, self.state = snapshot.game, snapshot.load()
        self.feeds = {name: addresses(app.test_client(), house, name) for name in ("Ada", "Bo")}
        self.browsers = {None: app.test_client()}
        for name in ("Ada", "Bo"):
            self.browsers[name] = app.test_client()
            self.browsers[name].post(house.sign_in_link(name))

    def read(self, name: str | None) -> dict[str, object]:
        """What somebody finds on the pages, in their feeds and in the emails that wait for them."""
        site = self.app.extensions["site"]
        for kept in (site.pages, site.boards):
            kept._values.clear()
        browser, found = self.browsers[name], {}
        paths = [f"/m/{self.match}{end}" for end in PAGES]
        for path in (*paths, *self.feeds.get(name, {}).values(), "/", "/games", "/games/mine"):
            answer = browser.get(path)
            found[path] = (answer.status_code, ONCE.sub(b"", answer.data))
        for row in self.house.rows(
            "SELECT l.id FROM letter l JOIN player p ON p.id = l.player_id WHERE p.name = :n ORDER BY l.id",
            n=name or "",
        ):
            if isinstance(written := compose(self.house.store, self.settings, row.id), Composed):
                parts = [part.get_content() for part in written.message.walk() if not part.is_multipart()]
                found[row.id] = (
                    written.message["Subject"],
                    [TOKENS.sub("", part) if isinstance(part, str) else part for part in parts],
                )
        return found


@pytest.mark.parametrize("slug", HIDING)
def test_a_seat_and_an_onlooker_find_the_same_in_worlds_they_cannot_tell_apart(
    app, house, settings, tongue, slug
):
    world = World(app, house, settings, slug)
    moved = after_a_move(world.game, world.state)
    letters = 0
    for name in ("Ada", "Bo", None):
        seat = seat_of(house, world.match, name) if name else None
        seen = world.read(name)
        page = seen[f"/m/{world.match}"]
        assert page[0] == 200
        assert f'<html lang="{tongue}"'.encode() in page[1]
        letters += sum(not str(where).startswith("/") for where in seen)
        other = world.game.resample(world.state, seat, Chance(b"twin" * 8, 0))
        assert other != world.state, "the worlds differ"
        put(house, world.match, codec.dumps(other))
        for where, told in world.read(name).items():
            assert told == seen[where], (name, where)
        put(house, world.match, codec.dumps(moved))
        assert world.read(name)[f"/m/{world.match}"] != page, "what is stored is read"
        put(house, world.match, codec.dumps(world.state))
    assert letters, "somebody is asked"
