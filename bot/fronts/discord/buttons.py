"""Buttons and selects that say all there is to know, so that they survive a restart.

A button's ``custom_id`` is ``az:<game>:<token>``, the token being that of its `Action` (verb,
match, version, steps); a select's is ``az-pick:<game>:<number>``, or ``answers``, and its options
carry the tokens; a window's to type in is ``az-form:<game>:<token>``.
"""

import re
from collections.abc import Sequence
from typing import Any, Self

import discord
from discord import ButtonStyle, ui

from bot.actions import LONGEST_TOKEN
from bot.fronts.discord.markdown import cut
from bot.screens import Button, Choice, Form, Question, Style

__all__ = ["TokenButton", "filled_in", "is_ours", "window_of"]

_STYLES = {
    Style.PLAIN: ButtonStyle.secondary,
    Style.PRIMARY: ButtonStyle.primary,
    Style.DANGER: ButtonStyle.danger,
}


def _custom_id(game: str, token: str) -> str:
    custom_id = f"az:{game}:{token}"
    assert len(custom_id) <= 100, custom_id
    return custom_id


class TokenButton(
    ui.DynamicItem[ui.Button[Any] | ui.Select[Any]],
    template=rf"(?s:az(?:-pick)?:(?P<game>[a-z0-9]{{0,32}}):(?P<token>.{{1,{LONGEST_TOKEN}}}))",
):
    """A button or a select of ours."""

    @classmethod
    def of(cls, button: Button, *, game: str) -> Self:
        """The widget of a button on a screen."""
        return cls(
            ui.Button(
                label=cut(button.label, 80),
                style=_STYLES[button.style],
                custom_id=_custom_id(game, button.action.token),
            )
        )

    @classmethod
    def step(cls, choice: Choice, *, game: str) -> Self:
        """The widget of a next step."""
        return cls(
            ui.Button(
                label=cut(choice.short, 80),
                style=ButtonStyle.secondary,
                custom_id=_custom_id(game, choice.action.token),
            )
        )

    @classmethod
    def pick(
        cls, choices: Sequence[Choice], *, game: str, number: int, most: int = 1, group: str = ""
    ) -> Self:
        """The widget of up to 25 next steps in one row, of which so many can be taken at once.

        `group` is what they are called together.
        """
        first, last = choices[0].short, choices[-1].short
        shown = first if first == last else f"{first} … {last}"
        return cls(
            ui.Select(
                custom_id=f"az-pick:{game}:{number}",
                placeholder=cut(f"{group}: {shown}" if group else shown, 150),
                max_values=min(most, len(choices)),
                options=[
                    discord.SelectOption(label=cut(choice.label, 100), value=choice.action.token)
                    for choice in choices
                ],
            )
        )

    @classmethod
    def answers(cls, questions: Sequence[Question], *, game: str) -> Self:
        """The widget of all answers to what a board asks, of which one is chosen."""
        return cls(
            ui.Select(
                custom_id=f"az-pick:{game}:answers",
                placeholder=cut(" · ".join(question.text for question in questions), 150),
                options=[
                    discord.SelectOption(label=cut(answer.label, 100), value=answer.action.token)
                    for question in questions
                    for answer in question.answers
                ],
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """The widget as it was pressed."""
        assert isinstance(item, (ui.Button, ui.Select))
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand what was pressed or chosen to the house."""
        match = self.template.fullmatch(self.custom_id)
        assert match is not None
        tokens = [match["token"]]
        if isinstance(self.item, ui.Select):
            tokens = self.item.values or [""]
        await interaction.client.interactions.pressed(interaction, *tokens, game=match["game"])


_LONGEST_TITLE = 45
"""Characters of what a window is called, and of what stands over a line in it."""
_LONGEST_LINE = 100
_FILLED = re.compile(rf"(?s:az-form:(?P<game>[a-z0-9]{{0,32}}):(?P<token>.{{1,{LONGEST_TOKEN}}}))")


def window_of(form: Form) -> ui.Modal:
    """A window in which somebody types a line; it may be left empty."""
    window = ui.Modal(
        title=cut(form.title, _LONGEST_TITLE),
        timeout=None,
        custom_id=f"az-form:{form.game}:{form.action.token}",
    )
    line = ui.TextInput[Any](
        custom_id="line",
        placeholder=cut(form.example, 100),
        max_length=_LONGEST_LINE,
        required=False,
    )
    window.add_item(ui.Label(text=cut(form.label, _LONGEST_TITLE), component=line))
    # What is typed finds its own way home, so nobody needs to remember it.
    window.stop()
    return window


def filled_in(interaction: discord.Interaction[Any]) -> tuple[str, str, str] | None:
    """What a window of ours is about, its token, and what was typed into it; None for others."""
    data: Any = interaction.data or {}
    match = _FILLED.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return None
    typed = [one.get("component", {}).get("value", "") for one in data.get("components", ())]
    return match["game"], match["token"], " ".join(map(str, typed))


def is_ours(interaction: discord.Interaction[Any]) -> bool:
    """Was a component pressed that we made, and that stands in its message?"""
    data: Any = interaction.data or {}
    kind, custom_id = data.get("component_type"), str(data.get("custom_id", ""))
    if interaction.message is None:
        return False
    if not TokenButton.__discord_ui_compiled_template__.fullmatch(custom_id):
        return False
    return (kind, custom_id) in _pressable(interaction.message.components)


def _pressable(components: Sequence[Any]) -> set[tuple[int, str]]:
    """The kinds and ids of all components, nested ones too."""
    found = set()
    for component in components:
        found.add((component.type.value, getattr(component, "custom_id", None) or ""))
        found |= _pressable(getattr(component, "children", ()))
    return found
