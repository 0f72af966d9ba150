"""The page of a match as one record."""

import msgspec
from flask import request
from markupsafe import Markup

from app import draw, games, narrate
from app.people.service import Person
from app.play.match.records import LogEntry, PlayerView
from app.play.moves.orders import Orders
from app.play.seats.notes import Note
from app.play.views.pending import next_match
from app.web.core.context import store
from app.web.match import chat_forms, clock_view, order_forms, question_card
from app.web.match.chat_forms import ChatForm, NotesCard
from app.web.match.clock_view import ClockView
from app.web.match.history import History, history
from app.web.match.log import LogCard, just_played, last_changed, log_card, report, trails
from app.web.match.move_picker import OTHER
from app.web.match.order_forms import OrdersCard
from app.web.match.question_card import QuestionCard
from app.words import formats


class Submission(msgspec.Struct, frozen=True):
    """A form that was sent, and why it was refused."""

    text: str = ""
    """The answer."""
    pieces: tuple[str, ...] = ()
    """The answer's parts, where the game's own form has several fields."""
    steps: tuple[str, ...] = ()
    """The plan before the answer."""
    refusal: str = ""
    closed: bool = False
    """Refused because the match has changed in the meantime."""
    resign_unconfirmed: bool = False
    typed: dict[str, str] = {}
    """Texts for chat, notes and orders, by the name of the button."""
    unsent: str = ""
    """The text typed, where the page has no form that could show it again."""

    @property
    def move(self) -> bool:
        """Whether it was an answer; answers have no button name."""
        return "" in self.typed


class Confirmations(msgspec.Struct, frozen=True):
    """Messages about the last action, from the query of its redirect."""

    already_played: bool
    played: tuple[LogEntry, ...]
    """The viewer's moves just made; an undo or a resignation alone."""
    told: str
    """The effects of these moves, in sentences."""
    turn_ended: bool
    """The link's turn ended with the move just made, so the link no longer shows the move."""
    done: str
    """The button just pressed in chat, notes or orders."""
    links_sent: bool
    asked: str
    """The request that a second email asks to confirm."""
    nudged: str
    """"1": sent; "0": already nudged within a day; empty: no nudge."""
    marked_seen: bool
    letters_resumed: bool
    signs_in: bool
    """A link for signing in was requested."""
    next_match: int | None
    """After a move that ends the turn: the number of another match in which it is the reader's turn."""


class SharedPicture(msgspec.Struct, frozen=True):
    """The page and the picture of its board, with their full addresses."""

    page: str
    picture: str


class MatchPage(msgspec.Struct, frozen=True):
    """The contents of a match's page. Times and sentences are in the reader's zone and language."""

    match: PlayerView
    title: str
    """Of the game."""
    name: str
    """Of the match, in short."""
    earlier_rules: bool
    """The match goes on by an earlier edition of its game than the rules page describes."""
    past_ply: int | None
    """The ply after which an earlier position is shown."""
    history: History
    """The ways to earlier positions."""
    winners: list[str]
    """The names of the winners, once the match is over and its end is shown."""
    to_move: list[str]
    """Names."""
    options: list[str]
    clock: ClockView
    board: Markup
    question: QuestionCard | None
    others: list[tuple[str, int]]
    """Names and points of those who have no place, such as a neutral player, once the match is over."""
    ending: str
    log: LogCard
    chat: ChatForm | None
    notes: NotesCard | None
    orders: OrdersCard | None
    sent: Submission
    confirmed: Confirmations
    players: tuple[tuple[str, str], ...]
    """The players whose public page shows more than a name: each with the address of that page."""
    shared: SharedPicture | None
    """For pages elsewhere that link here; None: the match is private."""
    once: str
    """The key of the forms that the page's state is enough to tell apart."""
    bounces: bool
    unreached: str
    """Emails to the viewer's seat are refused by no fault of the mailbox."""
    """Letters to the viewer's address bounce."""

    @property
    def asked(self) -> bool:
        """The match waits for the viewer; optional questions do not count."""
        return any(not one.decision.optional for one in self.match.asked)

    @property
    def over(self) -> bool:
        """The match has ended, and this is its end: an earlier position says nothing of it."""
        return self.match.status == "over" and self.past_ply is None


def match_page(
    view: PlayerView,
    language: str,
    reader: Person | None,
    sent: Submission | None,
    *,
    past_ply: int | None,
    notes: tuple[Note, ...],
    orders: Orders,
    noted: int,
    bounces: bool,
    unreached: str,
    shared: SharedPicture | None = None,
    players: tuple[tuple[str, str], ...] = (),
) -> MatchPage:
    """The page for the current request's query. `reader` is the signed-in player."""
    prepared = request.args.get("do", "")
    picking = question_card.picking(view, language, tuple(request.args.getlist("pick")), prepared)
    if sent is None:
        sent = Submission(text="" if picking.steps else prepared)
    clock = clock_view.clock_view(view, language, reader)
    planned = bool(view.plan and picking.steps)
    told = report(view, language)
    where = draw.places(view.game, picking.view, language)
    board = draw.page(
        view.game,
        picking.view,
        pick=picking.links,
        picked=picking.selection.picked or question_card.intended(view),
        marks=draw.named(view.plan.events())
        if planned and view.plan
        else ()
        if where
        else last_changed(view),
        over=draw.trails(picking.trails if planned else trails(view), told.places(), where) if where else "",
        others=picking.others,
        routes=picking.routes,
        kinds=dict.fromkeys((*picking.others, *picking.alike), OTHER) | picking.selection.kinds,
        labels=picking.spoken,
        language=language,
    )
    occasion = chat_forms.occasion(view, notes, noted)
    plays_now = view.seat is not None and past_ply is None
    played = just_played(view)
    return MatchPage(
        match=view,
        title=narrate.title(view.game, language),
        name=narrate.match_name(view.game, language, view.match_id),
        earlier_rules=view.game.edition < games.all_games().get(view.game.slug, view.game).edition,
        past_ply=past_ply,
        history=history(view, past_ply),
        winners=[view.name(seat) for seat, place in view.outcome.places.items() if place == 1]
        if view.outcome and past_ply is None
        else [],
        to_move=[view.name(seat) for seat in view.to_move],
        options=narrate.variants(view.game, language, view.options),
        clock=clock,
        board=Markup(board),  # noqa: S704 - made by the board's own template, which escapes
        question=question_card.question_card(
            view, language, picking, sent.text, sent.pieces, refused=bool(sent.refusal), notes=notes
        ),
        others=[
            (narrate.owner(view.game, language, one), many)
            for one, many in view.points.items()
            if one not in {info.seat for info in view.sittings}
        ],
        ending=narrate.ending(view.game, language, view.outcome, view.name)
        if view.outcome and past_ply is None
        else "",
        log=log_card(told, clock.time_format),
        chat=ChatForm(occasion, sent.typed.get(chat_forms.SAY, ""))
        if plays_now and view.status != "moved"
        else None,
        notes=NotesCard(notes, occasion, sent.typed.get(chat_forms.NOTE, "")) if plays_now else None,
        orders=order_forms.orders_card(view, language, orders, sent.typed.get(order_forms.LEAVE), occasion)
        if past_ply is None
        else None,
        sent=sent,
        confirmed=Confirmations(
            already_played="again" in request.args,
            played=played,
            told=_told(view, language, played),
            turn_ended=view.seat is None and "played" in request.args,
            done=request.args.get("done", "")[:20],
            links_sent="sent" in request.args,
            asked=request.args.get("asked", "")[:20],
            nudged=request.args.get("nudged", ""),
            marked_seen="seen" in request.args,
            letters_resumed="tried" in request.args,
            signs_in="sign_in" in request.args,
            next_match=next_match(store(), reader.id, but=view.match_id)
            if reader is not None and played and not view.asked
            else None,
        ),
        shared=shared,
        players=players,
        once=occasion,
        bounces=bounces,
        unreached=unreached,
    )


def _told(view: PlayerView, language: str, played: tuple[LogEntry, ...]) -> str:
    """The effects of moves, in sentences; empty if there are none."""
    events = tuple(event for one in played for event in one.events)
    return formats(language).together(narrate.sentences(view.game, language, events, view.name))
