"""A name heads emails to strangers, so it holds nothing that a mail program would make a link of."""

import pytest

from app.people.checks import clean_name
from app.people.errors import Refused
from app.people.service import update
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from tests.play import cast

LINKS = (
    "WIN $500 www.evil.example/claim now",
    "evil.example",
    "Evil.Example",
    "go to evil.example now",
    "www evil example",
    "WWW2",
    ".example",
    "evil .example",
    "http://localhost",
    "https:evil",
    "hxxp evil",
    "HTTPS evil",
    "mailto:ann",
    "javascript:alert(1)",
    "//evil",
    "ann@localhost",
    "me@evil.example",
    "localhost:8000",
    "127.0.0.1",
    "http://[::1]/",
    "evil\uff0eexample",
    "evil\u3002example",
    "evil\uff61example",
    "evil\u2024example",
    "evil\ufe52example",
    "\uff45\uff56\uff49\uff4c.\uff43\uff4f\uff4d",
    "evil\u2488example",
    "evil.\u200cexample",
    "evil\u200b.\u200bexample",
    "evil.\u0301example",
    "e\u0301vil.e\u0301xample",
    "evil.\nexample",
    "evil[.]example",
    "evil(dot)com",
    "evil [ dot ] com",
    "evil dot com",
    "evil DOT example",
    "b\u00fccher.example",
    "\u4f8b\u3048.\u30c6\u30b9\u30c8",
    "xn--bcher-kva.example",
    "xn--bcher-kva",
    "Jr.and Co",
)
NAMES = (
    "Ada",
    "St. John",
    "J.R.R. Tolkien",
    "J. R. R. Tolkien",
    "Ph.D.",
    "Dot",
    "Dot Cotton",
    "Sammy Davis Jr.",
    "Ann-Marie O\u2019Neil",
    "Jos\u00e9 P\u00e9rez",
    "Data",
    "Tel Aviv Tom",
    "Ann 2.0",
    "A/B",
    "Anna :)",
    "\u5f20\u4f1f",
    "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9",
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "<b>Bo</b>",
    "comma, inc",
    "WIN $500",
)


@pytest.mark.parametrize("name", LINKS)
def test_what_would_be_a_link_is_no_name(name):
    if name == "evil.\nexample":  # the line break becomes a blank, as behind any dot
        assert clean_name(name) == "evil. example"
        return
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert refused.value.reason == "name_link"


@pytest.mark.parametrize("name", NAMES)
def test_people_keep_their_names(name):
    assert clean_name(name) == name


@pytest.mark.usefixtures("toy", "clock")
def test_every_door_refuses_it(store):
    """Confirming a game, accepting an invitation, the profile."""
    bad = ("evil.example", "en", "UTC", "")
    match_id = create_match(store, "ferry", 2, {}, "ada@example.org", ["bo@example.org"])
    mine, theirs = cast.tokens(store, match_id)
    with pytest.raises(Refused, match="name_link"):
        invitations.accept(store, mine, *bad)
    invitations.accept(store, mine, "Ada", "en", "UTC", "")
    with pytest.raises(Refused, match="name_link"):
        invitations.accept(store, theirs, *bad)
    with pytest.raises(Refused, match="name_link"):
        update(store, 1, "evil.example", "en", "UTC")
    assert {row.name for row in cast.rows(store, "SELECT name FROM player")} == {"Ada"}


@pytest.mark.parametrize(
    "name",
    [
        "小明",
        "歐陽 娜娜",
        "さくら",
        "山田・太郎",
        "علی‌رضا",
        "مریم",
        "محمّد",
        "龍" * 40,
        "Ａｄａ",
        "𠮷野",
        "김민수",
    ],
)
def test_names_of_any_script_are_kept_as_they_are(name):
    assert clean_name(name) == name
