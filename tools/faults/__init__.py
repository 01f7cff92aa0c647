"""The house breaks in every way there is, and what is promised must hold.

``make faults``; a rotating share of the systematic part with the tests. The parts::

    systematic   every transaction and every call once: just before it, and just after
      core       the core with all platforms' limits: what a death leaves is copied at each point
                 while one evening goes on, and continued from there (`systematic`)
      telegram   the real front and its server: a short evening anew for each death (`telegram`)
      discord    the same, on the wire of the strict stand-in (`discord`)
    random       three real processes on PostgreSQL, or one on SQLite, and people who play all games
                 on three fronts; one of them is killed, stopped, cut off (`random_faults`)

The core's platforms have the limits of all three fronts, in memory: so their state can be copied
as the file can, and a death costs a short ending. At a real front sockets are open, which nobody
can copy; there the process dies in earnest (`lives`): nothing of it reaches anybody any more.

What must hold: every acknowledged move is stored, once; every record replays; boards are current;
nobody is called twice, and whoever is to hear of something has heard of it; no press is left
without an answer; no message is left that nobody knows of; no secret is in the log.

What a platform makes impossible is counted by kind, and bounded: Telegram has no nonce, so what
had arrived before we could note it is said again (in the random part that is known by which process
sent it, and by what the house shows to know of it, `tools.attack.posts`); and what is answered in
words is noted before it is said, so that it is lost, and not said twice, where the house dies
between the two. A call on Discord that could not be noted stays where it is, if its match has gone
on before the house came back. And of whoever is erased we know nothing any more, as soon as that is
stored: what stands in their chat then stays there, if the house dies before it has taken it away.
"""
