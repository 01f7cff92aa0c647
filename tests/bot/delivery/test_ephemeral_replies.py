"""Ephemeral replies: what is deleted with the next answer, decided for all platforms."""

import asyncio
from dataclasses import replace

import pytest
from structlog.typing import EventDict

from bot.commands import Answer
from bot.delivery import ClosedError, EphemeralReplies, RetryError, SentReply
from bot.domain.model import Stranger
from bot.screens import Client, Screen
from bot.store import ephemeral_replies
from bot.support.errors import StoreBusyError
from bot.support.platforms import Medium
from tests.bot.table import Person, Table, Wall

WHY_NOT = Answer(private=Screen(text="Not so."), refused=True)
WORDS = Answer(private=Screen(text="The rules."))
DONE = Answer()
ELSEWHERE = Answer(board_in_dm=1)


class House:
    """An app that answers a person in the lounge."""

    def __init__(self, table: Table, person: Person, *, stays: bool = False) -> None:
        self.table, self.person = table, person
        self.wall = Wall(medium=Medium(answers_stay=stays))
        self.gone: list[str] = []
        self.wall.delete = self._delete  # type: ignore[method-assign]
        self.passing = EphemeralReplies(table.app, self.wall)
        self.errors: list[Exception] = []

    async def _delete(self, _place: object, message: str) -> None:
        if self.errors:
            raise self.errors.pop()
        self.gone.append(message)

    async def shown(
        self, answer: Answer, message: str | None = None, pressed: str | None = None
    ) -> SentReply:
        return SentReply(
            self.table.lounge,
            Client(await self.person.user(), self.person.identity),
            answer.private,
            is_ephemeral=answer.is_ephemeral,
            message=message,
            pressed=pressed,
        )

    async def answers(
        self, answer: Answer, message: str | None = None, pressed: str | None = None
    ) -> list[str]:
        """Show an answer, and return all messages deleted so far."""
        await self.passing.on_reply(await self.shown(answer, message, pressed))
        return self.gone


async def half_made(table: Table, match: int) -> Answer:
    loaded = await table.loaded(match)
    screen = Screen(text="And then?", match=match, version=loaded.match.version, chosen=("a",))
    return Answer(private=screen)


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("passes", [WHY_NOT, ELSEWHERE], ids=["refused", "elsewhere"])
async def test_why_not_and_where_it_is_go_with_any_answer_and_other_words_stay(
    table: Table, anna: Person, passes: Answer, *, stays: bool
) -> None:
    house = House(table, anna, stays=stays)
    assert await house.answers(WORDS, "m1") == []
    assert await house.answers(passes, "m2") == []
    assert await house.answers(WHY_NOT, "m3") == ["m2"]
    assert await house.answers(DONE) == ["m2", "m3"]
    assert await house.answers(DONE) == ["m2", "m3"]


async def test_half_of_a_move_goes_with_what_is_shown_next_or_when_its_match_has_gone_on(
    table: Table, anna: Person, match: int
) -> None:
    house = House(table, anna)
    begun = await half_made(table, match)
    await house.answers(begun, "m1")
    assert await house.answers(DONE) == []
    assert await house.answers(WORDS, "m2") == ["m1"]
    await house.answers(begun, "m3")
    await table.plays(match, "d3")
    assert await house.answers(DONE) == ["m1", "m3"]


async def test_what_was_pressed_and_what_has_become_the_answer_is_not_taken_away(
    table: Table, anna: Person, match: int
) -> None:
    house = House(table, anna)
    begun = await half_made(table, match)
    await house.answers(begun, "m1")
    await house.answers(begun, "m1", pressed="m1")
    await house.answers(WORDS, "m1", pressed="m1")
    await house.answers(begun, "m2")
    await house.answers(WORDS, "m3", pressed="m2")
    assert await house.answers(WORDS, "m4") == []


@pytest.mark.parametrize("stays", [True, False])
async def test_a_reply_that_has_become_another_one_goes_with_the_next(
    table: Table, anna: Person, *, stays: bool
) -> None:
    house = House(table, anna, stays=stays)
    await house.answers(ELSEWHERE, "m1")
    assert await house.answers(WHY_NOT, "m1", pressed="m1") == []
    assert await house.answers(ELSEWHERE, "m2") == ["m1"]


@pytest.mark.parametrize("stays", [True, False])
async def test_by_two_answers_at_the_same_moment_it_goes_once(
    table: Table, anna: Person, *, stays: bool
) -> None:
    house = House(table, anna, stays=stays)
    await house.answers(WHY_NOT, "m1")
    shown = [
        await house.shown(answer, message)
        for answer, message in ((DONE, None), (WHY_NOT, "m2"), (DONE, None))
    ]
    await asyncio.gather(*map(house.passing.on_reply, shown))
    assert house.gone == ["m1", "m2"]


async def test_in_private_where_answers_stay_nothing_goes(table: Table, anna: Person) -> None:
    house = House(table, anna, stays=True)
    house.table.lounge = anna.direct
    await house.answers(WHY_NOT, "m1")
    assert await house.answers(DONE) == []


async def test_only_what_stays_is_stored_and_nothing_of_strangers(
    table: Table, anna: Person
) -> None:
    store = table.app.store
    for stays in (False, True):
        house = House(table, anna, stays=stays)
        await house.answers(WHY_NOT, "m1")
        assert await ephemeral_replies.of(store, table.lounge, anna.id) == (["m1"] if stays else [])
        stranger = House(table, anna, stays=stays)
        nobody = Client(Stranger(0, "X", None, {}, "web", anna.identity, "X", "", None))
        for answer, message in ((WHY_NOT, "m2"), (DONE, None)):
            shown = replace(await stranger.shown(answer, message), client=nobody)
            await stranger.passing.on_reply(shown)
        assert stranger.gone == ["m2"]
    # The next process takes away what the last one has stored.
    assert await House(table, anna, stays=True).answers(DONE) == ["m1"]
    assert await ephemeral_replies.of(store, table.lounge, anna.id) == []


async def test_what_could_not_be_taken_away_is_tried_again_with_the_next_answer_but_not_for_ever(
    table: Table, anna: Person, logged: list[EventDict]
) -> None:
    house = House(table, anna, stays=True)
    await house.answers(WHY_NOT, "m1")
    house.errors[:] = [RetryError(0.001)] * 8
    assert await house.answers(DONE) == []
    assert await ephemeral_replies.of(table.app.store, table.lounge, anna.id) == ["m1"]
    assert await house.answers(DONE) == ["m1"]
    await house.answers(WHY_NOT, "m2")
    house.errors[:] = [ClosedError("no right")]
    assert await house.answers(DONE) == ["m1"]
    assert await house.answers(DONE) == ["m1"]
    assert await ephemeral_replies.of(table.app.store, table.lounge, anna.id) == []
    assert [line["message"] for line in logged if line["level"] not in ("info", "debug")] == ["m1"]


async def test_where_nothing_can_be_stored_this_process_still_takes_it_away(
    table: Table, anna: Person, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> None:
        raise StoreBusyError("busy")

    house = House(table, anna, stays=True)
    with monkeypatch.context() as failing:
        for name in ("of", "note"):
            failing.setattr(ephemeral_replies, name, busy)
        await house.answers(WHY_NOT, "m1")
        assert await house.answers(DONE) == ["m1"]
    await house.answers(WHY_NOT, "m2")
    with monkeypatch.context() as failing:
        failing.setattr(ephemeral_replies, "forget", busy)
        assert await house.answers(DONE) == ["m1", "m2"]
    assert [line["event"] for line in logged] == [
        "ephemeral replies not read",
        "ephemeral reply not stored",
        "deleted replies not forgotten",
    ]
    # It is not there any more, which is no fault; the house after this one finds that out.
    assert await House(table, anna, stays=True).answers(DONE) == ["m2"]


async def test_what_was_stored_while_another_process_spoke_is_found_when_we_speak_again(
    table: Table, anna: Person
) -> None:
    house, other = House(table, anna, stays=True), House(table, anna, stays=True)
    await house.answers(DONE)
    await other.answers(WHY_NOT, "m1")
    assert await house.answers(DONE) == ["m1"]
