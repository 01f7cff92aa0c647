"""Where the program begins: the command line, and before it is read, Ctrl-C."""

import signal

# Ctrl-C while all that follows is being imported just ends us, without a traceback.
_is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _is_ours:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# isort: split

from bot.command_line import main

if _is_ours:
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]

if __name__ == "__main__":
    main()
