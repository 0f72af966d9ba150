"""What holds for every kind of letter, whatever made it. A kind that is added is looked at here, too."""

import re
from collections import defaultdict
from html.parser import HTMLParser

import pytest
from sqlmodel import SQLModel

from app.mail.letters.kinds import KINDS
from app.web import create_app
from tests.mail.letters_of_each_kind import Kinds
from tests.mail.outbox import LINK, body

SCANNER = {"User-Agent": "Mozilla/5.0 (compatible; SafeLinks; link checker)", "Purpose": "prefetch"}
VOID = frozenset({"meta", "br", "img", "link", "hr", "input", "base"})
TOKEN = re.compile(r"https://h\.example/(?:t|i|s|a|c|k)/([\w-]{22,23})|r\+([a-z2-7]{26})@|/u/([a-z2-7]+)")


@pytest.fixture
def house(outbox, clock):
    made = Kinds(outbox, clock)
    assert set(made.kinds()) == set(KINDS)
    return made


@pytest.fixture
def letters(house):
    return [(kind, message) for kind, found in house.kinds().items() for message in found]


def html(message):
    return message.get_body(("html",)).get_content()


def everything(outbox):
    """All rows of all tables, but for the counters: a link that leads nowhere any more is counted there."""
    tables = [table.name for table in SQLModel.metadata.sorted_tables if table.name != "counter"]
    return {name: outbox.rows(f'SELECT * FROM "{name}" ORDER BY 1, 2') for name in tables}


def test_scanners_that_open_all_links_of_all_letters_three_times_change_nothing(letters, outbox):
    """Nor do those that run scripts: no page of a link sends its own form or leads elsewhere by itself."""
    browser = create_app(outbox.settings, outbox.store).test_client()
    before = everything(outbox)
    seen, opened = set(), defaultdict(set)
    for kind, message in letters:
        found = set(LINK.findall(body(message))) | set(
            re.findall(r'href="(https://h\.example[^"]*)', html(message))
        )
        for link in sorted(found - seen):
            visitor = {"REMOTE_ADDR": f"10.0.0.{len(seen) % 200}"}
            seen.add(link)
            path = link.removeprefix("https://h.example").replace("&amp;", "&")
            for method in ("GET", "HEAD", "GET", "HEAD", "GET", "HEAD"):
                page = browser.open(path, method=method, headers=SCANNER, environ_overrides=visitor)
                where = page.headers.get("Location", "")
                assert page.status_code in (200, 404, 410) or where.startswith("/sign-in"), (kind, link)
                assert "Set-Cookie" not in page.headers
                opened[kind].add(page.status_code)
            page = browser.get(path, environ_overrides=visitor).text
            scripts = re.findall(r"<script\b[^>]*>[^<]*", page)
            assert all(re.fullmatch(r'<script[^>]* src="/[^"]+"[^>]*>\s*', one) for one in scripts), link
            assert "http-equiv" not in page
            assert not re.search(r"\son\w+=", page)
    assert set(opened) == set(KINDS)
    assert all(200 in statuses for statuses in opened.values()), opened
    assert everything(outbox) == before


def test_no_public_page_and_no_log_holds_a_token(letters, outbox, caplog):
    """What opens a seat stands in its player's letters alone: not in pages, feeds or figures for a watch."""
    tokens = {
        next(filter(None, found)) for _, message in letters for found in TOKEN.findall(body(message))
    } | {
        found
        for _, message in letters
        for found in re.findall(r"r\+([a-z2-7]{26})@", str(message["Reply-To"]))
    }
    assert len(tokens) > len(letters)
    browser = create_app(outbox.settings, outbox.store).test_client()
    paths = ["/", "/healthz", "/sign-in", "/help", "/rules", "/links"]
    for row in outbox.rows('SELECT id FROM "match" WHERE started_at IS NOT NULL'):
        paths += [f"/m/{row.id}", f"/m/{row.id}/0", f"/m/{row.id}/log", f"/m/{row.id}/feed.atom"]
    for path in paths:
        page = browser.get(path, follow_redirects=True)
        assert page.status_code in (200, 503), path
        held = page.text + str(page.headers)
        assert not [token for token in tokens if token in held], path
    assert not [token for token in tokens if token in caplog.text]


class Shown(HTMLParser):
    """Every piece of text of a letter with the size and the colours in which a mail client shows it.

    Only styles of the elements themselves count: some clients drop all else.
    """

    def __init__(self, source):
        super().__init__()
        self.path = [("", {"colour": None, "ground": None, "size": None, "seen": True})]
        self.pieces, self.chips = [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        facts = dict(attrs)
        style = dict(
            part.strip().split(":", 1) for part in (facts.get("style") or "").split(";") if ":" in part
        )
        style = {name.strip(): value.strip() for name, value in style.items()}
        now = dict(self.path[-1][1])
        now["colour"] = style.get("color", now["colour"])
        now["ground"] = style.get("background-color", now["ground"])
        now["size"] = style.get("font-size", now["size"])
        now["seen"] = now["seen"] and style.get("display") != "none" and tag not in ("style", "title")
        if facts.get("class") == "chip":
            self.chips.append(len(self.pieces))
        if tag not in VOID:
            self.path.append((tag, now))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.path.pop()[0] == tag

    def handle_data(self, data):
        now = self.path[-1][1]
        if data.strip() and now["seen"]:
            self.pieces.append((data.strip(), now, [tag for tag, _ in self.path]))


def light(colour):
    """Relative luminance of #rrggbb."""
    assert re.fullmatch(r"#[0-9a-fA-F]{6}", colour), colour
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def inverted(colour):
    return "#" + "".join(f"{255 - int(colour[at : at + 2], 16):02x}" for at in (1, 3, 5))


def test_every_piece_of_text_has_a_size_and_colours_of_its_own(letters):
    """A mail client once showed a board in size nought; another turns all colours round. Both can be read."""
    for kind, message in letters:
        shown = Shown(html(message))
        assert len(shown.pieces) > 5, kind
        for piece, looks, path in shown.pieces:
            where = (kind, piece[:40], path)
            assert looks["size"], where
            assert float(looks["size"].removesuffix("px")) >= 11, where
            assert looks["colour"], where
            assert looks["ground"], where
            assert contrast(looks["colour"], looks["ground"]) >= 4.5, where
            assert contrast(inverted(looks["colour"]), inverted(looks["ground"])) >= 4.5, where
            if "pre" in path:
                assert "td" in path[: path.index("pre")], where
        for at in shown.chips:
            assert re.match(r"\w+", shown.pieces[at][0]), "the colour beside a patch of it is named"


def test_the_text_of_every_letter_is_enough_by_itself(letters):
    """Whoever reads plain text alone, or whose client shows no pictures, misses nothing."""
    pictures = 0
    for kind, message in letters:
        assert message.get_content_type() == "multipart/alternative", kind
        plain = body(message)
        assert "<" not in re.sub(r"<https?:[^>]*>", "", plain), kind
        assert set(re.findall(r'href="(https://h\.example/[tisa]/[^"?]+)', html(message))) == {
            link.partition("?")[0]
            for link in LINK.findall(plain)
            if re.match(r"https://h\.example/[tisa]/", link)
        }, kind
        if any(part.get_content_type() == "image/png" for part in message.walk()):
            pictures += 1
            assert re.search(r"is on place \d", plain), kind
            assert re.search(r'<img [^>]*alt="[^"]+', html(message)), kind
    assert pictures > 5


def test_every_letter_is_one_of_its_own_and_belongs_to_its_game(letters, house):
    """One name a letter; all of a game hang on one root, so that mail programs show them together."""
    names = [message["Message-ID"] for _, message in letters]
    assert len(set(names)) == len(names)
    games = dict(house.outbox.rows("SELECT id, match_id FROM letter"))
    for kind, message in letters:
        game = games[message["Message-ID"].strip("<>").partition("@")[0]]
        roots = str(message["References"] or "").split()[:1]
        assert roots == ([f"<match.{game}@h.example>"] if game else []), kind
        assert message["Auto-Submitted"] in ("auto-generated", "auto-replied"), kind
        assert message["X-Auto-Response-Suppress"] == "All", kind
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", kind
        assert re.search(r"<https://h\.example/u/[a-z2-7]+>", message["List-Unsubscribe"]), kind


def test_every_deadline_in_a_letter_is_a_date_with_its_zone(letters):
    """“In two hours” is of no use to who reads it the next day."""
    dated = 0
    for kind, message in letters:
        plain = " ".join(body(message).split())
        for found in re.finditer(r"[Pp]lease move by (.{60})", plain):
            dated += 1
            assert re.match(
                r"\w+ \d+ \w+ \d{4}, \d\d:\d\d \((UTC|([A-Z]+, )?UTC[+\-]\d\d:\d\d)\)", found[1]
            ), (
                kind,
                found[0],
            )
    assert dated > 5
