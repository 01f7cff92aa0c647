"""Measure how strong the engines are, in whole games between levels and reference players.

``python -m tools.strength`` plays for hours, and ``python -m tools.strength othello --matches 20``
less. The module of each game has a `TABLE`.
"""
