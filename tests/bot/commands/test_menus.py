"""Pages of menus, of which any number may be asked for."""

from bot.commands.menus import page_of


def test_a_page_that_does_not_exist_is_the_nearest_one() -> None:
    games = range(25)
    assert [*page_of(games, 1)] == [*range(10, 20)]
    assert [*page_of(games, 2)] == [*page_of(games, 99)] == [*range(20, 25)]
    assert [*page_of(games, -1)] == [*range(10)]
    assert [*page_of(range(20), 2)] == [*range(10, 20)]
    assert [*page_of(range(0), 1)] == []
