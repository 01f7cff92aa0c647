"""Add more games and languages as files, as an operator would.

A package is also found through its ``__path__``. So games, pictures and texts can come from another
folder, without an edit.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bot
import games
import renderers
from bot.commands import base, notation, vocabulary
from bot.fronts.discord import slash
from bot.support import texts

ROOT = Path(bot.__file__).parents[1]


def forget_what_is_there() -> None:
    """Clear all caches of games, renderers and texts."""
    caches: Iterable[Callable[..., object]] = (
        games._all,
        renderers.get,
        texts._language,
        texts._text,
        texts._move,
        base.table,
        vocabulary.words_of,
        vocabulary._said,
        notation._meanings,
        slash.command_names,
    )
    for cached in caches:
        cached.cache_clear()  # type: ignore[attr-defined]


def more_games(folder: Path, like: str, ids: Iterable[str]) -> None:
    """Write games into `folder` that are `like` another one, under other names."""
    for game_id in ids:
        rules = _source("games", f"{like}.py").replace(f'id = "{like}"', f'id = "{game_id}"')
        _write(folder / "games" / f"{game_id}.py", rules)
        picture = _source("renderers", f"{like}.py").replace(f"games.{like}", f"games.{game_id}")
        picture = picture.replace(f'"{like}-', f'"{game_id}-')
        _write(folder / "renderers" / f"{game_id}.py", picture)
        for language in texts.LANGUAGES:
            words = _source("bot", "locales", language, f"{like}.ftl")
            words = re.sub(rf"^{like}-command = .*\n", "", words, flags=re.MULTILINE)
            words = re.sub(rf"^({like}-name) = .*", rf"\1 = {game_id}", words, flags=re.MULTILINE)
            words = re.sub(rf"^{like}-", f"{game_id}-", words, flags=re.MULTILINE)
            words = words.replace(f"/{like}", f"/{game_id}")
            _write(folder / "bot" / "locales" / language / f"{game_id}.ftl", words)


def _source(*path: str) -> str:
    return ROOT.joinpath(*path).read_text("utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@contextmanager
def found_in(folder: Path) -> Iterator[None]:
    """Look for games, pictures and texts in `folder` too."""
    packages, modules = (games, renderers, bot), set(sys.modules)
    before = [package.__path__ for package in packages]
    for package in packages:
        package.__path__ = [*package.__path__, str(folder / package.__name__)]
    forget_what_is_there()
    try:
        yield
    finally:
        for package, path in zip(packages, before, strict=True):
            package.__path__ = path
        for name in set(sys.modules) - modules:
            if name.rpartition(".")[0] in ("games", "renderers"):
                del sys.modules[name]
        forget_what_is_there()
