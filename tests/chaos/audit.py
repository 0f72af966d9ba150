"""What must hold after everything, whatever happened on the way."""

from collections import Counter, defaultdict

from sqlalchemy import Connection, text

from app.play.match import replay
from app.store.session import Store
from tests.chaos.players import Pair
from tests.chaos.post import MoodyPost
from workers.postmen import MANY

HERE = ("sent", "unknown")


def faults(store: Store, post: MoodyPost, pairs: list[Pair], *, violent: int) -> list[str]:
    """Everything that is not as it must be. `violent`: ends of a worker, or of what it writes to."""
    found = [pair.fault for pair in pairs if pair.fault]
    with store.reading() as connection:
        found += _moves(connection, pairs) + _letters(connection, post, violent) + _asked(connection)
        found += _mails(connection, pairs)
        matches = connection.execute(text('SELECT id, ply FROM "match"')).all()
    return found + [f"match {one.id} does not replay" for one in matches if not replay.check(store, one.id)]


def _moves(connection: Connection, pairs: list[Pair]) -> list[str]:
    """Each answer that a page confirmed is in the log, of a plan each line, and none is there twice."""
    found = []
    answers, played = defaultdict(list), defaultdict(set)
    for row in connection.execute(
        text("SELECT match_id, answers, move FROM played WHERE answers IS NOT NULL ORDER BY match_id, ply")
    ):
        answers[f"{row.match_id}.{row.answers}"].append(row.move)
        played[str(row.match_id)].add(row.move)
    for pair in pairs:
        found += [
            f"lost: {one.answer!r} to {one.question_id}: {answers[one.question_id]!r}"
            for one in pair.confirmed
            if (lines := one.answer.splitlines())[0] not in answers[one.question_id]
            or not played[one.question_id.partition(".")[0]].issuperset(lines)
        ]
    told = Counter(
        connection.execute(
            text(
                """SELECT match_id FROM played
                   WHERE source IN ('web', 'letter') AND move NOT IN ('start', 'resign', 'undo')"""
            )
        ).scalars()
    )
    asked = Counter(
        connection.execute(text("SELECT match_id FROM played WHERE answers IS NOT NULL")).scalars()
    )
    found += [
        f"match {one}: {told[one]} moves, {asked[one]} answers" for one in told if told[one] != asked[one]
    ]
    found += [
        f"match {one.match_id}: {one.many} answers to question {one.answers}"
        for one in connection.execute(
            text(
                """SELECT match_id, answers, count(DISTINCT at) AS many FROM played
                   WHERE answers IS NOT NULL GROUP BY match_id, answers"""
            )
        )
        if one.many != 1
    ]
    plies = connection.execute(
        text(
            """SELECT m.id, m.ply, count(*) AS many, min(p.ply) AS least, max(p.ply) AS most
               FROM "match" m JOIN played p ON p.match_id = m.id GROUP BY m.id, m.ply"""
        )
    ).all()
    found += [f"the log of match {one.id} has gaps" for one in plies if one.many != one.most - one.least + 1]
    return found + [f"match {one.id} is not at its log's end" for one in plies if one.ply != one.most]


def _letters(connection: Connection, post: MoodyPost, violent: int) -> list[str]:
    """Each letter was taken once, or once more where a process ended in between; and its row says so."""
    found = []
    rows = {
        one.id: one
        for one in connection.execute(text("SELECT id, kind, status, reason, tries, repeats FROM letter"))
    }
    taken, perhaps = Counter[str](), Counter[str]()
    for handed in post.handed:
        taken[handed.letter_id] += handed.acknowledged
        perhaps[handed.letter_id] += not handed.refused
    arrived = {str(one.message["Message-ID"]).strip("<>").partition("@")[0] for one in post.letters}
    for letter_id, row in rows.items():
        what = f"letter {letter_id} ({row.kind}, {row.status} {row.reason}, repeats {row.repeats})"
        if row.status == "waiting":
            found.append(f"{what} still waits after {row.tries} tries")
        if taken[letter_id] > 1 + bool(row.repeats) or perhaps[letter_id] > 1 + bool(row.repeats):
            found.append(f"{what} was taken {taken[letter_id]} times of {perhaps[letter_id]}")
        if letter_id in arrived and row.status not in HERE:
            found.append(f"{what} had arrived")
        if row.status == "sent" and not taken[letter_id]:
            found.append(f"{what} never arrived")
        if row.status == "failed":
            found.append(f"{what} failed")
    unsure = sum(bool(taken[letter_id]) and row.status == "unknown" for letter_id, row in rows.items())
    if unsure > violent * MANY:
        found.append(f"{unsure} letters were acknowledged and nobody knows, after {violent} violent ends")
    return found + [f"letter {one} is in no row" for one in taken if one not in rows]


def _asked(connection: Connection) -> list[str]:
    """Everybody who is asked has been told so."""
    open_turns = connection.execute(
        text(
            """SELECT DISTINCT q.match_id, q.seat, q.run, c.player_id
               FROM question q JOIN "match" m ON m.id = q.match_id AND m.status = 'running'
               JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
               WHERE q.closed_at IS NULL AND NOT q.optional AND c.player_id IS NOT NULL"""
        )
    ).all()
    letters = defaultdict(list)
    for one in connection.execute(
        text("SELECT match_id, seat, run, player_id, status, reason FROM letter WHERE kind = 'asked'")
    ):
        letters[one.match_id, one.seat, one.run, one.player_id].append((one.status, one.reason))
    return [
        f"nobody was asked for {tuple(turn)}: {letters[tuple(turn)]}"
        for turn in open_turns
        if not any(
            status in HERE or (status, reason) == ("dropped", "asked_in_answer")
            for status, reason in letters[tuple(turn)]
        )
    ]


def _mails(connection: Connection, pairs: list[Pair]) -> list[str]:
    """Each mail that was taken in was read, and answered once: by itself, or in a collected answer."""
    rows = connection.execute(
        text(
            """SELECT i.id, i.status, i.reason, i.error,
                      (SELECT count(*) FROM letter l WHERE l.kind IN ('reply', 'reply_confirm')
                          AND l.incoming_id = i.id)
                      + (SELECT count(*) FROM letter l WHERE l.kind = 'reply_collected'
                            AND l.player_id = i.player_id AND l.digest_at = i.held_until) AS answers
               FROM incoming i WHERE i.kind = 'reply'"""
        )
    ).all()
    found = [
        f"mail {one.id} is {one.status} {one.reason}: {one.error}" for one in rows if one.status != "read"
    ]
    found += [f"mail {one.id} ({one.reason}) has {one.answers} answers" for one in rows if one.answers != 1]
    kept = sum(len(pair.replies) for pair in pairs)
    return found + ([f"{kept} mails were taken in, {len(rows)} are there"] if kept > len(rows) else [])


def counts(store: Store, post: MoodyPost, pairs: list[Pair]) -> dict[str, int]:
    """What happened, in figures."""
    with store.reading() as connection:
        status = Counter(
            f"letters {one.status}" for one in connection.execute(text("SELECT status FROM letter"))
        )
        moves = connection.execute(
            text("SELECT count(*) FROM played WHERE source IN ('web', 'letter')")
        ).scalar_one()
        repeated = connection.execute(text("SELECT count(*) FROM letter WHERE repeats > 0")).scalar_one()
        unknown = list(connection.execute(text("SELECT id FROM letter WHERE status = 'unknown'")).scalars())
    acknowledged = Counter(one.letter_id for one in post.handed if one.acknowledged)
    return {
        "games": sum(len(pair.tables) for pair in pairs),
        "moves": int(moves),
        "answers confirmed by a page": sum(len(pair.confirmed) for pair in pairs),
        "turns found without an email": sum(pair.visits for pair in pairs),
        "replies": sum(len(pair.replies) for pair in pairs),
        "texts handed over": len(post.handed),
        "letters taken twice": sum(many > 1 for many in acknowledged.values()),
        "letters taken and nobody knows": sum(bool(acknowledged[letter_id]) for letter_id in unknown),
        "letters tried again though perhaps taken": int(repeated),
        **dict(sorted(status.items())),
    }
