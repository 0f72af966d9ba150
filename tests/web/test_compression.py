"""Pages are compressed and kept by browsers, unless their size or their copy could tell a secret."""

import gzip

import pytest

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def squeezed(browser, address, **headers):
    answer = browser.get(address, headers=GZIP | headers)
    assert answer.status_code == 200, address
    return answer.headers.get("Content-Encoding") == "gzip"


@pytest.mark.parametrize(
    "address", ["/rules/survive", "/help", "/", "/m/1", "/m/1/0", "/pictures/survive.svg"]
)
def test_what_everybody_sees_is_compressed_and_the_same(browser, house, turn, address):
    assert turn.match_id == 1
    house.play(1, 1)
    plain = browser.get(address)
    assert "Content-Encoding" not in plain.headers
    small = browser.get(address, headers=GZIP)
    assert gzip.decompress(small.data) == plain.data or 'name="once"' in plain.text
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 2
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert "Content-Security-Policy" in answer.headers


def test_static_files_are_compressed(browser, house, turn):  # noqa: ARG001 - Ada has played before
    page = browser.get("/").text
    for name in ("tidepost.css", "tidepost.js"):
        address = page[page.index(f"/static/{name}?") :].split('"')[0]
        assert squeezed(browser, address)
        browser.post(house.sign_in_link("Ada"))
        assert squeezed(browser, address), "a file that is the same for everybody holds no secret"
    assert "Content-Encoding" not in browser.get("/static/no-such.css?guess", headers=GZIP).headers


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "identity, gzip; q=0.0", "x-gzips"])
def test_nobody_gets_what_they_cannot_read(browser, accepted):
    answer = browser.get("/help", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("accepted", ["gzip", "GZIP", "br, gzip;q=0.5", "gzip; q=1.0, *"])
def test_whoever_can_read_it_gets_it(browser, accepted):
    assert browser.get("/help", headers={"Accept-Encoding": accepted}).headers["Content-Encoding"] == "gzip"


def test_a_page_for_somebody_that_repeats_the_request_is_not_compressed(browser, house, turn):
    """BREACH: what the request says, and what nobody may know, in one compressed page."""
    assert squeezed(browser, turn.path)
    assert not squeezed(browser, f"{turn.path}?do=sink+F7")
    assert squeezed(browser, "/m/1?do=sink+F7"), "an onlooker's page holds no secret"
    browser.post(house.sign_in_link("Ada"))
    assert squeezed(browser, "/m/1")
    for address in ("/m/1?do=guess", "/profile?asked=1", "/rules?x=y"):
        assert not squeezed(browser, address), address
    answer = browser.post("/m/1", data={"do": "resign", "word": "guess"}, headers=GZIP)
    assert answer.status_code == 422
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("address", ["/rules", "/rules/survive", "/help", "/m/1/0", "/m/1"])
@pytest.mark.parametrize("headers", [{}, GZIP], ids=["plain", "gzip"])
def test_what_has_not_changed_is_not_sent_again(browser, house, turn, address, headers):
    assert turn.match_id == 1
    house.play(1, 1)
    first = browser.get(address, headers=headers)
    whose = "public" if address.startswith(("/rules", "/help")) else "private"
    assert first.headers["Cache-Control"] == f"{whose}, no-cache"
    again = browser.get(address, headers=headers | {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    browser.post(house.sign_in_link("Ada"))
    mine = browser.get(address, headers=headers | {"If-None-Match": first.headers["ETag"]})
    assert mine.status_code == 200, "another page, for another reader"
    assert mine.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in mine.headers["Vary"]
    assert "Accept-Language" in mine.headers["Vary"]


def test_a_refused_form_is_not_kept(browser, turn):
    answer = browser.post(turn.path, data={"do": "resign", "word": "no"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert browser.get(turn.path).headers["Cache-Control"] == "no-store", (
        "nor is a page with a token in its address"
    )
