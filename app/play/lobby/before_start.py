"""What the organiser may do with a table before it starts."""

from datetime import datetime

from sqlalchemy import Connection

from app import clock, games
from app.engine import codec
from app.people import service as people
from app.play.lobby.opening import LASTS, end_table, invitation_letter, invite
from app.play.lobby.starting import start
from app.play.lobby.tables import OPEN, Invited, Setting, match_of, setting_of
from app.play.match.records import Closed, NotFound, Refused, Table, Viewer
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, stored

_withdraw = Statement("UPDATE invitation SET status = 'withdrawn', answered_at = ? WHERE id = ?")
_ask_anew = Statement(
    """UPDATE invitation SET status = 'invited', invited_at = ?, expires_at = ?, answered_at = NULL,
                             reminded_at = NULL
       WHERE id = ?"""
)
_shrink = Statement('UPDATE "match" SET seats = ?, options = ? WHERE id = ?')


def send_again(store: Store, who: Viewer, invitation_id: int) -> Table:
    """Send an invitation once more, once an hour at most. Raises NotFound, Closed, Refused("too_often")."""
    now = clock.now()
    with store.transaction() as connection:
        setting, guest = _guest(connection, who, invitation_id)
        if guest.status != "invited":
            raise Closed(guest.status)
        letter = invitation_letter(setting.match_id, guest.id, again=f"{now:%Y%m%d%H}")
        if not enqueue(connection, now, letter):
            raise Refused("too_often", most=1)
        return setting.table()


def withdraw(store: Store, who: Viewer, invitation_id: int) -> Table:
    """Take an invitation back that was not accepted; who had the letter is told. Raises NotFound, Closed."""
    now = clock.now()
    with store.transaction() as connection:
        setting, guest = _guest(connection, who, invitation_id)
        if guest.status not in ("waiting", "invited"):
            raise Closed(guest.status)
        _take_back(connection, setting, guest, now)
        return setting_of(connection, setting.match_id, who).table()


def replace(store: Store, who: Viewer, invitation_id: int, address: str) -> Table:
    """Invite another in the place of one who did not accept, or once more one whose invitation has ended.

    Raises NotFound, Closed, Refused("address", "himself", "twice", "too_many" or "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        setting, guest = _guest(connection, who, invitation_id)
        if guest.status == "accepted":
            raise Closed("accepted")
        known = next((one for one in setting.invited if one.key == key), None)
        if known is not None and known.status not in ("withdrawn", "expired"):
            raise Refused("himself" if known.organiser else "twice", address=address)
        taken = setting.count("accepted", "invited", "waiting") - (guest.status in ("invited", "waiting"))
        if taken + setting.bots >= setting.seats:
            raise Refused("too_many", free=0, given=1)
        if guest.status in ("invited", "waiting"):
            _take_back(connection, setting, guest, now)
        at, ends = stored(connection, now), stored(connection, now + LASTS)
        if known is not None:
            _ask_anew.run(connection, at, ends, known.id)
            letter = invitation_letter(setting.match_id, known.id, again=f"{now:%Y%m%d%H}")
            if not enqueue(connection, now, letter):
                raise Refused("too_often", most=1)
        else:
            made = invite.fetch(connection, setting.match_id, address, key, False, "invited", at, ends)
            enqueue(connection, now, invitation_letter(setting.match_id, made[0][0]))
        return setting_of(connection, setting.match_id, who).table()


def start_with_fewer(store: Store, who: Viewer, match_id: int) -> Table:
    """Start with those who accepted. Invitations without an answer are withdrawn.

    Raises NotFound, Closed, Refused("too_few") and BadOptions where the options do not suit so few.
    """
    now = clock.now()
    with store.transaction() as connection:
        setting = _organised(connection, who, match_id)
        game = games.all_games()[setting.slug]
        seats = setting.count("accepted") + setting.bots
        if seats not in game.seats:
            raise Refused("too_few", least=game.seats[0], given=seats)
        fitting = {
            option.name
            for option in game.options
            if option.name in setting.options and (option.seats is None or seats in option.seats)
        }
        filled = game.complete_options(seats, {name: setting.options[name] for name in fitting})
        for guest in setting.invited:
            if guest.status in ("waiting", "invited"):
                _take_back(connection, setting, guest, now)
        _shrink.run(connection, seats, codec.dumps(dict(filled)), match_id)
        start(connection, match_id)
        return setting_of(connection, match_id, who).table()


def call_off(store: Store, who: Viewer, match_id: int) -> Table:
    """Call the table off; all who were asked are told. Raises NotFound, Closed."""
    now = clock.now()
    with store.transaction() as connection:
        end_table(connection, _organised(connection, who, match_id, confirmed=False), now)
        return setting_of(connection, match_id, who).table()


def _take_back(connection: Connection, setting: Setting, guest: Invited, now: datetime) -> None:
    _withdraw.run(connection, stored(connection, now), guest.id)
    if guest.status == "invited":
        once = f"withdrawn:{guest.id}"
        letter = LetterRequest(kind="withdrawn", once=once, match_id=setting.match_id, invitation_id=guest.id)
        enqueue(connection, now, letter)


def _organised(connection: Connection, who: Viewer, match_id: int, *, confirmed: bool = True) -> Setting:
    """The bearer's own table, held for changing.

    Raises NotFound, Closed("started", "called_off" or "unconfirmed").
    """
    setting = setting_of(connection, match_id, who, lock=True)
    if not setting.organised:
        raise NotFound("match")
    if setting.status not in OPEN:
        raise Closed("called_off" if setting.status == "called_off" else "started")
    if confirmed and setting.status == "unconfirmed":
        raise Closed("unconfirmed")
    return setting


def _guest(connection: Connection, who: Viewer, invitation_id: int) -> tuple[Setting, Invited]:
    """A guest of the bearer's own table. Raises NotFound, Closed."""
    setting = _organised(connection, who, match_of(connection, invitation_id))
    guest = next(one for one in setting.invited if one.id == invitation_id)
    if guest.organiser:
        raise NotFound("invitation")
    return setting, guest
