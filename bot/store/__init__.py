"""The only place that speaks SQL.

Each function of the modules here is one transaction, or one step of it where it takes a
connection. A write that depends on what was read before its transaction says ``WHERE version =
?``; one that depends on what is read in it locks that (`with_for_update`) or counts it there.
"""

from bot.store.engine import Store, backup, migrate, revisions
from bot.store.file import loose, sole_use

__all__ = ["Store", "backup", "loose", "migrate", "revisions", "sole_use"]
