"""The letter that says that webhooks were switched off."""

import msgspec

from app import games, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped
from app.people import webhooks
from app.people.webhooks import Webhook
from app.play.views import letter_facts

PATH = "/profile/webhooks"


class Failed(msgspec.Struct, frozen=True):
    """A webhook that is off."""

    address: str
    """Without what is secret in it."""
    title: str
    """Of the game that it told of; empty: it told what its player is told."""
    error: str
    """A sentence on the last failure."""
    url: str
    """Of its page."""


def switched_off(mailer: MailContext, context: LetterContext) -> Page | Dropped:
    """To the player: the webhooks that are off because nothing arrived there, those of games too."""
    player_id = context.letter.player_id
    assert player_id is not None
    with mailer.store.reading() as connection:
        off = [one for one in webhooks.all_of(connection, player_id) if one.status == "off"]
    if not off:
        return Dropped("nothing_new")
    failed = [_failed(mailer, context, one) for one in off]
    return Page({"reader": context.name, "hooks": failed}, "Tidepost")


def _failed(mailer: MailContext, context: LetterContext, one: Webhook) -> Failed:
    title, path = "", PATH
    if one.match_id:
        with mailer.store.reading() as connection:
            game = games.all_games().get(letter_facts.label(connection, one.match_id).game)
        path = f"/m/{one.match_id}/webhooks"
        title = narrate.match_name(game, context.language, one.match_id) if game is not None else ""
    return Failed(
        context.isolated(one.masked), title, context.site("hook_error", one.error), mailer.link(path)
    )
