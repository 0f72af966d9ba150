"""The registry of kinds of letters.

A new kind is one entry here, its writer in a module of this folder, its words, and three
templates in `templates/mail/<kind>`: `subject.txt`, `body.txt`, `body.html`.
"""

from app.mail.core.kind import Kind
from app.mail.letters import (
    absence,
    digest,
    hooks,
    match,
    people,
    reminder,
    reply,
    seat,
    table,
    time,
    waiting,
)

KINDS: dict[str, Kind] = {
    "confirm": Kind(table.confirm, "account"),
    "invited": Kind(table.invited, "invitation"),
    "join": Kind(table.joining, "invitation"),
    "invitation_reminder": Kind(table.invited, "invitation"),
    "answered": Kind(table.answered, "table"),
    "expired": Kind(table.answered, "table"),
    "withdrawn": Kind(table.withdrawn, "table"),
    "called_off": Kind(table.called_off, "table"),
    "started": Kind(match.started, "started", may_wait=True, resendable=True),
    "asked": Kind(match.asked, "turn", may_wait=True, resendable=True),
    "late": Kind(time.late, "time_up", may_wait=True),
    "nudge": Kind(time.nudge, "reminder", may_wait=True),
    "timed_out": Kind(time.timed_out, "time_up", may_wait=True),
    "reminder": Kind(reminder.reminder, "reminder", may_wait=True),
    "over": Kind(match.over, "over", may_wait=True, resendable=True),
    "seat_offer": Kind(seat.offered, "invitation"),
    "joined": Kind(match.started, "started", may_wait=True),
    "replaced": Kind(seat.replaced),
    "seat_answer": Kind(seat.request_answered, resendable=True),
    "away": Kind(absence.away),
    "news": Kind(match.news, "news", may_wait=True, settles=True, resendable=True),
    "chat": Kind(match.said, "chat", may_wait=True, settles=True),
    "digest": Kind(digest.digest, "digest", repliable=True),
    "links": Kind(people.again, "account", on_request=True),
    "sign_in": Kind(people.sign_in, "account", on_request=True),
    "address": Kind(people.new_address, "account", on_request=True),
    "address_changed": Kind(people.address_changed, "account", owed=True),
    "turned_away": Kind(people.turned_away, "account", owed=True),
    "merged": Kind(people.merged, "account", owed=True),
    "confirmation": Kind(people.confirmation, "account", on_request=True, repliable=True),
    "delete_account": Kind(people.deletion, "account", on_request=True),
    "reported": Kind(people.reported, owed=True),
    "key_made": Kind(people.key_made, "account", owed=True, repliable=True),
    "hook_off": Kind(hooks.switched_off),
    "waiting": Kind(waiting.told, owed=True),
    "reply": Kind(reply.reply, on_request=True, answers=True, repliable=True),
    "reply_confirm": Kind(reply.confirm, repliable=True),
    "reply_ended": Kind(reply.ended, on_request=True, answers=True, repliable=True),
    "reply_collected": Kind(reply.collected, on_request=True, answers=True, repliable=True),
    "reply_put_off": Kind(reply.put_off, on_request=True, answers=True, repliable=True),
}
