"""What the tables of `bot.store.schema` are made of."""

from sqlalchemy import Column, ForeignKey, Index, MetaData, Table, text
from sqlalchemy.schema import SchemaItem

from bot.store.dialect import Whole

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table(name: str, *items: SchemaItem) -> Table:
    """Return a table with these columns, keys and indexes."""
    return Table(name, metadata, *items)


def numbered_table(name: str, *items: SchemaItem) -> Table:
    """Return a table with ids. They are never reused: buttons and chats may refer to old rows."""
    ids = Column("id", Whole, primary_key=True)
    return Table(name, metadata, ids, *items, sqlite_autoincrement=True)


def owner(column: str) -> ForeignKey:
    """Return a reference to a row. When that row is deleted, this one is, too."""
    return ForeignKey(column, ondelete="CASCADE")


def index_where(condition: str, name: str, *columns: str) -> Index:
    """Return an index of the rows that meet a condition in SQL."""
    where = text(condition)
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)
