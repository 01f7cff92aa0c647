"""Plain text as Discord's markdown, and the words that people see before they type."""

import re
from collections.abc import Iterable, Mapping

__all__ = ["NAME", "code", "cut", "pages", "plain", "slug", "typed"]

NAME = re.compile(r"[-_\w]{1,32}")
"""What Discord takes as the name of a command or an option (in small letters)."""

_SPECIAL = re.compile(r"([\\*_~`|<\[\]@]|:(?=//)|^\s*[-+#>])", re.MULTILINE)
_COMMAND = re.compile(r"(?<![\w/.])/([a-z][a-z0-9]*)")
_PAGE = 3500
"""Characters of text in one message; Discord takes 4000, escapes and title included."""


def plain(text: str, commands: Mapping[str, str] | None = None) -> str:
    """`text` so that Discord shows it as it is: no markup, no mention, no link.

    `commands` has other names of commands, for people whose Discord calls them so.
    """
    text = _called(text, commands)
    return _SPECIAL.sub(lambda found: found[1][:-1] + "\\" + found[1][-1], text)


def code(text: str, commands: Mapping[str, str] | None = None) -> str:
    """`text` in type of one width, as a part of a line that is to be copied."""
    return "`" + _called(text, commands).replace("`", "'") + "`"


def _called(text: str, commands: Mapping[str, str] | None) -> str:
    """`text` with commands as people call them."""
    return _COMMAND.sub(lambda word: "/" + (commands or {}).get(word[1], word[1]), text)


def typed(lines: Iterable[str]) -> str:
    """Lines in type of one width; nothing in them is markup, so nothing may end it."""
    return "```\n" + "\n".join(lines).replace("`", "'") + "\n```"


def cut(text: str, most: int) -> str:
    """`text` in at most `most` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def pages(text: str) -> list[str]:
    """`text` in parts that fit into a message each, split between lines or words."""
    parts = []
    while len(text) > _PAGE:
        at = max(text.rfind("\n", 0, _PAGE), 0) or max(text.rfind(" ", 0, _PAGE), 0) or _PAGE
        parts.append(text[:at])
        text = text[at:].lstrip()
    return [*parts, text]


def slug(text: str) -> str:
    """`text` as the name of an option: ``Draw after`` -> ``draw-after``; "" where that fails."""
    name = "-".join(re.findall(r"\w+", text.casefold()))[:32]
    return name if NAME.fullmatch(name) else ""
