"""The only place that speaks SQL.

Each function of the modules here is one transaction, or one step of it where it takes a
connection. A write that depends on what was read before its transaction says ``WHERE version =
?``; one that depends on what is read in it locks that, or holds it (`bot.store.dialect`).
"""

from bot.store.changes import EVERYTHING, Changes
from bot.store.engine import (
    Address,
    Store,
    backup,
    exists,
    loose,
    migrate,
    note_move,
    note_restored,
    restore,
    revisions,
    sole_use,
    title,
)
from bot.store.unit import Attempt

__all__ = [
    "EVERYTHING",
    "Address",
    "Attempt",
    "Changes",
    "Store",
    "backup",
    "exists",
    "loose",
    "migrate",
    "note_move",
    "note_restored",
    "restore",
    "revisions",
    "sole_use",
    "title",
]
