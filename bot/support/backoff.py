"""Exponential backoff as a function of the number of failures, which the caller counts."""

from tenacity import AsyncRetrying, RetryCallState, wait_exponential


class Backoff:
    """Wait `first` seconds, then twice as long after each failure, up to `longest`."""

    def __init__(self, first: float, longest: float) -> None:
        self._wait = wait_exponential(multiplier=first, max=longest)

    def after(self, failures: int) -> float:
        """Return the seconds to wait after `failures` failures in a row (1 or more)."""
        # tenacity's wait strategies need only the attempt number.
        state = RetryCallState(AsyncRetrying(), None, (), {})
        state.attempt_number = failures
        return self._wait(state)
