"""The part of a match's page that asks the viewer for a move."""

from functools import cache
from typing import Any

import msgspec
from markupsafe import Markup

from app import narrate
from app.play.match.records import PlayerView
from app.web.core.rendering import environment
from app.web.match.move_picker import LegalAnswer, Selection, legal_answers, pick

EXAMPLES = 2
"""Examples of how an answer is written."""
MOST_PICKS = 8
ANCHOR = "choose"
"""The card's id on the page."""


class AnswerButton(msgspec.Struct, frozen=True):
    """A button that plays one answer."""

    label: str
    answer: str
    """Canonical text."""


class NameLink(msgspec.Struct, frozen=True):
    """A name on the board that can be picked next."""

    name: str
    label: str
    address: str


class TextForm(msgspec.Struct, frozen=True):
    """The form for a typed answer."""

    question_id: str
    text: str
    examples: list[str]


class QuestionCard(msgspec.Struct, frozen=True):
    """The open questions and the ways to answer them."""

    asks: list[str]
    """One sentence for each question."""
    forms: list[Markup]
    """The game's own forms."""
    picked: list[str]
    """The names picked on the board, in words."""
    following: list[NameLink]
    buttons: list[tuple[str, list[AnswerButton]]]
    """Question ids, each with its buttons."""
    text_form: TextForm | None
    prepared: bool
    """The request came by a letter's link that names an answer."""
    refused: bool
    """The last answer was refused."""


class Picking(msgspec.Struct, frozen=True):
    """The legal answers, what the query picks of them, and the game's own forms."""

    answers: tuple[LegalAnswer, ...]
    selection: Selection
    forms: dict[str, Any]
    """Template modules by question id."""
    links: dict[str, str]
    """The names on the board that are links, each with its address."""


def picking(view: PlayerView, language: str, picked: tuple[str, ...], prepared: str) -> Picking:
    """The state of picking on the board. `prepared` is the answer that a letter's link names."""
    answers = legal_answers(view.game, view.asked)
    selection = pick(answers, picked[:MOST_PICKS], prepared)
    forms = _forms(view, language)
    # A click fills a field of the game's form where a script runs; without one the link leads to the form.
    filled = {name: f"#{ANCHOR}" for form in forms.values() for name in form.points(view.view).split()}
    return Picking(answers, selection, forms, filled | selection.following)


def question_card(
    view: PlayerView,
    language: str,
    state: Picking,
    prepared: str,
    text: str,
    pieces: tuple[str, ...],
    *,
    refused: bool,
) -> QuestionCard:
    """The card. `text` and `pieces` are the refused answer, which the forms show again."""
    game, selection, forms = view.game, state.selection, state.forms
    incomplete = len(selection.ready) < len(state.answers) and (selection.picked or not forms)

    def label(name: str) -> str:
        return narrate.board_name(game, language, name, view.view)

    return QuestionCard(
        asks=[narrate.asks(game, language, one.decision, view.view) for one in view.asked],
        forms=[
            Markup(form.ask(view.view, question, pieces, text))  # noqa: S704 - escaped by the template
            for question, form in forms.items()
        ],
        picked=[label(name) for name in selection.picked],
        following=[NameLink(name, label(name), to) for name, to in selection.following.items()]
        if incomplete
        else [],
        buttons=_buttons(view, selection, language) if not forms or selection.picked else [],
        text_form=None if forms else _text_form(view, state.answers, text),
        prepared=bool(prepared),
        refused=refused,
    )


def _text_form(view: PlayerView, answers: tuple[LegalAnswer, ...], text: str) -> TextForm:
    """The form for the first question, mandatory ones before optional ones."""
    asked = next((one for one in view.asked if not one.decision.optional), view.asked[0])
    step = max(1, len(answers) // EXAMPLES)
    return TextForm(asked.question_id, text, [one.text for one in answers[::step]][:EXAMPLES])


def _buttons(view: PlayerView, selection: Selection, language: str) -> list[tuple[str, list[AnswerButton]]]:
    buttons: dict[str, list[AnswerButton]] = {}
    for answer in selection.ready:
        label = narrate.label(view.game, language, answer.move, view.view)
        buttons.setdefault(answer.question_id, []).append(AnswerButton(label, answer.text))
    return list(buttons.items())


def _forms(view: PlayerView, language: str) -> dict[str, Any]:
    """The modules of the templates by which a game asks some questions, by question id.

    `ask_<asks>.html` has two macros. `points(view)`: the names on the board, separated by blanks, that a
    click puts into a `select` marked `data-point` of a form marked `data-pointing`.
    `ask(view, question, pieces, text)`: the forms. A form sends the answer as one field `answer` or as
    several fields `piece`, which are joined in order; `pieces` and `text` are those of a refused answer.
    """
    names = {one.question_id: f"games/{view.game.slug}/ask_{one.decision.asks}.html" for one in view.asked}
    return {
        question: environment(language).get_template(name).module
        for question, name in names.items()
        if name in _ask_templates()
    }


@cache
def _ask_templates() -> frozenset[str]:
    return frozenset(name for name in environment().list_templates() if "/ask_" in name)
