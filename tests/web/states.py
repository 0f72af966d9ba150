"""The pages in their states: where each is, and what brings it about in a browser."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from app import clock
from app.games import all_games
from app.people import api_keys, operators, webhooks
from app.people.webhooks import FORMATS, Means, NewHook
from app.play.lobby import invitations
from app.play.lobby.create import Opening, create_match
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.seats import webhooks as of_games
from app.play.seats import what_if
from app.transcripts.moving import move
from tests.web.visits import House

Act = Callable[[Page], None]
GUEST, ADA = "guest", "Ada"
"""A browser without a session, and one in which Ada is signed in."""


def nothing(page: Page) -> None:
    """The page as it comes."""
    assert page


class States:
    """Games in every stage, and what to visit of them."""

    def __init__(self, house: House) -> None:
        self.house, store = house, house.store
        self.running = {slug: self._game(slug) for slug in all_games()}
        self.placing = house.start("Ada", "Bo")
        self.over = house.start("Ada", "Bo", setup="random")
        house.play(self.over, 12)
        service.resign(store, Viewer(player_id=self._player("Bo")), self.over)
        self.moved = house.start("Ada", "Bo", setup="random")
        move(store, self.moved, "https://games.example.org", lambda _file: None)
        self.waiting = house.open("Ada", "Bo", "Cleo", setup="random")
        self.invitations = house.invited(self.waiting)
        invitations.accept(store, self.invitations[0], "Ada", "en", "UTC", "")
        listed = Opening(listed=True, shared=True)
        self.open = create_match(
            store, "survive", 3, {"setup": "random"}, "ada@example.org", [], opening=listed
        )
        invitations.accept(store, house.invited(self.open)[0], "Ada", "en", "UTC", "")
        with store.transaction() as connection:
            connection.exec_driver_sql("UPDATE player SET shows = 'games punctuality'")
        operators.add(store, "ada@example.org")
        self._programs()

    def _programs(self) -> None:
        """Keys and webhooks of Ada: one that waits for its test, one that works, one that is off."""
        ada, now, store = self._player("Ada"), clock.now(), self.house.store
        for scopes in ((), api_keys.SCOPES):
            api_keys.make(store, ada, "My bot", scopes)
        means = Means(("a key",), ())
        for form in FORMATS:
            new = NewHook(form, f"https://{form}.example.org/hooks/7/the-token", ["turn", "over"], "ja")
            webhooks.add_own(store, now, ada, new, means)
            of_games.add(store, now, Viewer(player_id=ada), self.running["survive"], new, means)
        with store.transaction() as connection:
            for form, status, error in (("slack", "on", ""), ("json", "off", "forbidden")):
                connection.exec_driver_sql(
                    f"UPDATE webhook SET status = '{status}', error = '{error}' WHERE format = '{form}'"
                )
            connection.exec_driver_sql("UPDATE hookpost SET status = 'sent' WHERE webhook_id > 2")

    def _player(self, name: str) -> int:
        return int(self.house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id)

    def _game(self, slug: str) -> int:
        """A game in which Ada is asked, some turns after its beginning."""
        options = {"setup": "random"} if slug == "survive" else {}
        match_id = self.house.start("Ada", "Bo", game=slug, **options)
        self.house.play(match_id, 10)
        while not self._asked(match_id, "Ada"):
            self.house.play(match_id, 1)
        return match_id

    def _asked(self, match_id: int, name: str) -> list[str]:
        query = """SELECT q.seat FROM question q JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat
                   WHERE q.match_id = :m AND c.player_id = :p AND q.closed_at IS NULL AND c.until IS NULL"""
        return [row.seat for row in self.house.rows(query, m=match_id, p=self._player(name))]

    def all(self) -> Iterator[tuple[str, str, str, Act]]:
        """A name, the browser, the address, and what is done there."""
        for name, address in (
            *(
                ("home", "/"),
                ("help", "/help"),
                ("help for programs", "/help/api"),
                ("rules", "/rules"),
                ("sign in", "/sign-in"),
            ),
            *(
                ("link sent", "/sign-in?sent=1"),
                ("privacy", "/privacy"),
                ("links", "/links"),
                ("no page", "/nothing"),
                ("used link", "/s/x"),
            ),
            *(("games", "/games"), ("finished", "/games/finished"), ("join", f"/m/{self.open}/join")),
            *((f"rules of {slug}", f"/rules/{slug}") for slug in all_games()),
            *((f"new {slug}", f"/open/{slug}") for slug in all_games()),
            *((f"try {slug}", f"/try/{slug}") for slug in all_games()),
            *(("invitation", f"/i/{self.invitations[1]}"), ("opened", "/opened")),
            *((f"watching {slug}", f"/m/{match_id}") for slug, match_id in self.running.items()),
            ("begun without a seat", f"/m/{self.running['survive']}/table"),
        ):
            yield name, GUEST, address, nothing
        yield "try and pick", GUEST, "/try/survive", first_pick
        yield "new game refused", GUEST, "/open/survive", refused_game
        yield "key made", ADA, "/profile/programs", made_key
        yield "webhook refused", ADA, "/profile/webhooks", refused_hook
        for slug, match_id in self.running.items():
            page = f"/m/{match_id}"
            yield f"turn of {slug}", ADA, page, nothing
            yield f"picking in {slug}", ADA, page, first_pick
            yield f"plan in {slug}", ADA, page, plan
            yield f"list of {slug}", ADA, f"{page}?list=1", nothing
            yield f"refusal in {slug}", ADA, page, refused_move
            yield f"what if in {slug}", ADA, f"{page}/what-if", nothing
            yield f"what if, picking in {slug}", ADA, f"{page}/what-if", first_pick
            yield f"past of {slug}", ADA, f"{page}/5", nothing
        yield "list of placings", ADA, f"/m/{self.placing}", nothing
        for name, address in (
            ("what if with a line", f"/m/{self.running['survive']}/what-if"),
            ("log", f"/m/{self.running['survive']}/log"),
            ("host tools", f"/m/{self.running['survive']}/table"),
            ("over", f"/m/{self.over}"),
            ("moved", f"/m/{self.moved}"),
            ("table of a moved game", f"/m/{self.moved}/table"),
            ("statistics", f"/m/{self.over}/statistics"),
            ("again", f"/m/{self.over}/again"),
            ("same people", f"/open/survive?again={self.over}"),
            ("waiting for the others", f"/m/{self.waiting}/table"),
            ("waiting for anybody", f"/m/{self.open}/table"),
            ("my games", "/games/mine"),
            ("my finished games", "/games/mine?list=finished"),
            ("home of Ada", "/"),
            ("profile", "/profile"),
            ("operator", "/operator"),
            ("email settings", "/profile/letters"),
            ("days off", "/profile/away"),
            ("programs", "/profile/programs"),
            ("the end of the account", "/profile/delete"),
            ("webhooks", "/profile/webhooks"),
            ("webhooks of a game", f"/m/{self.running['survive']}/webhooks"),
            ("people", f"/profile/people?game={self.running['survive']}"),
        ):
            if name == "what if with a line":
                me = Viewer(player_id=self._player("Ada"))
                for after in range(3):
                    what_if.play_on(self.house.store, me, self.running["survive"], None, after=after)
            yield name, ADA, address, nothing


def first_pick(page: Page) -> None:
    """Pick the first piece on the board that leads further."""
    links = page.locator(".board a[data-pick=piece]")
    link = (links if links.count() else page.locator(".board a[data-at]")).first
    page.goto(page.url.split("?")[0].split("#")[0] + link.get_attribute("href"))


def plan(page: Page) -> None:
    """Pick until a step is planned, or as far as it goes."""
    first_pick(page)
    for _ in range(3):
        targets = page.locator(".board a[data-pick=target]")
        if page.locator(".plan").count() or not targets.count():
            return
        page.goto(page.url.split("?")[0].split("#")[0] + targets.first.get_attribute("href"))


def refused_move(page: Page) -> None:
    """Type a move that nobody can make."""
    for part in page.locator("#choose details").all():
        part.evaluate("one => { one.open = true }")
    page.locator("#answer").fill("sink A1 twice")
    page.locator("#answer").press("Enter")
    page.get_by_role("alert").wait_for()


def made_key(page: Page) -> None:
    """Make a key, which the page shows."""
    page.locator("#key-name").fill("Another bot")
    page.locator("#new button").click()
    page.locator("#the-key").wait_for()


def refused_hook(page: Page) -> None:
    """Send the form of a new webhook with an address that is none."""
    page.locator("#hook-address").fill("Discord")
    page.locator("#new button.do").click()
    page.get_by_role("alert").first.wait_for()


def refused_game(page: Page) -> None:
    """Send the form of a new game with an address that is none."""
    page.locator("#organiser").fill("nobody")
    page.locator("main form button.do").click()
    page.get_by_role("alert").first.wait_for()
