"""The sentences of webhooks, as late as possible: what is no longer true is not told.

A player's hook tells that it is their turn, and in which game, and nothing of the game. A game's hook tells
what anybody sees who looks at its page.
"""

import msgspec

from app import games, narrate, words
from app.people.hook_posts import Held, Post
from app.people.recipients import Recipient
from app.play.match.records import Viewer
from app.play.match.version import page_version
from app.play.views import letter_facts
from app.play.views.letter_facts import MatchLabel, SeatTurn
from app.play.views.player_view import player_view
from app.store.session import Store

ANYBODY = Viewer()


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a hook tells, and the posts that it settles."""

    event: str
    sentences: tuple[str, ...]
    posts: tuple[Post, ...]
    path: str = "/"
    """Of the page that it is about: an address without a key."""
    match_id: int = 0
    game: str = ""
    """Its slug."""
    seat: str = ""
    """The seat whose turn it is; of a player's own hook alone."""


def told(store: Store, held: Held, to: Recipient, posts: list[Post]) -> list[Told]:
    """The posts that are true, in their order. Several of a game about the same are told once."""
    found: dict[tuple[str, int, str], list[Post]] = {}
    for post in posts:
        seat = post.seat if held.match_id == 0 else ""
        found.setdefault((post.event, post.match_id or post.invitation_id, seat), []).append(post)
    said = (_told(store, held, to, tuple(same)) for same in found.values())
    return [one for one in said if one is not None]


def spoken(held: Held, to: Recipient) -> str:
    """The language of a hook: the one chosen for it, else its player's."""
    return words.resolve([held.language, to.language])


def _told(store: Store, held: Held, to: Recipient, posts: tuple[Post, ...]) -> Told | None:
    post, language = posts[-1], spoken(held, to)
    if post.event == "test":
        return Told(event="test", sentences=(narrate.say(narrate.SITE, language, "hook_test"),), posts=posts)
    with store.reading() as connection:
        label = letter_facts.label(connection, post.match_id)
    game = games.all_games().get(label.game)
    if game is None:
        return None
    title = narrate.match_name(game, language, post.match_id)
    if held.match_id:
        sentences = _public(store, post, label, title, language)
    else:
        sentences = _own(store, post, label, title, to, language)
    if sentences is None:
        return None
    return Told(
        event=post.event,
        sentences=sentences,
        posts=posts,
        path=f"/m/{post.match_id}",
        match_id=post.match_id,
        game=label.game,
        seat=post.seat if not held.match_id else "",
    )


def _own(
    store: Store, post: Post, label: MatchLabel, title: str, to: Recipient, language: str
) -> tuple[str, ...] | None:
    """A player's own news. None: it is no longer true, or no longer theirs."""

    def say(name: str, *facts: object) -> tuple[str]:
        return (narrate.say(narrate.SITE, language, name, *facts),)

    with store.reading() as connection:
        if post.event == "turn":
            turn = SeatTurn(post.match_id, post.seat, post.run)
            sits = letter_facts.player_of(connection, turn.match_id, turn.seat) == to.player_id
            waits = sits and letter_facts.turn_state(connection, turn).waits
            return say("hook_turn", to.name, title) if waits else None
        if post.event == "invitation":
            mine = letter_facts.guest(connection, post.invitation_id)
            guests = letter_facts.guests(connection, post.match_id)
            host = next((one.name for one in guests if one.organiser), None)
            open_still = mine.status == "invited" and label.status == "open"
            return say("hook_invited", host or "", title) if open_still else None
    if post.event == "over":
        return _over(store, post, label, title, language)
    if post.event == "started":
        return say("hook_started", title) if label.status == "running" else None
    return say("hook_chat", title)


def _public(store: Store, post: Post, label: MatchLabel, title: str, language: str) -> tuple[str, ...] | None:
    """The news of a game for anybody. None: they are no longer true, or the game is private."""
    if page_version(store, ANYBODY, post.match_id) is None:
        return None
    if post.event == "over":
        return _over(store, post, label, title, language)
    view = player_view(store, post.match_id, ANYBODY, last=1)
    bots = {one.seat for one in view.sittings if one.bot}
    names = [view.name(seat) for seat in view.to_move if seat not in bots]
    return (narrate.say(narrate.SITE, language, "hook_waits", names, title),) if names else None


def _over(store: Store, post: Post, label: MatchLabel, title: str, language: str) -> tuple[str, ...] | None:
    if label.status != "over":
        return None
    view = player_view(store, post.match_id, ANYBODY, last=1)
    said = narrate.say(narrate.SITE, language, "feed_over", title)
    if view.outcome is None:
        return (said,)
    return said, narrate.ending(view.game, language, view.outcome, view.name)
