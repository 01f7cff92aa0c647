"""The fronts turn platform events into commands and screens into messages."""

from importlib import import_module
from pathlib import Path

from bot.fronts.base import Registration
from bot.support import logs, platforms, settings, texts


def _registered(package: str) -> Registration:
    """Make the parts of a front known that the core needs before it runs."""
    module = import_module(package)
    front: Registration = module.FRONT
    platforms.KNOWN[front.name] = front.medium
    settings.SECTIONS[front.name] = front.section
    logs.distrust(front.libraries)
    texts.FOLDERS.extend(Path(folder, "locales") for folder in module.__path__)
    return front


FRONTS = (
    _registered("bot.fronts.web"),
    _registered("bot.fronts.discord"),
    _registered("bot.fronts.telegram"),
)
"""The fronts of ``azumaya run``: packages with a `FRONT`, and perhaps a folder `locales`."""
