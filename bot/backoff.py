"""Ever longer pauses between tries of what fails.

The count of failures is the caller's: of a loop, of each board, or stored; the pause follows from
it alone.
"""

from tenacity import AsyncRetrying, RetryCallState, wait_exponential

__all__ = ["Backoff"]


class Backoff:
    """`first` seconds after the first failure, twice as long after each more, `longest` at most."""

    def __init__(self, first: float, longest: float) -> None:
        self._wait = wait_exponential(multiplier=first, max=longest)

    def after(self, failures: int) -> float:
        """Seconds to wait when it has failed so often in a row (1 or more)."""
        # What the library knows of a try; its strategies go by the number alone.
        state = RetryCallState(AsyncRetrying(), None, (), {})
        state.attempt_number = failures
        return self._wait(state)
