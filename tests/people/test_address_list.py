"""Lists of addresses as they are pasted: read right, or refused with what was read."""

import pytest

from app.people.address_list import LONGEST, addresses_in
from app.people.errors import Refused

AMY, ROB = "amy@example.org", "rob@example.org"
BOTH = (AMY, ROB)


@pytest.mark.parametrize(
    "text",
    [
        f"{AMY} {ROB}",
        f"{AMY}, {ROB}",
        f"{AMY},{ROB}",
        f"{AMY};{ROB};",
        f"{AMY}\n{ROB}\n",
        f"{AMY}\r\n\r\n{ROB}",
        f"{AMY}\t{ROB}",
        f"{AMY}\xa0{ROB}",
        f"{AMY}\u3000{ROB}",
        f"{AMY}，{ROB}",
        f"{AMY}、{ROB}",
        f"{AMY}；{ROB}；",
        f"{AMY}، {ROB}",
        f"{AMY}؛ {ROB}",
        f"\u2067{AMY}\u2069، \u200f{ROB}",
        f"小明 ＜{AMY}＞、小美 ＜{ROB}＞",
        f"「小明」<{AMY}>；{ROB}",
        "ａｍｙ＠ｅｘａｍｐｌｅ．ｏｒｇ　ｒｏｂ＠example．org",
        f"Zed, Amy <{AMY}>; Yan, Rob <{ROB}>",
        f"Zed, Amy <{AMY}>, Yan, Rob <{ROB}>",
        f"Zed, Amy <{AMY}>;\nYan, Rob <{ROB}>;\n",
        f"Amy Zed <{AMY}>, Rob <{ROB}>",
        f"Amy <{AMY}>\nRob <{ROB}>",
        f'"Zed, Jr." <{AMY}>, "Rob; the other" <{ROB}>',
        f'"Zed \\"A\\", Amy" <{AMY}>; {ROB}',
        f"“Zed, Amy” <{AMY}>; {ROB}",
        f'"amy@work, home" <{AMY}> "Rob" <{ROB}>',
        f"<{AMY}>, <{ROB}>",
        f"<{AMY}> <{ROB}>",
        f"{AMY} <{AMY}>, {ROB} <{ROB}>",
        f"'{AMY}' <{AMY}>; '{ROB}' <{ROB}>",
        f"{AMY} (Amy Zed), {ROB} (Rob; at home)",
        f"Friends: {AMY}, {ROB};",
        f"Friends: Zed, Amy <{AMY}>, Rob <{ROB}>;",
        f"My good friends: {AMY};\nWork: {ROB};",
        f"To: {AMY}\nCc: Rob <{ROB}>",
        f"mailto:{AMY}, MAILTO:{ROB}?subject=hello",
        f"Amy <mailto:{AMY}>; Rob <mailto:rob%40example.org>",
        f"Amy Zed\t{AMY}\nRob\t{ROB}",
        f"{AMY}\tAmy Zed\n{ROB}\tRob",
        f"Amy Zed\n<{AMY}>\n{ROB}".replace("Zed\n", "Zed "),
        f"Zed, Amy\t<{AMY}>;\t{ROB}.",
        f",; {AMY} ,, ;\n; {ROB} ;",
        f"O'Zed, Amy <{AMY}>; {ROB}",
    ],
)
def test_two_addresses_are_read(text):
    assert addresses_in(text) == BOTH


@pytest.mark.parametrize(
    ("text", "part", "read"),
    [
        (f"{AMY}, Rob", "Rob", [AMY]),
        (f"Zed, {AMY}", "Zed", [AMY]),
        ("Amy Zed", "Amy Zed", []),
        (f"Amy {AMY}", f"Amy {AMY}", []),
        (f"{AMY} rob", f"{AMY} rob", []),
        (f"Amy, Bob, Rob <{ROB}>", "Amy", [ROB]),
        (f"Amy\nRob <{ROB}>", "Amy", [ROB]),
        (f"Amy; Rob <{ROB}>", "Amy", [ROB]),
        (f'"Zed, Amy <{AMY}>', '"', [AMY]),
        (f"Amy <{AMY}, {ROB}", "<", []),
        (f"{AMY} and {ROB}", f"{AMY} and {ROB}", []),
    ],
)
def test_what_can_be_read_in_two_ways_or_in_none_is_refused_with_what_was_read(text, part, read):
    with pytest.raises(Refused) as refused:
        addresses_in(text)
    assert refused.value.reason == "address_list"
    assert part in refused.value.facts["part"]
    assert refused.value.facts["read"] == read or not read


def test_nothing_is_lost_and_nothing_is_made_up():
    """An address that is read stands in the text, and each that stands there is read or told."""
    assert addresses_in("") == ()
    assert addresses_in("undisclosed-recipients:;") == ()
    assert addresses_in(f"{AMY}, {AMY}") == (AMY, AMY), "the same twice is told by who invites"
    assert addresses_in("amy@, <nobody>") == ("amy@", "nobody"), "and bad ones by who checks them"


def test_a_list_that_is_too_long_is_not_cut():
    with pytest.raises(Refused, match="text_too_long"):
        addresses_in("a@example.org " * LONGEST)
