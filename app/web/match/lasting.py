"""Acts of a turn's link that outlast the turn: checked, kept as typed, and carried out later."""

from app.people.checks import check_text
from app.people.confirmations import Confirmation
from app.play.match.records import NotFound, Viewer
from app.play.moves import orders
from app.play.seats import notes
from app.play.seats.notes import LONGEST_NOTE
from app.store.session import Store
from app.web.core.context import store
from app.web.core.rendering import field
from app.web.match import chat_forms, order_forms
from app.web.match.match_request import MatchRequest


def checked(match_request: MatchRequest, action: str) -> dict[str, str]:
    """The facts of a form for conditional moves or notes, to be kept. Raises what carrying it out would."""
    viewer, match_id = match_request.viewer, match_request.match_id
    if action == order_forms.LEAVE:
        text = field("text", order_forms.LONGEST_READ)
        orders.check(store(), viewer, match_id, text)
        return {"do": action, "text": text}
    if action == order_forms.POLICY:
        name, text = field("name", 40), order_forms.policy_text()
        orders.check_policy(store(), viewer, match_id, name, text)
        return {"do": action, "name": name, "text": text}
    if action == order_forms.WITHDRAW:
        return {"do": action}
    number = field("note", 10)
    mine = {one.note_id: one.text for one in notes.notes(store(), viewer, match_id)}
    if chat_forms.note_number(number) not in mine:
        raise NotFound("note")
    if action == chat_forms.FORGET:
        return {"do": action, "note": number, "text": mine[chat_forms.note_number(number)]}
    text = check_text(field("text", chat_forms.LONGEST_READ), LONGEST_NOTE, lines=True)
    return {"do": action, "note": number, "text": text}


def carry_out(store: Store, asked: Confirmation) -> None:
    """Do what was asked for, in the name of its player. Raises the errors of the services."""
    viewer, match_id, facts = Viewer(player_id=asked.player_id), asked.match_id or 0, asked.facts
    action, text = facts["do"], facts.get("text", "")
    if action == order_forms.LEAVE:
        orders.leave(store, viewer, match_id, text)
    elif action == order_forms.POLICY:
        orders.set_policy(store, viewer, match_id, facts["name"], text)
    elif action == order_forms.WITHDRAW:
        orders.withdraw(store, viewer, match_id)
    elif action == chat_forms.CHANGE:
        notes.change_note(store, viewer, match_id, chat_forms.note_number(facts["note"]), text)
    else:
        notes.delete_note(store, viewer, match_id, chat_forms.note_number(facts["note"]))
