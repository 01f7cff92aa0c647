"""Finished games of a user, as far as a visitor of the rooms may see them."""

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass

from bot.app import App
from bot.delivery.rooms import Message, Rooms, Visitor
from bot.domain.errors import Refused
from bot.domain.model import Match, Place
from bot.matches import history
from bot.matches.history import Wanted as Wanted
from bot.store import people, statistics
from bot.support.texts import Texts


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match from a user's side, with the address of its picture if one is shown."""

    code: str
    title: str
    other: str
    result: str
    at: int
    picture: str | None


async def finished(
    app: App,
    rooms: Rooms,
    visitor: Visitor,
    places: Collection[Place],
    wanted: Wanted,
    *,
    name: str,
    picture: Callable[[Message, int], str],
) -> tuple[list[FinishedMatch], str, int]:
    """List finished matches of `name`, or the visitor, that they may see. Raises `Refused`.

    `picture` returns the address of a message's picture at a version of its match. Return with them
    the visitor's record against the user in words, and `Wanted.before` of the next ones, or 0.
    """
    me, place_ids = visitor.user.id, [place.id for place in places]
    texts = app.readers.person(visitor.user, None, locale=visitor.locale, theme="light").texts
    of, record = visitor.user, None
    if name:
        named = await people.by_handle(app.store, next(iter(places)).platform, name)
        if named is None:
            raise Refused("unknown-username", name=name)
        of = named
    found, before = await history.finished(app.matches, of, wanted, reader=me, place_ids=place_ids)
    if of.id != me:
        record = await statistics.against(app.store, me, of.id)
    listed = [(loaded.match, ended) for loaded, ended in found]
    shown = await rooms.messages_of(visitor, [match.id for match, _ in listed], place_ids)
    names = await app.names.display_names({who for one, _ in listed for who in one.players}, texts)
    games = [
        FinishedMatch(
            match.code,
            title=f"{texts('study-title')} · " * match.is_study + texts(f"{match.game}-name"),
            other=" & ".join(names[who] for who in match.seats if who != of.id),
            result=_result(match, of.id, texts),
            at=ended,
            picture=picture(shown[match.id], match.version) if match.id in shown else None,
        )
        for match, ended in listed
    ]
    against = texts("history-against", **asdict(record)) if record else ""
    return games, against, before


def _result(match: Match, user_id: int, texts: Texts) -> str:
    if match.outcome is None or match.is_study:
        return texts("history-none")
    if len(match.seats) == 1:
        return texts("leaderboard-points", amount=match.outcome.scores[0])
    has_won = match.seat_of(user_id) in match.outcome.winners
    lost = "drawn" if match.outcome.is_draw else "lost-game"
    return texts("web-won" if has_won else f"web-{lost}")
