"""Boards and turn pings as messages, kept up to date for the duties.

A reference is a message's id; with a ``~`` in front it is one that only the door it was posted
by can reach (`bot.fronts.discord.doors`). Posts carry a nonce, so that one said twice after a
crash is said once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.utils import MISSING
from structlog import get_logger

from bot.actions import Action
from bot.duties import NotNowError, PlaceGoneError
from bot.fronts.discord import faults
from bot.fronts.discord.doors import Door, Doors
from bot.fronts.discord.entrance import PLATFORM, THEME
from bot.fronts.discord.layout import Page, laid_out
from bot.fronts.discord.words import cut, plain
from bot.house import House
from bot.matches import Live
from bot.model import Board, Place, PlaceKind, Status
from bot.screens import Button, Reader, Style, headline, with_text
from bot.store import matches as rows
from bot.store import people
from bot.texts import Texts

__all__ = ["Posts"]

_log = get_logger(__name__)

_WEEK: Final = 10_080
"""Minutes after which Discord archives a quiet thread: the longest it offers."""
_SOON, _LONGEST_WAIT = 2.0, 60.0
"""Seconds until a place that cannot be reached is tried again."""
_OPENING = 3.0
"""Seconds to wait for the first answer of an interaction."""

_CLOSED: Final = {
    faults.FORBIDDEN: "may not post here",
    faults.ARCHIVED: "may not open this thread again",
    faults.CLOSED_DIRECT: "takes no direct messages",
}
"""What shuts the bot out of a place in which people still are."""

_NOBODY = discord.AllowedMentions.none()
_Channel = discord.abc.Messageable


class _Make(Protocol):
    """Makes the page that is to be posted; by a door it says why it is there."""

    def __call__(self, *, by_door: bool = False) -> Page: ...


class _Closed(Exception):
    """The bot itself may not post there."""

    def __init__(self, event: str, error: discord.HTTPException) -> None:
        super().__init__(event)
        self.event = event
        self.error = error


class Posts:
    """What the bot says by itself."""

    def __init__(self, house: House, client: discord.AutoShardedClient, doors: Doors) -> None:
        self._house = house
        self._client = client
        self._doors = doors
        self._notes = faults.Notes()
        self._waits: dict[str, float] = {}

    # --- boards ---------------------------------------------------------------------------

    async def show(self, board: Board, place: Place, live: Live) -> str:
        """Post or edit a board; gives its reference."""
        reader = await self._reader(place)
        screen = await self._house.screens.match(live, reader, seat=board.seat)

        def make(*, by_door: bool = False) -> Page:
            closed = by_door and place.kind is PlaceKind.DIRECT
            return laid_out(
                with_text(screen, reader.texts("discord-closed")) if closed else screen,
                game=live.match.game,
                rest=_rest(live, reader.texts),
                dead=_dead(live, reader.texts),
            )

        reference = await self._put(board, place, make, version=live.match.version)
        if board.former and board.former != reference:
            await self._take_away(place, board.former)
        if place.settings.get("threads") == "on" and live.match.status is Status.RUNNING:
            await self._open_thread(place, live, reference, reader.texts)
        return reference

    async def _reader(self, place: Place) -> Reader:
        """For whom a board in a place is made."""
        if place.kind is PlaceKind.DIRECT:
            user = await people.by_identity(self._house.store, PLATFORM, place.external)
            if user is not None:
                return self._house.reader(user, place, locale=None, theme=THEME)
        return self._house.audience(place, theme=THEME)

    async def _put(self, board: Board, place: Place, make: _Make, *, version: int) -> str:
        if board.message is None:
            return await self._post(place, make, nonce=f"b{board.id}.{version}")
        if board.message.startswith("~"):
            return await self._edit_by_door(place, board.message, make)
        message_id = int(board.message)

        async def edit(channel: _Channel) -> str:
            page = make()
            message = channel.get_partial_message(message_id)  # type: ignore[attr-defined]
            await message.edit(view=page.view, attachments=page.files, allowed_mentions=_NOBODY)
            return str(message_id)

        try:
            return await self._in_channel(place, edit)
        except _Closed as closed:
            self._notes.note(closed.event, place.external, closed.error)
            raise self._later(place) from closed
        except discord.HTTPException as error:
            if error.code in faults.NO_MESSAGE:
                # Somebody did not want it there: /board posts it anew.
                self._notes.note("board was deleted by somebody", board.id, error)
                return board.message
            if error.code in faults.EDITED_TOO_OFTEN:
                _log.info("board edited too often, posted anew", board=board.id)
                reference = await self._post(place, make, nonce=f"b{board.id}.{version}.n")
                await self._take_away(place, board.message)
                return reference
            raise

    async def _post(self, place: Place, make: _Make, *, nonce: str) -> str:
        """Post a page as a new message; by the bot itself if that may, else by a door."""
        door = self._doors.to(place.external)
        if door is not None and door.only_way and place.kind is not PlaceKind.DIRECT:
            return await self._post_by_door(door, make, alone=False)

        async def send(channel: _Channel) -> str:
            page = make()
            message = await channel.send(view=page.view, files=page.files, nonce=nonce)
            return str(message.id)

        try:
            return await self._in_channel(place, send)
        except _Closed as closed:
            self._notes.note(closed.event, place.external, closed.error)
            if door is None:
                raise self._later(place) from closed
            return await self._post_by_door(door, make, alone=place.kind is PlaceKind.DIRECT)

    async def _post_by_door(self, door: Door, make: _Make, *, alone: bool) -> str:
        async def send() -> str:
            page = make(by_door=True)
            message = await door.interaction.followup.send(
                view=page.view, files=page.files, ephemeral=alone, wait=True
            )
            self._doors.made(message.id, door)
            return f"~{message.id}"

        return await self._through(door, send)

    async def _edit_by_door(self, place: Place, reference: str, make: _Make) -> str:
        message_id = int(reference[1:])
        door = self._doors.to(message_id)
        if door is None:
            # Its own door has closed; by the newest one of the place it can be posted anew.
            newest = self._doors.to(place.external)
            if newest is None:
                raise self._later(place)
            return await self._post_by_door(newest, make, alone=place.kind is PlaceKind.DIRECT)
        way = door

        async def edit() -> str:
            page, interaction = make(by_door=True), way.interaction
            if interaction.message is not None and interaction.message.id == message_id:
                # Its first answer was a nod (`Reply.keeps_its_message`): this is the board.
                await interaction.edit_original_response(
                    view=page.view, attachments=page.files, allowed_mentions=_NOBODY
                )
            else:
                await interaction.followup.edit_message(
                    message_id,
                    view=page.view,
                    attachments=page.files,
                    allowed_mentions=_NOBODY,
                )
            return reference

        return await self._through(way, edit)

    async def _through(self, door: Door, act: Callable[[], Awaitable[str]]) -> str:
        """Do something by a door, once the interaction has had its first answer."""
        try:
            async with asyncio.timeout(_OPENING):
                await door.opened.wait()
            return await act()
        except TimeoutError as error:
            raise NotNowError(_SOON) from error
        except discord.HTTPException as error:
            if error.code in faults.TOO_LATE | faults.NO_MESSAGE:
                self._notes.note("interaction expired before its board", door.interaction.id)
                self._doors.shut(door)
                raise NotNowError(_SOON) from error
            if faults.is_busy(error):
                raise NotNowError(_SOON) from error
            raise
        except (OSError, aiohttp.ClientError) as error:
            raise NotNowError(_SOON) from error

    def _later(self, place: Place) -> NotNowError:
        """Try again when somebody there may have opened a door: soon, then less and less often."""
        wait = min(2 * self._waits.get(place.external, _SOON / 2), _LONGEST_WAIT)
        self._waits[place.external] = wait
        return NotNowError(wait)

    # --- places ---------------------------------------------------------------------------

    async def _in_channel(self, place: Place, act: Callable[[_Channel], Awaitable[str]]) -> str:
        """Do something in the channel of a place; opens archived threads.

        Raises `_Closed` where the bot may not, `PlaceGoneError`, or what concerns the message
        alone.
        """
        try:
            channel = await self._channel(place)
            try:
                done = await act(channel)
            except discord.HTTPException as error:
                if error.code not in faults.ARCHIVED:
                    raise
                await self._unarchive(place)
                done = await act(channel)
        except discord.HTTPException as error:
            meant = self._meant(place, error)
            if meant is None:
                raise
            raise meant from error
        except (OSError, aiohttp.ClientError) as error:
            self._notes.note("Discord is out of reach", place.external)
            raise self._later(place) from error
        self._notes.well(place.external)
        self._waits.pop(place.external, None)
        return done

    def _meant(self, place: Place, error: discord.HTTPException) -> Exception | None:
        """What an error says about a place; None where it is about the message alone."""
        code = error.code
        if code in faults.GONE or (code in faults.FORBIDDEN and not self._is_member(place)):
            return PlaceGoneError()
        closed = next((event for codes, event in _CLOSED.items() if code in codes), None)
        if closed is not None:
            return _Closed(closed, error)
        if faults.is_busy(error):
            self._notes.note("Discord wants a pause", place.external, error)
            return self._later(place)
        return None

    async def _channel(self, place: Place) -> _Channel:
        if place.kind is PlaceKind.DIRECT:
            return await self._client.create_dm(discord.Object(int(place.external)))
        guild, _, channel = place.external.partition("/")
        return self._client.get_partial_messageable(
            int(channel), guild_id=int(guild) if guild.isdigit() else None
        )

    def _is_member(self, place: Place) -> bool:
        """Is the bot (still) in the server of a place, if that is in one?"""
        guild, _, channel = place.external.partition("/")
        in_guild = bool(channel) and guild.isdigit()
        return not in_guild or self._client.get_guild(int(guild)) is not None

    async def _unarchive(self, place: Place) -> None:
        thread = int(place.external.partition("/")[2])
        await self._client.http.edit_channel(thread, archived=False, reason=None)

    async def _take_away(self, place: Place, reference: str) -> None:
        """Delete a message of ours, if it is still there and can be reached."""
        if reference.startswith("~"):
            message_id = int(reference[1:])
            door = self._doors.to(message_id)
            if door is not None:
                with suppress(discord.HTTPException):
                    await door.interaction.followup.delete_message(message_id)
            return

        async def delete(channel: _Channel) -> str:
            message = channel.get_partial_message(int(reference))  # type: ignore[attr-defined]
            await message.delete()
            return reference

        try:
            await self._in_channel(place, delete)
        except _Closed as closed:
            self._notes.note(closed.event, place.external, closed.error)
        except discord.HTTPException as error:
            if error.code not in faults.NO_MESSAGE:
                raise

    # --- threads --------------------------------------------------------------------------

    async def _open_thread(self, place: Place, live: Live, reference: str, texts: Texts) -> None:
        """Give a match that is played in a channel a thread of its own, with a board in it."""
        store, match = self._house.store, live.match
        guild, _, channel = place.external.partition("/")
        home = self._client.get_channel(int(channel)) if channel.isdigit() else None
        if not isinstance(home, discord.TextChannel) or not reference.isdigit():
            return
        # A thread has the id of the message that it starts from.
        external = f"{guild}/{reference}"
        shown = await rows.boards_of(store, match.id)
        places = [await people.place(store, board.place_id) for board in shown]
        if any(_is_thread_of(place, other) for other in places):
            return
        wanted = {*match.seats, match.challenger}
        name = headline(live, texts, await people.names(store, wanted))
        try:
            await home.get_partial_message(int(reference)).create_thread(
                name=cut(f"#{match.id} {name}", 100), auto_archive_duration=_WEEK
            )
        except discord.HTTPException as error:
            if error.code not in faults.THREAD_EXISTS:
                # Not about the place itself, where all is well as soon as the board is shown.
                self._notes.note("may not open threads", f"in {place.external}", error)
                return
        thread = await people.enter(
            store,
            PLATFORM,
            external,
            kind=PlaceKind.CHANNEL,
            title=cut(f"#{name}", 128),
            community=place.community,
        )
        inherited = {key: value for key, value in place.settings.items() if key != "threads"}
        await people.change_place(
            store, thread.id, settings={**inherited, "parent": place.external}
        )
        await rows.add_board(store, match, thread.id, seat=None)
        self._house.changed.set()

    # --- pings ----------------------------------------------------------------------------

    async def ping(self, board: Board, place: Place, live: Live) -> str | None:
        """Tell whose turn it is, once for each version of a match; the last ping goes."""
        whom = await self._whom(board, place, live)
        reference = await self._call(board, place, live, whom) if whom else None
        if board.ping and board.ping != reference:
            await self._take_away(place, board.ping)
        return reference

    async def _whom(self, board: Board, place: Place, live: Live) -> list[int]:
        """Discord's ids of those who are to be called here."""
        match, store = live.match, self._house.store
        if match.status is Status.PROPOSED:
            users = [match.opponent] if match.opponent is not None else []
        elif match.status is Status.RUNNING and len(match.seats) > 1:
            users = [match.seats[seat] for seat in sorted(live.turn)]
        elif match.ending is not None and match.ending.is_by_house:
            users = list(match.seats)
        else:
            users = []
        if not users:
            return []
        externals = await people.externals(store, PLATFORM, users)
        known = [externals[user] for user in users if user in externals]
        shown = await rows.boards_of(store, match.id)
        if len(shown) == 1 and place.kind is not PlaceKind.DIRECT:
            return [int(external) for external in known]
        places = {one.id: await people.place(store, one.place_id) for one in shown}
        return [int(external) for external in known if _best(external, shown, places) == board.id]

    async def _call(
        self, board: Board, place: Place, live: Live, whom: Sequence[int]
    ) -> str | None:
        reader = await self._reader(place)
        texts = reader.texts
        key = {Status.PROPOSED: "challenged", Status.OVER: "ended"}.get(
            live.match.status, "your-turn"
        )
        game = plain(texts(f"{live.match.game}-name"))
        who = " ".join(f"<@{external}>" for external in whom)
        text = texts(f"discord-{key}", who=who, game=game, match=live.match.id)
        may = discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(external) for external in whom],
        )
        if board.message is not None and board.message.startswith("~"):
            return await self._call_by_door(place, board.message, text, may)
        guild, _, channel = place.external.partition("/")
        message = int(board.message or 0)

        async def send(to: _Channel) -> str:
            where: Any = to
            reference = discord.MessageReference(
                message_id=message,
                channel_id=where.id,
                guild_id=int(guild) if channel and guild.isdigit() else None,
                fail_if_not_exists=False,
            )
            said = await to.send(
                text,
                reference=reference if message else MISSING,
                allowed_mentions=may,
                nonce=f"p{board.id}.{live.match.version}",
            )
            return str(said.id)

        try:
            return await self._in_channel(place, send)
        except _Closed as closed:
            self._notes.note(closed.event, place.external, closed.error)
            return None

    async def _call_by_door(
        self, place: Place, board: str, text: str, may: discord.AllowedMentions
    ) -> str | None:
        door = self._doors.to(int(board[1:]))
        if door is None:
            return None
        way = door

        async def send() -> str:
            message = await way.interaction.followup.send(
                text,
                allowed_mentions=may,
                ephemeral=place.kind is PlaceKind.DIRECT,
                wait=True,
            )
            self._doors.made(message.id, way)
            return f"~{message.id}"

        with suppress(NotNowError):
            return await self._through(way, send)
        return None


def _rest(live: Live, texts: Texts) -> tuple[Button, ...]:
    """What every board offers beside what the house says, also when the match is over."""
    match = live.match
    if match.status not in (Status.RUNNING, Status.OVER):
        return ()
    return tuple(
        Button(texts(f"discord-button-{verb}"), Action(verb, match.id, match.version))
        for verb in ("flip", "alt")
    )


def _dead(live: Live, texts: Texts) -> tuple[Button, ...]:
    """Buttons that stay to be seen, and do nothing any more."""
    match = live.match
    if match.status in (Status.PROPOSED, Status.RUNNING):
        return ()
    if match.status is Status.OVER:
        label = "button-give-up" if len(match.seats) == 1 else "button-resign"
        return (Button(texts(label), Action("resign", match.id, match.version), Style.DANGER),)
    label = "button-join" if match.opponent is None else "button-accept"
    return (Button(texts(label), Action("accept", match.id, match.version), Style.PRIMARY),)


def _is_thread_of(place: Place, other: Place) -> bool:
    return other.settings.get("parent") == place.external


def _best(external: str, shown: Sequence[Board], places: dict[int, Place]) -> int | None:
    """The board by which somebody is called: their own, else the thread's, else the first."""

    def rank(board: Board) -> tuple[int, int]:
        place = places[board.id]
        if place.kind is PlaceKind.DIRECT:
            return (0, board.id)
        return (1 if "parent" in place.settings else 2, board.id)

    ours = [
        board
        for board in shown
        if places[board.id].platform == PLATFORM
        and (places[board.id].kind is not PlaceKind.DIRECT or places[board.id].external == external)
    ]
    return min(ours, key=rank).id if ours else None
