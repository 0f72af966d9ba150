"""The actions of the buttons on a match's page."""

from flask import Response, abort, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.engine.errors import RulesError
from app.engine.game import Seat
from app.engine.reading import tidy
from app.people import confirming
from app.people import service as people
from app.play.deadlines import nudges
from app.play.match import presence, questions
from app.play.match.plan import LONGEST_STEP, MOST_STEPS
from app.play.match.records import Closed, Done, NotFound, Refused, SiteError, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.match.version import Sitter
from app.play.moves import service
from app.play.seats import notes
from app.web.core import once, sessions
from app.web.core.allowances import AGAIN, allow
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.flask_app import see_other
from app.web.core.rendering import field
from app.web.core.security import same_site
from app.web.core.typed import typed
from app.web.match import chat_forms, lasting, order_forms
from app.web.match.match_request import MatchRequest
from app.web.match.page import Submission
from app.web.match.page_response import match_response
from app.web.match.stale import stale_page
from app.words import commands

LONGEST_ANSWER = 4000
UNDO = ("undo", "take back")
"""Texts that the field for a move understands, although they are no moves."""
SEEN, TRY_AGAIN, LETTERS, NUDGE = "seen", "try_again", "letters", "nudge"
SIGN_IN, KEEP, DROP = "sign_in", "keep", "drop"
SHOW, TAKE_BACK, RESIGN = "show", "take_back", "resign"
"""`resign` is also the word to type as a confirmation, or the player's own word for it."""
TALK_AND_ORDERS = chat_forms.ACTIONS | order_forms.ACTIONS
"""Actions that leave the game's state alone."""
PLAIN = frozenset({*TALK_AND_ORDERS, NUDGE, SEEN, LETTERS, SIGN_IN, KEEP, DROP, TRY_AGAIN})
"""Actions that play nothing."""
LASTING = dict.fromkeys(order_forms.ACTIONS, confirming.ORDERS) | dict.fromkeys(
    (chat_forms.CHANGE, chat_forms.FORGET), confirming.NOTES
)
"""Actions that outlast the turn and serve its seat alone, each with the kind of the email that asks first."""
ANCHORS = chat_forms.ANCHORS | dict.fromkeys(order_forms.ACTIONS, order_forms.ANCHOR)


def act(match_request: MatchRequest) -> BaseResponse:
    """Carry out the pressed button's action: redirect to the page, or show it with the refusal."""
    action = field("do", 20)
    if action == SHOW:
        return match_response(match_request, 200, _answer())
    word = field("word", 40)
    if action == RESIGN and tidy(word) != RESIGN and not commands.means(word, RESIGN):
        return match_response(match_request, 422, Submission(resign_unconfirmed=True))
    try:
        return see_other(_carry_out(match_request, action))
    except NotFound:
        if not match_request.version.stale:
            raise
        return stale_page(match_request)
    except (RulesError, SiteError) as error:
        return _refused(match_request, error)


def _carry_out(match_request: MatchRequest, action: str) -> str:
    """Carry out the action; the address of the page to return to. Raises SiteError, RulesError."""
    if action == RESIGN and not match_request.trusted:
        return f"{match_request.path}{_ask_to_confirm(match_request, confirming.RESIGN, {})}"
    if action in LASTING and not match_request.plays_here:
        facts = lasting.checked(match_request, action)
        return f"{match_request.path}{_ask_to_confirm(match_request, LASTING[action], facts)}"
    if match_request.token and not sessions.known() and _is_move(action):
        return _move_by_link(match_request)
    seat = match_request.version.holder  # before the move, which may end the turn
    if action in PLAIN:
        return f"{match_request.path}{_carry_out_plain(match_request, action)}"
    new_seat = _new_seat(match_request, seat)
    done = _play(match_request, action, new_seat)
    path = f"/m/{done.match_id}" if _plays_on(match_request, seat, done, new_seat) else match_request.path
    if done.again and action != TAKE_BACK:
        return f"{path}?again=1#now"
    return f"{path}?played={done.ply}.{len(done.moves)}#now"


def _is_move(action: str) -> bool:
    """Whether the form answers a question of today, and nothing else."""
    if action in PLAIN or action in (TAKE_BACK, RESIGN) or _undoes():
        return False
    question = field("question", 80)
    return bool(question) and not questions.is_earlier(question)


def _move_by_link(match_request: MatchRequest) -> str:
    """Play in a browser of which nothing is known; the address of the page to return to.

    What the page depends on is not read: the move reads the match in its own transaction.
    """
    new: list[sessions.NewSeat] = []

    def remember(match: MatchSnapshot, seat: Seat) -> service.Writer | None:
        """The transaction may be tried again: then the last one counts."""
        new.clear()
        holder = match.holder(seat)
        if holder.player_id is not None and same_site():
            new.append(sessions.NewSeat(match.match_id, holder.player_id, holder.chair_id))
        return new[0].key.write if new else None

    done = _answered(match_request, remember)
    if done.again:
        return f"{match_request.path}?again=1#now"
    for one in new:
        one.remember()
    path = f"/m/{done.match_id}" if new and not done.goes_on else match_request.path
    return f"{path}?played={done.ply}.{len(done.moves)}#now"


def _new_seat(match_request: MatchRequest, seat: Sitter | None) -> sessions.NewSeat | None:
    """The seat that this browser will play on, where it plays by a link. None: it can already, or may not."""
    if not match_request.token or seat is None or seat.player_id is None:
        return None
    known = sessions.viewer(match_request.match_id)
    if _own(match_request) or known.chair_id == seat.chair_id or not same_site():
        return None
    return sessions.NewSeat(match_request.match_id, seat.player_id, seat.chair_id)


def _own(match_request: MatchRequest) -> list[Sitter]:
    """The seats of the signed-in player."""
    signed_in = sessions.viewer().player_id
    return [one for one in match_request.version.sitters if one.player_id == signed_in is not None]


def _plays_on(
    match_request: MatchRequest, seat: Sitter | None, done: Done, new_seat: sessions.NewSeat | None
) -> bool:
    """Let this browser play on where it played by a link; whether it does, because the turn is over."""
    if not match_request.token or seat is None or seat.player_id is None:
        return False
    remembered = new_seat is not None and not done.again
    if new_seat is not None and remembered:
        new_seat.remember()
    own = _own(match_request)
    if own[:1] != [seat] if own else not remembered and _chair(done) != seat.chair_id:
        return False
    if done.goes_on is not None:
        return not done.goes_on
    now = MatchRequest(token=match_request.token).version
    return now.stale and now.link_seat == seat.seat


def _chair(done: Done) -> int | None:
    return sessions.viewer(done.match_id).chair_id


def _ask_to_confirm(match_request: MatchRequest, what: str, facts: dict[str, str]) -> str:
    """Email the seat's player a link that does it. Raises NotFound, Refused."""
    holder, match_id = match_request.version.holder, match_request.match_id
    if holder is None or holder.player_id is None:
        raise NotFound("match")
    confirming.request(store(), holder.player_id, match_id, what, facts)
    once.may_come_again()
    return f"?asked={what}#now"


def _carry_out_plain(match_request: MatchRequest, action: str) -> str:
    """Carry out an action that plays nothing; the query and anchor of the page to return to."""
    if action in TALK_AND_ORDERS:
        TALK_AND_ORDERS[action](store(), match_request.viewer, match_request.match_id)
        return f"?done={action}#{ANCHORS[action]}"
    if action == NUDGE:
        sent = nudges.nudge(store(), match_request.viewer, match_request.match_id, field("seat", 20))
        return f"?nudged={int(sent)}#now"
    if action == SEEN:
        presence.saw(store(), match_request.viewer, match_request.match_id)
        return "?seen=1#now"
    if action == LETTERS:  # a cached page holds no token, so it cannot link to this address
        return "/letters"
    if action == KEEP:
        _keep(match_request)
        return f"?done={KEEP}#choose"
    if action == DROP:
        for one in match_request.view().asked:
            notes.drop(store(), match_request.viewer, match_request.match_id, one.decision.asks)
        return f"?done={DROP}#choose"
    if action == SIGN_IN:
        people.ask_sign_in_of(store(), _player(match_request))
        return "?sign_in=1#now"
    _resume_letters(match_request)
    return "?tried=1#now"


def _play(match_request: MatchRequest, action: str, new_seat: sessions.NewSeat | None) -> Done:
    """Answer a question, take a step back or resign. A move's transaction writes the new seat's key too."""
    if action == TAKE_BACK:
        return _take_back(match_request)
    if action == RESIGN:
        return service.resign(store(), match_request.viewer, match_request.match_id)
    if not field("question", 80) and match_request.version.seat is not None:
        raise Refused("no_question")
    if _undoes():
        return _take_back(match_request)
    if questions.is_earlier(field("question", 80)):
        if match_request.version.seat is None:
            raise Closed("answered")
        raise Refused("earlier_page")
    key = new_seat.key.write if new_seat is not None else None
    return _answered(match_request, lambda _match, _seat: key)


def _undoes() -> bool:
    """Whether what was typed as the answer takes a step back."""
    answer = field("answer", 20)
    return (tidy(answer) in UNDO or commands.means(answer, UNDO[0])) and not _steps()


def _answered(match_request: MatchRequest, along: service.Along) -> Done:
    """Answer the question that the form names."""
    if len(request.form.get("answer", "")) > LONGEST_ANSWER:
        abort(413)
    question = field("question", 80)
    return service.play(store(), match_request.viewer, question, _line(), source="web", along=along)


def _take_back(match_request: MatchRequest) -> Done:
    """Take back the step that the page showed as the last one.

    A form that names no ply takes back one step, and none directly after that.
    """
    sent = field("ply", 10)
    if sent.isascii() and sent.isdecimal():
        return service.take_back(store(), match_request.viewer, match_request.match_id, ply=int(sent))
    view = match_request.view()
    last = view.heard[-1] if view.heard else None
    if view.can_take_back and last is not None and (last.seat, last.what) == (view.seat, "undo"):
        return Done(view.match_id, last.seat or "", last.ply, ("undo",), again=True)
    return service.take_back(store(), match_request.viewer, match_request.match_id, ply=view.last_ply)


def _keep(match_request: MatchRequest) -> None:
    """Keep an unsent answer to a question that is open. Raises Refused."""
    text = _answer().text
    if text.partition(" ")[0] not in {one.decision.asks for one in match_request.view().asked}:
        raise Refused("no_question")  # or a link could be used to write over any note
    notes.keep(store(), match_request.viewer, match_request.match_id, text)


def _resume_letters(match_request: MatchRequest) -> None:
    """Send letters to the seat's player again. Raises NotFound, Refused("too_often")."""
    player_id = _player(match_request)
    if not match_request.trusted:
        allow(AGAIN, Viewer(player_id=player_id))
    people.try_letters_again(store(), player_id)


def _player(match_request: MatchRequest) -> int:
    """The player of the viewer's seat. Raises NotFound."""
    player_id = presence.sitter(store(), match_request.viewer, match_request.match_id)
    if player_id is None:
        raise NotFound("match")
    return player_id


def _answer() -> Submission:
    """The answer in the form. Fields named `piece` are joined in order when there is no `answer`."""
    form = request.form
    pieces = tuple(piece[:80].replace("\0", "").strip() for piece in form.getlist("piece"))
    typed = field("answer")
    text = typed or " ".join(piece for piece in pieces if piece)
    if "planned" in form:  # the plan alone: each of its rows is a step
        return Submission(pieces=_parts(), steps=tuple(text.splitlines()))
    return Submission(text=text, pieces=pieces, steps=_steps())


def _steps() -> tuple[str, ...]:
    """The plan that the answer of the form comes after."""
    return tuple(step[:LONGEST_STEP].replace("\0", "") for step in request.form.getlist("step"))[:MOST_STEPS]


def _parts() -> tuple[str, ...]:
    """The last step of a plan with a part chosen for it, such as its payment; empty: as it is planned."""
    return tuple(part[:80].replace("\0", "").strip() for part in request.form.getlist("part"))


def _line() -> str:
    """The whole answer: the plan's steps and what comes after them."""
    answer = _answer()
    if "planned" in request.form and answer.pieces:
        return "\n".join((*answer.steps[:-1], " ".join(answer.pieces)))
    return "\n".join(part for part in (*answer.steps, answer.text) if part)


def _refused(match_request: MatchRequest, error: RulesError | SiteError) -> Response:
    """The page with the refusal and everything that was typed."""
    answer = _answer()
    sentence = narrate.refusal(match_request.view().game, match_request.language, error)
    submission = Submission(
        answer.text,
        answer.pieces,
        answer.steps,
        sentence,
        closed=isinstance(error, Closed),
        typed={field("do", 20): request.form.get("text", "")},
        unsent=typed() if match_request.version.stale and field("do") else "",
    )
    return match_response(match_request, status_of(error), submission)
