"""The only package that runs SQL.

Its functions take a SQLAlchemy `Connection`, on which they run as a step of a transaction. With
`@reads` or `@writes` they are called with a `Store` instead, and are a whole one. A write that
depends on an earlier read says ``WHERE version = ?`` or locks what it read (`database.dialect`).
"""

from bot.store.database.backups import backup, restore
from bot.store.database.base import Address, title
from bot.store.database.changes import EVERYTHING, Changes
from bot.store.database.copying import copy
from bot.store.database.engine import Attempt, Store, exists, exposed, migrate, single_instance_lock
from bot.store.database.migrating import revisions

__all__ = [
    "EVERYTHING",
    "Address",
    "Attempt",
    "Changes",
    "Store",
    "backup",
    "copy",
    "exists",
    "exposed",
    "migrate",
    "restore",
    "revisions",
    "single_instance_lock",
    "title",
]
