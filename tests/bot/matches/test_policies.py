"""Settings of places, which threads and topics inherit, and who sees them."""

import pytest

from bot.domain.clocks import PRESETS
from bot.domain.quiet import ZONE
from bot.matches.policies import change, every_setting, settings_of
from bot.store import places
from tests.bot.table import Person, Table


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
        reader = table.app.readers.everybody(fresh)
        assert (reader.theme, reader.zone) == ("dark", "Europe/Berlin")
