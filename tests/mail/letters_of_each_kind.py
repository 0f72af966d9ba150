"""One letter at least of each kind that the house writes, as they come about in games of the small game."""

from datetime import timedelta
from email.message import EmailMessage
from email.utils import make_msgid
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from app.accounts import barring, merging
from app.mail.inbound import process, replies
from app.mail.inbound.store import Taken, take_in
from app.mail.letters import waiting
from app.people import address, api_keys, confirming, keys, preferences, webhooks
from app.people import service as people
from app.people.webhooks import Means, NewHook
from app.play.clock.rules import Rule
from app.play.deadlines import absences, nudges, sweep
from app.play.lobby import changes, expiry, invitations, joining
from app.play.lobby.create import Opening, create_match
from app.play.lobby.links import ask_links
from app.play.match import vacancies
from app.play.match.reading import by_match
from app.play.match.records import Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.moves import service
from app.play.seats import chat, offers, organiser, requests, silencing, takeover
from app.store.outbox import LetterRequest, enqueue
from tests.conftest import HeldClock
from tests.mail.outbox import Outbox, answer, links, name_of
from tests.play import cast

DAY = 86400
RULE = Rule("per_move", per_move=4 * DAY, grace=DAY, then="replace")


class Kinds:
    """A house in which all has happened that makes a letter, and what its outbox has sent."""

    def __init__(self, outbox: Outbox, clock: HeldClock) -> None:
        self.outbox, self.store, self.clock = outbox, outbox.store, clock
        for scene in (
            self._tables,
            self._an_open_game,
            self._a_seat_passes_on,
            self._a_seat_that_has_answered_passes_on,
            self._a_deadline_passes,
            self._by_reply,
            self._talk_and_the_end,
            self._a_player_and_their_letters,
        ):
            scene()
            self.go()

    def go(self) -> None:
        """All that is due, with nobody's ten quiet minutes waited out."""
        for row in self.outbox.rows("SELECT id FROM player"):
            preferences.choose(self.store, row.id, preferences.ALL, {"turn": "at_once", "chat": "at_once"})
        sweep.sweep(self.store)
        expiry.remind_and_expire(self.store)
        self.outbox.go()

    def kinds(self) -> dict[str, list[EmailMessage]]:
        """What was sent."""
        named = dict(self.outbox.rows("SELECT id, kind FROM letter"))
        found: dict[str, list[EmailMessage]] = {}
        for _, _, message in self.outbox.sent:
            found.setdefault(named[message["Message-ID"].strip("<>").partition("@")[0]], []).append(message)
        return found

    def _token(self, name: str, part: str, subject: str = "") -> str:
        return links(self.outbox.to(name, subject)[-1], part)[0].rsplit("/", 1)[1].partition("?")[0]

    def _an_open_game(self) -> None:
        """One that is listed, and that somebody asks to join."""
        opening = Opening(listed=True)
        match_id = create_match(self.store, "ferry", 3, {}, cast.ADDRESSES["Dan"], [], opening=opening)
        invitations.accept(self.store, cast.tokens(self.store, match_id)[0], "Dan", "en", "UTC", "")
        joining.ask_to_join(self.store, "eve@example.org", match_id)

    def _tables(self) -> None:
        """One whose organiser calls it off, one that ends unanswered, and one with a letter taken back."""
        for end in ("call_off", "withdraw", "expire"):
            match_id = cast.open_table(self.store, ("Dan", "Cleo", "Bo"))
            tokens = cast.tokens(self.store, match_id)
            self.go()
            invitations.accept(self.store, tokens[0], "Dan", "en", "UTC", "")
            self.go()
            invitations.accept(self.store, tokens[1], "Cleo", "en", "UTC", "")
            who = Viewer(player_id=self.outbox.player("Dan"))
            bo = self.outbox.rows("SELECT id FROM invitation WHERE match_id = :m ORDER BY id", m=match_id)[
                2
            ].id
            if end == "call_off":
                changes.call_off(self.store, who, match_id)
            elif end == "withdraw":
                changes.withdraw(self.store, who, bo)
            self.go()
        for _ in range(15):
            self.clock.advance(days=1)
            self.go()

    def _a_seat_passes_on(self) -> None:
        """Opened by the clock and taken by somebody who is not asked, and by one who is."""
        match = cast.seat(self.store, ("Ada", "Bo", "Cleo"), rule=RULE)
        (late,) = (seat for seat in match.rows if name_of(match, seat) == "Bo")
        (mine,) = (seat for seat in match.rows if name_of(match, seat) == "Ada")
        answer(match, mine)
        self.clock.advance(days=1)
        self.go()
        assert nudges.nudge(self.store, match.bearer(mine), match.match_id, late)
        for _ in range(10):
            self.clock.advance(hours=12)
            self.go()
        for agree in (False, True):
            offers.request_offer(self.store, match.match_id, late, cast.ADDRESSES["Dan"])
            self.go()
            takeover.take(self.store, self._token("Dan", "/i/", "seat"), "Dan", "en", "UTC")
            self._decide(match, mine, agree)
            self.clock.advance(hours=1)
            self.go()
        organiser.extend(
            self.store,
            match.bearer(mine),
            match.match_id,
            2,
            seen=organiser.deadline_marks(self._standing(match), self.clock.moment),
        )
        self.clock.advance(minutes=2)
        self.go()

    def _a_seat_that_has_answered_passes_on(self) -> None:
        match = cast.seat(self.store, ("Ada", "Bo"))
        seat = next(seat for seat in match.rows if name_of(match, seat) == "Bo")
        answer(match, seat)
        with self.store.transaction() as connection:
            standing = by_match(connection, match.match_id)
            assert standing is not None
            vacancies.open_seat(connection, self.clock.moment, standing, seat)
        offers.request_offer(self.store, match.match_id, seat, cast.ADDRESSES["Dan"])
        self.go()
        takeover.take(self.store, self._token("Dan", "/i/", "seat"), "Dan", "en", "UTC")
        self._decide(match, next(one for one in match.rows if one != seat), True)

    def _decide(self, match: cast.Seated, host: str, agree: bool) -> None:
        """The host gives the seat, or doesn't."""
        (asked,) = self.outbox.rows("SELECT id FROM invitation WHERE status = 'asked'")
        requests.decide(self.store, match.bearer(host), match.match_id, asked.id, agree=agree)

    def _standing(self, match: cast.Seated) -> MatchSnapshot:
        with self.store.transaction() as connection:
            standing = by_match(connection, match.match_id)
        assert standing is not None
        return standing

    def _a_deadline_passes(self) -> None:
        """A turn that the clock plays."""
        cast.seat(self.store, ("Ada", "Bo"), rule=replace(RULE, then="default"))
        for _ in range(12):
            self.clock.advance(hours=12)
            self.go()

    def _by_reply(self) -> None:
        """A reply from the player, one from somewhere else, and more than are answered and read at once."""
        match = cast.seat(self.store, ("Ada", "Bo"))
        self.go()
        self._replies(match, "ada@example.org", "else@example.net")
        with patch.object(replies, "MOST_ANSWERS", 0):
            self._replies(match, "ada@example.org")
        with patch.object(replies, "MOST_AN_HOUR", 1):
            self._replies(match, "ada@example.org")
        self._replies(match, "ended")
        self.clock.advance(hours=1)

    def _replies(self, match: cast.Seated, *senders: str) -> None:
        for sender in senders:
            letter = next(m for m in reversed(self.outbox.to("Ada")) if f"#{match.match_id} " in m["Subject"])
            message = EmailMessage()
            if sender == "ended":
                keys.end_all(self.store, self.outbox.player("Ada"), fresh=False)
            message["From"], message["To"], message["Subject"] = sender, letter["Reply-To"], "Re: a turn"
            message["Message-ID"] = make_msgid(domain="example.org")
            message.set_content("help\n" if sender.startswith("ada") else "bid 1\n")
            to = letter["Reply-To"].addresses[0].addr_spec
            raw = message.as_bytes()
            assert (
                take_in(self.store, self.outbox.settings, raw, [to], "listener", sender=sender) is Taken.KEPT
            )
            process.run_batch(self.store, self.outbox.settings)
            self.go()

    def _talk_and_the_end(self) -> None:
        """The small game asks everybody at its start: only who has answered already is just told of it."""
        match = cast.seat(self.store, ("Ada", "Bo"))
        self.outbox.write(
            "UPDATE letter SET kind = 'started' WHERE match_id = :m AND seat = 'red' AND kind = 'asked'",
            m=match.match_id,
        )
        answer(match, "red")
        self.go()
        chat.say(self.store, match.bearer("red"), match.match_id, "good luck")
        self.clock.advance(minutes=2)
        self.go()
        service.resign(self.store, match.bearer("red"), match.match_id)

    def _a_key_and_a_webhook_that_was_switched_off(self, player: int) -> None:
        hook = NewHook("slack", "https://chat.example.org/x", ["turn"], "en")
        webhooks.add_own(self.store, self.clock.now(), player, hook, Means(["key"], ()))
        self.outbox.write("UPDATE webhook SET status = 'off', error = '404'")
        api_keys.make(self.store, player, "bot", ())
        with self.store.transaction() as connection:
            wanted = LetterRequest(kind="hook_off", once="hook_off:1", player_id=player)
            enqueue(connection, self.clock.now(), wanted)

    def _a_player_and_their_letters(self) -> None:
        ada = self.outbox.player("Ada")
        today = self.clock.moment.date()
        absences.enter(self.store, ada, today + timedelta(days=2), today + timedelta(days=3))
        match_id = self.outbox.rows("SELECT match_id FROM chair WHERE player_id = :p", p=ada)[0].match_id
        for what in (confirming.RESIGN, confirming.BACK, confirming.LETTERS):
            confirming.request(self.store, ada, match_id, what, {})
        other = self.outbox.rows(
            "SELECT player_id FROM chair WHERE match_id = :m AND player_id <> :p", m=match_id, p=ada
        )[0].player_id
        silencing.report(self.store, ada, match_id, other, "They wrote terrible things.", "boss@example.org")
        self._a_key_and_a_webhook_that_was_switched_off(ada)
        assert waiting.ask(
            self.store, msgspec.structs.replace(self.outbox.settings, operator="boss@example.org")
        )
        ask_links(self.store, cast.ADDRESSES["Ada"])
        people.ask_sign_in(self.store, cast.ADDRESSES["Ada"])
        self.go()
        address.request_change(self.store, self.outbox.player("Cleo"), "cleo@new.example")
        self.go()
        letter = next(m for _, to, m in reversed(self.outbox.sent) if to == "cleo@new.example")
        address.confirm_change(self.store, links(letter, "/a/")[0].rsplit("/", 1)[1])
        self.go()
        self._newcomer("Zoe")
        confirming.request(self.store, self.outbox.player("Dan"), None, confirming.DELETE, {})
        self.go()
        with self.store.transaction() as connection:
            people.keep(connection, "zoe@new.example", "zoe@new.example", "Zoe", "en", "UTC")
        merging.merge(self.store, cast.ADDRESSES["Zoe"], "zoe@new.example")
        barring.bar(self.store, "zoe@new.example")
        people.ask_sign_in(self.store, "zoe@new.example")
        self.go()
        bo = self.outbox.player("Bo")
        preferences.choose(self.store, bo, preferences.ALL, {"turn": "digest"})
        cast.seat(self.store, ("Ada", "Bo"))
        self.outbox.go()
        self.clock.advance(days=1)
        self.outbox.go()

    def _newcomer(self, name: str) -> int:
        with self.store.transaction() as connection:
            return people.keep(connection, cast.ADDRESSES[name], cast.ADDRESSES[name], name, "en", "UTC")
