"""The only package that runs SQL.

Each function is a transaction, or a step of one if it takes a connection. A write that depends on
an earlier read says ``WHERE version = ?`` or locks what it read (`bot.store.dialect`).
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
