"""What operators install and start: the wheel, the units, the container, the compose file."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import venv
from asyncio.subprocess import PIPE
from functools import partial
from importlib.metadata import PathDistribution, distribution
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from ruamel.yaml import YAML

from tests import warm
from tests.bot.fronts.browsing import Browser, othello
from tests.missing import missing
from tests.ports import free_port
from tests.sampling import sampled
from tests.test_house import PROJECT, ROOT, needed, tracked

DEPLOY = ROOT / "deploy"
UNITS = ("azumaya.service", "azumaya@.service")
TOOLS = Path(sys.executable).parent
INSTALLED = "/usr/local/lib/azumaya/bin/azumaya"
"""Where the units look for the program."""
MOST_EXPOSED = 20
"""Tenths, of what systemd calls exposure: from 0, safe, to 100."""


def done(*command: str | Path, folder: Path | None = None, **more: str) -> str:
    """Run a program that must succeed, and return its output."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout + result.stderr


# The wheel


def built(folder: Path) -> Path:
    """Build the wheel from tracked files only."""
    source = folder / "source"
    for path in tracked():
        name = path.relative_to(ROOT)
        if name.parts[0] in ("bot", "games", "renderers") or len(name.parts) == 1:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, source / name)
    flags = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    done(sys.executable, "-m", "pip", "wheel", *flags, "--wheel-dir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Path:
    """Install the wheel and its dependencies only, and return the folder of programs.

    The dependencies are links into this environment, so no index is needed.
    """
    venv.create(folder, with_pip=False)
    flags = ("--quiet", "--no-deps", "--no-index")
    python = folder / "bin" / "python"
    done(sys.executable, "-m", "pip", "--python", python, "install", *flags, wheel)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    for name in needed(PROJECT["dependencies"]):
        found = distribution(name)
        for part in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (packages / part).exists():
                (packages / part).symlink_to(Path(str(found.locate_file(part))))
    return folder / "bin"


@pytest.mark.slow
async def test_the_wheel_is_installed_into_an_empty_environment_and_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH")
    wheel = await asyncio.to_thread(built, tmp_path / "dist")
    programs = await asyncio.to_thread(installed, wheel, tmp_path / "env")
    house = tmp_path / "house"
    house.mkdir()
    await asyncio.to_thread(looked_at, programs, house)

    with (house / "log.txt").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            programs / "azumaya",
            "run",
            cwd=house,
            stdout=PIPE,
            stderr=log,
            env={**os.environ, "AZUMAYA_WEB__PORT": "0"},
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            line = (await process.stdout.readline()).decode()
        assert line.startswith("Azumaya is running: "), (house / "log.txt").read_text()
        url = line.removeprefix("Azumaya is running: ").strip().rstrip("/")
        async with Browser(url) as hers, Browser(url) as his:
            for browser, name in ((hers, "Anna"), (his, "Ben")):
                assert (await browser.arrive(name))[0] == 200
            black, white = await othello(await hers.tab(), await his.tab())
            assert (await black.say("/othello d3"))["ok"] is True
            board = await white.board(version=3)
            assert board["screen"]["picture"]["url"].startswith("data:image/png;base64,iVBORw0")
            assert (await hers.get("/readyz"))[0] == 200
        told = await asyncio.to_thread(done, programs / "azumaya", "doctor", folder=house)
        assert "✗" not in told
        process.terminate()
        async with asyncio.timeout(60):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert "Traceback" not in (house / "log.txt").read_text()


def looked_at(programs: Path, folder: Path) -> None:
    """Check that the installed program is the wheel's, with exactly the project's requirements."""
    seen = "import bot; print(bot.__file__); import pytest"
    looked = subprocess.run(
        [programs / "python", "-c", seen], cwd=folder, capture_output=True, text=True, check=False
    )
    assert looked.stdout.startswith(str(programs.parent))
    assert "No module named 'pytest'" in looked.stderr
    (stated,) = programs.parent.glob("lib/python*/site-packages/azumaya-*.dist-info")
    requirements = PathDistribution(stated).requires or []
    wanted = sorted(map(str, map(Requirement, PROJECT["dependencies"])))
    assert sorted(str(Requirement(one)) for one in requirements if "extra ==" not in one) == wanted


# systemd


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """Return the units, as if the program were installed where they look for it."""
    if shutil.which("systemd-analyze") is None:
        missing("no systemd-analyze: apt install systemd")
    for name in UNITS:
        text = (DEPLOY / name).read_text("utf-8")
        assert text.count(INSTALLED) == 1
        (tmp_path / name).write_text(text.replace(INSTALLED, str(TOOLS / "azumaya")))
    return tmp_path


@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_the_units_and_lets_them_do_little(units: Path, name: str) -> None:
    assert done("systemd-analyze", "verify", "--man=no", units / name) == ""
    limit = f"--threshold={MOST_EXPOSED}"
    done("systemd-analyze", "security", "--offline=yes", "--no-pager", limit, units / name)


def test_houses_of_one_template_have_nothing_in_common() -> None:
    one, many = ((DEPLOY / name).read_text("utf-8").splitlines() for name in UNITS)
    own = [line for line in many if "%i" in line]
    common = [line for line in many if line not in own and not line.startswith("#")]
    assert set(common) < set(one)
    assert [line.partition("=")[0] for line in own] == [
        "Description",
        "EnvironmentFile",
        "StateDirectory",
        "WorkingDirectory",
    ]


# Containers


def test_the_containerfile_is_as_its_linter_wants_it() -> None:
    assert done(TOOLS / "hadolint", DEPLOY / "Containerfile") == ""


def test_the_image_holds_what_the_wheel_is_built_of_and_no_more() -> None:
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    copied = [
        word
        for line in lines
        if line.startswith("COPY ") and "--from=" not in line
        for word in line.split()[1:-1]
    ]
    assert sorted(copied) == sorted(
        ["pyproject.toml", "README.md", "LICENSE", "constraints", "games", "renderers", "bot"]
    )
    assert all((ROOT / name).exists() for name in copied)


@pytest.mark.slow
def test_the_compose_file_keeps_to_its_schema() -> None:
    check = (TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec")
    done(*check, DEPLOY / "compose.yaml")


def test_the_compose_file_builds_our_image_and_tells_no_secret() -> None:
    compose: dict[str, Any] = YAML(typ="safe").load(DEPLOY / "compose.yaml")
    house, second = compose["services"]["azumaya"], compose["services"]["second"]
    context = (DEPLOY / house["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / house["build"]["dockerfile"]).is_file()
    every = {**house["environment"], **compose["services"]["database"]["environment"]}
    for name, value in every.items():
        if "TOKEN" in name or "PASSWORD" in name:
            assert value.startswith("${"), name
    # Whatever is in the password: it stands in no URL.
    assert "$" not in house["environment"]["AZUMAYA_DATABASE"]
    assert all(port.startswith("127.0.0.1:") for port in [*house["ports"], *second["ports"]])
    # Identical except for the command.
    assert second["environment"] == {**house["environment"], "AZUMAYA_FRONTS": "web"}
    assert not [name for name, one in compose["services"].items() if "profiles" in one]
    names = {key.removeprefix("AZUMAYA_").lower().split("__")[0] for key in house["environment"]}
    assert names <= {"database", "log", "discord", "telegram", "web", "pgpassword"}
    assert house["build"]["args"]["EXTRAS"] == "[postgres,fast,push]"


@pytest.mark.slow
@pytest.mark.parametrize("front", sampled(["web", "telegram"], "web"))
async def test_the_image_knows_whether_it_is_alive_whatever_it_serves(
    tmp_path: Path, front: str
) -> None:
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    (check,) = [
        json.loads(line.strip().removeprefix("CMD "))
        for before, line in pairwise(lines)
        if before.startswith("HEALTHCHECK")
    ]
    assert any("AZUMAYA_METRICS__ADDRESS=0.0.0.0:" in line for line in lines)
    environment = {
        **os.environ,
        "AZUMAYA_METRICS__ADDRESS": f"127.0.0.1:{free_port()}",
        "AZUMAYA_WEB__PORT": "0",
        "AZUMAYA_TELEGRAM__TOKEN": "123456:" + "a" * 35,
        "AZUMAYA_TELEGRAM__API_BASE": "http://127.0.0.1:1",
    }
    check[0] = sys.executable
    looked = partial(subprocess.run, check, env=environment, capture_output=True, check=False)
    assert (await asyncio.to_thread(looked)).returncode != 0
    log = tmp_path / "log.txt"
    house = warm.start("run", "--fronts", front, environment=environment, folder=tmp_path, log=log)
    try:
        async with asyncio.timeout(60):
            while (await asyncio.to_thread(looked)).returncode:
                assert house.returncode is None, log.read_text()
    finally:
        await house.clear()
