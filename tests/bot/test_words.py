"""What people read of every game: how it ended and why, in names and numbers, in their language."""

import pytest

from tests.bot.table import Person, Table

STONES = "a2 e2 h2 c6 e8"


def hidden(stones: str = STONES) -> str:
    return ",".join([*(f"hide {cell}" for cell in stones.split()), "ready"])


async def board_text(table: Table, match_id: int, person: Person) -> list[str]:
    return (await table.screen(match_id, person)).text.splitlines()


# Outcomes


async def test_a_search_alone_ends_with_its_sum(table: Table, anna: Person) -> None:
    await anna.types("/blackbox new stones=5")
    match_id = await table.newest()
    stones = (await table.loaded(match_id)).match.setup.split()
    others = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    wrong = [cell for cell in others if cell not in stones][:6]
    await table.plays(match_id, ",".join(f"mark {cell}" for cell in wrong))
    asked = 0
    for entry in range(1, 33):
        answers = (await table.loaded(match_id)).position.view(0).answers
        asked = len(answers)
        if asked >= 20:
            break
        if entry not in answers:
            await table.plays(match_id, f"ask {entry}")
    await anna.types("/blackbox guess")
    await table.app.matches.play(match_id, anna.id, "guess", sure=True)
    reason, total, last = await board_text(table, match_id, anna)
    assert reason == anna.says("blackbox-reason-guessed")
    assert total == (
        f"{asked + 30} points: {asked} for answers, 30 for 6 stones wrong or missing (5 each)"
    )
    assert last.startswith("Last move: guess → ")


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        (
            "en",
            [
                "Ben wins with 1 to 7 points: fewer are better.",
                "Anna: 7 points, 2 for answers, 5 for 1 stone wrong or missing"
                " · Ben: 1 point, 1 for answers, no stone wrong",
            ],
        ),
        (
            "de",
            [
                "Ben gewinnt mit 1 zu 7 Punkten: Weniger sind besser.",
                "Anna: 7 Punkte, 2 für Antworten, 5 für 1 falschen oder fehlenden Stein"
                " · Ben: 1 Punkt, 1 für Antworten, kein Stein falsch",
            ],
        ),
    ],
)
async def test_two_searches_end_with_the_sum_of_each_by_name(
    table: Table, anna: Person, ben: Person, *, locale: str, expected: list[str]
) -> None:
    reader = await table.arrive("Dora", locale=locale)
    match_id = await table.begin(anna, ben, words="blackbox mode=hide")
    marks = ",".join(f"mark {cell}" for cell in STONES.split())
    for line in (
        hidden(),
        "ask 2," + marks.replace("e8", "e7"),
    ):
        await table.plays(match_id, line)
    await table.app.matches.play(match_id, anna.id, "guess", sure=True)
    await table.plays(match_id, f"{hidden()},ask 32,{marks},guess")
    assert (await board_text(table, match_id, reader))[:2] == expected


async def test_a_wipe_out_says_whose_discs_are_gone_and_what_became_of_the_free_squares(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, "f5,d6,c5,f4,e3,f6,g5,e6,e7")
    reason, facts, _ = await board_text(table, match_id, anna)
    assert reason == (
        "Anna wins, 64 to 0: Ben has no disc left, so the free squares count for Anna, too."
    )
    assert facts == "Discs: Anna 64, Ben 0 · 51 free squares count for Anna"


async def test_a_draw_by_too_many_moves_is_counted_down_and_says_how_many_there_were(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris")
    await table.plays(match_id, "a1,d1,g1,a4,g4,a7,d7,g7,b2,d2,f2,b4,f4,b6,d6,f6,c3,e3")
    told = []
    loaded = await table.loaded(match_id)
    while loaded.turn:
        moves = [move for move in loaded.position.moves(min(loaded.turn)) if move.taken is None]
        back = [move for move in moves if loaded.last and move.target != loaded.last.origin]
        move = (back or moves)[len(loaded.match.plies) * 3 % len(back or moves)]
        told.append((await board_text(table, match_id, anna))[1])
        await table.plays(match_id, loaded.game.notation(move))
        loaded = await table.loaded(match_id)
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.reason == "no-mill"
    reason, facts, _ = await board_text(table, match_id, anna)
    assert reason == "A draw: 20 moves in a row without a mill."
    assert facts.startswith("Taken: by Anna ")
    left = [f"A draw after {count} more moves of you both without a mill" for count in (10, 5, 2)]
    for warning in (*left, "One more move without a mill and it is a draw"):
        assert sum(warning in line for line in told) == 1, warning
