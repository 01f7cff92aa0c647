"""Do the tests notice a change of the core? ``python -m tools.mutation`` makes some, and counts.

It takes places of the core at random (`--seed`): a comparison, a sign, a number, a condition, a
statement to be dropped. Each is changed in a copy of the tree, never in the tree itself; then those
tests run that execute it, quickest first, until one fails (those about the module before the
others, and of a test with parameters one before the others). Whoever survives is shown as a diff,
to be looked at: a test is missing, the code is dead, or nobody could tell the difference.

Why it is a script: of the tools that are kept, cosmic-ray runs the whole suite for each change, and
mutmut replaces functions by trampolines, so that it sees neither constants nor tables of the store
(nor do the houses that tests start as processes see its changes); neither drops statements.

How it goes:

* `tools.mutation.record` runs all tests once, and notes which lines each executes. It is kept in
  ``build/mutation.json``: while only tests change, only those that have changed run again.
* What runs while a module is imported (constants, tables, defaults, fields) is executed by no test.
  There, those tests are asked that execute a line on which one of the names is used, and all of
  those that import the module, for they may look at what it has made.
* A change counts as noticed where a test fails, takes ten times as long as ever (and ten seconds),
  or nothing can be imported any more. In the end all tests that have noticed something run once
  more with nothing changed: whoever fails then has noticed nothing.
* One change gets two minutes of tests, as they were measured (`--seconds`). Whatever would only be
  noticed later counts as not noticed.
* Hypothesis draws the same examples every time.

The tests are all but those of the attacks, the benchmarks, the rules, the pictures, the page in a
browser, the sixth game, and those whose houses are all processes of their own: what these execute
is not seen from here. A place that only they reach counts as not noticed.

What is not changed, because no test should notice it, or because it is no code:

* annotations, imports, ``if TYPE_CHECKING``, ``__all__``, docstrings and other texts: type checker,
  linter and readers look after these;
* ``assert`` and ``zip(…, strict=…)``, which say what is always so;
* what is logged (``_log.…``, ``store_failed(_log, …)``): for the host's eyes, worded and levelled
  as seems good;
* expressions in f-strings: before Python 3.12 nobody knows where in the source they are;
* decorators: what they are given is declarations (``frozen``, ``slots``);
* bare ``yield``, without which the function would be another kind of thing;
* the constants in `TUNING`: how long to sleep between two looks, how much to keep in memory, how
  many to take at a time. A little more or less is as good. All other numbers are changed.
"""

__all__ = ["CORE", "TUNING"]

CORE = (
    "bot/actions.py",
    "bot/commands",
    "bot/delivery",
    "bot/directory.py",
    "bot/endings.py",
    "bot/erasing.py",
    "bot/held.py",
    "bot/app.py",
    "bot/boards.py",
    "bot/readers.py",
    "bot/leases.py",
    "bot/links.py",
    "bot/matches",
    "bot/names.py",
    "bot/backoff.py",
    "bot/rates.py",
    "bot/rooms.py",
    "bot/screens",
    "bot/sessions.py",
    "bot/store",
    "bot/tasks.py",
    "bot/upkeep.py",
)

TUNING = {
    "bot/commands/helping.py": frozenset({"_LINES"}),
    "bot/commands/serving.py": frozenset({"_WAITS"}),
    "bot/commands/completing.py": frozenset({"_REMEMBERED"}),
    "bot/delivery/courier.py": frozenset(
        {
            "_AFTER_FAILURE",
            "_A_BIT",
            "_IN_HAND",
            "_LAST_SECONDS",
            "_LONGEST_AFTER_FAILURE",
            "_LOOK_EVERY",
            "_REMEMBERED",
        }
    ),
    "bot/delivery/outcomes.py": frozenset({"_LAST_SECONDS"}),
    "bot/delivery/announcer.py": frozenset({"_AT_ONCE", "_LAST_SECONDS", "_LOOK_EVERY"}),
    "bot/directory.py": frozenset({"_REMEMBERED"}),
    "bot/rates.py": frozenset({"_REMEMBERED"}),
    "bot/rooms.py": frozenset(
        {"_AT_ONCE", "_FROM_THE_END", "_MOST_MISSED", "_MOST_OPEN", "_TOLD_AT_ONCE"}
    ),
    "bot/store/postgres.py": frozenset({"_QUICK", "_READERS", "_WRITERS"}),
    "bot/store/postgres_server.py": frozenset(
        {"CLOSING_SECONDS", "CONNECT_SECONDS", "STATEMENT_SECONDS"}
    ),
    "bot/leases.py": frozenset({"_SECONDS"}),
    "bot/matches/memory.py": frozenset({"_REMEMBERED", "_REMEMBERED_PLIES"}),
    "bot/names.py": frozenset(
        {"_FRESH_SECONDS", "_MOST_LOOKED_AT", "_MOST_SUGGESTIONS", "_REMEMBERED"}
    ),
    "bot/store/sqlite.py": frozenset({"_READERS"}),
    "bot/store/file.py": frozenset({"_FAR"}),
    "bot/store/personal_data.py": frozenset({"_AT_ONCE"}),
    "bot/store/rooms.py": frozenset({"_AT_ONCE"}),
    "bot/tasks.py": frozenset({"_WELL_AFTER"}),
    "bot/upkeep.py": frozenset(
        {"_AFTER_FAILURE", "_AT_ONCE", "_LONGEST_SLEEP", "_SET", "_TIDY_EVERY", "_TIDY_ON"}
    ),
}
