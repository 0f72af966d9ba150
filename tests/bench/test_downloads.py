"""The weight of a page is that of all that a browser fetches for it."""

from app.bench import downloads, load

PAGE = downloads.Page("a page", "/", "", 60)
HTML = """<link rel="stylesheet" href="/a.css"><link rel="alternate" href="/feed">
<link rel="icon" href="/i.svg"><script src="/a.js" defer></script><img src="/i.svg">
<img src="/later.svg" loading="lazy"><a href="/else">x</a>"""


def test_a_page_is_weighed_with_what_it_loads(monkeypatch):
    sizes = {"/": HTML.encode(), "/a.css": b"1" * 1000, "/a.js": b"2" * 2000, "/i.svg": b"3" * 500}

    def answered(_port, request):
        body = sizes[request.split()[1].decode()]
        return 200, {}, body[: len(body) // 2] if b"gzip" in request else body

    monkeypatch.setattr(load, "ask", answered)
    figures = {one.name: one for one in downloads._weight(PAGE, 80)}
    assert figures["a page: requests"].runs == (4,)
    assert figures["a page: all, plain"].runs == ((len(HTML) + 3500) / 1000,)
    assert figures["a page: all, compressed"].reached < figures["a page: all, plain"].reached
    assert figures["a page: all, compressed"].met


def test_where_there_is_no_browser_it_is_said(monkeypatch):
    monkeypatch.setattr(downloads, "BROWSERS", ("a-browser-that-nobody-has",))
    (figure,) = downloads._paints((PAGE,), 80)
    assert "not measured: no browser" in figure.row()
    assert figure.met is None
    assert figure.facts()["note"]
