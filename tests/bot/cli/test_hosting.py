"""Operator commands for people, places and matches."""

import asyncio
import json

import pytest

import games
from bot.cli import hosting
from bot.domain.model import NewMatch, PlaceKind
from bot.matches import beginning, playing
from bot.store import Store, migrate, people, places, revision
from bot.store.schema import REVISION
from tests.bot.cli.console import DATABASE, azumaya, problem


@pytest.mark.parametrize(
    "line", [["places"], ["forget", "--yes", "1"], ["ratings", "rebuild"]], ids=lambda line: line[0]
)
@pytest.mark.usefixtures("next_revision")
def test_a_house_of_an_earlier_version_that_runs_keeps_its_database(line: list[str]) -> None:
    migrate(DATABASE, to=REVISION)
    told = problem(azumaya(*line))
    assert told == (
        f"azumaya.db: is from an earlier Azumaya ({REVISION}); to migrate it, start the bot, or "
        "stop it and run azumaya migrate"
    )
    assert revision(DATABASE) == REVISION


def test_a_person_is_exported(anna: int) -> None:
    result = azumaya("export", str(anna))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["identities"][0]["handle"] == "anna ö."
    # Operators do not know ids by heart.
    assert azumaya("export", "web:Anna Ö.").stdout == result.stdout


@pytest.mark.parametrize(
    "user",
    ["99", "web:ben", "elsewhere:anna ö.", "-1", "9" * 18, "9" * 5000, "web:\udcff"],
    ids=lambda user: ascii(user[:20]),
)
@pytest.mark.parametrize("command", ["export", "forget"])
def test_nobody_cannot_be_exported_or_forgotten(anna: int, command: str, user: str) -> None:
    yes = ["--yes"] if command == "forget" else []
    said = user.replace("\udcff", "?")
    assert problem(azumaya(command, *yes, "--", user)) == f"there is no user {said}"


def test_a_person_is_forgotten_when_the_host_is_sure(anna: int) -> None:
    asked = azumaya("forget", str(anna), said="n\n")
    assert asked.exit_code == 1
    assert f"Delete Anna Ö. (id {anna})?" in asked.stdout
    assert "Anna" in azumaya("export", str(anna)).stdout
    assert f"Deleted user {anna}." in azumaya("forget", "web:anna ö.", said="y\n").stdout
    assert "Anna" not in azumaya("export", str(anna)).stdout


async def begin(anna: int) -> int:
    """Start Anna's match against Ben in a room, and return its number."""
    store = await Store.open(DATABASE)
    ben = await people.get_or_create_user(store, "web", "y", name="Ben", handle="ben")
    room = await places.get_or_create_place(
        store, "web", "room", kind=PlaceKind.CHANNEL, title="Room"
    )
    matches, options = hosting.matches_of(store), games.get("othello").options_from({})
    new = NewMatch(
        game="othello",
        options=options,
        place_id=room.id,
        challenger=anna,
        opponent=ben.id,
        preferred_seat=0,
        expires=2**40,
    )
    loaded = await beginning.propose(matches, new)
    await beginning.accept(matches, loaded.match.id, ben.id)
    await playing.play(matches, loaded.match.id, anna, "d3")
    await store.close()
    return ben.id


def test_places_are_listed_blocked_and_allowed(anna: int) -> None:
    asyncio.run(begin(anna))
    assert azumaya("places").stdout == "web:room  Room  1 active\n"
    assert azumaya("block", "web:room").stdout == "web:room is blocked.\n"
    assert azumaya("places").stdout == "web:room  Room  1 active  blocked\n"
    assert azumaya("allow", "web:room").stdout == "web:room is allowed.\n"
    assert azumaya("places").stdout == "web:room  Room  1 active\n"
    # It may be that one comes there later; or that it was not written right.
    assert azumaya("block", "everywhere").stdout == "everywhere is blocked.\n"
    assert azumaya("places").stdout == "web:room  Room  1 active\n"
    for word in ("block", "allow"):
        assert "with azumaya places" in azumaya(word, "web:rom").stdout
    refused = azumaya("block", "room")
    assert refused.exit_code == 2
    assert "like discord:" in refused.stderr


def test_the_host_sets_what_holds_in_a_room(anna: int) -> None:
    asyncio.run(begin(anna))
    assert "game-othello on\n" in azumaya("here", "web:room").stdout
    assert "game-othello off\n" in azumaya("here", "web:room", "game-othello", "off").stdout
    assert "game-othello off\n" in azumaya("here", "web:room").stdout
    assert "List them with azumaya places" in problem(azumaya("here", "web:attic"))
    assert (
        problem(azumaya("here", "web:room", "theme", "red"))
        == "theme must be one of: auto, light, dark, wood, slate"
    )


def test_a_match_is_closed_when_the_host_is_sure(anna: int) -> None:
    ben = asyncio.run(begin(anna))
    assert azumaya("close", "1", said="n\n").exit_code == 1
    assert "Closed game 1." in azumaya("close", "1", "--yes").stdout
    known = json.loads(azumaya("export", str(ben)).stdout)
    assert [match["status"] for match in known["matches"]] == ["over"]
    assert known["results"] == []
    assert problem(azumaya("close", "1", "--yes")) == "game 1 is not active"


def test_a_word_of_the_host_waits_for_the_house_to_open(anna: int) -> None:
    assert azumaya("say", "We move tonight.").stdout == "Announced in 0 channels.\n"
    asyncio.run(begin(anna))
    assert azumaya("say", "We move tonight.").stdout == "Announced in 1 channel.\n"
    for wrong in ("", " \u200b ", "x" * 1001):
        assert azumaya("say", wrong).exit_code == 2
