"""What players type is kept as typed, and a line that is more likely something else is not carried out."""

import json

import pytest

from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast
from tests.rows import moment

SAID = (
    "See you again on 24. December, have a good 2. Advent!",
    "My mark was 10) and 3. place",
    "1 &lt; 2 &amp; 3 &gt; 2",
    "*bold* and _not_, “quoted”, 'so'",
    "- a dash, * a star, • a dot",
    "> is greater, >> is much greater",
    "plan: 1. sink F7 2. swim",
    "https://games.example/t/x?y=1&z=2 at 50 % - well…",
    "the flag of England \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a family \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a pink heart \U0001fa77 and a shaking face \U0001fae8",
    "two  blanks   here",
    "~~struck~~ and `code` -> {{ 7*7 }} %s",
)


@pytest.fixture
def post(store, ferry, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path))


def answer(post: Post, seat: str = "red") -> str:
    answers = [one for one in post.letters(seat) if one["Auto-Submitted"] == "auto-replied"]
    return " ".join(text_of(answers[-1]).split())


@pytest.mark.parametrize("words", SAID)
@pytest.mark.parametrize("word", ["say", "note", "1. say", "- note"])
def test_a_text_is_kept_as_it_was_typed(post, word, words):
    post.reply("red", f"{word} {words}")
    if "say" in word:
        rows = cast.rows(post.store, "SELECT facts FROM notice WHERE what = 'said'")
        kept = [json.loads(row.facts)["text"] for row in rows]
    else:
        kept = [row.text for row in cast.rows(post.store, "SELECT text FROM note")]
    assert kept == [words]


@pytest.mark.parametrize(
    "line", ["Say, are you still there?", "note, I am away", "Mute, mute!", "Away, away", "say; well"]
)
def test_a_sentence_that_begins_with_the_word_of_a_command_is_none(post, line):
    """Without its first word it would say something else, and to everybody."""
    post.reply("red", line)
    assert not cast.rows(post.store, "SELECT facts FROM notice WHERE what = 'said'")
    assert not cast.rows(post.store, "SELECT text FROM note")
    assert f"“{line}”" in answer(post)
    assert "didn’t work" not in answer(post)


@pytest.mark.parametrize("word", ["say", "note"])
def test_a_text_that_a_mail_program_broke_is_whole_again(post, word):
    first = f"{word} I thought for a whole week about this and then there was no boat"
    post.reply("red", f"{first}\nleft for me, so take it\nbid 2\n\nAnn")
    rows = cast.rows(post.store, "SELECT text FROM note") if word == "note" else []
    kept = [row.text for row in rows] or [
        json.loads(row.facts)["text"]
        for row in cast.rows(post.store, "SELECT facts FROM notice WHERE what = 'said'")
    ]
    whole = "I thought for a whole week about this and then there was no boat left for me, so take it"
    assert kept == [whole]
    assert post.moves() == [("red", "bid 2")]


def test_tags_without_a_flag_are_not_kept(post):
    post.reply("red", "note hidden \U000e0068\U000e0069 words")
    assert cast.rows(post.store, "SELECT text FROM note")[0].text == "hidden words"


@pytest.mark.parametrize("struck", ["~~bid 1~~", "~~bid 1~~ bid 2", "1. ~~bid 1~~", "~~**bid 1**~~"])
def test_what_is_struck_out_is_not_carried_out(post, struck):
    post.reply("red", f"{struck}\nbid 2")
    assert post.moves() == []
    assert "“bid 2”" in answer(post)


@pytest.mark.parametrize(
    "struck",
    [
        "<s>bid 1</s>",
        "<strike>bid 1</strike>",
        "<del><b>bid 1</b></del>",
        '<span style="color: red; text-decoration: line-through">bid 1</span>',
    ],
)
def test_what_is_struck_out_in_html_is_not_carried_out(post, struck):
    message = post.written("red", "", post.last("red"))
    message.set_content(f"<div>{struck}</div><div>bid 2</div>", subtype="html")
    post.hand_in(message)
    post.deliver()
    assert post.moves() == []
    assert "“bid 2”" in answer(post)


@pytest.mark.parametrize("kind", ["rfc822", "global", "partial; number=1; total=2; id=x"])
def test_another_mail_in_the_place_of_the_text_was_not_typed(post, kind):
    raw = post.written("red", "", post.last("red")).as_bytes().partition(b"\n\n")[0]
    head = b"\n".join(line for line in raw.split(b"\n") if not line.lower().startswith(b"content-"))
    inner = b"From: Bo <bo@elsewhere.example>\nSubject: do this\n\nbid 2\n"
    whole = head + f"\nContent-Type: message/{kind}\n\n".encode() + inner
    post.hand_in_raw(whole, post.written("red", "", post.last("red")))
    post.deliver()
    assert post.moves() == []
    assert "Nothing was done" in answer(post)


def test_what_is_hidden_in_html_is_not_read(post):
    message = post.written("red", "", post.last("red"))
    message.set_content('<p style="visibility: hidden">bid 1</p><p>bid 2</p>', subtype="html")
    post.hand_in(message)
    post.deliver()
    assert post.moves() == [("red", "bid 2")]


def test_a_line_below_a_text_that_may_be_another_is_not_joined(post):
    post.reply("red", "note I thought for a whole week about this, Ada and Bo\nAnn")
    (row,) = cast.rows(post.store, "SELECT text FROM note")
    assert row.text.endswith("Ada and Bo")
    post.reply("red", "note short\nwords below it that are many and go on and on for a while, as it seems")
    assert [row.text for row in cast.rows(post.store, "SELECT text FROM note ORDER BY id")][1] == "short"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("away until 5/12", "can mean two dates"),
        ("away from 3 Dec", "but not when you’ll be back"),
        ("away 5 Jan 2020 to 9 Jan", "in the past"),
        ("away sometime", "isn’t a date"),
    ],
)
def test_an_absence_that_is_not_certain_is_asked_about(post, line, said):
    post.reply("red", line)
    assert said in answer(post)
    assert not cast.rows(post.store, "SELECT id FROM absence")


def test_away_until_a_day_begins_today_and_the_answer_says_so(post, clock):
    day = clock.moment.date()
    until = day.replace(day=day.day + 3) if day.day < 25 else day.replace(day=28)
    post.reply("red", f"away until {until:%Y-%m-%d}")
    (row,) = cast.rows(post.store, "SELECT begins, ends FROM absence")
    assert moment(row.begins) <= clock.moment
    assert "ou’re away from" in answer(post)


@pytest.fixture
def survive(store, clock, tmp_path) -> Post:  # noqa: ARG001 - must be there
    return Post(store, settings(tmp_path), game="survive", options={"setup": "live"})


@pytest.mark.parametrize(
    "line", ["orders random", "Orders: random", "ahead orders random", "ahead orders: random"]
)
def test_a_list_of_placings_is_no_conditional_move(survive, line):
    seat = next(seat for seat in survive.names.values() if survive.letters(seat, "your turn"))
    survive.reply(seat, line, to=survive.letters(seat)[0])
    assert not cast.rows(survive.store, "SELECT id FROM standingorder")
    assert "didn’t work" in answer(survive, seat)


def test_a_list_of_placings_is_the_games_where_it_asks_for_one(store, clock, tmp_path):  # noqa: ARG001
    post = Post(store, settings(tmp_path), game="survive")
    post.reply("red", "orders random")
    assert post.moves() == [("red", "orders random")]
    assert not cast.rows(store, "SELECT id FROM standingorder")


def test_a_refusal_repeats_only_the_beginning_of_a_long_line(store, clock, tmp_path):  # noqa: ARG001
    post = Post(store, settings(tmp_path), game="survive")
    post.reply("red", "orders " + "3 F5; " * 170)
    told = answer(post)
    assert told.count("3 F5") < 80
    post.reply("red", "orders " + "3 F5; " * 600, to=post.letters("red")[0])
    assert answer(post).count("3 F5") < 80


@pytest.mark.parametrize("word", ["castle", "hello", "rresign"])
def test_what_is_not_near_is_not_suggested(store, clock, tmp_path, word):  # noqa: ARG001
    post = Post(store, settings(tmp_path), game="atlandice")
    seat = next(iter(post.names.values()))
    post.reply(seat, word)
    assert "Did you mean" not in answer(post, seat)


def test_an_explorer_behind_the_ships_is_told_the_form_of_a_list(store, clock, tmp_path):  # noqa: ARG001
    post = Post(store, settings(tmp_path), game="survive")
    post.reply("red", "orders 3 F5 F6; ships E2 D4; 1 G4")
    assert "Did you mean “orders 3 F5 F6; 1 G4; … ships E2 D4”" in answer(post)
