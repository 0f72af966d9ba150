"""Opening a table, and the answers to its invitations.

The organiser confirms from his own mail before anybody else gets a letter: the house sends nothing to
strangers for someone who only typed an address.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app import clock, games
from app.engine import codec
from app.people import service as people
from app.play.clock.rules import Rule, check_rule
from app.play.lobby.starting import start
from app.play.lobby.tables import OPEN, Invited, Setting, setting_by_token
from app.play.match import presence
from app.play.match.records import Closed, Refused, Table
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, stored

LASTS = timedelta(days=14)
REMIND_AFTER = timedelta(days=3)
MOST_UNCONFIRMED = 5
BUNDLE = 200
"""Invitations tended in one transaction."""

_open = Statement(
    """INSERT INTO "match" (game, edition, options, seats, bots, demo, status, secret, clock, words, state,
                            ply, barrier_state, barrier_ply, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'unconfirmed', ?, ?, '[]', '', 0, '', 0, ?)""",
    after="RETURNING id",
)
invite = Statement(
    """INSERT INTO invitation (match_id, address, address_key, organiser, status, word, invited_at,
                               expires_at)
       VALUES (?, ?, ?, ?, ?, '', ?, ?)""",
    after="RETURNING id",
)
_lately = Statement(
    """SELECT count(*) FROM invitation i JOIN "match" m ON m.id = i.match_id
       WHERE i.address_key = ? AND i.organiser AND i.invited_at > ? AND m.status = 'unconfirmed'"""
)
_accept = Statement(
    """UPDATE invitation SET status = 'accepted', player_id = ?, word = ?, answered_at = ?
       WHERE id = ? AND status = 'invited'"""
)
_decline = Statement(
    """UPDATE invitation SET status = 'declined', answered_at = ?
       WHERE id = ? AND status IN ('invited', 'accepted')"""
)
_confirm = Statement(
    """UPDATE "match" SET status = 'open', organiser_id = ? WHERE id = ? AND status = 'unconfirmed'"""
)
_send_out = Statement(
    """UPDATE invitation SET status = 'invited', invited_at = ?, expires_at = ?
       WHERE match_id = ? AND status = 'waiting'"""
)
_call_off = Statement(
    """UPDATE "match" SET status = 'called_off', ended_at = ?
       WHERE id = ? AND status IN ('unconfirmed', 'open')"""
)
_remind = Statement(
    """UPDATE invitation SET reminded_at = ?
       WHERE id IN (SELECT id FROM invitation
                    WHERE status = 'invited' AND NOT organiser AND reminded_at IS NULL AND invited_at <= ?
                      AND match_id IN (SELECT id FROM "match" WHERE status IN ('open', 'running'))
                    LIMIT ?)
       RETURNING id, match_id, seat"""
)
_expire = Statement(
    """UPDATE invitation SET status = 'expired'
       WHERE id IN (SELECT id FROM invitation
                    WHERE status = 'invited' AND expires_at <= ?
                      AND (seat <> '' OR match_id IN (
                          SELECT id FROM "match" WHERE status IN ('unconfirmed', 'open')))
                    LIMIT ?)
       RETURNING id, match_id, organiser, seat"""
)
_organisers = Statement('SELECT id, organiser_id FROM "match" WHERE id = ?')


def open_table(
    store: Store,
    game: str,
    seats: int,
    options: Mapping[str, str],
    organiser_address: str,
    other_addresses: Sequence[str],
    *,
    bots: int = 0,
    rule: Rule | None = None,
) -> int:
    """The id of a new table, for its organiser to confirm by the letter that this asks for.

    Everybody gets his own invitation; those of the others wait for the confirmation. The rule is that of its
    clocks; None: it has none. Raises BadOptions and Refused: "game", "address", "twice", "himself",
    "too_many", "too_few", "too_often" and those of `check_rule`.
    """
    if game not in games.all_games():
        raise Refused("game", game=game[:40])
    rules = games.all_games()[game]
    filled = rules.complete_options(seats, options)
    organiser, key = people.check_address(organiser_address)
    others: dict[str, str] = {}
    for text in other_addresses:
        address, other = people.check_address(text)
        if other == key:
            raise Refused("himself", address=address)
        if other in others:
            raise Refused("twice", address=address)
        others[other] = address
    free = seats - 1 - bots
    if bots < 0 or len(others) != free:
        raise Refused("too_many" if len(others) > free else "too_few", free=max(free, 0), given=len(others))
    clocks = codec.dumps(check_rule(rule or Rule()))
    now = clock.now()
    with store.transaction() as connection:
        at, ends = stored(connection, now), stored(connection, now + LASTS)
        check_rate(connection, key, now)
        text = codec.dumps(dict(filled))
        values = (game, rules.edition, text, seats, bots, bool(bots), secrets.token_bytes(32), clocks, at)
        match_id = int(_open.fetch(connection, *values)[0][0])
        mine = invite.fetch(connection, match_id, organiser, key, True, "invited", at, ends)[0][0]
        invite.write(
            connection,
            [(match_id, address, other, False, "waiting", None, None) for other, address in others.items()],
        )
        once = f"confirm:{mine}"
        enqueue(
            connection, now, LetterRequest(kind="confirm", once=once, match_id=match_id, invitation_id=mine)
        )
    return match_id


def check_rate(connection: Connection, key: str, now: datetime) -> None:
    """Raises Refused("too_often") where too many tables of the hour wait for the address to confirm them."""
    since = stored(connection, now - timedelta(hours=1))
    if _lately.fetch(connection, key, since)[0][0] >= MOST_UNCONFIRMED:
        raise Refused("too_often", most=MOST_UNCONFIRMED)


def accept(store: Store, token: str, name: str, language: str, zone: str, word: str) -> Table:
    """Take the seat that an invitation offers. The last one to accept starts the match.

    By the organiser's own invitation this confirms the table and sends the others theirs. Again, after
    having accepted, it changes nothing. Raises NotFound, Refused (name, language, zone, word), and Closed
    with what became of the invitation or the table: "declined", "withdrawn", "expired", "called_off".
    """
    name, word = people.clean_name(name), people.check_word(word)
    language, zone = people.check_language(language), people.check_zone(zone)
    now = clock.now()
    with store.transaction() as connection:
        at = stored(connection, now)
        setting = setting_by_token(connection, token, lock=True)
        mine = _mine(setting)
        if mine.status == "accepted" and setting.status != "called_off":
            return setting.table()
        if setting.status not in OPEN:
            raise Closed("called_off" if setting.status == "called_off" else "started")
        if mine.status != "invited":
            raise Closed(mine.status)
        player_id = people.keep(connection, mine.address, mine.key, name, language, zone)
        if _accept.run(connection, player_id, word, at, mine.id) != 1:
            raise Closed("expired")  # by beat, in this very moment
        if mine.organiser:
            _confirm.run(connection, player_id, setting.match_id)
            _send_out.run(connection, at, stored(connection, now + LASTS), setting.match_id)
            waiting = [one for one in setting.invited if one.status == "waiting"]
            enqueue(connection, now, *(invitation_letter(setting.match_id, one.id) for one in waiting))
        elif setting.count("accepted") + 1 + setting.bots < setting.seats:
            enqueue(connection, now, _answered_letter(setting, mine, "accepted"))
        if setting.count("accepted") + 1 + setting.bots == setting.seats:
            start(connection, setting.match_id)
        table = setting_by_token(connection, token).table()
    presence.changed(store, player_id)  # his zone perhaps, by which the clocks of his other matches run
    return table


def decline(store: Store, token: str) -> Table:
    """Say no, also after having accepted, as long as the match has not started; the organiser hears of it.

    The organiser's own no calls the table off. Raises NotFound, Closed.
    """
    now = clock.now()
    with store.transaction() as connection:
        setting = setting_by_token(connection, token, lock=True)
        mine = _mine(setting)
        if mine.status == "declined":
            return setting.table()
        if setting.status not in OPEN:
            raise Closed("called_off" if setting.status == "called_off" else "started")
        if mine.status not in ("invited", "accepted"):
            raise Closed(mine.status)
        if mine.organiser:
            end_table(connection, setting, now)
        _decline.run(connection, stored(connection, now), mine.id)
        if not mine.organiser:
            enqueue(connection, now, _answered_letter(setting, mine, "declined"))
        return setting_by_token(connection, token).table()


def end_table(connection: Connection, setting: Setting, now: datetime) -> None:
    """Call the table off and tell all who were asked, but not the organiser, who knows."""
    _call_off.run(connection, stored(connection, now), setting.match_id)
    enqueue(
        connection,
        now,
        *(
            LetterRequest(
                kind="called_off",
                once=f"called_off:{one.id}",
                match_id=setting.match_id,
                invitation_id=one.id,
            )
            for one in setting.invited
            if one.status in ("invited", "accepted") and not one.organiser
        ),
    )


def tend_invitations(store: Store) -> int:
    """Remind of invitations three days old, once; end those of fourteen days. How many letters that took.

    For beat; twice is once. A table that its organiser never confirmed ends silently, as does the offer of a
    seat of a running match; of others he hears. Many at once are many transactions, so that nobody who plays
    waits long.
    """
    letters = 0
    while True:
        found, asked_for = _tend_some(store)
        letters += asked_for
        if not found:
            return letters


def _tend_some(store: Store) -> tuple[int, int]:
    """How many invitations were due, of the next BUNDLE at most, and how many letters that took."""
    now = clock.now()
    with store.transaction() as connection:
        at = stored(connection, now)
        ended = _expire.fetch(connection, at, BUNDLE)
        reminded = _remind.fetch(connection, at, stored(connection, now - REMIND_AFTER), BUNDLE)
        wanted = [
            seat_offer_letter(match_id, invitation_id, now, "still")
            if seat
            else LetterRequest(
                kind="invitation_reminder",
                once=f"invitation_reminder:{invitation_id}",
                match_id=match_id,
                invitation_id=invitation_id,
            )
            for invitation_id, match_id, seat in reminded
        ]
        for invitation_id, match_id, organiser, seat in ended:
            if organiser:
                _call_off.run(connection, at, match_id)
            if organiser or seat:
                continue
            for _, organiser_id in _organisers.fetch(connection, match_id):
                once = f"expired:{invitation_id}"
                wanted.append(
                    LetterRequest(
                        kind="expired",
                        once=once,
                        match_id=match_id,
                        player_id=organiser_id,
                        about=str(invitation_id),
                    )
                )
        enqueue(connection, now, *wanted)
        return len(ended) + len(reminded), len(wanted)


def invitation_letter(match_id: int, invitation_id: int, again: str = "") -> LetterRequest:
    """The letter that invites."""
    once = f"invited:{invitation_id}" + (f":{again}" if again else "")
    return LetterRequest(kind="invited", once=once, match_id=match_id, invitation_id=invitation_id)


def seat_offer_letter(match_id: int, invitation_id: int, now: datetime, by: str = "") -> LetterRequest:
    """The letter that offers a seat of a running match, at most one an hour.

    `by`: "himself" who asked for it, "still" where it is a reminder; empty: the organiser.
    """
    once = f"seat_offer:{invitation_id}:{now:%Y%m%d%H}"
    return LetterRequest(
        kind="seat_offer", once=once, match_id=match_id, invitation_id=invitation_id, about=by
    )


def _answered_letter(setting: Setting, guest: Invited, answer: str) -> LetterRequest:
    return LetterRequest(
        kind="answered",
        once=f"answered:{guest.id}:{answer}",
        match_id=setting.match_id,
        player_id=setting.organiser_id,
        about=str(guest.id),
    )


def _mine(setting: Setting) -> Invited:
    assert setting.mine is not None
    return setting.mine
