"""Channel managers set what is played, where, and who may start games."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

import pytest
from sqlalchemy import select
from structlog.typing import EventDict

import games
from bot.cli import hosting
from bot.commands import Answer
from bot.commands.serving import _HANDLERS
from bot.domain.actions import Action
from bot.domain.marks import mark
from bot.domain.model import Ending, EndingKind, Place, PlaceKind, Status
from bot.matches import playing
from bot.screens import Style
from bot.store import places
from bot.store.schema import boards, matches
from tests.bot.store.sql import rows
from tests.bot.table import Person, Table, buttons, said, screen_of
from tests.sampling import sampled

SHUT_OUT = "shut out"
RULES = {
    "games that are not wanted": {f"game-{game}": "off" for game in ("othello", "morris", "sogo")},
    "topics only": {"threads": "only"},
    "managers only": {"begin": "managers"},
    "one role only": {"begin": "role-77"},
    "a place that is shut out": {SHUT_OUT: "by the host"},
}
EACH_RULE = pytest.mark.parametrize(
    "rule", sampled(RULES.values(), RULES["games that are not wanted"]), ids=RULES
)

Shown = AbstractSet[tuple[int, str]]


async def manager(table: Table) -> Person:
    mia = await table.arrive("Mia")
    mia.can_manage = True
    return mia


async def sets(table: Table, rules: dict[str, str], place: Place | None = None) -> None:
    place = place or table.lounge
    await places.change_place(table.app.store, place.id, settings=rules)


async def shown_in(table: Table, place: Place) -> Shown:
    """Return the matches that were started in a place or are shown there."""
    made = select(matches.c.id, matches.c.status).where(
        matches.c.place_id == place.id,
        matches.c.status.in_([Status.PROPOSED.value, Status.RUNNING.value]),
    )
    shown = select(boards.c.match_id, boards.c.seat).where(boards.c.place_id == place.id)
    store = table.app.store
    found = [*await rows(store, made), *await rows(store, shown)]
    return {(match_id, str(other)) for match_id, other in map(tuple, found)}


BEGINS = {"accept", "again", "board", "challenge", "computer", "join", "new", "start", "versus"}
"""The verbs by which something comes into a place."""
LAST = ("decline", "withdraw", "block")
"""What takes others their object away."""
OTHERS = {"new": "morris", "start": "sogo"}
"""Of which game, so that it is not what was asked for already."""


async def everything(table: Table, anna: Person, ben: Person, *, rules: dict[str, str]) -> set[str]:
    """Use every verb as Anna on every match, and return those that showed something here."""
    garden = await table.channel("garden")
    over = await table.begin(anna, ben)
    await playing.end(table.app.matches, over, Ending(EndingKind.AGREED))
    here = await ben.starts("/othello new")
    if SHUT_OUT in rules:
        await hosting.block(table.app.store, "web:lounge")
        table.app.policies.forget()
    else:
        await sets(table, rules)
    theirs = await ben.starts("/othello @Anna reversi", place=garden)
    open_to_all = await ben.starts("/othello new first", place=garden)
    code = (await table.loaded(open_to_all)).match.code
    await ben.types("/othello @Anna second", place=garden)
    await anna.types(f"/accept {await table.newest(garden)}", place=garden)
    running = await table.newest(garden)
    brought = set()
    before = await shown_in(table, table.lounge)
    command = await anna.command()
    # A move without a command is asked for only where there is one.
    verbs = sorted(set(_HANDLERS) - {"say"} - set(LAST))
    for verb in (*verbs, *LAST):
        for match_id, by, person in (
            (0, code, None),
            (0, "", await ben.user()),
            *((one, "", None) for one in (0, over, here, theirs, running)),
        ):
            game = "othello" if match_id or by else OTHERS.get(verb, "othello")
            asked = replace(
                command,
                verb=verb,
                game=game,
                move="a1" if verb == "play" else "",
                match=match_id,
                code=by,
                person=person,
            )
            await table.commands.run(asked)
        now = await shown_in(table, table.lounge)
        if now - before:
            brought.add(verb)
        before = now
    return brought


async def test_what_begins_or_shows_something_does_so_where_it_is_allowed(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await everything(table, anna, ben, rules={}) == BEGINS


@EACH_RULE
async def test_nothing_comes_into_a_place_that_does_not_allow_it(
    table: Table, anna: Person, ben: Person, rule: dict[str, str]
) -> None:
    brought = await everything(table, anna, ben, rules=rule)
    # Joining is not starting: an earlier challenge can still be accepted.
    assert brought == ({"accept"} if "begin" in rule else set())


async def test_a_refusal_says_what_is_played_here_in_the_players_language(
    table: Table, anna: Person, ben: Person
) -> None:
    await sets(table, {f"game-{game}": "off" for game in ("othello", "blackbox", "moyo")})
    answer = await ben.types("/othello new")
    assert answer.refused
    assert "Othello wird hier nicht gespielt. Hier geht: Mühle, Sogo;" in said(answer)
    assert said(await anna.types("/othello")).startswith("Othello is not allowed here.")
    assert await anna.types("/othello @Ben", place=anna.direct) == Answer()
    await sets(table, {f"game-{game}": "off" for game in games.ids()})
    assert said(await anna.types("/play")) == anna.says("error-no-game-here")


async def test_a_match_that_was_begun_when_it_was_allowed_goes_on(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await sets(table, {"game-othello": "off", "threads": "only", "begin": "managers"})
    assert await anna.types("/othello d3") == Answer()
    assert await ben.types("/board") == Answer()
    assert len((await table.loaded(match_id)).match.plies) == 1
    assert "/othello " in await ben.completes("/oth")


async def test_a_challenge_is_not_taken_up_where_its_game_is_not_wanted_any_more(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello new")
    await sets(table, {"game-othello": "off"})
    assert "nicht gespielt" in said(await ben.types(f"/accept {match_id}"))
    elsewhere = await table.channel("garden")
    code = (await table.loaded(match_id)).match.code
    answer = await ben.types(f"/join {code}", place=elsewhere)
    assert said(answer) == ben.says("error-not-played-there")
    assert (await table.loaded(match_id)).match.status is Status.PROPOSED


async def test_only_the_role_or_a_manager_may_start_and_everyone_may_join(
    table: Table, anna: Person, ben: Person
) -> None:
    await sets(table, {"begin": "role-77"})
    assert said(await anna.types("/othello new")) == anna.says("error-begin-role", role="Players")
    assert said(await anna.types("/play")) == anna.says("error-begin-role", role="Players")
    anna.roles = frozenset({"5", "77"})
    assert await anna.types("/othello new") == Answer()
    assert await ben.types("/accept") == Answer()
    await sets(table, {"begin": "role-of-a-role-that-is-gone"})
    assert await (await manager(table)).types("/othello new") == Answer()


async def test_who_manages_is_asked_for_only_where_it_matters(table: Table, anna: Person) -> None:
    asked = []

    async def find_out() -> bool:
        asked.append(1)
        return True

    anna.can_manage = find_out
    assert await anna.types("/othello new") == Answer()
    assert not asked
    await sets(table, {"begin": "managers"})
    assert await anna.types("/morris new") == Answer()
    assert asked


async def test_menus_and_completion_offer_what_is_allowed_here(
    table: Table, anna: Person, ben: Person
) -> None:
    await sets(table, {"game-othello": "off"})
    assert "Othello" not in buttons(await anna.types("/play"))
    assert "Othello" not in buttons(await anna.types("/challenge @Ben"))
    assert "Othello" in buttons(await anna.types("/rules"))
    assert await anna.completes("/oth") == []
    assert await anna.completes("/play oth") == []
    assert await anna.completes("/rules oth") == ["/rules othello"]
    assert await anna.completes("/challenge @Ben oth") == []
    assert await anna.completes("/othello n") == []
    assert await anna.completes("/othello @Ben rev") == []
    assert await anna.completes("/othello n", place=anna.direct) == ["/othello new"]
    await sets(table, {"begin": "managers"})
    assert await anna.completes("/sogo n") == []


async def test_the_menu_shows_the_rules_and_changes_them(table: Table, anna: Person) -> None:
    mia = await manager(table)
    menu = buttons(await mia.types("/here"))
    assert {"Who may start: everyone", "Games: 5 of 5"} <= set(menu)
    listed = buttons(await mia.presses(menu["Games: 5 of 5"]))
    listed = buttons(await mia.presses(listed["Othello: yes"]))
    assert "Othello: no" in listed
    assert "is not allowed here" in said(await anna.types("/othello new"))
    menu = buttons(await mia.presses(listed["Back to settings"]))
    who = buttons(await mia.presses(menu["Who may start: everyone"]))
    menu = buttons(await mia.presses(who["Players"]))
    assert {"Who may start: Players", "Games: 4 of 5"} <= set(menu)
    assert said(await anna.types("/sogo new")) == anna.says("error-begin-role", role="Players")


async def test_the_rules_can_be_typed(table: Table, anna: Person) -> None:
    mia = await manager(table)
    mia.topics = True
    await mia.types("/here mühle off")
    await mia.types("/here threads only")
    await mia.types("/here begin managers")
    rules = (await places.place(table.app.store, table.lounge.id)).settings
    assert rules == {"game-morris": "off", "threads": "only", "begin": "managers"}
    unknown = said(await mia.types("/here begin role-5"))
    assert unknown.endswith("You can use: everyone, moderators")
    assert (await mia.types("/here threads on")).refused


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("/here begin managers", "Who may start: moderators"),
        ("/here begin moderators", "Who may start: moderators"),
        ("/here begin role-77", "Who may start: Players"),
        ("/here Zeitzone Vienna", "Time zone: Vienna"),
        ("/here mühle off", "Nine Men's Morris: no"),
        ("/here pings never", "Pings: never"),
        ("/here clock 3d", "Clock: 3 days per turn"),
        ("/settings theme dark", "Colours: dark"),
        ("/settings notation-sogo hex", "Sogo notation: hexadecimal"),
    ],
)
async def test_what_a_command_has_changed_is_named_as_on_its_button(
    table: Table, line: str, label: str
) -> None:
    mia = await manager(table)
    answer = await mia.types(line)
    assert label in buttons(answer)
    assert said(answer).split("\n")[0] == mia.says("settings-changed", setting=label)
    command = line.split(maxsplit=1)[0]
    assert "Changed" not in said(await mia.types(command))


@pytest.mark.parametrize("command", ["/settings", "/here"])
async def test_a_theme_is_chosen_by_its_small_picture(table: Table, command: str) -> None:
    mia = await manager(table)
    screen = screen_of(await mia.presses(buttons(await mia.types(command))["Colours: automatic"]))
    assert screen.picture is not None
    last = screen.choices[-1].box
    assert last is not None
    assert last[2:] == (screen.picture.width, screen.picture.height)
    wood = next(choice for choice in screen.choices if choice.label == "wood")
    assert "Colours: wood" in buttons(await mia.presses(wood.action))


async def test_only_managers_change_the_rules_of_a_channel(table: Table, anna: Person) -> None:
    assert said(await anna.types("/here")) == anna.says("error-managers-only")
    for what in ("game-othello.off", "begin.managers", "close", "language"):
        assert said(await anna.presses(f"here:0:0:{what}")) == anna.says("error-managers-only")
    assert (await places.place(table.app.store, table.lounge.id)).settings == {}
    mia = await manager(table)
    assert said(await mia.types("/here", place=mia.direct)) == mia.says("error-here-direct")
    # The operator manages channels that have no manager.
    anna.can_manage = None
    assert said(await anna.types("/here")) == anna.says("error-host-only")


async def test_a_group_that_moves_keeps_its_rules(table: Table, anna: Person) -> None:
    await sets(table, {"begin": "managers"})
    await table.channel("salon")
    await table.app.directory.moved("web", "lounge", "salon")
    answer = await anna.types("/othello new", place=await table.channel("salon"))
    assert said(answer) == anna.says("error-begin-managers")


async def test_a_match_is_closed_without_a_result_and_both_are_told(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    mia = await manager(table)
    match_id = await anna.starts("/othello @Ben first")
    assert said(await mia.types(f"/here close {match_id}")) == mia.says("error-not-begun")
    await ben.types("/accept")
    await table.settle()
    await anna.types("/othello d3")
    version = (await table.loaded(match_id)).match.version
    pressed = await anna.presses(Action("close", match_id, version, "yes"))
    assert said(pressed) == anna.says("error-managers-only")
    listed = buttons(await mia.presses(buttons(await mia.types("/here"))["Close a game"]))
    (name,) = [label for label in listed if label.startswith(f"#{match_id}")]
    sure = buttons(await mia.presses(listed[name]))
    assert await mia.presses(sure[mia.says("button-close-not")]) == Answer()
    assert await table.status(match_id) is Status.RUNNING
    done = await mia.presses(sure["Yes, close"])
    # The channel and the operator are notified, since a manager may favour a friend.
    closed = f"Game #{match_id} (Othello) was closed by"
    assert done.public is not None
    assert done.public.text == f"{closed} Mia, without a result."
    assert done.kept is not None
    assert done.kept.text == f"{closed} {mark(mia.id)}, without a result."
    (entry,) = [one for one in logged if "closed" in one["event"]]
    assert (entry["match"], entry["by"]) == (match_id, mia.id)
    table.wall.told.clear()
    await table.settle()
    match = (await table.loaded(match_id)).match
    assert match.ending == Ending(EndingKind.CLOSED)
    assert match.outcome is None
    assert "A moderator closed this game. No result." in (await table.screen(match_id)).text
    (_, notice), *_ = table.wall.told
    assert {one.name for one in notice.recipients} == {"Anna", "Ben"}
    assert said(await anna.types("/stats")) == anna.says("stats-none")
    assert said(await mia.types(f"/here close {match_id}")) == mia.says("error-match-over")


async def test_nobody_closes_a_match_that_they_play_themselves(
    table: Table, anna: Person, ben: Person
) -> None:
    mia, anna.can_manage = await manager(table), True
    match_id = await table.begin(anna, ben)
    why = anna.says("error-close-own", resign="/resign", abort="/abort")
    version = (await table.loaded(match_id)).match.version
    for answer in (
        await anna.types(f"/here close {match_id}"),
        await anna.types("/here close"),
        await anna.presses(Action("close", match_id, version, "yes")),
    ):
        assert answer.refused
        assert said(answer) == why
    # Of others they are offered what they do not play, and what is missing there is said.
    other = await table.begin(ben, mia)
    listed = await anna.types("/here close")
    assert anna.says("close-not-own") in said(listed)
    names = [label for label in buttons(listed) if label.startswith("#")]
    assert [name.partition(" ")[0].rstrip(":,") for name in names] == [f"#{other}"]
    assert anna.says("close-not-own") in said(await mia.types("/here close"))
    assert await table.status(match_id) is Status.RUNNING
    sure = buttons(await mia.types(f"/here close {match_id}"))
    assert (await mia.presses(sure["Yes, close"])).public is not None


async def test_a_match_is_of_its_channel_and_of_the_threads_there_and_of_no_other_platform(
    table: Table, anna: Person
) -> None:
    mia, store = await manager(table), table.app.store
    thread, other = await table.channel("lounge/4"), await table.channel("lounge/5")
    far, far_thread = [
        await places.get_or_create_place(
            store, "discord", name, kind=PlaceKind.CHANNEL, title=name, community="1"
        )
        for name in ("lounge", "far/1")
    ]
    for one in (thread, other, far_thread):
        await sets(table, {"parent": "lounge"}, one)
    for begun, closed, is_closed in (
        (table.lounge, thread, True),
        (thread, table.lounge, True),
        (thread, other, False),
        # Two platforms may call their places alike.
        (far, thread, False),
        (far_thread, table.lounge, False),
    ):
        match_id = await table.begin_alone(anna, begun)
        assert await anna.types(f"/board {match_id}", place=closed) == Answer()
        answer = await mia.presses(Action("close", match_id, 1, "yes"), place=closed)
        if is_closed:
            assert answer.public is not None, (begun.title, closed.title)
        else:
            assert said(answer) == mia.says("error-close-elsewhere"), (begun.title, closed.title)
        status = (await table.loaded(match_id)).match.status
        assert status is (Status.OVER if is_closed else Status.RUNNING)


async def test_a_thread_lists_its_own_matches_and_those_of_its_channel_that_are_shown_there(
    table: Table, anna: Person
) -> None:
    mia, thread = await manager(table), await table.channel("lounge/4")
    await sets(table, {"parent": "lounge"}, thread)
    shown, hidden, own = [
        await table.begin_alone(anna, place) for place in (table.lounge, table.lounge, thread)
    ]
    await anna.types(f"/board {shown}", place=thread)

    async def listed(place: Place) -> list[int]:
        found = buttons(await mia.types("/here close", place=place)).values()
        return [button.action.match for button in found if button.action.verb == "close"]

    assert sorted(await listed(thread)) == [shown, own]
    assert sorted(await listed(table.lounge)) == [shown, hidden]
    # Only of a thread it is said that it goes by what is around it.
    for place, is_said in ((thread, True), (table.lounge, False)):
        settings = said(await mia.types("/here", place=place))
        around = f"{mia.says('settings-text')}\n{mia.says('here-around')}"
        assert settings == (around if is_said else mia.says("settings-text"))


async def test_of_many_matches_to_close_ten_are_listed_and_the_others_counted(
    table: Table, anna: Person
) -> None:
    mia = await manager(table)
    made = [await table.begin_alone(anna) for _ in range(11)]
    answer = await mia.types("/here close")
    assert said(answer) == f"{mia.says('close-which')}\n{mia.says('which-more', count=1)}"
    *listed, back = buttons(answer).values()
    assert [button.action.match for button in listed] == made[:-11:-1]
    assert back.label == mia.says("here-back")


async def test_the_menu_names_who_may_start_and_highlights_the_current_choice(table: Table) -> None:
    mia = await manager(table)
    everybody, managers = mia.says("begin-everybody"), mia.says("begin-managers")
    for chosen, called, standing_out in (
        ("", everybody, [everybody]),
        ("managers", managers, [managers]),
        ("role-77", "Players", ["Players"]),
        # A deleted role cannot be chosen.
        ("role-9", mia.says("begin-role"), []),
    ):
        if chosen:
            await sets(table, {"begin": chosen})
        menu = buttons(await mia.types("/here"))
        who = buttons(await mia.presses(menu[f"{mia.says('settings-begin')}: {called}"]))
        primary = [label for label, button in who.items() if button.style is Style.PRIMARY]
        assert primary == standing_out
        assert {everybody, managers, "Players"} <= set(who)


async def test_any_clock_can_be_the_default_of_a_place(table: Table, anna: Person) -> None:
    anna.can_manage = True
    told = said(await anna.types("/here clock 77x"))
    assert told.startswith("There is no clock “77x”. Days per turn: 1, 2")
    assert not (await anna.types("/hier uhr 2w")).refused
    assert await anna.types("/othello new") == Answer()
    match = (await table.loaded(await table.newest())).match
    assert str(match.terms.clock) == "14d"
    # The button goes on from there.
    menu = buttons(await anna.types("/here"))
    await anna.presses(menu[f"{anna.says('settings-clock')}: 14 days per turn"])
    assert await anna.types("/sogo new") == Answer()
    assert (await table.loaded(await table.newest())).match.terms.clock is None


async def test_a_place_says_by_which_clock_its_boards_tell_when_time_ends(table: Table) -> None:
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
    match_id = await table.begin(anna, ben, words="othello 1d")
    everybody = "10 Sept, 01:46 UTC"

    async def shown() -> str:
        lounge = await places.place(table.app.store, table.lounge.id)
        reader = table.app.readers.for_place(lounge)
        return (await table.app.screens.match(await table.loaded(match_id), reader, seat=None)).text

    assert everybody in await shown()
    mia = await manager(table)
    question = await mia.types("/here zone")
    (berlin,) = [one for label, one in buttons(question).items() if label.startswith("Berlin ")]
    assert not (await mia.presses(berlin)).refused
    assert "Time zone: Berlin" in buttons(await mia.types("/here"))
    assert "10 Sept, 03:46 CEST" in await shown()
    assert "Time zone: Tokyo" in buttons(await mia.types("/here zone Tokio"))
    assert "10 Sept, 10:46 JST" in await shown()
    # People with a time zone read their local time.
    await anna.types("/quiet New_York")
    assert "9 Sept, 21:46 EDT" in (await table.screen(match_id, anna)).text
    refused = await mia.types("/here zone Atlantis")
    assert refused.refused
    assert said(refused) == mia.says("error-zone-unknown", town="Atlantis", before="/here zone ")
    for none in ("off", "utc"):
        assert not (await mia.types("/here zone Berlin")).refused
        assert not (await mia.types(f"/here zone {none}")).refused
        assert everybody in await shown()
