"""Run by Alembic: migrate the connection that `bot.store.database.migrating` passes."""

from alembic import context

from bot.store.schema import metadata

connection = context.config.attributes["connection"]
# SQLite cannot alter most things: batches copy the table. Its DDL is transactional, too, so all
# revisions take effect together.
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
