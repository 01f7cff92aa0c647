"""The house itself: matches, people, places, boards, screens and commands."""
