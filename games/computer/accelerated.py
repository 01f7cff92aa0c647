"""What makes searches fast where it is there, and is not needed: numba, which brings NumPy.

The extra ``azumaya[fast]`` has it. Without it the same functions run as plain Python, some fifty
times slower: whoever plays by them looks less far, and all else is the same. What is decorated
with `compiled` therefore keeps to what both understand: numbers, tuples of them, tables made by
`table`, and functions that are compiled as well; no other global but numbers and tables.

Loading numba takes a second and some 80 MiB, which only whoever searches wants to spend: so it is
used where somebody has imported it before the first player, as `bot.thinking.worker` does.

Numba's integers have 64 bits and a sign, and wrap around where Python's have no end: masks of
boards stay below 2**63, or are split, or made equal by ``& mask``.
"""

import sys
from collections.abc import Callable, Iterable, MutableSequence
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["IS_ACCELERATED", "compiled", "table"]

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_numba: Any = sys.modules.get("numba")
np: Any = sys.modules.get("numpy")

IS_ACCELERATED = _numba is not None and np is not None


def compiled(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """`function` as machine code, made at its first call and kept on disk, or as it is."""
    if not IS_ACCELERATED:
        return function
    return cast("Callable[_Parameters, _Result]", _numba.njit(cache=True)(function))


def table(values: Iterable[int]) -> MutableSequence[int]:
    """A table of whole numbers of 64 bits that compiled functions can read and write.

    What is written into one that is a module's own, compiled code does not see: hand it over.
    """
    if not IS_ACCELERATED:
        return list(values)
    return cast("MutableSequence[int]", np.array(list(values), dtype=np.int64))
