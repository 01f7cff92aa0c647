"""The database file: who may use it."""

import os
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store.file import loose, make, sole_use, usable


def test_one_at_a_time_has_the_use_of_a_database(tmp_path: Path) -> None:
    path, link = tmp_path / "azumaya.db", tmp_path / "other.db"
    link.symlink_to(path)
    for _ in range(2):
        with sole_use(path):
            for name in (path, link):
                with pytest.raises(StoreError, match="another Azumaya is using it"), sole_use(name):
                    pass
    assert (path.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("is_linked", [False, True], ids=["file", "link to nothing yet"])
def test_a_new_database_is_its_owners_alone(tmp_path: Path, *, is_linked: bool) -> None:
    path = shown = tmp_path / "azumaya.db"
    if is_linked:
        shown = tmp_path / "link.db"
        shown.symlink_to(path)
    before = os.umask(0)
    try:
        make(shown)
    finally:
        os.umask(before)
    assert (path.stat().st_mode & 0o777) == 0o600
    make(shown)


@pytest.mark.parametrize(
    ("mode", "told"), [(0o600, None), (0o400, None), (0o640, "0640"), (0o604, "0604"), (1, "0001")]
)
def test_a_file_is_loose_if_anybody_but_its_owner_may_use_it(
    tmp_path: Path, mode: int, told: str | None
) -> None:
    path = tmp_path / "azumaya.db"
    path.touch()
    path.chmod(mode)
    assert loose(path) == told


@pytest.mark.parametrize(
    ("name", "forbidden", "why"),
    [
        ("new.db", None, None),
        ("there.db", None, None),
        ("nowhere/new.db", None, "nowhere does not exist"),
        ("there.db/new.db", None, "there.db does not exist"),
        ("new.db", ".", "the directory is read-only"),
        ("folder", None, "is a directory, not a database file"),
        ("there.db", "there.db", "the file may not be read and written by this user"),
    ],
)
def test_what_cannot_be_a_database_is_refused_in_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    forbidden: str | None,
    why: str | None,
) -> None:
    (tmp_path / "there.db").touch()
    (tmp_path / "folder").mkdir()

    def access(path: Path, _mode: int) -> bool:
        return forbidden is None or path != tmp_path / forbidden

    # The administrator, as whom tests may run, is refused nothing.
    monkeypatch.setattr("os.access", access)
    if why is None:
        usable(tmp_path / name)
        return
    with pytest.raises(StoreError, match=why):
        usable(tmp_path / name)
