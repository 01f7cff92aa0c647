"""Errors that the operator can fix."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from bot.support.errors import HostError, StoreError, reason
from bot.support.settings import SettingsError


@contextmanager
def clear_failures() -> Iterator[None]:
    """Report them in one line, without a traceback."""
    try:
        yield
    except SettingsError as error:
        raise click.ClickException("\n".join(error.problems)) from error
    except (HostError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        # For example a name that is too long for a file.
        if error.filename is None:
            raise
        raise click.ClickException(f"{error.filename}: {reason(error)}") from error
