"""What must hold after a crash of the core.

The app starts on what was left, unanswered actions are repeated, a move is made, and time passes
until nothing is due. Then the database and the platforms are checked.
"""

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bot.delivery.audience import best_board
from bot.domain.model import ERASED, UNSURE, Status, is_reference
from bot.screens.news import users_to_notify
from bot.store import boards, people, places
from tests.databases import ask
from tools.attack.players import secrets_of
from tools.attack.records import Records
from tools.faults.core_app import CHALLENGE_HOURS, CoreApp, Snapshot
from tools.faults.platforms import Platform
from tools.faults.report import Findings
from tools.faults.scenario import Scenario

_EXPECTED_ERROR = "match cannot be replayed"
"""Logged in the step with a damaged match."""


@dataclass(frozen=True, slots=True)
class _Unknown:
    """What a platform had at the crash and the database did not know."""

    messages: frozenset[str]
    notified: frozenset[tuple[str, int, int]]
    """Users, matches and versions of which these messages notified."""

    @classmethod
    def at(cls, file: Path, platform: Platform) -> "_Unknown":
        existing = {row[0] for row in ask(file, "SELECT id FROM boards")}
        messages = frozenset(
            message
            for message in _unknown_messages(file, platform)
            # The message of a deleted board was known before.
            if message not in platform.posts or platform.posts[message].board in existing
        )
        return cls(
            messages, frozenset(one.about for one in platform.notified if one.message in messages)
        )


async def check_after_crash(state: Snapshot, scenario: Scenario, luck: Random) -> Findings:
    """Restart on what was left, go on, and check."""
    found = Findings()
    unknown = {name: _Unknown.at(state.file, one) for name, one in state.platforms.items()}
    with closing(sqlite3.connect(state.file)) as connection, connection:
        for repair in scenario.repairs:
            connection.execute(repair)
    app = await CoreApp.restarted(state, scenario.app, luck)
    try:
        after = scenario.on(app)
        after.luck = luck
        await _go_on(after)
        found.broken += [problem async for problem in _not_notified(app)]
    finally:
        await app.close()
    found.broken += _stored(state.file, after)
    for name, platform in app.platforms.items():
        found.broken += _shown(state.file, platform, found.unavoidable)
        found.broken += _left_behind(state.file, platform, unknown[name], found.unavoidable)
        found.broken += _notified_twice(platform, unknown[name], found.unavoidable)
    return found


async def _go_on(scenario: Scenario) -> None:
    await scenario.app.settle()
    for pending in list(scenario.pending):
        await scenario.repeat(pending)
        await scenario.app.settle()
    for name in reversed(scenario.matches):
        if (await scenario.loaded(name)).match.status is Status.RUNNING:
            await scenario.play(name)
            break
    for platform in scenario.app.platforms.values():
        platform.closed.clear()
    # Postponed boards become due, then challenges expire.
    await scenario.wait(7 * 3600)
    await scenario.wait(CHALLENGE_HOURS * 3600)


# --- the database ---------------------------------------------------------------------------


def _stored(file: Path, scenario: Scenario) -> Iterator[str]:
    records = Records.read(file, counts=False)
    for problem in records.problems:
        yield f"the database is intact and replays: {problem}"
    for move in records.lost(scenario.acknowledged):
        yield f"every acknowledged move is stored once: {move}"
    for (match,) in ask(file, "SELECT id FROM matches WHERE status = 'proposed'"):
        yield f"challenges expire: match {match}"
    unfinished = "work_after IS NOT NULL OR done < total"
    for (match,) in ask(file, f"SELECT match_id FROM analyses WHERE {unfinished}"):
        yield f"analyses are finished: match {match}"


def logged_problems(file: Path, logged: Collection[Mapping[str, Any]]) -> Iterator[str]:
    """Yield secrets and errors in the log."""
    text = "\n".join(map(str, logged))
    if any(secret in text for secret in secrets_of(file)):
        yield "no secret is logged"
    for entry in logged:
        if entry.get("log_level") in ("error", "critical") and entry["event"] != _EXPECTED_ERROR:
            yield f"no error is logged: {entry}"


# --- boards and messages --------------------------------------------------------------------


def _unknown_messages(file: Path, platform: Platform) -> set[str]:
    """Return the messages of a platform that the database does not know."""
    query = f"""
        SELECT message, former, notice, former_notice FROM boards
        WHERE platform = '{platform.platform}'
    """
    known = {message for row in ask(file, query) for message in row}
    posted = platform.posts.keys() | platform.notices
    return posted - known - platform.unconfirmed - platform.announcements


def _shown(file: Path, platform: Platform, unavoidable: Counter[str]) -> Iterator[str]:
    """Check that each board shows the current version of its match."""
    query = f"""
        SELECT boards.id, boards.match_id, boards.place_id, boards.message, matches.version,
        shown < wanted OR notified < boards.news OR former IS NOT NULL OR former_notice IS NOT NULL
        FROM boards JOIN matches ON matches.id = match_id
        WHERE boards.platform = '{platform.platform}'
    """
    for board, match, place, message, version, is_due in ask(file, query):
        what = f"{platform.platform}, board {board} of match {match}"
        if place in platform.gone:
            continue
        if is_due:
            yield f"nothing is left to do: {what}"
        if message == UNSURE:
            unavoidable[f"{platform.platform}: a board that may or may not exist"] += 1
        elif not is_reference(message):
            continue
        elif (post := platform.posts.get(message)) is None:
            yield f"boards are current: {what} does not exist"
        elif post.version != version:
            yield f"boards are current: {what} is at {post.version} of {version}"


def _left_behind(
    file: Path, platform: Platform, unknown: _Unknown, unavoidable: Counter[str]
) -> Iterator[str]:
    """Check that the database knows every message."""
    query = f"SELECT id FROM places WHERE external LIKE '{ERASED}%'"
    deleted = {place for (place,) in ask(file, query)}
    for message in sorted(_unknown_messages(file, platform)):
        post = platform.posts.get(message)
        if post and post.place in deleted:
            unavoidable[f"{platform.platform}: a board of a deleted account"] += 1
        elif platform.medium.repeats and message in unknown.messages:
            kind = "a board" if post else "a notification"
            unavoidable[f"{platform.platform}: {kind} that is not stored"] += 1
        else:
            yield f"no message is left behind: {platform.platform}, {message}: {post}"


# --- notifications --------------------------------------------------------------------------


def _notified_twice(
    platform: Platform, unknown: _Unknown, unavoidable: Counter[str]
) -> Iterator[str]:
    counts = Counter(
        one.about for one in platform.notified if one.message not in platform.unconfirmed
    )
    for about, number in counts.items():
        if number == 2 and platform.medium.repeats and about in unknown.notified:
            unavoidable[f"{platform.platform}: notified twice"] += 1
        elif number > 1:
            yield f"no user is notified twice: {platform.platform}, {about}, {number} times"


async def _not_notified(app: CoreApp) -> AsyncIterator[str]:
    """Yield the news of which a user was not notified."""
    store, policies = app.app.store, app.app.policies
    for match_id in sorted(_candidates(app)):
        loaded = await app.loaded(match_id)
        shown = await boards.of_match(store, match_id)
        where = [(board, await places.place(store, board.place_id)) for board in shown]
        where = [one for one in where if not await policies.is_blocked(one[1])]
        for name, platform in app.platforms.items():
            if not platform.medium.notifies:
                continue
            reachable = await people.reachable(store, name, users_to_notify(loaded))
            for user, one in reachable.items():
                by = {name: one.external}
                if best_board(where, by) is None:
                    continue
                if _notified_of(platform, one.external, match_id) < loaded.match.news:
                    yield f"every user is notified: {name}, user {user}, {loaded.match}"


def _candidates(app: CoreApp) -> set[int]:
    """Return the matches of whose news a player was perhaps not notified."""
    query = """
        SELECT matches.id, matches.news, identities.platform, identities.external
        FROM matches JOIN identities ON identities.user_id IN (
            SELECT user_id FROM seats WHERE seats.match_id = matches.id
            UNION SELECT matches.challenger_id UNION SELECT matches.opponent_id
        ) WHERE identities.user_id IS NOT matches.news_by
    """
    return {
        match
        for match, news, name, external in ask(app.file, query)
        if app.platforms[name].medium.notifies
        and _notified_of(app.platforms[name], external, match) < news
    }


def _notified_of(platform: Platform, external: str, match: int) -> int:
    """Return the newest version of a match of which a user was notified."""
    about = (one.about for one in platform.notified)
    return max((version for *of, version in about if of == [external, match]), default=0)
