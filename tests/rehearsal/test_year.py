"""A year in the life of a server: whatever is done to it, nothing that a player did is lost."""

import pytest

from app import games
from app.store.session import Store
from app.upkeep import backup, restore
from tests.rehearsal.year import NEW, lived
from tests.servers import database_in, fresh_database
from tests.toy import TOY


def check_whole(year, tmp_path):
    """Nothing is lost, in the database and in a copy of it, and every reminder came once."""
    assert year.ledger.lost(year.store) == []
    backup.back_up(year.settings, tmp_path / "last")
    url = database_in(tmp_path)
    restore.restore(url, tmp_path / "third", (), tmp_path / "last")
    copy = Store(url)
    assert year.ledger.lost(copy) == []
    copy.engine.dispose()
    assert year.going.report().faults == ()


@pytest.mark.slow
@pytest.mark.usefixtures("ferry")
@pytest.mark.parametrize(
    ("matches", "days", "real"),
    [
        pytest.param(4, 3, False, id="share"),
        pytest.param(12, 41, True, id="whole", marks=pytest.mark.long),
    ],
)
def test_a_year(tmp_path, postgres, matches, days, real):
    shelf, policy = (games.all_games(), ()) if real else ({"ferry": TOY}, ("ward", "never"))
    facts = {"matches": matches, "days": days * 10, "seed": "a year of a house", "policy": policy}
    with lived(tmp_path, lambda: fresh_database(postgres), shelf, **facts) as year:
        year.live(days)
        for event in (
            year.restored,
            year.on_postgresql,
            year.disk_full,
            year.broker_lost,
            year.abuser_barred,
            year.upgraded,
            year.keys_rotated,
            year.address_changed,
        ):
            event()
            year.live(days)
        year.letters_lead_to(NEW)
        year.see_links(NEW)
        check_whole(year, tmp_path)
        assert min(map(len, year.ledger.kinds())) > days * matches
