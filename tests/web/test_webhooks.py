"""Webhooks: who may set them, what they tell, and what they do where nothing arrives."""

import logging
import re
import socket
import threading
from datetime import timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.engine import codec
from app.engine.chance import Chance
from app.games import all_games
from app.mail.core import guarded
from app.mail.hooks import bodies, rounds
from app.mail.outbound import deliver
from app.people import hook_posts, preferences, webhooks
from app.people import service as people
from app.people.sealed import opened
from app.people.webhooks import EVENTS, FORMATS
from app.play.clock.rules import Rule
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import past, reading
from app.play.match.records import Viewer
from app.play.seats import chat, organiser, silencing
from app.settings import BadSettings, origins
from tests.hook_server import ADDRESS, HookServer
from tests.push_service import HOST, PUBLIC, led_to

DAYS = Rule("per_move", per_move=9 * 86400, grace=86400, then="replace")
MINE = "/profile/webhooks"


@pytest.fixture
def server(tmp_path, monkeypatch):
    made = HookServer(tmp_path)
    made.connected = led_to(made, monkeypatch)
    yield made
    made.close()


class Scene:
    """Ada hosts a game with Bo; `mover` is asked, and signed in on `browser`."""

    def __init__(self, app, browser, house, settings, clock, game: str = "survive") -> None:
        self.app, self.house, self.clock = app, house, clock
        self.settings = replace(settings, smtp_url="smtp://unused")
        self.sent: list[str] = []
        options = {"setup": "random"} if game == "survive" else {}
        self.match_id = house.start("Ada", "Bo", game=game, rule=DAYS, **options)
        self.seat = next(iter(house.turns(self.match_id)))
        self.mover = house.rows(
            "SELECT p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = :s", s=self.seat
        )[0].name
        self.other = "Bo" if self.mover == "Ada" else "Ada"
        self.browser = browser
        browser.post(house.sign_in_link(self.mover))

    @property
    def table(self) -> str:
        return f"/m/{self.match_id}/webhooks"

    def signed_in(self, name: str):
        made = self.app.test_client()
        made.post(self.house.sign_in_link(name))
        return made

    def player(self, name: str) -> int:
        return self.house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id

    def add(self, *events, form="json", address=ADDRESS, path=MINE, browser=None, language="en"):
        sent = {"do": "add", "form": form, "url": address, "event": list(events) or ["turn"]}
        sent["language"] = language
        return (browser or self.browser).post(path, data=sent)

    def press(self, do: str, path: str = MINE, browser=None):
        hook = self.house.rows("SELECT max(id) AS id FROM webhook")[0].id
        return (browser or self.browser).post(path, data={"do": do, "hook": str(hook)})

    def go(self) -> None:
        """All that is due."""
        deliver.run_batch(self.house.store, self.settings, lambda _u, _s, to, m: self.sent.append((to, m)))
        self.call()

    def call(self) -> None:
        """The rounds of webhooks alone."""
        while rounds.run_batch(self.house.store, self.settings):
            pass

    def failing(self, server) -> None:
        """A hook that works, with a message to tell."""
        self.proved(server, "chat")
        self.post("chat")

    def proved(self, server, *events, **more) -> str:
        """Add a hook, have its test arrive, and let its pace pass; returns its secret."""
        page = self.add(*events, **more)
        assert page.status_code == 200, page.text
        self.call()
        assert server.posted.pop()
        self.clock.advance(minutes=3)
        found = re.search(r'id="the-secret"[^>]*>([^<]+)<', page.text)
        return unescape(found.group(1)) if found else ""

    def post(self, event: str = "turn", **more) -> None:
        """Something that the hooks of `mover` are to tell."""
        what = hook_posts.Occasion(
            event=event, occasion=f"{event}:{self.clock.now()}", match_id=self.match_id, **more
        )
        with self.house.store.transaction() as connection:
            hook_posts.ask(connection, self.clock.now(), what, self.player(self.mover))

    @property
    def hook(self):
        return self.house.rows("SELECT * FROM webhook ORDER BY id DESC")[0]

    @property
    def posts(self) -> list[tuple[str, str]]:
        return [
            tuple(row)
            for row in self.house.rows("SELECT event, status FROM hookpost ORDER BY created_at, event")
        ]

    def letters(self, kind: str) -> int:
        return self.house.rows("SELECT count(*) FROM letter WHERE kind = :k", k=kind)[0][0]


@pytest.fixture
def scene(app, browser, house, settings, clock):
    return Scene(app, browser, house, settings, clock)


# ---- what is told


def test_a_program_is_told_of_a_turn_once_with_a_signature(scene, server):
    secret = scene.proved(server)
    scene.go()
    scene.clock.advance(minutes=5)
    scene.go()
    (got,) = server.posted
    assert got.path == "/hooks/7/the-token-of-the-channel"
    assert got.is_signed(secret)
    assert not got.is_signed(secret[:-4] + "AAA=")
    assert abs(int(got.headers["webhook-timestamp"]) - scene.clock.now().timestamp()) < 600
    (event,) = got.facts["data"]["events"]
    assert event.pop("id").startswith("msg_")
    assert event.pop("at")
    assert event == {
        "event": "turn",
        "game": "survive",
        "match": scene.match_id,
        "seat": scene.seat,
        "language": "en",
        "text": f"{scene.mover}, it’s your turn in Survive #{scene.match_id}.",
        "url": f"http://localhost/m/{scene.match_id}",
    }
    assert scene.posts == [("test", "sent"), ("turn", "sent")]
    assert server.connected == [PUBLIC, PUBLIC]


@pytest.mark.parametrize("form", ["discord", "slack"])
def test_a_channel_is_told_in_its_own_form_and_nobody_is_called(scene, server, form):
    scene.proved(server, form=form)
    with scene.house.store.transaction() as connection:
        connection.execute(
            text("UPDATE player SET name = '@everyone <!channel> *b*' WHERE name = :n"), {"n": scene.mover}
        )
    scene.go()
    (got,) = server.posted
    url = f"http://localhost/m/{scene.match_id}"
    if form == "discord":
        assert got.facts == {
            "content": "\\@everyone \\<!channel\\> \\*b\\*, it’s your turn in "
            f"Survive \\#{scene.match_id}\\.\n<{url}>",
            "allowed_mentions": {"parse": []},
        }
    else:
        words = f"@everyone &lt;!channel&gt; *b*, it’s your turn in Survive #{scene.match_id}."
        assert got.facts["text"] == f"{words}\n{url}"
        assert (got.facts["mrkdwn"], got.facts["link_names"]) == (False, False)
    assert "webhook-signature" not in got.headers


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("@everyone", r"\@everyone"),
        ("<@&12>", r"\<\@\&12\>"),
        ("**a** _b_ ~~c~~ ||d|| `e`", r"\*\*a\*\* \_b\_ \~\~c\~\~ \|\|d\|\| \`e\`"),
        ("[x](https://evil.example)", r"\[x\]\(https\:\/\/evil\.example\)"),
        ("# a", r"\# a"),
        ("> a", r"\> a"),
        ("1. a - b", r"1\. a \- b"),
        ("\\", "\\\\"),
        (":smile:", r"\:smile\:"),
        ("Ada’s, 艾达!", "Ada’s, 艾达!"),
    ],
)
def test_nothing_in_a_name_is_markdown(given, shown):
    assert bodies.escaped("discord", given) == shown


def test_nothing_in_a_name_is_a_control_sequence_of_slack():
    assert bodies.escaped("slack", "<!here> & <@U1|x>") == "&lt;!here&gt; &amp; &lt;@U1|x&gt;"


def test_a_turn_that_is_over_is_not_told(scene, server):
    scene.proved(server)
    deliver.run_batch(scene.house.store, scene.settings, lambda *_: None)
    with scene.house.store.transaction() as connection:
        connection.execute(text("UPDATE question SET closed_at = (SELECT min(created_at) FROM player)"))
    scene.go()
    assert (server.posted, scene.posts[-1]) == ([], ("turn", "dropped"))


def test_what_happens_within_two_minutes_goes_in_one_request(scene, server):
    scene.proved(server, "chat", "turn")
    scene.go()
    for _ in range(3):
        scene.clock.advance(seconds=20)
        scene.post("chat")
        scene.go()
    scene.post("turn", seat=scene.seat)
    assert len(server.posted) == 1
    scene.clock.advance(minutes=2)
    scene.go()
    told = [[one["event"] for one in got.facts["data"]["events"]] for got in server.posted]
    assert told == [["turn"], ["chat", "turn"]]
    assert [status for event, status in scene.posts if event == "chat"] == ["sent"] * 3


def test_a_text_for_discord_keeps_to_its_limit_and_the_rest_comes_later(scene, server, monkeypatch):
    monkeypatch.setattr(bodies, "LONGEST", 60)
    scene.proved(server, "chat", "started", form="discord")
    scene.post("chat")
    scene.post("started")
    scene.go()
    assert len(server.posted) == 1
    scene.clock.advance(minutes=3)
    scene.go()
    assert len(server.posted) == 2
    assert {status for _, status in scene.posts} == {"sent"}


def test_until_its_test_has_arrived_a_hook_tells_nothing(scene, server):
    server.statuses = [404]
    scene.add()
    scene.go()
    scene.clock.advance(hours=3)
    scene.go()
    assert len(server.posted) == 1
    assert scene.posts == [("test", "failed")]
    page = scene.browser.get(MINE).text
    assert "Off until a test has arrived" in page
    assert "The server answered with 404." in page


def test_the_page_shows_secret_and_address_never_again(scene, server, caplog, capsys):
    caplog.set_level("DEBUG")
    added = scene.add()
    secret = opened(scene.settings.secret_keys, scene.hook.secret)
    assert added.text.count(secret.replace("+", "&#43;")) + added.text.count(secret) >= 1
    scene.go()
    server.statuses = [500]
    scene.post("turn", seat=scene.seat)
    scene.clock.advance(minutes=3)
    scene.go()
    page = scene.browser.get(MINE).text
    for hidden in (secret, "the-token-of-the-channel", "/hooks/7"):
        assert hidden not in page + caplog.text + "".join(capsys.readouterr())
    assert f"{HOST}/…nnel" in page
    assert "was not told of" in caplog.text
    assert HOST not in caplog.text
    assert "no-store" in added.headers["Cache-Control"]


def test_a_form_that_is_sent_twice_adds_one_and_shows_no_secret_again(scene):
    sent = {"do": "add", "form": "json", "url": ADDRESS, "event": "turn", "once": "k" * 20}
    assert "the-secret" in scene.browser.post(MINE, data=sent).text
    again = scene.browser.post(MINE, data=sent)
    assert (again.status_code, again.location) == (303, MINE)
    assert scene.house.rows("SELECT count(*) FROM webhook")[0][0] == 1


def test_who_wants_no_emails_is_told_nevertheless(scene, server):
    scene.proved(server)
    choices = {event: offered[0] for event, offered in preferences.CHOICES.items()}
    preferences.choose(scene.house.store, scene.player(scene.mover), 0, choices | {"turn": "none"})
    scene.go()
    assert len(server.posted) == 1


def test_only_the_events_that_were_chosen_are_told(scene, server):
    scene.proved(server, "over")
    scene.go()
    assert server.posted == []


def test_a_message_is_told_without_its_text_and_not_of_someone_muted(scene, server):
    scene.proved(server, "chat")
    me, other = scene.player(scene.mover), scene.player(scene.other)
    chat.say(scene.house.store, Viewer(player_id=me), scene.match_id, "my own words")
    chat.say(scene.house.store, Viewer(player_id=other), scene.match_id, "very private words")
    scene.go()
    (got,) = server.posted
    assert "There are new messages in Survive" in got.body.decode()
    assert "private words" not in got.body.decode()
    silencing.silence(scene.house.store, me, scene.match_id, other, invitations=False)
    chat.say(scene.house.store, Viewer(player_id=other), scene.match_id, "more of it")
    scene.clock.advance(minutes=3)
    scene.go()
    assert len(server.posted) == 1


def test_an_invitation_is_told_by_its_host_and_by_no_link(scene, server):
    scene.proved(server, "invitation")
    address = f"{scene.mover.casefold()}@example.org"
    match_id = create_match(scene.house.store, "survive", 2, {}, "cleo@example.org", [address])
    invitations.accept(scene.house.store, scene.house.invited(match_id)[0], "Cleo", "en", "UTC", "word")
    scene.go()
    (event,) = server.posted[-1].facts["data"]["events"]
    assert event["text"] == f"Cleo invites you to Survive #{match_id}."
    assert event["url"] == f"http://localhost/m/{match_id}"


def test_quiet_hours_hold_for_a_players_own_hook_unless_time_presses(scene, server):
    scene.proved(server)
    now = scene.clock.now()
    player = scene.player(scene.mover)
    local = now.astimezone(ZoneInfo("Europe/Lisbon")).hour
    preferences.save_schedule(scene.house.store, player, 8, (local, (local + 3) % 24), "")
    scene.go()
    assert server.posted == []
    scene.clock.advance(hours=4)
    scene.go()
    assert len(server.posted) == 1


# ---- of a game


def test_a_game_tells_what_anybody_sees(scene, server):
    host = scene.signed_in("Ada")
    scene.proved(server, "turn", "over", path=scene.table, browser=host)
    scene.go()
    (got,) = server.posted
    (event,) = got.facts["data"]["events"]
    assert event["text"] == f"Survive #{scene.match_id} is waiting for {scene.mover}."
    assert "seat" not in event


def test_the_end_of_a_game_is_told_with_its_result(scene, server):
    host = scene.signed_in("Ada")
    scene.proved(server, "over", path=scene.table, browser=host)
    host.post(f"/m/{scene.match_id}/table", data={"do": "call_off", "word": "call off"})
    scene.go()
    (event,) = server.posted[-1].facts["data"]["events"]
    assert event["text"].startswith(f"Survive #{scene.match_id}: game over")


def test_only_the_host_of_a_game_that_all_may_see_sets_its_hooks(scene):
    assert scene.add(path=scene.table, browser=scene.app.test_client()).status_code == 403
    assert scene.app.test_client().get(scene.table).location == "/sign-in"
    bo = scene.signed_in("Bo")
    assert bo.get(scene.table).status_code == 404
    assert scene.add(path=scene.table, browser=bo).status_code == 404
    ada = scene.signed_in("Ada")
    assert ada.get(scene.table).status_code == 200
    assert f'href="{scene.table}"' in ada.get(f"/m/{scene.match_id}/table").text
    with scene.house.store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = true'))
    refused = scene.add(path=scene.table, browser=ada)
    assert (refused.status_code, "posts nothing outside" in refused.text) == (422, True)


def test_players_and_onlookers_are_told_who_set_a_hook_each_in_their_language(scene):
    """In the log and on the settings page; and who took it away."""
    ada, bo = scene.signed_in("Ada"), scene.signed_in("Bo")
    people.update(scene.house.store, scene.player("Bo"), "Bo", "ja", "UTC")
    scene.add("turn", form="discord", path=scene.table, browser=ada)
    log = f"/m/{scene.match_id}"
    said = "added a webhook: a channel on Discord gets news of this game."
    assert f"Ada {said}" in ada.get(log).text
    assert f"Ada {said}" in scene.app.test_client().get(log).text
    assert "AdaさんがWebhookを追加しました。" in bo.get(log).text
    assert "Adaさんが追加したWebhookで、" in bo.get(f"{log}/table").text
    settings = scene.app.test_client().get(f"{log}/table").text
    assert "A channel on Discord gets news of this game by a webhook. Ada added it." in settings
    assert "the-token" not in settings + ada.get(log).text
    assert scene.press("remove", path=scene.table, browser=ada).status_code == 303
    assert "Ada removed the webhook to a channel on Discord." in ada.get(log).text
    assert "Discord gets news" not in ada.get(f"{log}/table").text
    assert scene.press("remove", path=scene.table, browser=ada).status_code == 404


def test_a_host_takes_away_what_an_earlier_host_set(scene):
    ada, bo = scene.signed_in("Ada"), scene.signed_in("Bo")
    scene.add("turn", form="slack", path=scene.table, browser=ada)
    seat = scene.house.rows("SELECT seat FROM chair WHERE player_id = :p", p=scene.player("Bo"))[0].seat
    organiser.hand_over(scene.house.store, Viewer(player_id=scene.player("Ada")), scene.match_id, seat)
    assert scene.press("remove", path=scene.table, browser=ada).status_code == 404
    assert scene.press("remove", path=scene.table, browser=bo).status_code == 303
    assert "Bo removed the webhook" in bo.get(f"/m/{scene.match_id}").text


@pytest.mark.parametrize("of_match", [False, True], ids=["own", "of a game"])
def test_a_hook_speaks_the_language_that_was_chosen_for_it(scene, server, of_match):
    where = {"path": scene.table, "browser": scene.signed_in("Ada")} if of_match else {}
    scene.proved(server, "turn", language="ja", **where)
    assert (
        "Language of the posts: 日本語"
        in scene.signed_in("Ada" if of_match else scene.mover).get(scene.table if of_match else MINE).text
    )
    scene.go()
    (event,) = server.posted[-1].facts["data"]["events"]
    assert event["language"] == "ja"
    assert "手番です。" in event["text"]


def test_a_hook_of_an_earlier_version_speaks_its_players_language(scene, server):
    scene.proved(server, "chat")
    people.update(scene.house.store, scene.player(scene.mover), scene.mover, "zh-Hans", "UTC")
    scene.post("chat")
    with scene.house.store.transaction() as connection:
        values = {"url": ADDRESS}
        connection.execute(text("UPDATE webhook SET language = '', label = '', url = :url"), values)
    assert '<bdi dir="ltr" translate="no">…</bdi>' in scene.browser.get(MINE).text
    scene.go()
    assert server.posted[-1].facts["data"]["events"][0]["language"] == "zh-Hans"


def test_a_language_that_is_none_is_refused(scene):
    assert scene.add(language="xx").status_code == 422
    assert scene.house.rows("SELECT 1 FROM webhook") == []


def test_a_hook_that_no_key_opens_tells_nothing_and_says_what_to_do(scene, server):
    scene.failing(server)
    scene.settings = replace(scene.settings, secret_keys=("another key",))
    scene.call()
    assert (server.posted, scene.hook.error) == ([], "sealed")
    assert "no longer has the key that opens the address" in scene.browser.get(MINE).text


def test_a_game_that_became_private_tells_nothing_more(scene, server):
    scene.proved(server, "turn", path=scene.table, browser=scene.signed_in("Ada"))
    with scene.house.store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = true'))
    scene.go()
    assert server.posted == []


@pytest.mark.parametrize("slug", sorted(all_games()))
@pytest.mark.usefixtures("tongue")
def test_games_that_differ_in_what_is_hidden_are_told_alike(
    app, browser, house, settings, clock, server, slug
):
    """By hooks of each form, of both players and of the game, byte for byte but the moments."""
    scene = Scene(app, browser, house, settings, clock, slug)
    browsers = {name: scene.signed_in(name) for name in ("Ada", "Bo")}
    for form in FORMATS:
        for name, one in browsers.items():
            scene.proved(server, *EVENTS[False], form=form, address=f"{ADDRESS}/{name}/{form}", browser=one)
        address = f"{ADDRESS}/game/{form}"
        scene.proved(
            server, *EVENTS[True], form=form, address=address, path=scene.table, browser=browsers["Ada"]
        )
    house.play(scene.match_id, 9)
    for name in browsers:
        player = scene.player(name)
        with house.store.transaction() as connection:
            what = hook_posts.Occasion(event="chat", occasion=f"chat:{name}", match_id=scene.match_id)
            hook_posts.ask(connection, clock.now(), what, player)
    with house.store.reading() as connection:
        snapshot = reading.by_match(connection, scene.match_id)
    game, state = snapshot.game, snapshot.load()
    worlds = [state, *(game.resample(state, None, Chance(b"twin" * 8, number)) for number in range(3))]
    assert any(world != state for world in worlds), "the worlds differ"
    told = [told_of(scene, server, world) for world in worlds]
    assert {path.rsplit("/", 2)[1] for path, _ in told[0]} == {"Ada", "Bo", "game"}
    assert all(one == told[0] for one in told)


def told_of(scene, server, state) -> list[tuple[str, bytes]]:
    """What each hook tells while the match is in a state: the same letters and posts are due each time."""
    past._kept.clear()
    with scene.house.store.transaction() as connection:
        values = {"s": codec.dumps(state), "m": scene.match_id}
        connection.execute(text('UPDATE "match" SET state = :s WHERE id = :m'), values)
        connection.execute(
            text("UPDATE hookpost SET status = 'waiting', due_at = created_at WHERE event <> 'test'")
        )
        connection.execute(text("UPDATE webhook SET rests_until = NULL"))
        connection.execute(text("UPDATE letter SET status = 'waiting', held_until = NULL"))
    server.posted.clear()
    scene.go()
    moments = re.compile(rb'"(at|timestamp)": "[^"]*"')
    return sorted((one.path, moments.sub(b"", one.body)) for one in server.posted)


# ---- where nothing arrives


@pytest.mark.parametrize("status", [500, 403, 429, 302])
def test_what_did_not_arrive_is_tried_again_later_and_said(scene, server, status):
    scene.failing(server)
    server.statuses = [status]
    scene.call()
    assert scene.posts[-1] == ("chat", "waiting")
    assert f"The server answered with {status}." in scene.browser.get(MINE).text
    scene.call()
    assert len(server.posted) == 1, "not at once"
    scene.clock.advance(seconds=70)
    scene.call()
    assert scene.posts[-1] == ("chat", "sent")
    first, second = server.posted
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert "The server answered" not in scene.browser.get(MINE).text
    assert server.connected == [PUBLIC] * 3, "a redirect leads nowhere"


def test_a_server_may_ask_to_be_left_alone(scene, server):
    scene.failing(server)
    server.answer = b"HTTP/1.1 429 Slowly\r\nRetry-After: 1800\r\n\r\n"
    scene.call()
    server.answer = None
    for _ in range(4):
        scene.clock.advance(minutes=6)
        scene.call()
    assert len(server.posted) == 1
    scene.clock.advance(minutes=8)
    scene.call()
    assert len(server.posted) == 2


def test_a_hook_that_fails_rests_longer_each_time(scene, server):
    scene.failing(server)
    server.statuses = [500] * 5
    waits = []
    for _ in range(5):
        scene.call()
        waits.append(scene.house.rows("SELECT due_at FROM hookpost WHERE status = 'waiting'")[0].due_at)
        scene.clock.advance(minutes=[1, 2, 4, 8, 16][len(waits) - 1])
    assert len(server.posted) == 5


@pytest.mark.parametrize(("status", "hours"), [(500, 49), (404, 2), (410, 2)])
def test_a_hook_that_fails_for_too_long_is_switched_off_and_that_is_told(scene, server, status, hours):
    scene.failing(server)
    server.statuses = [status] * 200
    scene.call()
    for _ in range(hours * 2):
        if scene.hook.status == "off":
            break
        scene.clock.advance(minutes=31)
        scene.call()
    assert scene.hook.status == "off"
    assert len(server.posted) >= rounds.LEAST_TRIES
    assert scene.posts[-1] == ("chat", "failed")
    scene.go()
    assert scene.letters("hook_off") == 1
    (letter,) = [m for _, m in scene.sent if "switched off" in m["Subject"]]
    said = letter.get_body(("plain",)).get_content()
    assert f"The server answered with {status}." in said
    assert f"{HOST}/…nnel" in said
    assert "the-token" not in letter.as_string()
    tried = len(server.posted)
    scene.post("chat")
    scene.clock.advance(hours=2)
    scene.call()
    assert len(server.posted) == tried, "nothing more is sent there"
    server.statuses = []
    assert scene.press("test").status_code == 303
    scene.call()
    assert scene.hook.status == "on"


def test_a_hook_that_failed_for_a_day_and_works_again_stays_on(scene, server):
    scene.failing(server)
    server.statuses = [500] * 3
    for _ in range(4):
        scene.call()
        scene.clock.advance(hours=8)
    assert (scene.hook.status, scene.hook.failures, scene.letters("hook_off")) == ("on", 0, 0)


@pytest.mark.parametrize("how", ["hangs", "drips"])
def test_a_server_that_never_ends_its_answer_is_cut_off(scene, server, monkeypatch, how):
    scene.failing(server)
    monkeypatch.setattr(rounds, "PATIENCE", 0.5)
    setattr(server, how, True)
    scene.call()
    setattr(server, how, False)
    assert (scene.hook.error, scene.posts[-1]) == ("silent", ("chat", "waiting"))


@pytest.mark.parametrize("answer", [b"x" * 100_000, b"SSH-2.0\r\n", b"HTTP/1.1 \r\n"])
def test_what_is_no_answer_is_a_failure(scene, server, answer):
    scene.failing(server)
    server.answer = answer
    scene.call()
    assert scene.hook.error == "silent"


def test_no_letter_waits_for_a_hook(scene, server, monkeypatch):
    scene.proved(server)
    called = []
    monkeypatch.setattr(guarded, "post", lambda *_, **__: called.append(1))
    deliver.run_batch(scene.house.store, scene.settings, lambda _u, _s, to, _m: scene.sent.append(to))
    assert (called, bool(scene.sent)) == ([], True)


def test_a_hook_that_a_worker_holds_is_left_to_it_and_taken_over_after_the_lease(scene, server):
    scene.failing(server)
    with scene.house.store.transaction() as connection:
        assert hook_posts.take(connection, scene.clock.now(), scene.hook.id)
    scene.call()
    assert server.posted == []
    scene.clock.advance(minutes=3)
    scene.call()
    assert len(server.posted) == 1


def test_what_cannot_be_written_stops_no_other(scene, server, monkeypatch):
    scene.failing(server)
    monkeypatch.setattr(rounds, "told", lambda *_: 1 / 0)
    scene.call()
    assert scene.hook.error == "error"


# ---- which addresses are called


def test_an_inner_address_is_never_connected_to(scene, server, monkeypatch):
    scene.failing(server)
    for address in ("127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:10.0.0.1"):
        connected = led_to(server, monkeypatch, PUBLIC, address)
        scene.call()
        assert (connected, server.posted, scene.hook.error) == ([], [], "forbidden"), address
        scene.clock.advance(hours=1)
    assert "isn’t public" in scene.browser.get(MINE).text


def test_a_name_that_changes_its_address_after_the_test_is_judged_anew(scene, server, monkeypatch):
    scene.failing(server)
    connected = led_to(server, monkeypatch, "127.0.0.1")
    scene.call()
    assert (connected, server.posted) == ([], [])
    led_to(server, monkeypatch)
    scene.clock.advance(minutes=3)
    scene.call()
    assert len(server.posted) == 1


BAD = {
    "http": f"http://{HOST}/x",
    "another port": f"https://{HOST}:8443/x",
    "a port that is none": f"https://{HOST}:x/x",
    "a bare name": "https://localhost/x",
    "a person in it": f"https://ada@{HOST}/x",
    "a second line": f"https://{HOST}/x\r\nHost: inner",
    "a space": f"https://{HOST}/x y",
    "other letters": f"https://{HOST}/ü",
    "a part of a page": f"https://{HOST}/#x",
    "too long": f"https://{HOST}/{'x' * 1000}",
    "another scheme": "file:///etc/passwd",
    "none": "",
    "no address": "Discord",
}


def test_what_is_no_address_is_refused_and_kept_in_the_form(scene):
    for name, address in BAD.items():
        answer = scene.add(address=address)
        assert (answer.status_code, "That address can’t be used" in answer.text) == (422, True), name
    assert 'value="Discord"' in answer.text
    assert scene.house.rows("SELECT count(*) FROM webhook")[0][0] == 0
    assert scene.add("nothing").status_code == 422
    assert scene.add(form="pigeon").status_code == 422


def test_the_operator_can_vouch_for_an_inner_server_without_tls(scene):
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"

        def serve():
            plain, _ = listener.accept()
            with plain:
                heard.append(plain.recv(65536))
                plain.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        assert scene.add(address=f"{origin}/hook").status_code == 422
        scene.app.extensions["site"].settings = scene.settings = replace(
            scene.settings, webhook_origins=origins(f"{origin}/, https://chat.example.org")
        )
        assert scene.add(address=f"{origin}/hook").status_code == 200
        scene.call()
        thread.join()
    assert heard[0].startswith(b"POST /hook HTTP/1.1\r\nHost: 127.0.0.1:")
    assert scene.hook.status == "on"


def test_origins_are_read_with_their_ports_or_refused():
    assert origins("") == ()
    assert origins("http://a.lan:8065, https://B.example/, http://[::1]:80") == (
        "http://a.lan:8065",
        "https://b.example:443",
        "http://::1:80",
    )
    for bad in ("a.lan", "ftp://a.lan", "https://a.lan/path", "https://u@a.lan"):
        with pytest.raises(BadSettings, match="TIDEPOST_WEBHOOK_ORIGINS"):
            origins(bad)


# ---- how many


def test_there_are_so_many_hooks_of_a_player_and_of_a_game_at_most(scene):
    for n in range(webhooks.MOST):
        assert scene.add(address=f"{ADDRESS}{n}").status_code == 200
    assert scene.add(address=ADDRESS).status_code == 422
    ada = scene.signed_in("Ada")
    for n in range(webhooks.MOST_OF_MATCH):
        assert scene.add(address=f"{ADDRESS}{n}", path=scene.table, browser=ada).status_code == 200
    assert scene.add(path=scene.table, browser=ada).status_code == 422
    assert len(scene.house.rows("SELECT 1 FROM webhook")) == webhooks.MOST + webhooks.MOST_OF_MATCH


def test_an_address_is_there_once(scene):
    scene.add()
    refused = scene.add()
    assert (refused.status_code, "with that address already" in refused.text) == (422, True)


def test_a_test_is_sent_once_a_minute_and_twelve_times_an_hour(scene, server):
    scene.add()
    assert scene.press("test").status_code == 429
    pressed = 0
    for _ in range(15):
        scene.clock.advance(seconds=61)
        pressed += scene.press("test").status_code == 303
        scene.go()
    assert pressed == 10  # adding was a test, and so was the one that came too soon
    assert len(server.posted) == 10, "the first two went together"


def test_who_tests_a_hook_that_rests_need_not_wait(scene, server):
    scene.failing(server)
    server.statuses = [500]
    scene.call()
    scene.press("test")
    scene.call()
    assert {status for _, status in scene.posts} == {"sent"}


def test_a_hook_that_was_removed_tells_nothing_and_nobody_removes_anothers(scene, server):
    scene.failing(server)
    assert scene.press("remove", browser=scene.signed_in(scene.other)).status_code == 404
    assert scene.press("remove").location == f"{MINE}?done=removed#now"
    scene.call()
    assert (server.posted, scene.house.rows("SELECT 1 FROM hookpost")) == ([], [])


def test_a_hook_ends_with_everything_else_and_not_with_the_session(scene):
    scene.add()
    scene.browser.post("/sign-out")
    assert scene.house.rows("SELECT count(*) FROM webhook")[0][0] == 1
    scene.signed_in(scene.mover).post("/profile/end")
    assert scene.house.rows("SELECT count(*) FROM webhook")[0][0] == 0


def test_hooks_of_a_game_go_a_year_after_its_end(scene):
    scene.add("turn", path=scene.table, browser=scene.signed_in("Ada"))
    with scene.house.store.transaction() as connection:
        assert webhooks.delete_of_match(connection, scene.match_id, 10) == 1
        assert webhooks.delete_of_match(connection, scene.match_id, 10) == 0
        assert hook_posts.forget(connection, scene.clock.now() + timedelta(days=15), 10) == 0


def test_the_log_says_which_hook_failed_and_how(scene, server, caplog):
    caplog.set_level(logging.WARNING)
    scene.failing(server)
    server.statuses = [503]
    scene.call()
    assert f"webhook {scene.hook.id} was not told of 1 events: 503" in caplog.text
