"""Plain text as Discord's markdown."""

import re
from collections.abc import Iterable, Mapping

NAME = re.compile(r"[-_\w]{1,32}")
"""Valid names of commands and options (in lower case)."""

_SPECIAL = re.compile(r"([\\*_~`|<\[\]@]|:(?=//)|^\s*[-+#>])", re.MULTILINE)
_COMMAND = re.compile(r"(?<![\w/.])/([a-z][a-z0-9]*)")
_PAGE = 3500
"""Characters of text per message. Discord allows 4000, with escapes and title."""


def escape(text: str, commands: Mapping[str, str] | None = None) -> str:
    """Escape markup, mentions and links. `commands` maps command names to localized names."""
    text = _called(text, commands)
    return _SPECIAL.sub(lambda found: found[1][:-1] + "\\" + found[1][-1], text)


def code(text: str, commands: Mapping[str, str] | None = None) -> str:
    """Format `text` as inline code."""
    return "`" + _called(text, commands).replace("`", "'") + "`"


def _called(text: str, commands: Mapping[str, str] | None) -> str:
    return _COMMAND.sub(lambda word: "/" + (commands or {}).get(word[1], word[1]), text)


def code_block(lines: Iterable[str]) -> str:
    """Format lines as a code block."""
    return "```\n" + "\n".join(lines).replace("`", "'") + "\n```"


def truncate(text: str, most: int) -> str:
    """Truncate `text` to `most` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def pages(text: str) -> list[str]:
    """Split `text` into messages, between lines or words."""
    parts = []
    while len(text) > _PAGE:
        at = max(text.rfind("\n", 0, _PAGE), 0) or max(text.rfind(" ", 0, _PAGE), 0) or _PAGE
        parts.append(text[:at])
        text = text[at:].lstrip()
    return [*parts, text]


def slug(text: str) -> str:
    """Return `text` as an option name, "" if invalid: ``Draw after`` -> ``draw-after``."""
    name = "-".join(re.findall(r"\w+", text.casefold()))[:32]
    return name if NAME.fullmatch(name) else ""
