"""Turn interactions into commands, and answers into replies."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord
from aiohttp import ClientError
from cachetools import TTLCache
from discord import AppCommandOptionType, InteractionType
from structlog import get_logger

from bot.app import App
from bot.commands import Answer, Command, Commands, CommandSpec, Kind, check_size, find_spec
from bot.delivery import EphemeralReplies, SentReply
from bot.domain.errors import Refused
from bot.domain.model import Place, PlaceKind, Stranger, User
from bot.fronts.discord import FRONT
from bot.fronts.discord.buttons import modal_of, pressed_in
from bot.fronts.discord.error_codes import TOO_LATE, unless
from bot.fronts.discord.interaction_tokens import InteractionTokens
from bot.fronts.discord.layout import Page, lay_out
from bot.fronts.discord.markdown import pages, truncate
from bot.fronts.discord.replies import PATIENCE, Reply
from bot.fronts.discord.slash import FILE, TERMS, command_names
from bot.matches import boards
from bot.matches.policies import Rights
from bot.screens import Client, Screen, with_text
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.tasks import Tasks
from bot.support.texts import Texts, language_of

PLATFORM = FRONT.name
_DIRECT = "Azumaya"

_log = get_logger(__name__)

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_MOST_CHOICES = 25
_LAST_WORDS = 4.0
"""Seconds for running commands at shutdown."""

_DOWNLOAD = 10.0
"""Seconds for an attached file."""

_MOMENT, _REMEMBERED = 5.0, 1000

_Interaction = discord.Interaction[Any]
_Given = Mapping[str, Any]
"""The options of a slash command by their names."""
_Make = Callable[[], Page]
_Step = tuple[Callable[[_Make], Awaitable[None]], _Make]
"""How to show a page, which is laid out at that moment."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """An answer, ready to be shown."""

    command: Command
    answer: Answer
    here: Place
    erasures: int
    """How many accounts had been deleted before."""
    steps: Sequence[_Step]


class InteractionHandler:
    """Handle interactions of all kinds."""

    def __init__(self, app: App, commands: Commands, passing: EphemeralReplies) -> None:
        self.tokens = InteractionTokens()
        self._app = app
        self._commands = commands
        self._passing = passing
        self._under_way = Tasks()
        self._is_closing = False
        self._recent: TTLCache[str, tuple[User, Place]] = TTLCache(_REMEMBERED, _MOMENT)
        """Users and places, cached for quick players."""
        self._forgotten = 0

    async def handle(self, interaction: _Interaction) -> None:
        """Answer an interaction, perhaps with a component of a previous process."""
        if interaction.type is InteractionType.autocomplete:
            await self._complete(interaction)
            return
        if _is_command(interaction):
            # The cache is for quick presses. It may be outdated.
            self._recent.clear()
        # A task, to finish in any case.
        await self._under_way.begin(self._serve(interaction))

    async def _complete(self, interaction: _Interaction) -> None:
        """Complete the option that a user types. Another option may have chosen the game."""
        data: Any = interaction.data
        found = list[discord.app_commands.Choice[str]]()
        (typed,) = (one for one in data["options"] if one.get("focused"))
        try:
            game = _given(interaction).get(Kind.GAME, "")
            command = replace(await self._command(interaction), game=game)
            line, field = f"/{data['name']} {str(typed['value']).lstrip()}", Kind(typed["name"])
            for one in await self._commands.complete(command, line, field, most=_MOST_CHOICES):
                value = one.text.strip()
                name = truncate(" · ".join(filter(None, (value, one.hint))), 100)
                found.append(discord.app_commands.Choice(name=name, value=truncate(value, 100)))
        except StoreError as error:
            store_failed(_log, "completion failed", error)
        except Exception:  # noqa: BLE001 - logged whole, and nothing is offered
            _log.exception("completion failed")
        # Too late if the user has typed on.
        with unless(TOO_LATE):
            await interaction.response.autocomplete(found)

    def forget(self) -> None:
        """Clear the cache: accounts may have been deleted."""
        self._recent.clear()
        self._forgotten += 1

    async def close(self) -> None:
        """Start nothing more, and wait briefly for running commands."""
        self._is_closing = True
        await self._under_way.close(seconds=_LAST_WORDS)

    async def _serve(self, interaction: _Interaction) -> None:
        shards = self._app.shards
        is_ours = await shards.is_still_ours(PLATFORM, shards.tenure(PLATFORM))
        if self._is_closing or not is_ours:
            # Another process has received it, too, and replies.
            return
        where, only_way = _whereabouts(interaction), not may_post(interaction)
        token = self.tokens.keep(interaction, where, only_way=only_way)
        reply = Reply(token, self.tokens)
        try:
            shown = await self._replied(interaction, reply)
        finally:
            reply.close()
        if shown is not None:
            await self._passing.on_reply(shown)

    async def _replied(self, interaction: _Interaction, reply: Reply) -> SentReply | None:
        """Run a command and reply, acknowledging in time, with an apology after errors."""
        work = self._under_way.begin(self._answered(interaction, reply))
        try:
            await asyncio.wait({work}, timeout=PATIENCE)
            if not work.done():
                await reply.defer()
            return await self._show(interaction, await work, reply)
        except StoreError as error:
            store_failed(_log, "interaction failed", error)
        except Exception:  # noqa: BLE001 - logged whole, and the user gets a reply
            _log.exception("interaction failed")
        language = language_of(str(interaction.locale), self._app.settings.language)
        apology = partial(lay_out, Screen(text=Texts(language)("error-ours")))
        await reply.show(apology, is_private=True)
        return None

    async def _answered(self, interaction: _Interaction, reply: Reply) -> _Answered:
        """Run a command."""
        erasures = self._app.deletion_count
        command = await self._command(interaction)
        is_held = await self._is_token_board(interaction.message)
        if not is_held:
            reply.reply_in_place()
        here = command.place
        try:
            if is_held and interaction.message and interaction.message.flags.ephemeral:
                # An ephemeral board of the direct chat, which is closed.
                direct = await self._app.directory.own_place(
                    command.client.user, PLATFORM, command.client.identity, _DIRECT
                )
                command = replace(command, place=direct)
            answer = await self._run(interaction, command)
        except Refused as refused:
            answer = await self._commands.refused(command, refused)
        if answer.readers_changed:
            self.forget()
        steps = await self._steps(interaction, command, answer, reply)
        return _Answered(command, answer, here, erasures, steps)

    async def _run(self, interaction: _Interaction, command: Command) -> Answer:
        """Run what was typed, pressed or chosen. Raises `Refused`."""
        data: Any = interaction.data
        if target := data.get("target_id"):
            command = replace(command, verb="challenge")
            person = _user(interaction, target)
            return await self._commands.run(await self._about(interaction, command, person))
        spec = find_spec(data["name"]) if _is_command(interaction) else None
        if spec is not None:
            return await self._commands.run_line(*await self._filled(interaction, command, spec))
        pressed = pressed_in(interaction)
        command = replace(command, game=pressed.game, move=pressed.typed)
        if pressed.person:
            person = _user(interaction, pressed.person)
            command = await self._about(interaction, command, person)
        return await self._commands.run_button(command, *pressed.tokens)

    async def _steps(
        self, interaction: _Interaction, command: Command, answer: Answer, reply: Reply
    ) -> Sequence[_Step]:
        texts = self._commands.texts(command)
        if answer.form is not None:
            too_late = partial(lay_out, Screen(text=texts("discord-again")))
            return [(partial(reply.window, modal_of(answer.form)), too_late)]
        private, way = answer.private, None
        if answer.board_in_dm:
            rows = private.rows if private else ()
            private = Screen(text=texts("discord-private"), rows=rows)
            way = await self._private_way(interaction, command, texts)
        if private is not None and answer.why:
            private = with_text(private, answer.why)
        names, steps = command_names(str(interaction.locale)), list[_Step]()
        for screen, is_private in ((private, True), (answer.public, False)):
            if screen is None:
                continue
            show = partial(reply.show, is_private=is_private)
            link = way or await self._link(interaction, command.place, screen, texts)
            first, *others = pages(screen.text)
            page = partial(lay_out, replace(screen, text=first), link=link, commands=names)
            steps.append((show, page))
            for text in others:
                steps.append((show, partial(lay_out, Screen(text=text), commands=names)))
        return steps or [(reply.finish, partial(lay_out, Screen(text=texts("discord-done"))))]

    async def _show(
        self, interaction: _Interaction, found: _Answered, reply: Reply
    ) -> SentReply | None:
        """Show the answer, unless it may name an account that was deleted since."""
        command, answer = found.command, found.answer
        outdated = Screen(text=self._commands.texts(command)("outdated"))

        def is_old() -> bool:
            # The reply to the user's own account deletion names no one.
            return self._app.deletion_count != found.erasures and not answer.readers_changed

        def as_of_now(page: _Make) -> Page:
            return lay_out(outdated) if is_old() else page()

        for show, page in found.steps:
            was_old = is_old()
            await show(partial(as_of_now, page))
            if was_old:
                return None
        if answer.form is not None:
            return None
        shown, pressed = reply.private_message, interaction.message
        return SentReply(
            found.here,
            command.client,
            answer.private,
            is_ephemeral=answer.is_ephemeral,
            # The token is kept in memory only (`interaction_tokens`): it is a secret.
            message=None if shown is None else f"~{shown}",
            pressed=None if pressed is None else f"~{pressed.id}",
        )

    async def _private_way(
        self, interaction: _Interaction, command: Command, texts: Texts
    ) -> tuple[str, str] | None:
        direct = await self._app.directory.conversation(PLATFORM, command.client.identity)
        if direct is None or direct.is_unreachable:
            return None
        try:
            channel = await interaction.client.create_dm(interaction.user)
        except (discord.HTTPException, OSError):
            return None
        return texts("discord-to-board"), jump("@me", str(channel.id))

    async def _link(
        self, interaction: _Interaction, place: Place, screen: Screen, texts: Texts
    ) -> tuple[str, str] | None:
        """Return the label and the URL of a button to the board of a screen."""
        if not screen.match or screen.chosen:
            return None
        where, prefix = place.external, "~"
        if place.kind is PlaceKind.DIRECT:
            # An ephemeral board in a direct chat has no address.
            where, prefix = f"@me/{interaction.channel_id}", ""
        for board in await boards.of_match(self._app.matches, screen.match, place):
            message = (board.message or "").removeprefix(prefix)
            if message.isdigit():
                return texts("discord-to-board"), jump(where, message)
        return None

    async def _is_token_board(self, message: discord.Message | None) -> bool:
        if message is None or not (message.flags.ephemeral or message.interaction_metadata):
            return False
        return await boards.knows(self._app.matches, PLATFORM, f"~{message.id}")

    async def _command(self, interaction: _Interaction) -> Command:
        """Return user and place as a command. A slash command registers the user."""
        person, locale = interaction.user, str(interaction.locale)
        where = _whereabouts(interaction)
        key = f"{person.id} {locale} {where}"
        known = self._recent.get(key)
        if known is None:
            forgotten = self._forgotten
            user = await self._app.directory.identify(
                PLATFORM,
                str(person.id),
                person.global_name or person.name,
                locale=locale,
                registers=_is_command(interaction),
            )
            known = user, await self._place(interaction, user, where)
            if not isinstance(user, Stranger) and forgotten == self._forgotten:
                # Strangers may register now. An account may have been deleted during the lookup.
                self._recent[key] = known
        user, place = known
        in_guild = interaction.guild_id is not None
        return Command(
            Client(user, str(person.id), locale=locale, theme=FRONT.medium.theme),
            place,
            rights=Rights(
                # In a group chat, no one decides for the others.
                interaction.permissions.manage_channels if in_guild else None,
                _roles(person),
                _role_names(interaction),
            ),
            medium=FRONT.medium,
            opens_threads=in_guild and not isinstance(interaction.channel, discord.Thread),
            unit=self._app.shards.within(PLATFORM),
        )

    async def _place(self, interaction: _Interaction, user: User, where: str) -> Place:
        directory = self._app.directory
        if _is_direct(interaction):
            return await directory.own_place(user, PLATFORM, where, _DIRECT)
        guild, channel = interaction.guild_id, interaction.channel
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        locale = str(interaction.guild_locale or "")
        return await directory.get_or_create_place(
            PLATFORM,
            where,
            title=truncate(f"#{getattr(channel, 'name', None) or ''}", 128),
            community=str(guild) if guild else None,
            # Discord also reports English if a server has set no language.
            locale=None if locale.startswith("en") else locale,
            parent=f"{guild or '@me'}/{parent}" if parent else None,
        )

    async def _filled(
        self, interaction: _Interaction, command: Command, spec: CommandSpec
    ) -> tuple[Command, str]:
        """Return the options of a slash command as a line. Raises `Refused`."""
        given = _given(interaction)
        person, words = given.get(Kind.USER), _words(spec, given)
        line = f"/{spec.name} {' '.join(words)}"
        if mention := _MENTION.search(line):
            line = line[: mention.start()] + line[mention.end() :]
            person = await _member(interaction, int(mention[1]))
        command = replace(command, record=await _file(given.get(FILE)))
        if person is not None:
            is_opponent = Kind.OPTIONS in spec.kinds
            command = await self._about(interaction, command, person, is_opponent=is_opponent)
        return command, line

    async def _about(
        self, interaction: _Interaction, command: Command, person: Any, *, is_opponent: bool = True
    ) -> Command:
        """Add a chosen user. Raises `Refused` if they cannot play here."""
        if not isinstance(person, discord.User | discord.Member):
            raise Refused("button-unknown")
        ours = interaction.client.user
        if ours is not None and person.id == ours.id:
            return replace(command, level=0)
        if person.bot:
            raise Refused("discord-bot")
        here = interaction.guild_id is not None and may_post(interaction)
        if is_opponent and here and not isinstance(person, discord.Member):
            raise Refused("discord-left", name=truncate(person.name, 32))
        name = person.global_name or person.name
        meant = await self._app.directory.identify(PLATFORM, str(person.id), name)
        return replace(command, person=meant)


def _is_command(interaction: _Interaction) -> bool:
    return interaction.type is InteractionType.application_command


def _given(interaction: _Interaction, options: Any = None) -> _Given:
    """Return the values of options, by default of all, with users instead of their ids."""
    data: Any = interaction.data
    given = data.get("options", ()) if options is None else options
    return vars(discord.app_commands.Namespace(interaction, data.get("resolved", {}), given))


def _user(interaction: _Interaction, user: str) -> Any:
    """Return the user or member with this id that an interaction is about."""
    option = {"type": AppCommandOptionType.user.value, "name": "user", "value": user}
    return _given(interaction, [option])["user"]


async def _member(interaction: _Interaction, user: int) -> discord.User | discord.Member:
    """Return a mentioned user. Raises `Refused`."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    find = guild.fetch_member if guild else interaction.client.fetch_user
    try:
        found: discord.User | discord.Member = await find(user)
    except (discord.NotFound, discord.Forbidden):
        raise Refused("unknown-person", name=str(user)) from None
    return found


def _words(spec: CommandSpec, given: _Given) -> list[str]:
    """Return the options of a slash command as words in the order of a line."""
    words = [str(given.get(kind) or "") for kind in spec.kinds if kind is not Kind.USER]
    if spec.game:
        terms = [
            TERMS[name].get(str(value), "") if name in TERMS else f"{name}={value}"
            for name, value in given.items()
            if name not in spec.kinds
        ]
        words = [words[0] or "new", *terms] if any(terms) else words
    return words


async def _file(given: discord.Attachment | None) -> bytes:
    """Return an attached file. Raises `Refused` if it is too large or does not come."""
    if given is None:
        return b""
    check_size(given.size)
    try:
        async with asyncio.timeout(_DOWNLOAD):
            return await given.read()
    except (discord.HTTPException, ClientError, OSError) as error:
        _log.info("file not read", reason=type(error).__name__)
        raise Refused("import-file") from None


def _is_direct(interaction: _Interaction) -> bool:
    return interaction.guild_id is None and not interaction.context.private_channel


def _whereabouts(interaction: _Interaction) -> str:
    """Return the place's external id: of the user, or ``guild/channel``."""
    if _is_direct(interaction):
        return str(interaction.user.id)
    return f"{interaction.guild_id or '@me'}/{interaction.channel_id}"


def _roles(person: discord.abc.User) -> frozenset[str]:
    roles = person.roles if isinstance(person, discord.Member) else ()
    return frozenset(str(role.id) for role in roles if not role.is_default())


def _role_names(interaction: _Interaction) -> dict[str, str]:
    """Return the roles of the server, except those of bots."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    if guild is None:
        return {}
    return {
        str(role.id): role.name
        for role in guild.roles
        if not role.is_default() and not role.is_bot_managed()
    }


def may_post(interaction: _Interaction) -> bool:
    """True if the bot itself may post boards where the interaction happened."""
    if interaction.guild_id is None:
        return _is_direct(interaction)
    if interaction.client.get_guild(interaction.guild_id) is None:
        return False
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    send = may.send_messages_in_threads if in_thread else may.send_messages
    return may.administrator or (may.view_channel and send and may.attach_files)


def jump(where: str, message: str) -> str:
    """Return the URL of a message. `where`: ``guild/channel`` or ``@me/channel``."""
    return f"https://discord.com/channels/{where}/{message}"
