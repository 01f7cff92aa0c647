"""The database file: who may use it."""

from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store.file import sole_use


def test_one_at_a_time_has_the_use_of_a_database(tmp_path: Path) -> None:
    path, link = tmp_path / "azumaya.db", tmp_path / "other.db"
    link.symlink_to(path)
    for _ in range(2):
        with sole_use(path):
            for name in (path, link):
                with pytest.raises(StoreError, match="another Azumaya is using it"), sole_use(name):
                    pass
    assert (path.stat().st_mode & 0o777) == 0o600
