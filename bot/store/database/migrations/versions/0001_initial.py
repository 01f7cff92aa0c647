"""The tables of release 0.1.0"""

import secrets
from typing import Any

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    text,
)

revision = "v0001"
down_revision = None
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")
_LONG_TEXT = Text().with_variant(Text(collation="C"), "postgresql")

_IS_BEHIND = "shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL"


def _text(length: int) -> String:
    return String(length).with_variant(Text(collation="C"), "postgresql")


def _where(condition: str) -> dict[str, Any]:
    """Return the arguments of a partial index."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def upgrade() -> None:
    op.create_table(
        "announcements",
        Column("id", _INT, primary_key=True),
        Column("text", _text(1000), nullable=False),
        Column("until", _INT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "counters",
        Column("name", _text(32), primary_key=True),
        Column("value", _INT, nullable=False),
    )
    op.create_table(
        "inbox",
        Column("platform", _text(16), primary_key=True),
        Column("id", BigInteger, primary_key=True, autoincrement=False),
        Column("payload", JSON(none_as_null=True)),
        Column("at", _INT, nullable=False, index=True),
        Index("ix_inbox_waiting", "platform", "id", **_where("payload IS NOT NULL")),
    )
    op.create_table(
        "memos",
        Column("platform", _text(16), primary_key=True),
        Column("key", _text(64), primary_key=True),
        Column("value", _text(128), nullable=False),
    )
    op.create_table(
        "places",
        Column("id", _INT, primary_key=True),
        Column("platform", _text(16), nullable=False),
        Column("external", _text(128), nullable=False),
        Column("kind", _text(16), nullable=False),
        Column("community", _text(64)),
        Column("title", _text(128), nullable=False),
        Column("settings", JSON, nullable=False),
        Column("created", _INT, nullable=False),
        UniqueConstraint("platform", "external"),
        Index("ix_places_platform_community", "platform", "community"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "processes",
        Column("holder", _text(32), primary_key=True),
        Column("until", _INT, nullable=False),
    )
    op.create_table(
        "users",
        Column("id", _INT, primary_key=True),
        Column("name", _text(64), nullable=False),
        Column("language", _text(8)),
        Column("settings", JSON, nullable=False),
        Column("created", _INT, nullable=False),
        Column("idle_since", _INT),
        Column("active", _INT),
        Column("leaving_since", _INT),
        Index("ix_users_leaving_since", "leaving_since", **_where("leaving_since IS NOT NULL")),
        Index("ix_users_idle_since", "idle_since", **_where("idle_since IS NOT NULL")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "announcement_places",
        Column(
            "announcement_id",
            _INT,
            ForeignKey("announcements.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column("place_id", _INT, ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
        Column("platform", _text(16), nullable=False),
        Column("begun", Boolean, nullable=False),
        Index("ix_announcement_places_place_id", "place_id"),
    )
    op.create_table(
        "blocks",
        Column("blocker_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        Column(
            "blocked_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
        Column("at", _INT, nullable=False),
    )
    op.create_table(
        "erased_blocks",
        Column("id", _INT, primary_key=True),
        Column("blocker_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        Column("trace", _text(64), nullable=False, index=True),
        Column("at", _INT, nullable=False),
        UniqueConstraint("blocker_id", "trace"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "erased_challenges",
        Column("id", _INT, primary_key=True),
        Column("trace", _text(64), index=True),
        Column("challenger_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), index=True),
        Column(
            "opponent_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("at", _INT, nullable=False, index=True),
    )
    op.create_table(
        "holidays",
        Column("id", _INT, primary_key=True),
        Column(
            "user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("begins", _INT, nullable=False),
        Column("ends", _INT, nullable=False),
    )
    op.create_table(
        "identities",
        Column("platform", _text(16), primary_key=True),
        Column("external", _text(128), primary_key=True),
        Column(
            "user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("handle", _text(64)),
        Column("skeleton", _text(640)),
        UniqueConstraint("platform", "handle"),
        Index("uq_identities_platform_skeleton", "platform", "skeleton", unique=True),
    )
    op.create_table(
        "matches",
        Column("id", _INT, primary_key=True),
        Column("code", _text(16), nullable=False, unique=True),
        Column("game", _text(32), nullable=False),
        Column("rules", _INT, nullable=False),
        Column("options", JSON, nullable=False),
        Column("setup", _LONG_TEXT, nullable=False),
        Column("status", _text(16), nullable=False),
        Column("version", _INT, nullable=False),
        Column("stands_since", _INT, nullable=False, server_default="1"),
        Column("turn", _INT, nullable=False),
        Column("place_id", _INT, ForeignKey("places.id"), nullable=False),
        Column("challenger_id", _INT, ForeignKey("users.id"), nullable=False),
        Column("opponent_id", _INT, ForeignKey("users.id")),
        Column("wish", _INT, key="preferred_seat"),
        Column("expires", _INT),
        Column("ending", _text(16)),
        Column("ended_by", _INT),
        Column("outcome", JSON(none_as_null=True)),
        Column("aside", _INT),
        Column("news", _INT, nullable=False, server_default="1"),
        Column("news_by", _INT),
        Column("held_for", _text(96), index=True),
        Column("offers", JSON(none_as_null=True)),
        Column("asked", _INT),
        Column("rated", _text(64)),
        Column("takebacks", Boolean),
        Column("hints", Boolean),
        Column("clock", _text(32)),
        Column("banks", JSON(none_as_null=True)),
        Column("turn_since", _INT),
        Column("due", _INT),
        Column("remind_at", _INT),
        Column("reminded", _INT),
        Column("given_back", _INT),
        Column("given_seconds", _INT),
        Column("away", JSON(none_as_null=True)),
        Column("computers", JSON(none_as_null=True)),
        Column("work_after", _INT),
        Column("created", _INT, nullable=False),
        Column("updated", _INT, nullable=False),
        Index("ix_matches_place_id_status", "place_id", "status"),
        Index("ix_matches_status_expires", "status", "expires"),
        Index("ix_matches_challenger_id_status", "challenger_id", "status"),
        Index("ix_matches_opponent_id_status", "opponent_id", "status"),
        Index("ix_matches_opponent_id_created", "opponent_id", "created"),
        Index("ix_matches_challenger_id_created", "challenger_id", "created"),
        Index("ix_matches_due", "due", **_where("due IS NOT NULL")),
        Index("ix_matches_work_after", "work_after", **_where("work_after IS NOT NULL")),
        Index("ix_matches_remind_at", "remind_at", **_where("remind_at IS NOT NULL")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "passing",
        Column("place_id", _INT, ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
        Column("message", _text(64), primary_key=True),
        Column(
            "user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("at", _INT, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        Column(
            "user_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column("game", _text(32), primary_key=True),
        Column("value", Double, nullable=False),
        Column("deviation", Double, nullable=False),
        Column("volatility", Double, nullable=False),
        Column("at", _INT, nullable=False),
        Column("attempts", _INT, nullable=False),
        Column("solved", _INT, nullable=False),
    )
    op.create_table(
        "ratings",
        Column(
            "user_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column("game", _text(32), primary_key=True),
        Column("kind", _text(64), primary_key=True),
        Column("value", Double, nullable=False),
        Column("deviation", Double, nullable=False),
        Column("volatility", Double, nullable=False),
        Column("at", _INT, nullable=False),
        Column("matches", _INT, nullable=False),
    )
    op.create_table(
        "readings",
        Column("user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        Column(
            "place_id",
            _INT,
            ForeignKey("places.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
        Column("message_id", _INT, nullable=False),
    )
    op.create_table(
        "sessions",
        Column("id", _INT, primary_key=True),
        Column(
            "user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("token_hash", _text(64), nullable=False, unique=True),
        Column("label", _text(64), nullable=False),
        Column("made", _INT, nullable=False),
        Column("seen", _INT, nullable=False),
        Column("ended", _INT),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "shards",
        Column("platform", _text(16), primary_key=True),
        Column("number", _INT, primary_key=True, autoincrement=False),
        Column("count", _INT, primary_key=True, autoincrement=False),
        Column(
            "holder", _text(32), ForeignKey("processes.holder", ondelete="CASCADE"), nullable=False
        ),
        Column("term", _text(16), nullable=False),
    )
    op.create_table(
        "showings",
        Column("id", _INT, primary_key=True),
        Column("user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        Column("at", _INT, nullable=False, index=True),
        Index("ix_showings_user_id_at", "user_id", "at"),
    )
    op.create_table(
        "standings",
        Column("scope", _text(160), primary_key=True),
        Column("month", _INT, primary_key=True, autoincrement=False),
        Column("game", _text(32), primary_key=True),
        Column("solo", Boolean, primary_key=True),
        Column("kind", _text(64), primary_key=True),
        Column(
            "user_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
            index=True,
        ),
        Column("matches", _INT, nullable=False),
        Column("wins", _INT, nullable=False),
        Column("draws", _INT, nullable=False),
        Column("streak", _INT, nullable=False),
        Column("longest", _INT, nullable=False),
        Column("best", _INT),
        Column("recent", JSON(none_as_null=True)),
        Column("worth", Double, nullable=False),
        Column("hidden", Boolean, nullable=False),
        Index(
            "ix_standings_worth",
            *("scope", "month", "game", "solo", "kind", "hidden", "worth", "user_id", "matches"),
        ),
    )
    op.create_table(
        "analyses",
        Column(
            "match_id",
            _INT,
            ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column("asked", _INT, nullable=False),
        Column("asked_by", _INT, ForeignKey("users.id", ondelete="SET NULL")),
        Column("asked_by_stranger", _text(64)),
        Column("done", _INT, nullable=False),
        Column("total", _INT, nullable=False),
        Column("found", JSON, nullable=False),
        Column("work_after", _INT),
        Index("ix_analyses_work_after", "work_after", **_where("work_after IS NOT NULL")),
        Index("ix_analyses_asked_by", "asked_by", **_where("asked_by IS NOT NULL")),
    )
    op.create_table(
        "beginnings",
        Column(
            "user_id",
            _INT,
            ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column(
            "match_id",
            _INT,
            ForeignKey("matches.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("version", _INT, nullable=False),
        Column("steps", _text(64), nullable=False),
    )
    op.create_table(
        "boards",
        Column("id", _INT, primary_key=True),
        Column("match_id", _INT, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("place_id", _INT, ForeignKey("places.id"), nullable=False, index=True),
        Column("seat", _INT, nullable=False),
        Column("message", _text(64)),
        Column("former", _text(64)),
        Column("shown", _INT, nullable=False),
        Column("news_shown_at", _INT, nullable=False, server_default="0"),
        Column("wanted", _INT, nullable=False),
        Column("notice", _text(64)),
        Column("former_notice", _text(64)),
        Column("notified", _INT, nullable=False),
        Column("news", _INT, nullable=False),
        Column("notify_after", _INT, nullable=False, server_default="0"),
        Column("platform", _text(16), nullable=False),
        Column("lease_holder", _text(32)),
        Column("lease_until", _INT, nullable=False, server_default="0"),
        UniqueConstraint("match_id", "place_id", "seat"),
        CheckConstraint("seat >= -1", name="seat"),
        Index("ix_boards_behind", "platform", "id", **_where(_IS_BEHIND)),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "looks_back",
        Column("user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        Column(
            "match_id",
            _INT,
            ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
        Column("at", _INT, nullable=False, index=True),
    )
    op.create_table(
        "moves",
        Column("match_id", _INT, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("ply", _INT, primary_key=True),
        Column("seat", _INT, nullable=False),
        Column("notation", _text(64), nullable=False),
        Column("at", _INT, nullable=False),
        Column("taken_back", _INT),
    )
    op.create_table(
        "puzzles",
        Column("id", _INT, primary_key=True),
        Column("key", _text(64), nullable=False, unique=True),
        Column("game", _text(32), nullable=False),
        Column("rules", _INT, nullable=False),
        Column("options", JSON, nullable=False),
        Column("setup", _LONG_TEXT, nullable=False),
        Column("seat", _INT, nullable=False),
        Column("best", _text(64), nullable=False),
        Column("line", JSON, nullable=False),
        Column("expectation", Double, nullable=False),
        Column("second", Double, nullable=False),
        Column("match_id", _INT, ForeignKey("matches.id", ondelete="SET NULL"), index=True),
        Column("made", _INT, nullable=False),
        Column("value", Double, nullable=False),
        Column("deviation", Double, nullable=False),
        Column("volatility", Double, nullable=False),
        Column("at", _INT),
        Column("attempts", _INT, nullable=False),
        Index("ix_puzzles_game_rules_value", "game", "rules", "value"),
    )
    op.create_table(
        "rated_matches",
        Column("id", _INT, primary_key=True),
        Column(
            "match_id",
            _INT,
            ForeignKey("matches.id", ondelete="CASCADE"),
            nullable=False,
            unique=True,
        ),
        Column("game", _text(32), nullable=False),
        Column("kind", _text(64), nullable=False),
        Column("first_id", _INT, ForeignKey("users.id"), nullable=False),
        Column("second_id", _INT, ForeignKey("users.id"), nullable=False, index=True),
        Column("half_points", _INT, nullable=False),
        Column("first_value", Double),
        Column("second_value", Double),
        Column("first_value_before", Double),
        Column("first_deviation_before", Double),
        Column("first_deviation", Double),
        Column("second_value_before", Double),
        Column("second_deviation_before", Double),
        Column("second_deviation", Double),
        Column("at", _INT, nullable=False),
        Index("ix_rated_matches_first_id_second_id_at", "first_id", "second_id", "at"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "results",
        Column("match_id", _INT, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("seat", _INT, primary_key=True),
        Column("user_id", _INT, ForeignKey("users.id"), nullable=False),
        Column("game", _text(32), nullable=False),
        Column("place_id", _INT, ForeignKey("places.id"), nullable=False),
        Column("solo", Boolean, nullable=False),
        Column("half_points", _INT, nullable=False),
        Column("score", _INT, nullable=False),
        Column("kind", _text(64)),
        Column("moves", _INT, nullable=False, server_default="0"),
        Column("level", _INT),
        Column("at", _INT, nullable=False),
        Index(
            "ix_results_of_user",
            "user_id",
            "match_id",
            "seat",
            "game",
            "solo",
            "level",
            "half_points",
            "moves",
        ),
        Index("ix_results_place_id", "place_id"),
    )
    op.create_table(
        "seats",
        Column("match_id", _INT, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("seat", _INT, primary_key=True),
        Column("user_id", _INT, ForeignKey("users.id"), nullable=False, index=True),
    )
    op.create_table(
        "session_codes",
        Column(
            "session_id",
            _INT,
            ForeignKey("sessions.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column("code_hash", _text(64), nullable=False, unique=True),
        Column("made", _INT, nullable=False),
    )
    op.create_table(
        "erased_attempts",
        Column("id", _INT, primary_key=True),
        Column("trace", _text(64), index=True),
        Column("user_id", _INT, ForeignKey("users.id", ondelete="CASCADE")),
        Column(
            "puzzle_id",
            _INT,
            ForeignKey("puzzles.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Index("ix_erased_attempts_user_id_puzzle_id", "user_id", "puzzle_id"),
    )
    op.create_table(
        "messages",
        Column("id", _INT, primary_key=True),
        Column("stamp", _INT, nullable=False, unique=True),
        Column("place_id", _INT, ForeignKey("places.id"), nullable=False),
        Column("author_id", _INT, ForeignKey("users.id")),
        Column("board_id", _INT, ForeignKey("boards.id", ondelete="SET NULL"), index=True),
        Column("screen", JSON(none_as_null=True)),
        Column("gone", Boolean, nullable=False),
        Column("at", _INT, nullable=False),
        Index("ix_messages_place_id_stamp", "place_id", "stamp"),
        Index("ix_messages_author_id_at", "author_id", "at"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "puzzle_attempts",
        Column(
            "match_id",
            _INT,
            ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        Column("user_id", _INT, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        Column(
            "puzzle_id",
            _INT,
            ForeignKey("puzzles.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        Column("at", _INT, nullable=False),
        Column("solved", Boolean),
        Column("value", Double),
        Column("value_before", Double),
        Column("value_after", Double),
        UniqueConstraint("user_id", "puzzle_id"),
    )
    op.execute(
        text(
            "INSERT INTO memos (platform, key, value) VALUES ('house', 'button-key', :value)"
        ).bindparams(value=secrets.token_hex(32))
    )
    op.execute("INSERT INTO counters (name, value) VALUES ('messages.stamp', 0)")
    if op.get_context().dialect.name == "postgresql":
        # Numbers the notifications, so that a lost one is noticed.
        op.execute("CREATE SEQUENCE written")
