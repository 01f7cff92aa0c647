"""What makes searches fast where it is there, and is not needed: numba, which brings NumPy.

The extra ``azumaya[fast]`` has it. Without it the same functions run as plain Python, some fifty
times slower: whoever plays by them looks less far, and all else is the same. What is decorated
with `compiled` therefore keeps to what both understand: numbers, tuples of them, tables made by
`table`, and functions that are compiled as well; no other global but numbers and tables.

Loading numba takes a second and some 80 MiB, which only whoever searches wants to spend: so it is
used where somebody has imported it before the first player, as `bot.thinking.worker` does, and
where it has been seen to work. Machine code is kept on disk where they have told numba a folder for
it (``NUMBA_CACHE_DIR``).

Numba's integers have 64 bits and a sign, and wrap around where Python's have no end: masks of
boards stay below 2**63, or are split, or made equal by ``& mask``. Boards of 64 squares are
`unsigned`: so is every constant that meets them, and what becomes a number of its own (a count, a
place in a table that is reckoned on) goes through `signed`; a mixture of both would be a fraction.

Compiled functions do not call themselves: read from disk, such a one can crash the process (numba's
issue 6061).
"""

import sys
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

__all__ = [
    "IS_ACCELERATED",
    "TROUBLE",
    "blank",
    "compiled",
    "octets",
    "signed",
    "table",
    "unsigned",
]

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_numba: Any = sys.modules.get("numba")
np: Any = sys.modules.get("numpy")


class _Kept:
    """What numba keeps on disk of a function: a help, which may be damaged, or have no room.

    Left to itself, numba lets every call fail then: of a disk that is full, and for ever of a file
    that a power cut has emptied.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load_overload(self, *which: Any) -> Any:
        """What is kept; None, for it to be compiled anew, where that cannot be read."""
        try:
            return self._cache.load_overload(*which)
        except Exception:  # noqa: BLE001 - whatever pickle makes of what is damaged
            with suppress(Exception):
                self._cache.flush()
            return None

    def save_overload(self, *which: Any) -> None:
        """Keep it, if that can be."""
        with suppress(Exception):
            self._cache.save_overload(*which)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


def _machine_code(function: Callable[_Parameters, _Result]) -> Any:
    made = _numba.njit(function)
    if _numba.config.CACHE_DIR:
        # Where nothing can be kept after all, it is not.
        with suppress(Exception):
            made.enable_caching()
            made._cache = _Kept(made._cache)  # noqa: SLF001 - there is no other way
    return made


def _total(numbers: Sequence[int]) -> int:
    total = 0
    for number in numbers:
        total += number
    return total


def _trouble() -> BaseException | None:
    """What numba raises that is loaded and does not work, such as one for another processor."""
    if _numba is None:
        return None
    try:
        made = _machine_code(_total)
        if made(np.array((19, 23), dtype="int64")) != _total((19, 23)):
            return ArithmeticError()
        # As where NUMBA_DISABLE_JIT is set: NumPy's numbers are slower than Python's own then.
        return NotImplementedError() if made is _total else None
    except BaseException as error:  # noqa: BLE001 - whatever it is, all is played without
        return error.with_traceback(None)


TROUBLE = _trouble()
"""Why numba is not used although it is loaded."""
IS_ACCELERATED = _numba is not None and TROUBLE is None

signed: Callable[[int], int] = np.int64 if IS_ACCELERATED else int
"""A whole number of 64 bits with a sign, in compiled functions and out of them."""
unsigned: Callable[[int], int] = np.uint64 if IS_ACCELERATED else int
"""A whole number of 64 bits without a sign: a mask of 64 squares."""


def compiled(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """`function` as machine code, made at its first call and kept on disk, or as it is."""
    if not IS_ACCELERATED:
        return function
    return cast("Callable[_Parameters, _Result]", _machine_code(function))


def table(values: Iterable[int], *, bits: int = 64, is_signed: bool = True) -> MutableSequence[int]:
    """A table of whole numbers of 64 bits, or less, that compiled functions can read and write.

    What is written into one that is a module's own, compiled code does not see: hand it over.
    """
    if not IS_ACCELERATED:
        return list(values)
    kind = f"{'' if is_signed else 'u'}int{bits}"
    return cast("MutableSequence[int]", np.array(list(values), dtype=kind))


def blank(size: int, *, is_signed: bool = True) -> MutableSequence[int]:
    """A `table` of so many zeros of 64 bits, without the list that it would be made of."""
    if not IS_ACCELERATED:
        return [0] * size
    return cast("MutableSequence[int]", np.zeros(size, dtype="int64" if is_signed else "uint64"))


def octets(data: bytes) -> Sequence[int]:
    """A table of small numbers, a byte each, that compiled functions can read."""
    if not IS_ACCELERATED:
        return data
    return cast("Sequence[int]", np.frombuffer(data, dtype=np.uint8))
