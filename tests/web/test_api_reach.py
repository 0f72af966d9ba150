"""All that a button of a page does: the operations of the API that do it, or why programs don't."""

from app.web.api.operations import OPERATIONS
from tests.web.test_doors import ROWS

SIGNS_IN = "it signs in, or ends sessions"
KEYS = "it makes, renews or ends keys and secret addresses"
ACCOUNT = "it changes the address, hands out everything, or ends the account"
EMAIL = "it asks by email, which a key needs not"
BROWSER = "it concerns a browser"
OPERATOR = "operators sign in anew for it"
SCREEN = "it shows or keeps what was typed on a page"
THOUGHT = "a game played on in thought: a program has its own boards"
BY_LINK = "the host of an unanswered invitation is blocked by its link"

REACH: dict[str, str] = {
    "accept": "post_accept",
    "add": "post_webhook post_webhook_of_match",
    "again": "post_sent_email_again",
    "ask_seat": "post_table",
    "away": "post_absence",
    "back": "post_table",
    "bot": THOUGHT,
    "call_off": "post_lobby post_table",
    "cancel": "delete_absence",
    "change_note": "put_note",
    "choose": "put_choices",
    "decline": "post_decline",
    "drop": SCREEN,
    "end": KEYS,
    "enter": SIGNS_IN,
    "extend": "post_table",
    "forget_note": "delete_note",
    "give_seat": "post_table",
    "habits": "put_times",
    "hand_over": "post_table",
    "host_link": EMAIL,
    "join": "post_join",
    "keep": SCREEN,
    "letters": SCREEN,
    "lift": "post_people",
    "links": EMAIL,
    "list": "post_lobby",
    "make": KEYS,
    "mute": "post_people",
    "no_pause": "post_table",
    "note": "post_note",
    "nudge": "post_nudge",
    "off": BROWSER,
    "offer": "post_table",
    "on": BROWSER,
    "open_seat": "post_table",
    "orders": "put_conditional",
    "pause": "post_table",
    "policy": "put_policy",
    "refuse_seat": "post_table",
    "remove": "delete_webhook delete_webhook_of_match",
    "replace": "post_lobby",
    "report": "post_people",
    "resign": "post_resign",
    "resume": "post_table",
    "say": "post_message",
    "seen": "post_seen",
    "send_again": "post_lobby",
    "share": "post_lobby",
    "show": SCREEN,
    "sign_in": SIGNS_IN,
    "start_with_fewer": "post_lobby",
    "take_back": "post_take_back",
    "take_out": "post_lobby",
    "test": "post_webhook_test post_webhook_test_of_match",
    "try_again": "post_emails_again",
    "unlist": "post_lobby",
    "unshare": "post_lobby",
    "withdraw": "post_lobby delete_conditional",
    "/i/<token> block": BY_LINK,
    "/profile/people block": "post_people",
    "/links": EMAIL,
    "/m/<int(max=2147483647):match_id>": "post_answer",
    "/m/<int(max=2147483647):match_id>/again": "post_rematch",
    "/m/<int(max=2147483647):match_id>/join": "post_join",
    "/open/<slug>": "post_match",
    "/operator": OPERATOR,
    "/profile": "put_me",
    "/profile/address": ACCOUNT,
    "/profile/delete": ACCOUNT,
    "/profile/end": SIGNS_IN,
    "/profile/export": ACCOUNT,
    "/profile/feeds": KEYS,
    "/profile/page": "put_page",
    "/seen": "post_all_seen",
    "/sign-in": SIGNS_IN,
    "/sign-out": SIGNS_IN,
    "/t/<token>": "post_answer",
}
"""By the button's `do`, with its path where that differs by it, or by the path of a button that has none."""


def test_programs_can_do_what_pages_can_but_for_what_is_listed_with_a_reason():
    names = {one.name for one in OPERATIONS}
    used = set()
    for row in ROWS:
        key = row.do or row.rule
        key = f"{row.rule} {row.do}" if f"{row.rule} {row.do}" in REACH else key
        assert key in REACH, f"{row.rule} {row.do}: name its operation, or the reason for none"
        used.add(key)
        first = REACH[key].split()[0]
        if "_" in first:
            assert set(REACH[key].split()) <= names
    assert used == set(REACH)
