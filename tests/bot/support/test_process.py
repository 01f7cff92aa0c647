"""Large allocations are returned to the system, and what every board needs is kept."""

import platform
import subprocess
import sys

import pytest

ON_GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc does that")

LEARNED = """
import ctypes
from ctypes import c_size_t, c_void_p
from bot.support.process import tune_allocator

if {call}:
    tune_allocator()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = c_void_p, [c_size_t], [c_void_p]

class Info(ctypes.Structure):
    _fields_ = [(name, c_size_t) for name in "abcdefghij"]

libc.mallinfo2.restype = Info
# From a block of 16 MiB that was given back glibc learns to keep one of 8 MiB in its heap.
libc.free(libc.malloc(16 << 20))
before = libc.mallinfo2().d
libc.malloc(8 << 20)
print(libc.mallinfo2().d - before)
"""


@ON_GLIBC
@pytest.mark.parametrize(("call", "mapped"), [(True, 1), (False, 0)])
def test_a_large_block_is_kept_apart_although_a_larger_one_was_given_back(
    *, call: bool, mapped: int
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LEARNED.format(call=call)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) == mapped
