"""The letter that confirms an absence to the one who is away."""

from datetime import date

from sqlalchemy import text

from app.mail.core.letter import Dropped
from app.play.deadlines import absences
from tests.mail.outbox import compose
from tests.mail.test_letters import desk, html_of, settings, text_of

__all__ = ["desk", "settings"]


def bo(desk):
    with desk.store.reading() as connection:
        return connection.execute(text("SELECT id FROM player WHERE name = 'Bo'")).scalar_one()


def test_who_goes_away_has_it_in_writing(desk):
    """Whoever spends days of absence is told so by letter, with what is left of them."""
    desk.start()
    absences.enter(desk.store, bo(desk), date(2026, 3, 4), date(2026, 3, 6))
    letter = desk.write("away")
    assert letter.recipient == "bo@example.org"
    for part in (text_of(letter.message), html_of(letter.message)):
        plain = " ".join(part.split())
        assert "from Wednesday 4 March 2026 to Friday 6 March 2026" in plain
        assert "You have 27 of 30 days of absence left in 2026" in plain
        assert "https://play.example.org/profile/away" in plain


def test_an_absence_that_was_cancelled_at_once_is_not_confirmed(desk):
    desk.start()
    entered = absences.enter(desk.store, bo(desk), date(2026, 3, 4), date(2026, 3, 6))
    absences.cancel(desk.store, bo(desk), entered.absence_id)
    (letter_id,) = desk.waiting("away")
    assert compose(desk.store, desk.settings, letter_id) == Dropped("cancelled")


def test_letters_say_who_is_away_and_until_when(desk, clock):
    desk.start()
    absences.enter(desk.store, bo(desk), date(2026, 3, 4), date(2026, 3, 6))
    assert "away until" not in text_of(desk.write("asked", "ada@example.org").message)
    clock.advance(days=2)
    assert "away until Sat 7 Mar, 00:00" in text_of(desk.write("asked", "cleo@example.org").message)
