"""Clocks of matches.

A clock is either days per turn (``3d``), or a base time with an increment per turn (``10m+5s``). A
turn ends when the opponent may move: several free moves in a row gain no time. While both may move,
no clock runs.
"""

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.domain.errors import Refused

UNITS = {"d": 24 * 3600, "h": 3600, "m": 60, "s": 1}
"""Seconds by unit, the largest first."""
_DAYS = (1, 2, 3, 5, 7, 14)
_LEAST_BANK, _MOST_BANK = 3 * 60, 10 * 24 * 3600
_LEAST_INCREMENT, _MOST_INCREMENT = 5, 36 * 3600
_LAST_REMINDER = 3600
"""Seconds before the end of a turn at which the last reminder is sent."""
_REMINDED = 2 * _LAST_REMINDER
"""Seconds. Players with less time for a turn are not reminded."""
_SPAN = re.compile(r"([1-9]\d{0,6})([dhms])", re.ASCII)


def measured(seconds: int) -> tuple[int, str]:
    """Return at least one second as a number of the largest exact unit, for example 36 and "h"."""
    return next((seconds // size, unit) for unit, size in UNITS.items() if seconds % size == 0)


@dataclass(frozen=True, slots=True)
class Clock:
    """Base time (`bank`) and increment in seconds. Without `increment`, the bank is per turn."""

    base_time: int
    increment: int | None = None

    def __str__(self) -> str:
        spans = [self.base_time] if self.increment is None else [self.base_time, self.increment]
        return "+".join(f"{count}{unit}" for count, unit in map(measured, spans))

    @property
    def is_correspondence(self) -> bool:
        """Whether it pauses during holidays."""
        return self.base_time >= UNITS["d"]

    def starts_at(self, turn: Collection[int], away: "Away", *, now: int) -> int:
        if len(turn) != 1 or not away or not self.is_correspondence:
            return now
        return max(now, away[min(turn)] or 0)

    @classmethod
    def is_canonical(cls, text: str) -> bool:
        with suppress(Refused):
            return text == str(cls.parse(text))
        return False

    @classmethod
    def parse(cls, text: str) -> "Clock":
        """Parse a clock like ``3d`` or ``600s+5s``. Raises `Refused`."""
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
"""Clocks for short menus."""
LISTED = (
    *(f"{days}d" for days in _DAYS),
    *("3m+5s", "5m+5s", "10m+5s", "30m+20s", "3d+12h", "10d+36h"),
)
"""Clocks for long menus. Others can be typed."""


Away = Sequence[int | None]
"""By seat, until when a player is on holiday, in Unix seconds. None or missing: not."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clocks of a match at the start of the current turn. Times are Unix seconds."""

    banks: tuple[int, ...]
    """Seconds of each seat at that time."""
    since: int
    """The start of the turn. In the future while the player to move is on holiday."""
    due: int | None
    """When the time of the player to move ends. None if no clock runs."""
    remind_at: int | None = None

    @classmethod
    def start(cls, clock: Clock, *, seats: int, turn: Collection[int], now: int) -> "ClockState":
        return _begins((clock.base_time,) * seats, turn, now)

    def left(self, now: int) -> int:
        """Return the seconds left for the player to move. 0 if no clock runs."""
        if self.due is None:
            return 0
        return max(0, min(self.due - now, self.due - self.since))

    def has_run_out(self, now: int) -> bool:
        """Return whether the player to move is out of time. At `due` itself they are not."""
        return self.due is not None and now > self.due

    def moved(
        self, clock: Clock, *, by: Sequence[int], turn: Collection[int], now: int, away: Away = ()
    ) -> "ClockState":
        """Return the clocks after moves of these seats. It runs on if only the mover may move."""
        mover = by[0]
        if set(by) == {mover} == set(turn):
            return self
        left = self.left(now) if self.due is not None else self.banks[mover]
        after = clock.base_time if clock.increment is None else left + clock.increment
        return _begins(self._with(mover, after), turn, clock.starts_at(turn, away, now=now))

    def after_takeback(
        self,
        clock: Clock,
        *,
        was: Collection[int],
        turn: Collection[int],
        now: int,
        away: Away = (),
    ) -> "ClockState":
        """Return the clocks after a takeback. Time spent and increments stay."""
        banks = self.banks
        if self.due is not None:
            left = clock.base_time if clock.increment is None else self.left(now)
            banks = self._with(min(was), left)
        return _begins(banks, turn, clock.starts_at(turn, away, now=now))

    def after_holiday_change(
        self, clock: Clock, *, turn: Collection[int], now: int, away: Away = ()
    ) -> "ClockState":
        """Return the clocks after a change of the holiday of the player to move.

        After an early return, the clock continues where it paused. Time that has run out stays so.
        """
        if self.due is None or not clock.is_correspondence or self.has_run_out(now):
            return self
        left, since = self.left(now), clock.starts_at(turn, away, now=now)
        shift = since + left - self.due
        remind_at = None if self.remind_at is None else self.remind_at + shift
        return ClockState(self._with(min(turn), left), since, since + left, remind_at)

    def stopped(self) -> "ClockState":
        return replace(self, due=None, remind_at=None)

    def reminded(self, now: int) -> "ClockState":
        """Return the clocks after a reminder. At most one more follows, not soon."""
        if self.due is None:
            return self
        last = self.due - _LAST_REMINDER
        return replace(self, remind_at=last if last - now >= _LAST_REMINDER else None)

    def _with(self, seat: int, left: int) -> tuple[int, ...]:
        return tuple(left if its == seat else bank for its, bank in enumerate(self.banks))


def _begins(banks: tuple[int, ...], turn: Collection[int], now: int) -> ClockState:
    if len(turn) != 1:
        return ClockState(banks, now, None)
    left = banks[min(turn)]
    # A quarter of the turn before its end, but not after the last reminder.
    remind_at = now + left - max(left // 4, _LAST_REMINDER) if left >= _REMINDED else None
    return ClockState(banks, now, now + left, remind_at)
