"""Every attack in its short form, seeded; ``python -m tests.attack`` goes on for longer."""

from pathlib import Path
from random import Random

import pytest

from tests.attack import inputs
from tests.attack.attacks import ATTACKS, carry_out
from tests.attack.report import Report, Scene, table

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
    monkeypatch.setattr("tests.attack.process._STARTING", 0.01)
    report = await carry_out("second-house", seed=SEED, folder=tmp_path)
    assert [violation.check for violation in report.violations] == ["the attack comes to its end"]
