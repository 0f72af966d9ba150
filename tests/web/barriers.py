"""What stands in the way of a screen reader, or of eyes that see little contrast, by day and by night."""

from axe_playwright_python.sync_playwright import Axe

COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules about colours: nothing else of a page is different in the dark."""


def barriers(axe: Axe, page, options=None) -> list[str]:
    """A report for the light and one for the dark, if anything is wrong with the page there."""
    found = [axe.run(page, options=options)]
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found.append(axe.run(page, options=COLOURS))
    page.emulate_media(color_scheme="light")
    return [one.generate_report() for one in found if one.violations_count]
