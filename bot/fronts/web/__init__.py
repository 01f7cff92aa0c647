"""The web table: rooms, boards and commands in a browser, without an account or a network.

A page and this server talk as follows. Over HTTP: ``/arrive`` takes a name and sets a cookie,
``/me`` says who one is, ``/leave`` ends the session; ``/picture/…`` gives a board as the asker
may see it, ``/export`` all that is stored of them; ``/socket`` is the WebSocket for everything
else. Its frames are JSON: those of the page are the models in `wire`, each with an ``id`` that
comes back in one ``done``; the server sends ``welcome`` (who you are, words, rooms),
``message``, ``gone``, ``rooms``, ``people``, ``words``, and ``farewell`` to whoever has erased
themselves.

Every message has a stamp that rises with each change, and pages get their messages in the order
of stamps: so a page that was away says the highest one it has seen and gets what it missed. What
it gets and what it may see is decided in `bot.rooms`, and who it is in `bot.sessions`: here,
frames and cookies come and go.

::

    server       HTTP, start and stop, what delivery asks of a channel
    auth         who may come in: origins, cookies
    hub          what pages share: who is here, and telling all of them
    page_socket  one page's connection: its requests, and what it has to be told
    wire         the frames, in and out
"""

from bot.fronts.web.server import Web

__all__ = ["Web"]
