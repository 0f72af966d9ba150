"""A match file is true, or the first line that is not is named; a small edit is never missed nor a fault."""

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cli import main
from app.transcripts import form
from app.transcripts.form import BadFile
from app.transcripts.reading import read
from app.transcripts.verifying import Verified, verify
from app.transcripts.writing import text_of
from tests.games import golden
from tests.share import examples, in_blocks
from tests.transcripts.random_matches import MANY, match_of

NUMBER = next(n for n in range(MANY) if match_of(n).game == "survive" and match_of(n).options)
RIGHT = text_of(match_of(NUMBER)).encode()
BARE = golden.FILES[0].read_bytes()


def checked(data: bytes) -> Verified:
    return verify(read(data))


def refused(data: bytes) -> BadFile:
    with pytest.raises(BadFile) as raised:
        checked(data)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400
    return raised.value


def taken(data: bytes) -> Verified | BadFile:
    try:
        return checked(data)
    except BadFile as error:
        return error


def moves_of(found: Verified) -> list[object]:
    lines = [one for one in found.match.lines if isinstance(one, form.Played)]
    return [(one.seat, one.move, one.draws) for one in lines]


def left(one: list[object], other: list[object]) -> list[object]:
    """What of a list is neither at its beginning nor at its end as in the other."""
    fewer = min(len(one), len(other))
    same = next((n for n in range(fewer) if one[n] != other[n]), fewer)
    fewer -= same
    end = next((n for n in range(fewer) if one[-1 - n] != other[-1 - n]), fewer)
    return one[same : len(one) - end]


def proves_the_same(found: Verified, before: Verified) -> bool:
    """The same dice and the same moves, but for one legal move at most, which no later line contradicts.

    The fingerprint binds what chance shows, and not what players do; names and talk are nobody's proof.
    """
    mine, theirs = moves_of(found), moves_of(before)
    edited, was = left(mine, theirs), left(theirs, mine)
    return (found.match.game, found.seed) == (before.match.game, before.seed) and max(
        map(len, (edited, was))
    ) < 2


@pytest.mark.parametrize("path", golden.FILES, ids=lambda path: path.stem)
def test_a_golden_match_goes_out_and_comes_in_the_same(path):
    data = path.read_bytes()
    found = checked(data)
    assert text_of(found.match).encode() == data


@pytest.mark.parametrize(("_", "numbers"), in_blocks([""], range(MANY), blocks=30))
def test_a_random_match_is_true(_, numbers):
    for number in numbers:
        text = text_of(match_of(number))
        assert text_of(checked(text.encode()).match) == text


@settings(max_examples=examples(80))
@given(data=st.data())
def test_an_edited_byte_or_line_is_found_or_proves_the_same(data):
    """A single byte, or a single line, of a whole file or of a bare one."""
    before = data.draw(st.sampled_from([RIGHT, BARE]))
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(before) - 1))
        put = data.draw(st.one_of(st.just(b""), st.integers(0, 255).map(lambda byte: bytes([byte]))))
        after = before[:at] + put + before[at + data.draw(st.integers(0, 1)) :]
    else:
        lines = before.splitlines(keepends=True)
        at = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.one_of(st.none(), st.sampled_from(lines), st.binary(max_size=30)))
        lines[at : at + 1] = [] if other is None else [other]
        after = b"".join(lines)
    found = taken(after)
    if isinstance(found, BadFile):
        assert 0 < found.line <= after.count(b"\n") + 1
        assert "\n" not in str(found)
    else:
        assert proves_the_same(found, checked(before))


def test_another_legal_move_is_all_that_nobody_can_tell():
    other = RIGHT.replace(b"play move-shark shark3 K10", b"play move-shark shark3 K1")
    assert other != RIGHT
    assert proves_the_same(checked(other), checked(RIGHT))


def with_option(extra: bytes) -> bytes:
    lines = [line for line in RIGHT.splitlines(keepends=True) if not line.startswith(b"options: ")]
    return b"".join([*lines[:3], extra, *lines[3:]])


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"", 1, "is cut"),
        (b"\n", 1, "lack game"),
        (RIGHT[:-1], RIGHT.count(b"\n"), "is cut"),
        (
            RIGHT[: RIGHT.index(b"\n\n") + 2],
            RIGHT[: RIGHT.index(b"\n\n")].count(b"\n") + 2,
            "the file is cut",
        ),
        (b"\xef\xbb\xbf" + RIGHT, 1, "byte order mark"),
        (RIGHT.decode().encode("utf-16"), 1, "byte order mark"),
        (RIGHT.replace(b"\n", b"\r\n"), 1, "carriage return"),
        (RIGHT.replace(b"game: ", b"game:\t", 1), 1, "control character U+0009"),
        (RIGHT.replace(b"\n", b" \n", 1), 2, "of “survive ”"),
        (RIGHT + b"\n", RIGHT.count(b"\n"), "is no move: = "),
        (b"#game: survive\n" + RIGHT, 1, "here should stand: # ame"),
        (RIGHT.replace(b"\nedition", b"\n# a comment below the headers\nedition", 1), 2, "no header"),
        (b"".join(sorted(RIGHT.splitlines(True)[:2])) + b"".join(RIGHT.splitlines(True)[2:]), 1, "game: sur"),
        (RIGHT.replace(b"name red: ", b'name red: "Ada"\nname red: ', 1), None, "name red stands in line"),
        (RIGHT.replace(b"game: ", b"game: \xff"), 1, "is not UTF-8"),
        (RIGHT + b"x" * form.LARGEST, 0, "more than 4 MB"),
        (RIGHT.replace(b"game: ", b"game: " + b"x" * form.LONGEST_LINE), 1, "longer than"),
        (RIGHT.replace(b"edition: ", b"edition: 1\nedition: "), 3, "edition stands in line 2 already"),
        (RIGHT.replace(b"edition: ", b"edition: 99", 1), 2, "no rules here for edition 99"),
        (RIGHT.replace(b"game: ", b"game: x", 1), 2, "no rules here"),
        (RIGHT.replace(b"edition: ", b"edition: " + b"9" * 5000, 1), 2, "is no number"),
        (with_option(b"options: flying=on\n"), 4, "flying"),
        (RIGHT.replace(b"\nplayers: ", b"\nplayers: pink ", 1), 3, "the seats of this game are red"),
        (RIGHT.replace(b"\nplayers: ", b"\nplayers:  ", 1), 3, "the seats of this game"),
        (RIGHT.replace(b" @2024-03-01T18:30:00Z", b" @2024-13-01T18:30:00Z", 1), None, "is no moment"),
        (RIGHT.replace(b"\nstart ", b"\nstart [9/6] ", 1), None, "is no move"),
        (RIGHT.replace(b"\ndice: ", b"\ndice: 7", 1), None, "no formula"),
        (RIGHT.replace(b"\nsecret: ", b"\nsecret: zz", 1), None, "hexadecimal"),
        (RIGHT.replace(b"\nsecret: ", b"\nsecret: 00", 1), None, "fingerprint isn't"),
        (
            b"\n".join(one for one in RIGHT.split(b"\n") if b"secret" not in one),
            None,
            "the secret is missing",
        ),
        (RIGHT.replace(b"\n= ", b"\n= x", 1), None, "ended otherwise"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_in_one_line(data, line, said):
    error = refused(data)
    assert said in str(error)
    assert line in (None, error.line)


def test_a_cut_file_is_refused_wherever_it_is_cut():
    lines = RIGHT.splitlines(keepends=True)
    for kept in range(0, len(lines) - 1, 7):
        assert 0 < refused(b"".join(lines[:kept])).line <= kept + 1
        refused(b"".join((*lines[:kept], lines[-1])))


def test_an_edited_draw_is_named_with_its_line():
    match = match_of(NUMBER)
    at, line = next(
        (n, one) for n, one in enumerate(match.lines) if isinstance(one, form.Played) and one.draws and n > 3
    )
    first = line.draws[0]
    wrong = msgspec.structs.replace(first, result=(first.result + 1) % first.among)
    lines = (
        *match.lines[:at],
        msgspec.structs.replace(line, draws=(wrong, *line.draws[1:])),
        *match.lines[at + 1 :],
    )
    error = refused(text_of(msgspec.structs.replace(match, lines=lines)).encode())
    assert "draw 1 is " in str(error)
    assert error.line == text_of(match).split("\n\n")[0].count("\n") + 3 + at


def test_exchanged_seats_are_found():
    match = match_of(NUMBER)
    first, second, *rest = match.words
    words = (msgspec.structs.replace(second, place=first.place), first, *rest)
    error = refused(text_of(msgspec.structs.replace(match, words=words)).encode())
    assert "fingerprint" not in str(error)


def test_the_command_says_yes_or_where_not(tmp_path):
    file = tmp_path / "one.match"
    file.write_bytes(RIGHT)
    said = CliRunner().invoke(main, ["verify", str(file)])
    assert said.exit_code == 0
    assert said.output.startswith("one.match: yes: ")
    assert match_of(NUMBER).commitment in said.output
    file.write_bytes(RIGHT.replace(b"\nedition: ", b"\nedition: 9"))
    said = CliRunner().invoke(main, ["verify", str(file)])
    assert said.exit_code == 1
    assert said.output.startswith("Error: one.match: no: line 2: ")
    assert said.output.count("\n") == 1
    with file.open("wb") as large:
        large.truncate(100_000_000)
    assert "more than 4 MB" in CliRunner().invoke(main, ["verify", str(file)]).output
    file.write_bytes(BARE)
    assert "made up, nothing was promised" in CliRunner().invoke(main, ["verify", str(file)]).output
