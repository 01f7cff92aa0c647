"""Parse lines into a `Command`.

A line is parsed by the arguments of its command (`CommandSpec`), the same on every front.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import games
from bot.commands.base import (
    FILTERS,
    RESULTS,
    Command,
    CommandSpec,
    Context,
    Kind,
    find_spec,
    table,
)
from bot.commands.managing import CLOSE
from bot.commands.notation import bare, could_be_name, is_record
from bot.commands.resolving import match_in, parse_number
from bot.commands.vocabulary import (
    MARKS,
    QUOTES,
    classes_shown,
    clock_called,
    computer_in,
    find_game,
    game_joined,
    games_shown,
    is_class,
    level_called,
    means,
    named_game,
    nearest,
    options_in,
    parse_clock,
    ranges_joined,
    spans_joined,
    without_fillers,
)
from bot.domain.errors import Refused
from bot.domain.model import User
from bot.domain.terms import Wishes
from bot.matches.names import HOUSE_HANDLES
from bot.matches.names import LONGEST as LONGEST_NAME
from bot.store import people
from games import AnyGame, GameError, records

LONGEST = 200
"""Maximum characters of a line after its command."""

_CHALLENGES = frozenset({"challenge", "game"})
"""Verbs that can challenge a user unknown to the bot."""
_BEGINS = frozenset({"challenge", "computer", "new"})
_NO_MOVES = {"rules": "rules", "help": "rules", "hint": "hint"}
_MOST_WORDS = LONGEST_NAME // 2


async def read(
    context: Context, spec: CommandSpec | None, line: str, *, name: str = "", whom: str = ""
) -> Command:
    """Parse a line after a command, typed as `name`. Raises `Refused` or `GameError`.

    `whom`: an opponent in a field.
    """
    if spec is None:
        raise unknown(context, name)
    if len(line) + len(whom) > LONGEST:
        is_pasted = Kind.MOVE in spec.kinds and is_record(line)
        raise Refused("too-long-record" if is_pasted else "too-long", most=LONGEST)
    if whom:
        context = replace(context, command=await _named(context, whom))
    if Kind.MOVE in spec.kinds:
        command, terms = await _of_game(context, games.get(context.command.game), line)
    else:
        command, terms = await _in_order(context, spec.kinds, line)
    if command.verb in _BEGINS and command.game and is_class(games.get(command.game), name):
        # The option in a game's name (``/reversi``), unless the line sets it.
        terms = [name, *terms]
    return _with_terms(context, command, terms) if terms else command


_OF_A_GAME = {
    *("abort", "analyse", "clock", "draw", "hint", "moves", "record", "replay", "resign", "share"),
    "takeback",
}
"""Verbs that accept a game instead of a match."""

_WHOLE = frozenset({Kind.COMMAND, Kind.DAYS, Kind.HOURS, Kind.LANGUAGE})
"""Arguments that take the whole line."""
_TERMS = {
    "rated": "is_rated",
    "unrated": "is_unrated",
    "takebacks": "has_takebacks",
    "hints": "has_hints",
}
"""Words for terms, and their fields of `Wishes`."""


async def _in_order(
    context: Context, kinds: tuple[Kind, ...], line: str
) -> tuple[Command, Sequence[str]]:
    """Parse the arguments of a command, and return the words for the terms of a match."""
    command, words, terms = context.command, game_joined(line.split()), list[str]()
    command, words = _with_filters(command, kinds, words)
    if Kind.USER in kinds:
        words = without_fillers(words, command.mentions)
        command, words = await _with_user(context, command, kinds, words)
    if Kind.GAME in kinds and words:
        words = game_joined(words)
        game = _game_first(context, command, words[0])
        # A name that is also a class of the game means that class.
        is_more = is_class(game, words[0])
        command, terms = replace(command, game=game.id), words[not is_more :]
    if Kind.CLOCK in kinds and words:
        first, *rest = spans_joined(words)
        if rest and parse_number(first):
            # The match may come first: "#12 3d".
            first, *rest = [rest[0], first, *rest[1:]]
        command, line = replace(command, wishes=Wishes(clock=parse_clock(first))), " ".join(rest)
    if Kind.MATCH in kinds:
        command = _about_match(command, line, words if Kind.REPLAY in kinds else None)
    if Kind.CODE in kinds:
        command = replace(command, code=line.strip(f"{MARKS} "))
    if not _WHOLE.isdisjoint(kinds):
        command = replace(command, value=line.strip(f"{QUOTES} "))
    if not kinds and words:
        # Commands with settings take words without declaring arguments.
        setting, *value = (word.strip(QUOTES) for word in words)
        command = replace(command, setting=setting, value=" ".join(value))
        if command.verb == "here" and command.setting == CLOSE and parse_number(command.value):
            command = replace(command, verb="close", match=parse_number(command.value), value="")
    return command, terms


def _with_filters(
    command: Command, kinds: tuple[Kind, ...], words: Sequence[str]
) -> tuple[Command, list[str]]:
    """Set what a list is limited to, and return the other words."""
    filters = [one for kind in kinds for one in FILTERS.get(kind, ())]
    called = {word: one for word in words for one in filters if means(word, one)}
    said = set(called.values())
    command = replace(
        command,
        result=next((one for one in RESULTS if one in said), ""),
        is_everywhere="everywhere" in said,
        is_month="month" in said,
    )
    return command, [word for word in words if word not in called]


async def _with_user(
    context: Context, command: Command, kinds: tuple[Kind, ...], words: list[str]
) -> tuple[Command, list[str]]:
    if Kind.OPTIONS in kinds:
        command, words = await _like_a_computer(context, command, words)
    if _has_opponent(command):
        # A field may have named them.
        return command, words
    if Kind.OPTIONS in kinds:
        level, words = computer_in(words)
        command = replace(command, level=level)
    has_game = Kind.GAME in kinds and bool(words) and words[0] not in command.mentions
    begins_with_game = has_game and find_game(words[0]) is not None
    is_alone = Kind.OPTIONS not in kinds and not begins_with_game
    command, words = await _extract_user(context, command, words, is_alone=is_alone)
    if is_alone or not words:
        return command, words
    return await _extract_bare_name(context, command, words, find_game(words[0]))


async def _named(context: Context, whom: str) -> Command:
    """Look up a user or the computer in a field. Unlike in a line, the name is all of it."""
    level, words = computer_in(whom.split())
    command = replace(context.command, level=level)
    if level is None:
        command, words = await _extract_user(context, command, words, is_alone=True)
    if words:
        raise Refused("unknown-person", name=whom[:32])
    return command


def _game_first(context: Context, command: Command, word: str) -> AnyGame:
    if "=" in word:
        raise Refused("options-which-game", games=games_shown(context.texts))
    try:
        return named_game(word, context.texts)
    except Refused as refused:
        if command.verb != "challenge" or _has_opponent(command):
            raise
        called = context.syntax("challenge")
        raise Refused("unknown-opponent", command=called, **refused.details) from None


def _about_match(command: Command, line: str, words: Sequence[str] | None) -> Command:
    """Set the match by its number, or by its game, but not by a class (``reversi``).

    Of `words`, those for a replay are no part of it.
    """
    if command.verb == "record":
        command, line = _of_record(command, line.split())
    if words is not None:
        words = ranges_joined(" ".join(words))
        line = " ".join(word for word in words if parse_number(word) or find_game(word))
        rest = (word for word in words if not (parse_number(word) or find_game(word)))
        command = replace(command, value=" ".join(rest))
    game = find_game(line) if command.verb in _OF_A_GAME else None
    if game is None or is_class(game, line.strip()):
        return replace(command, match=match_in(line))
    return replace(command, game=game.id)


def _of_record(command: Command, words: Sequence[str]) -> tuple[Command, str]:
    """Set the format of ``/export 12 ggf``, and find "all"."""
    known = {form for game_id in games.ids() for form in records.forms(game_id)}
    forms = [form for word in words if (form := word.casefold()) in known]
    if any(means(word, "all") for word in words):
        return replace(command, verb="records"), ""
    rest = (word for word in words if word.casefold() not in known)
    return replace(command, argument=next(iter(forms), "")), " ".join(rest)


def unknown(context: Context, word: str) -> Refused:
    """Return the refusal of an unknown command, with the most similar one."""
    word, help_ = f"/{word[:32]}", context.syntax("help")
    if near := nearest(word[1:], (spec.name for spec in table())):
        return Refused("unknown-command-near", word=word, near=f"/{near}", help=help_)
    return Refused("unknown-command", word=word, help=help_)


def _with_terms(context: Context, command: Command, terms: Sequence[str]) -> Command:
    level, words = computer_in(terms)
    words = spans_joined(words)
    options, side = _options(context, command, _of_options(words))
    clocks = {clock: word for word in words if (clock := clock_called(word)) is not None}
    if len(clocks) > 1:
        raise Refused("clock-two", clocks=", ".join(word[:32] for word in clocks.values()))
    return replace(
        command,
        options=options,
        side=side,
        level=command.level if level is None else level,
        wishes=Wishes(
            clock=next(iter(clocks), None),
            **{field: any(means(word, name) for word in words) for name, field in _TERMS.items()},
        ),
    )


def _options(
    context: Context, command: Command, words: Sequence[str]
) -> tuple[dict[str, str], int | None]:
    """Call `options_in`. Its refusals say what leaderboards accept, and that a name is unknown."""
    game = games.get(command.game)
    try:
        return options_in(game, words, context.texts)
    except Refused as refused:
        said = refused.details.get("word")
        is_name = command.verb == "challenge" and not _has_opponent(command)
        if said == words[0][:32] and is_name and _options_only(context, game, words[1:]):
            raise Refused("option-or-name", **refused.details) from refused
        if said is None or command.verb != "leaderboard":
            raise
        texts = context.texts
        spans = [texts(f"word-{one}").split()[0] for one in ("month", "all", "everywhere")]
        classes = classes_shown(game, texts)
        possible = " · ".join(filter(None, [", ".join(spans), classes]))
        raise Refused("option-unknown", word=said, options=possible) from refused


def _of_options(words: Sequence[str]) -> list[str]:
    return [word for word in words if not means(word, *_TERMS) and clock_called(word) is None]


async def _of_game(context: Context, game: AnyGame, line: str) -> tuple[Command, Sequence[str]]:
    """Parse ``/othello``, ``/othello d3``, ``/othello @name`` and ``/othello new …``.

    Return the words for the terms of a match, too.
    """
    command = context.command
    words = without_fillers(line.split(), command.mentions)
    named = await _like_a_computer(context, command, words) if "@" in line else (command, words)
    command, words = named
    # Moves contain a digit early, names of the computer do not.
    first = words[0].strip(f"{MARKS}@") if words else ""
    is_called = first.partition("=")[0].isalpha() and not _has_opponent(command)
    if is_called and computer_in(words)[0] is not None:
        # With or without "new": the computer accepts at once.
        return replace(command, verb="computer"), words[means(words[0], "new") :]
    if in_match := _in_match(command, words):
        _check_move(context, game, in_match.move.split())
        return in_match, ()
    if not _has_opponent(command):
        command, words = await _with_opponent(context, command, game, words)
    if words and means(words[-1], "new") and _options_only(context, game, words[:-1]):
        # Some users type the options first.
        words = [words[-1], *words[:-1]]
    is_new = bool(words) and means(words[0], "new")
    has_opponent = _has_opponent(command)
    if has_opponent or is_new:
        return replace(command, verb="challenge" if has_opponent else "new"), words[is_new:]
    options = [word for word in words if "=" in word]
    if options and _options_only(context, game, options):
        if len(options) < len(words):
            raise Refused("options-new")
        return replace(command, verb="new"), words
    if len(words) == 1 and (spec := find_spec(words[0])) and spec.name in _NO_MOVES:
        return replace(command, verb=_NO_MOVES[spec.name]), ()
    if len(words) > 1 and not could_be_name(game, " ".join(words), context.texts.language):
        _check_move(context, game, words)
    return replace(command, verb="play" if words else command.verb, move=" ".join(words)), ()


def _check_move(context: Context, game: AnyGame, words: Sequence[str]) -> None:
    """Raise `Refused` if a move has words that can only be options: ``d3 rated``.

    A remark is none: ``d3 (white is better)``.
    """
    words, language = bare(" ".join(words)).split(), context.texts.language
    if any(
        (clock_called(word) is not None or could_be_name(game, word, language))
        and _options_only(context, game, [word])
        for word in words
    ):
        raise Refused("options-new")


async def _with_opponent(
    context: Context, command: Command, game: AnyGame, words: list[str]
) -> tuple[Command, list[str]]:
    """Look up whom a game's command names, or challenges in a reply."""
    asked = words[bool(words) and means(words[0], "new") :]
    if command.replied and _options_only(context, game, asked):
        return replace(command, person=command.replied), words
    command, words = await _extract_user(context, command, words, is_alone=False)
    if len(words) > 1 or could_be_name(game, " ".join(words), context.texts.language):
        return await _extract_bare_name(context, command, words, game)
    return command, words


def _in_match(command: Command, words: Sequence[str]) -> Command | None:
    """Parse a move before or after a match number ``#12``. None without one."""
    words = list(words)
    for at in (0, -1):
        if words and words[at].startswith("#") and (match := parse_number(words[at].strip(MARKS))):
            del words[at]
            verb, seen = "play" if words else "board", command.seen.get(match, 0)
            return replace(command, verb=verb, match=match, version=seen, move=" ".join(words))
    return None


async def _like_a_computer(
    context: Context, command: Command, words: list[str]
) -> tuple[Command, list[str]]:
    """Look up a user whose name has a word for a computer in it: ``@Arctic Fox``."""
    if not _has_opponent(command) and computer_in(words)[0] is not None:
        for at, word in enumerate(words):
            if word.startswith("@"):
                person, end = await _longest(context, words, at)
                if person and end > at + 1:
                    return replace(command, person=person), [*words[:at], *words[end:]]
    return command, words


async def _extract_user(
    context: Context, command: Command, words: Sequence[str], *, is_alone: bool
) -> tuple[Command, list[str]]:
    """Look up the user in `words`. The longest name wins. If `is_alone`, the @ is optional."""
    # A name that ends with punctuation is found all the same.
    words = [short if (short := word.rstrip(MARKS)) in command.mentions else word for word in words]
    if is_alone and words and words[0] not in command.mentions:
        words[0] = f"@{words[0].removeprefix('@')}"
    for at, word in enumerate(words):
        if found := command.mentions.get(word):
            return replace(command, person=found), [*words[:at], *words[at + 1 :]]
        if not word.startswith("@") or (len(word) < 2 and not is_alone):
            continue
        if word[1:].rstrip(MARKS).casefold() in HOUSE_HANDLES:
            return replace(command, level=0), [*words[:at], *words[at + 1 :]]
        person, end = await _longest(context, words, at)
        if person is None:
            command = _held(command, word.rstrip(MARKS))
        return replace(command, person=person), [*words[:at], *words[end:]]
    return command, words


async def _extract_bare_name(
    context: Context, command: Command, words: list[str], game: AnyGame | None
) -> tuple[Command, list[str]]:
    """Look up a user whose name without the @ is first, or after the game or "new".

    In a game's command, only options may follow. Options and moves come before names.
    """
    at = int(bool(words) and (find_game(words[0]) is not None or means(words[0], "new")))
    if _has_opponent(command) or at >= len(words):
        return command, words
    if game is not None:
        can_be_move = command.verb == "game" and not at
        is_move = can_be_move and not could_be_name(game, words[at], context.texts.language)
        if is_move or _options_only(context, game, [words[at]]):
            return command, words
    person, end = await _longest(context, [*words[:at], f"@{words[at]}", *words[at + 1 :]], at)
    asked = [word for word in words[end:] if not means(word, "new")]
    if person is None or (game is not None and not _options_only(context, game, asked)):
        return command, words
    return replace(command, person=person), [*words[:at], *words[end:]]


def _has_opponent(command: Command) -> bool:
    return bool(command.person or command.handle or command.level is not None)


def _held(command: Command, word: str) -> Command:
    """Challenge the computer or an unknown username. Raises `Refused` if neither is possible."""
    name, usernames = word[1:], command.medium.usernames
    can_challenge = command.verb in _CHALLENGES
    if can_challenge and not name.isdecimal() and (level := level_called(name)):
        return replace(command, level=level)
    if usernames and can_challenge and re.fullmatch(usernames, name):
        return replace(command, handle=name)
    raise Refused("unknown-username" if usernames else "unknown-person", name=name[:32])


async def _longest(context: Context, words: Sequence[str], at: int) -> tuple[User | None, int]:
    called: dict[str, int] = {}
    for end in range(min(len(words), at + _MOST_WORDS), at, -1):
        handle = " ".join(words[at:end])[1:].casefold()
        # A name may itself end with a stop, with another one behind it.
        shorter = handle[:-1] if handle.endswith(tuple(MARKS)) else handle
        for one in (handle, shorter, handle.strip(f"{MARKS}@")):
            called.setdefault(one, end)
    found = await people.by_handles(context.store, context.place.platform, called)
    return next(((found[one], end) for one, end in called.items() if one in found), (None, at + 1))


def _options_only(context: Context, game: AnyGame, words: Sequence[str]) -> bool:
    """Return whether all `words` could be options. A reply may also be a move."""
    try:
        options_in(game, _of_options(spans_joined(words)), context.texts)
    except (Refused, GameError):
        return False
    return True
