"""Check calls and answers of the Bot API against its machine-readable description."""

import json
from collections.abc import Mapping
from typing import Any, Self

from tests.specs import TELEGRAM


class Spec:
    """The methods and types; each check returns a list of problems."""

    @classmethod
    def read(cls) -> Self | None:
        """Return the description, if it is present."""
        return cls(TELEGRAM.read_text("utf-8")) if TELEGRAM.exists() else None

    def __init__(self, text: str) -> None:
        told = json.loads(text)
        self.methods: dict[str, Any] = told["methods"]
        self.types: dict[str, Any] = told["types"]

    def call(self, method: str, given: Mapping[str, str], files: Mapping[str, bytes]) -> list[str]:
        """Return what is wrong with a call and its parameters as sent."""
        if method not in self.methods:
            return [f"{method}: no such method"]
        fields = {field["name"]: field for field in self.methods[method].get("fields", [])}
        wrong = [
            f"{method}: {name} is missing"
            for name, field in fields.items()
            if field["required"] and name not in given and name not in files
        ]
        for name, text in given.items():
            if name not in fields:
                wrong.append(f"{method}: no parameter {name}")
            else:
                wrong += self._one(self._read(text, fields[name]["types"]), fields[name], method)
        attached = {f"attach://{name}" for name in files if name not in fields}
        told = json.dumps(dict(given))
        wrong += [f"{method}: {name} is sent for nothing" for name in attached if name not in told]
        return wrong

    def answer(self, method: str, result: Any) -> list[str]:
        """Return what is wrong with a result."""
        return self._any(result, self.methods[method]["returns"], f"{method} ->")

    def value(self, kind: str, value: Any) -> list[str]:
        """Return what is wrong with a value of a type, such as an `Update`."""
        return self._any(value, [kind], kind)

    def _read(self, text: str, types: list[str]) -> Any:
        if "String" in types and not text.startswith(("{", "[")):
            return text
        if types == ["InputFile"]:
            return text
        try:
            return json.loads(text)
        except ValueError:
            return text

    def _one(self, value: Any, field: Mapping[str, Any], where: str) -> list[str]:
        return self._any(value, field["types"], f"{where}.{field['name']}")

    def _any(self, value: Any, types: list[str], where: str) -> list[str]:
        found = []
        for kind in types:
            wrong = self._check(value, kind, where)
            if not wrong:
                return []
            found.append(wrong)
        return min(found, key=len)

    def _check(self, value: Any, kind: str, where: str) -> list[str]:
        if kind.startswith("Array of "):
            if not isinstance(value, list):
                return [f"{where}: not a list"]
            inner = kind.removeprefix("Array of ")
            return [line for item in value for line in self._check(item, inner, f"{where}[]")]
        plain: dict[str, Any] = {
            "Integer": int,
            "String": str,
            "Boolean": bool,
            "Float": (int, float),
            "InputFile": str,
        }
        if kind in plain:
            # To Python a truth is a whole number, too.
            good = isinstance(value, plain[kind]) and isinstance(value, bool) <= (kind == "Boolean")
            return [] if good else [f"{where}: {value!r:.60} is no {kind}"]
        told = self.types[kind]
        if subtypes := told.get("subtypes"):
            return self._any(value, subtypes, where)
        if not isinstance(value, dict):
            return [f"{where}: {value!r:.60} is no {kind}"]
        fields = {field["name"]: field for field in told.get("fields", [])}
        wrong = [
            f"{where}: {name} is missing"
            for name, field in fields.items()
            if field["required"] and name not in value
        ]
        for name, item in value.items():
            if name not in fields:
                wrong.append(f"{where}: {kind} has no {name}")
            else:
                wrong += self._one(item, fields[name], where)
        return wrong
