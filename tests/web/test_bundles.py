"""One script and one style sheet, from parts."""

from app.web.core.bundles import JOINED, PARTS, SCRIPT, STYLE


def test_every_part_is_joined():
    assert {path.stem for path in (PARTS / "script").glob("*.js")} == set(SCRIPT)
    assert {path.stem for path in (PARTS / "style").glob("*.css")} == set(STYLE)


def test_they_are_kept_for_a_year_and_asked_after_for_nothing(browser):
    page = browser.get("/").text
    for name, joined in JOINED.items():
        address = page[page.index(f"/static/{name}?") :].split('"')[0]
        answer = browser.get(address)
        assert answer.data == joined()
        assert answer.headers["Cache-Control"] == "public, max-age=31536000"
        again = browser.get(address, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
