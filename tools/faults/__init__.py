"""Crash the bot at every step, and inject random faults: ``make faults``.

``systematic``
    Crashes the bot just before and just after each transaction and each call to a platform: in
    the core with all platforms in memory, and at the real fronts of Telegram and Discord.
``random``
    Kills, stops and cuts off three processes on PostgreSQL while all games are played.

After each fault these must hold:

* Every acknowledged move is stored once, and every record replays.
* Boards are current, and no message is left that the database does not know.
* Every user is notified of news once, and every press is answered.
* No secret is in the log.

Exceptions are counted by kind, and few after each crash:

* Telegram has no nonce. What arrived before it was stored is sent again.
* An answer in text is stored before it is sent. A crash between the two loses it.
* A notification on Discord that was not stored remains if its match went on before the restart.
* Messages to a deleted account remain if the bot crashes before it deletes them.
"""
