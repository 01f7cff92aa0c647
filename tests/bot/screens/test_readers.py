"""The language and theme of a screen's reader."""

from dataclasses import replace

from bot.domain.model import Place, User
from bot.screens import SIZES, Reader
from bot.store import people
from tests.bot.table import Person, Table


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
        return as_read(app.readers.person(user, place, locale=told, theme="wood"))

    assert read(None, None, None) == ("en", "wood", SIZES[0])
    assert read(None, None, table.lounge) == ("en", "wood", SIZES[0])
    # A channel sets a language, and no colours.
    assert read(None, None, german) == ("de", "wood", SIZES[0])
    assert read(None, "en-GB", german) == ("en", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="auto") == ("de", "wood", SIZES[0])
    assert read("de", "en-GB", None, theme="light") == ("de", "light", SIZES[0])
    for place, wanted in ((table.lounge, ("en", "light")), (german, ("de", "dark"))):
        assert as_read(app.readers.everybody(place)) == (*wanted, SIZES[0])
    assert app.readers.everybody(table.lounge, theme="wood").theme == "wood"

    # A private board is drawn for its one reader.
    async def made_for(place: Place) -> tuple[User | None, str]:
        reader = await app.readers.of(place, theme="wood")
        return reader.user, reader.texts.language

    await people.change_user(app.store, anna.id, settings={"locale": "de"})
    assert await made_for(anna.direct) == (await anna.user(), "de")
    assert await made_for(table.lounge) == (None, "en")
    unknown = await app.directory.direct("web", "nobody", "Azumaya")
    assert await made_for(unknown) == (None, "en")
