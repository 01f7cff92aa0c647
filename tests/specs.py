"""Public descriptions of the platforms' APIs, which are not in the repository."""

import os
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_SPECS = _ROOT / os.environ.get("AZUMAYA_SHARED", "../shared") / "specs"
DISCORD = _SPECS / "discord-openapi.json"
TELEGRAM = _SPECS / "telegram-bot-api.json"
