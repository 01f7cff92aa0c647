"""What a front tells the program about itself."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Protocol

import click

from bot.app import App
from bot.commands import Commands
from bot.delivery import Channel
from bot.support.platforms import Medium
from bot.support.settings import FrontSettings, Settings


class Front(Channel, Protocol):
    """A platform that the program starts and stops."""

    @property
    def url(self) -> str:
        """Return the address to tell the operator after `start`, or nothing."""

    async def start(self) -> None:
        """Connect. Raises `HostError` if it cannot listen."""

    async def stop(self) -> None:
        """Finish what is under way and disconnect."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A front before it runs. To import it must be quick: `make` imports the rest."""

    medium: Medium
    front: str
    """Its class as ``package.module:Class``, imported when it is to run."""
    section: type[FrontSettings] = FrontSettings
    """Its settings, in a section with the name of the platform."""
    libraries: Mapping[str, int] = field(default_factory=dict)
    """Libraries that may quote users, and from which level on they are logged, without values."""
    needs_shards: bool = False
    """Whether the start fails if another process has its shards, rather than wait for them."""
    check_token: Callable[[Settings], str] | None = None
    """Check the token for ``doctor --ask``: return the bot's name or raise the reason. Blocking."""
    checks: Mapping[str, Callable[[Settings], Iterator[str]]] = field(default_factory=dict)
    """Further checks of ``doctor``, by what they check. Findings begin with ✓, · (a note) or ✗."""
    commands: Sequence[click.Command] = ()
    """The commands that set the front up, after its name: ``azumaya telegram setup``."""

    @property
    def name(self) -> str:
        return self.medium.name

    def make(self, app: App, commands: Commands) -> Front:
        front: Front = resolve_name(self.front)(app, commands)
        return front
