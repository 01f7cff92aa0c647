"""Change notifications between processes: built, written, read."""

import pytest

from bot.store.changes import BOARDS, EVERYTHING, NOTHING, PEOPLE, Changes, of_match

_ALL = [NOTHING, BOARDS, PEOPLE, of_match(7), EVERYTHING]


def test_what_has_changed_is_said_as_other_houses_read_it() -> None:
    """Also those of an earlier version, while one house after the other is renewed."""
    assert [str(one) for one in _ALL] == ["", "b", "p", "b m7", "*"]
    assert [bool(one) for one in _ALL] == [False, True, True, True, True]
    assert Changes() == NOTHING


@pytest.mark.parametrize("one", _ALL, ids=str)
def test_of_two_changes_nothing_is_lost(one: Changes) -> None:
    assert bool(one) == (one != NOTHING)
    for other in _ALL:
        both = one | other
        assert both == other | one
        for name in ("everything", "people", "boards"):
            assert getattr(both, name) == (getattr(one, name) or getattr(other, name))
        assert both.matches == one.matches | other.matches
        words = "*" if both.everything else f"{one} {other}"
        assert set(str(both).split()) == set(words.split())
        assert Changes.read(str(both)) == (EVERYTHING if both.everything else both)
        assert Changes.read(f"{one} {other}").people == both.people


def test_a_number_that_no_match_can_have_may_mean_anything() -> None:
    """As may one that only looks like a number, or is longer than anybody would read."""
    assert of_match(7).boards
    most = "9" * 19
    assert Changes.read(f"m{most}") == of_match(int(most))
    for word in (f"m{most}9", "m²", "m٣", "m", "x", "7", "m-7", f"m{'9' * 5000}"):
        assert Changes.read(f"b {word}") == EVERYTHING | BOARDS, word
