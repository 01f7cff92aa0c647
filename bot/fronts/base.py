"""What a front tells the program about itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import click

from bot.app import App
from bot.commands import Commands
from bot.delivery import Channel
from bot.support.settings import Settings


class Front(Channel, Protocol):
    """A platform that the program starts and stops."""

    @property
    def url(self) -> str:
        """Return the address to tell the operator after `start`, or nothing."""

    async def start(self) -> None:
        """Connect. Raises OSError if it cannot listen."""

    async def stop(self) -> None:
        """Finish what is under way and disconnect."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A front before it runs. To import it must be quick: the factory imports the rest."""

    name: str
    """The platform, the section of the settings and the package in `bot.fronts`."""
    make: Callable[[App, Commands], Front]
    listens: Callable[[Settings], tuple[str, str, int]] | None = None
    """What listens, and the host and port, for the error if that is impossible."""
    ask: Callable[[Settings], str] | None = None
    """Check the token for ``doctor --ask``: return the bot's name or raise the reason. Blocking."""
    command: click.Command | None = None
    """The command that sets the front up."""
