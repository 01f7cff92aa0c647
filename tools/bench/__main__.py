"""Measure costs: ``python -m tools.bench [NAME ...]``.

Prints a table and writes ``build/bench.json``. Fails if a figure is over its limit.
"""

import asyncio
import inspect
import json
import platform
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import click

import tools.bench
from tools.bench import structure

_JSON = Path("build/bench.json")
_NAMES = sorted(
    one.name for one in iter_modules(tools.bench.__path__) if not one.name.startswith(("_", "test"))
)


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(_NAMES))
@click.option("--trace", is_flag=True, help="structure prints every call that it counts.")
def main(*, names: tuple[str, ...], trace: bool) -> None:
    structure.TRACES = trace
    figures: dict[str, float] = {}
    limits: dict[str, float] = {}
    for name in names or _NAMES:
        module = import_module(f"tools.bench.{name}")
        measure = module.measure
        limits |= getattr(module, "LIMITS", {})
        figures |= asyncio.run(measure()) if inspect.iscoroutinefunction(measure) else measure()
    width = max(map(len, figures), default=0)
    for label, value in figures.items():
        click.echo(f"{label:<{width}}  {value:>10.2f}")
    _JSON.parent.mkdir(exist_ok=True)
    _JSON.write_text(
        json.dumps({"python": platform.python_version(), "figures": figures}, indent=2) + "\n"
    )
    click.echo(f"\nwritten to {_JSON}")
    if over := {name: most for name, most in limits.items() if figures[name] > most}:
        raise click.ClickException(f"over the limits: {over}")


if __name__ == "__main__":
    main()
