"""Ports for apps that tests start in other processes."""

import socket
from contextlib import suppress
from random import SystemRandom

_PORTS = range(20_000, 32_768)
"""Below the ports of outgoing connections, one of which could take it first."""


def free_port() -> int:
    """Return a free port of the loopback address."""
    while True:
        port = SystemRandom().choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
