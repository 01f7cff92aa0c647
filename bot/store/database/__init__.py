"""The databases: SQLite and PostgreSQL, their migrations, backups and copies."""
