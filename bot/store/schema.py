"""The tables. Times are Unix seconds. A change needs a migration and a new `REVISION`."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    MetaData,
    Sequence,
    Table,
    UniqueConstraint,
    and_,
    text,
)
from sqlalchemy.schema import SchemaItem

from bot.domain.model import Status
from bot.store.database.dialect import LongText, String
from bot.store.database.dialect import Whole as Integer

REVISION = "v0008"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table(name: str, *items: SchemaItem) -> Table:
    """Return a table with these columns, keys and indexes."""
    return Table(name, metadata, *items)


def numbered_table(name: str, *items: SchemaItem) -> Table:
    """Return a table with ids. They are never reused: buttons and chats may refer to old rows."""
    ids = Column("id", Integer, primary_key=True)
    return Table(name, metadata, ids, *items, sqlite_autoincrement=True)


def owner(column: str) -> ForeignKey:
    """Return a reference to a row. When that row is deleted, this one is, too."""
    return ForeignKey(column, ondelete="CASCADE")


def index_where(condition: str, name: str, *columns: str) -> Index:
    """Return an index of the rows that meet a condition in SQL."""
    where = text(condition)
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


users = numbered_table(
    "users",
    Column("name", String(64), nullable=False),
    Column("language", String(8)),
    Column("settings", JSON, nullable=False),
    Column("created", Integer, nullable=False),
    # Last presence of a web user who has never played.
    Column("idle_since", Integer),
    Column("active", Integer),
    # The place of that activity.
    Column("active_in", Integer),
    # Set while a deleted account has active matches.
    Column("leaving_since", Integer),
    index_where("leaving_since IS NOT NULL", "ix_users_leaving_since", "leaving_since"),
    index_where("idle_since IS NOT NULL", "ix_users_idle_since", "idle_since"),
)

USER = (users.c.id, users.c.name, users.c.language, users.c.settings)
"""The columns of a `bot.domain.model.User`."""

identities = table(
    "identities",
    Column("platform", String(16), primary_key=True),
    Column("external", String(128), primary_key=True),
    Column("user_id", owner("users.id"), nullable=False, index=True),
    Column("handle", String(64)),
    # On the web, equal for names that look alike, or differ by digits (`bot.domain.lookalikes`).
    Column("skeleton", String(640)),
    Column("letters", String(640)),
    UniqueConstraint("platform", "handle"),
    Index("uq_identities_platform_skeleton", "platform", "skeleton", unique=True),
    Index("uq_identities_platform_letters", "platform", "letters", unique=True),
)

blocks = table(
    "blocks",
    Column("blocker_id", owner("users.id"), primary_key=True),
    Column("blocked_id", owner("users.id"), primary_key=True, index=True),
    Column("at", Integer, nullable=False),
)

# Blocks of deleted accounts, known by a keyed hash (`bot.store.tombstones`).
erased_blocks = numbered_table(
    "erased_blocks",
    Column("blocker_id", owner("users.id"), nullable=False),
    Column("trace", String(64), nullable=False, index=True),
    Column("at", Integer, nullable=False),
    UniqueConstraint("blocker_id", "trace"),
)

# Unaccepted challenges by deleted accounts: `trace` until they return, then `challenger_id`.
erased_challenges = table(
    "erased_challenges",
    Column("id", Integer, primary_key=True),
    Column("trace", String(64), index=True),
    Column("challenger_id", owner("users.id"), index=True),
    Column("opponent_id", owner("users.id"), nullable=False, index=True),
    Column("at", Integer, nullable=False, index=True),
)

# Puzzles tried by deleted accounts: `trace` until they return, then `user_id`.
erased_attempts = table(
    "erased_attempts",
    Column("id", Integer, primary_key=True),
    Column("trace", String(64), index=True),
    Column("user_id", owner("users.id")),
    Column("puzzle_id", owner("puzzles.id"), nullable=False, index=True),
    Index("ix_erased_attempts_user_id_puzzle_id", "user_id", "puzzle_id"),
)

sessions = numbered_table(
    "sessions",
    Column("user_id", owner("users.id"), nullable=False, index=True),
    # SHA-256 of the secret in the cookie.
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("label", String(64), nullable=False),
    Column("made", Integer, nullable=False),
    Column("seen", Integer, nullable=False),
    Column("ended", Integer),
    # Until when its browser shows a page, unless that is said again.
    Column("visible_until", Integer, nullable=False, server_default="0"),
)

# One-time codes that log in another browser.
session_codes = table(
    "session_codes",
    Column("session_id", owner("sessions.id"), primary_key=True),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("made", Integer, nullable=False),
)

# Where the browser of a session receives notifications. Both keys are in base64url.
push_subscriptions = table(
    "push_subscriptions",
    Column("session_id", owner("sessions.id"), primary_key=True),
    Column("endpoint", String(1024), nullable=False, unique=True),
    Column("p256dh", String(128), nullable=False),
    Column("auth", String(32), nullable=False),
    # The last notifications, so that none is sent twice.
    Column("sent", String(256), nullable=False, server_default=""),
)

places = numbered_table(
    "places",
    Column("platform", String(16), nullable=False),
    Column("external", String(128), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("community", String(64)),
    Column("title", String(128), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Integer, nullable=False),
    UniqueConstraint("platform", "external"),
    Index("ix_places_platform_community", "platform", "community"),
)

matches = numbered_table(
    "matches",
    # Proves that a user was given the match: ids can be guessed.
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("setup", LongText, nullable=False),
    Column("status", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    # The first version with the present moves and meaning of buttons.
    Column("stands_since", Integer, nullable=False, server_default="1"),
    # A bit mask of the seats to move (1: seat 0).
    Column("turn", Integer, nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    Column("challenger_id", ForeignKey("users.id"), nullable=False),
    Column("opponent_id", ForeignKey("users.id")),
    Column("wish", Integer, key="preferred_seat"),
    Column("expires", Integer),
    Column("ending", String(16)),
    Column("ended_by", Integer),
    Column("outcome", JSON(none_as_null=True)),
    # When it was found to be unreadable.
    Column("aside", Integer),
    Column("news", Integer, nullable=False, server_default="1"),
    Column("news_by", Integer),
    # Whom a challenge waits for, if unknown: platform, colon, case-folded username.
    Column("held_for", String(96), index=True),
    Column("offers", JSON(none_as_null=True)),
    # Without a running clock: when to check it, and the wait for a move (`bot.domain.waits.Wait`).
    Column("look_at", Integer),
    Column("step_at", Integer),
    Column("nudge_from", Integer),
    Column("nudged", Integer),
    Column("warned", Integer),
    Column("stale", Integer),
    # The class in which it is rated (`bot.domain.terms.rating_class`), or NULL.
    Column("rated", String(64)),
    Column("takebacks", Boolean),
    Column("hints", Boolean),
    # The clock, the seconds of each seat at `turn_since`, and when the player to move times out.
    Column("clock", String(32)),
    Column("banks", JSON(none_as_null=True)),
    Column("turn_since", Integer),
    Column("due", Integer),
    # When to remind the player to move, and the version that last did.
    Column("remind_at", Integer),
    Column("reminded", Integer),
    Column("given_back", Integer),
    Column("given_seconds", Integer),
    Column("away", JSON(none_as_null=True)),
    # By seat, the level of a computer. It has no row in `seats`.
    Column("computers", JSON(none_as_null=True)),
    # While a computer has something to do: when it may be claimed.
    Column("work_after", Integer),
    # What started from a position: the headers of a record. Without a computer, it is a study.
    Column("headers", JSON(none_as_null=True)),
    Column("created", Integer, nullable=False),
    Column("updated", Integer, nullable=False),
    Index("ix_matches_place_id_status", "place_id", "status"),
    Index("ix_matches_status_expires", "status", "expires"),
    Index("ix_matches_challenger_id_status", "challenger_id", "status"),
    Index("ix_matches_opponent_id_status", "opponent_id", "status"),
    Index("ix_matches_opponent_id_created", "opponent_id", "created"),
    Index("ix_matches_challenger_id_created", "challenger_id", "created"),
    index_where("due IS NOT NULL", "ix_matches_due", "due"),
    index_where("work_after IS NOT NULL", "ix_matches_work_after", "work_after"),
    index_where("remind_at IS NOT NULL", "ix_matches_remind_at", "remind_at"),
    index_where("look_at IS NOT NULL", "ix_matches_look_at", "look_at"),
)

IS_STUDY = and_(matches.c.headers.is_not(None), matches.c.computers.is_(None))
IS_ACTIVE = and_(matches.c.status == Status.RUNNING.value, matches.c.aside.is_(None))
"""Running, and readable."""

seats = table(
    "seats",
    Column("match_id", owner("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
)

moves = table(
    "moves",
    Column("match_id", owner("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("notation", String(64), nullable=False),
    Column("at", Integer, nullable=False),
    Column("taken_back", Integer),
)

# Analyses. `found` has a `bot.domain.analysis.Judgement` of each move so far.
analyses = table(
    "analyses",
    Column("match_id", owner("matches.id"), primary_key=True),
    Column("asked", Integer, nullable=False),
    # Until it is done: the user, or a keyed hash of an unregistered one.
    Column("asked_by", ForeignKey("users.id", ondelete="SET NULL")),
    Column("asked_by_stranger", String(64)),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("found", JSON, nullable=False),
    Column("work_after", Integer),
    index_where("work_after IS NOT NULL", "ix_analyses_work_after", "work_after"),
    index_where("asked_by IS NOT NULL", "ix_analyses_asked_by", "asked_by"),
)

# Users, or unregistered ones in a place (NULL), to whom an analysis is still to be sent.
# Their ids are in the keys of messages.
analysis_requests = numbered_table(
    "analysis_requests",
    Column("match_id", owner("matches.id"), nullable=False, index=True),
    Column("place_id", owner("places.id"), nullable=False, index=True),
    Column("platform", String(16), nullable=False),
    Column("user_id", owner("users.id"), index=True),
    Column("at", Integer, nullable=False),
)

# Games that their players show to anyone with the code (`bot.matches.sharing`).
shares = table(
    "shares",
    Column("match_id", owner("matches.id"), primary_key=True),
    # NULL once it was taken back.
    Column("code", String(32), unique=True),
    # Who shared it, or took it back.
    Column("user_id", owner("users.id"), nullable=False, index=True),
    Column("at", Integer, nullable=False),
    # The seats that agree to show their names.
    Column("first_named", Boolean, nullable=False),
    Column("second_named", Boolean, nullable=False),
)

# Recent views of analyses: the user knows the puzzles of that match.
looks_back = table(
    "looks_back",
    Column("user_id", owner("users.id"), primary_key=True),
    Column("match_id", owner("matches.id"), primary_key=True, index=True),
    Column("at", Integer, nullable=False, index=True),
)

# Positions with one clearly best move. They name no player.
puzzles = table(
    "puzzles",
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("setup", LongText, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("best", String(64), nullable=False),
    Column("line", JSON, nullable=False),
    Column("expectation", Double, nullable=False),
    Column("second", Double, nullable=False),
    Column("match_id", ForeignKey("matches.id", ondelete="SET NULL"), index=True),
    Column("made", Integer, nullable=False),
    # The puzzle's rating (`bot.domain.glicko`).
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer),
    Column("attempts", Integer, nullable=False),
    Index("ix_puzzles_game_rules_value", "game", "rules", "value"),
)

puzzle_attempts = table(
    "puzzle_attempts",
    Column("match_id", owner("matches.id"), primary_key=True),
    Column("user_id", owner("users.id"), nullable=False),
    Column("puzzle_id", owner("puzzles.id"), nullable=False, index=True),
    Column("at", Integer, nullable=False),
    Column("solved", Boolean),
    Column("value", Double),
    Column("value_before", Double),
    Column("value_after", Double),
    UniqueConstraint("user_id", "puzzle_id"),
)

puzzle_ratings = table(
    "puzzle_ratings",
    Column("user_id", owner("users.id"), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

# Partial moves. Steps are joined by full stops.
beginnings = table(
    "beginnings",
    Column("user_id", owner("users.id"), primary_key=True),
    Column("match_id", owner("matches.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("steps", String(64), nullable=False),
)

# Ephemeral replies, deleted with the next one to the same user.
passing = table(
    "passing",
    Column("place_id", owner("places.id"), primary_key=True),
    Column("message", String(64), primary_key=True),
    Column("user_id", owner("users.id"), nullable=False, index=True),
    Column("at", Integer, nullable=False),
)

_IS_BEHIND = "shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL"

boards = numbered_table(
    "boards",
    Column("match_id", owner("matches.id"), nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False, index=True),
    # -1 for spectators: a NULL would not be unique.
    Column("seat", Integer, nullable=False),
    Column("message", String(64)),
    Column("former", String(64)),
    Column("shown", Integer, nullable=False),
    Column("news_shown_at", Integer, nullable=False, server_default="0"),
    Column("wanted", Integer, nullable=False),
    # The last notice, and the one before until it is deleted; versions notified and to notify.
    Column("notice", String(64)),
    Column("former_notice", String(64)),
    Column("notified", Integer, nullable=False),
    Column("news", Integer, nullable=False),
    # The news can wait until then, as the user may be looking.
    Column("notify_after", Integer, nullable=False, server_default="0"),
    # Copied from the place: boards are processed by platform.
    Column("platform", String(16), nullable=False),
    Column("lease_holder", String(32)),
    Column("lease_until", Integer, nullable=False, server_default="0"),
    UniqueConstraint("match_id", "place_id", "seat"),
    CheckConstraint("seat >= -1", name="seat"),
    index_where(_IS_BEHIND, "ix_boards_behind", "platform", "id"),
)

results = table(
    "results",
    Column("match_id", owner("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("game", String(32), nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    # 2 for a win, 1 for a draw. For matches alone the score counts.
    Column("solo", Boolean, nullable=False),
    Column("half_points", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("kind", String(64)),
    Column("moves", Integer, nullable=False, server_default="0"),
    Column("level", Integer),
    Column("at", Integer, nullable=False),
    # Covers all statistics of a user.
    Index(
        "ix_results_of_user",
        *("user_id", "match_id", "seat", "game", "solo", "level", "half_points", "moves"),
    ),
    Index("ix_results_place_id", "place_id"),
)

# `scope`: see `bot.store.standings`. `month`: 202611, or 0 for all.
standings = table(
    "standings",
    Column("scope", String(160), primary_key=True),
    Column("month", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("solo", Boolean, primary_key=True),
    Column("kind", String(64), primary_key=True),
    Column("user_id", owner("users.id"), primary_key=True, index=True),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    # Alone: the fewest points, and those of the last matches, the newest last.
    Column("best", Integer),
    Column("recent", JSON(none_as_null=True)),
    Column("worth", Double, nullable=False),
    # The user hides the record, or the account was deleted.
    Column("hidden", Boolean, nullable=False),
    Index(
        "ix_standings_worth",
        *("scope", "month", "game", "solo", "kind", "hidden", "worth", "user_id", "matches"),
    ),
)

holidays = table(
    "holidays",
    Column("id", Integer, primary_key=True),
    Column("user_id", owner("users.id"), nullable=False, index=True),
    Column("begins", Integer, nullable=False),
    Column("ends", Integer, nullable=False),
)

ratings = table(
    "ratings",
    Column("user_id", owner("users.id"), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("kind", String(64), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
)

# In the order of counting: players are locked while a row is added.
rated_matches = numbered_table(
    "rated_matches",
    Column("match_id", owner("matches.id"), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("first_id", ForeignKey("users.id"), nullable=False),
    Column("second_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("half_points", Integer, nullable=False),
    Column("first_value", Double),
    Column("second_value", Double),
    Column("first_value_before", Double),
    Column("first_deviation_before", Double),
    Column("first_deviation", Double),
    Column("second_value_before", Double),
    Column("second_deviation_before", Double),
    Column("second_deviation", Double),
    Column("at", Integer, nullable=False),
    Index("ix_rated_matches_first_id_second_id_at", "first_id", "second_id", "at"),
)

messages = numbered_table(
    "messages",
    # Rises with every change of any message, so that pages catch up. Never reused.
    Column("stamp", Integer, nullable=False, unique=True),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    Column("author_id", ForeignKey("users.id")),
    Column("board_id", ForeignKey("boards.id", ondelete="SET NULL"), index=True),
    Column("screen", JSON(none_as_null=True)),
    Column("gone", Boolean, nullable=False),
    Column("at", Integer, nullable=False),
    Index("ix_messages_place_id_stamp", "place_id", "stamp"),
    Index("ix_messages_author_id_at", "author_id", "at"),
)

# Boards moved to the bottom of a room, which count as messages.
showings = table(
    "showings",
    Column("id", Integer, primary_key=True),
    Column("user_id", owner("users.id"), nullable=False),
    Column("at", Integer, nullable=False, index=True),
    Index("ix_showings_user_id_at", "user_id", "at"),
)

readings = table(
    "readings",
    Column("user_id", owner("users.id"), primary_key=True),
    Column("place_id", owner("places.id"), primary_key=True, index=True),
    Column("message_id", Integer, nullable=False),
)

announcements = numbered_table(
    "announcements",
    Column("text", String(1000), nullable=False),
    Column("until", Integer, nullable=False),
)

# Where each is posted, until it expires. `begun`: it may have been posted already.
announcement_places = table(
    "announcement_places",
    Column("announcement_id", owner("announcements.id"), primary_key=True),
    Column("place_id", owner("places.id"), primary_key=True),
    Column("platform", String(16), nullable=False),
    Column("begun", Boolean, nullable=False),
    Index("ix_announcement_places_place_id", "place_id"),
)

counters = table(
    "counters",
    Column("name", String(32), primary_key=True),
    Column("value", Integer, nullable=False),
)

# PostgreSQL only. It numbered notifications, and processes of earlier versions still use it.
Sequence("written", metadata=metadata)

OURS = "house"
"""The platform of `key_values` that belong to no front."""


key_values = table(
    "memos",
    Column("platform", String(16), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("value", String(128), nullable=False),
)

inbox = table(
    "inbox",
    Column("platform", String(16), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # NULL once it is handled.
    Column("payload", JSON(none_as_null=True)),
    Column("at", Integer, nullable=False, index=True),
    index_where("payload IS NOT NULL", "ix_inbox_waiting", "platform", "id"),
)

# Processes that share a database, believed to run until then by the server's clock.
processes = table(
    "processes",
    Column("holder", String(32), primary_key=True),
    Column("until", Integer, nullable=False),
)

# The process that serves a shard. The row goes with a dead process.
shards = table(
    "shards",
    Column("platform", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, primary_key=True, autoincrement=False),
    Column("holder", owner("processes.holder"), nullable=False),
    # New each time that a process takes the shard.
    Column("term", String(16), nullable=False),
)
