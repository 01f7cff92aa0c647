"""Which cases of a parametrized test run in `make test`; the others are left to `make test-all`."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

__all__ = ["sampled"]


def sampled(cases: Iterable[str], *samples: str) -> list[ParameterSet]:
    """Return `cases` as parameters, all but `samples` marked as slow."""
    return [pytest.param(case, marks=() if case in samples else pytest.mark.slow) for case in cases]
