"""The web app: rooms, boards and commands in a browser, without an account.

``/socket`` is a WebSocket with JSON frames. The page sends the models of `wire`, each with an
``id`` that comes back in one ``done``. The server sends ``welcome`` (user, texts, rooms),
``message``, ``gone``, ``rooms``, ``people``, ``words``, and ``farewell`` after account deletion.

Every message has a stamp that rises with each change, and messages are sent in the order of stamps.
A page that reconnects sends the highest stamp it has seen and gets what it missed.
"""

from bot.fronts.web.server import Web

__all__ = ["Web"]
