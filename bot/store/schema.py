"""The tables. Times are Unix seconds; JSON columns hold small maps of strings.

A change here needs a migration in `migrations/versions`, and its number as `REVISION`.
"""

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
    Table,
    Text,
    UniqueConstraint,
    text,
)

from bot.store.dialect import String
from bot.store.dialect import Whole as Integer

__all__ = [
    "OURS",
    "REVISION",
    "analyses",
    "announcement_places",
    "announcements",
    "beginnings",
    "blocks",
    "boards",
    "counters",
    "erased_attempts",
    "erased_blocks",
    "erased_challenges",
    "holidays",
    "identities",
    "inbox",
    "key_values",
    "looks_back",
    "matches",
    "messages",
    "metadata",
    "moves",
    "passing",
    "places",
    "processes",
    "puzzle_attempts",
    "puzzle_ratings",
    "puzzles",
    "rated_matches",
    "ratings",
    "readings",
    "results",
    "seats",
    "session_codes",
    "sessions",
    "shards",
    "showings",
    "standings",
    "users",
]

REVISION = "v0001"
"""The newest migration: a database that is there needs none."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

users = Table(
    "users",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("language", String(8)),
    Column("settings", JSON, nullable=False),
    Column("created", Integer, nullable=False),
    # When somebody of the web table who has never played was there last; NULL for all others.
    Column("idle_since", Integer),
    # When they last did something, to the minute; NULL where that was before it was noted.
    Column("active", Integer),
    # Since when somebody is erased who still has a seat in matches that are on.
    Column("leaving_since", Integer),
    Index(
        "ix_users_leaving_since",
        "leaving_since",
        sqlite_where=text("leaving_since IS NOT NULL"),
        postgresql_where=text("leaving_since IS NOT NULL"),
    ),
    Index(
        "ix_users_idle_since",
        "idle_since",
        sqlite_where=text("idle_since IS NOT NULL"),
        postgresql_where=text("idle_since IS NOT NULL"),
    ),
    # Whatever still means one that was removed must never mean another.
    sqlite_autoincrement=True,
)

identities = Table(
    "identities",
    metadata,
    Column("platform", String(16), primary_key=True),
    Column("external", String(128), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    # What people type after an @ on that platform, case-folded.
    Column("handle", String(64)),
    # What a reader sees of the name: nobody else's there looks like it. NULL where that was not
    # so before it was looked at.
    Column("skeleton", String(640)),
    UniqueConstraint("platform", "handle"),
    Index("uq_identities_platform_skeleton", "platform", "skeleton", unique=True),
)

blocks = Table(
    "blocks",
    metadata,
    Column("blocker_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("blocked_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", Integer, nullable=False),
)

# Blocks of people who have erased themselves since: only a keyed hash tells who they were, for
# the moment in which they come back (`bot.store.traces`).
erased_blocks = Table(
    "erased_blocks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("blocker_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("trace", String(64), nullable=False, index=True),
    Column("at", Integer, nullable=False),
    UniqueConstraint("blocker_id", "trace"),
    # A button that takes a block back must never mean another one.
    sqlite_autoincrement=True,
)

# Challenges in vain of the last day, by people who have erased themselves since: by a keyed hash
# while they are away, by their number as soon as they are back.
erased_challenges = Table(
    "erased_challenges",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("trace", String(64), index=True),
    Column("challenger_id", ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("opponent_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Integer, nullable=False, index=True),
)

# Puzzles that were tried by people who have erased themselves since: by a keyed hash while they are
# away, by their number as soon as they are back.
erased_attempts = Table(
    "erased_attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("trace", String(64), index=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE")),
    Column("puzzle_id", ForeignKey("puzzles.id", ondelete="CASCADE"), nullable=False, index=True),
    Index("ix_erased_attempts_user_id_puzzle_id", "user_id", "puzzle_id"),
)

# A browser that is known by the secret in its cookie.
sessions = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    # SHA-256 of the secret.
    Column("token_hash", String(64), nullable=False, unique=True),
    # What people tell their browsers apart by, such as "Firefox, Linux"; may be empty.
    Column("label", String(64), nullable=False),
    Column("made", Integer, nullable=False),
    Column("seen", Integer, nullable=False),
    Column("ended", Integer),
    # A button that ends a session must never mean another one.
    sqlite_autoincrement=True,
)

# What lets another browser in, once and for a few minutes, made in a browser that is known.
session_codes = Table(
    "session_codes",
    metadata,
    # One of each browser; it ends with the session, and so when its person is erased.
    Column(
        "session_id",
        ForeignKey("sessions.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    # SHA-256 of the code.
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("made", Integer, nullable=False),
)

places = Table(
    "places",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("platform", String(16), nullable=False),
    Column("external", String(128), nullable=False),
    Column("kind", String(16), nullable=False),
    # Whose place it is: the server or group whose people may be named here; NULL: nobody else's.
    Column("community", String(64)),
    Column("title", String(128), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Integer, nullable=False),
    UniqueConstraint("platform", "external"),
    Index("ix_places_platform_community", "platform", "community"),
    # Whatever still means one that was removed must never mean another.
    sqlite_autoincrement=True,
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    # What proves that somebody was handed this match: ids can be guessed.
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("setup", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    # The version since which what can be played, and what a press means, is what it is now.
    Column("stands_since", Integer, nullable=False, server_default="1"),
    # The seats that may act, a bit each (1: seat 0), so that "whose turn" needs no rule engine.
    Column("turn", Integer, nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    Column("challenger_id", ForeignKey("users.id"), nullable=False),
    Column("opponent_id", ForeignKey("users.id")),
    Column("wish", Integer, key="preferred_seat"),
    Column("expires", Integer),
    # How it ended (an `EndingKind`) and by which seat; what it came to, unless that is nothing.
    Column("ending", String(16)),
    Column("ended_by", Integer),
    Column("outcome", JSON(none_as_null=True)),
    # When it was found that it cannot be replayed.
    Column("aside", Integer),
    # The last version in which there was something to tell people, and whose doing that was.
    Column("news", Integer, nullable=False, server_default="1"),
    Column("news_by", Integer),
    # Whom a challenge waits for whom nobody here knows yet: platform, colon, username, case-folded.
    # A platform vouches for usernames, so that whoever bears one then may take the challenge up.
    Column("held_for", String(96), index=True),
    # What has been offered in the last moves (`bot.model.Offer`); NULL: nothing, ever.
    Column("offers", JSON(none_as_null=True)),
    # The version by which people were asked whether they play on; NULL: never.
    Column("asked", Integer),
    # In which class of its game it is rated (`bot.terms.rating_class`); NULL: it is not.
    Column("rated", String(64)),
    # Moves may be taken back, though it is rated; NULL: not.
    Column("takebacks", Boolean),
    # Who plays may be helped, and it counts in no leaderboard; NULL: not.
    Column("hints", Boolean),
    # The clock that is agreed on (`bot.clocks`); NULL: none. Then, of a match that has begun, the
    # seconds that each seat had as the present turn began, when that was, and when the time of
    # whoever is on turn ends (NULL: nobody's runs).
    Column("clock", String(32)),
    Column("banks", JSON(none_as_null=True)),
    Column("turn_since", Integer),
    Column("due", Integer),
    # When they are to be reminded of that, and the version by which they were last.
    Column("remind_at", Integer),
    Column("reminded", Integer),
    # The version by which time was given back that nobody had, and how many seconds.
    Column("given_back", Integer),
    Column("given_seconds", Integer),
    # By seat, until when its player is on holiday; NULL: nobody is, or its clock is not of days.
    Column("away", JSON(none_as_null=True)),
    # By seat, the level of the computer that sits there, or null; NULL: none does. These seats have
    # no row in `seats`.
    Column("computers", JSON(none_as_null=True)),
    # While a computer has something to do: when it may be taken up, again where somebody has begun.
    Column("work_after", Integer),
    Column("created", Integer, nullable=False),
    Column("updated", Integer, nullable=False),
    Index("ix_matches_place_id_status", "place_id", "status"),
    Index("ix_matches_status_expires", "status", "expires"),
    # What one person has open is found without a look at what others have.
    Index("ix_matches_challenger_id_status", "challenger_id", "status"),
    Index("ix_matches_opponent_id_status", "opponent_id", "status"),
    Index("ix_matches_opponent_id_created", "opponent_id", "created"),
    Index("ix_matches_challenger_id_created", "challenger_id", "created"),
    Index(
        "ix_matches_due",
        "due",
        sqlite_where=text("due IS NOT NULL"),
        postgresql_where=text("due IS NOT NULL"),
    ),
    Index(
        "ix_matches_work_after",
        "work_after",
        sqlite_where=text("work_after IS NOT NULL"),
        postgresql_where=text("work_after IS NOT NULL"),
    ),
    Index(
        "ix_matches_remind_at",
        "remind_at",
        sqlite_where=text("remind_at IS NOT NULL"),
        postgresql_where=text("remind_at IS NOT NULL"),
    ),
    # What a chat still shows of one must never mean another, also after a backup was restored.
    sqlite_autoincrement=True,
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("notation", String(64), nullable=False),
    Column("at", Integer, nullable=False),
    # The version by which it was taken back; NULL: it counts.
    Column("taken_back", Integer),
)

# Matches that are over and are looked back on, or were: how far that is, and what was found of each
# of their first moves (`bot.analysis.Judgement`).
analyses = Table(
    "analyses",
    metadata,
    Column(
        "match_id",
        ForeignKey("matches.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("asked", Integer, nullable=False),
    # Who has asked, while it is made: somebody, or by a keyed hash one of those of whom nothing
    # else is stored. Both are NULL where that was somebody who has erased themselves since.
    Column("asked_by", ForeignKey("users.id", ondelete="SET NULL")),
    Column("asked_by_stranger", String(64)),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("found", JSON, nullable=False),
    # While it is not made: when it may be taken up, again where somebody has begun.
    Column("work_after", Integer),
    Index(
        "ix_analyses_work_after",
        "work_after",
        sqlite_where=text("work_after IS NOT NULL"),
        postgresql_where=text("work_after IS NOT NULL"),
    ),
    Index(
        "ix_analyses_asked_by",
        "asked_by",
        sqlite_where=text("asked_by IS NOT NULL"),
        postgresql_where=text("asked_by IS NOT NULL"),
    ),
)

# Whose look back somebody has seen lately: the puzzles of that match are not for them.
looks_back = Table(
    "looks_back",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", Integer, nullable=False, index=True),
)

# Positions with one clearly best move, found while matches were looked back on; they name nobody.
# Which match it was is kept so that nobody is given a position of their own.
puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Integer, primary_key=True),
    # What tells one position from another (`bot.store.puzzles`).
    Column("key", String(64), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("setup", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("best", String(64), nullable=False),
    Column("line", JSON, nullable=False),
    # Of the best move, and of the next best one, from 0 to 1.
    Column("expectation", Double, nullable=False),
    Column("second", Double, nullable=False),
    Column("match_id", ForeignKey("matches.id", ondelete="SET NULL"), index=True),
    Column("made", Integer, nullable=False),
    # How hard it is (`bot.glicko`), by all who have tried.
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer),
    Column("attempts", Integer, nullable=False),
    # Those near a rating are found without a look at the others.
    Index("ix_puzzles_game_rules_value", "game", "rules", "value"),
)

# Who has tried which puzzle, in which match, once; what came of it is NULL before it is decided.
puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column(
        "match_id",
        ForeignKey("matches.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("puzzle_id", ForeignKey("puzzles.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Integer, nullable=False),
    Column("solved", Boolean),
    # How hard it was taken for then; how strong they were taken for before and after.
    Column("value", Double),
    Column("value_before", Double),
    Column("value_after", Double),
    UniqueConstraint("user_id", "puzzle_id"),
)

# How strong people are by now in the puzzles of each game; never mixed with `ratings`.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column(
        "user_id",
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("game", String(32), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

# The first steps of a move, joined by full stops, that somebody has pressed, and at which version.
beginnings = Table(
    "beginnings",
    metadata,
    Column(
        "user_id",
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("steps", String(64), nullable=False),
)

# Answers that others read, too, and that go with the next one to the same person.
passing = Table(
    "passing",
    metadata,
    Column("place_id", ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
    Column("message", String(64), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Integer, nullable=False),
)

_IS_BEHIND = "shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL"

boards = Table(
    "boards",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False, index=True),
    # -1 is everybody's board: a NULL would not be unique.
    Column("seat", Integer, nullable=False),
    Column("message", String(64)),
    Column("former", String(64)),
    Column("shown", Integer, nullable=False),
    # When news has come into a message that was there before (Unix seconds).
    Column("news_shown_at", Integer, nullable=False, server_default="0"),
    Column("wanted", Integer, nullable=False),
    # The last notice beside this board, the version that it was for, and that of the newest news;
    # and the notice before that, until it is taken away.
    Column("notice", String(64)),
    Column("former_notice", String(64)),
    Column("notified", Integer, nullable=False),
    Column("news", Integer, nullable=False),
    # Until when (Unix seconds) the news can wait, for somebody who may be looking.
    Column("notify_after", Integer, nullable=False, server_default="0"),
    # That of its place, which never changes: boards are worked off by platform.
    Column("platform", String(16), nullable=False),
    # Who is bringing it up to date, and until when (Unix seconds) nobody else does.
    Column("lease_holder", String(32)),
    Column("lease_until", Integer, nullable=False, server_default="0"),
    UniqueConstraint("match_id", "place_id", "seat"),
    CheckConstraint("seat >= -1", name="seat"),
    # Boards that are behind are looked for after every move: only they are in this index.
    Index(
        "ix_boards_behind",
        "platform",
        "id",
        sqlite_where=text(_IS_BEHIND),
        postgresql_where=text(_IS_BEHIND),
    ),
    # Whatever still means one that was removed must never mean another.
    sqlite_autoincrement=True,
)

results = Table(
    "results",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("game", String(32), nullable=False),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    # Played alone (the score counts) or against somebody (half points: 2 win, 1 draw, 0 loss).
    Column("solo", Boolean, nullable=False),
    Column("half_points", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    # The class of the game in whose leaderboards it counts (`bot.endings`); NULL: in none.
    Column("kind", String(64)),
    # How many moves the match had, without those that were taken back.
    Column("moves", Integer, nullable=False, server_default="0"),
    # The level of the computer that was the other side; NULL: none was.
    Column("level", Integer),
    Column("at", Integer, nullable=False),
    # Somebody's matches, the last ones first; and what they come to, which is read in it alone.
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

# What the results come to for everybody in each leaderboard, kept with every match that counts; it
# can be made again of them. `scope`: whose places count (`bot.store.standings`); `month`: 202611,
# or 0 for all there ever was.
standings = Table(
    "standings",
    metadata,
    Column("scope", String(160), primary_key=True),
    Column("month", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("solo", Boolean, primary_key=True),
    Column("kind", String(64), primary_key=True),
    Column(
        "user_id",
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
        index=True,
    ),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    # Wins in a row: the last ones, and the most ever.
    Column("streak", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    # Of those who play alone: the fewest points, and those of the last matches, the newest last.
    Column("best", Integer),
    Column("recent", JSON(none_as_null=True)),
    # The more, the further up.
    Column("worth", Double, nullable=False),
    # Who keeps their record to themselves, or has gone, is in no list.
    Column("hidden", Boolean, nullable=False),
    # A page, and somebody's rank, are read from the index alone.
    Index(
        "ix_standings_worth",
        *("scope", "month", "game", "solo", "kind", "hidden", "worth", "user_id", "matches"),
    ),
)

# When people are, or were, on holiday; of the last year, for there are only so many days in one.
holidays = Table(
    "holidays",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("begins", Integer, nullable=False),
    Column("ends", Integer, nullable=False),
)

# How strong people are by now: what comes of `rated_matches`, and can be made of them again.
ratings = Table(
    "ratings",
    metadata,
    Column(
        "user_id",
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("game", String(32), primary_key=True),
    # The class of the game (`bot.terms.rating_class`).
    Column("kind", String(64), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
)

# The matches that ratings come of, in the order in which they counted: whoever writes one holds
# its people, so that of those of one person the later one has the higher number.
rated_matches = Table(
    "rated_matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("first_id", ForeignKey("users.id"), nullable=False),
    Column("second_id", ForeignKey("users.id"), nullable=False, index=True),
    # Of the first, by seat.
    Column("half_points", Integer, nullable=False),
    # What both are rated since; NULL where that was not noted yet.
    Column("first_value", Double),
    Column("second_value", Double),
    # What they were rated until then, and the deviations of both; NULL where these were not noted.
    Column("first_value_before", Double),
    Column("first_deviation_before", Double),
    Column("first_deviation", Double),
    Column("second_value_before", Double),
    Column("second_deviation_before", Double),
    Column("second_deviation", Double),
    Column("at", Integer, nullable=False),
    Index("ix_rated_matches_first_id_second_id_at", "first_id", "second_id", "at"),
    sqlite_autoincrement=True,
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    # Rises with every change of any message: what a page that was away has missed. Neither
    # numbers nor stamps are ever given out twice, for pages remember both.
    Column("stamp", Integer, nullable=False, unique=True),
    Column("place_id", ForeignKey("places.id"), nullable=False),
    Column("author_id", ForeignKey("users.id")),
    Column("board_id", ForeignKey("boards.id", ondelete="SET NULL"), index=True),
    Column("screen", JSON(none_as_null=True)),
    Column("gone", Boolean, nullable=False),
    Column("at", Integer, nullable=False),
    Index("ix_messages_place_id_stamp", "place_id", "stamp"),
    Index("ix_messages_author_id_at", "author_id", "at"),
    sqlite_autoincrement=True,
)

# Boards that somebody has brought to the bottom of a room of ours: they count like lines that they
# have written, and no longer.
showings = Table(
    "showings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("at", Integer, nullable=False, index=True),
    Index("ix_showings_user_id_at", "user_id", "at"),
)

# How far somebody has read in a room: the number of a message there, which may be gone since.
readings = Table(
    "readings",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("place_id", ForeignKey("places.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("message_id", Integer, nullable=False),
)

# Words of the host to all who play, until a Unix second.
announcements = Table(
    "announcements",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("text", String(1000), nullable=False),
    Column("until", Integer, nullable=False),
    # Platforms remember them by their numbers.
    sqlite_autoincrement=True,
)

# Where they are still to be said. `begun` is noted before that: what was begun and is still here
# was said perhaps, and is not said again.
announcement_places = Table(
    "announcement_places",
    metadata,
    Column("announcement_id", ForeignKey("announcements.id", ondelete="CASCADE"), primary_key=True),
    Column("place_id", ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
    Column("platform", String(16), nullable=False),
    Column("begun", Boolean, nullable=False),
    Index("ix_announcement_places_place_id", "place_id"),
)

# Numbers that only rise, whatever is deleted.
counters = Table(
    "counters",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Integer, nullable=False),
)

OURS = "house"
"""Stands among `key_values` in the place of a platform where something is no front's."""


# Short texts of a front, such as which commands it has registered, or ours, such as the key that
# signs buttons (`bot.store.key_values`).
key_values = Table(
    "memos",
    metadata,
    Column("platform", String(16), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("value", String(128), nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("platform", String(16), primary_key=True),
    # The platform's own number of the update.
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # What was delivered, as long as nobody has dealt with it.
    Column("payload", JSON(none_as_null=True)),
    Column("at", Integer, nullable=False, index=True),
    Index(
        "ix_inbox_waiting",
        "platform",
        "id",
        sqlite_where=text("payload IS NOT NULL"),
        postgresql_where=text("payload IS NOT NULL"),
    ),
)

# Who is at work on a database that several share, and until when (Unix seconds, by the database's
# own clock) that is believed of them.
processes = Table(
    "processes",
    metadata,
    Column("holder", String(32), primary_key=True),
    Column("until", Integer, nullable=False),
)

# Which of them speaks for a part of a platform. Whoever is taken for dead loses all of it at once.
shards = Table(
    "shards",
    metadata,
    Column("platform", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, primary_key=True, autoincrement=False),
    Column("holder", ForeignKey("processes.holder", ondelete="CASCADE"), nullable=False),
    # By which tenure: another one each time that somebody begins to speak for it.
    Column("term", String(16), nullable=False),
)
