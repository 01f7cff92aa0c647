"""Each test of a command runs in its own directory."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from bot.store import Store, people
from tests.bot.cli.console import DATABASE


@pytest.fixture(autouse=True)
def directory(tmp_path: Path) -> Path:
    """Run in a directory inside `tmp_path`, whose siblings hold the logs."""
    return tmp_path


@pytest.fixture
def anna(empty: Path) -> int:
    """Store a person and return her id."""
    copy(empty, DATABASE)

    async def meet() -> int:
        store = await Store.open(DATABASE)
        user = await people.get_or_create_user(store, "web", "x", name="Anna Ö.", handle="anna ö.")
        await store.close()
        return user.id

    return asyncio.run(meet())


@pytest.fixture
def usual_mask() -> Iterator[None]:
    """Let all users of the machine read new files, as is usual."""
    before = os.umask(0o022)
    yield
    os.umask(before)
