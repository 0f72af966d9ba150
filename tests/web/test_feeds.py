"""Feeds for anybody and for a player: read by programs, revocable, and telling nothing that is hidden."""

from datetime import datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from icalendar import Calendar
from itsdangerous import URLSafeSerializer

from app import clock as house_clock
from app.engine.chance import Chance
from app.play.clock.rules import Rule
from app.play.deadlines import sweep
from app.play.match.reading import by_match
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.seats import chat, organiser, silencing
from app.play.views.player_view import player_view, player_view_by_token
from app.web.feeds.entries import match_entries
from tests.web.conftest import KEY
from tests.web.test_clock import set_down

ATOM = "{http://www.w3.org/2005/Atom}"
DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY)


def addresses(browser, house, name: str) -> dict[str, str]:
    """The feeds on a player's profile."""
    browser.post(house.sign_in_link(name))
    page = browser.get("/profile").text
    found = {}
    for ending in ("games.atom", "deadlines.ics"):
        end = page.index(ending) + len(ending)
        found[ending] = page[page.rindex('"', 0, end) + 1 : end]
    browser.post("/sign-out")
    return found


def read(answer):
    assert answer.status_code == 200
    assert answer.mimetype == "application/atom+xml"
    feed = ET.fromstring(answer.data)
    assert feed.tag == f"{ATOM}feed"
    for one in (feed, *feed.iter(f"{ATOM}entry")):
        for needed in ("id", "title", "updated"):
            assert one.findtext(f"{ATOM}{needed}")
        datetime.fromisoformat(one.findtext(f"{ATOM}updated"))
    return feed


def entries(feed) -> list[tuple[str, str]]:
    """The title and the words of each."""
    return [
        (one.findtext(f"{ATOM}title"), one.findtext(f"{ATOM}content")) for one in feed.iter(f"{ATOM}entry")
    ]


def ids(feed) -> list[str]:
    return [one.findtext(f"{ATOM}id") for one in feed.iter(f"{ATOM}entry")]


def events(answer) -> list[Calendar]:
    assert answer.status_code == 200
    assert answer.mimetype == "text/calendar"
    return list(Calendar.from_ical(answer.data).walk("VEVENT"))


def secret_move(house, match_id: int) -> str:
    """What onlookers must not read: a list that the first seat seals while the second has not answered."""
    token = next(iter(house.turns(match_id).values()))
    seen = player_view_by_token(house.store, token)
    asked = seen.asked[0]
    answer = seen.game.format(seen.game.bot(seen.view, asked.decision, Chance(b"tests", 0)))
    service.play(house.store, Viewer(token=token), asked.question_id, answer)
    return answer


def test_a_match_has_a_feed_that_programs_can_read(browser, house):
    match_id = house.start('Ada <b>&"', "Bo", setup="random")
    house.play(match_id, 8)
    page = browser.get(f"/m/{match_id}").text
    assert (
        f'<link rel="alternate" type="application/atom+xml" href="/m/{match_id}/feed.atom?language=en"'
        in page
    )
    feed = read(browser.get(f"/m/{match_id}/feed.atom"))
    assert any("Ada <b>&" in title for title, _ in entries(feed))
    assert any("The game began." in words for _, words in entries(feed))
    assert len(set(ids(feed))) == len(ids(feed))
    links = [one.get("href") for one in feed.iter(f"{ATOM}link")]
    assert set(links) == {
        f"http://localhost/m/{match_id}",
        f"http://localhost/m/{match_id}/feed.atom?language=en",
    }


def test_no_name_breaks_a_feed(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    set_down(house, "UPDATE player SET name = :odd", odd="A\x08d\x1ba ]]> \uffff")
    assert "Ada ]]> " in str(entries(read(browser.get(f"/m/{match_id}/feed.atom"))))


def test_entries_keep_their_names_as_the_match_goes_on(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    first = before = ids(read(browser.get(f"/m/{match_id}/feed.atom")))
    for _ in range(12):
        house.play(match_id, 1)
        after = ids(read(browser.get(f"/m/{match_id}/feed.atom")))
        assert set(before) <= set(after)
        before = after
    assert len(before) > len(first)


def test_a_shorter_look_back_gives_no_entry_another_name(app, house):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 25)
    with app.app_context():
        whole = {one.id for one in match_entries(player_view(house.store, match_id, last=1000), "en", "UTC")}
        for last in range(8, 26):
            found = {
                one.id for one in match_entries(player_view(house.store, match_id, last=last), "en", "UTC")
            }
            assert found
            assert found <= whole


def test_a_match_feed_changes_only_with_the_match(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    first = browser.get(f"/m/{match_id}/feed.atom")
    mark = {"If-None-Match": first.headers["ETag"]}
    assert "Last-Modified" in first.headers
    assert browser.get(f"/m/{match_id}/feed.atom", headers=mark).status_code == 304
    assert browser.head(f"/m/{match_id}/feed.atom").status_code == 200
    house.play(match_id, 1)
    assert browser.get(f"/m/{match_id}/feed.atom", headers=mark).status_code == 200


def test_a_players_own_feed_leaves_out_muted_people_and_that_of_the_match_does_not(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    ada, bo = (house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id for name in ("Ada", "Bo"))
    chat.say(house.store, Viewer(player_id=ada), match_id, "Rubbish!")
    private = addresses(browser, house, "Bo")["games.atom"]
    before = browser.get(private)
    assert "Rubbish!" in before.text
    silencing.silence(house.store, bo, match_id, ada, invitations=False)
    after = browser.get(private, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert "Rubbish!" not in after.text
    assert "Rubbish!" in browser.get(f"/m/{match_id}/feed.atom").text
    assert "Rubbish!" in browser.get(addresses(browser, house, "Ada")["games.atom"]).text
    silencing.lift(house.store, bo, ada)
    assert "Rubbish!" in browser.get(private).text


def test_no_feed_for_what_is_no_match(browser, house):
    assert browser.get("/m/77/feed.atom").status_code == 404
    match_id = house.open("Ada", "Bo")
    assert browser.get(f"/m/{match_id}/feed.atom").status_code == 404


def test_the_feeds_repeat_what_onlookers_see_and_nothing_else(browser, house):
    """An aggregator reads a private feed, too: what a seat alone knows stands in none."""
    match_id = house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    tokens = [*house.turns(match_id).values(), *house.invited(match_id)]
    secret = secret_move(house, match_id)
    private = addresses(browser, house, "Ada")
    for path in (f"/m/{match_id}/feed.atom", *private.values()):
        answer = browser.get(path)
        assert answer.status_code == 200
        for hidden in (secret, *tokens, "ada@example.org", "orders ", "/t/", "/i/", "/f/"):
            assert hidden not in answer.text, (path, hidden)


def test_my_feed_tells_what_waits_for_me_and_what_happened(browser, house):
    match_id = house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    feed = read(browser.get(addresses(browser, house, "Ada")["games.atom"]))
    told = dict(entries(feed))
    assert (
        told[f"Survive #{match_id}: your turn"]
        == "You have until Thursday 5 March 2026, 09:30 (WET, UTC+00:00)."
    )
    assert any("The game began." in words for words in told.values())
    (waits,) = [one for one in ids(feed) if "/turn/" in one]
    assert waits.startswith(f"tag:example.org,2026:m/{match_id}/turn/")


def test_my_calendar_has_my_deadlines_in_utc(browser, house, clock):
    """Three days later by the player's clock, which changed meanwhile; the calendar's times are in UTC."""
    clock.moment = clock.moment.replace(day=27, hour=19)
    match_id = house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    house.start("Ada", "Bo", setup="orders")  # without a clock
    set_down(house, "UPDATE player SET zone = 'Europe/Berlin'")
    path = addresses(browser, house, "Ada")["deadlines.ics"]
    answer = browser.get(path)
    (event,) = events(answer)
    assert event["DTSTART"].dt == clock.moment + timedelta(days=3, hours=-1)
    assert b"DTSTART:20260330T183000Z" in answer.data
    assert b"METHOD:PUBLISH" in answer.data
    assert event["SUMMARY"] == f"Survive #{match_id}: your turn ends"
    assert event["URL"] == f"http://localhost/m/{match_id}"
    assert str(event["UID"]).endswith("@example.org")


def test_a_deadline_that_moves_is_the_same_event_with_a_later_sequence(browser, house, clock):
    house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    path = addresses(browser, house, "Ada")["deadlines.ics"]
    first = browser.get(path)
    mark = {"If-None-Match": first.headers["ETag"]}
    clock.advance(hours=3)
    assert browser.get(path, headers=mark).status_code == 304
    set_down(house, "UPDATE question SET allowed = allowed + 3600")
    second = browser.get(path, headers=mark)
    (before,), (after,) = events(first), events(second)
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTART"].dt == before["DTSTART"].dt + timedelta(hours=1)


def test_an_extension_of_a_turn_that_was_late_has_a_later_sequence_too(browser, house, clock):
    """Its clock begins anew with two days: less than it had, and yet a later version of the same event."""
    match_id = house.start("Ada", "Bo", setup="orders", rule=Rule("per_move", per_move=3 * DAY, grace=DAY))
    path = addresses(browser, house, "Ada")["deadlines.ics"]
    clock.advance(days=3, minutes=1)
    sweep.sweep(house.store)
    (before,) = events(browser.get(path))
    with house.store.transaction() as connection:
        seen = organiser.deadline_marks(by_match(connection, match_id), house_clock.now())
    organiser.extend(house.store, Viewer(player_id=1), match_id, 2, seen=seen)
    (after,) = events(browser.get(path))
    assert after["UID"] == before["UID"]
    assert after["DTSTART"].dt > before["DTSTART"].dt
    assert after["SEQUENCE"] > before["SEQUENCE"]


def test_an_answered_turn_leaves_the_calendar(browser, house):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    ((seat, _),) = house.turns(match_id).items()
    name = house.rows(
        "SELECT p.name FROM player p JOIN chair c ON c.player_id = p.id WHERE c.seat = :s", s=seat
    )[0].name
    path = addresses(browser, house, name)
    assert len(events(browser.get(path["deadlines.ics"]))) == 1
    while seat in house.turns(match_id):
        house.play(match_id, 1)
    assert events(browser.get(path["deadlines.ics"])) == []
    assert "your turn" not in browser.get(path["games.atom"]).text


def test_my_feed_changes_only_with_what_it_tells(browser, house, clock):
    match_id = house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    path = addresses(browser, house, "Ada")["games.atom"]
    mark = {"If-None-Match": browser.get(path).headers["ETag"]}
    clock.advance(hours=5)
    assert browser.get(path, headers=mark).status_code == 304
    house.play(match_id, 1)
    assert browser.get(path, headers=mark).status_code == 200


def test_new_addresses_end_the_old_ones(browser, house):
    house.start("Ada", "Bo", setup="orders")
    old = addresses(browser, house, "Ada")
    bo = addresses(browser, house, "Bo")
    browser.post(house.sign_in_link("Ada"))
    answer = browser.post("/profile/feeds", data={"epoch": "0"})
    assert "These are your new addresses" in browser.get(answer.location).text
    browser.post("/profile/feeds", data={"epoch": "0"})  # pressed twice
    assert house.rows("SELECT feed_epoch FROM player WHERE name = 'Ada'")[0].feed_epoch == 1
    new = addresses(browser, house, "Ada")
    for kind in old:
        assert browser.get(old[kind]).status_code == 404
        assert browser.get(new[kind]).status_code == 200
        assert browser.get(bo[kind]).status_code == 200


@pytest.mark.parametrize("epoch", ["", "x", "-1", "9" * 30, "7", "\u0663"])
def test_an_odd_form_for_new_addresses_changes_nothing(browser, house, epoch):
    house.start("Ada", "Bo", setup="orders")
    path = addresses(browser, house, "Ada")["games.atom"]
    browser.post(house.sign_in_link("Ada"))
    answer = browser.post("/profile/feeds", data={"epoch": epoch})
    assert answer.status_code == 303
    assert "These are your new addresses" not in browser.get(answer.location).text
    assert browser.get(path).status_code == 200


def test_new_addresses_are_for_who_is_signed_in(browser):
    assert browser.post("/profile/feeds", data={"epoch": "0"}).location == "/sign-in"
    assert browser.get("/profile/feeds").status_code == 405


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "WzEsMF0.forged",
        URLSafeSerializer("another key", salt="feed").dumps([1, 0]),
        URLSafeSerializer(KEY, salt="letters").dumps([1, 0]),
        URLSafeSerializer(KEY, salt="feed").dumps(7),
        URLSafeSerializer(KEY, salt="feed").dumps([99, 0]),
    ],
)
def test_a_forged_address_opens_nothing(browser, house, token):
    house.start("Ada", "Bo", setup="orders")
    for name in ("games.atom", "deadlines.ics"):
        assert browser.get(f"/f/{token}/{name}").status_code == 404


def test_looking_at_a_feed_changes_nothing(browser, house):
    match_id = house.start("Ada", "Bo", setup="orders", rule=THREE_DAYS)
    paths = [f"/m/{match_id}/feed.atom", *addresses(browser, house, "Ada").values()]
    before = house.count()
    for path in paths:
        answer = browser.get(path)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["X-Robots-Tag"].startswith("noindex")
        assert browser.head(path).status_code == 200
    assert house.count() == before


def test_a_calendar_can_be_read_by_every_program(browser, house):
    """RFC 5545: a calendar has a component, an event a length, an alarm what it does, says, and when."""
    house.start("Ada", "Bo", setup="random", rule=THREE_DAYS)
    found = {}
    for name in ("Ada", "Bo"):
        answer = browser.get(addresses(browser, house, name)["deadlines.ics"])
        browser.post("/sign-out")
        calendar = Calendar.from_ical(answer.data)
        assert calendar.subcomponents, name
        assert {one.name for one in calendar.subcomponents} <= {"VEVENT", "VTIMEZONE"}
        assert all(len(line) <= 75 and not line.endswith(b"\r") for line in answer.data.split(b"\r\n"))
        for required in ("PRODID", "VERSION", "METHOD"):
            assert required in calendar
        found[name] = list(calendar.walk("VEVENT"))
    (event,) = [*found["Ada"], *found["Bo"]]
    assert event.decoded("duration").total_seconds() > 0
    assert "DTEND" not in event
    alarms = event.walk("VALARM")
    assert len(alarms) == 2
    for alarm in alarms:
        assert alarm["ACTION"] == "DISPLAY"
        assert alarm["DESCRIPTION"] == event["SUMMARY"]
        assert alarm.decoded("trigger").total_seconds() < 0
