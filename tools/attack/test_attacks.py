"""The attacks find what is wrong, and repeat it by their seed."""

import pytest
from click.testing import CliRunner

from tools.attack import __main__, inputs
from tools.attack.report import Report, Scene
from tools.attack.worlds import Notes, compare


def test_the_same_seed_gives_the_same_inputs() -> None:
    def some(seed: int) -> list[object]:
        return [*inputs.batch(inputs.frames, seed), *inputs.batch(inputs.bodies, seed)]

    assert repr(some(1)) == repr(some(1))
    assert some(1) != some(2)


def test_an_attack_that_fails_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(_: Scene) -> None:
        raise TimeoutError("it hangs")

    async def counts(scene: Scene) -> None:
        scene.report.count("variants")

    monkeypatch.setattr(__main__, "ATTACKS", {"kills": hangs, "fuzz-http": counts})
    result = CliRunner().invoke(__main__.main, ["--only", "kills", "--only", "fuzz-http"])
    assert result.exit_code == 1
    assert "kills  BROKEN" in result.output
    assert "fuzz-http  held" in result.output


@pytest.mark.parametrize(
    ("about", "other", "differences"),
    [
        ("match 1 at 7", {"match 1 at 7": "a stone"}, 2),
        ("match 1 at 7", {"match 1 at 7": "a board"}, 0),
        ("match 1 at 7", {"match 1 at 8": "a stone"}, 0),
        ("", {"": "a stone"}, 2),
        ("", {}, 1),
    ],
)
def test_bots_differ_if_they_show_the_same_version_otherwise(
    about: str, other: dict[str, str], differences: int
) -> None:
    notes = Notes(), Notes()
    for one in notes:
        for number in range(50):
            one.write("Anna asks", number)
            one.keep("Telegram", number)
    notes[0].keep("Telegram", "a board", about=about)
    for what, words in other.items():
        notes[1].keep("Telegram", words, about=what)
    report = Report("worlds-telegram", 1)
    compare(report, *notes)
    assert report.counts["differences"] == differences
    assert bool(report.violations) == bool(differences)
