"""aiohttp with limits, so that idle, greedy and malformed clients cannot block it.

::

    accept      As many connections as there are descriptors, and a limit per address. Without
                room, the longest idle connection of the largest address is closed.
    wait        A few seconds for a head, a body or the next request.
    read        WebSocket data in pieces, at a rate per user.
    work        On a few requests per address at once. The others wait.
    hold        Long-lived connections (`bot.support.held`), leaving some for plain requests.
    send        Close connections that do not read their responses.

A proxy named in the settings stands for many clients. Its connections count only in total. Its
requests count for the address that it forwards.
"""
