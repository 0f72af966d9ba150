"""Robots open every link of a letter, often and in every way; only a button does anything."""

from urllib.parse import urlsplit

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from app.mail.core.letter import Composed
from app.people import service as people
from app.play.lobby.links import ask_links
from app.web import create_app
from tests.mail.outbox import compose
from tests.mail.test_letters import ADDRESSES, MailContext, desk, links, settings

__all__ = ["desk", "settings"]


def everything(desk: MailContext) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    with desk.store.reading() as connection:
        return {
            table.name: [
                tuple(row) for row in connection.execute(text(f'SELECT * FROM "{table.name}" ORDER BY 1, 2'))
            ]
            for table in SQLModel.metadata.sorted_tables
        }


def letters(desk: MailContext) -> list[Composed]:
    """Every letter that waits."""
    written = [compose(desk.store, desk.settings, letter) for letter in desk.waiting()]
    return [one for one in written if isinstance(one, Composed)]


@pytest.mark.parametrize("stage", ["confirm", "invited", "playing"])
def test_opening_links_changes_nothing_and_shows_what_a_button_would_do(desk, stage):
    if stage == "playing":
        desk.start()
        ask_links(desk.store, ADDRESSES["bo"])
        people.ask_sign_in(desk.store, ADDRESSES["cleo"])
    else:
        desk.open()
    if stage == "invited":
        desk.accept("ada", "confirm")
    browser = create_app(desk.settings, desk.store).test_client()
    written = letters(desk)
    assert written
    before = everything(desk)
    for letter in written:
        for link in links(letter.message):
            path = link.removeprefix("https://play.example.org")
            for _ in range(3):
                for method in ("GET", "HEAD"):
                    answer = browser.open(path, method=method, base_url="https://play.example.org")
                    assert answer.status_code == 200, path
                    assert "Set-Cookie" not in answer.headers
            page = browser.get(path, base_url="https://play.example.org").text
            if urlsplit(link).path.split("/")[1] in ("t", "i", "s"):
                assert 'method="post"' in page
            if "?do=" in link:
                assert link.partition("?do=")[2].replace("%20", " ") in page
    assert everything(desk) == before
