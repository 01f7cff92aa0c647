"""Components that carry all their state, so that they survive a restart.

The ``custom_id`` of a button is ``az:<game>:<token>``, with the token of its `Action` (verb, match,
version, steps). That of a select is ``az-pick:<game>:<number>``, or ``answers``, and its options
carry the tokens. That of a select of users is ``az-user:<game>:<token>``, that of a modal
``az-form:<game>:<token>``.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Self

import discord
from discord import ButtonStyle, ui

from bot.domain.actions import LONGEST_TOKEN, Action
from bot.fronts.discord.markdown import truncate
from bot.screens import Button, Choice, Modal, Question, Style, UserSelect

_STYLES = {
    Style.PLAIN: ButtonStyle.secondary,
    Style.PRIMARY: ButtonStyle.primary,
    Style.DANGER: ButtonStyle.danger,
}


class TokenButton(
    ui.DynamicItem[ui.Button[Any] | ui.Select[Any] | ui.UserSelect[Any]],
    template=rf"(?s:az(?:-pick|-user)?:(?P<game>[a-z0-9]{{0,32}}):(?P<token>.{{1,{LONGEST_TOKEN}}}))",
):
    """A button or select of the bot."""

    @classmethod
    def of(cls, button: Button, *, game: str) -> Self:
        return cls(
            ui.Button(
                label=truncate(button.label, 80),
                style=_STYLES[button.style],
                custom_id=f"az:{game}:{button.action.token}",
                disabled=button.is_disabled,
            )
        )

    @classmethod
    def pick(
        cls, choices: Sequence[Choice], *, game: str, number: int, most: int = 1, group: str = ""
    ) -> Self:
        """Return a select of up to 25 steps, of which `most` can be chosen. `group` labels it."""
        first, last = choices[0].short, choices[-1].short
        shown = first if first == last else f"{first} … {last}"
        found = [(choice.label, choice.action) for choice in choices]
        label = f"{group}: {shown}" if group else shown
        return cls._select(f"az-pick:{game}:{number}", label, found, most=min(most, len(found)))

    @classmethod
    def _select(
        cls, custom_id: str, label: str, found: Iterable[tuple[str, Action]], *, most: int = 1
    ) -> Self:
        options = [
            discord.SelectOption(label=truncate(text, 100), value=action.token)
            for text, action in found
        ]
        placeholder = truncate(label, 150)
        return cls(
            ui.Select(
                custom_id=custom_id, placeholder=placeholder, max_values=most, options=options
            )
        )

    @classmethod
    def users(cls, select: UserSelect, *, game: str) -> Self:
        """Return a select of users."""
        custom_id = f"az-user:{game}:{select.action.token}"
        return cls(ui.UserSelect(custom_id=custom_id, placeholder=truncate(select.label, 150)))

    @classmethod
    def answers(cls, questions: Sequence[Question], *, game: str) -> Self:
        """Return a select of the answers to all questions, at least one of which is open."""
        answers = (answer for question in questions for answer in question.answers)
        found = [(one.label, one.action) for one in answers if not one.is_disabled]
        label = " · ".join(question.text for question in questions)
        return cls._select(f"az-pick:{game}:answers", label, found)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, (ui.Button, ui.Select, ui.UserSelect))
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match = self.template.fullmatch(self.custom_id)
        assert match is not None
        tokens, handler = [match["token"]], interaction.client.interactions
        if isinstance(self.item, ui.UserSelect):
            await handler.picked(interaction, *tokens, *self.item.values, game=match["game"])
            return
        if isinstance(self.item, ui.Select):
            tokens = self.item.values or [""]
        await handler.on_press(interaction, *tokens, game=match["game"])


_LONGEST_TITLE = 45
_LONGEST_LINE = 100
_FILLED = re.compile(rf"(?s:az-form:(?P<game>[a-z0-9]{{0,32}}):(?P<token>.{{1,{LONGEST_TOKEN}}}))")


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
    # The client handles submissions by their id, so discord.py need not remember the modal.
    window.stop()
    return window


def parse_modal(interaction: discord.Interaction[Any]) -> tuple[str, str, str] | None:
    """Return game, token and input of a submitted modal, None if it is not ours."""
    data: Any = interaction.data or {}
    match = _FILLED.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return None
    typed = [one.get("component", {}).get("value", "") for one in data.get("components", ())]
    return match["game"], match["token"], " ".join(map(str, typed))


def is_ours(interaction: discord.Interaction[Any]) -> bool:
    """True if the pressed component is ours, and in its message."""
    data: Any = interaction.data or {}
    kind, custom_id = data.get("component_type"), str(data.get("custom_id", ""))
    if interaction.message is None:
        return False
    if not TokenButton.__discord_ui_compiled_template__.fullmatch(custom_id):
        return False
    return (kind, custom_id) in _pressable(interaction.message.components)


def _pressable(components: Sequence[Any]) -> set[tuple[int, str]]:
    found = set()
    for component in components:
        found.add((component.type.value, getattr(component, "custom_id", None) or ""))
        found |= _pressable(getattr(component, "children", ()))
    return found
