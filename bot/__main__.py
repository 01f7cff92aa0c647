"""Where the program begins: the command line, and before it is read, Ctrl-C."""

import gc
import signal

# Nothing of what follows is garbage: not to look for any made a start shorter by a quarter.
gc.disable()

# Ctrl-C while all that follows is being imported just ends us, without a traceback.
_is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _is_ours:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# isort: split

try:
    from bot.command_line import main
except ModuleNotFoundError as error:
    # Every command imports it, doctor as well, which would say the same.
    if (error.name or "bot").partition(".")[0] in ("bot", "games", "renderers"):
        raise
    raise SystemExit(
        f"Error: the package {error.name} is missing, without which Azumaya cannot begin. Install "
        "it again: in a clone, pip install --force-reinstall -c constraints/run.txt ."
    ) from None

gc.freeze()
gc.enable()

if _is_ours:
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]

if __name__ == "__main__":
    main()
