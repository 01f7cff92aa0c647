import pytest

from bot.domain.model import Computer, Sitter
from bot.store.sitters import computer_in, levels_of, sitters, users_of


@pytest.mark.parametrize(
    ("seats", "levels", "users", "computer"),
    [
        ((7,), None, {0: 7}, None),
        ((7, 3), None, {0: 7, 1: 3}, None),
        ((7, Computer(2)), [None, 2], {0: 7}, Computer(2)),
        ((Computer(5), 7), [5, None], {1: 7}, Computer(5)),
        ((), None, {}, None),
    ],
)
def test_who_sits_in_a_match_is_read_as_it_was_written(
    seats: tuple[Sitter, ...],
    levels: list[int | None] | None,
    users: dict[int, int],
    computer: Computer | None,
) -> None:
    assert levels_of(seats) == levels
    assert users_of(seats) == users
    assert sitters(levels, users) == seats
    assert computer_in(levels) == computer
