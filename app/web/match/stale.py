"""A form of a page that was left open until its turn was over: nothing is done, and nothing typed is lost."""

from flask import Response

from app import narrate
from app.play.match.records import Closed
from app.web.core.typed import typed
from app.web.match.match_request import MatchRequest
from app.web.match.page import Submission
from app.web.match.page_response import match_response


def stale_page(match_request: MatchRequest) -> Response:
    """The page of the link with what was typed or chosen, and what its writer can do: 409."""
    sentence = narrate.refusal(None, match_request.language, Closed("link_over"))
    submission = Submission(refusal=sentence, closed=True, unsent=typed())
    return match_response(match_request, 409, submission)
