"""The download of a match: everything at its end, before that what the viewer's seat may know and no more."""

import pytest
from sqlalchemy import text as sql

from app.engine import codec
from app.engine.chance import Chance
from app.games import all_games
from app.people import blocks
from app.play.match import cache
from app.play.match.packing import pack, unpack
from app.play.moves import bots, service
from app.play.seats import chat
from app.transcripts.bringing import bring
from app.transcripts.export import finished
from app.transcripts.form import BadFile
from app.transcripts.reading import read
from app.transcripts.sight import text_for
from app.transcripts.verifying import verify
from app.transcripts.writing import text_of
from tests.games import golden
from tests.games.random_games import seed_of
from tests.play import cast
from tests.transcripts.random_matches import match_of

HIDING = [slug for slug, game in all_games().items() if not game.open_information]


def begun(store, slug: str, turns: int) -> cast.Seated:
    seats = 3 if 3 in all_games()[slug].seats else 2
    seated = cast.seat(store, bots=seats - 2, game=slug)
    for _ in range(turns):
        play_one(store, seated)
    return seated


def people(seated: cast.Seated) -> list[str]:
    return [seat for seat, row in seated.rows.items() if not row.bot]


def play_one(store, seated: cast.Seated) -> None:
    bots.play_unmanned(store)
    waiting = [seat for seat in people(seated) if seat in seated.player_view().to_move]
    if waiting:
        view = seated.player_view(waiting[0])
        asked = view.asked[0]
        move = asked.decision.options[0] if asked.decision.options else asked.decision.default
        service.play(store, seated.bearer(waiting[0]), asked.question_id, view.game.format(move))


def asked(store, seated: cast.Seated) -> str:
    """A person whose turn it is."""
    while not (waiting := [seat for seat in people(seated) if seat in seated.player_view().to_move]):
        assert bots.play_unmanned(store)
    return waiting[0]


def seen(seated: cast.Seated, seat: str) -> str:
    return text_for(seated.player_view(seat, last=1000))


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_a_seat_downloads_what_it_may_know(store, clock, slug):  # noqa: ARG001
    seated = begun(store, slug, 6)
    own, other = people(seated)
    chat.say(store, seated.bearer(own), seated.match_id, "Hello!")
    row = cast.one(store, 'SELECT secret, seed FROM "match"')
    for seat in (own, other):
        text = seen(seated, seat)
        assert f"\nseen by: {seat}\n" in text
        assert text.endswith("= goes on\n")
        assert f'{own} says "Hello!"' in text
        assert bytes(row.secret).hex() not in text
        assert bytes(row.seed).hex() not in text
        assert "example.org" not in text
        assert text == seen(seated, seat)
        with pytest.raises(BadFile, match="what one player could know"):
            read(text.encode())


@pytest.mark.parametrize("slug", HIDING)
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_text(store, clock, slug):  # noqa: ARG001
    """The rows of the match become those of other worlds: what else would differ is in the log, to others."""
    seated = begun(store, slug, 1)
    game, different = all_games()[slug], 0
    for turn in range(8):
        play_one(store, seated)
        row = cast.one(store, 'SELECT state, ply FROM "match"')
        state = codec.load_state(game, row.state)
        for seat in people(seated):
            before = seen(seated, seat)
            for number in range(2):
                twin = game.resample(state, seat, Chance(seed_of(f"download {number}"), turn))
                different += twin != state
                put(store, codec.dumps(twin))
                assert seen(seated, seat) == before
            put(store, row.state)
    assert different > 8


def put(store, state: str) -> None:
    with store.transaction() as connection:
        connection.execute(
            sql('UPDATE "match" SET state = :state, secret = :secret'), {"state": state, "secret": b"a"}
        )


@pytest.mark.parametrize("slug", HIDING)
def test_what_others_were_told_changes_nothing(store, clock, slug):  # noqa: ARG001
    """Events for others alone, and the texts of their moves, are exchanged in the log."""
    seated = begun(store, slug, 10)
    own, _ = people(seated)
    before = seen(seated, own)
    rows = cast.rows(store, "SELECT ply, seat, packed FROM played ORDER BY ply")
    changed = 0
    with store.transaction() as connection:
        for row in rows:
            told = cache.told(slug, unpack(slug, bytes(row.packed)))
            kept = tuple(one for one in told if one.to is None or own in one.to)
            move = "secret move" if row.seat not in (None, own) else None
            changed += len(kept) < len(told) or move is not None
            connection.execute(
                sql("UPDATE played SET packed = :packed, move = COALESCE(:move, move) WHERE ply = :ply"),
                {"packed": pack(slug, codec.dump_told(kept)), "move": move, "ply": row.ply},
            )
    assert changed > 3
    assert seen(seated, own) == before


def finish(store, seated: cast.Seated) -> None:
    for seat in people(seated):
        if seated.player_view().status == "running":
            service.resign(store, seated.bearer(seat), seated.match_id)
    while seated.player_view().status == "running":
        assert bots.play_unmanned(store)


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_the_page_offers_it(store, browser, clock, slug):  # noqa: ARG001
    seated = begun(store, slug, 8)
    own = people(seated)[0]
    address = f"/m/{seated.match_id}/text"
    assert f'{address}"' not in browser.get(f"/m/{seated.match_id}").text
    refused = browser.get(f"{address}?seat={own}&as={own}")
    assert refused.status_code == 409
    assert "still going on" in refused.text
    token = seated.token(asked(store, seated))
    page = browser.get(f"/t/{token}")
    assert 'href="?go=text" download' in page.text
    mine = browser.get(f"/t/{token}?go=text", follow_redirects=True)
    assert mine.mimetype == "text/plain"
    assert mine.headers["Content-Disposition"].startswith('attachment; filename="tidepost-')
    assert "private" in mine.headers["Cache-Control"]
    assert "\nseen by: " in mine.text

    finish(store, seated)
    assert f'href="{address}" download' in browser.get(f"/m/{seated.match_id}").text
    whole = browser.get(address)
    assert whole.status_code == 200
    assert whole.headers["Cache-Control"] == "public, no-cache"
    assert whole.text == text_of(finished(store, seated.match_id))
    found = verify(read(whole.data))
    assert found.match.ending
    assert "example.org" not in whole.text
    again = browser.get(address, headers={"If-None-Match": whole.headers["ETag"]})
    assert again.status_code == 304


def test_a_private_game_is_downloaded_by_its_people_alone(store, browser, clock):  # noqa: ARG001
    seated = begun(store, "survive", 3)
    with store.transaction() as connection:
        connection.execute(sql('UPDATE "match" SET private = TRUE'))
    token = seated.token(asked(store, seated))
    address = f"/m/{seated.match_id}/text"
    assert browser.get(address).status_code == 404
    finish(store, seated)
    assert browser.get(address).status_code == 404
    whole = browser.get(f"/t/{token}/text", follow_redirects=True)
    assert "\nprivate: yes\n" in whole.text or whole.status_code == 404
    assert finished(store, seated.match_id).private


def test_a_reader_gets_no_messages_of_people_they_muted(store, clock):
    seated = begun(store, "survive", 3)
    own, other = people(seated)
    chat.say(store, seated.bearer(other), seated.match_id, "Loud!")
    reader = seated.rows[own].player_id
    finish(store, seated)
    assert "Loud!" in text_of(finished(store, seated.match_id, reader))
    with store.transaction() as connection:
        blocks.silence(connection, clock.now(), reader, seated.rows[other].player_id, invitations=False)
    assert "Loud!" not in text_of(finished(store, seated.match_id, reader))
    assert "Loud!" in text_of(finished(store, seated.match_id))


@pytest.mark.parametrize("path", golden.FILES[::6], ids=lambda path: path.stem)
def test_pages_of_a_match_that_came_from_a_file(store, browser, clock, path):  # noqa: ARG001
    """Its players are names without accounts, perhaps; all its pages are there."""
    found = golden.verified(path).match
    if found.players != all_games()[found.game].colours[: len(found.players)]:
        found = match_of(0)
    match_id = bring(store, read(text_of(found).encode())).match_id
    ply = cast.one(store, 'SELECT ply FROM "match"').ply
    for page in ("", "/log", "/0", f"/{ply // 2}", "/text", "/feed.atom", f"/{ply}/board.png"):
        assert browser.get(f"/m/{match_id}{page}", follow_redirects=True).status_code == 200, page
    assert browser.get("/games").status_code == 200
    shown = browser.get(f"/m/{match_id}").text
    assert "Formula 0" in shown or found.dice
