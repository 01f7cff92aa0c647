"""Standings, what counts in them, and how ratings went"""

from collections import defaultdict
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_RECENT, _AT_ONCE = 20, 2000
_COLUMNS = (
    *("scope", "month", "game", "solo", "kind", "user_id", "matches", "wins", "draws"),
    *("streak", "longest", "best", "recent", "worth", "hidden"),
)


def _text(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("results", sa.Column("kind", _text(64)))
    op.add_column("results", sa.Column("moves", _WHOLE, nullable=False, server_default="0"))
    op.execute(
        "UPDATE results SET moves = (SELECT count(*) FROM moves"
        " WHERE moves.match_id = results.match_id AND moves.taken_back IS NULL)"
    )
    op.drop_index("ix_results_game_place_id", "results")
    op.drop_index("ix_results_user_id", "results")
    op.create_index("ix_results_user_id_match_id", "results", ["user_id", "match_id"])
    op.create_index("ix_results_place_id", "results", ["place_id"])
    for name in ("first_value", "second_value"):
        op.add_column("rated_matches", sa.Column(name, sa.Double()))
    op.create_table(
        "standings",
        sa.Column("scope", _text(160), nullable=False),
        sa.Column("month", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("game", _text(32), nullable=False),
        sa.Column("solo", sa.Boolean(), nullable=False),
        sa.Column("kind", _text(64), nullable=False),
        sa.Column("user_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("matches", _WHOLE, nullable=False),
        sa.Column("wins", _WHOLE, nullable=False),
        sa.Column("draws", _WHOLE, nullable=False),
        sa.Column("streak", _WHOLE, nullable=False),
        sa.Column("longest", _WHOLE, nullable=False),
        sa.Column("best", _WHOLE),
        sa.Column("recent", sa.JSON(none_as_null=True)),
        sa.Column("worth", sa.Double(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_standings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "scope", "month", "game", "solo", "kind", "user_id", name=op.f("pk_standings")
        ),
    )
    _say_what_counts()
    _count()
    op.create_index("ix_standings_user_id", "standings", ["user_id"])
    op.create_index(
        "ix_standings_worth",
        "standings",
        ["scope", "month", "game", "solo", "kind", "hidden", "worth", "user_id", "matches"],
    )


def _say_what_counts() -> None:
    """What was rated counts where it was; of Black Box, boxes that are fair, and duels."""
    op.execute(
        "UPDATE results SET kind ="
        " (SELECT kind FROM rated_matches WHERE rated_matches.match_id = results.match_id)"
    )
    matches = sa.table("matches", sa.column("id", _WHOLE), sa.column("options", sa.JSON()))
    results = sa.table(
        "results", sa.column("match_id", _WHOLE), sa.column("game"), sa.column("kind")
    )
    options = matches.c.options
    size, stones = options["size"].as_string(), options["stones"].as_string()
    fair = sa.func.coalesce(options["fair"].as_string(), "yes")
    kind = sa.select(size + "-" + stones).where(matches.c.id == results.c.match_id, fair == "yes")
    op.execute(
        sa.update(results).where(results.c.game == "blackbox").values(kind=kind.scalar_subquery())
    )


def _count() -> None:
    connection = op.get_bind()
    now = datetime.now(UTC)
    this_month = now.year * 100 + now.month
    month_began = now.replace(day=1, hour=0, minute=0, second=0).timestamp()
    communities = {
        row.id: None if row.community is None else f"community:{row.platform}:{row.community}"
        for row in connection.execute(sa.text("SELECT id, platform, community FROM places"))
    }
    counted: dict[tuple[Any, ...], list[Any]] = defaultdict(lambda: [0, 0, 0, 0, 0, None, []])
    query = sa.text(
        "SELECT place_id, game, solo, kind, user_id, half_points, score, at FROM results"
        " WHERE kind IS NOT NULL ORDER BY at, match_id, seat"
    )
    for row in connection.execute(query):
        scopes = filter(
            lambda scope: scope is not None,
            ("", f"place:{row.place_id}", communities[row.place_id]),
        )
        solo = bool(row.solo)
        for scope in scopes:
            for month in (0, this_month) if row.at >= month_began else (0,):
                one = counted[scope, month, row.game, solo, row.kind, row.user_id]
                streak = one[3] + 1 if row.half_points == 2 else 0
                one[0] += 1
                one[1] += row.half_points == 2
                one[2] += row.half_points == 1
                one[3:5] = streak, max(one[4], streak)
                if solo:
                    one[5] = row.score if one[5] is None else min(one[5], row.score)
                    one[6] = [*one[6], row.score][-_RECENT:]
    query = sa.text(
        "SELECT game, kind, user_id,"
        " value + CASE WHEN deviation <= 110 THEN 10000 ELSE 0 END AS worth FROM ratings"
    )
    rated = {(row.game, row.kind, row.user_id): row.worth for row in connection.execute(query)}
    users = sa.table("users", sa.column("id", _WHOLE), sa.column("settings", sa.JSON()))
    identities = sa.table("identities", sa.column("user_id", _WHOLE))
    unlisted = set(
        connection.execute(
            sa.select(users.c.id).where(
                sa.or_(
                    users.c.settings["record"].as_string() == "me",
                    users.c.id.not_in(sa.select(identities.c.user_id)),
                )
            )
        ).scalars()
    )
    table = sa.table(
        "standings",
        *(
            sa.column(name, sa.JSON(none_as_null=True)) if name == "recent" else sa.column(name)
            for name in _COLUMNS
        ),
    )
    rows = [
        dict(zip(_COLUMNS, (*key, *rest), strict=True))
        for key, rest in (
            (
                (scope, month, game, solo, kind, user_id),
                (
                    *one[:6],
                    one[6] or None,
                    -sum(one[6]) / len(one[6])
                    if solo
                    else rated.get((game, kind, user_id), one[1] + one[2] / 2)
                    if month == 0
                    else one[1] + one[2] / 2,
                    user_id in unlisted,
                ),
            )
            for (scope, month, game, solo, kind, user_id), one in counted.items()
        )
    ]
    for at in range(0, len(rows), _AT_ONCE):
        op.bulk_insert(table, rows[at : at + _AT_ONCE])
