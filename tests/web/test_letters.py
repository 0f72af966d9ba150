"""The page of one's letters: what comes when, what was sent, what was held back and why."""

import pytest
from sqlalchemy import text

from app.mail.outbound import deliver
from app.people import preferences
from tests.desk import Page
from tests.web.visits import fields

FORM = {
    "do": "choose",
    "match": "0",
    **{f"event-{event}": offered[0] for event, offered in preferences.CHOICES.items()},
}


class Mail:
    """A postman whose letters go nowhere; with a mail system set, so that wishes hold."""

    def __init__(self, house, settings) -> None:
        from msgspec.structs import replace

        self.house, self.settings = house, replace(settings, smtp_url="smtp://unused")
        self.sent: list[str] = []

    def go(self) -> None:
        deliver.run_batch(self.house.store, self.settings, lambda _u, _s, to, _m: self.sent.append(to))

    def to(self, name: str) -> int:
        return self.sent.count(f"{name.casefold()}@example.org")


@pytest.fixture
def mail(house, settings):
    return Mail(house, settings)


def player(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def turn_of(house, match_id, name):
    """The path of somebody's turn."""
    seat = house.rows(
        "SELECT seat FROM chair WHERE match_id = :m AND player_id = :p", m=match_id, p=player(house, name)
    )[0].seat
    return f"/t/{house.turns(match_id)[seat]}"


@pytest.mark.parametrize("act", ["", "unheard of", "habits"])
def test_a_button_that_the_page_does_not_have_is_not_said_to_have_kept_anything(browser, house, act):
    """The page of a turn has no hours of the day, that of all letters has."""
    path = f"{turn_of(house, house.start('Ada', 'Bo'), 'Ada')}/letters"
    assert browser.post(path, data={"do": act, "digest_hour": "9"}).status_code == 404
    browser.post(house.sign_in_link("Ada"))
    expected = 303 if act == "habits" else 404
    assert browser.post("/profile/letters", data={"do": act, "digest_hour": "9"}).status_code == expected


def test_a_player_chooses_for_all_their_games_and_for_one(browser, house):
    match_id = house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/profile/letters").text
    assert "after ten minutes, once per turn" in page
    assert browser.post("/profile/letters", data=FORM | {"event-turn": "digest"}).status_code == 303
    one = {"do": "choose", "match": str(match_id), "event-turn": "at_once", "event-over": "none"}
    assert browser.post("/profile/letters", data=one).status_code == 303
    wishes = preferences.settings_of(house.store, player(house, "Ada"))
    assert (wishes.choice("turn"), wishes.choice("turn", match_id)) == ("digest", "at_once")
    assert wishes.own(match_id) == {"turn": "at_once", "over": "none"}
    page = browser.get("/profile/letters").text
    assert "own settings" in page
    assert '<option value="digest" selected>' in page


def test_who_wants_no_turn_letters_for_a_while_finds_their_other_choices_again(browser, house):
    """The form once took "never, no reminders either" for their choice of reminders, and kept it for good."""
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    browser.post("/profile/letters", data=FORM | {"event-turn": "none"})
    assert preferences.settings_of(house.store, player(house, "Ada")).choice("reminder") == "none"
    page = browser.get("/profile/letters")
    form = Page("/profile/letters", page.status_code, page.text).form("event-turn").fields
    assert form["event-turn"] == "none"
    browser.post("/profile/letters", data=form | {"do": "choose", "event-turn": "quiet"})
    assert preferences.settings_of(house.store, player(house, "Ada")).choice("reminder") == "at_once"


def test_the_hours_of_the_day_are_kept_and_bad_ones_are_refused_with_the_form_kept(browser, house):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    good = {"do": "habits", "digest_hour": "18", "quiet_from": "22", "quiet_to": "7", "reminders": "50% 24h"}
    assert browser.post("/profile/letters", data=good).status_code == 303
    wishes = preferences.settings_of(house.store, player(house, "Ada"))
    assert (wishes.digest_hour, wishes.quiet_from, wishes.quiet_to) == (18, 22, 7)
    assert wishes.reminders == "50% 24h"
    for bad, said in (
        ({"digest_hour": "24"}, "isn’t an hour"),
        ({"digest_hour": "noon"}, "isn’t an hour"),
        ({"quiet_to": ""}, "a start and an end"),
        ({"quiet_to": "22"}, "two different hours"),
        ({"reminders": "tomorrow"}, "as reminders. Write up to"),
    ):
        page = browser.post("/profile/letters", data=good | {"digest_hour": "9"} | bad)
        assert page.status_code == 422
        assert said in page.text
        assert 'value="tomorrow"' in page.text or "reminders" not in bad
    assert preferences.settings_of(house.store, player(house, "Ada")) == wishes


@pytest.mark.parametrize(
    "bad",
    [{"event-turn": "never"}, {"event-turn": ""}, {"match": "999"}, {"match": "x"}, {"match": "-1"}],
)
def test_what_cannot_be_chosen_is_refused(browser, house, bad):
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    assert browser.post("/profile/letters", data=FORM | bad).status_code in (404, 422)
    assert preferences.settings_of(house.store, player(house, "Ada")).chosen == {}


def test_the_list_says_what_was_sent_what_waits_and_what_was_held_back_and_why(browser, house, mail, clock):
    match_id = house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    clock.advance(minutes=1)
    other = house.start("Ada", "Bo", setup="random")
    mail.go()
    page = browser.get("/profile/letters").text
    assert f"Survive #{match_id}" in page
    assert f"Survive #{other}" in page
    mine = house.rows("SELECT status, reason FROM letter WHERE player_id = :p", p=player(house, "Ada"))
    for status, reason in mine:
        assert {"waiting": "waiting", "dropped": "not sent", "sent": "sent"}[status] in page
        if reason == "seen":
            assert "You had signed in, or marked the turn as seen." in page
        if reason == "quiet_minutes":
            assert "if you act, sign in or press" in page
    assert mine


def test_who_says_that_they_have_seen_it_gets_no_letter_and_a_page_that_was_only_looked_at_counts_for_nothing(
    app, house, mail, clock
):
    """“Seen” on the page of the turn, and on the first page for all games; a fetched page is no look."""
    match_id = house.start("Ada", "Bo", setup="random")
    token = next(iter(house.turns(match_id).values()))
    browser = app.test_client()
    clock.advance(minutes=1)
    browser.get(f"/t/{token}")
    assert house.rows("SELECT seen_at FROM chair WHERE seen_at IS NOT NULL") == []
    page = browser.post(f"/t/{token}", data={"do": "seen"}, follow_redirects=True)
    assert "You won’t be emailed about this turn again" in page.text
    clock.advance(minutes=10)
    mail.go()
    assert house.rows("SELECT reason FROM letter WHERE kind = 'asked'")[0].reason == "seen"
    again = house.start("Ada", "Bo", setup="random")
    waiting = {
        row.name
        for row in house.rows(
            """SELECT p.name FROM player p JOIN chair c ON c.player_id = p.id JOIN question q
           ON q.match_id = c.match_id AND q.seat = c.seat AND NOT q.optional WHERE c.match_id = :m""",
            m=again,
        )
    }
    for who in waiting:
        signed = app.test_client()
        signed.post(house.sign_in_link(who))
        clock.advance(minutes=1)
        assert "Marked as seen. You won’t be emailed about these turns" not in signed.get("/").text
        page = signed.post("/seen", follow_redirects=True)
        assert (
            page.text.count(
                "Marked as seen. You won’t be emailed about these turns again, unless you run out of time."
            )
            == 1
        )
    clock.advance(minutes=10)
    mail.go()
    told = house.rows("SELECT status, reason FROM letter WHERE kind = 'asked'")
    assert {tuple(row) for row in told} == {("dropped", "seen")}


def test_a_letter_comes_again_with_the_same_board_and_a_link_as_good_as_the_first_but_not_for_ever(
    browser, house, mail, clock
):
    """Sent again by its reader, and only so often."""
    match_id = house.start("Ada", "Bo", setup="random")
    clock.advance(minutes=10)
    mail.go()
    turn, name = house.rows(
        """SELECT l.id, p.name FROM letter l JOIN player p ON p.id = l.player_id
           WHERE l.kind = 'asked' AND l.status = 'sent'"""
    )[0]
    before = mail.to(name)
    browser.post(house.sign_in_link(name))
    letters = fields(browser.get("/profile/letters").text, "letter")
    assert turn in letters
    done = browser.post("/profile/letters", data={"do": "again", "letter": turn})
    assert (done.status_code, done.location) == (303, "/profile/letters?did=sent#sent")
    mail.go()
    assert mail.to(name) == before + 1
    tokens = house.rows(
        """SELECT DISTINCT t.seat, t.run, t.match_id FROM token t JOIN player p ON p.id = t.player_id
           WHERE t.purpose = 'turn' AND p.name = :name""",
        name=name,
    )
    assert len(tokens) == 1
    assert tokens[0].match_id == match_id
    copy = house.rows("SELECT id FROM letter WHERE once LIKE 'again:%'")[0].id
    for letter in (turn, copy):
        page = browser.post("/profile/letters", data={"do": "again", "letter": letter})
        assert page.status_code == 429
        assert "sent this email again within the last hour" in page.text
    clock.advance(hours=1)
    assert browser.post("/profile/letters", data={"do": "again", "letter": copy}).status_code == 303
    while tokens[0].seat in house.turns(match_id):
        house.play(match_id, 1)
    clock.advance(hours=2)
    page = browser.post("/profile/letters", data={"do": "again", "letter": turn})  # from a page opened before
    assert page.status_code == 422
    assert "the turn is over" in page.text


def test_nobody_has_another_players_letter_sent_again(browser, house, mail, clock):
    house.start("Ada", "Bo", setup="random")
    clock.advance(minutes=10)
    mail.go()
    asked = house.rows(
        "SELECT l.id, p.name FROM letter l JOIN player p ON p.id = l.player_id WHERE l.kind = 'asked'"
    )[0]
    browser.post(house.sign_in_link("Bo" if asked.name == "Ada" else "Ada"))
    for letter in (asked.id, "nothing", ""):
        assert browser.post("/profile/letters", data={"do": "again", "letter": letter}).status_code == 404


def test_from_a_turns_letter_one_chooses_for_that_game_alone(app, house, mail, clock):
    match_id, other = house.start("Ada", "Bo", setup="random"), house.start("Ada", "Bo", setup="random")
    clock.advance(minutes=10)
    mail.go()
    seat, token = next(iter(house.turns(match_id).items()))
    browser = app.test_client()
    assert browser.post(f"/t/{token}", data={"do": "letters"}).location == f"/t/{token}/letters"
    page = browser.get(f"/t/{token}/letters")
    assert page.status_code == 200
    assert f"#{other}" not in page.text
    assert 'name="digest_hour"' not in page.text
    browser.post(f"/t/{token}/letters", data={"do": "choose", "match": str(other), "event-turn": "none"})
    browser.post(f"/t/{token}/letters", data={"do": "habits", "digest_hour": "3"})
    holder = house.rows("SELECT player_id FROM chair WHERE match_id = :m AND seat = :s", m=match_id, s=seat)[
        0
    ]
    wishes = preferences.settings_of(house.store, holder.player_id)
    assert wishes.chosen == {}  # a second email asks first
    (asked,) = house.rows("SELECT match_id, what, facts FROM confirmation")
    assert (asked.match_id, asked.what) == (match_id, "letters")
    assert '"event-turn":"none"' in asked.facts
    assert wishes.digest_hour == 8
    foreign = house.rows("SELECT id FROM letter WHERE kind = 'asked' AND match_id = :m", m=other)[0].id
    assert browser.post(f"/t/{token}/letters", data={"do": "again", "letter": foreign}).status_code == 404
    assert browser.get("/profile/letters").status_code == 303


def test_a_link_of_a_turn_that_is_over_opens_no_letters(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    token = next(iter(house.turns(match_id).values()))
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE question SET closed_at = asked_at"))
    assert browser.get(f"/t/{token}/letters").location == f"/t/{token}"
    assert browser.post(f"/t/{token}/letters", data={"do": "choose"}).status_code == 409


def test_another_zone_in_the_middle_moves_no_announced_deadline_earlier(browser, house):
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    due = house.rows("SELECT due_at FROM question")
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
        form = {"name": "Ada", "language": "en", "zone": zone}
        assert browser.post("/profile", data=form).status_code == 303
        now = house.rows("SELECT due_at FROM question")
        assert all(old.due_at is None or new.due_at >= old.due_at for old, new in zip(due, now, strict=True))


def test_many_letters_have_pages(browser, house):
    """Fifty cards made a page of eight thousand pixels."""
    match_id = house.start("Ada", "Bo")
    ada = player(house, "Ada")
    with house.store.transaction() as connection:
        for n in range(40):
            connection.execute(
                text(
                    """INSERT INTO letter (id, kind, once, match_id, player_id, status, reason, created_at,
                                           due_at, tries)
                       SELECT :id, 'over', :id, :m, :p, 'sent', '', created_at, created_at, 0
                       FROM letter LIMIT 1"""
                ),
                {"id": f"letter{n:03}", "m": match_id, "p": ada},
            )
    browser.post(house.sign_in_link("Ada"))
    seen, path = 0, "/profile/letters"
    cards = []
    while path:
        page = browser.get(path).text
        cards.append(page.count('<li class="card">'))
        older = [one for one in page.split('href="') if "Older emails" in one]
        path = "/profile/letters" + older[0].split('"')[0] if older else ""
        seen += 1
        assert ("Newer emails" in page) == (seen > 1)
    assert max(cards) <= 15
    assert sum(cards) == house.rows("SELECT count(*) FROM letter WHERE player_id = :p", p=ada)[0][0]
    assert seen > 2
    assert browser.get("/profile/letters?page=x").status_code == 200
    assert browser.get("/profile/letters?page=-5").status_code == 200
