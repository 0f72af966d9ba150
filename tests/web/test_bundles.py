"""One script and one style sheet, from parts."""

import re

from app.web.core.bundles import JOINED, PARTS, SCRIPT, STYLE, style


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


PHYSICAL = re.compile(
    r"(?:margin|padding|border|inset)-(?:left|right)|(?<![-\w])(?:left|right|float)\s*:|text-align:\s*(?:left|right)"
)
SIDES = re.compile(r"(?:padding|margin|inset):\s*([^;{}()]+);")


def test_no_rule_names_a_side_that_changes_with_the_direction():
    """Pages from right to left are the mirror of the others: every inset, margin and padding is logical."""
    sheet = re.sub(r"/\*.*?\*/", "", style().decode(), flags=re.DOTALL)
    assert PHYSICAL.findall(sheet) == []
    uneven = [
        values
        for values in map(str.split, SIDES.findall(sheet))
        if len(values) == 4 and values[1] != values[3]
    ]
    assert uneven == []


def test_a_rule_that_names_a_side_is_found():
    for rule in ("a { margin-left: 1em; }", "a{float:left}", "a { text-align: right; }", "a { left: 0; }"):
        assert PHYSICAL.search(rule), rule
    for rule in (
        "a { margin-inline-start: 1em; }",
        "a { text-align: start; }",
        "a { linear-gradient(x) left; }",
    ):
        assert not PHYSICAL.search(rule), rule


def test_no_chinese_or_japanese_is_made_bold_by_smearing():
    """Devices without heavy signs show them as they are, with letters of nearly their weight."""
    sheet = style().decode()
    rules = dict(
        re.findall(r"^(:root:is\(:lang\(zh\), :lang\(ja\)\)(?: body)?) \{(.*)\}$", sheet, re.MULTILINE)
    )
    assert "font-synthesis: none" in rules[":root:is(:lang(zh), :lang(ja)) body"]
    assert "--heavy: 500" in rules[":root:is(:lang(zh), :lang(ja))"]
    assert not re.search(r"font-weight: 600", re.sub(r"[^\n]*:lang[^\n]*|\.wrong[^\n]*", "", sheet))
