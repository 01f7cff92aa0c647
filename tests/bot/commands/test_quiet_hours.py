"""``/quiet``: hours without reminders, typed and pressed, in both languages."""

from dataclasses import replace

from bot.domain.quiet import HOURS, ZONE
from bot.support.platforms import Medium
from tests.bot.table import Person, Table, buttons, said


async def hours_of(person: Person) -> tuple[str | None, str | None]:
    settings = (await person.user()).settings
    return settings.get(HOURS), settings.get(ZONE)


async def test_hours_and_a_town_are_typed_in_any_language(anna: Person) -> None:
    for typed, hours, zone in (
        ("22-7 Berlin", "22-7", "Europe/Berlin"),
        ("22:30 - 6:15 new york", "22:30-6:15", "America/New_York"),
        ("10pm-7am America/New_York", "22-7", "America/New_York"),
        ("0-9 Wien", "0-9", "Europe/Vienna"),
        ("0-9 zürich", "0-9", "Europe/Zurich"),
        ("0-9 Bogotà", "0-9", "America/Bogota"),
        ("23-8 johannes", "23-8", "Africa/Johannesburg"),
        ("from 22 to 7 Berlin", "22-7", "Europe/Berlin"),
        ("von 22:30 bis 7 Uhr Wien", "22:30-7", "Europe/Vienna"),
        ("22 – 7 Berlin", "22-7", "Europe/Berlin"),
        ("22-7 UTC+5:30", "22-7", "UTC+05:30"),
        ("22-7 GMT-3", "22-7", "UTC-03:00"),
        ("22-7 +02:00", "22-7", "UTC+02:00"),
        ("22-7 +0200", "22-7", "UTC+02:00"),
        ("22-7 utc", "22-7", "UTC+00:00"),
    ):
        answer = await anna.types(f"/quiet {typed}")
        assert not answer.refused
        assert await hours_of(anna) == (hours, zone)


async def test_it_says_what_is_set_and_what_time_it_is_there(table: Table, anna: Person) -> None:
    table.clock.now = 1_795_000_000.0
    answer = await anna.types("/quiet 22-7 Tokyo")
    assert said(answer) == anna.says("quiet-set", begins="22", ends="7", town="Tokyo", now="20:06")
    assert said(await anna.types("/quiet")) == said(answer)
    # Hours and town are changed one without the other.
    await anna.types("/quiet 23-8")
    assert await hours_of(anna) == ("23-8", "Asia/Tokyo")
    await anna.types("/quiet Sydney")
    assert await hours_of(anna) == ("23-8", "Australia/Sydney")
    for line in ("/quiet off", "/ruhe aus"):
        assert said(await anna.types(line)) == anna.says("quiet-none")
        assert await hours_of(anna) == ("off", "Australia/Sydney")


async def test_it_is_found_among_the_settings_and_set_by_buttons_alone(
    table: Table, anna: Person
) -> None:
    table.clock.now = 1_795_000_000.0
    menu = await anna.types("/settings")
    answer = await anna.presses(buttons(menu)["Quiet hours: none"])
    assert said(answer) == anna.says("quiet-none")
    # People without a time zone are asked for it first.
    answer = await anna.presses(buttons(answer)["22 to 7"])
    assert said(answer) == anna.says("quiet-where", before="/quiet ")
    answer = await anna.presses(buttons(answer)["Berlin 12:06"])
    assert await hours_of(anna) == ("22-7", "Europe/Berlin")
    answer = await anna.presses(buttons(answer)["Another town"])
    await anna.presses(buttons(answer)["Kolkata 16:36"])
    assert await hours_of(anna) == ("22-7", "Asia/Kolkata")
    menu = await anna.types("/settings")
    answer = await anna.presses(buttons(menu)["Quiet hours: 22 to 7"])
    assert said(await anna.presses(buttons(answer)["No quiet hours"])) == anna.says("quiet-none")
    assert "Quiet hours: none" in buttons(await anna.types("/settings"))


async def test_who_is_reminded_on_a_page_finds_them_too(table: Table, anna: Person) -> None:
    on_page = replace(await anna.command(), medium=Medium(notifies=False))
    assert "Quiet hours: none" in buttons(await table.commands.run_line(on_page, "/settings"))


async def test_unknown_hours_and_towns_are_refused_and_change_nothing(anna: Person) -> None:
    await anna.types("/quiet 22-7 Berlin")
    cases: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("25-7 Berlin", "quiet-hours", {}),
        ("7-7", "quiet-hours", {}),
        ("22", "quiet-hours", {}),
        ("22-7 Atlantis", "zone-unknown", {"town": "Atlantis"}),
        ("from 25 to 7", "quiet-hours", {}),
        ("Atlantis", "zone-unknown", {"town": "Atlantis"}),
        ("22-7 ../etc/passwd", "zone-unknown", {"town": "../etc/passwd"}),
        ("22-7 mad", "zone-which", {"towns": "Madeira, Madrid"}),
        ("22-7 München", "zone-unknown", {"town": "München"}),
    )
    for typed, key, details in cases:
        answer = await anna.types(f"/quiet {typed}")
        assert answer.refused
        assert said(answer) == anna.says(f"error-{key}", before="/quiet ", **details)
        assert await hours_of(anna) == ("22-7", "Europe/Berlin")


async def test_hours_and_towns_are_completed(anna: Person) -> None:
    assert "/quiet 22-7" in await anna.completes("/quiet ")
    assert "/quiet 22-7 Berlin" in await anna.completes("/quiet 22-7 Berl")
    assert "/quiet New_York" in await anna.completes("/quiet new")
    await anna.types("/quiet 22-7 New_York")
    assert await hours_of(anna) == ("22-7", "America/New_York")
