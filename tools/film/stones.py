"""What is the same in every evening, whatever the front."""

__all__ = ["HALF", "STONES"]

STONES = ("a2", "e2", "h2", "c6", "e8")
"""Where whoever hides hides."""
HALF = 5
"""Moves of the first match before the house is started anew."""
