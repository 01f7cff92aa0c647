"""Display names of users: without control characters, markup tricks and lookalikes.

On the web, a name like another user's, the bot's or a word of the interface is refused with a
suggestion. Platforms have users of one name: they are shown with numbers where they meet.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain, count, islice, product
from string import ascii_lowercase

import idna
from cachetools import TTLCache

from bot.domain.errors import Refused
from bot.domain.links import has_code
from bot.domain.lookalikes import BLANK, letters, patterns, ready, skeleton, visible_skeleton
from bot.domain.marks import erased_name, filled, marked
from bot.domain.model import Computer, Match, Player, StudySide, User
from bot.store import Store, match_queries, people, standings
from bot.store.sessions import NewSession
from bot.support.texts import LANGUAGES, Texts
from games.computer import LEVELS

LONGEST = 32
HOUSE_HANDLES = frozenset({"azumaya", "house", "bot"})
"""Reserved for the bot."""

_HOUSE = "azumaya"
COMPUTER_SIGN = "🤖"
"""Follows the names of computers. No user may have it."""
_PHRASES = (
    "name-erased",
    "begin-everybody",
    "help-computer-title",
    "start-whom",
    "start-whom-anybody",
    "start-whom-code",
    "web-you",
)
"""Texts that stand where names do."""
_SOMEBODY = "Guest"
_LETTERS = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"[\W\d_]+$")
"""Suffixes that do not make a name different."""
_NUMBER_SIGN = re.compile(r"(?<=\S)[\s(]*[#＃﹟♯⌗⋕№]")
"""Before a number like those that `Names.display_names` puts behind names."""
_BEFORE_NUMBER = re.compile(r"(?<=\S)[\s\d]+$")
_SPACE = re.compile(r"\s+")
# Control, format (bidirectional, zero width), surrogate, private use, unassigned.
_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn"}
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_JOINERS = {_ZWNJ, _ZWJ}
_TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"
_VERY_WIDE = "\ufdfd"
"""A whole sentence in one character."""
_EDGES = " @/"
_HIDDEN = re.compile(
    "(?<![^\0-\x7f])[\u034f\u115f\u180b-\u180d\u180f\u200c\u200d\u20e3\ufe00-\ufe0f]+"
)
"""Ignorable characters and keycaps around ASCII. Behind others, they shape letters and emoji."""
_BLANK_FORMS = "\u1160\u2800"
"""Fillers that look like spaces, in compatibility form."""

_MOST_LOOKED_AT = 8 * LONGEST
_MOST_COMMON_MARKS = 2
_MOST_MARKS = 4
"""Combining marks on one letter: common ones, and in total."""


def readable(text: str, *, in_ascii: bool = False) -> str:
    """Return `text` in one line, without characters that break, hide or reorder it.

    If `in_ascii`, with ASCII for what stands for it: ``d3`` for ``ｄ３`` or ``d۳``. Japanese,
    Persian and Arabic keyboards type these. Other compatibility forms stay: names have them.
    """
    if in_ascii and not text.isascii():
        text = "".join(map(_in_ascii, text))
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text))
    text = "".join(
        char for char in text if char in _JOINERS or unicodedata.category(char) not in _UNWANTED
    )
    if in_ascii:
        text = _HIDDEN.sub("", text)
    return _SPACE.sub(" ", text).strip()


plain = partial(readable, in_ascii=True)


def _in_ascii(char: str) -> str:
    if char.isascii():
        return char
    form = unicodedata.normalize("NFKC", char)
    if form in _BLANK_FORMS:
        return " "
    return form if form.isascii() else str(unicodedata.decimal(char, char))


def clean(name: str) -> str:
    """Return a safe name of at most `LONGEST` characters. Raises `Refused` if it is empty."""
    short = _stable(readable(name)[:_MOST_LOOKED_AT])
    if not any(unicodedata.category(char)[0] in "LNSP" for char in short):
        raise Refused("name-empty")
    return short


def _stable(text: str) -> str:
    """Apply all rules until nothing changes."""
    while (once := _cut(readable("".join(_kept(text))).strip(_EDGES), LONGEST)) != text:
        text = once
    return text


def _cut(text: str, most: int) -> str:
    """Cut to `most` characters as drawn: some characters look like whole words."""
    text = text[:most]
    while _length(text) > most:
        text = text[:-1]
    return text.strip(_EDGES)


def _length(text: str) -> int:
    return max(len(text), len(unicodedata.normalize("NFKC", text)))


def _kept(text: str) -> Iterator[str]:
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
            # Composed characters contain marks.
            marks = [mark for mark in unicodedata.normalize("NFD", char) if _is_mark(mark)]
        before += char
        yield char


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def _has(pattern: str, text: str) -> bool:
    return patterns(pattern).match(text) is not None


def _joins(joiner: str, before: str, after: str) -> bool:
    """Whether a joiner has an effect here: between emoji, or by UAX #31 and RFC 5892."""
    if joiner == _ZWJ and _has(r"\p{Extended_Pictographic}", after):
        return (
            patterns(r"\p{Extended_Pictographic}(\uFE0F|\p{Emoji_Modifier})?$").search(before[-3:])
            is not None
        )
    try:
        return idna.valid_contextj(before + joiner + after, len(before))
    except ValueError:
        return False


def _selects(selector: str, before: str, after: str) -> bool:
    if selector in (_TEXT_STYLE, _EMOJI_STYLE):
        # Digits are emoji only as keycaps.
        is_key = before.isascii()
        return _has(r"\p{Emoji}", before) and (not is_key or after == _KEYCAP)
    if not _has(r"\p{Variation_Selector}", selector):
        return False
    if unicodedata.name(selector, "").startswith("MONGOLIAN"):
        return _has(r"\p{Script=Mongolian}", before)
    return _has(r"\p{Script=Han}", before)


def _may_stand(marks: list[str], before: str) -> bool:
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
    return unicodedata.name(char, "").removeprefix("COMBINING ").partition(" ")[0]


def _apart(name: str) -> str:
    """Isolate right-to-left names from the text around them."""
    directions = map(unicodedata.bidirectional, name)
    return f"\u2068{name}\u2069" if {"R", "AL"}.intersection(directions) else name


def computer_name(computer: Computer, texts: Texts) -> str:
    """Return a computer's name with its sign."""
    return f"{texts(f'computer-{computer.level}')} {COMPUTER_SIGN}"


def _letters(name: str) -> str:
    """The visible letters of a name, without separators."""
    return _LETTERS.sub("", skeleton(name))


@cache
def _reserved_words() -> frozenset[str]:
    found = set[str]()
    for texts in map(Texts, LANGUAGES):
        found.update(texts(f"computer-{level}") for level in range(1, LEVELS + 1))
        found.update(map(texts, _PHRASES))
        found.update([texts("word-computer").split()[0], *texts("names-refused").split()])
    return frozenset(map(_letters, found | HOUSE_HANDLES))


@cache
def _of_levels() -> frozenset[str]:
    said = " ".join(Texts(language)("word-level") for language in LANGUAGES)
    return frozenset(map(_letters, said.split()))


def _resembles_computer_name(name: str) -> bool:
    house, telling = _reserved_words(), list[str]()
    for word in _LETTERS.split(unicodedata.normalize("NFKC", name)):
        # A digit may stand for a letter that it looks like, or for nothing.
        plain = _letters("".join(char for char in word if unicodedata.category(char)[0] != "N"))
        seen = _letters(word) if plain else ""
        telling.append(seen if seen in house else plain)
    telling = [word for word in telling if word and word not in _of_levels()]
    whole = "".join(telling)
    return bool(whole) and (whole in house or house.issuperset(telling))


def _keys(name: str) -> tuple[str, str, str]:
    """Return what no two users on the web share."""
    return plain(name).casefold(), visible_skeleton(name), letters(name)


def _initials() -> Iterator[str]:
    """Return what makes names differ: ``B``, ``C`` to ``Z``, ``Aa``, ``Ab`` and so on."""
    for length in count(1):
        for initial in product(ascii_lowercase, repeat=length):
            if initial != ("a",):
                yield "".join(initial).capitalize()


def _unnumbered(name: str) -> str:
    """Return a name without a number like #0001, or what looks like one."""
    for sign in _NUMBER_SIGN.finditer(name):
        number = "".join(filter(str.isalnum, skeleton(plain(name[sign.end() :]))))
        if number and set(number) <= set(skeleton("0123456789")):
            return name[: sign.start()]
    return name


def _numbered(name: str, number: str) -> str:
    return f"{clean(_cut(name, LONGEST - 1 - len(number)))} {number}"


class NameRefused(Refused):
    """A refused name, with a `suggestion` that is free."""

    def __init__(self, code: str, suggestion: str, **details: str | int) -> None:
        super().__init__(code, **details)
        self.suggestion = suggestion


_FRESH_SECONDS = 20.0
_REMEMBERED = 4096
_PLACES = 1000
_MOST_BESIDE = 200
"""Number of active matches in a place whose players' names are compared."""


class Names:
    """Names by user id, cached briefly. On the web they are unique."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: TTLCache[int, str] = TTLCache(_REMEMBERED, _FRESH_SECONDS)
        self._commands: frozenset[str] = frozenset()
        self._beside: TTLCache[int, set[int]] = TTLCache(_PLACES, _FRESH_SECONDS)
        """Users by the place where they play."""
        self._regrouped = 0
        """Counts calls of `forget_place`, to detect outdated users."""
        self.forgotten = 0
        """Counts calls of `forget`, to detect outdated names."""

    def reserve(self, words: Iterable[str]) -> None:
        self._commands = frozenset(words)

    async def choose(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        session: NewSession | None = None,
        idle_since: int | None = None,
    ) -> User:
        """Create a user called `name`. Raises `Refused` or `NameRefused`."""
        await ready()
        if has_code(name):
            # Names are public, and a code opens an account.
            raise NameRefused("name-code", await self._free(platform, _SOMEBODY))
        chosen = clean(name)
        asked = unicodedata.normalize("NFC", " ".join(name.split())).strip(_EDGES)
        if _length(readable(asked)) > LONGEST:
            raise NameRefused("name-long", await self._free(platform, chosen), most=LONGEST)
        if asked != chosen:
            raise NameRefused("name-characters", await self._free(platform, chosen))
        if code := self._reserved(chosen):
            raise NameRefused(code, await self._free(platform, chosen), name=chosen)
        handle = plain(chosen).casefold()
        try:
            return await people.get_or_create_user(
                self._store,
                platform,
                external,
                name=chosen,
                handle=handle,
                skeleton=visible_skeleton(chosen),
                letters=letters(chosen),
                session=session,
                idle_since=idle_since,
            )
        except people.HandleTakenError:
            is_same = await people.by_handle(self._store, platform, handle) is not None
        code = "name-taken" if is_same else "name-similar"
        raise NameRefused(code, await self._free(platform, chosen), name=chosen)

    def _reserved(self, name: str) -> str | None:
        seen = skeleton(name)
        words = _LETTERS.split(seen)
        spelt = {_letters(one) for one in (name, _NUMBERED.sub("", name))}
        if spelt.intersection(map(_letters, HOUSE_HANDLES)) or skeleton(_HOUSE) in words:
            return "name-house"
        if spelt & _reserved_words() or _resembles_computer_name(name):
            return "name-word"
        if not any(char.isalpha() or unicodedata.category(char) == "So" for char in name):
            return "name-number"
        if _unnumbered(name) != name:
            return "name-numbered"
        return "name-command" if seen in map(skeleton, self._commands) else None

    async def _free(self, platform: str, name: str) -> str:
        with suppress(Refused):
            name = clean(unicodedata.normalize("NFKC", _unnumbered(name)))
        if self._reserved(name) not in (None, "name-command"):
            name = _SOMEBODY
        stem = clean(_cut(_BEFORE_NUMBER.sub("", name), LONGEST - 5))
        candidates = chain([name], (f"{stem} {letter}" for letter in _initials()))
        while True:
            some = [one for one in islice(candidates, 26) if self._reserved(one) is None]
            keys = {key for one in some for key in _keys(one)}
            taken = await people.taken(self._store, platform, keys)
            for one in some:
                if taken.isdisjoint(_keys(one)):
                    return one

    async def get_or_create_user(
        self,
        platform: str,
        external: str,
        *called: str,
        handle: str | None = None,
        only_known: bool = False,
    ) -> User:
        """Return the platform's user, named by the first of `called` that names them here.

        Raises LookupError for unknown users if `only_known`.
        """
        known = await people.introduced(self._store, platform, external)
        if known is None and only_known:
            raise LookupError(external)
        name = await self.of_stranger(external, *called)
        if known and (known[0].name, known[1]) == (name, handle):
            return known[0]
        return await people.get_or_create_user(
            self._store,
            platform,
            external,
            name=name,
            handle=handle,
            vouched=True,
            only_known=only_known,
        )

    async def of_stranger(self, external: str, *called: str) -> str:
        """Return the first readable name that means only users.

        Without one, a name is followed by part of the platform's id, like #1234.
        """
        await ready()
        digits = external if external.isdigit() else str(int.from_bytes(external.encode()))
        number, read = f"#{digits[-4:]}", []
        for name in called:
            with suppress(Refused):
                # The number of another user is no part of a name.
                read.append(clean(_unnumbered(clean(name))))
        for name in read:
            if self._reserved(name) not in ("name-house", "name-word", "name-number"):
                return name
        return _numbered(read[0], number) if read else number

    async def display_names(
        self, sitters: Iterable[Player], texts: Texts, place: int = 0
    ) -> dict[Player, str]:
        """Return the names of players for a reader, including computers and deleted users.

        Users of one name have numbers if they meet among `sitters`, or in the place.
        """
        every = set(sitters)
        users = {who for who in every if isinstance(who, int)}
        beside = await self.of(users | await self._people_in(place) if place else users)
        await ready()
        met = Counter(map(visible_skeleton, beside.values()))
        called: dict[Player, str] = {
            who: texts("name-erased")
            if name == erased_name(who)
            else _numbered(name, f"#{who:04}")
            if met[visible_skeleton(name)] > 1
            else name
            for who, name in beside.items()
            if who in users
        }
        for who in every:
            if isinstance(who, Computer):
                called[who] = computer_name(who, texts)
            elif isinstance(who, StudySide):
                called[who] = who.name or texts(f"{who.game}-seat-{who.seat}")
        return called

    async def seated(self, match: Match, texts: Texts, place: int = 0) -> dict[Player, str]:
        """Return the names of a match's players. In a puzzle they are called by their sides."""
        if match.is_puzzle:
            return {who: texts(f"{match.game}-seat-{at}") for at, who in enumerate(match.seats)}
        return await self.display_names(match.players, texts, place)

    async def erased(self, sitters: Iterable[Player]) -> set[int]:
        found = await self.of(who for who in sitters if isinstance(who, int))
        return {user_id for user_id, name in found.items() if name == erased_name(user_id)}

    async def unlisted(self, sitters: Iterable[Player]) -> set[int]:
        """Return the users hidden from leaderboards, by choice or deletion. Never cached."""
        return await standings.unlisted(
            self._store, [who for who in sitters if isinstance(who, int)]
        )

    async def of(self, user_ids: Iterable[int]) -> dict[int, str]:
        wanted = set(user_ids)
        found = {user_id: name for user_id in wanted if (name := self._known.get(user_id))}
        if missing := wanted - found.keys():
            forgotten = self.forgotten
            read = await people.names(self._store, missing)
            if forgotten == self.forgotten:
                self._known.update(read)
            found |= read
        return found

    async def _people_in(self, place: int) -> set[int]:
        found = self._beside.get(place)
        if found is None:
            regrouped = self._regrouped
            found = await match_queries.people_in(self._store, place, limit=_MOST_BESIDE)
            if regrouped == self._regrouped:
                self._beside[place] = found
        return found

    def forget(self) -> None:
        """Drop cached names, also those being read."""
        self._known.clear()
        self.forgotten += 1
        self.forget_place(None)

    def forget_place(self, place: int | None) -> None:
        """Drop the users who play in a place, or in all: matches there may have begun or ended."""
        self._regrouped += 1
        if place is None:
            self._beside.clear()
        else:
            self._beside.pop(place, None)

    async def filled(self, text: str, texts: Texts) -> str:
        """Return `text` with placeholders replaced by current names."""
        named = dict.fromkeys(marked(text), texts("name-erased"))
        if not named:
            return text
        shown = await self.display_names(named, texts)
        return filled(text, {user: _apart(shown.get(user, name)) for user, name in named.items()})
