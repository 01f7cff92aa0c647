"""Quiet hours without reminders, in the user's time zone.

User settings: ``quiet`` (``22-7``, ``22:30-6:15``, 24-hour clock) and ``zone`` (an IANA name, or
an offset as ``UTC+05:30``).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS, ZONE = "quiet", "zone"
_NIGHT = "22-8"
_CLOCK = r"(\d{1,2})(?::(\d{2}))?(am|pm)?"
_SPAN = re.compile(f"{_CLOCK}[-–]{_CLOCK}", re.ASCII)
_OFFSET = re.compile(r"UTC([+-])(\d{2}):(\d{2})", re.ASCII)


def hours_in(text: str) -> tuple[time, time] | None:
    """Parse start and end of quiet hours, as ``22-7`` or ``10:30pm-6am``. None if invalid."""
    span = _SPAN.fullmatch(text)
    if span is None:
        return None
    try:
        begins, ends = _clock(*span.groups()[:3]), _clock(*span.groups()[3:])
    except ValueError:
        return None
    return None if begins == ends else (begins, ends)


def _clock(hour: str, minute: str | None, half: str | None) -> time:
    """Raises ValueError for an impossible time. 24 is midnight."""
    if half is None:
        return time(0 if hour == "24" and not int(minute or 0) else int(hour), int(minute or 0))
    if not 1 <= int(hour) <= 12:
        raise ValueError(hour)
    return time(int(hour) % 12 + 12 * (half == "pm"), int(minute or 0))


def zone_named(name: str) -> tzinfo | None:
    """Return the time zone. None for "" or an unknown name. The first call blocks."""
    if offset := _OFFSET.fullmatch(name):
        sign = -1 if offset[1] == "-" else 1
        return timezone(sign * timedelta(hours=int(offset[2]), minutes=int(offset[3])), name)
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        # Another machine's database knew this name.
        return None


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Quiet hours in a time zone. They may span midnight."""

    begins: time
    ends: time
    zone: tzinfo

    def __str__(self) -> str:
        return written(self.begins, self.ends)

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> "QuietHours | None":
        hours, zone = hours_in(settings.get(HOURS, "")), zone_named(settings.get(ZONE, ""))
        return cls(*hours, zone) if hours and zone else None

    def until(self, now: int) -> int:
        """Return the Unix time at which the quiet hours around `now` end. 0 outside of them."""
        here = datetime.fromtimestamp(now, self.zone)
        is_over_night, clock = self.ends < self.begins, here.time().replace(fold=0)
        if is_over_night:
            is_quiet = clock >= self.begins or clock < self.ends
        else:
            is_quiet = self.begins <= clock < self.ends
        if not is_quiet:
            return 0
        day = here.date() + timedelta(days=is_over_night and clock >= self.begins)
        end = datetime.combine(day, self.ends, self.zone)
        # When clocks are set back, this time occurs twice. Compare in UTC, because Python compares
        # wall clocks within one zone.
        moments = (end.replace(fold=fold).astimezone(UTC).timestamp() for fold in (0, 1))
        return next((int(moment) for moment in moments if moment > now), 0)


def waking_at(settings: Mapping[str, str], now: int) -> int:
    """Return when the user may be notified of what can wait. 0: now.

    Without own quiet hours, those of the night are taken if the time zone is known.
    """
    quiet = QuietHours.of({HOURS: _NIGHT, **settings})
    return quiet.until(now) if quiet else 0


def written(begins: time, ends: time) -> str:
    """Format quiet hours as stored: ``22-7``, ``22:30-6:15``."""
    return "-".join(
        f"{clock.hour}:{clock.minute:02}" if clock.minute else str(clock.hour)
        for clock in (begins, ends)
    )
