"""The fate of each table's rows when an account is deleted: statements in their order, or why they stay.

The row of the player stays too, for the games, and names nobody. `tests/test_house.py` finds a table that is
missing here.
"""

from collections.abc import Mapping

from app.store.sql import Command

Erased = tuple[Command, ...] | str
"""The statements, or the reason for which the rows stay as they are."""

_CHAIRS = "SELECT id FROM chair WHERE player_id = :player_id"
_MATCHES = "SELECT match_id FROM chair WHERE player_id = :player_id"
_GUEST = "(player_id = :player_id OR address_key = :key)"

_end_tokens = Command(
    f"""UPDATE token SET ended_at = :now
        WHERE ended_at IS NULL AND (player_id = :player_id OR invitation_id IN (
            SELECT id FROM invitation WHERE {_GUEST}))"""  # noqa: S608 - constants
)
_delete_pushes = Command(
    "DELETE FROM push WHERE letter_id IN (SELECT id FROM letter WHERE player_id = :player_id)"
)
_DETAILS = """by_seat = NULL, consequence = NULL, guest_id = NULL, offer = NULL, due_match_id = NULL,
              digest_at = NULL, absence_id = NULL, incoming_id = NULL, former_id = NULL,
              to_ply = NULL, to_notice = NULL, to_address = NULL, held_until = NULL, text_at = NULL,
              stuck_since = NULL, sent_to = '-',
              reason = CASE WHEN status = 'waiting' THEN 'over' ELSE reason END,
              status = CASE WHEN status = 'waiting' THEN 'dropped' ELSE status END"""
_blank_letters = Command(
    f"UPDATE letter SET {_DETAILS}, invitation_id = NULL WHERE player_id = :player_id"  # noqa: S608
)
_blank_letters_of_guests = Command(
    f"""UPDATE letter SET {_DETAILS}
        WHERE player_id IS NULL AND invitation_id IN (SELECT id FROM invitation WHERE {_GUEST})"""  # noqa: S608
)
_empty_incoming = Command(
    """UPDATE incoming SET raw = :nothing, sender = '', results = '{}', error = '', token_hash = '',
                           reason = CASE WHEN status = 'waiting' THEN 'gone' ELSE reason END,
                           status = CASE WHEN status = 'waiting' THEN 'dropped' ELSE status END
       WHERE player_id = :player_id"""
)
_blank_invitations = Command(
    f"""UPDATE invitation SET address = '', address_key = '@gone' || CAST(id AS TEXT) || '@', mailbox = '',
                              known = :someone
        WHERE {_GUEST}"""  # noqa: S608 - constants
)
_forget_visits = Command(
    """UPDATE chair SET watched_at = NULL, seen_at = NULL, nudged_at = NULL, pause_wanted_at = NULL,
                        noted = noted + 1
       WHERE player_id = :player_id"""
)
_delete_orders = Command(f"DELETE FROM standingorder WHERE chair_id IN ({_CHAIRS})")  # noqa: S608
_delete_notes = Command(f"DELETE FROM note WHERE chair_id IN ({_CHAIRS})")  # noqa: S608
_delete_thoughts = Command(f"DELETE FROM whatif WHERE chair_id IN ({_CHAIRS})")  # noqa: S608
_unsay = Command(
    f"""UPDATE notice SET what = 'unsaid', facts = '{{}}'
        WHERE match_id IN ({_MATCHES}) AND what = 'said' AND EXISTS (
            SELECT 1 FROM chair c
            WHERE c.match_id = notice.match_id AND c.seat = notice.by_seat AND c.player_id = :player_id
              AND c.since <= notice.at AND (c.until IS NULL OR notice.at < c.until))"""  # noqa: S608
)
_touch = Command(f'UPDATE "match" SET news = news + 1 WHERE id IN ({_MATCHES})')  # noqa: S608 - constants
_blank_player = Command(
    """UPDATE player SET address = '', address_key = '@gone' || CAST(id AS TEXT), name = :someone,
                         zone = 'UTC', away = '[]', reminders = '', digest_hour = 8, quiet_from = NULL,
                         quiet_to = NULL, seen_at = NULL, shows = '', feed_epoch = feed_epoch + 1,
                         gone_at = :now, operator_since = NULL
       WHERE id = :player_id"""
)
_close_confirmations = Command(
    """UPDATE confirmation SET facts = '{}', expires_at = :now,
                               done_at = CASE WHEN what = 'delete' THEN :now ELSE done_at END
       WHERE player_id = :player_id"""
)
_nameless_audit = Command(
    """UPDATE audit SET about = replace(replace(about, :address, :nameless), :key, :nameless),
                        why = replace(replace(why, :address, :nameless), :key, :nameless)
       WHERE replace(about, :key, '') <> about OR replace(about, :address, '') <> about
          OR replace(why, :key, '') <> why OR replace(why, :address, '') <> why"""
)

ERASED: Mapping[str, Erased] = {
    "token": (_end_tokens,),
    "push": (_delete_pushes,),
    "letter": (_blank_letters, _blank_letters_of_guests),
    "incoming": (_empty_incoming,),
    "passedover": "these mails belong to nobody here, and go by themselves within weeks",
    "notice": (_unsay,),
    "standingorder": (_delete_orders,),
    "note": (_delete_notes,),
    "whatif": (_delete_thoughts,),
    "invitation": (_blank_invitations,),
    "chair": (_forget_visits,),
    "match": (_touch,),
    "played": "the moves are the game, by seat; where they came from is a hash",
    "question": "seats are given up before, and a question names nobody",
    "login": (Command("DELETE FROM login WHERE player_id = :player_id"),),
    "subscription": (Command("DELETE FROM subscription WHERE player_id = :player_id"),),
    "hookpost": (
        Command(
            "DELETE FROM hookpost WHERE webhook_id IN (SELECT id FROM webhook WHERE player_id = :player_id)"
        ),
    ),
    "webhook": (Command("DELETE FROM webhook WHERE player_id = :player_id"),),
    "apikey": (Command("DELETE FROM apikey WHERE player_id = :player_id"),),
    "confirmation": (_close_confirmations,),
    "formeraddress": (Command("DELETE FROM formeraddress WHERE player_id = :player_id"),),
    "absence": (Command("DELETE FROM absence WHERE player_id = :player_id"),),
    "preference": (Command("DELETE FROM preference WHERE player_id = :player_id"),),
    "suppressed": (
        Command(
            """DELETE FROM suppressed WHERE address_key = :key AND reason <> 'unwanted'
                  OR substr(address_key, 1, CAST(:length AS INTEGER)) = :prefix"""
        ),
    ),
    "unreached": (Command("DELETE FROM unreached WHERE address_key = :key"),),
    "unasked": (
        Command("DELETE FROM unasked WHERE mailbox = :mailbox"),
    ),  # not others', for their protection
    "block": (
        Command("DELETE FROM block WHERE player_id = :player_id"),
        Command("DELETE FROM block WHERE other_id = :player_id"),
    ),
    "bar": "who is barred could begin anew otherwise",
    "report": "it protects others, names nobody any more, and goes when the operator has settled it",
    "player": (_blank_player,),
    "audit": (_nameless_audit,),
    "picture": "a board, without names",
    "house": "nothing about people",
    "heartbeat": "nothing about people",
    "relay": "nothing about people: addresses are masked",
    "deed": "a hash of a form, and an answer that only its sender can open, gone within days",
    "counter": "a hash that names nobody, gone within days",
}
"""By table, in the order in which it is done."""
