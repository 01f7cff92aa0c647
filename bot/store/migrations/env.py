"""Run by Alembic: migrates the connection that `bot.store.engine.migrate` hands over."""

from alembic import context

from bot.store.schema import metadata

connection = context.config.attributes["connection"]
# SQLite cannot alter most things in place: batches copy the table. It can undo DDL, though,
# in the transaction that `migrate` has begun: all revisions take effect together, or none.
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
