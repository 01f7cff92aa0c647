"""Optional acceleration of the searches by numba and NumPy (the extra ``azumaya[fast]``).

Without numba the same functions run as plain Python, some fifty times slower. So compiled
functions (`jit`) use only numbers, tables, (named) tuples of both, and each other. Their only
globals are numbers and tables.

Loading numba takes a second and some 80 MiB. It is used only if it works and was imported before
the first engine, as `bot.engines.worker` does. ``NUMBA_CACHE_DIR`` enables its disk cache.

Numba's integers have 64 bits, a sign, and overflow. So masks stay below 2**63, are split, or are
cut by ``& mask``. Boards of 64 squares are `unsigned`, as is every constant combined with them. A
count or index derived from one goes through `signed`: mixing both would yield a float.

Compiled recursion can crash when it is loaded from disk (numba issue 6061).
"""

import sys
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from contextlib import suppress
from typing import Any, Literal, ParamSpec, TypeVar, cast

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

Table = MutableSequence[int]
"""A table of integers that compiled functions can use: a list, or an array of NumPy."""

_numba: Any = sys.modules.get("numba")
np: Any = sys.modules.get("numpy")


class _Kept:
    """Numba's disk cache, where a full disk or a damaged file must not make every call fail."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load_overload(self, *which: Any) -> Any:
        try:
            return self._cache.load_overload(*which)
        except Exception:  # noqa: BLE001 - whatever pickle raises for a damaged file
            with suppress(Exception):
                self._cache.flush()
            return None

    def save_overload(self, *which: Any) -> None:
        with suppress(Exception):
            self._cache.save_overload(*which)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


def _machine_code(function: Callable[_Parameters, _Result]) -> Any:
    made = _numba.njit(function)
    if _numba.config.CACHE_DIR:
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
    """Return the error of a numba that does not work, for example on another processor."""
    if _numba is None:
        return None
    try:
        made = _machine_code(_total)
        if made(np.array((19, 23), dtype="int64")) != _total((19, 23)):
            return ArithmeticError()
        # With NUMBA_DISABLE_JIT NumPy's numbers are slower than Python's own.
        return NotImplementedError() if made is _total else None
    except BaseException as error:  # noqa: BLE001 - whatever it is, run without numba
        return error.with_traceback(None)


TROUBLE = _trouble()
"""Why numba is not used although it is loaded."""
IS_ACCELERATED = _numba is not None and TROUBLE is None

signed: Callable[[int], int] = np.int64 if IS_ACCELERATED else int
unsigned: Callable[[int], int] = np.uint64 if IS_ACCELERATED else int
"""An unsigned 64-bit integer in compiled functions: a mask of 64 squares."""


def jit(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Compile `function` at its first call if numba works."""
    if not IS_ACCELERATED:
        return function
    return cast("Callable[_Parameters, _Result]", _machine_code(function))


def table(values: Iterable[int], *, bits: int = 64, is_signed: bool = True) -> Table:
    """Return a table of integers for compiled code. Pass it as an argument if it changes."""
    if not IS_ACCELERATED:
        return list(values)
    kind = f"{'' if is_signed else 'u'}int{bits}"
    return cast("Table", np.array(list(values), dtype=kind))


def blank(size: int, *, is_signed: bool = True) -> Table:
    """Return a `table` of `size` zeros."""
    if not IS_ACCELERATED:
        return [0] * size
    return cast("Table", np.zeros(size, dtype="int64" if is_signed else "uint64"))


def numbers(data: bytes, kind: Literal["B", "h"]) -> Sequence[int]:
    """Return stored numbers of a `kind` (see `array`) as a table that does not change."""
    if not IS_ACCELERATED:
        return memoryview(data).cast(kind)
    return cast("Sequence[int]", np.frombuffer(data, dtype=kind))
