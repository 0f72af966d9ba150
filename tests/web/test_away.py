"""While the database is away every page and every form says so, with 503, and what was typed is kept."""

import re
import select
import socket
import sqlite3
from contextlib import ExitStack, closing
from html import unescape

import pytest

from app.store.session import Store
from app.web import create_app
from tests.gate import Gate
from tests.servers import PATIENCE, database_in, fresh_database
from tests.web.site import Site
from tests.web.visits import House, Turn, fields

PAGES = ["/", "/m/1", "/t/x", "/i/x", "/profile", "/f/x/games.atom", "/m/1/feed.atom", "/links?sent=1"]
FORMS = ["/sign-in", "/links", "/t/x", "/m/1", "/i/x", "/s/x", "/a/x", "/open/survive"]


def said(answer):
    assert answer.status_code == 503, answer.status_code
    assert int(answer.headers["Retry-After"]) > 0
    assert "This site isn’t available right now" in answer.text
    return answer.text


@pytest.fixture
def hurried(settings, store_url):
    """An app that waits for nothing, on the same database."""
    store = Store(store_url, patience=0.05)
    yield create_app(settings, store)
    store.engine.dispose()


@pytest.fixture
def holder(store_url):
    """Somebody who keeps the SQLite file locked for writing."""
    held = sqlite3.connect(store_url.removeprefix("sqlite:///"), isolation_level=None)
    yield held
    held.close()


@pytest.fixture
def gone(settings, postgres):
    """A browser whose site's PostgreSQL is stopped."""
    with Gate(fresh_database(postgres)) as gate:
        gate.shut()
        store = Store(gate.address, patience=0.2)
        app = create_app(settings, store)
        yield app.test_client()
        store.engine.dispose()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_that_the_database_is_stopped(gone, path, caplog):
    if path == "/profile":
        with gone.session_transaction() as session:
            session["key"] = "x"
    if path.startswith(("/links", "/f/")):  # these need no data, or not before the address is known
        assert gone.get(path).status_code in (200, 404, 503)
        return
    page = said(gone.get(path))
    assert f'href="{path}"' in page
    assert "Traceback" not in caplog.text
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("path", FORMS)
def test_a_form_says_so_and_keeps_what_was_typed(gone, path, caplog):
    typed = {
        "do": "say",
        "text": "a <long> text & more",
        "address": "a@example.org",
        "organiser": "b@example.org",
    }
    typed |= {"others": "c@example.org", "seats": "2", "once": "0123456789"}
    page = said(gone.post(path, data=typed))
    assert f'<form method="post" action="{path}">' in page
    for name, value in typed.items():
        assert fields(page, name) == [value]
    assert '<pre class="typed" dir="auto" translate="no">a &lt;long&gt; text &amp; more</pre>' in page
    assert not any(record.exc_info for record in caplog.records)


def test_a_move_while_the_file_is_locked_can_be_sent_again(hurried, holder, store):
    house = House(store)
    match_id = house.start("Ada", "Bo", setup="random")
    seat, token = next(iter(house.turns(match_id).items()))
    browser = hurried.test_client()
    turn = Turn(match_id, seat, token, browser.get(f"/t/{token}").text)
    holder.execute("BEGIN IMMEDIATE")
    form = {"question": turn.question, "do": "say", "text": "good luck"}
    page = said(browser.post(turn.path, data=form))
    assert browser.get(turn.path).status_code == 200, "reading goes on"
    holder.execute("ROLLBACK")
    address = unescape(re.search(r'<form method="post" action="(/t/[^"]*)">', page)[1])
    again = {name: fields(page, name)[0] for name in form}
    assert again == form
    assert browser.post(address, data=again).status_code == 303
    assert "good luck" in browser.get(turn.path).text


def test_a_full_disk_says_so(hurried, store):
    house = House(store)
    path = f"/t/{next(iter(house.turns(house.start('Ada', 'Bo', setup='random')).values()))}"
    with hurried.extensions["site"].store.statements() as lent:
        cursor = lent.connection.cursor()
        pages = cursor.execute("PRAGMA page_count").fetchall()[0][0]
        cursor.execute(f"PRAGMA max_page_count={pages}")
    browser = hurried.test_client()
    answers = [browser.post(path, data={"do": "say", "text": f"{n} " + "long " * 150}) for n in range(8)]
    assert "long long" in said(answers[-1])


@pytest.mark.parametrize("path", ["//evil.example/m/1", "/\\evil.example/m/1", "/m/1%0a%22%3E"])
def test_the_way_back_leads_to_this_site(settings, store, path):
    """Browsers read two slashes, and backslashes too, as the name of another site."""
    closed = create_app(settings, store, is_open=lambda: False).test_client()
    page = said(closed.post("/", environ_overrides={"PATH_INFO": path}, data={"text": "x"}))
    address = unescape(re.search(r'<form method="post" action="([^"]*)">', page)[1])
    assert re.fullmatch(r"/[^/\\\s][^\\\s]*", address), address


def test_a_form_that_is_too_long_or_none_at_all_is_no_reason_to_break(gone):
    said(gone.post("/t/x", data="x" * 10, content_type="text/strange"))
    assert gone.post("/t/x", data={"text": "x" * 100_000}).status_code in (413, 503)


def test_probes_answer_without_a_database(gone):
    assert gone.get("/livez").status_code == 200
    ready = gone.get("/readyz")
    assert (ready.status_code, ready.text) == (503, "the database does not answer\n")
    assert gone.get("/healthz").status_code == 503
    with gone.get("/static/tidepost.css") as sheet:
        assert sheet.status_code == 200


def test_before_the_tables_are_there_nothing_is_shown(settings, tmp_path):
    store = Store(f"sqlite:///{tmp_path}/empty.db")
    closed = create_app(settings, store, is_open=lambda: False).test_client()
    said(closed.get("/"))
    said(closed.get("/help"))
    assert closed.get("/livez").status_code == 200
    assert closed.get("/readyz").text == "the tables are not those of this version\n"
    store.engine.dispose()


@pytest.mark.slow
def test_the_pages_come_and_go_with_the_database(postgres, tmp_path):
    """Started while it is away, stopped and started again behind their back, and hanging: no process ends."""
    with Gate(fresh_database(postgres)) as gate:
        gate.shut()
        with Site(tmp_path, DATABASE_URL=gate.address) as site:
            site.up("/livez").up("/readyz", 503).up("/", 503)
            gate.open()
            site.up("/readyz").up("/")
            gate.shut()
            assert site.get("/")[0] == 503
            assert site.get("/sign-in", "POST", "address=a%40example.org")[0] == 503
            gate.open()
            site.up("/")
            gate.hang()
            assert site.get("/livez")[0] == 200
            assert site.get("/")[0] == 503
            assert site.get("/readyz")[0] == 503
            gate.shut()
            gate.open()
            site.up("/").up("/readyz")
        assert "Traceback" not in site.log()
        assert ":x@" not in site.log()


@pytest.mark.slow
def test_a_locked_file_stops_no_start(tmp_path):
    (tmp_path / "data").mkdir()
    url = database_in(tmp_path / "data")
    holder = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with Site(tmp_path, DATABASE_URL=url) as site:
        site.up("/livez")
        holder.execute("ROLLBACK")
        holder.close()
        site.up("/readyz").up("/")


def test_the_process_answers_while_all_threads_wait(tmp_path):
    (tmp_path / "data").mkdir()
    url = database_in(tmp_path / "data")
    with Site(tmp_path, DATABASE_URL=url) as site, ExitStack() as stack:
        site.up("/readyz")
        holder = stack.enter_context(
            closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None))
        )
        holder.execute("BEGIN IMMEDIATE")
        form = b"organiser=a%40example.org&others=b%40example.org&seats=2"
        head = f"POST /open/survive HTTP/1.1\r\nHost: h\r\nContent-Length: {len(form)}\r\n"
        head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        waiting = [stack.enter_context(site.connect(head.encode() + form)) for _ in range(20)]
        assert site.get("/livez")[0] == 200
        assert select.select(waiting, [], [], 0)[0] == [], "somebody had an answer before"
        holder.execute("ROLLBACK")


def test_several_processes_serve_one_port_and_end_together(tmp_path):
    with Site(tmp_path, "--workers", "2") as site:
        site.up("/readyz")
        assert {site.get("/sign-in")[0] for _ in range(10)} == {200}
        site.process.terminate()
        assert site.process.wait(PATIENCE) == 0
    with socket.socket() as probe:
        assert probe.connect_ex((site.address, site.port)) != 0
