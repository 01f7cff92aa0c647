"""The only package that runs SQL.

Its functions take a SQLAlchemy `Connection`, on which they run as a step of a transaction. With
`@reads` or `@writes` they are called with a `Store` instead, and are a whole one. A write that
depends on an earlier read says ``WHERE version = ?`` or locks what it read (`database.dialect`).
"""

from bot.store.database.backups import backup as backup
from bot.store.database.backups import restore as restore
from bot.store.database.base import Address as Address
from bot.store.database.base import title as title
from bot.store.database.changes import EVERYTHING as EVERYTHING
from bot.store.database.changes import Changes as Changes
from bot.store.database.copying import copy as copy
from bot.store.database.engine import Attempt as Attempt
from bot.store.database.engine import Store as Store
from bot.store.database.engine import exists as exists
from bot.store.database.engine import migrate as migrate
from bot.store.database.engine import revision as revision
from bot.store.database.engine import single_instance_lock as single_instance_lock
from bot.store.database.file import exposed as exposed
from bot.store.database.migrating import revisions as revisions
