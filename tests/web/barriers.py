"""What stands in the way of a screen reader, or of eyes that see little contrast, by day and by night."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
ALL = {"runOnly": {"type": "tag", "values": [*TAGS, "best-practice"]}}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules about colours: nothing else of a page is different in the dark."""
_FAULTS_ALONE = {"resultTypes": ["violations"]}
"""What is well needs no report: on a board that is thousands of lines for each rule."""


def barriers(page: Page, rules: dict[str, object] = ALL) -> list[str]:
    """A report of what axe finds wrong with the page as it stands; empty if nothing is."""
    found = Axe().run(page, options=rules | _FAULTS_ALONE)
    return [found.generate_report()] if found.violations_count else []


def barriers_by_day_and_night(page: Page) -> list[str]:
    """As `barriers`, in the light and in the dark."""
    found = barriers(page)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found += barriers(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return found
