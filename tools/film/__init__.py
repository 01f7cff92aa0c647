"""One evening of two new users as their phones show it, and what a match costs them.

``python -m tools.film`` writes sheets of screenshots to ``build/film``, to be looked at, and counts
presses, messages and pings for every game. Everything is done from outside, at the fronts.
"""
