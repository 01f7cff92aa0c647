"""Attacks on the real process, over the loopback address: ``python -m tools.attack``."""
