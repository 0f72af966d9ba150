"""Nobody sees more than their seat may know."""

import pytest

from app.engine import codec, dice
from app.engine.chance import Chance, commitment, seed_of
from app.play.match import replay
from app.play.match.records import ANYBODY, NotFound, Viewer
from app.play.moves import service
from app.play.views.lists import player_lines, public_lines
from app.play.views.player_view import player_view, player_view_by_token
from tests.play import cast
from tests.toy import Dealt

pytestmark = pytest.mark.usefixtures("toy", "clock")


def knows(seen) -> str:
    """All of a sight that a page could show, as text."""
    return " ".join(
        (
            codec.dumps(seen.view),
            *(codec.dumps(event) for heard in seen.heard for event in heard.events),
            *(heard.move or "" for heard in seen.heard),
            *(codec.dumps(asked.decision) for asked in seen.asked),
        )
    )


def test_a_sealed_answer_is_its_owners_until_it_is_shown(store):
    """What is chosen at the same time is sent to nobody before all have chosen."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    before = {seat: knows(match.player_view(seat)) for seat in (None, "blue", "green")}
    texts = []
    for bid in ("bid 0", "bid 3"):
        other = cast.seat(store, ("Ada", "Bo", "Cleo"))
        service.play(store, other.bearer("red"), other.question("red"), bid)
        texts.append([knows(other.player_view(seat)) for seat in (None, "blue", "green")])
        assert other.player_view("red").view.own_bid == int(bid[-1])
    assert texts[0] == texts[1]
    assert before != texts[0], "that red has bidden is public"


def test_what_was_told_to_one_is_told_to_no_other(store):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"))
    for seat in ("red", "blue", "green"):
        told = [event for heard in match.player_view(seat).heard for event in heard.events]
        assert [event.seat for event in told if isinstance(event, Dealt)] == [seat]
    assert "Dealt" not in knows(match.player_view())


def test_what_was_told_to_one_is_not_repeated_after_their_next_turn(store):
    match = cast.seat(store)
    for seat in ("red", "blue"):
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    assert "Dealt" not in knows(match.player_view("blue"))
    assert "Dealt" not in knows(player_view(store, match.match_id, match.bearer("blue"), ply=0))


def test_the_text_of_a_move_is_shown_to_its_owner_in_their_turn_and_to_all_at_the_end(store):
    match = cast.seat(store)
    for seat, bid in (("red", "bid 2"), ("blue", "bid 1")):
        service.play(store, match.bearer(seat), match.question(seat), bid)
    service.play(store, match.bearer("red"), match.question("red"), "row on")
    assert [heard.move for heard in match.player_view("red").heard] == [None, None, None, "row on"]
    for other in (None, "blue"):
        assert {heard.move for heard in match.player_view(other).heard} == {None}
    service.resign(store, match.bearer("blue"), match.match_id)
    assert [heard.move for heard in match.player_view().heard][1:4] == ["bid 2", "bid 1", "row on"]
    assert "Dealt" in knows(match.player_view())


def test_the_secret_is_published_at_the_end_and_everything_can_be_checked(store):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), dice=bytes(range(100, 132)))
    running = match.player_view("red")
    assert running.secret is None
    row = cast.one(store, 'SELECT secret, seed FROM "match"')
    for hidden in (row.secret, row.seed):
        assert bytes(hidden).hex() not in repr(running)
    for seat in ("blue", "green"):
        service.resign(store, match.bearer(seat), match.match_id)
    over = match.player_view()
    assert over.secret is not None
    secret = bytes.fromhex(over.secret)
    assert commitment(secret) == running.commitment
    assert seed_of(secret, over.words) == bytes(row.seed)
    order = Chance(bytes(row.seed), 0, "seats").shuffled(("Ada", "Bo", "Cleo"))
    assert tuple(one.name for one in over.sittings) == order
    assert over.words == tuple(f"{name}'s word" for name in ("Ada", "Bo", "Cleo"))
    assert [over.name(seat) for seat in over.word_seats] == ["Ada", "Bo", "Cleo"]
    assert over.dice == dice.CURRENT


def test_a_stale_link_shows_what_everybody_sees(store):
    match = cast.seat(store)
    token = match.token("red")
    fresh = player_view_by_token(store, token)
    assert (fresh.seat, fresh.by_token, fresh.stale) == ("red", True, False)
    service.play(store, match.bearer("red"), match.question("red"), "bid 0")
    stale = player_view_by_token(store, token)
    assert (stale.seat, stale.by_token, stale.stale, stale.asked) == (None, True, True, ())
    assert knows(stale) == knows(match.player_view())
    assert player_view(store, match.match_id, Viewer(token=token)) == stale


def test_a_stale_link_does_not_blind_a_signed_in_player(store):
    match = cast.seat(store)
    token = match.token("red")
    service.play(store, match.bearer("red"), match.question("red"), "bid 0")
    both = Viewer(token=token, player_id=match.rows["red"].player_id)
    assert player_view(store, match.match_id, both).seat == "red"


def test_forged_cut_and_foreign_tokens_show_nothing(store):
    match = cast.seat(store)
    token = match.token("red")
    for forged in (token[:-1], token + "x", token.swapcase(), "", "\x00", "\ud800", "x" * 9999):
        with pytest.raises(NotFound):
            player_view_by_token(store, forged)
    invitation = cast.tokens(store, match.match_id)[0]
    with pytest.raises(NotFound):
        player_view_by_token(store, invitation)
    assert player_view(store, match.match_id, Viewer(token="forged")).seat is None


def test_looking_changes_nothing(store):
    match = cast.seat(store)
    token = match.token("red")

    def everything():
        names = ("match", "played", "question", "letter", "token", "chair", "player", "invitation")
        return [cast.rows(store, f'SELECT * FROM "{name}"') for name in names]

    before = everything()
    for _ in range(3):
        player_view_by_token(store, token)
        match.player_view("blue")
        match.player_view()
    assert everything() == before


def test_earlier_positions_are_everybodys_and_agree_with_what_was_seen(store):
    match = cast.seat(store, options={"bank": "long"})
    views = {0: match.player_view().view}
    for _ in range(12):
        seat = match.player_view().to_move[0]
        asked = match.player_view(seat).asked[0]
        text = match.player_view().game.format(asked.decision.options[-1])
        service.play(store, match.bearer(seat), asked.question_id, text)
        views[match.player_view().ply] = match.player_view().view
    for ply, view in views.items():
        old = player_view(store, match.match_id, match.bearer("red"), ply=ply)
        if ply < match.player_view().ply:
            assert (old.view, old.asked, old.to_move, old.can_take_back) == (view, (), (), False)
            assert old.heard[-1].ply == ply
    for ply in (-1, 99):
        with pytest.raises(NotFound):
            player_view(store, match.match_id, ply=ply)


def test_a_table_that_has_not_started_is_nobodys_business(store):
    match_id = cast.open_table(store)
    for number in (match_id, 999, 0, -1, 2**31, 2**70):
        with pytest.raises(NotFound):
            player_view(store, number, ANYBODY)


def test_lists_put_what_waits_first(store, clock):
    first = cast.seat(store)
    clock.advance(hours=1)
    second = cast.seat(store)
    seat = next(seat for seat, row in second.rows.items() if row.player_id == 1)
    service.play(store, second.bearer(seat), second.question(seat), "bid 0")
    clock.advance(hours=1)
    third = cast.open_table(store)
    over = cast.seat(store)
    service.resign(store, over.bearer("red"), over.match_id)
    lines = player_lines(store, 1)
    assert [(line.match_id, line.waiting) for line in lines] == [
        (first.match_id, True),
        (second.match_id, False),
        (over.match_id, False),
    ]
    assert all(line.organised for line in lines)
    assert third not in [line.match_id for line in public_lines(store, 9)]
    assert [line.match_id for line in public_lines(store, 9)] == [
        second.match_id,
        first.match_id,
        over.match_id,
    ]
    assert [line.seat for line in public_lines(store, 1)] == [None, None]
    assert player_lines(store, 99) == ()


def test_a_snapshot_that_was_tampered_with_is_found(store):
    match = cast.seat(store)
    assert replay.check(store, match.match_id)
    with store.transaction() as connection:
        connection.exec_driver_sql("""UPDATE "match" SET state = replace(state, '"round":1', '"round":2')""")
    assert not replay.check(store, match.match_id)
