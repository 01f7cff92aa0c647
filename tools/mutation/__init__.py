"""Change the core in one place at a time, and count which changes the tests notice.

``python -m tools.mutation`` chooses places at random (`--seed`): a comparison, a sign, a number,
a condition or a statement. It changes each one in a copy of the tree, and runs the tests that
execute it until one fails. The others print as diffs: a test is missing, the code is dead, or the
change makes no difference.

cosmic-ray runs the whole suite for each change. mutmut changes only functions. Neither drops
statements.

A change counts as noticed if a test fails, if it takes ten times as long (and ten seconds more), or
if an import fails. A test that also fails without the change does not count.

coverage.py records which test executes which line. What runs at import is tested by what executes a
line with one of its names, and by the test files that import the module. The latter also test a
line that no test executes: its function may be called at import.

These are not changed, since no test should notice:

* annotations, imports, ``__all__``, docstrings and other texts
* ``assert`` and ``zip(…, strict=…)``
* logging (``_log.…``, ``store_failed(_log, …)``)
* f-strings: before Python 3.12, their expressions have no position in the source
* decorators, and a bare ``yield``
* the lengths of text columns (``String(…)``), which neither database enforces
* the constants in `TUNING`: intervals and sizes that work as well with another value
"""

CORE = (
    "bot/app.py",
    "bot/commands",
    "bot/delivery",
    "bot/domain/actions.py",
    "bot/domain/links.py",
    "bot/loops/upkeep.py",
    "bot/matches",
    "bot/screens",
    "bot/store",
    "bot/support/held.py",
    "bot/support/rates.py",
    "bot/support/tasks.py",
)

TUNING = {
    "bot/commands/info.py": "_LINES",
    "bot/commands/serving.py": "_WAITS",
    "bot/delivery/courier.py": (
        "_AFTER_FAILURE _A_BIT _IN_HAND _LAST_SECONDS _LONGEST_AFTER_FAILURE _LOOK_EVERY"
        " _REMEMBERED _STORING_SECONDS"
    ),
    "bot/delivery/mailer.py": "_AT_ONCE _LAST_SECONDS _LOOK_EVERY",
    "bot/matches/directory.py": "_REMEMBERED",
    "bot/support/rates.py": "_REMEMBERED",
    "bot/delivery/rooms.py": "_AT_ONCE _FROM_THE_END _MOST_MISSED _MOST_OPEN _TOLD_AT_ONCE",
    "bot/store/ratings.py": "_AT_ONCE",
    "bot/store/database/backups.py": "_AT_ONCE",
    "bot/store/database/postgres.py": "_CLOSING_SECONDS _QUICK _READERS _WRITERS",
    "bot/store/database/postgres_server.py": "CONNECT_SECONDS _POOL_SECONDS _STATEMENT_SECONDS",
    "bot/matches/matches.py": "_REMEMBERED _REMEMBERED_PLIES",
    "bot/matches/shards.py": "_LISTEN_EVERY",
    "bot/matches/names.py": "_FRESH_SECONDS _MOST_LOOKED_AT _REMEMBERED",
    "bot/matches/puzzles.py": "SECONDS",
    "bot/store/database/file.py": "_FAR",
    "bot/store/personal_data.py": "_AT_ONCE",
    "bot/support/tasks.py": "_MOST_DOUBLINGS _WELL_AFTER",
    "bot/loops/upkeep.py": "_AFTER_FAILURE _AT_ONCE _SET _TIDY_EVERY _TIDY_ON",
}
