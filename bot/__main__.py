"""Program entry point."""

import gc
import signal

# Nothing imported below is garbage: without collection the start takes a quarter less time.
gc.disable()

# Ctrl-C during the imports ends the process without a traceback.
_is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _is_ours:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# isort: split

try:
    from bot.cli import main
except ModuleNotFoundError as error:
    if (error.name or "bot").partition(".")[0] in ("bot", "games", "renderers"):
        raise
    raise SystemExit(
        f"Error: the package {error.name} is missing. Reinstall Azumaya. In a clone: "
        "pip install --force-reinstall -c constraints/run.txt ."
    ) from None

gc.freeze()
gc.enable()

if _is_ours:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if __name__ == "__main__":
    main()
