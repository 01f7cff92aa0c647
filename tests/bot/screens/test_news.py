"""The events of a match, and who is notified."""

from dataclasses import replace

from bot.domain.model import Status
from bot.screens.news import News, news_of, to_tell
from tests.bot.table import Person, Table


async def test_news_are_for_whoever_has_not_made_them(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    running = await table.loaded(match_id)
    await anna.types("/blackbox new")
    alone = await table.loaded(await table.newest())
    # Whose own match it is need not be told that it is their turn in it.
    assert (news_of(alone), to_tell(alone)) == (None, [])
    assert news_of(replace(alone, match=replace(alone.match, status=Status.OVER))) is News.OVER
    withdrawn = replace(running, match=replace(running.match, status=Status.WITHDRAWN))
    assert (news_of(withdrawn), to_tell(withdrawn)) == (None, [])
    for by, told in ((anna.id, [ben.id]), (ben.id, [anna.id]), (None, [anna.id, ben.id])):
        over = replace(running.match, status=Status.OVER, news_by=by)
        assert to_tell(replace(running, match=over)) == told
    for status, news, told in (
        (Status.PROPOSED, News.CHALLENGED, [ben.id]),
        (Status.DECLINED, News.DECLINED, [anna.id]),
        (Status.RUNNING, News.JOINED, [anna.id]),
    ):
        match = replace(running.match, status=status, opponent=ben.id, news_by=None)
        loaded = replace(running, match=match)
        assert (news_of(loaded), to_tell(loaded)) == (news, told)
    open_ = replace(running.match, status=Status.PROPOSED, opponent=None, news_by=None)
    assert to_tell(replace(running, match=open_)) == []
