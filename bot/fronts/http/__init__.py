"""HTTP for fronts: aiohttp, with limits that keep idle and malformed callers from blocking it.

aiohttp serves requests well once they are there. Until they are, this looks after them::

    accept      as many connections as there are descriptors for, and so many of one address;
                where there is no room, whoever has waited longest without a request goes, of
                the address that has the most
    wait        some seconds for a head, a body, the next request; whoever takes longer goes
    read        what pages send at the pace of each person, also where it comes in crumbs
    work        on a few requests of one address at once; its others wait for these
    hold        what stays, such as open pages, up to a number that leaves some connections for
                those who only ask, be it whether all is well (`bot.held`)
    send        what is read in good time; whoever does not read their answers goes
    refuse      what is no HTTP gets an answer with our headers, and is one line in the log
                that has none of its bytes

A proxy that is named in the settings is many people: its connections count together only, and
what goes through them counts for the address that it says it passes on.
"""

from bot.fronts.http.addresses import provider
from bot.fronts.http.connections import HEADERS, ConnectionLimits
from bot.fronts.http.server import HttpServer

__all__ = ["HEADERS", "ConnectionLimits", "HttpServer", "provider"]
