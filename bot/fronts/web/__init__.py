"""The web app: rooms, boards and commands in a browser, without an account.

``/socket`` is a WebSocket with JSON frames. The page sends the models of `wire`, each with an
``id`` that comes back in one ``done``. The server sends ``welcome`` (user, texts, rooms),
``message``, ``gone``, ``rooms``, ``people``, ``words``, and ``farewell`` after account deletion.

Every message has a stamp that rises with each change, and messages are sent in the order of stamps.
A page that reconnects sends the highest stamp it has seen and gets what it missed.
"""

from bot.app import App
from bot.commands import Commands
from bot.fronts.base import Front, Registration
from bot.support.settings import Settings


def _make(app: App, commands: Commands) -> Front:
    from bot.fronts.web.server import Web  # noqa: PLC0415 - slow

    return Web(app, commands)


def _listens(settings: Settings) -> tuple[str, str, int]:
    return "the web app", settings.web.host, settings.web.port


FRONT = Registration("web", _make, listens=_listens)
