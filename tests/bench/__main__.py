"""Run all benchmarks: ``python -m tests.bench [name …] [--trace]``; the table goes to stdout.

``--trace`` has `structure` print every call that it counts.
"""

import asyncio
import inspect
import json
import platform
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import tests.bench

_ONLY_BY_NAME = {"memory"}
"""Takes half an hour."""
_JSON = Path("build/bench.json")


def main() -> None:
    """Measure, print, write."""
    named = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    names = named or sorted(
        module.name
        for module in iter_modules(tests.bench.__path__)
        if module.name[0] != "_" and module.name not in _ONLY_BY_NAME
    )
    figures: dict[str, float] = {}
    for name in names:
        measure = import_module(f"tests.bench.{name}").measure
        figures |= asyncio.run(measure()) if inspect.iscoroutinefunction(measure) else measure()
    width = max(map(len, figures))
    for label, value in figures.items():
        print(f"{label:<{width}}  {value:>10.2f}")
    _JSON.parent.mkdir(exist_ok=True)
    _JSON.write_text(
        json.dumps({"python": platform.python_version(), "figures": figures}, indent=2) + "\n"
    )
    print(f"\nwritten to {_JSON}")


if __name__ == "__main__":
    main()
