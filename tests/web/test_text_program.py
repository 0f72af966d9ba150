"""The program of the help page, in another language than ours, finds files true that are, and no others."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from app.transcripts.form import MatchFile, Played
from app.transcripts.writing import text_of
from tests.share import in_blocks
from tests.transcripts.random_matches import MANY, match_of
from tests.web.test_match_text import begun, finish

SITE = "http://127.0.0.1/"


@pytest.fixture
def console(chrome, browser):
    """A page of the site, and the program of the help page."""
    page = chrome.new_page()

    def answer(route):
        found = browser.get(route.request.url.removeprefix("http://127.0.0.1"))
        route.fulfill(status=found.status_code, body=found.data, content_type=found.content_type)

    page.route("**/*", answer)
    page.goto(f"{SITE}help")
    shown = page.locator("#text-program").text_content()
    assert len([line for line in shown.splitlines() if line.strip()]) <= 30
    yield page, shown
    page.close()


def test_a_downloaded_game_is_found_true(store, clock, console):  # noqa: ARG001
    page, program = console
    seated = begun(store, "survive", 8)
    finish(store, seated)
    ready = program.replace("/m/17/text", f"/m/{seated.match_id}/text")
    assert ready != program
    with page.expect_console_message() as told:
        page.evaluate(ready)
    assert told.value.text == "yes"


@pytest.mark.parametrize(("_", "numbers"), in_blocks([""], range(MANY), blocks=30))
def test_random_games_are_found_true_and_edited_ones_not(console, _, numbers):
    page, program = console
    page.evaluate(f"{program[: program.index('fetch(')]};globalThis.check = check; 0")
    for number in numbers:
        match = match_of(number)
        assert page.evaluate("(text) => check(text)", text_of(match)) == "yes"
        for edited, named in edits(match):
            assert named in page.evaluate("(text) => check(text)", edited)


def edits(match: MatchFile) -> Iterator[tuple[str, str]]:
    """The file with another fingerprint, another word and another draw, and what is said then."""
    text = text_of(match)
    digit = re.search(r"fingerprint: (.)", text)
    assert digit
    yield text.replace(digit[0], f"fingerprint: {'1' if digit[1] == '0' else '0'}"), "fingerprint"
    yield re.sub(r'(word 1 \w+: ")', r"\1x", text), "move 0"
    plies = [one for one in match.lines if isinstance(one, Played)]
    ply, line = next(
        (n, one) for n, one in reversed(list(enumerate(plies))) if any(draw.among > 1 for draw in one.draws)
    )
    draws = tuple(msgspec.structs.replace(draw, result=(draw.result + 1) % draw.among) for draw in line.draws)
    other = msgspec.structs.replace(line, draws=draws)
    lines = tuple(other if one is line else one for one in match.lines)
    yield text_of(msgspec.structs.replace(match, lines=lines)), f"move {ply}"
