"""Names of people as we may show them: no control, no markup tricks, no look-alikes.

Where people choose their names themselves (the web table), one that looks like somebody else's,
like the house or like a command is refused with a suggestion. Where a platform names them, the
same rules clean the name, and a number stands behind it where it would be mistaken. That nobody
else has a name is decided by the database, which keeps its skeleton (`bot.lookalikes`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

import idna
from cachetools import TTLCache

from bot.errors import Refused
from bot.links import has_code
from bot.lookalikes import BLANK, patterns, ready, skeleton
from bot.marks import erased_name, filled, marked
from bot.model import Computer, Match, Sitter, User
from bot.store import Store, people, standings
from bot.store.sessions import NewSession
from bot.texts import LANGUAGES, Texts
from games.computer import LEVELS

__all__ = [
    "COMPUTER_SIGN",
    "HOUSE_HANDLES",
    "LONGEST",
    "NameRefused",
    "Names",
    "clean",
    "computer_name",
    "readable",
]

LONGEST = 32
HOUSE_HANDLES = frozenset({"azumaya", "house", "bot"})
"""Handles that mean the house itself; nobody else may have them."""

_HOUSE = "azumaya"
COMPUTER_SIGN = "🤖"
"""Stands behind the names of computers, and in nobody else's."""
_SOMEBODYS = ("name-erased", "begin-everybody", "help-computer-title", "web-you")
"""Texts that stand for somebody where names do."""
_SOMEBODY = "Guest"
_LETTERS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"#\s*\d+( \d+)?")
"""What people are called when they have been erased, and what would be suggested for it."""
_NUMBERED = re.compile(r"[\W\d_]+$")
"""What stands behind a name without making it another one."""
_SPACE = re.compile(r"\s+")
# Control, format (bidirectional overrides, zero width), surrogates, private use, unassigned.
_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn"}
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_JOINERS = {_ZWNJ, _ZWJ}
_TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"
_VERY_WIDE = "\ufdfd"
"""A whole sentence as one sign."""
_EDGES = " @/"
"""What begins a mention or a command begins no name."""

_MOST_LOOKED_AT = 8 * LONGEST
_MOST_COMMON_MARKS = 2
_MOST_MARKS = 4
"""Marks on one letter: those that any letter can have, and with those of its own script."""


def readable(text: str) -> str:
    """`text` in one line, without characters that could break, hide or reorder it."""
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text))
    kept = (
        char for char in text if char in _JOINERS or unicodedata.category(char) not in _UNWANTED
    )
    return _SPACE.sub(" ", "".join(kept)).strip()


def clean(name: str) -> str:
    """`name` without what could break a line, hide, reorder or pretend; at most `LONGEST` long.

    Raises `Refused` where nothing is left.
    """
    short = _stable(readable(name)[:_MOST_LOOKED_AT])
    if not any(unicodedata.category(char)[0] in "LNSP" for char in short):
        raise Refused("name-empty")
    return short


def _stable(text: str) -> str:
    """`text` after all rules, which may have more to say once they have taken something out."""
    while (once := _cut(readable("".join(_kept(text))).strip(_EDGES), LONGEST)) != text:
        text = once
    return text


def _cut(text: str, most: int) -> str:
    """At most `most` of it, and of what it is drawn as: some characters are whole words."""
    text = text[:most]
    while _length(text) > most:
        text = text[:-1]
    return text.strip(_EDGES)


def _length(text: str) -> int:
    return max(len(text), len(unicodedata.normalize("NFKC", text)))


def _kept(text: str) -> Iterator[str]:
    """The characters of `text` that belong where they are."""
    marks: list[str] = []
    before = ""
    for at, char in enumerate(text):
        following = text[at + 1 : at + 2]
        if char in BLANK or char in (_VERY_WIDE, COMPUTER_SIGN):
            continue
        if char in _JOINERS:
            if not _joins(char, before, text[at + 1 :]):
                continue
        elif _has(r"\p{Default_Ignorable_Code_Point}", char):
            if not _selects(char, before[-1:], following):
                continue
        elif _is_mark(char):
            marks.append(char)
            if not _may_stand(marks, before):
                marks.pop()
                continue
        else:
            # Those that are part of the letter count, too.
            marks = [mark for mark in unicodedata.normalize("NFD", char) if _is_mark(mark)]
        before += char
        yield char


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def _has(pattern: str, text: str) -> bool:
    return patterns(pattern).match(text) is not None


def _joins(joiner: str, before: str, after: str) -> bool:
    """Has a joiner an effect between these? Between emoji, and as UAX #31 and RFC 5892 say."""
    if joiner == _ZWJ and _has(r"\p{Extended_Pictographic}", after):
        return (
            patterns(r"\p{Extended_Pictographic}(\uFE0F|\p{Emoji_Modifier})?$").search(before[-3:])
            is not None
        )
    try:
        return idna.valid_contextj(before + joiner + after, len(before))
    except ValueError:
        # Beside a character that has no name.
        return False


def _selects(selector: str, before: str, after: str) -> bool:
    """Does a variation selector choose between forms of what stands before it?"""
    if selector in (_TEXT_STYLE, _EMOJI_STYLE):
        # Digits can be keys of a telephone, and nothing else.
        is_key = before.isascii()
        return _has(r"\p{Emoji}", before) and (not is_key or after == _KEYCAP)
    if not _has(r"\p{Variation_Selector}", selector):
        return False
    if unicodedata.name(selector, "").startswith("MONGOLIAN"):
        return _has(r"\p{Script=Mongolian}", before)
    return _has(r"\p{Script=Han}", before)


def _may_stand(marks: list[str], before: str) -> bool:
    """May the last of the marks on one letter stand there, too?"""
    common = [mark for mark in marks if _has(r"[\p{Script=Inherited}\p{Script=Common}]", mark)]
    letter = next((char for char in reversed(before) if not _is_mark(char)), " ")
    return (
        not letter.isspace()
        and (marks[-1] in common or _script(marks[-1]) == _script(letter))
        and len(marks) <= _MOST_MARKS
        and len(common) <= _MOST_COMMON_MARKS
        and len(set(marks)) == len(marks)
    )


def _script(char: str) -> str:
    """The first word of its name in Unicode, which is that of its script; "" where it has none."""
    return unicodedata.name(char, "").removeprefix("COMBINING ").partition(" ")[0]


def _apart(name: str) -> str:
    """A name that is read from right to left, so that it does not turn what stands around it."""
    directions = map(unicodedata.bidirectional, name)
    return f"\u2068{name}\u2069" if {"R", "AL"}.intersection(directions) else name


def computer_name(computer: Computer, texts: Texts) -> str:
    """What a computer is called, with the sign by which nobody takes it for a person."""
    return f"{texts(f'computer-{computer.level}')} {COMPUTER_SIGN}"


def _letters(name: str) -> str:
    """The letters that a reader sees of a name, however they are set apart."""
    return _LETTERS.sub("", skeleton(name))


@cache
def _of_the_house() -> frozenset[str]:
    """What computers are called, and who has no name of their own, as letters, in any language."""
    found = set[str]()
    for texts in map(Texts, LANGUAGES):
        found.update(texts(f"computer-{level}") for level in range(1, LEVELS + 1))
        found.update(map(texts, _SOMEBODYS))
        found.add(texts("word-computer").split()[0])
    return frozenset(map(_letters, found))


@cache
def _of_levels() -> frozenset[str]:
    """What says in any language how well a computer plays, as letters."""
    said = " ".join(Texts(language)("word-level") for language in LANGUAGES)
    return frozenset(map(_letters, said.split()))


def _is_said_of_a_computer(name: str) -> bool:
    """Has it only words of the house, with numbers and signs between: ``Owl (level 5)``?"""
    house, telling = _of_the_house(), list[str]()
    for word in _LETTERS.split(unicodedata.normalize("NFKC", name)):
        # A digit may stand for a letter that it looks like, or for nothing.
        plain = _letters("".join(char for char in word if unicodedata.category(char)[0] != "N"))
        seen = _letters(word) if plain else ""
        telling.append(seen if seen in house else plain)
    telling = [word for word in telling if word and word not in _of_levels()]
    whole = "".join(telling)
    return bool(whole) and (whole in house or house.issuperset(telling))


class NameRefused(Refused):
    """A name that nobody can have here; `suggestion` is one that this person can."""

    def __init__(self, code: str, suggestion: str, **details: str | int) -> None:
        super().__init__(code, **details)
        self.suggestion = suggestion


_FRESH_SECONDS = 20.0
_REMEMBERED = 4096
_MOST_SUGGESTIONS = 10_000


class Names:
    """Names given out, each once a platform, and names by user id.

    The latter are remembered for a moment, for every board asks for the same few: only for a
    moment, because the command line may rename or forget somebody meanwhile.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: TTLCache[int, str] = TTLCache(_REMEMBERED, _FRESH_SECONDS)
        self._commands: frozenset[str] = frozenset()
        self.forgotten = 0
        """How often `forget` was called: what was made of names before may be old."""

    def reserve(self, words: Iterable[str]) -> None:
        """These are commands: people who choose a name may not have one of them."""
        self._commands = frozenset(words)

    # --- chosen by people -----------------------------------------------------------------

    async def choose(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        session: NewSession | None = None,
        idle_since: int | None = None,
    ) -> User:
        """Make a person who wants to be called `name`. Raises `Refused`, mostly `NameRefused`."""
        await ready()
        if has_code(name):
            # A name is public, and the code opens an account.
            raise NameRefused("name-code", await self._free(platform, _SOMEBODY))
        chosen = clean(name)
        asked = unicodedata.normalize("NFC", " ".join(name.split())).strip(_EDGES)
        if _length(readable(asked)) > LONGEST:
            raise NameRefused("name-long", await self._free(platform, chosen), most=LONGEST)
        if asked != chosen:
            raise NameRefused("name-characters", await self._free(platform, chosen))
        if code := self._reserved(chosen):
            raise NameRefused(code, await self._free(platform, chosen), name=chosen)
        handle = chosen.casefold()
        try:
            return await people.get_or_create_user(
                self._store,
                platform,
                external,
                name=chosen,
                handle=handle,
                skeleton=skeleton(chosen),
                session=session,
                idle_since=idle_since,
            )
        except people.HandleTakenError:
            is_same = await people.by_handle(self._store, platform, handle) is not None
        code = "name-taken" if is_same else "name-similar"
        raise NameRefused(code, await self._free(platform, chosen), name=chosen)

    def _reserved(self, name: str) -> str | None:
        """Why nobody may choose a name that looks like this one; None where somebody may."""
        seen = skeleton(name)
        words = _LETTERS.split(seen)
        letters = {_letters(one) for one in (name, _NUMBERED.sub("", name))}
        if letters.intersection(map(_letters, HOUSE_HANDLES)) or skeleton(_HOUSE) in words:
            return "name-house"
        if letters & _of_the_house() or _is_said_of_a_computer(name):
            return "name-word"
        if _NUMBER.fullmatch(name):
            return "name-number"
        return "name-command" if seen in map(skeleton, self._commands) else None

    async def _free(self, platform: str, name: str) -> str:
        """`name`, or the first of "name 2", "name 3" … that nobody has, nor one like it."""
        with suppress(Refused):
            name = clean(unicodedata.normalize("NFKC", name))
        if self._reserved(f"{name} 2"):
            # No number makes this one free.
            name = _SOMEBODY
        stem = clean(_cut(name, LONGEST - 5))
        begins = f"{skeleton(stem)} "
        taken = await people.skeletons(self._store, platform, begins, limit=_MOST_SUGGESTIONS)
        if not self._reserved(name) and not await people.is_taken(
            self._store, platform, handle=name.casefold(), skeleton=skeleton(name)
        ):
            return name
        number = 2
        while skeleton(f"{stem} {number}") in taken:
            number += 1
        return f"{stem} {number}"

    # --- given by a platform --------------------------------------------------------------

    async def get_or_create_user(
        self,
        platform: str,
        external: str,
        *called: str,
        handle: str | None = None,
        only_known: bool = False,
    ) -> User:
        """Whom the platform calls by the first of `called` that can be read.

        Raises LookupError for somebody who is not known, where `only_known`.

        A part of the platform's own number for this person, such as #1234, stands behind a name
        that somebody else has or that looks like one; it stays until they call themselves
        something else. Where nothing can be read, the number is the name.
        """
        await ready()
        names = self._offered(external, called)
        known = await people.introduced(self._store, platform, external)
        is_introduced = known is not None and known.skeleton is not None
        if known and is_introduced and known.handle == handle and known.user.name in names:
            return known.user
        for name, seen in names.items():
            try:
                return await people.get_or_create_user(
                    self._store,
                    platform,
                    external,
                    name=name,
                    handle=handle,
                    vouched=True,
                    skeleton=seen,
                    only_known=only_known,
                )
            except people.HandleTakenError:
                continue
        # Whoever has all of these has called themselves by this person's number on purpose.
        return await people.get_or_create_user(
            self._store,
            platform,
            external,
            name=[*names][-1],
            handle=handle,
            vouched=True,
            only_known=only_known,
        )

    async def of_stranger(self, external: str, *called: str) -> str:
        """What somebody is called of whom nothing is stored, by the same rules."""
        await ready()
        return self._candidates(external, called)[0]

    def _offered(self, external: str, called: Iterable[str]) -> dict[str, str]:
        """What somebody can be called, best first, with what that looks like."""
        return {name: skeleton(name) for name in self._candidates(external, called)}

    def _candidates(self, external: str, called: Iterable[str]) -> list[str]:
        digits = external if external.isdigit() else str(int.from_bytes(external.encode()))
        numbers = list(dict.fromkeys(f"#{digits[-length:]}" for length in (4, 8, 16)))
        for name in called:
            try:
                base = clean(name)
            except Refused:
                continue
            behind = [
                f"{clean(_cut(base, LONGEST - 1 - len(number)))} {number}" for number in numbers
            ]
            taken = self._reserved(base) in ("name-house", "name-word", "name-number")
            return behind if taken else [base, *behind]
        return numbers

    # --- shown ----------------------------------------------------------------------------

    async def shown(self, sitters: Iterable[Sitter], texts: Texts) -> dict[Sitter, str]:
        """The names of these as somebody reads them: with a word for who was erased."""
        every = set(sitters)
        found = await self.of(who for who in every if isinstance(who, int))
        erased = await self.erased(found)
        called: dict[Sitter, str] = {
            who: texts("name-erased") if who in erased else name for who, name in found.items()
        }
        for who in every:
            if isinstance(who, Computer):
                called[who] = computer_name(who, texts)
        return called

    async def seated(self, match: Match, texts: Texts) -> dict[Sitter, str]:
        """The names of those who sit in a match; in a puzzle they are called by their sides.

        For there nobody plays against anybody: it is White who is to find something.
        """
        if match.is_attempt:
            return {who: texts(f"{match.game}-seat-{at}") for at, who in enumerate(match.seats)}
        return await self.shown(match.sitters, texts)

    async def erased(self, sitters: Iterable[Sitter]) -> set[int]:
        """Those of these users who have been erased."""
        found = await self.of(who for who in sitters if isinstance(who, int))
        return {user_id for user_id, name in found.items() if name == erased_name(user_id)}

    async def unlisted(self, sitters: Iterable[Sitter]) -> set[int]:
        """Those of these users whose record is nobody else's business: by their wish, or erased.

        As it is now: nothing of it is remembered.
        """
        return await standings.unlisted(
            self._store, [who for who in sitters if isinstance(who, int)]
        )

    async def of(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The names of these users, as they are stored."""
        wanted = set(user_ids)
        found = {user_id: name for user_id in wanted if (name := self._known.get(user_id))}
        if missing := wanted - found.keys():
            forgotten = self.forgotten
            read = await people.names(self._store, missing)
            if forgotten == self.forgotten:
                self._known.update(read)
            found |= read
        return found

    def forget(self) -> None:
        """Forget what is in memory, and what is being read: somebody has another name now."""
        self._known.clear()
        self.forgotten += 1

    async def filled(self, text: str, texts: Texts) -> str:
        """`text` with the names of today in the places of their marks."""
        named = dict.fromkeys(marked(text), texts("name-erased"))
        if not named:
            return text
        shown = await self.shown(named, texts)
        return filled(text, {user: _apart(shown.get(user, name)) for user, name in named.items()})
