"""The contract of games and renderers, quoted: a failing test names the broken sentence."""

from collections.abc import Callable
from functools import wraps
from inspect import getsource
from typing import ParamSpec

import games.base
import renderers.base

P = ParamSpec("P")

_CONTRACT = {
    module.__name__: " ".join(getsource(module).split()) for module in (games.base, renderers.base)
}


def keeps(*sentences: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Mark a test of these sentences of the contract. Must be the innermost decorator."""
    quoted = [(sentence, _place(sentence)) for sentence in sentences]

    def decorate(test: Callable[P, None]) -> Callable[P, None]:
        @wraps(test)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            try:
                test(*args, **kwargs)
            except BaseException as error:
                for sentence, place in quoted:
                    error.add_note(f'The contract in {place} says: "{sentence}"')
                raise

        return run

    return decorate


def _place(sentence: str) -> str:
    """Return the module whose docstrings have the sentence, across line breaks."""
    for place, text in _CONTRACT.items():
        if sentence in text:
            return place
    raise LookupError(f"not in the contract: {sentence}")
