"""The actions of the buttons on a match's page."""

from flask import Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app import narrate
from app.engine.errors import RulesError
from app.engine.reading import tidy
from app.people import service as people
from app.play.deadlines import nudges
from app.play.match import presence
from app.play.match.records import Closed, Done, NotFound, Refused, SiteError
from app.play.moves import service
from app.web.core.context import store
from app.web.core.errors import status_of
from app.web.core.rendering import field
from app.web.match import chat_forms, order_forms
from app.web.match.match_request import MatchRequest
from app.web.match.page import Submission
from app.web.match.page_response import match_response

LONGEST_ANSWER = 4000
SEEN, TRY_AGAIN, LETTERS, NUDGE = "seen", "try_again", "letters", "nudge"
SHOW, TAKE_BACK, RESIGN = "show", "take_back", "resign"
"""`resign` is also the word to type as a confirmation, in every language as in the notation."""
TALK_AND_ORDERS = chat_forms.ACTIONS | order_forms.ACTIONS
"""Actions that leave the game's state alone."""
ANCHORS = chat_forms.ANCHORS | dict.fromkeys(order_forms.ACTIONS, order_forms.ANCHOR)


def act(match_request: MatchRequest) -> BaseResponse:
    """Carry out the pressed button's action: redirect to the page, or show it with the refusal."""
    action = field("do", 20)
    if action == SHOW:
        return match_response(match_request, 200, _answer())
    if action == RESIGN and tidy(field("word", 40)) != RESIGN:
        return match_response(match_request, 422, Submission(resign_unconfirmed=True))
    try:
        return redirect(f"{request.path}{_carry_out(match_request, action)}", 303)
    except NotFound:
        raise
    except (RulesError, SiteError) as error:
        return _refused(match_request, error)


def _carry_out(match_request: MatchRequest, action: str) -> str:
    """Carry out the action; the query and anchor of the page to return to. Raises SiteError, RulesError."""
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
    if action == TRY_AGAIN:
        _resume_letters(match_request)
        return "?tried=1#now"
    done = _play(match_request, action)
    if done.again and action != TAKE_BACK:
        return "?again=1#now"
    return f"?played={done.ply}.{len(done.moves)}#now"


def _play(match_request: MatchRequest, action: str) -> Done:
    """Answer a question, take a step back or resign."""
    viewer = match_request.viewer
    if action == TAKE_BACK:
        return _take_back(match_request)
    if action == RESIGN:
        return service.resign(store(), viewer, match_request.match_id)
    if not field("question", 80) and match_request.version.seat is not None:
        raise Refused("no_question")
    if len(request.form.get("answer", "")) > LONGEST_ANSWER:
        abort(413)
    return service.play(store(), viewer, field("question", 80), _answer().text, source="web")


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


def _resume_letters(match_request: MatchRequest) -> None:
    """Send letters to the seat's player again. Raises NotFound."""
    player_id = presence.sitter(store(), match_request.viewer, match_request.match_id)
    if player_id is None:
        raise NotFound("match")
    people.try_letters_again(store(), player_id)


def _answer() -> Submission:
    """The answer in the form. Fields named `piece` are joined in order when there is no `answer`."""
    pieces = tuple(piece[:80].replace("\0", "").strip() for piece in request.form.getlist("piece"))
    typed = field("answer")
    return Submission(text=typed or " ".join(piece for piece in pieces if piece), pieces=pieces)


def _refused(match_request: MatchRequest, error: RulesError | SiteError) -> Response:
    """The page with the refusal and everything that was typed."""
    answer = _answer()
    sentence = narrate.refusal(match_request.view().game, match_request.language, error)
    submission = Submission(
        answer.text,
        answer.pieces,
        sentence,
        closed=isinstance(error, Closed),
        typed={field("do", 20): request.form.get("text", "")},
    )
    return match_response(match_request, status_of(error), submission)
