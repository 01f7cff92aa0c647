"""The guides are true: rules, commands, settings, metrics and names are those of the program."""

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from pkgutil import resolve_name
from shutil import copytree, ignore_patterns

import pytest
from click import Group
from ruamel.yaml import YAML

import games
from bot.cli import main
from bot.commands import Answer, find_spec, table
from bot.commands.vocabulary import command_shown, options_in
from bot.fronts.base import Registration
from bot.support.metrics import Metrics
from bot.support.platforms import WEB
from bot.support.settings import all_settings
from bot.support.texts import LANGUAGES, Texts
from tests.test_house import ROOT
from tools import gallery, guide

DOCS = ROOT / "docs"
GUIDES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted(DOCS.glob("*.md"))]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the players' guide into an empty folder."""
    folder = tmp_path_factory.mktemp("docs") / "players"
    copytree(guide.FOLDER, folder, ignore=ignore_patterns("game-*", "index.md"))
    guide.write(folder)
    return folder


def plain(text: str) -> str:
    """Remove Markdown's escapes."""
    return re.sub(r"\\(.)", r"\1", text)


def rows(text: str) -> list[list[str]]:
    """Return the cells of a page's tables, without their heads."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("|") and "`" in line
    ]


# Players


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_a_page_with_its_rules_and_a_picture(pages: Path, language: str) -> None:
    index = (pages / language / "index.md").read_text("utf-8")
    for game_id in games.ids():
        text, texts = (pages / language / f"game-{game_id}.md").read_text("utf-8"), Texts(language)
        assert texts(f"{game_id}-rules") in plain(text)
        assert text.startswith(f"# {texts(f'{game_id}-name')}\n")
        assert (pages / language / f"game-{game_id}.png").read_bytes().startswith(b"\x89PNG")
        assert f"(game-{game_id}.png)" in text
        assert f"(game-{game_id}.md)" in index
        assert f"\ngame-{game_id}\n" in index
        assert "$" not in text + index


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", games.ids())
def test_what_a_page_says_to_type_for_an_option_is_understood(
    pages: Path, game_id: str, language: str
) -> None:
    game, texts = games.get(game_id), Texts(language)
    found = rows((pages / language / f"game-{game_id}.md").read_text("utf-8"))
    choices = [(option, choice) for option in game.options for choice in option.choices]
    assert len(found) == len(choices)
    for (_, said, typed), (option, choice) in zip(found, choices, strict=True):
        assert options_in(game, [typed.strip("`")], texts) == ({option.id: choice}, None)
        assert said.endswith("✓") is (choice == option.default)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_of_the_house_is_explained(pages: Path, language: str) -> None:
    found = dict(rows((pages / language / "index.md").read_text("utf-8")))
    texts = Texts(language)
    own = [spec for spec in table() if spec.game is None]
    for spec in own:
        assert plain(found[f"`/{command_shown(spec.name, texts, WEB)}`"]) == texts(spec.about)
    assert len(found) == len(own)


@pytest.mark.parametrize(
    ("page", "language", "names"),
    [
        *((f"players/{one}/_index", one, "join accept decline again") for one in LANGUAGES),
        ("discord", "en", "accept"),
        ("telegram", "en", "join"),
    ],
)
def test_words_that_a_page_names_are_those_of_the_buttons(
    page: str, language: str, names: str
) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for name in names.split():
        assert f"*{Texts(language)(f'button-{name}')}*" in text


@pytest.mark.parametrize(
    "path", ["README.md", *(f"docs/players/{one}/_index.md" for one in LANGUAGES)]
)
def test_commands_that_a_page_names_are_there(path: str) -> None:
    said = re.findall(r"`/(\w+)", (ROOT / path).read_text("utf-8"))
    assert [word for word in said if find_spec(word) is None] == []
    assert len(said) > 10


def test_every_picture_of_the_gallery_is_in_the_readme_or_a_guide() -> None:
    text = "".join(path.read_text("utf-8") for path in (*GUIDES, *guide.FOLDER.glob("*/_index.md")))
    assert [name for name in gallery.PICTURES if f"renderers/gallery/{name}.png" not in text] == []


# Operators


def test_every_figure_is_explained_and_no_other() -> None:
    told = set(re.findall(r"`(azumaya_\w+)`", (DOCS / "operating.md").read_text("utf-8")))
    exposed = Metrics().exposition()[0].decode()
    kinds = dict(re.findall(r"^# TYPE (azumaya_\w+) (\w+)$", exposed, re.MULTILINE))
    assert told == {name for name in kinds if not name.endswith("_created")}


def test_every_command_of_the_command_line_is_explained() -> None:
    assert isinstance(main, Group)
    said = (DOCS / "hosting.md").read_text("utf-8")
    own = {name for name, command in main.commands.items() if not isinstance(command, Group)}
    assert own == set(
        re.findall(r"`azumaya ([a-z-]+)[ A-Z\[\]]*`", said.partition("## The command line")[2])
    )


def test_settings_that_the_guides_name_are_there() -> None:
    fields = all_settings().model_json_schema()["$defs"]
    sections = [name for name in all_settings().model_fields if f"{name.title()}Settings" in fields]
    count = 0
    for path in GUIDES:
        if path.name == "development.md":  # names attributes of the code
            continue
        text = path.read_text("utf-8")
        named = set(re.findall(rf"`({'|'.join(sections)})\.(\w+)(?: = [^`]*)?`", text))
        for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
            named |= {
                (section, key) for section, keys in tomllib.loads(block).items() for key in keys
            }
        for section, key in named:
            count += 1
            assert key in fields[f"{section.title()}Settings"]["properties"], f"{path.name}: {key}"
    assert count > 15


def test_log_events_that_the_guide_explains_are_logged() -> None:
    (_, table_) = (DOCS / "operating.md").read_text("utf-8").split("| `event` |")
    events = re.findall(
        r"`([^`]+)`", "".join(line.split("|")[1] for line in table_.splitlines()[2:])
    )
    sources_ = "".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    assert [event for event in events if f'{event.removeprefix("… ")}"' not in sources_] == []
    assert len(events) > 8


def test_what_is_to_be_copied_out_of_the_guides_can_be_read() -> None:
    text = (DOCS / "operating.md").read_text("utf-8")
    blocks = re.findall(r"```(yaml|json)\n(.*?)```", text, re.DOTALL)
    assert {kind for kind, _ in blocks} == {"yaml", "json"}
    for kind, block in blocks:
        assert json.loads(block) if kind == "json" else YAML(typ="safe").load(block)
    exposed = Metrics().exposition()[0].decode()
    known = re.findall(r"^# TYPE (azumaya_\w+)", exposed, re.MULTILINE)
    for name in re.findall(r"azumaya_\w+", "".join(block for _, block in blocks)):
        assert name.removesuffix("_bucket") in known


def test_files_that_the_guides_name_are_there() -> None:
    for guide_ in GUIDES:
        text = guide_.read_text("utf-8")
        tops = "bot|deploy|docs|games|renderers|tests|tools"
        for path in re.findall(rf"(?<![\w/])(?:{tops})/[\w@./-]*\w\.\w+", text):
            assert (ROOT / path).exists(), f"{guide_.name}: {path}"


def test_whatever_the_guide_calls_by_its_dotted_name_is_there() -> None:
    text = (DOCS / "development.md").read_text("utf-8")
    names = set(re.findall(r"`((?:bot|games|renderers|tests|tools)(?:\.\w+)+)", text))
    assert len(names) > 30
    for name in names:
        assert resolve_name(name) is not None


def test_the_guide_lists_what_a_front_says_of_itself_and_all_that_an_answer_has() -> None:
    text = (DOCS / "development.md").read_text("utf-8")
    bullets = text.partition("Registration`)")[2].partition("Its texts")[0]
    heads = " ".join(re.findall(r"^\* ([^:]+):", bullets, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", heads)) == {one.name for one in fields(Registration)}
    table = text.partition("| Field of `Answer` |")[2].partition("\n## ")[0]
    assert {one.name for one in fields(Answer)} <= set(re.findall(r"`(\w+)`", table))
