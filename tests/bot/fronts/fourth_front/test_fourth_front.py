"""A front is one package and one line: served, set up and checked, with settings and texts."""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

ROOT = Path(__file__).parents[4]
FRONT = Path(__file__).parent / "matrix"
TOKEN = "s3cretTokenOfMatrix"

USE = """
import asyncio, json, os
from click.testing import CliRunner
from bot.cli import main
from bot.cli.running import running
from bot.support import logs
from bot.support.settings import LogSettings, load

def azumaya(*words, **variables):
    given = {f"AZUMAYA_{key}": value for key, value in variables.items()}
    result = CliRunner(env=given).invoke(main, words)
    return [result.exit_code, result.output.splitlines()]

async def served():
    logs.configure(LogSettings())
    async with running(load()) as fronts:
        return [*fronts, fronts["matrix"].url, await asyncio.wait_for(fronts["matrix"].shown, 60)]

print(json.dumps({
    "doctor": azumaya("doctor", "--ask"),
    "help": azumaya("doctor", "--help"),
    "join": azumaya("matrix", "join", "#garden", MATRIX__SERVER="http://home", LANGUAGE="de"),
    "variable": azumaya("doctor", MATRIX__SERVER="http://home"),
    "wrong": azumaya("check-config", MATRIX__TOKEN="x" * 33, MATRIX__SERVR="y"),
    "served": asyncio.run(served()),
}))
"""


def test_a_front_is_one_package_and_one_line(tmp_path: Path) -> None:
    copytree(ROOT / "bot", tmp_path / "bot", ignore=ignore_patterns("__pycache__"))
    copytree(FRONT, tmp_path / "matrix", ignore=ignore_patterns("__pycache__"))
    fronts = tmp_path / "bot" / "fronts" / "__init__.py"
    last = '    _registered("bot.fronts.telegram"),\n'
    text = fronts.read_text("utf-8")
    assert text.count(last) == 1
    fronts.write_text(text.replace(last, f'{last}    _registered("matrix"),\n'), "utf-8")
    config = tmp_path / "config.toml"
    config.write_text(f"fronts = ['matrix']\ncomputer.workers = 0\nmatrix.token = '{TOKEN}'\n")
    config.chmod(0o644)

    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    code, lines = found["doctor"]
    assert code == 1
    assert "✓ This process serves matrix." in lines
    assert "✓ The Matrix token is well-formed." in lines
    assert "✓ Matrix accepts the token of @azumaya on https://matrix.org." in lines
    assert any(line.startswith("✗ config.toml contains a secret, and other") for line in lines)
    assert "· Matrix is not encrypted." not in lines
    assert "· Matrix is not encrypted." in found["variable"][1]
    assert "Ask Discord and Telegram and Matrix" in " ".join(" ".join(found["help"][1]).split())
    assert found["join"] == [0, ["Ich bin in #garden on http://home."]]
    code, lines = found["wrong"]
    assert code == 1
    assert lines[0].startswith(
        "Error: AZUMAYA_MATRIX__SERVR: unknown variable; did you mean AZUMAYA_MATRIX__SERVER?"
    )
    assert lines[1] == (
        "AZUMAYA_MATRIX__TOKEN: matrix.token is invalid; allowed: an access token, or empty"
    )
    name, url, title = found["served"]
    assert (name, url) == ("matrix", "https://matrix.org")
    assert "Black Box" in title
    assert "https://matrix.org?as=[redacted]" in done.stderr
    assert "synchronized %s" in done.stderr
    assert not [one for one in (TOKEN, "a private message") if one in done.stdout + done.stderr]
