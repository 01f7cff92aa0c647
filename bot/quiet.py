"""Quiet hours: when somebody is not to be reminded of anything, by the clocks where they live.

They are settings of a person: ``quiet`` (``22-7``, ``22:30-6:15``, by clocks of 24 hours) and
``zone`` (a name of the IANA time zone database). A place has a zone, too (`bot.policies`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["HOURS", "ZONE", "Quiet", "hours_in", "written", "zone_named"]

HOURS, ZONE = "quiet", "zone"
"""The names of the settings."""
_CLOCK = r"(\d{1,2})(?::(\d{2}))?(am|pm)?"
_SPAN = re.compile(f"{_CLOCK}[-–]{_CLOCK}", re.ASCII)


def hours_in(text: str) -> tuple[time, time] | None:
    """When hours begin and end that are written so, as ``22-7`` or ``10:30pm-6am``; or None."""
    span = _SPAN.fullmatch(text)
    if span is None:
        return None
    try:
        begins, ends = _clock(*span.groups()[:3]), _clock(*span.groups()[3:])
    except ValueError:
        return None
    return None if begins == ends else (begins, ends)


def _clock(hour: str, minute: str | None, half: str | None) -> time:
    """Raises ValueError where no clock shows that; 24 is midnight."""
    if half is None:
        return time(0 if hour == "24" and not int(minute or 0) else int(hour), int(minute or 0))
    if not 1 <= int(hour) <= 12:
        raise ValueError(hour)
    return time(int(hour) % 12 + 12 * (half == "pm"), int(minute or 0))


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of this name; None for "" and for one that is not known. Blocking, at first."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        # The database of another machine knew it.
        return None


@dataclass(frozen=True, slots=True)
class Quiet:
    """The hours of a day from one time until another, perhaps after midnight, in a time zone."""

    begins: time
    ends: time
    zone: ZoneInfo

    def __str__(self) -> str:
        """The hours as they are stored."""
        return written(self.begins, self.ends)

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> "Quiet | None":
        """Those that somebody has set; None where there are none."""
        hours, zone = hours_in(settings.get(HOURS, "")), zone_named(settings.get(ZONE, ""))
        return cls(*hours, zone) if hours and zone else None

    def until(self, now: int) -> int:
        """When the hours end, of which this moment is one (Unix seconds); 0 where it is none."""
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
        # Where clocks are set back there are two of this time, and one may have gone by. They are
        # compared as what they are everywhere, for Python compares by the clocks within one zone.
        moments = (end.replace(fold=fold).astimezone(UTC).timestamp() for fold in (0, 1))
        return next((int(moment) for moment in moments if moment > now), 0)


def written(begins: time, ends: time) -> str:
    """Hours as they are stored: ``22-7``, ``22:30-6:15``."""
    return "-".join(
        f"{clock.hour}:{clock.minute:02}" if clock.minute else str(clock.hour)
        for clock in (begins, ends)
    )
