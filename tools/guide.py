"""Write the players' guide: ``python -m tools.guide``.

Each language gets an index and a page for each game in ``docs/players/<language>``, from the
templates ``_index.md`` and ``_game.md``. Rules, options and commands come from `bot/locales`. Git
ignores the pages. A language without templates has no guide.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

import click

import games
import renderers
from bot.commands import table
from bot.commands.vocabulary import command_shown, option_shown
from bot.support.platforms import WEB
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame
from renderers.thumbnail import thumbnail
from tools import gallery

FOLDER = Path(__file__).parent.parent / "docs" / "players"
_INDEX, _GAME = "_index.md", "_game.md"

_OPTIONS = re.compile(r"<!-- options -->\n(.*)<!-- /options -->\n", re.DOTALL)
_MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]<>#|$])")
_WIDTH = 480
"""Pixels, of the picture of a game that has no scene."""


def write(folder: Path = FOLDER) -> None:
    """Write all pages and their pictures."""
    for language in LANGUAGES:
        if not (folder / language / _INDEX).exists():
            continue
        index, text = ((folder / language / name).read_text("utf-8") for name in (_INDEX, _GAME))
        _put(folder / language / "index.md", _index(index, language).encode())
        for game_id in games.ids():
            # Other pages may be called as they like; games have no dashes in their names.
            target = folder / language / f"game-{game_id}.md"
            picture, alt = _picture(game_id, language)
            _put(target.with_suffix(".png"), picture)
            _put(target, _page(text, game_id, language, alt=alt).encode())


def _index(template: str, language: str) -> str:
    """Return the index in Markdown: all games, and the commands that are not a game's."""
    texts = Texts(language)
    known = [
        f"[**{texts(f'{one}-name')}**](game-{one}.md): {texts(f'{one}-about')}"
        for one in games.ids()
    ]
    commands = [
        f"| `/{command_shown(spec.name, texts, WEB)}` | {_plain(texts(spec.about))} |"
        for spec in table()
        if spec.game is None
    ]
    return Template(template).substitute(
        games="\n".join(f"* {one}" for one in known),
        commands="\n".join(commands),
        pages="\n".join(f"game-{one}" for one in games.ids()),
    )


def _page(template: str, game_id: str, language: str, *, alt: str) -> str:
    """Return the page of a game in Markdown; `alt` is its picture in words."""
    game, texts = games.get(game_id), Texts(language)
    command = f"/{command_shown(game_id, texts, WEB)}"
    options = "\n".join(_options(game, texts))
    found = _OPTIONS.search(template)
    assert found is not None
    template = template.replace(found[0], found[1] if options else "")
    return Template(template).substitute(
        name=_plain(texts(f"{game_id}-name")),
        about=_plain(texts(f"{game_id}-about")),
        picture=f"game-{game_id}.png",
        alt=_plain(alt),
        rules=_plain(texts(f"{game_id}-rules")),
        usage=_plain(texts(f"{game_id}-usage", before=f"{command} ")),
        command=command,
        new=texts("word-new").split()[0],
        options=options,
    )


def _options(game: AnyGame, texts: Texts) -> Iterator[str]:
    """Yield a table row for each choice: the option, the choice, and what to type for it."""
    for option in game.options:
        name = texts(f"{game.id}-option-{option.id}")
        for choice in option.choices:
            said = texts(f"{game.id}-option-{option.id}-{choice}")
            typed = option_shown(game, option, texts, choice)
            if typed.isdigit():
                typed = f"{option_shown(game, option, texts)}={typed}"
            mark = " ✓" if choice == option.default else ""
            yield f"| {_plain(name)} | {_plain(said)}{mark} | `{typed}` |"
            name = ""


def _picture(game_id: str, language: str) -> tuple[bytes, str]:
    """Return a game's picture as PNG bytes, and its alt text in a language."""
    for scene in gallery.SCENES:
        if scene.game == game_id:
            view = gallery.position(scene).view(None)
            alt = renderers.get(game_id).describe(view, Texts(language))
            return gallery.draw(scene, language), " ".join(alt.split())
    return thumbnail(game_id, theme="light", width=_WIDTH), Texts(language)(f"{game_id}-name")


def _plain(text: str) -> str:
    """Escape Markdown; paragraphs stay."""
    return _MEANS_SOMETHING.sub(r"\\\1", text)


def _put(path: Path, content: bytes) -> None:
    """Write a file only if it changes, to avoid rebuilding."""
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


@click.command(help=__doc__)
def main() -> None:
    """Write all pages."""
    write()


if __name__ == "__main__":
    main()
