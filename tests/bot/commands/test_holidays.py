"""Days as people type them."""

from datetime import UTC, date, datetime
from itertools import product

from bot.commands.holidays import date_called
from bot.support.texts import LANGUAGES, Texts

TODAY = date(2026, 1, 1)


def test_a_day_can_be_typed_as_it_is_written() -> None:
    for language, month in product(LANGUAGES, range(1, 13)):
        noon = datetime(2026, month, 24, 12, tzinfo=UTC)
        written = Texts(language).day(int(noon.timestamp()))
        assert date_called(written, today=TODAY, locale=language) == noon.date()
        # The year may be left out.
        day = written.removesuffix(" 2026")
        assert date_called(f"until {day}", today=TODAY, locale=language) == noon.date()
