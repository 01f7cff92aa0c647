"""Thirty games: every menu fits every platform and leads to all of them."""

import re
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import bot
import games
import renderers
from bot.commands import Answer, base, notation, vocabulary
from bot.commands import table as command_table
from bot.fronts.discord import slash
from bot.fronts.discord.layout import lay_out
from bot.fronts.telegram import widgets
from bot.screens import Button, Screen
from bot.support import texts
from tests.bot.fronts.discord.scene import Scene, buttons, text_of
from tests.bot.table import Person, Table
from tests.bot.table import buttons as labels
from tests.sampling import sampled

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
    packages, modules = (games, renderers), set(sys.modules)
    before = [package.__path__ for package in packages]
    for package in packages:
        package.__path__ = [*package.__path__, str(folder / package.__name__)]
    texts.FOLDERS.append(folder / "bot" / "locales")
    forget_what_is_there()
    try:
        yield
    finally:
        for package, path in zip(packages, before, strict=True):
            package.__path__ = path
        texts.FOLDERS.pop()
        for name in set(sys.modules) - modules:
            if name.rpartition(".")[0] in ("games", "renderers"):
                del sys.modules[name]
        forget_what_is_there()


MORE, LAST = "More ›", "game30"
FEW = games.ids()


@pytest.fixture(autouse=True)
def _thirty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("more")
    more_games(folder, "othello", [f"game{number:02}" for number in range(len(FEW) + 1, 31)])
    with found_in(folder):
        assert len(games.ids()) == 30
        yield
    assert games.ids() == FEW


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Table]:
    opened = await Table.open(tmp_path / "azumaya.db")
    yield opened
    await opened.close()


@pytest.fixture
async def anna(app: Table) -> Person:
    return await app.arrive("Anna")


def fits(screen: Screen) -> None:
    """Check that every platform would accept this."""
    page = lay_out(screen)
    assert len(list(page.view.walk_children())) <= 40
    draft = widgets.menu(screen)
    assert draft.text == f"{screen.title}\n{screen.text}".strip()
    rows = draft.keyboard.inline_keyboard if draft.keyboard else ()
    assert sum(map(len, rows)) <= 100
    assert all(len(row) <= 8 for row in rows)


async def pages(person: Person, begin: str | Button) -> list[Screen]:
    """Return all pages of a menu, up to the last one and back."""
    found = list[Screen]()
    if isinstance(begin, str):
        answer = await person.types(begin)
    else:
        answer = await person.presses(begin)
    while len(found) < 10:
        person.table.clock.forward(1)
        assert answer.private is not None
        assert not answer.refused
        found.append(answer.private)
        if MORE not in labels(answer):
            break
        answer = await person.presses(labels(answer)[MORE])
    for before in reversed(found[:-1]):
        answer = await person.presses(labels(answer)["‹ Back"])
        assert answer.private == before
    return found


@pytest.mark.parametrize("line", sampled(["/play", "/rules", "/challenge @Ben"], "/play"))
async def test_every_game_is_on_one_page_of_a_menu(app: Table, anna: Person, line: str) -> None:
    await app.arrive("Ben")
    found = await pages(anna, line)
    assert len(found) > 1
    for page in found:
        fits(page)
    offered = [button for page in found for button in labels(page).values()]
    for game_id in games.ids():
        name = anna.says(f"{game_id}-name")
        (button,) = [one for one in offered if one.label == name]
        if "challenge" in line and game_id != LAST:
            continue
        app.clock.forward(1)
        answer = await anna.presses(button)
        assert not answer.refused
        if answer != Answer():
            assert answer.private is not None
            assert name in answer.private.title
            fits(answer.private)


async def test_every_command_has_a_line_on_one_page_of_the_help(anna: Person) -> None:
    anna.can_manage = True
    (short,) = await pages(anna, "/help")
    fits(short)
    ((button,),) = short.rows
    found = await pages(anna, button)
    for page in found:
        fits(page)
    lines = [line for page in found for line in page.text.split("\n") if line]
    listed = [line.split(":")[0].split()[0] for line in lines]
    for spec in command_table():
        assert listed.count(f"/{spec.name}") == 1


async def test_a_page_that_is_no_more_is_the_last_one(anna: Person) -> None:
    (*_, last) = await pages(anna, "/play")
    assert (await anna.presses("menu:0:0:~99")).private == last
    for forged in ("menu:0:0:~", "menu:0:0:~-1", "menu:0:0:~1.othello", "help:0:0:~²"):
        assert (await anna.presses(forged)).refused


@pytest.mark.slow
async def test_discord_registers_the_commands_and_turns_the_pages(tmp_path: Path) -> None:
    async with Scene.open(tmp_path / "azumaya.db") as scene:
        registered: Any
        (registered,) = [one.json for one in scene.env.http_requests if one.method == "PUT"]
        assert len(registered) <= 100
        for command in registered:
            assert len(str(command)) < 8000
            for option in command.get("options", []):
                assert len(option.get("choices", [])) <= 25
        for name, option in (("challenge", "game"), ("rules", "game"), ("help", "command")):
            offered = await scene.anna.autocomplete(scene.channel, name, option, LAST)
            assert [one["value"] for one in offered] == [LAST]
            every = await scene.anna.autocomplete(scene.channel, name, option, "")
            assert len(every) == 25
        await pressed_through(scene, await scene.slash(scene.anna, "play"))
        await scene.slash(scene.anna, "challenge", user=scene.ben, game=LAST)
        assert f"anna challenges <@{scene.ben.id}> to {LAST}" in text_of(scene.board())


async def pressed_through(scene: Scene, result: Any) -> None:
    message = result.response
    while not any(one["label"] == LAST for one in buttons(message).values()):
        await scene.press(scene.anna, message, MORE)
    await scene.press(scene.anna, message, LAST)
    assert LAST in text_of(message)
