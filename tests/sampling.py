"""Which cases of a parametrized test run in `make test`; the others are left to `make test-all`."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


def sampled(cases: Iterable[T], *samples: T) -> list[ParameterSet]:
    """Return `cases` as parameters, all but `samples` marked as slow."""
    return sampled_if(lambda case: case in samples, cases)


def sampled_if(is_sample: Callable[[T], bool], cases: Iterable[T]) -> list[ParameterSet]:
    """Return `cases` as parameters, those that are no samples marked as slow."""
    return [pytest.param(case, marks=() if is_sample(case) else pytest.mark.slow) for case in cases]
