"""Every attack in its short form, seeded; ``python -m tools.attack`` goes on for longer."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tools.attack import inputs
from tools.attack.__main__ import main
from tools.attack.attacks import ATTACKS, Attack, carry_out
from tools.attack.report import Report, Scene, table
from tools.attack.worlds import Notes, compare

SEED = 20261121


@pytest.mark.long
@pytest.mark.timeout(280)
@pytest.mark.parametrize("name", ATTACKS)
async def test_the_house_withstands(name: str, tmp_path: Path) -> None:
    report = await carry_out(name, seed=SEED, folder=tmp_path)
    if report.skipped and not report.counts:
        pytest.skip("; ".join(report.skipped))
    assert not report.violations, "\n".join(table([report]))


def test_the_same_seed_gives_the_same_inputs(tmp_path: Path) -> None:
    def some(seed: int) -> list[object]:
        luck = Scene(Report("fuzz-web", seed), tmp_path).luck("forger", 1)
        return [
            made
            for number in range(200)
            for made in (inputs.frame(luck, number), inputs.line(luck), inputs.body(luck))
        ]

    assert some(1) == some(1)
    assert some(1) != some(2)


def test_inputs_reach_every_verb_and_every_command() -> None:
    luck = Random(SEED)
    tokens = {inputs.token(luck).partition(":")[0] for _ in range(5000)}
    assert tokens >= set(inputs.VERBS)


async def test_an_attack_that_cannot_go_on_is_a_violation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.attack.process._STARTING", 0.01)
    report = await carry_out("second-house", seed=SEED, folder=tmp_path)
    assert [violation.check for violation in report.violations] == ["the attack comes to its end"]


@pytest.mark.long
async def test_whoever_waits_beside_a_flood_and_memory_that_is_kept_are_violations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bound, at in {"_LONGEST": 0.0, "_GROWTH": -(1 << 20), "_LASTS": 0.0, "_CALMS": 0.0}.items():
        monkeypatch.setattr(f"tools.attack.floods.{bound}", at)
    report = await carry_out("floods", seed=SEED, folder=tmp_path)
    found = [(violation.check, violation.found.split(":")[0]) for violation in report.violations]
    slow = "nobody waits for long beside a flood"
    kept = "the house keeps no memory of a flood"
    assert found[:3] == [(slow, "pipelines"), (slow, "fragments"), (slow, "slow readers")]
    assert [check for check, _ in found[3:]] == [kept]


@pytest.mark.parametrize(
    ("about", "told", "differences"),
    [
        ("match 1 at 7", {"match 1 at 7": "a stone"}, 2),
        ("match 1 at 7", {"match 1 at 7": "a board"}, 0),
        ("match 1 at 7", {"match 1 at 8": "a stone"}, 0),
        ("", {"": "a stone"}, 2),
        ("", {}, 1),
    ],
)
def test_worlds_differ_where_the_same_thing_was_told_otherwise(
    about: str, told: dict[str, str], differences: int
) -> None:
    one, other = _world(), _world()
    one.keep("Telegram", "a board", about=about)
    for what, words in told.items():
        other.keep("Telegram", words, about=what)
    report = Report("worlds-telegram", SEED)
    compare(report, one, other)
    assert report.counts["differences"] == differences
    assert bool(report.violations) == bool(differences)


def _world() -> Notes:
    """As much as is needed to compare anything."""
    notes = Notes()
    for number in range(50):
        notes.write("Anna asks", number)
        notes.keep("Telegram", number)
    return notes


def test_worlds_of_which_little_was_seen_are_not_alike() -> None:
    report = Report("worlds-telegram", SEED)
    compare(report, Notes(), Notes())
    assert [violation.check for violation in report.violations] == [
        "there is enough to be compared"
    ]


def test_the_table_is_told_in_full_where_something_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(_: Scene) -> None:
        raise TimeoutError("it hangs")

    monkeypatch.setitem(ATTACKS, "kills", Attack(breaks, share=8))
    monkeypatch.setitem(ATTACKS, "fuzz-http", Attack(_counts))
    file = tmp_path / "all.json"
    words = ["--minutes", "1", "--seed", "7", "--only", "kills", "--only", "fuzz-http"]
    told = CliRunner().invoke(main, [*words, "--json", str(file)])
    assert told.exit_code == 1
    assert "kills  BROKEN" in told.output
    assert "fuzz-http  held" in told.output
    assert set(json.loads(file.read_text())) == {"kills", "fuzz-http"}


async def _counts(scene: Scene) -> None:
    assert scene.is_thorough
    scene.report.count("variants")


def test_however_little_time_there_is_everything_is_tried_once(tmp_path: Path) -> None:
    scene = Scene(Report("kills", SEED), tmp_path, seconds=0.0)
    assert list(scene.rounds(5)) == [0]
    assert list(Scene(Report("kills", SEED), tmp_path).rounds(3)) == [0, 1, 2]
