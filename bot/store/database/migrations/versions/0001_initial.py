"""The tables of release 0.1.0. New databases are created without migrations"""

revision = "v0001"
down_revision = None
branch_labels = None
depends_on = None
