"""Export and delete all data of a user."""

import json
import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    Text,
    and_,
    case,
    cast,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    update,
)

from bot.domain.marks import mark
from bot.domain.model import ERASED, Place, PlaceKind, Status, is_reference
from bot.store import key_values, rooms, traces
from bot.store.boards import ANEW, CAN_BE_ANEW
from bot.store.engine import Store, now, reads, writes
from bot.store.match_queries import held_for
from bot.store.matches import Ended, end_challenges, give_up
from bot.store.places import PLACE
from bot.store.ratings import NOTED
from bot.store.schema import (
    OURS,
    analyses,
    analysis_requests,
    announcement_places,
    beginnings,
    blocks,
    boards,
    erased_attempts,
    erased_blocks,
    erased_challenges,
    holidays,
    identities,
    looks_back,
    matches,
    messages,
    moves,
    passing,
    places,
    puzzle_attempts,
    puzzle_ratings,
    puzzles,
    rated_matches,
    ratings,
    readings,
    results,
    seats,
    showings,
    standings,
)
from bot.store.schema import sessions as sessions_table
from bot.store.schema import users as users_table
from bot.store.standings import hide
from bot.store.times import is_ahead
from bot.support.platforms import WEB

_OF_BOTH = frozenset(column.name for side in NOTED for column in side)
_A_DAY = 24 * 3600
_AT_ONCE = 2000
_ERASURES = "erasures"
_OF_PUZZLES = ("game", "options")


def _is_idle(before: int) -> ColumnElement[bool]:
    waits = and_(
        matches.c.status == Status.PROPOSED.value,
        or_(
            matches.c.challenger_id == users_table.c.id,
            matches.c.opponent_id == users_table.c.id,
        ),
    )
    return and_(
        users_table.c.idle_since < before,
        ~exists().where(seats.c.user_id == users_table.c.id),
        ~exists().where(waits),
    )


@reads
def idlers(connection: Connection, *, before: int, limit: int) -> list[int]:
    """Return users who never played, have no challenges, and were last here `before`."""
    query = select(users_table.c.id).where(_is_idle(before))
    query = query.order_by(users_table.c.idle_since, users_table.c.id).limit(limit)
    return list(connection.execute(query).scalars())


def _is_implausible(user_id: int, *, now: int) -> ColumnElement[bool]:
    """Return whether an earlier user was created after this one's `idle_since`: a wrong clock."""
    earlier = users_table.alias("earlier")
    them = select(users_table.c.idle_since).where(users_table.c.id == user_id).scalar_subquery()
    came_later = and_(earlier.c.created > them + _A_DAY, ~is_ahead(earlier.c.created, now=now))
    return exists().where(earlier.c.id < user_id, came_later)


@writes(alone=True)
def forget_idler(connection: Connection, user_id: int, *, before: int, name: str) -> bool:
    """Delete a user if still idle; return whether this was done. A wrong time is corrected."""
    query = select(users_table.c.id).where(users_table.c.id == user_id, _is_idle(before))
    # They may have played or come back since. Other writers are locked out now.
    if connection.execute(query).first() is None:
        return False
    is_implausible = select(_is_implausible(user_id, now=now(connection)))
    if connection.execute(is_implausible).scalar_one():
        mended = update(users_table).where(users_table.c.id == user_id)
        connection.execute(mended.values(idle_since=now(connection)))
        return False
    _forget(connection, user_id, name=name, now=now(connection))
    connection.execute(
        delete(users_table).where(users_table.c.id == user_id, ~exists().where(_theirs(user_id)))
    )
    return True


async def erasures(store: Store) -> int:
    """Return how many accounts were deleted. A change makes earlier texts outdated."""
    return int(await key_values.recall(store, OURS, _ERASURES) or 0)


async def export(store: Store, user_id: int) -> dict[str, Any]:
    """Return all data about a user, without secrets, ready for JSON. Raises LookupError."""

    async def rows(query: Any) -> list[dict[str, Any]]:
        return await _plain(store, query)

    found = await rows(select(users_table).where(users_table.c.id == user_id))
    if not found:
        raise LookupError(user_id)
    # Without the solution, which an open attempt must not reveal.
    tried = select(puzzle_attempts, *(puzzles.c[name] for name in _OF_PUZZLES))
    tried = tried.join(puzzles, puzzles.c.id == puzzle_attempts.c.puzzle_id)
    # The setup of a running match may be secret.
    setup = case((matches.c.ending.is_not(None), matches.c.setup)).label("setup")
    return {
        "user": found[0],
        "identities": await rows(
            select(
                identities.c.platform,
                _named(identities.c.platform, identities.c.external),
                identities.c.handle,
            ).where(identities.c.user_id == user_id)
        ),
        "sessions": await rows(
            select(*(column for column in sessions_table.c if column.name != "token_hash")).where(
                sessions_table.c.user_id == user_id
            )
        ),
        # A code opens a challenge to anyone who reads it.
        "matches": await rows(
            select(
                *(column for column in matches.c if column.name not in ("setup", "code")),
                setup,
            ).where(_theirs(user_id))
        ),
        "moves": await rows(
            select(moves)
            .join(
                seats,
                (seats.c.match_id == moves.c.match_id) & (seats.c.seat == moves.c.seat),
            )
            .where(seats.c.user_id == user_id)
        ),
        "places": await rows(
            select(
                *(column for column in places.c if column.name != "external"),
                _named(places.c.platform, places.c.external),
            )
            .join(
                identities,
                (identities.c.platform == places.c.platform)
                & (identities.c.external == places.c.external),
            )
            .where(identities.c.user_id == user_id, places.c.kind == PlaceKind.DIRECT.value)
        ),
        # Who has blocked the user is not disclosed.
        "blocks": await rows(select(blocks).where(blocks.c.blocker_id == user_id)),
        "blocks of people who were erased": await rows(
            select(*(column for column in erased_blocks.c if column.name != "trace")).where(
                erased_blocks.c.blocker_id == user_id
            )
        ),
        "challenges before being erased": await rows(
            select(*(column for column in erased_challenges.c if column.name != "trace")).where(
                erased_challenges.c.challenger_id == user_id
            )
        ),
        "holidays": await rows(select(holidays).where(holidays.c.user_id == user_id)),
        "results": await rows(select(results).where(results.c.user_id == user_id)),
        "standings": await rows(select(standings).where(standings.c.user_id == user_id)),
        "ratings": await rows(select(ratings).where(ratings.c.user_id == user_id)),
        "rated matches": await rows(
            select(
                *(column for column in rated_matches.c if column.name not in _OF_BOTH),
                *(
                    case((rated_matches.c.first_id == user_id, one), else_=other).label(
                        one.name.removeprefix("first_")
                    )
                    for one, other in zip(*NOTED, strict=True)
                ),
            ).where(
                or_(
                    rated_matches.c.first_id == user_id,
                    rated_matches.c.second_id == user_id,
                )
            )
        ),
        "puzzles": await rows(tried.where(puzzle_attempts.c.user_id == user_id)),
        "puzzles before being erased": await rows(
            select(*(column for column in erased_attempts.c if column.name != "trace")).where(
                erased_attempts.c.user_id == user_id
            )
        ),
        "looks back": await rows(select(looks_back).where(looks_back.c.user_id == user_id)),
        "puzzle ratings": await rows(
            select(puzzle_ratings).where(puzzle_ratings.c.user_id == user_id)
        ),
        "messages": await rows(select(messages).where(messages.c.author_id == user_id)),
        "boards shown in rooms": await rows(select(showings).where(showings.c.user_id == user_id)),
        "readings": await rows(select(readings).where(readings.c.user_id == user_id)),
        "beginnings": await rows(select(beginnings).where(beginnings.c.user_id == user_id)),
        "analyses": await rows(
            select(*(column for column in analyses.c if column.name != "asked_by_stranger")).where(
                analyses.c.asked_by == user_id
            )
        ),
        "requested analyses": await rows(
            select(analysis_requests).where(analysis_requests.c.user_id == user_id)
        ),
        "answers to be taken away": await rows(select(passing).where(passing.c.user_id == user_id)),
    }


def _named(platform: Any, external: Any) -> Any:
    return case((platform != WEB.name, external)).label("external")


async def _plain(store: Store, query: Any) -> list[dict[str, Any]]:
    """Read rows in pages, so that other readers get their turn. Later changes may be missed."""
    plain: list[dict[str, Any]] = []
    ordered = query.order_by(text("1, 2")).limit(_AT_ONCE)
    while len(plain) % _AT_ONCE == 0:
        page = await _page(store, ordered.offset(len(plain)))
        if not page:
            break
        plain += page
    return plain


@reads
def _page(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _theirs(user_id: int) -> ColumnElement[bool]:
    return or_(
        matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == user_id)),
        matches.c.challenger_id == user_id,
        matches.c.opponent_id == user_id,
    )


@reads
def belongings(connection: Connection, user_id: int) -> tuple[int, int, int]:
    """Return how many running matches, results and messages a deletion affects."""
    running = (
        select(func.count())
        .select_from(matches)
        .join(seats)
        .where(seats.c.user_id == user_id, matches.c.status == Status.RUNNING.value)
    )
    played = select(func.count()).select_from(results).where(results.c.user_id == user_id)
    theirs = and_(messages.c.author_id == user_id, ~rooms.is_answer)
    said = select(func.count()).select_from(messages).where(theirs)
    query = select(*(part.scalar_subquery() for part in (running, played, said)))
    first, second, third = connection.execute(query).one()
    return first, second, third


@reads
def messages_to_go(connection: Connection, user_id: int) -> list[tuple[Place, str]]:
    """Return the messages to delete with an account: direct boards and ephemeral replies."""
    direct = and_(
        places.c.platform == identities.c.platform,
        places.c.external == identities.c.external,
        places.c.kind == PlaceKind.DIRECT.value,
    )
    query = (
        select(*PLACE, boards.c.message, boards.c.former, boards.c.notice, boards.c.former_notice)
        .join_from(identities, places, direct)
        .join(boards, boards.c.place_id == places.c.id)
        .where(identities.c.user_id == user_id)
    )
    answers = select(*PLACE, passing.c.message).join_from(passing, places)
    answers = answers.where(passing.c.user_id == user_id)
    found = connection.execute(query).all()
    passes = connection.execute(answers).all()
    shown = [
        (Place(*place), message)
        for *place, board, former, notice, former_notice in found
        for message in (board, former, notice, former_notice)
        if is_reference(message)
    ]
    return shown + [(Place(*place), message) for *place, message in passes]


@writes(alone=True)
def forget(connection: Connection, user_id: int, *, name: str, ended: Sequence[Ended] = ()) -> None:
    """Delete an account: identities, sessions, settings, name and messages.

    Matches, moves and results stay under `name`, as records of the opponents. Matches not in
    `ended` end later (`leaving`). Some data is kept for a new account of the same person
    (`bot.store.traces`). Raises LookupError, or `StaleBoard` if a match has changed.
    """
    give_up(connection, user_id, ended, now=now(connection))
    _forget(connection, user_id, name=name, now=now(connection))


@reads
def leaving(connection: Connection) -> list[int]:
    """Return deleted users who still have active matches, the earliest first."""
    since = users_table.c.leaving_since
    query = select(users_table.c.id).where(since.is_not(None)).order_by(since, users_table.c.id)
    return list(connection.execute(query).scalars())


@writes()
def leave(connection: Connection, user_id: int, ended: Sequence[Ended]) -> None:
    """End matches of a deleted account, or note that none is left. Raises `StaleBoard`."""
    give_up(connection, user_id, ended, now=now(connection))
    if not ended:
        them = users_table.c.id == user_id
        connection.execute(update(users_table).where(them).values(leaving_since=None))


def _forget(connection: Connection, user_id: int, *, name: str, now: int) -> None:
    theirs = _theirs(user_id)
    query = select(users_table.c.name).where(users_table.c.id == user_id)
    known = connection.execute(query).scalar_one_or_none()
    if known is None:
        raise LookupError(user_id)
    held = list(connection.execute(held_for(user_id)).scalars())
    theirs = or_(theirs, matches.c.id.in_(held))
    made = matches.c.challenger_id == user_id
    dropped = update(matches).where(matches.c.held_for.is_not(None))
    connection.execute(dropped.where(or_(matches.c.id.in_(held), made)).values(held_for=None))
    traces.keep(connection, user_id, now=now)
    _forget_direct_places(connection, user_id)
    rooms.forget_author(connection, user_id)
    _rename_in_answers(connection, user_id, known=known, name=name)
    own = (identities, sessions_table, readings, beginnings, passing, holidays, looks_back)
    for table in (*own, showings, puzzle_ratings, analysis_requests):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    # Boards still show that it was a puzzle, but no rating.
    tried = update(puzzle_attempts).where(puzzle_attempts.c.user_id == user_id)
    connection.execute(tried.values(value_before=None, value_after=None))
    # A requested analysis goes on: it belongs to the match.
    asked = update(analyses).where(analyses.c.asked_by == user_id)
    connection.execute(asked.values(asked_by=None))
    connection.execute(
        delete(blocks).where(or_(blocks.c.blocker_id == user_id, blocks.c.blocked_id == user_id))
    )
    connection.execute(
        update(users_table)
        .where(users_table.c.id == user_id)
        .values(
            name=name,
            language=None,
            settings={},
            idle_since=None,
            active=None,
            active_in=None,
            leaving_since=case((_is_seated(user_id), now)),
        )
    )
    hide(connection, user_id, hidden=True)
    end_challenges(connection, theirs, gone=user_id, now=now)
    erased = int(key_values.value_of(connection, OURS, _ERASURES) or 0)
    key_values.put(connection, OURS, _ERASURES, str(erased + 1))
    connection.execute(
        update(boards)
        .where(boards.c.match_id.in_(select(matches.c.id).where(theirs)), CAN_BE_ANEW)
        .values(shown=ANEW)
    )


def _is_seated(user_id: int) -> ColumnElement[bool]:
    return exists().where(
        seats.c.user_id == user_id,
        matches.c.id == seats.c.match_id,
        matches.c.status == Status.RUNNING.value,
        matches.c.aside.is_(None),
    )


def _rename_in_answers(connection: Connection, user_id: int, *, known: str, name: str) -> None:
    """Reload answers with the user's mark, and replace the name in those of older versions."""
    answers = rooms.is_answer & messages.c.screen.is_not(None)
    written = cast(messages.c.screen, Text)
    query = select(messages.c.id, messages.c.screen).where(
        answers, written.contains(f". {json.dumps(known)[1:-1]}: ", autoescape=True)
    )
    entry = re.compile(rf"^(\d+\. ){re.escape(known)}(?=: )", re.MULTILINE)
    for row in connection.execute(query).all():
        renamed = entry.sub(lambda found: f"{found[1]}{name}", row.screen.get("text", ""))
        if renamed != row.screen.get("text", ""):
            connection.execute(
                update(messages)
                .where(messages.c.id == row.id)
                .values(screen={**row.screen, "text": renamed})
            )
            rooms.stamp_anew(connection, messages.c.id == row.id)
    marked = written.contains(json.dumps(mark(user_id))[1:-1], autoescape=True)
    rooms.stamp_anew(connection, answers & marked)


def _forget_direct_places(connection: Connection, user_id: int) -> None:
    own = select(identities.c.platform, identities.c.external).where(
        identities.c.user_id == user_id
    )
    for platform, external in connection.execute(own).all():
        direct = select(places.c.id).where(
            places.c.platform == platform,
            places.c.kind == PlaceKind.DIRECT.value,
            places.c.external == external,
        )
        rooms.erase(connection, messages.c.place_id.in_(direct))
        for table in (boards, announcement_places, analysis_requests):
            connection.execute(delete(table).where(table.c.place_id.in_(direct)))
        connection.execute(
            update(places)
            .where(places.c.id.in_(direct))
            .values(external=literal(ERASED) + cast(places.c.id, String), title="", settings={})
        )
