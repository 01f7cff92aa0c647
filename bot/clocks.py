"""How much time people have: the clock of a match, and what is left on it.

A clock is a term of a match, beside the options of its game: so many days for each turn (``3d``),
or a bank for the whole match that grows by an increment with each turn (``10m+5s``). A turn ends
when the other side may act: whoever makes several moves meanwhile, such as notes that are free,
gains no time by them. While both may act, no clock runs.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.errors import Refused

__all__ = ["LISTED", "PRESETS", "UNITS", "Away", "Clock", "Running", "measured"]

UNITS = {"d": 24 * 3600, "h": 3600, "m": 60, "s": 1}
"""Seconds of each unit, by its letter, the largest first."""
_DAYS = (1, 2, 3, 5, 7, 14)
_LEAST_BANK, _MOST_BANK = 3 * 60, 10 * 24 * 3600
_LEAST_INCREMENT, _MOST_INCREMENT = 5, 36 * 3600
_LAST_REMINDER = 3600
"""Seconds before the end of a turn at which people are reminded of it for the last time."""
_REMINDED = 2 * _LAST_REMINDER
"""Seconds: of turns that have less nobody is reminded; there is no blitz with so many."""
_SPAN = re.compile(r"([1-9]\d{0,6})([dhms])", re.ASCII)


def measured(seconds: int) -> tuple[int, str]:
    """So many seconds in the largest unit that measures them: 36 and "h"; the unit is its letter.

    There is at least one.
    """
    return next((seconds // size, unit) for unit, size in UNITS.items() if seconds % size == 0)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of each side, in seconds: a `bank` and what each turn adds to it.

    Without an `increment` the bank is for each turn.
    """

    bank: int
    increment: int | None = None

    def __str__(self) -> str:
        """The one way in which it is stored: ``3d``, ``10m+5s``."""
        spans = [self.bank] if self.increment is None else [self.bank, self.increment]
        return "+".join(f"{count}{unit}" for count, unit in map(measured, spans))

    @property
    def is_of_days(self) -> bool:
        """Does it stand still while whoever is on turn is on holiday?"""
        return self.bank >= UNITS["d"]

    def still_until(self, turn: Collection[int], away: "Away", *, now: int) -> int:
        """Until when the time of whoever is on turn stands still; `now` where it runs."""
        if len(turn) != 1 or not away or not self.is_of_days:
            return now
        return max(now, away[min(turn)] or 0)

    @classmethod
    def is_one(cls, text: str) -> bool:
        """Is it a clock, written as it is stored?"""
        try:
            return text == str(cls.read(text))
        except Refused:
            return False

    @classmethod
    def read(cls, text: str) -> "Clock":
        """The clock of a text such as ``3d`` or ``600s+5s``. Raises `Refused` for any other."""
        spans = [_SPAN.fullmatch(part) for part in text.split("+")]
        seconds = [int(span[1]) * UNITS[span[2]] for span in spans if span]
        match seconds:
            case [bank] if len(spans) == 1 and bank in (days * UNITS["d"] for days in _DAYS):
                return cls(bank)
            case [bank, increment] if (
                len(spans) == 2
                and _LEAST_BANK <= bank <= _MOST_BANK
                and _LEAST_INCREMENT <= increment <= _MOST_INCREMENT
            ):
                return cls(bank, increment)
        days = ", ".join(map(str, _DAYS))
        raise Refused("clock-unknown", clock=text[:32], days=days)


PRESETS = ("1d", "3d", "7d", "10m+5s", "3d+12h")
"""The clocks that are offered where there is room for few."""
LISTED = (
    *(f"{days}d" for days in _DAYS),
    *("3m+5s", "5m+5s", "10m+5s", "30m+20s", "3d+12h", "10d+36h"),
)
"""The clocks that are offered where there is room for many: all by days, and banks from the least
to the most; any other can be typed."""


Away = Sequence[int | None]
"""By seat, until when somebody is on holiday, in Unix seconds; None, or nothing at all: not."""


@dataclass(frozen=True, slots=True)
class Running:
    """The clocks of a match as its present turn began; times are Unix seconds."""

    banks: tuple[int, ...]
    """What each seat had then, in seconds."""
    since: int
    """When that was; ahead, while whoever is on turn is on holiday."""
    due: int | None
    """When the time of whoever is on turn ends; None where nobody's runs."""
    remind_at: int | None = None
    """When they are reminded of that; None where they are not (any more)."""

    @classmethod
    def begun(
        cls, clock: Clock, *, seats: int, turn: Collection[int], now: int, away: Away = ()
    ) -> "Running":
        """The clocks of a match that begins."""
        return _begins((clock.bank,) * seats, turn, clock.still_until(turn, away, now=now))

    def left(self, now: int) -> int:
        """The seconds that whoever is on turn has left; all of them where the clock was set back.

        0 where nobody's time runs.
        """
        if self.due is None:
            return 0
        return max(0, min(self.due - now, self.due - self.since))

    def has_run_out(self, now: int) -> bool:
        """Is the time of whoever is on turn over? In the very second of its end it is not."""
        return self.due is not None and now > self.due

    def moved(
        self,
        clock: Clock,
        *,
        by: Sequence[int],
        turn: Collection[int],
        now: int,
        away: Away = (),
    ) -> "Running":
        """The clocks after moves that these seats have made, one after the other.

        Where the first of them is still on turn, and nobody else has moved, the time runs on.
        """
        mover = by[0]
        if set(by) == {mover} == set(turn):
            return self
        left = self.left(now) if self.due is not None else self.banks[mover]
        after = clock.bank if clock.increment is None else left + clock.increment
        return _begins(self._with(mover, after), turn, clock.still_until(turn, away, now=now))

    def anew(
        self,
        clock: Clock,
        *,
        was: Collection[int],
        turn: Collection[int],
        now: int,
        away: Away = (),
    ) -> "Running":
        """The clocks after a takeback: what has been spent is spent, and a turn begins.

        Nor are increments taken back: those of the moves that go stay with whoever made them.
        """
        banks = self.banks
        if self.due is not None:
            banks = self._with(min(was), clock.bank if clock.increment is None else self.left(now))
        return _begins(banks, turn, clock.still_until(turn, away, now=now))

    def held(self, clock: Clock, *, turn: Collection[int], now: int, away: Away = ()) -> "Running":
        """The clocks once it is known until when whoever is on turn is on holiday.

        Who is back early, or has gone on no holiday, has their time run on where it stood still.
        Time that has run out stays so: the match only has not ended yet.
        """
        if self.due is None or not clock.is_of_days or self.has_run_out(now):
            return self
        left, since = self.left(now), clock.still_until(turn, away, now=now)
        shift = since + left - self.due
        remind_at = None if self.remind_at is None else self.remind_at + shift
        return Running(self._with(min(turn), left), since, since + left, remind_at)

    def stopped(self) -> "Running":
        """The clocks of a match that has ended."""
        return replace(self, due=None, remind_at=None)

    def must_remind(self, until: int) -> bool:
        """Was whoever is on turn to be reminded by the moment `until`?"""
        return self.remind_at is not None and self.remind_at <= until

    def reminded(self, now: int) -> "Running":
        """The clocks once whoever is on turn has been reminded: once more only, and not soon."""
        if self.due is None:
            return self
        last = self.due - _LAST_REMINDER
        return replace(self, remind_at=last if last - now >= _LAST_REMINDER else None)

    def _with(self, seat: int, left: int) -> tuple[int, ...]:
        return tuple(left if its == seat else bank for its, bank in enumerate(self.banks))


def _begins(banks: tuple[int, ...], turn: Collection[int], now: int) -> Running:
    """The clocks as a turn begins."""
    due = now + banks[min(turn)] if len(turn) == 1 else None
    return Running(banks, now, due, None if due is None else _first_reminder(now, due))


def _first_reminder(since: int, due: int) -> int | None:
    """When there is a quarter left of a turn, but no less than there is at the last reminder."""
    whole = due - since
    return due - max(whole // 4, _LAST_REMINDER) if whole >= _REMINDED else None
