"""Components that carry all their state, so that they survive a restart.

The ``custom_id`` of a button is ``az:<game>:<token>``, with the token of its `Action` (verb, match,
version, steps). That of a select is ``az-pick:<game>:<number>``, or ``answers``, and its options
carry the tokens. That of a select of users is ``az-user:<game>:<token>``, that of a modal
``az-form:<game>:<token>``. discord.py need not remember any of them: `pressed_in` reads them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle, ComponentType, ui

from bot.domain.actions import LONGEST_TOKEN, Action
from bot.fronts.discord.markdown import truncate
from bot.screens import Button, Choice, Modal, Question, Style

_STYLES = {
    Style.PLAIN: ButtonStyle.secondary,
    Style.PRIMARY: ButtonStyle.primary,
    Style.DANGER: ButtonStyle.danger,
}
_CUSTOM_ID = re.compile(
    rf"(?s:az(?P<kind>-[a-z]+)?:(?P<game>[a-z0-9]{{0,32}}):(?P<token>.{{1,{LONGEST_TOKEN}}}))"
)
_KINDS = {
    None: ComponentType.button.value,
    "-pick": ComponentType.select.value,
    "-user": ComponentType.user_select.value,
    "-form": None,
}
"""Types of components by the beginnings of their ids. A modal has none."""
_LONGEST_TITLE = 45
_LONGEST_LINE = 100


def button_of(button: Button, *, game: str) -> ui.Button[Any]:
    """Return a button for an action."""
    return ui.Button(
        label=truncate(button.label, 80),
        style=_STYLES[button.style],
        custom_id=f"az:{game}:{button.action.token}",
        disabled=button.is_disabled,
    )


def step_select(
    choices: Sequence[Choice], *, game: str, number: int, most: int = 1, group: str = ""
) -> ui.Select[Any]:
    """Return a select of up to 25 steps, of which `most` can be chosen. `group` labels it."""
    first, last = choices[0].short, choices[-1].short
    shown = first if first == last else f"{first} … {last}"
    found = [(choice.label, choice.action) for choice in choices]
    label = f"{group}: {shown}" if group else shown
    return _select(f"az-pick:{game}:{number}", label, found, most=min(most, len(found)))


def answer_select(questions: Sequence[Question], *, game: str) -> ui.Select[Any]:
    """Return a select of the answers to all questions, at least one of which is open."""
    answers = (answer for question in questions for answer in question.answers)
    found = [(one.label, one.action) for one in answers if not one.is_disabled]
    label = " · ".join(question.text for question in questions)
    return _select(f"az-pick:{game}:answers", label, found)


def _select(
    custom_id: str, label: str, found: Iterable[tuple[str, Action]], *, most: int = 1
) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=truncate(text, 100), value=action.token)
        for text, action in found
    ]
    return ui.Select(
        custom_id=custom_id, placeholder=truncate(label, 150), max_values=most, options=options
    )


def user_select(select: Button, *, game: str) -> ui.UserSelect[Any]:
    """Return a select of users."""
    custom_id = f"az-user:{game}:{select.action.token}"
    return ui.UserSelect(custom_id=custom_id, placeholder=truncate(select.label, 150))


def modal_of(form: Modal) -> ui.Modal:
    """Return a modal with one optional text field."""
    window = ui.Modal(
        title=truncate(form.title, _LONGEST_TITLE),
        timeout=None,
        custom_id=f"az-form:{form.game}:{form.action.token}",
    )
    line = ui.TextInput[Any](
        custom_id="line",
        placeholder=truncate(form.example, 100),
        max_length=_LONGEST_LINE,
        required=False,
    )
    window.add_item(ui.Label(text=truncate(form.label, _LONGEST_TITLE), component=line))
    window.stop()
    return window


class Pressed(NamedTuple):
    """What a component or modal says. If it is not ours, it says nothing."""

    game: str = ""
    tokens: Sequence[str] = ("",)
    typed: str = ""
    person: str = ""
    """The id of the chosen user."""


def pressed_in(interaction: discord.Interaction[Any]) -> Pressed:
    """Read a pressed button, a used select or a submitted modal."""
    data: Any = interaction.data or {}
    match = _CUSTOM_ID.fullmatch(str(data.get("custom_id", "")))
    if match is None or _KINDS.get(match["kind"], 0) != data.get("component_type"):
        return Pressed()
    game, tokens, values = match["game"], [match["token"]], data.get("values", [])
    match match["kind"]:
        case "-pick":
            return Pressed(game, values or [""])
        case "-user":
            return Pressed(game, tokens, person="".join(values[:1]))
        case "-form":
            fields = [one.get("component", {}) for one in data.get("components", ())]
            return Pressed(game, tokens, " ".join(str(one.get("value", "")) for one in fields))
    return Pressed(game, tokens)
