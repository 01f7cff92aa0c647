"""Boards and policies: what may be shown where, and what a pressed message is."""

from functools import partial

import pytest

from bot.cli import hosting
from bot.domain.clocks import PRESETS
from bot.domain.errors import Refused
from bot.domain.quiet import ZONE
from bot.matches import boards as match_boards
from bot.matches.boards import Relation
from bot.matches.policies import change, every_setting, settings_of
from bot.store import boards, places
from tests.bot.table import Person, Table


async def test_what_is_brought_into_a_place_follows_its_rules_and_what_is_there_stays(
    table: Table, anna: Person, ben: Person
) -> None:
    app, store = table.app, table.app.store
    match_id = await table.begin(anna, ben)
    await table.settle()
    garden, den = await table.channel("garden"), await table.channel("den")
    loaded, changed = await table.loaded(match_id), app.changed.listen()
    table.wall.told.clear()
    await match_boards.show(app.matches, loaded, garden, user_id=anna.id)
    assert changed.is_set()
    await table.settle()
    assert table.wall.told == []
    # Players count as notified in the old place, unless the caller says otherwise.
    await match_boards.show(app.matches, loaded, anna.direct, user_id=anna.id)
    await table.settle()
    assert table.wall.told == []
    other = await table.loaded(await table.begin(anna, ben))
    await table.settle()
    table.wall.told.clear()
    await match_boards.show(app.matches, other, anna.direct, user_id=anna.id, is_told=False)
    await table.settle()
    assert [place for place, _ in table.wall.told] == [anna.direct.id]
    for room in ("lounge", "garden", "den"):
        await hosting.set_place_setting(store, f"web:{room}", "game-othello", "off")
    await app.on_remote_change()
    for place in (table.lounge, garden):
        await match_boards.check(app.matches, loaded, place)
        await match_boards.show(app.matches, loaded, place, user_id=anna.id)
    with pytest.raises(Refused):
        await match_boards.check(app.matches, loaded, den)
    with pytest.raises(Refused):
        await match_boards.show(app.matches, loaded, den, user_id=anna.id)
    assert await boards.of_match(store, match_id, place_id=den.id) == []
    assert await places.place_called(store, "web", "den") is not None


async def test_what_a_message_is_that_somebody_touches_is_said_by_what_is_stored_of_it(
    table: Table, anna: Person, ben: Person
) -> None:
    app, lounge = table.app, table.lounge
    match_id = await table.begin(anna, ben)
    recognise = partial(match_boards.recognise, app.matches, match_id)
    # The board is being posted, and a press comes before its id is stored.
    assert await recognise(lounge, "m7", carries=True) is Relation.BOARD
    assert await recognise(lounge, "m7", carries=False) is Relation.FOREIGN
    await table.settle()
    (message,) = table.wall.posts
    for carries in (True, False):
        assert await recognise(lounge, message, carries=carries) is Relation.BOARD
    assert await recognise(lounge, "m7", carries=True) is Relation.LEFT_BEHIND
    assert await recognise(lounge, "m7", carries=False) is Relation.FOREIGN
    # Nothing is known of it elsewhere, which may be a message that was handed on.
    garden = await table.channel("garden")
    assert await recognise(garden, "m7", carries=True) is Relation.BOARD


async def test_a_topic_follows_whatever_can_be_set_for_its_group(table: Table) -> None:
    store = table.app.store
    topic = await table.channel("lounge/4")
    topic = await places.change_place(store, topic.id, settings={"parent": "lounge"})
    chosen = {key: values[-1] for key, values in every_setting("discord").items()}
    chosen |= {ZONE: "Europe/Berlin", "begin": "role-77"}
    await change(store, table.lounge, chosen)
    topic = await places.place(store, topic.id)
    now = {**topic.settings, **await settings_of(store, topic)}
    assert {key: now.get(key) for key in chosen} == chosen
    # What it has set itself it keeps.
    own = {"theme": "light", "clock": PRESETS[0], ZONE: "Asia/Tokyo"}
    topic = await change(store, topic, own)
    around = await places.place(store, table.lounge.id)
    await change(store, around, {"theme": "auto", "clock": "off", ZONE: ""})
    topic = await places.place(store, topic.id)
    now = {**topic.settings, **await settings_of(store, topic)}
    assert {key: now[key] for key in own} == own


async def test_what_is_no_setting_of_a_place_is_not_changed(table: Table) -> None:
    with pytest.raises(KeyError):
        await change(table.app.store, table.lounge, {"theme": "dark", "colour": "red"})
    assert (await places.place(table.app.store, table.lounge.id)).settings == {}


async def test_boards_of_a_place_and_of_its_topics_take_its_colours_and_its_time_at_once(
    table: Table, anna: Person, ben: Person
) -> None:
    mia = await table.arrive("Mia")
    mia.can_manage = True
    topic = await table.channel("lounge/4")
    await places.change_place(table.app.store, topic.id, settings={"parent": "lounge"})
    match_id = await table.begin(anna, ben, words="othello 1d")
    await anna.types(f"/board {match_id}", place=topic)
    await anna.types("/board", place=anna.direct)
    for line in ("/here theme dark", "/here zone Berlin"):
        await table.settle()
        table.wall.shown.clear()
        await mia.types(line)
        await table.settle()
        shown = sorted((post.match, post.place) for post in table.wall.shown)
        assert shown == [(match_id, table.lounge.id), (match_id, topic.id)], line
    for place in (table.lounge, topic):
        fresh = await places.place(table.app.store, place.id)
        reader = table.app.readers.for_place(fresh)
        assert (reader.theme, reader.zone) == ("dark", "Europe/Berlin")
