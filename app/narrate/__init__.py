"""Sentences in a reader's language: events, questions, the log, refusals and times.

The sentences are macros of templates: those of a game in `templates/games/<slug>/words/<language>.jinja`, the
site's in `templates/words/`, those of letters in `templates/mail/words/`. English replaces missing files and
macros. All texts are plain; pages escape them.
"""

from app.narrate.errors import MOST_READINGS, refusal
from app.narrate.log import MOMENTS, notice, order_result, remarks
from app.narrate.time import clock_rule, left, moment, weekday
from app.narrate.titles import (
    about_first_game,
    about_policy,
    about_preset,
    blurb,
    choice,
    game_length,
    match_name,
    option,
    policy,
    preset,
    short_title,
    title,
    variants,
)
from app.narrate.turns import (
    asks,
    board_name,
    column,
    described,
    ending,
    example,
    figure,
    label,
    owner,
    sentences,
)
from app.narrate.words import FALLBACK, LETTERS, SITE, Name, has_words, say

__all__ = [
    "FALLBACK",
    "LETTERS",
    "MOMENTS",
    "MOST_READINGS",
    "SITE",
    "Name",
    "about_first_game",
    "about_policy",
    "about_preset",
    "asks",
    "blurb",
    "board_name",
    "choice",
    "clock_rule",
    "column",
    "described",
    "ending",
    "example",
    "figure",
    "game_length",
    "has_words",
    "label",
    "left",
    "match_name",
    "moment",
    "notice",
    "option",
    "order_result",
    "owner",
    "policy",
    "preset",
    "refusal",
    "remarks",
    "say",
    "sentences",
    "short_title",
    "title",
    "variants",
    "weekday",
]
