"""Large allocations are returned to the system, and what every board needs is kept."""

import os
import platform
import subprocess
import sys

import pytest

ON_GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc does that")

_OTHERWISE = ("GLIBC_TUNABLES", "PYTHONMALLOC")
"""What has memory kept in another way than hosts have it."""
_TOLD = 1_000
"""Faults of a hundred boards: with pages of 4 kB there are some 20,000."""

LEARNED = """
import ctypes
from ctypes import c_size_t, c_void_p
from bot.memory import keep_little

if {call}:
    keep_little()
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


# A hundred boards: each is drawn into a block, and another one holds it encoded.
DRAWN = """
import ctypes, resource
from threading import Thread
from bot.memory import keep_little

if {call}:
    keep_little()
else:
    ctypes.CDLL(None).mallopt(-3, 1 << 20)

def draw():
    global faults
    bytearray(900_000), bytearray(400_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        bytearray(900_000), bytearray(400_000)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

{where}
print(faults)
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


@ON_GLIBC
@pytest.mark.parametrize(
    "where",
    [
        pytest.param("draw()", id="main thread"),
        pytest.param("(other := Thread(target=draw)).start(); other.join()", id="another thread"),
    ],
)
def test_the_memory_of_a_board_is_there_for_the_next_one(where: str) -> None:
    kept, given_back = (
        int(
            subprocess.run(
                [sys.executable, "-c", DRAWN.format(call=call, where=where)],
                capture_output=True,
                text=True,
                check=True,
                env={name: value for name, value in os.environ.items() if name not in _OTHERWISE},
            ).stdout
        )
        for call in (True, False)
    )
    if given_back < _TOLD:
        pytest.skip("pages here are so large that there is nothing to be seen")
    assert 10 * kept < given_back
