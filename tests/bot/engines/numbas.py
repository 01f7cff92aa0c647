"""Broken numba modules: the text of each, by the way it fails."""

_CONFIG = """
import numpy

class config:
    CACHE_DIR = ""
"""

BROKEN = {
    "OSError": "raise OSError('a secret')",
    "ModuleNotFoundError": "import no_llvmlite",
    "SystemExit": "raise SystemExit(3)",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "AttributeError (empty)": "",
    "AttributeError (without NumPy)": "def njit(function): return function",
    "AttributeError (without a configuration)": "import numpy\ndef njit(one): return one",
    "RuntimeError (compiling)": f"{_CONFIG}\ndef njit(_): raise RuntimeError('a secret')",
    "ZeroDivisionError (called)": f"{_CONFIG}\ndef njit(_): return lambda *_: 1 / 0",
    "ArithmeticError (wrong)": f"{_CONFIG}\ndef njit(_): return lambda *_: 41",
    "NotImplementedError (nothing is compiled)": f"{_CONFIG}\ndef njit(one): return one",
}
"""It raises an error of that kind, or what it makes does."""

DEADLY = {
    "exit 1": "import os\nos._exit(1)",
    "SIGSEGV": "import faulthandler\nfaulthandler._sigsegv()",
}
"""It ends the process that loads it like that."""
