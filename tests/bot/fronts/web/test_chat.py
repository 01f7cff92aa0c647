"""Chat in the web app."""

from typing import Any

import pytest

from bot.delivery.rooms import Rooms
from bot.domain.model import Place
from bot.store import personal_data
from bot.store.rooms import Message
from bot.support.settings import PlaySettings
from tests.bot.fronts.browsing import Browser, Open, Tab, othello, rated
from tests.bot.fronts.conftest import Arrive, opened_with


async def test_a_full_width_slash_starts_a_command(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    assert (await anna.say("／othello d3"))["ok"] is True
    assert "d3" in (await ben.board(version=3))["screen"]["text"]
    assert "／othello d3" not in ben.lines()


async def test_markup_is_text_and_control_characters_are_gone(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.say("<b>&amp;\u202e\x00 \n @everyone</b>")
    await tab.until(lambda: tab.lines() == ["<b>&amp; @everyone</b>"])


@opened_with(play=PlaySettings(leaderboard_minimum=1, commands_per_second=100))
async def test_a_leaderboard_for_all_is_a_line_and_one_of_a_game_a_picture(
    arrive: Arrive, stranger: Browser
) -> None:
    hers, his = await arrive("Anna"), await arrive("Ben")
    anna, ben = await othello(await hers.tab(), await his.tab())
    await rated(anna, ben)

    def read(tab: Tab) -> int:
        shown = [one["screen"] for one in tab.room("lounge")]
        lists = [one.get("text", "") for one in shown if not one.get("picture")]
        return sum("1. Anna: 1662?" in text for text in lists)

    def pictures(tab: Tab) -> dict[int, Any]:
        answers = [one for one in tab.messages.values() if not one["screen"].get("match")]
        found = {one["id"]: one["screen"].get("picture") for one in answers}
        return {number: picture for number, picture in found.items() if picture}

    assert (await anna.say("/leaderboard"))["ok"] is True
    await ben.until(lambda: read(ben) == 1)
    assert all(board["author"] is None for board in ben.room("lounge"))
    # The picture is drawn when it is requested.
    assert (await anna.say("/leaderboard othello"))["ok"] is True
    await ben.until(lambda: pictures(ben))
    ((number, picture),) = pictures(ben).items()
    assert (picture["alt"], picture["cells"]) == ("Leaderboard: Othello", [])
    status, body, headers = await his.get(picture["url"])
    assert (status, body[:4], headers["Content-Type"]) == (200, b"\x89PNG", "image/png")
    assert (await his.get(f"/drawn/{number - 1}.png"))[0] == 404
    assert (await his.get("/drawn/999.png"))[0] == 404
    assert (await stranger.get(picture["url"]))[0] == 401


@pytest.mark.slow
async def test_earlier_messages_of_an_account_deleted_during_the_query_are_not_sent(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has been told that they are gone, and would keep for good what comes after that."""
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await anna.say("I am Anna")
    for number in range(41):
        await ben.say(f"line {number}")
    later = await (await arrive("Cleo")).tab()
    older = Rooms.older
    erased = list[int]()

    async def older_and_then_erased(
        rooms: Rooms, place: Place, *, before: int
    ) -> tuple[list[Message], bool]:
        found = await older(rooms, place, before=before)
        if not erased:
            erased.append(anna.welcome["you"]["id"])
            await personal_data.erase(table.app.store, erased[0], name="#1")
            await table.app.on_remote_change()
        return found

    monkeypatch.setattr(Rooms, "older", older_and_then_erased)
    await later.ask({"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]})
    assert later.lines() == [f"line {number}" for number in range(41)]
