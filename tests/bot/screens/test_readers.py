"""Readers of screens: their language and theme, and what is news to them."""

from dataclasses import replace

from bot.domain.model import Place, Status, User
from bot.screens import SIZES, Client, Reader
from bot.screens.news import News, news_of, users_to_notify
from bot.store import people
from tests.bot.table import Person, Table


def as_read(reader: Reader) -> tuple[str, str, int]:
    return reader.texts.language, reader.theme, reader.size


async def test_a_screen_is_in_the_language_and_the_colours_of_whoever_reads_it(
    table: Table, anna: Person, ben: Person
) -> None:
    app, someone = table.app, await anna.user()
    german = replace(table.lounge, settings={"language": "de", "theme": "dark"})
    assert table.settings.language == "en"

    def read(
        chosen: str | None, told: str | None, place: Place | None, **settings: str
    ) -> tuple[str, str, int]:
        user = replace(someone, language=chosen, settings=settings)
        return as_read(app.readers.person(Client(user, locale=told, theme="wood"), place))

    assert read(None, None, None) == ("en", "wood", SIZES[0])
    assert read(None, None, table.lounge) == ("en", "wood", SIZES[0])
    # A channel sets a language, and no colours.
    assert read(None, None, german) == ("de", "wood", SIZES[0])
    assert read(None, "en-GB", german) == ("en", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="auto") == ("de", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="light") == ("de", "light", SIZES[0])
    for place, wanted in ((table.lounge, ("en", "light")), (german, ("de", "dark"))):
        assert as_read(app.readers.for_place(place)) == (*wanted, SIZES[0])
    assert app.readers.for_place(table.lounge, theme="wood").theme == "wood"

    # A private board is drawn for its one reader.
    async def made_for(place: Place) -> tuple[User | None, str]:
        reader = await app.readers.of(place, theme="wood")
        return reader.user, reader.texts.language

    await people.change_user(app.store, anna.id, settings={"locale": "de"})
    assert await made_for(anna.direct) == (await anna.user(), "de")
    assert await made_for(table.lounge) == (None, "en")
    told = await app.readers.of(anna.direct, theme="wood", user=await ben.user())
    assert told.user == await ben.user()
    unknown = await app.directory.direct("web", "nobody", "Azumaya")
    assert await made_for(unknown) == (None, "en")


async def test_news_are_for_whoever_has_not_made_them(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    running = await table.loaded(match_id)
    await anna.types("/blackbox new")
    alone = await table.loaded(await table.newest())
    # Whose own match it is need not be told that it is their turn in it.
    assert (news_of(alone), users_to_notify(alone)) == (None, [])
    assert news_of(replace(alone, match=replace(alone.match, status=Status.OVER))) is News.OVER
    withdrawn = replace(running, match=replace(running.match, status=Status.WITHDRAWN))
    assert (news_of(withdrawn), users_to_notify(withdrawn)) == (None, [])
    for by, told in ((anna.id, [ben.id]), (ben.id, [anna.id]), (None, [anna.id, ben.id])):
        over = replace(running.match, status=Status.OVER, news_by=by)
        assert users_to_notify(replace(running, match=over)) == told
    for status, news, told in (
        (Status.PROPOSED, News.CHALLENGED, [ben.id]),
        (Status.DECLINED, News.DECLINED, [anna.id]),
        (Status.RUNNING, News.JOINED, [anna.id]),
    ):
        match = replace(running.match, status=status, opponent=ben.id, news_by=None)
        loaded = replace(running, match=match)
        assert (news_of(loaded), users_to_notify(loaded)) == (news, told)
    open_ = replace(running.match, status=Status.PROPOSED, opponent=None, news_by=None)
    assert users_to_notify(replace(running, match=open_)) == []
