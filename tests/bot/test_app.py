"""The parts, wired: what is looked at anew, for whom a screen is made, what may be shown where."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from structlog.typing import EventDict

from bot import hosting
from bot.app import Touched
from bot.erasing import erase
from bot.errors import Refused, StoreError
from bot.model import Place, User
from bot.pictures import Pictures
from bot.screens import SIZES, Reader
from bot.store import EVERYTHING, Changes, boards, people, places
from tests.bot.table import Person, Table


def noting(name: str, into: list[Any]) -> Any:
    """Something that notes that it was called, and how."""

    def note(*arguments: object) -> None:
        into.append((name, *arguments))

    return note


@pytest.mark.parametrize(
    ("changes", "forgets", "looks"),
    [
        (EVERYTHING, ["matches", "policies", "names"], "people"),
        (Changes(people=True), ["names"], "people"),
        (Changes(matches=frozenset({7})), ["matches"], "boards"),
        (Changes(people=True, matches=frozenset({7})), ["matches", "names"], "people"),
        (Changes(boards=True), [], "boards"),
    ],
    ids=str,
)
async def test_what_others_have_changed_is_looked_at_anew_and_nothing_else(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    changes: Changes,
    forgets: list[str],
    looks: str,
) -> None:
    app, changed = table.app, table.app.changed.listen()
    forgotten: list[Any] = []
    looked: list[str] = []
    for part, name in (
        (app.matches, "read_anew"),
        (app.policies, "forget"),
        (app.names, "forget"),
    ):
        called = {"read_anew": "matches"}.get(name, "policies" if part is app.policies else "names")
        monkeypatch.setattr(part, name, noting(called, forgotten))

    async def people_again() -> None:
        looked.append("people")

    async def boards_again() -> None:
        looked.append("boards")

    app.rechecks.append(people_again)
    app.relooks.append(boards_again)
    await app.written_elsewhere(changes)
    assert [name for name, *_ in forgotten] == forgets
    # Only those matches are read again of which somebody has said so.
    if "matches" in forgets:
        assert forgotten[0][1:] == tuple(changes.matches)
    assert looked == [looks]
    assert changed.is_set()
    assert not app.must_recheck


async def test_it_is_heard_how_many_have_been_erased_also_by_others_and_after_a_restart(
    table: Table, anna: Person, ben: Person
) -> None:
    app = table.app
    assert app.erasures == 0
    for number, person in enumerate((anna, ben), 1):
        user = (await person.command()).user
        await erase(app.store, app.matches, user.id)
        assert app.erasures == number - 1
        await app.written_elsewhere(Changes(people=True))
        assert app.erasures == number
    await table.restart()
    assert table.app.erasures == 2


async def test_a_look_that_has_failed_is_still_to_be_done_until_all_have_looked(
    table: Table, logged: list[EventDict]
) -> None:
    app, only_boards = table.app, Changes(boards=True)
    looked, broken = list[str](), set[str]()

    def is_left() -> bool:
        return app.must_recheck

    def look(name: str) -> Any:
        async def looks() -> None:
            looked.append(name)
            if name in broken:
                raise StoreError("azumaya.db: disk I/O error")

        return looks

    app.rechecks[:] = [look("first"), look("second")]
    app.relooks[:] = [look("shown")]
    await app.written_elsewhere(only_boards)
    assert not is_left()
    broken.add("shown")
    await app.written_elsewhere(only_boards)
    assert is_left()
    broken.clear()
    # That others have looked well does not make good what was missed.
    await app.written_elsewhere(only_boards)
    assert is_left()
    broken.add("first")
    looked.clear()
    await app.recheck_people()
    assert is_left()
    assert looked == ["first"]
    broken.clear()
    await app.recheck_people()
    assert not is_left()
    assert looked == ["first", "first", "second"]


def as_read(reader: Reader) -> tuple[str, str, int]:
    return reader.texts.language, reader.theme, reader.size


async def test_a_screen_is_in_the_language_and_the_colours_of_whoever_reads_it(
    table: Table, anna: Person
) -> None:
    app, someone = table.app, await anna.user()
    german = replace(table.lounge, settings={"language": "de", "theme": "dark"})
    assert table.settings.language == "en"

    def read(
        chosen: str | None, told: str | None, place: Place | None, **settings: str
    ) -> tuple[str, str, int]:
        user = replace(someone, language=chosen, settings=settings)
        return as_read(app.reader(user, place, locale=told, theme="wood"))

    assert read(None, None, None) == ("en", "wood", SIZES[0])
    assert read(None, None, table.lounge) == ("en", "wood", SIZES[0])
    # A place says in what language, but not in what colours somebody reads.
    assert read(None, None, german) == ("de", "wood", SIZES[0])
    assert read(None, "en-GB", german) == ("en", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="auto") == ("de", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="light") == ("de", "light", SIZES[0])
    for place, wanted in ((table.lounge, ("en", "light")), (german, ("de", "dark"))):
        assert as_read(app.audience(place)) == (*wanted, SIZES[0])
    assert app.audience(table.lounge, theme="wood").theme == "wood"

    # A board is made for the one person who is there, or else for everybody.
    async def made_for(place: Place) -> tuple[User | None, str]:
        reader = await app.reader_of(place, theme="wood")
        return reader.user, reader.texts.language

    await people.change_user(app.store, anna.id, settings={"locale": "de"})
    assert await made_for(anna.direct) == (await anna.user(), "de")
    assert await made_for(table.lounge) == (None, "en")
    unknown = await app.directory.direct("web", "nobody", "Azumaya")
    assert await made_for(unknown) == (None, "en")


async def test_when_somebody_is_called_is_their_choice_then_the_places_then_the_houses(
    table: Table,
) -> None:
    def pings(own: str | None, place: str | None) -> str:
        settings = {} if place is None else {"pings": place}
        return table.app.pings(
            {} if own is None else {"pings": own}, replace(table.lounge, settings=settings)
        )

    house = table.settings.play.pings
    assert house == "always"
    assert pings(None, None) == house
    assert pings("never", "away") == "never"
    assert pings(None, "away") == "away"
    # What was a choice once, perhaps.
    assert pings("sometimes", "never") == "never"
    assert pings("auto", "auto") == house


async def test_what_is_brought_into_a_place_follows_its_rules_and_what_is_there_stays(
    table: Table, anna: Person, ben: Person
) -> None:
    app, store = table.app, table.app.store
    match_id = await table.begin(anna, ben)
    await table.settle()
    garden, den = await table.channel("garden"), await table.channel("den")
    loaded, changed = await table.loaded(match_id), app.changed.listen()
    table.wall.told.clear()
    await app.show_in(loaded, garden, user_id=anna.id)
    assert changed.is_set()
    await table.settle()
    assert table.wall.told == []
    # People have heard of it where it was, unless somebody says that they have not.
    await app.show_in(loaded, anna.direct, user_id=anna.id)
    await table.settle()
    assert table.wall.told == []
    other = await table.loaded(await table.begin(anna, ben))
    await table.settle()
    table.wall.told.clear()
    await app.show_in(other, anna.direct, user_id=anna.id, is_told=False)
    await table.settle()
    assert [place for place, _ in table.wall.told] == [anna.direct.id]
    for room in ("lounge", "garden", "den"):
        await hosting.set_here(store, f"web:{room}", "game-othello", "off")
    await app.written_elsewhere()
    for place in (table.lounge, garden):
        await app.check_shown(loaded, place)
        await app.show_in(loaded, place, user_id=anna.id)
    with pytest.raises(Refused):
        await app.check_shown(loaded, den)
    with pytest.raises(Refused):
        await app.show_in(loaded, den, user_id=anna.id)
    assert await boards.of_match(store, match_id, place_id=den.id) == []
    assert await places.place_called(store, "web", "den") is not None


async def test_what_a_message_is_that_somebody_touches_is_said_by_what_is_stored_of_it(
    table: Table, anna: Person, ben: Person
) -> None:
    app, lounge = table.app, table.lounge
    match_id = await table.begin(anna, ben)
    # It is just being posted: whoever sees it is quicker than we are.
    assert await app.recognise(match_id, lounge, "m7", carries=True) is Touched.BOARD
    assert await app.recognise(match_id, lounge, "m7", carries=False) is Touched.FOREIGN
    await table.settle()
    (message,) = table.wall.posts
    for carries in (True, False):
        assert await app.recognise(match_id, lounge, message, carries=carries) is Touched.BOARD
    assert await app.recognise(match_id, lounge, "m7", carries=True) is Touched.LEFT_BEHIND
    assert await app.recognise(match_id, lounge, "m7", carries=False) is Touched.FOREIGN
    # Nothing is known of it elsewhere, which may be a message that was handed on.
    garden = await table.channel("garden")
    assert await app.recognise(match_id, garden, "m7", carries=True) is Touched.BOARD
    assert await app.is_board("web", message)
    assert not await app.is_board("web", "m7")
    assert await app.has_board(lounge, message)
    assert not await app.has_board(anna.direct, message)
    assert await app.told_in("web", lounge.external, message) == match_id
    assert await app.told_in("web", garden.external, message) is None
    assert [board.message for board in await app.boards_in(lounge, match_id)] == [message]
    assert await app.boards_in(garden, match_id) == []


async def test_what_is_being_drawn_is_counted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings = table.app.metrics.queues["drawings"]
    assert drawings() == 0
    monkeypatch.setattr(table.app.pictures, "under_way", 3)
    assert drawings() == 3


async def test_a_house_that_closes_ends_what_it_was_looking_at_and_drawing_before_its_database(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    drawn, looked, shut = Pictures.close, table.app.health.close, table.app.store.close

    def pictures(self: Pictures) -> None:
        drawn(self)
        closed.append("pictures")

    async def health() -> None:
        await looked()
        await asyncio.sleep(0)
        closed.append("health")

    async def store() -> None:
        closed.append("store")
        await shut()

    monkeypatch.setattr(Pictures, "close", pictures)
    monkeypatch.setattr(table.app.health, "close", health)
    monkeypatch.setattr(table.app.store, "close", store)
    await table.app.close()
    assert closed == ["health", "pictures", "store"]
