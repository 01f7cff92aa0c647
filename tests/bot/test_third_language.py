"""A language is a folder of texts: a third one is available everywhere.

Another process plays with a copy of the packages, to which a third language was added.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parents[2]

WORDS = {
    "core.ftl": {
        "language-name": "Nederlands",
        "word-new": "nieuw",
        "command-language": "taal",
        "command-board": "bord",
        "language-changed": "Vanaf nu spreek ik Nederlands met je.",
        "help-resign": "geeft een partij op",
    },
    "blackbox.ftl": {"blackbox-command": "doos", "blackbox-word-ask": "vraag"},
    "discord.ftl": {"discord-command-board": "bord"},
    # West is "o" for others, and here it is so, too: a reader's own language counts.
    "othello.ftl": {"othello-word-w": "o", "othello-word-e": "oost"},
}

PLAY = """
import asyncio, json, sys
from pathlib import Path
import bot
from bot.screens import Client
from bot.app import App
from bot.commands import Command, Commands, table
from bot.commands.notation import in_notation
from bot.delivery import Reconciler
from bot.fronts.discord import slash
from bot.fronts.telegram.setup import set_commands
from bot.matches import reading
from bot.store import match_queries, people
from bot.support.settings import Settings
from bot.support.texts import LANGUAGES, language_of
import games

class FakeBot:
    def __init__(self):
        self.told = {}

    async def set_my_commands(self, commands, *, scope, language_code):
        self.told[f"{scope.type} {language_code}"] = [one.description for one in commands]

async def main(folder):
    app = await App.open(Settings(database=folder / "azumaya.db", language="nl"))
    commands = Commands(app)
    user = await people.get_or_create_user(app.store, "web", "1", name="Anna", handle="anna")
    place = await app.directory.direct("web", "1", "Azumaya")
    told = []
    for line in ("/taal Nederlands", "/doos nieuw", "/blackbox vraag 17", "/bord"):
        user = await people.user(app.store, user.id)
        command = Command(Client(user, "1", locale="nl-BE"), place)
        answer = await commands.run_line(command, line)
        told.append(answer.private.text if answer.private else None)
    (match,) = await match_queries.of_user(app.store, user.id)
    loaded = await reading.get(app.matches, match)
    await app.close()
    bot_ = FakeBot()
    await set_commands(bot_)
    othello = games.get("othello")
    return {
        "where": str(Path(bot.__file__).parent),
        "languages": LANGUAGES,
        "told": told,
        "moves": [ply.notation for ply in loaded.match.plies],
        "names": {one["name"]: one.get("name_localizations", {}) for one in slash.commands()},
        "telegram": bot_.told["all_private_chats nl"],
        "west": [in_notation(othello, "d3 o", language) for language in ("nl", "de", "en")],
        "spoken": language_of("fr", "nl-BE"),
    }

print(json.dumps(asyncio.run(main(Path(sys.argv[1])))))
"""


@pytest.mark.slow
def test_a_third_language_is_spoken_typed_and_registered(tmp_path: Path) -> None:
    for package in ("bot", "games", "renderers"):
        copytree(ROOT / package, tmp_path / package, ignore=ignore_patterns("__pycache__"))
    for locales in (tmp_path / "bot").glob("**/locales"):
        copytree(locales / "de", locales / "nl")
    for name, words in WORDS.items():
        (file,) = (tmp_path / "bot").glob(f"**/locales/nl/{name}")
        text = file.read_text("utf-8")
        for key, word in words.items():
            text, count = re.subn(rf"^{key} = .*", f"{key} = {word}", text, flags=re.MULTILINE)
            assert count == 1, key
        file.write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(tmp_path)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["where"] == str(tmp_path / "bot")
    assert found["languages"] == {"en": "English", "de": "Deutsch", "nl": "Nederlands"}
    assert found["spoken"] == "nl"
    assert found["told"] == ["Vanaf nu spreek ik Nederlands met je.", None, None, None]
    assert found["moves"] == ["ask 17"]
    assert found["west"] == ["d3 w", "d3 e", "d3 o"]
    assert found["names"]["board"] == {"de": "brett", "nl": "bord"}
    assert "geeft een partij op" in found["telegram"]
