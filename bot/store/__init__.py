"""The only place that speaks SQL.

Each function of the modules here is one transaction, or one step of it where it takes a
connection. Every write that depends on what was read says ``WHERE version = ?``.
"""

from bot.store.engine import Store, backup, migrate, revisions
from bot.store.file import loose, sole_use

__all__ = ["Store", "backup", "loose", "migrate", "revisions", "sole_use"]
