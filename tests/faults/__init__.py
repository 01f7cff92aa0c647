"""The house breaks in every way there is, and what is promised must hold.

``make faults``; a short form with the tests. The parts::

    random       three real processes on PostgreSQL, or one on SQLite, and people who play all games
                 on three fronts; one of them is killed, stopped, cut off (`random_faults`)
"""
