"""Ports for houses that tests start as processes of their own."""

import socket

__all__ = ["free_port"]


def free_port() -> int:
    """A port of the loopback address that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
