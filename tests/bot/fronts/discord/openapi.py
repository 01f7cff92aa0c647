"""Request bodies, checked against Discord's own description of its API."""

import json
import re
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from tests.specs import DISCORD


def is_there() -> bool:
    return DISCORD.exists()


@cache
def _spec() -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(DISCORD.read_text())
    # Discord always gives ids as text, and takes numbers as well, which is what discord.py sends.
    spec["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    return spec


@cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    """Return the path templates, those with fewer parameters first."""
    templates = sorted(_spec()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\?\{[^}]+\\?\}", "[^/]+", path)), path) for path in templates]


@cache
def _validator(template: str, method: str) -> Draft202012Validator | None:
    operation = _spec()["paths"][template].get(method.lower())
    assert operation is not None, f"{method} {template} is not in the description"
    if "requestBody" not in operation:
        return None
    content = operation["requestBody"]["content"]
    assert "application/json" in content, f"{method} {template} takes no JSON"
    pointer = template.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    reference = f"#/paths/{pointer}/{method.lower()}/requestBody/content/application~1json/schema"
    return Draft202012Validator({**_spec(), "$ref": reference})


def check(method: str, path: str, body: Any) -> None:
    """Check that Discord's description allows `body` for ``method path``."""
    template = next((known for pattern, known in _paths() if pattern.fullmatch(path)), None)
    assert template is not None, f"{method} {path} is not in the description"
    validator = _validator(template, method)
    if validator is None:
        assert body is None, f"{method} {path} takes no body"
        return
    errors = [
        f"{'.'.join(map(str, error.instance_path))}: {error.message[:300]}"
        for error in validator.iter_errors(body)
    ]
    assert not errors, f"{method} {path}: {errors}\n{json.dumps(body)[:2000]}"
