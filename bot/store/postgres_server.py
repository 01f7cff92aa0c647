"""Connect to a PostgreSQL server, and turn its errors into one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pydantic import SecretStr
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.support import database_urls
from bot.support.errors import StoreBusyError, StoreError
from bot.support.logs import register_secret

try:
    import asyncpg
except ImportError as error:  # pragma: no cover - see test_postgres
    raise StoreError(
        "database: PostgreSQL needs the extra postgres; azumaya doctor says how to install it"
    ) from error

BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# COMMIT of a failed transaction raises nothing. Another statement in it does.
COMMIT = "SELECT 1; COMMIT"

CONNECT_SECONDS = 5.0
STATEMENT_SECONDS = 30.0
CLOSING_SECONDS = 2.0

FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # Raised by a connection that is about to end.
    asyncpg.InternalClientError,
    OSError,
)
"""Raised if the server is not reached, or refuses something."""
NO_URL = (ValueError, TypeError, OverflowError, asyncpg.exceptions.ClientConfigurationError)
"""Raised if the URL is not understood, for example with a port too high."""

_SESSION = {
    "application_name": "azumaya",
    "client_encoding": "UTF8",
    "timezone": "UTC",
    # A process that hangs or is cut off must not block others for long.
    "idle_in_transaction_session_timeout": "10s",
    "lock_timeout": "10s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}

_AGAIN: Final = {
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "55P03",  # lock_not_available: it took longer than lock_timeout
    "57014",  # query_canceled
    "57P01",  # admin_shutdown
    "57P02",  # crash_shutdown
    "57P03",  # cannot_connect_now
    "25P03",  # idle_in_transaction_session_timeout
    "53300",  # too_many_connections
}
_CONNECTION = "08"


def title(address: SecretStr) -> str:
    """Return the name of a database, without user and password."""
    url = database_urls.read(address.get_secret_value())
    return url.title if url else "postgresql://…"


def hide(address: SecretStr) -> None:
    """Keep the password out of the logs of this process."""
    whole = address.get_secret_value()
    register_secret(whole)
    register_secret(os.environ.get("PGPASSWORD", ""))
    if url := database_urls.read(whole):
        for secret in url.secrets:
            register_secret(secret)


def _is_short(error: BaseException | None) -> bool:
    """Return whether a retry may succeed."""
    code = str(getattr(error, "sqlstate", None) or "")
    return (
        code in _AGAIN
        or code.startswith(_CONNECTION)
        or isinstance(
            error,
            asyncpg.InterfaceError
            | asyncpg.InternalClientError
            | asyncpg.exceptions.InvalidCachedStatementError
            | OSError,
        )
    )


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, asyncpg.InternalClientError):
        return "the connection ends"
    if isinstance(error, OSError):
        return f"it cannot be reached ({error.strerror or error})"
    lines = str(error).splitlines()
    return lines[0].removeprefix("<class '").strip() if lines else type(error).__name__


@contextmanager
def one_line(name: str, *, is_certain: bool = True) -> Iterator[None]:
    """Turn errors except IntegrityError into a `StoreError`. `is_certain`: nothing committed."""
    try:
        yield
    except IntegrityError:
        raise
    except PoolTimeoutError as error:
        raise StoreBusyError(f"{name}: all connections are in use") from error
    except DBAPIError as error:
        # SQLAlchemy's text contains the statement.
        cause = getattr(error.orig, "__cause__", None) or error.orig
        raise _error(name, cause or error, is_certain=is_certain) from error
    except FAILURES as error:
        raise _error(name, error, is_certain=is_certain) from error


def _error(name: str, cause: BaseException, *, is_certain: bool) -> StoreError:
    kind = StoreBusyError if is_certain and _is_short(cause) else StoreError
    return kind(f"{name}: {_reason(cause)}")


async def connect(address: SecretStr, **more: Any) -> Any:
    """Open a driver connection. Raises ValueError, before any lookup, for an ambiguous URL."""
    if database_urls.read(address.get_secret_value()) is None:
        raise ValueError("no URL of a server")
    return await asyncpg.connect(
        address.get_secret_value(),
        timeout=CONNECT_SECONDS,
        command_timeout=more.pop("command_timeout", STATEMENT_SECONDS),
        server_settings={**_SESSION, **more},
    )
