"""The check of words: what it finds, and where."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.words import Passage, findings, long_subjects, main, passages

LONG = "a word and " * 11 + "the end."


def found(path: Path, text: str) -> list[str]:
    path.write_text(text, "utf-8")
    return [
        what.removeprefix(str(path)) for passage in passages(path) for what in findings(passage)
    ]


def test_docstrings_and_comments_are_read_but_no_other_string(tmp_path: Path) -> None:
    source = '"""Whoever."""\nNAME = "whoever"\n"""Made anew."""\n# But\n# for nobody.\n'
    assert found(tmp_path / "code.py", source) == [":1: “whoever”", ":3: “anew”", ":5: “nobody”"]


def test_comments_of_a_toml_file_are_read_but_no_value(tmp_path: Path) -> None:
    source = '# Whoever.\n#key = "anew"\nkey = "whoever"  # made anew\n'
    assert found(tmp_path / "some.toml", source) == [":1: “whoever”", ":3: “anew”"]


def test_a_long_sentence_is_found_in_texts_and_two_short_ones_are_not(tmp_path: Path) -> None:
    halves = f"{LONG[:110]}. {LONG[110:]}"
    assert found(tmp_path / "page.md", f"# Title\n\n{LONG}\n\n{halves}\n") == [
        ":3: 35 words: a word and a word and a word …"
    ]


def test_code_tables_and_links_of_a_page_are_no_sentences(tmp_path: Path) -> None:
    cells = "| ten words are in this cell and not one more | " * 4
    page = f"```\n{LONG} whoever\n```\n{cells}\n`{LONG}` [x]({LONG.replace(' ', '-')})\n"
    assert found(tmp_path / "page.md", page) == []


def test_each_variant_of_a_message_is_read_by_itself(tmp_path: Path) -> None:
    text = (
        "# Whoever reads this.\n"
        "key = { $platform ->\n"
        "    [web] A word to everybody\n"
        f"   *[other] {LONG[:60]}\n"
        "}\n"
    )
    assert found(tmp_path / "core.ftl", text) == [":1: “everybody”", ":1: “whoever”"]


def test_a_phrase_is_found_across_the_end_of_a_line() -> None:
    assert [*findings(Passage("a.py", 1, "It is not there at\n    all."))] == ["a.py:1: “at all”"]


def test_subjects_of_commits_may_have_72_characters() -> None:
    assert long_subjects([f"abc {'x' * 72}", f"def {'x' * 73}"]) == [
        "commit def: its subject has 73 characters"
    ]


@pytest.mark.parametrize(("text", "code"), [("Fine.", 0), ("It is told by lot.", 1)])
def test_the_exit_code_says_whether_there_are_findings(
    tmp_path: Path, text: str, code: int
) -> None:
    path = tmp_path / "page.md"
    path.write_text(text)
    assert CliRunner().invoke(main, [str(path)]).exit_code == code
