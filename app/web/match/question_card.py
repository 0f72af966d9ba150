"""The part of a match's page that asks the viewer for a move: the plan, what can be added, and *Play*."""

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from flask import request
from markupsafe import Markup

from app import draw, narrate
from app.engine.chance import Chance
from app.engine.game import Move, View
from app.narrate.words import snake_case
from app.play.match.plan import OWN, Plan, PlannedStep, question_of
from app.play.match.records import Asked, PlayerView
from app.play.seats.notes import Note
from app.web.core.rendering import environment
from app.web.match.move_picker import (
    FEW,
    PIECE,
    LegalAnswer,
    Selection,
    address,
    legal_answers,
    pick,
)

EXAMPLES = 2
"""Examples of how an answer is written."""
MOST_PICKS = 8
MOST_LISTED = 400
ANCHOR = "choose"
"""The card's id on the page."""
PROPOSE, NO_PROPOSAL = "propose", "none"
LIST = "list"
"""The field of the query that unfolds the list of all answers."""


class AnswerLink(msgspec.Struct, frozen=True):
    """An answer in words. Its address puts it into the plan."""

    label: str
    answer: str
    """Canonical text."""
    address: str


class NameLink(msgspec.Struct, frozen=True):
    """A name on the board that can be picked next."""

    name: str
    label: str
    address: str
    count: int
    """The moves that it completes; 0: none yet."""
    does: str = ""
    """The move that it completes, in words, if the label is only its name; empty: none."""


class PlanLine(msgspec.Struct, frozen=True):
    """A planned step."""

    label: str
    answer: str
    open: bool
    """Its effects are seen only once it is played."""
    without: str
    """The page with this step taken out of the plan."""
    variants: list[AnswerLink]
    """Other ways to make it, if it is the last."""


class TextForm(msgspec.Struct, frozen=True):
    """The form for a typed answer."""

    text: str
    examples: list[str]


class QuestionCard(msgspec.Struct, frozen=True):
    """The open questions and the ways to answer them."""

    asks: list[str]
    """One sentence for each question that is open after the plan."""
    question_id: str
    """The question that the plan, or an answer without one, answers."""
    forms: list[Markup]
    """The game's own forms."""
    plan: list[PlanLine]
    line: str
    """The plan as one answer."""
    dropped: list[tuple[str, str]]
    """Texts that fell out of the plan, each with the reason, or none."""
    picked: list[str]
    """The names picked on the board, in words."""
    back: str
    """The page before the last pick or step, for the key that takes back; empty at the beginning."""
    afresh: str
    """The page with the plan and nothing picked."""
    following: list[NameLink]
    plain: list[AnswerLink]
    """Answers without names on the board: buttons, which play them after the plan."""
    ready: list[AnswerLink]
    """Answers to choose from by their words."""
    listed: list[AnswerLink] | None
    """All answers; None: folded."""
    list_address: str
    """The page with all answers listed; empty if there is nothing more to list."""
    text_form: TextForm | None
    parts: Markup
    """Fields for a part of the last planned step, to be sent with the plan; empty: none."""
    prepared: bool
    """The request came by a letter's link that names an answer, which is the plan."""
    refused: bool
    """The last answer was refused."""


class Picking(msgspec.Struct, frozen=True):
    """The legal answers after the plan, what the query picks of them, and the game's own forms."""

    answers: tuple[LegalAnswer, ...]
    selection: Selection
    forms: dict[str, Any]
    """Template modules by question id."""
    links: dict[str, str]
    """The names on the board that are links, each with its address."""
    others: dict[str, str]
    """Names to pick instead of the picked one."""
    alike: frozenset[str]
    """Of the links those that stand in for another one."""
    view: View
    """The seat's after the plan, or the page's own."""
    steps: tuple[str, ...]
    """The plan, as addresses have it."""
    routes: tuple[tuple[str, ...], ...]
    """The ways of the pieces in the plan."""
    trails: tuple[draw.Trail, ...]
    """The plan on a board that doesn't draw these ways itself."""
    labels: dict[str, str]
    """The moves that the picks would complete, in words, by name."""
    spoken: dict[str, str]
    """The words for each pick: this move, or its name and place."""
    prepared: bool
    parts: Any
    """The template of fields for a part of the last planned step, such as its payment; None: it has none."""


def intended(view: PlayerView) -> tuple[str, ...]:
    """The names on the board of the plan's last step, if it is shown as an intention."""
    steps = view.plan.steps if view.plan is not None else ()
    return view.game.click_path(steps[-1].move) if steps and steps[-1].open else ()


def picking(view: PlayerView, language: str, picked: tuple[str, ...], prepared: str) -> Picking:
    """The state of picking on the board. `prepared` is the answer that a letter's link names."""
    plan = view.plan
    if plan is None:
        none = frozenset[str]()
        return Picking(
            (), pick(()), {}, {}, {}, none, view.view, (), (), (), {}, {}, prepared=False, parts=None
        )
    steps = plan.codes
    asked = view.asked
    if steps:
        first = asked[0]
        asked = tuple(Asked(first.question_id, one, first.asked_at) for one in plan.decisions)
    alike = view.game.alike(plan.view)
    answers = legal_answers(view.game, asked, alike)
    forms = {} if steps else _forms(view, language)
    selection = pick(answers, picked[:MOST_PICKS], steps, begin=not forms)
    if len(selection.picked) == 1 and view.game.walks:
        piece = selection.picked[0]
        selection = pick(answers, picked[:MOST_PICKS], steps, {piece: plan.ways(piece)})
    # A click fills a field of the game's form where a script runs; without one the link leads to the form.
    filled = {name: f"#{ANCHOR}" for form in forms.values() for name in form.points(view.view).split()}
    following = selection.following
    # A click on an equal piece counts; keys and readers meet the first of them alone.
    instead = {name: following[one] for name, one in alike.items() if one in following}
    others: dict[str, str] = {}
    if selection.picked:
        others = {
            name: to
            for name, to in pick(answers, (), steps, begin=False).following.items()
            if name not in following
        }
        others[selection.picked[0]] = f"{address(steps)}#board"
    routes = tuple(route for event in plan.events() if (route := view.game.route(event)))
    parts = _parts(view, language)
    if parts is not None:
        last = plan.steps[-1]
        filled = dict.fromkeys(parts.points(last.view, last.move).split(), f"#{ANCHOR}")
    labels = {
        name: narrate.label(view.game, language, one.move, one.view or plan.view)
        for name, one in selection.targets.items()
    }
    spoken = {
        name: narrate.described(view.game, language, name, plan.view)
        for name, kind in selection.kinds.items()
        if kind == PIECE
    }
    return Picking(
        answers,
        selection,
        forms,
        filled | following | instead,
        others,
        frozenset(instead),
        plan.view,
        steps,
        routes,
        () if routes else _trails(view),
        labels,
        spoken | labels,
        prepared=bool(prepared and steps and "step" not in request.args),
        parts=parts,
    )


def _trails(view: PlayerView) -> tuple[draw.Trail, ...]:
    """The courses of the planned steps: of what the seat will be told, or what it intends."""
    game, steps = view.game, view.plan.steps if view.plan is not None else ()
    courses = [game.telling(event).course for one in steps for event in one.events]
    courses += [game.course(one.view, one.move) for one in steps if one.open]
    return tuple(draw.Trail(-1 - n, draw.PLANNED, course) for n, course in enumerate(courses) if course)


def _parts(view: PlayerView, language: str) -> Any:
    """The template of the last planned step's part, if there is a choice for it.

    `step_<move>.html` has two macros. `points(view, move)`: the names on the board, separated by blanks, that
    a click ticks among the boxes marked `data-part`. `fields(view, move, chosen)`: the fields, for the form
    `moves`. Those named `part` are joined in order to the step that is played instead; `chosen` are those of
    a refused one.
    """
    last = view.plan.steps[-1] if view.plan is not None and view.plan.steps else None
    if last is None:
        return None
    name = f"games/{view.game.slug}/step_{snake_case(type(last.move))}.html"
    if name not in _form_templates() or not view.game.variants(last.view, last.move):
        return None
    return environment(language).get_template(name).module


def question_card(
    view: PlayerView,
    language: str,
    state: Picking,
    text: str,
    pieces: tuple[str, ...],
    *,
    refused: bool,
    notes: tuple[Note, ...] = (),
) -> QuestionCard | None:
    """The card; None if nothing is asked. `text` and `pieces` are the refused answer, shown again.

    A form may begin with an answer that the viewer kept among their notes.
    """
    plan = view.plan
    if plan is None:
        return None
    game, selection, forms, steps = view.game, state.selection, state.forms, state.steps
    incomplete = len(selection.ready) < len(state.answers) and (selection.picked or not forms)

    def link(answer: LegalAnswer) -> AnswerLink:
        label = narrate.label(game, language, answer.move, state.view)
        return AnswerLink(label, answer.text, f"{address((*steps, answer.code))}#board")

    def name_of(name: str) -> str:
        return narrate.board_name(game, language, name, state.view)

    ready = [one for one in selection.ready if one.click_path] if not forms or selection.picked else []
    plain = [one for one in selection.ready if not one.click_path] if not forms else []
    decisions = [one.decision for one in view.asked] if not steps else list(plan.decisions)
    shown_picks = tuple(request.args.getlist("pick"))[: len(selection.picked)]
    whole = LIST in request.args
    more = not forms and not selection.picked and len(state.answers) > max(FEW, len(ready) + len(plain))
    return QuestionCard(
        asks=[narrate.asks(game, language, one, state.view) for one in decisions],
        question_id=question_of([(one.question_id, one.decision) for one in view.asked], plan),
        forms=[
            Markup(form.ask(view.view, question, pieces, text, **_begun(view, form, question, notes)))  # noqa: S704 - escaped by the template
            for question, form in forms.items()
        ],
        plan=_plan_lines(view, language, plan.steps),
        line="\n".join(plan.texts),
        dropped=[
            (one.text, narrate.refusal(game, language, one.error) if one.error else "")
            for one in plan.dropped
            if ("step" in request.args or refused) and not one.text.startswith(OWN)
        ],
        picked=[name_of(name) for name in selection.picked],
        back=_back(steps, shown_picks),
        afresh=f"{address(steps)}#board",
        following=[
            NameLink(
                name,
                (state.labels.get(name) if selection.picked else "") or name_of(name),
                to,
                selection.targets[name].count if selection.kinds[name] != PIECE else 0,
                "" if selection.picked else state.labels.get(name, ""),
            )
            for name, to in selection.following.items()
        ]
        if incomplete
        else [],
        plain=[link(one) for one in plain],
        ready=[link(one) for one in ready],
        listed=[link(one) for one in state.answers[:MOST_LISTED]] if whole and more else None,
        list_address=f"{address(steps, (), **{LIST: '1'})}#list" if more else "",
        text_form=None if forms or plan.complete else _text_form(state.answers, text),
        parts=_part_fields(plan, state, pieces),
        prepared=state.prepared,
        refused=refused,
    )


def _part_fields(plan: Plan, state: Picking, chosen: tuple[str, ...]) -> Markup:
    if state.parts is None:
        return Markup()
    last = plan.steps[-1]
    return Markup(state.parts.fields(last.view, last.move, chosen))  # noqa: S704 - escaped by the template


def _back(steps: tuple[str, ...], picked: tuple[str, ...]) -> str:
    if picked:
        return f"{address(steps, picked[:-1])}#board"
    return f"{address(steps[:-1])}#board" if steps else ""


def _plan_lines(view: PlayerView, language: str, steps: tuple[PlannedStep, ...]) -> list[PlanLine]:
    codes = [one.code for one in steps]

    def variant(one: PlannedStep, number: int, move: Move) -> AnswerLink:
        code = f"{one.code.partition('/')[0]}/{number}" if one.code.startswith(OWN) else ""
        text = view.game.format(move)
        to = f"{address((*codes[:-1], code or text))}#board"
        return AnswerLink(narrate.label(view.game, language, move, one.view), text, to)

    return [
        PlanLine(
            narrate.label(view.game, language, one.move, one.view),
            one.text,
            one.open,
            f"{address((*codes[:at], *codes[at + 1 :]))}#board",
            [variant(one, n, move) for n, move in enumerate(view.game.variants(one.view, one.move))]
            if at == len(steps) - 1
            else [],
        )
        for at, one in enumerate(steps)
    ]


def _begun(view: PlayerView, form: Any, question: str, notes: tuple[Note, ...]) -> dict[str, Any]:
    """A move with which a form begins, if it takes one: kept among the notes, or drawn for the viewer."""
    if "begun" not in form.ask.arguments or view.plan is None:
        return {}
    wanted = request.args.get(PROPOSE, "")[:9]
    decision = next(one.decision for one in view.asked if one.question_id == question)
    kept = next((one.text for one in notes if one.text.startswith(f"{decision.asks} ")), "")
    if wanted == NO_PROPOSAL:
        return {"begun": None}
    if not wanted and kept and (move := view.plan.read(kept)) is not None:
        return {"begun": move, **({"stored": True} if "stored" in form.ask.arguments else {})}
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() else 0
    # Questions have ids that only their seat's pages show, so nobody else can draw the same.
    chance = Chance(sha256(f"{question} {number}".encode()).digest(), 0)
    return {"begun": view.game.bot(view.view, decision, chance), "draws": number + 1}


def _text_form(answers: tuple[LegalAnswer, ...], text: str) -> TextForm:
    step = max(1, len(answers) // EXAMPLES)
    return TextForm(text, [one.text for one in answers[::step]][:EXAMPLES])


def _forms(view: PlayerView, language: str) -> dict[str, Any]:
    """The modules of the templates by which a game asks some questions, by question id.

    `ask_<asks>.html` has two macros. `points(view)`: the names on the board, separated by blanks, that a
    click puts into a `select` marked `data-point` of a form marked `data-pointing`.
    `ask(view, question, pieces, text)`: the forms. A form sends the answer as one field `answer` or as
    several fields `piece`, which are joined in order; `pieces` and `text` are those of a refused answer. If
    it takes them, `begun` is a move to begin with, and `draws` the number of another one: `?propose=NUMBER`.
    """
    names = {one.question_id: f"games/{view.game.slug}/ask_{one.decision.asks}.html" for one in view.asked}
    return {
        question: environment(language).get_template(name).module
        for question, name in names.items()
        if name in _form_templates()
    }


@cache
def _form_templates() -> frozenset[str]:
    return frozenset(name for name in environment().list_templates() if "/ask_" in name or "/step_" in name)
