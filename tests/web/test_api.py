"""The API: keys and scopes, refusals, what is asked for twice, lists, and what each operation does."""

from base64 import urlsafe_b64encode

import pytest
from sqlalchemy import text

from app.accounts import barring, deleting, merging
from app.people import api_keys, keys
from app.people import service as people
from app.play.lobby import invitations
from app.play.lobby.create import Opening, create_match
from app.web.api import lists
from app.web.api.operations import OPERATIONS
from app.web.core.security import mask
from tests.web.programs import BASE, Program, program
from tests.web.test_once import THREE_DAYS, dump


@pytest.fixture
def match(house):
    return house.start("Ada", "Bo", rule=THREE_DAYS, setup="random")


@pytest.fixture
def ada(app, house, match):
    assert match
    return program(app, house, "Ada")


@pytest.fixture
def bo(app, house, match):
    assert match
    return program(app, house, "Bo")


@pytest.fixture
def anybody(app):
    return Program(app.test_client())


def number(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def asked(*programs, match):
    """The program whose turn it is, its question, and the other."""
    for one in programs:
        found = one.get(f"/matches/{match}")
        if found["questions"]:
            other = next(another for another in programs if another is not one)
            return one, found["questions"][0], other
    raise AssertionError


def test_a_new_key_is_told_by_email_once_an_hour(house, clock, match):
    """It outlives the session in which it was made, perhaps by somebody else at an open browser."""
    assert match
    told = "SELECT kind FROM letter WHERE kind = 'key_made' AND player_id = :p"
    ada = number(house, "Ada")
    for _ in range(3):
        api_keys.make(house.store, ada, "bot", ())
    assert len(house.rows(told, p=ada)) == 1
    clock.advance(hours=1)
    api_keys.make(house.store, ada, "bot", ())
    assert len(house.rows(told, p=ada)) == 2


def exist(house, *names):
    with house.store.transaction() as connection:
        for name in names:
            address = f"{name.lower()}@example.org"
            people.keep(connection, address, address, name, "en", "UTC")


# ---- keys

LATER = {"get_match_text": (409,), "get_statistics": (404,)}
"""The answers to onlookers of operations that are for them once the match is over."""


def path_of(one, match):
    """An address of an operation."""
    path = BASE + one.path.replace("<int(max=2147483647):match_id>", str(match))
    path = path.replace("<int(max=2147483647):note_id>", "1").replace("<string(maxlength=40):name>", "defend")
    path = path.replace("<string(maxlength=40):email_id>", "none")
    for name in ("absence_id", "webhook_id"):
        path = path.replace(f"<int(max=2147483647):{name}>", "1")
    return path


def test_each_operation_needs_its_right_and_says_which(app, house, match):
    stranger = Program(app.test_client())
    rights = {"play", "host", "account"}
    keyed = {right: program(app, house, "Ada", *rights - {right}) for right in rights}
    before = dump(house)
    for one in OPERATIONS:
        path = path_of(one, match)
        if one.scope is None:
            assert stranger.ask(one.method, path).status_code in (200, *LATER.get(one.name, ()))
            continue
        problem = stranger.refused(one.method, path, {})
        assert (problem["status"], problem["title"]) == (401, "key_needed")
        if one.scope != "read":
            problem = keyed[one.scope].refused(one.method, path, {})
            assert (problem["status"], problem["title"]) == (403, "key_scope")
            assert problem["facts"] == {"scope": one.scope}
    changed = {name for name, rows in dump(house).items() if rows != before[name]}
    assert changed <= {"apikey", "picture"}, "but that the keys were used"
    assert all(one.scope for one in OPERATIONS if one.writes)


def test_what_ends_a_key_ends_it_for_the_api(house, ada):
    assert ada.get("/me")["name"] == "Ada"
    keys.end_all(house.store, number(house, "Ada"))
    problem = ada.refused("GET", "/me")
    assert (problem["status"], problem["title"]) == (401, "key_unknown")
    assert ada.ask("GET", "/me").headers["WWW-Authenticate"].startswith("Bearer")


def test_another_key_opens_nothing_and_is_no_visitor_without_one(anybody, match):
    for sent in ("Bearer nothing", "Basic YTpi", "Bearer", "Bearer a b", "tidepost_x"):
        problem = anybody.refused("GET", f"/matches/{match}", Authorization=sent)
        assert (problem["status"], problem["title"]) == (401, "key_unknown")


def test_who_tries_keys_waits_and_a_good_key_works_all_the_same(ada, anybody):
    answers = [anybody.ask("GET", "/me", Authorization=f"Bearer tidepost_{n}") for n in range(40)]
    assert [one.status_code for one in answers[:30]] == [401] * 30
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert ada.get("/me")["name"] == "Ada"
    assert all(ada.ask("GET", "/me").status_code == 200 for _ in range(100))


def test_a_key_in_an_address_is_refused_and_in_no_log(app, house, match):
    assert match
    key = program(app, house, "Ada").key
    for where in ("/me?key={}", "/me?access_token={}", "/matches/{}", "/games?x=a{}b"):
        for one in (Program(app.test_client()), Program(app.test_client(), key)):
            response = one.ask("GET", where.format(key))
            assert response.status_code in (400, 404), response.text
            assert key not in response.text
        assert key not in mask(f'"GET /api/v1{where.format(key)} HTTP/1.1" 400')


def test_a_cookie_opens_nothing(browser, house, match):
    assert match
    browser.post(house.sign_in_link("Ada"))
    signed_in = Program(browser)
    assert signed_in.refused("GET", "/me")["title"] == "key_needed"
    assert signed_in.get(f"/matches/{match}")["seat"] is None


def test_a_form_of_another_site_has_no_key_and_a_key_needs_no_form(ada, match):
    sent = {"Sec_Fetch_Site": "cross-site", "Origin": "https://evil.example"}
    assert ada.post(f"/matches/{match}/messages", {"text": "Hi"}, **sent) == {"done": True}


def test_a_key_of_a_player_who_left_the_seat_sees_what_everybody_sees(app, house, match):
    key = program(app, house, "Ada")
    seat = key.get(f"/matches/{match}")["seat"]
    with house.store.transaction() as connection:
        values = {"m": match, "s": seat, "p": number(house, "Bo")}
        connection.execute(text("UPDATE chair SET player_id = :p WHERE match_id = :m AND seat = :s"), values)
    assert key.get(f"/matches/{match}")["seat"] is None
    assert key.refused("GET", f"/matches/{match}/notes")["status"] == 404
    assert key.refused("POST", f"/matches/{match}/resign")["status"] == 404


ENDS = {
    "deleted": deleting.delete,
    "barred": lambda store, _player: barring.bar(store, "ada@example.org", "rude", "resign"),
    "merged": lambda store, _player: merging.merge(store, "ada@example.org", "cleo@example.org"),
}


@pytest.mark.parametrize("how", list(ENDS))
def test_a_key_whose_player_is_gone_opens_nothing_and_changes_nothing(app, house, match, how):
    exist(house, "Cleo")
    key = program(app, house, "Ada")
    assert key.get("/me")["name"] == "Ada"
    ENDS[how](house.store, number(house, "Ada"))
    before = dump(house)
    for method, path in (("GET", "/me"), ("GET", f"/matches/{match}"), ("POST", f"/matches/{match}/resign")):
        problem = key.refused(method, path)
        assert (problem["status"], problem["title"]) == (401, "key_unknown")
    assert dump(house) == before


def test_a_private_match_is_not_there_for_others(app, house, anybody):
    match = create_match(
        house.store,
        "survive",
        2,
        {"setup": "random"},
        "ada@example.org",
        ["bo@example.org"],
        opening=Opening(private=True),
    )
    for name, token in zip(("Ada", "Bo"), house.invited(match), strict=True):
        invitations.accept(house.store, token, name, "en", "UTC", "")
    exist(house, "Cleo")
    for one in (anybody, program(app, house, "Cleo")):
        for path in ("", "/history", "/board.svg", "/board.txt", "/board.png"):
            assert one.refused("GET", f"/matches/{match}{path}")["status"] == 404
    assert program(app, house, "Ada").get(f"/matches/{match}")["seat"]


# ---- refusals


def test_a_refusal_speaks_the_language_that_is_asked_for_else_the_players(app, house, match):
    key = program(app, house, "Ada")
    path = f"/matches/{match}/take-back"
    english = key.refused("POST", path, {"ply": 0})
    people.update(house.store, number(house, "Ada"), "Ada", "ja", "UTC")
    japanese = key.refused("POST", path, {"ply": 0})
    persian = key.refused("POST", path, {"ply": 0}, Accept_Language="fa, en;q=0.5")
    assert len({one["detail"] for one in (english, japanese, persian)}) == 3
    assert {one["title"] for one in (english, japanese, persian)} == {english["title"]}
    assert key.ask("POST", path, {"ply": 0}).headers["Content-Language"] == "ja"


def test_a_move_that_is_refused_says_why_with_facts(ada, bo, match):
    mover, question, _ = asked(ada, bo, match=match)
    send = f"/matches/{match}/answers"
    unreadable = mover.refused("POST", send, {"question": question["id"], "answer": "xyzzy"})
    assert (unreadable["status"], unreadable["title"]) == (422, "unreadable")
    assert unreadable["facts"]["text"] == "xyzzy"
    illegal = mover.refused("POST", send, {"question": question["id"], "answer": "creature whale1>D6"})
    assert illegal["status"] == 422
    assert illegal["title"] not in ("unreadable", "")


UNREADABLE = (
    ("/matches/{}/answers", {"question": "x"}, "missing"),
    ("/matches/{}/answers", {"question": "x", "answer": "y", "more": 1}, "unknown field"),
    ("/matches/{}/answers", {"question": 1, "answer": "y"}, "Expected `str`"),
    ("/matches/{}/messages", {"text": ""}, "length"),
    ("/matches/{}/table", {"do": "fly"}, "Invalid value 'fly'"),
    ("/matches/{}/seen", {"x": 1}, "no body"),
    ("/matches", {"game": "survive", "seats": "three"}, "Expected `int`"),
)


def test_a_body_that_cannot_be_read_says_where(ada, match):
    for path, body, about in UNREADABLE:
        problem = ada.refused("POST", path.format(match), body)
        assert (problem["status"], problem["title"]) == (400, "request_unreadable")
        assert about in problem["facts"]["error"]


def test_what_is_no_json_is_refused(ada, match):
    kind = "application/json"
    for data, named in ((b"{", kind), (b'{"text": "\xff"}', kind), (b"text=Hi", "")):
        sent = {"data": data, "content_type": named, "headers": {"Authorization": f"Bearer {ada.key}"}}
        response = ada.client.post(f"{BASE}/matches/{match}/messages", **sent)
        assert response.status_code == 400
        assert response.json["title"] == "request_unreadable"


def test_a_text_with_a_character_that_no_database_takes_is_refused(ada, match):
    """Nor is it left out unsaid. A text that only shows how it is written goes."""
    bodies = (
        ("POST", f"/matches/{match}/table", {"do": "extend", "days": 1, "seen": "", "seat": "a\0b"}),
        ("POST", f"/matches/{match}/messages", {"text": "one \0 two"}),
        ("PUT", "/my/emails/choices", {"events": {"a\0b": "x"}}),
        ("PUT", f"/matches/{match}/conditional", {"lines": ["sink F5", "\0"]}),
        ("GET", "/open-matches?game=a%00b", None),
        ("GET", "/finished-matches?game=%00", None),
        ("POST", "/my/emails/sent/a%00b/again", None),
        ("PUT", f"/matches/{match}/policies/a%00b", {"choice": "always"}),
    )
    for method, path, body in bodies:
        problem = ada.refused(method, path, body)
        assert (problem["status"], problem["title"]) == (400, "request_unreadable"), path
        assert "U+0000" in problem["facts"]["error"]
    assert ada.post(f"/matches/{match}/messages", {"text": r"a path: C:\u0000"}) == {"done": True}


def cursor(moment):
    return urlsafe_b64encode(f'"{moment}"'.encode()).decode().rstrip("=")


ODD_MOMENTS = ("2026-01-01T00:00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "")


@pytest.mark.parametrize("moment", ODD_MOMENTS)
@pytest.mark.parametrize("path", ["/open-matches", "/finished-matches"])
def test_a_cursor_that_is_no_moment_of_ours_is_refused(anybody, path, moment):
    problem = anybody.refused("GET", f"{path}?cursor={cursor(moment)}")
    assert (problem["status"], problem["title"]) == (400, "request_unreadable")


ERRORS = (
    ("GET", "/nothing", 404),
    ("GET", "/api/", 404),
    ("GET", "/matches/999999", 404),
    ("GET", "/matches/99999999999999", 404),
    ("POST", "/me", 405),
    ("DELETE", "/matches/1", 405),
    ("GET", "/matches/1/history?cursor=xx", 400),
    ("GET", "/my/matches?list=other", 400),
    ("GET", "/my/matches?list=turn&list=waiting", 400),
    ("GET", "/me?what=1", 400),
    ("GET", "/matches/1?ply=many", 400),
    ("GET", "/matches/1?ply=5000", 404),
)


def test_every_error_is_a_problem(ada):
    for method, path, status in ERRORS:
        assert ada.refused(method, path)["status"] == status


def test_a_body_that_is_too_long_and_a_database_that_is_away_are_problems(app, ada, match):
    problem = ada.refused("POST", f"/matches/{match}/messages", {"text": "x" * 200_000})
    assert problem["status"] == 413
    app.extensions["is_open"] = lambda: False
    response = ada.ask("GET", "/me")
    assert (response.status_code, response.mimetype) == (503, "application/problem+json")
    assert response.headers["Retry-After"]


# ---- looking


def test_what_has_not_changed_is_not_sent_again(ada, bo, match):
    mover, question, other = asked(ada, bo, match=match)
    first = other.ask("GET", f"/matches/{match}")
    tag = first.headers["ETag"]
    again = other.ask("GET", f"/matches/{match}", If_None_Match=tag)
    assert (again.status_code, again.data) == (304, b"")
    assert "Authorization" in first.headers["Vary"]
    mover.post(f"/matches/{match}/answers", {"question": question["id"], "answer": question["answers"][0]})
    assert other.ask("GET", f"/matches/{match}", If_None_Match=tag).status_code == 200


def test_the_history_comes_page_by_page(house, ada, match):
    house.play(match, 130)
    last = ada.get(f"/matches/{match}")["last_ply"]
    plies, cursor = [], ""
    while True:
        page = ada.get(f"/matches/{match}/history" + (f"?cursor={cursor}" if cursor else ""))
        plies = [one["ply"] for one in page["plies"]] + plies
        cursor = page["earlier"]
        if not cursor:
            break
    assert plies == sorted(set(plies))
    assert plies[-1] == last
    assert len(plies) >= last


def test_boards_come_as_pictures_and_characters(ada, match):
    for form, mime, begins in (
        ("svg", "image/svg+xml", b"<svg"),
        ("txt", "text/plain", b""),
        ("png", "image/png", b"\x89PNG"),
    ):
        response = ada.ask("GET", f"/matches/{match}/board.{form}")
        assert (response.status_code, response.mimetype) == (200, mime)
        assert response.data.startswith(begins)
        assert len(response.data) > 500


def test_the_position_is_told_once_the_game_is_over(ada, bo, match):
    assert ada.get(f"/matches/{match}")["position"] is None
    bo.post(f"/matches/{match}/resign")
    over = ada.get(f"/matches/{match}")
    assert over["status"] == "over"
    assert over["position"]["terrain"]
    assert over["secret"]


def test_own_lists_come_page_by_page(app, house, monkeypatch):
    monkeypatch.setattr(lists, "A_PAGE", 3)
    for _ in range(7):
        house.start("Ada", "Bo", setup="random")
    key = program(app, house, "Ada")
    me = key.get("/me")
    found = []
    for name in ("turn", "waiting"):
        page = key.get(f"/my/matches?list={name}")
        found += page["matches"]
        while page["next"]:
            page = key.get(f"/my/matches?list={name}&cursor={page['next']}")
            found += page["matches"]
    assert len({one["id"] for one in found}) == len(found) == 7
    assert me["turn"] + me["waiting"] == 7


# ---- playing


def test_an_answer_is_played_once_and_another_one_later_is_refused(ada, bo, match):
    mover, question, other = asked(ada, bo, match=match)
    send = f"/matches/{match}/answers"
    sent = {"question": question["id"], "answer": question["answers"][0]}
    first = mover.post(send, sent)
    assert (first["again"], first["moves"]) == (False, [question["answers"][0]])
    assert mover.post(send, sent) == first | {"again": True}
    changed = mover.refused("POST", send, sent | {"answer": question["answers"][1]})
    assert changed["status"] == 409
    assert other.refused("POST", send, sent)["status"] in (404, 409)


def test_what_names_itself_acts_once_and_is_answered_the_same(house, ada, match):
    send, key = f"/matches/{match}/messages", {"Idempotency_Key": "one message"}
    first = ada.ask("POST", send, {"text": "Hello"}, **key)
    after = dump(house)
    again = ada.ask("POST", send, {"text": "Hello"}, **key)
    assert again.json == first.json == {"done": True}
    assert again.headers["Idempotent-Replayed"] == "true"
    assert dump(house) == after
    assert ada.post(send, {"text": "Hello again"}, **key) == {"done": True}, "another body is another act"
    said = [one["text"] for one in ada.get(f"/matches/{match}/history")["entries"] if one["what"] == "said"]
    assert said == ["Hello", "Hello again"]


def test_a_refused_act_keeps_no_key_and_nobody_uses_up_anothers(ada, bo, match):
    key = {"Idempotency_Key": "the same key"}
    for _ in range(2):
        ada.refused("POST", f"/matches/{match}/nudge", {"seat": "red"}, **key)
    for one in (ada, bo):
        assert one.post(f"/matches/{match}/messages", {"text": "Hi"}, **key) == {"done": True}
    for bad in ("", "short", "x" * 81, "ÄÄÄÄÄÄÄÄ", "\x7f" * 8):
        problem = ada.refused("POST", f"/matches/{match}/resign", Idempotency_Key=bad)
        assert (problem["status"], problem["title"]) == (400, "request_unreadable"), bad


def test_an_answer_that_is_kept_is_opened_by_who_sends_it_again_alone(house, ada):
    """A host's list of guests has their addresses, which nothing of ours holds once their account is gone."""
    exist(house, "Guest")
    made = ada.post("/matches", {"game": "survive", "seats": 2, "invite": ["guest@example.org"]})
    send, key = f"/matches/{made['match']}/lobby", {"Idempotency_Key": "a link to share"}
    first = ada.post(send, {"do": "share", "shared": True}, **key)
    assert "guest@example.org" in str(first["guests"])
    kept = [one.result for one in house.rows("SELECT result FROM deed") if one.result]
    assert kept
    assert not any("guest" in one or first["shared"] in one for one in kept)
    assert ada.post(send, {"do": "share", "shared": True}, **key) == first
    with house.store.transaction() as connection:
        connection.execute(text("UPDATE deed SET result = 'sealed:0:of another key'"))
    assert ada.refused("POST", send, {"do": "share", "shared": True}, **key)["title"] == "busy"


def test_two_programs_set_a_match_up_once_by_one_key(house, ada):
    body = {"game": "survive", "seats": 2, "bots": 1}
    made = [ada.post("/matches", body, Idempotency_Key="a new match") for _ in range(2)]
    assert made[0] == made[1]
    assert len(house.rows('SELECT id FROM "match"')) == 2


def test_conditional_moves_and_standing_answers(ada, match):
    path = f"/matches/{match}/conditional"
    assert ada.get(path) == {"lines": [], "policies": {}, "past": []}
    assert ada.put(path, {"lines": ["sink F5", "sink F6"]})["lines"] == ["sink F5", "sink F6"]
    assert ada.put(f"/matches/{match}/policies/defend", {"choice": "always"})["policies"] == {
        "defend": "always"
    }
    assert ada.refused("PUT", path, {"lines": ["what?"]})["title"] == "unreadable"
    assert ada.get(path)["lines"] == ["sink F5", "sink F6"]
    assert ada.delete(path) == {"lines": [], "policies": {}, "past": []}


def test_notes_are_their_players(ada, bo, match):
    path = f"/matches/{match}/notes"
    ada.post(path, {"text": "Mine"})
    (note,) = ada.get(path)["notes"]
    assert bo.get(path)["notes"] == []
    assert bo.refused("PUT", f"{path}/{note['id']}", {"text": "Theirs"})["status"] == 404
    bo.delete(f"{path}/{note['id']}")
    ada.put(f"{path}/{note['id']}", {"text": "Changed"})
    assert [one["text"] for one in ada.get(path)["notes"]] == ["Changed"]
    ada.delete(f"{path}/{note['id']}")
    assert ada.get(path)["notes"] == []


def test_a_step_is_taken_back(house, ada, bo, match):
    house.play(match, 1)
    mover, _, _ = asked(ada, bo, match=match)
    found = mover.get(f"/matches/{match}")
    if found["can_take_back"]:
        back = {"ply": found["last_ply"]}
        assert mover.post(f"/matches/{match}/take-back", back)["moves"] == ["undo"]
        assert mover.post(f"/matches/{match}/take-back", back)["again"]
    else:
        assert mover.refused("POST", f"/matches/{match}/take-back", {"ply": 1})["status"] == 409


# ---- before and around a match


def test_a_match_is_set_up_and_entered_by_its_host_a_guest_and_a_stranger(app, house):
    exist(house, "Ada", "Bo", "Cleo")
    ada, bo, cleo = (program(app, house, name) for name in ("Ada", "Bo", "Cleo"))
    body = {"game": "survive", "seats": 3, "invite": ["bo@example.org"], "options": {"setup": "random"}}
    made = ada.post("/matches", body | {"listed": True, "clock": {"kind": "per_move", "per_move": 259200}})
    match = made["match"]
    assert bo.get("/my/invitations")["matches"][0]["id"] == match
    assert cleo.get("/my/invitations")["matches"] == []
    assert cleo.refused("POST", f"/matches/{match}/accept", {})["status"] == 404
    assert cleo.refused("GET", f"/matches/{match}/lobby")["status"] == 404
    assert [one["id"] for one in cleo.get("/open-matches")["matches"]] == [match]
    cleo.post(f"/matches/{match}/join", {})
    lobby = bo.post(f"/matches/{match}/accept", {"word": "tide"})
    assert lobby["status"] == "running"
    assert bo.post(f"/matches/{match}/accept", {"word": "tide"})["status"] == "running"
    begun = ada.get(f"/matches/{match}")
    assert sorted(one["name"] for one in begun["players"]) == ["Ada", "Bo", "Cleo"]
    assert "tide" in begun["words"]
    assert begun["clock"]["per_move"] == 259200


def test_a_guest_declines_and_a_host_uses_every_tool(app, house):
    exist(house, "Ada", "Bo", "Cleo")
    ada, bo, cleo = (program(app, house, name) for name in ("Ada", "Bo", "Cleo"))
    invite = ["bo@example.org", "dan@example.org"]
    match = ada.post("/matches", {"game": "survive", "seats": 4, "invite": invite, "listed": True})["match"]
    path = f"/matches/{match}/lobby"
    assert bo.post(f"/matches/{match}/decline")["mine"]["status"] == "declined"
    guests = {one["name"]: one["id"] for one in ada.get(path)["guests"]}
    ada.post(path, {"do": "replace", "invitation": guests["dan@example.org"], "address": "eve@example.org"})
    names = [one["name"] for one in ada.get(path)["guests"] if one["status"] == "invited"]
    assert names == ["eve@example.org"]
    link = ada.post(path, {"do": "share", "shared": True})["shared"]
    assert ada.post(path, {"do": "list", "listed": False})["listed"] is False
    assert cleo.refused("POST", f"/matches/{match}/join", {})["status"] == 404
    cleo.post(f"/matches/{match}/join", {"link": link})
    assert cleo.get(path)["shared"] == "", "the link is the host's"
    assert cleo.refused("POST", path, {"do": "start"})["status"] == 404
    guests = {one["name"]: one["id"] for one in ada.get(path)["guests"]}
    ada.post(path, {"do": "withdraw", "invitation": guests["eve@example.org"]})
    assert ada.post(path, {"do": "start"})["status"] == "running"


def test_around_a_running_match(ada, bo, match):
    path = f"/matches/{match}/table"
    ada.post(path, {"do": "pause"})
    bo.post(path, {"do": "pause"})
    assert ada.get(f"/matches/{match}")["paused"]
    ada.post(path, {"do": "resume"})
    found = ada.get(f"/matches/{match}")
    assert not found["paused"]
    host, guest = (ada, bo) if found["host"] == found["seat"] else (bo, ada)
    marks = " ".join(one["mark"] for one in found["deadlines"])
    extend = {"do": "extend", "days": 2, "seen": marks}
    assert host.post(path, extend) == {"done": True}
    assert host.post(path, extend) == {"done": False}
    assert guest.refused("POST", path, extend | {"seen": "x"})["status"] in (409, 422)
    assert guest.refused("POST", path, {"do": "call_off"})["title"] == "not_organiser"
    seat = guest.get(f"/matches/{match}")["seat"]
    host.post(path, {"do": "hand_over", "seat": seat})
    assert guest.get(f"/matches/{match}")["host"] == seat
    guest.post(path, {"do": "call_off"})
    assert ada.get(f"/matches/{match}")["status"] == "over"


def test_a_rematch(ada, bo, match):
    bo.post(f"/matches/{match}/resign")
    made = ada.post(f"/matches/{match}/rematch")["match"]
    assert made != match
    assert bo.post(f"/matches/{match}/rematch")["match"] == made
    assert ada.get(f"/matches/{made}")["status"] == "running"


# ---- settings


def test_days_away_and_emails(ada, clock):
    assert clock
    away = ada.post("/my/absences", {"first": "2026-12-01", "last": "2026-12-03"})
    assert [one["id"] for one in ada.get("/my/absences")["absences"]] == [away["id"]]
    assert ada.refused("POST", "/my/absences", {"first": "2026-12-02", "last": "2026-12-05"})["status"] == 422
    ada.delete(f"/my/absences/{away['id']}")
    assert ada.get("/my/absences")["absences"] == []
    ada.put("/my/emails/times", {"digest_hour": 7, "quiet_from": 22, "quiet_to": 6, "reminders": "50% 24h"})
    ada.put("/my/emails/choices", {"events": {"chat": "digest"}})
    emails = ada.get("/my/emails")
    assert (emails["digest_hour"], emails["quiet_from"], emails["reminders"]) == (7, 22, "50% 24h")
    assert emails["chosen"]["0"]["chat"] == "digest"
    assert ada.refused("PUT", "/my/emails/choices", {"events": {"chat": "loud"}})["status"] == 422
    assert ada.refused("PUT", "/my/emails/times", {"digest_hour": 7, "quiet_from": 2})["status"] == 422


def test_everybody_may_read_the_games_and_public_lists(anybody, bo, match):
    games = {one["game"]: one for one in anybody.get("/games")["games"]}
    assert games.keys() == {"survive", "atlantis", "atlandice"}
    assert [one["id"] for one in anybody.get("/running-matches")["matches"]] == [match]
    bo.post(f"/matches/{match}/resign")
    assert [one["id"] for one in anybody.get("/finished-matches?game=survive")["matches"]] == [match]
    assert anybody.get("/finished-matches?game=atlantis")["matches"] == []
