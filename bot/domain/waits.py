"""The wait for a move in a match without a running clock: nudge, warning, claim, end.

The opponent of a computer is notified when it has not moved for a minute.

A match is checked a day after its last move, and then whenever its next step is due. Where a user
waits for another one, a nudge becomes possible, the player to move is warned, and a day later the
match can be claimed. Elsewhere there is no claim. A match that is left alone ends in the end.
"""

from dataclasses import dataclass, replace

A_DAY = 24 * 3600
LATE = 60
"""Seconds after which a computer's move is late."""
_LONGER = 3
"""A match that can be claimed ends after as many times the days until then."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What has happened since the last move. Times are Unix seconds, the others versions or 0."""

    step_at: int | None = None
    """When the player to move is warned, the match can be claimed, or it ends. None: never."""
    nudge_from: int | None = None
    """When the next nudge is possible, after one."""
    nudged: int | None = None
    """The last nudge, or when a computer's move was late. 0: a nudge is possible. None: not yet."""
    warned: int = 0
    stale: int = 0
    """Since when the match can be claimed or, if no user waits for another one, may end."""

    @property
    def look_at(self) -> int | None:
        return min((at for at in (self.step_at, self.nudge_from) if at is not None), default=None)

    @property
    def can_nudge(self) -> bool:
        return self.nudged == 0

    def nudge(self, *, now: int, version: int) -> "Wait":
        return replace(self, nudged=version, nudge_from=now + A_DAY)

    def late(self, *, now: int, version: int, days: int) -> "Wait":
        """Return the wait when a computer's move is late; `days` as in `looked`."""
        return replace(self, nudged=version, step_at=now + days * A_DAY if days else None)

    def warn(self, *, awake: int, version: int) -> "Wait":
        """Return the wait after a warning that is read at `awake`."""
        return replace(self, warned=version, step_at=awake + A_DAY)

    def paused(self, until: int) -> "Wait":
        """Return the wait during a holiday. A player who was warned has a day to move after it."""
        if not (self.warned or self.stale) or self.step_at is None:
            return self
        return replace(self, step_at=max(self.step_at, until + A_DAY))

    def looked(
        self, at: int, *, now: int, version: int, days: int, is_claimable: bool, awake: int
    ) -> "Wait | None":
        """Return the wait after the check that was due `at`, or None if the match ends.

        `days`: without a move until a claim. `is_claimable`: whether a user waits for another one.
        `awake`: when the player to move reads a message.
        """
        wait = self
        if self.nudged is None and self.step_at is None:
            # `at` is a day after the last move.
            step_at = at + (days - 1 - is_claimable) * A_DAY if days else None
            wait = replace(self, step_at=step_at)
        if not wait.can_nudge and (wait.nudge_from is None or wait.nudge_from <= now):
            wait = replace(wait, nudged=0, nudge_from=None)
        if wait.step_at is None or wait.step_at > now:
            return wait
        if wait.stale:
            return None
        if is_claimable and not wait.warned:
            return wait.warn(awake=awake, version=version)
        step_at = now + _LONGER * days * A_DAY if days else None
        return replace(wait, stale=version, step_at=step_at)
