"""Small, full and read-only disks for tests."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NOT_HERE = "only root may mount a disk, and not in every container"
"""Why there is none."""


@contextmanager
def small_disk(place: Path, megabytes: int, *, is_read_only: bool = False) -> Iterator[Path | None]:
    """Mount a disk in memory at `place`. Yield None if this user may not."""
    place.mkdir()
    options = f"size={megabytes}m,mode=0777{',ro' if is_read_only else ''}"
    mount = shutil.which("mount")
    made = (
        mount is not None
        and not subprocess.run(
            [mount, "-t", "tmpfs", "-o", options, "tests", str(place)],
            capture_output=True,
            check=False,
        ).returncode
    )
    try:
        yield place if made else None
    finally:
        if made:
            subprocess.run(["umount", "-l", str(place)], check=False, capture_output=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Fill the disk while the block runs."""
    filler = disk / "filler"
    try:
        with filler.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                with suppress(OSError):
                    while True:
                        file.write(b"\0" * size)
        yield
    finally:
        filler.unlink()
