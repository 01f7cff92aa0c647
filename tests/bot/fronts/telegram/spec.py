"""Check calls and answers of the Bot API against its machine-readable description."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Self

from jsonschema_rs import Draft202012Validator

from tests.specs import TELEGRAM

_PLAIN = {
    "Integer": "integer",
    "String": "string",
    "Boolean": "boolean",
    "Float": "number",
    "InputFile": "string",
}


class Spec:
    """The methods and types; each check returns a list of problems."""

    @classmethod
    def read(cls) -> Self | None:
        """Return the description, if it is present."""
        return cls(TELEGRAM.read_text("utf-8")) if TELEGRAM.exists() else None

    def __init__(self, text: str) -> None:
        told = json.loads(text)
        self.methods: dict[str, Any] = told["methods"]
        self._types = {name: _object(one) for name, one in told["types"].items()}
        self._validators: dict[str, Draft202012Validator] = {}

    def call(self, method: str, given: Mapping[str, str], files: Mapping[str, bytes]) -> list[str]:
        """Return what is wrong with a call and its parameters as sent."""
        if method not in self.methods:
            return [f"{method}: no such method"]
        fields = {field["name"]: field["types"] for field in self.methods[method].get("fields", [])}
        read = {name: _read(text, fields.get(name, ())) for name, text in given.items()}
        read |= {name: "" for name in files if name in fields}
        attached = {f"attach://{name}" for name in files if name not in fields}
        told = json.dumps(dict(given))
        unused = [f"{method}: {name} is sent for nothing" for name in attached if name not in told]
        return unused + self._wrong(method, _object(self.methods[method]), read)

    def answer(self, method: str, result: Any) -> list[str]:
        """Return what is wrong with a result."""
        return self._wrong(f"{method} ->", _any(self.methods[method]["returns"]), result)

    def value(self, kind: str, value: Any) -> list[str]:
        """Return what is wrong with a value of a type, such as an `Update`."""
        return self._wrong(kind, _any([kind]), value)

    def _wrong(self, what: str, schema: dict[str, Any], value: Any) -> list[str]:
        if what not in self._validators:
            self._validators[what] = Draft202012Validator({**schema, "$defs": self._types})
        return [
            f"{what}{'.'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in self._validators[what].iter_errors(value)
        ]


def _object(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, or of the parameters of a method."""
    if subtypes := told.get("subtypes"):
        return _any(subtypes)
    fields = told.get("fields", [])
    return {
        "type": "object",
        "properties": {field["name"]: _any(field["types"]) for field in fields},
        "required": [field["name"] for field in fields if field["required"]],
        "additionalProperties": False,
    }


def _any(kinds: Iterable[str]) -> dict[str, Any]:
    schemas = [_one(kind) for kind in kinds]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _one(kind: str) -> dict[str, Any]:
    if kind.startswith("Array of "):
        return {"type": "array", "items": _one(kind.removeprefix("Array of "))}
    return {"type": _PLAIN[kind]} if kind in _PLAIN else {"$ref": f"#/$defs/{kind}"}


def _read(text: str, types: Iterable[str]) -> Any:
    if types == ["InputFile"] or ("String" in types and not text.startswith(("{", "["))):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
