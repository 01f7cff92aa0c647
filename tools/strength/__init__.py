"""How strong the computer is: whole matches of its levels, and against players of known strength.

``make bench-strength`` plays all of it, for hours (``ARGS="othello --matches 20"`` some of it, and
with ``--kept build/strength`` what was not played before); ``make bench`` a few minutes of it.
OpenSpiel's players want ``pip install open_spiel`` first; where that is missing, their lines say
so. A module here is called like its game and has ``TABLE``: the lines that are wanted of it.
Whatever is run here imports `tools.strength.fast` before anything else.
"""
