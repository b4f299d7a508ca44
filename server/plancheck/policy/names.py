"""Tool names as somebody might disguise them: what two spellings have in common.

A name that is forbidden is forbidden in every spelling that a person or a lenient runner takes for it: in other
letters, behind a prefix, and with something behind it, as in `run_command(ls)` or `run_command:0`. A name that is
allowed is allowed as it is spelt, and nothing here has a say in that.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice

from plancheck.lazy_regex import regex
from plancheck.tuples import NamedTuple

_LOOK_ALIKES = {
    "a": "аɑαᴀ∂ａⱥΑА",
    "ae": "æӕ",
    "b": "ЬвʙɓЪꮟΒВ",
    "c": "сϲᴄⅽƈСϹ",
    "d": "ԁᴅɗđժ",
    "e": "еɛεєᴇҽə℮ΕЕ",
    "f": "ғſꜰƒք",
    "g": "ɡցɢǥ",
    "h": "һнʜհηΗН",
    "j": "јᴊʝյϳЈ",
    "k": "кκᴋқƙΚК",
    "l": "iіιıɩӏɪʟlⅼƚłľ|!1ⵏ׀ا।וΙІӀ",
    "m": "мᴍɱⅿΜМ",
    "n": "пɴոռᴎŋΝ",
    "oe": "œɶ",
    "o": "оοσᴏօ0ѳө๐໐०૦ഠ〇øΟОՕ",
    "p": "рρᴘƿΡР",
    "q": "ԛգզ",
    "r": "гʀᴦɾ",
    "s": "ѕꜱʂƽ5$ՏЅ",
    "t": "тτᴛŧΤТ",
    "u": "υᴜսцʋμՍ",
    "v": "ѵνᴠⅴט",
    "w": "ԝѡᴡաɯω",
    "x": "хχ×ⅹΧХ",
    "y": "уүγʏყΥУҮ",
    "z": "ᴢʐƶΖ",
}
_LATIN = {ord(char): letter for letter, chars in _LOOK_ALIKES.items() for char in chars}
"""What a letter that looks like a Latin one is taken for. Of `i`, `l`, `1` and `|`, and of `o` and `0`, nobody can tell
which is meant, so that each group is one letter."""

_RUN_TOGETHER = {**{code: None for code in range(33, 127) if not chr(code).isalnum()}, **_LATIN}
"""The same, and signs that join words dropped."""

_LATIN_ONLY = {ord(char): letter for letter, chars in _LOOK_ALIKES.items() for char in chars if not char.isascii()}
LONGEST_NAME = 1_000
"""Letters and digits of a name; a longer one is not compared as a whole."""
MOST_PARTS = 16
"""Parts of a name, as in `server.tool`; of one with more, only so many at either end are compared."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_SEPARATOR = regex(r"__|[^\w\s-]")
"""What stands between the name of a tool and a prefix that a client puts before it."""
_SIGNS = str.maketrans("|!$", "lls")
_SIGN = regex(r"[^\w\s./\\-]")
_TAIL = regex(rf"{_SIGN.pattern}|[\W_]+[0-9]+[\W_]*$")
"""Where the name of a tool may end: before a call, an index, a version or a comment, and before a number at the end.
What is behind a dot or a slash is the name of another tool."""
_LONG_GAP = regex(r"[\W_]{4,}")
_LONG_PLAIN_GAP = regex(r"[\s\0-/:-@\[-`{-\x7f]{4,}")
"""The same, of characters that are the same in every way to write them."""
_MOST_TAILS = 64


class _Cleaned(NamedTuple):
    """A name without what cannot be seen: marks, invisible characters, blanks at its ends."""

    text: str
    is_too_long: bool
    """Whether that is only the beginning and the end of it."""


@lru_cache(maxsize=4096)
def heads(name: str) -> tuple[str, ...]:
    """The tools that a name may mean by how it begins: itself, and what is left without something behind it."""
    text = _cleaned(name).text
    ends = [match.start() for match in islice(_TAIL.finditer(text), _MOST_TAILS)]
    words = text.split(None, 1)
    found = (text, *(text[:end].rstrip() for end in ends), *(words[:1] if len(words) > 1 else ()))
    return tuple(dict.fromkeys(head for head in found if head))


@lru_cache(maxsize=4096)
def spellings(name: str) -> tuple[str, ...]:
    """What a name may stand for as it looks: without capitals, blanks, invisible characters, accents and joining signs;
    the whole first, then with more and more of its prefixes dropped, and the same without what is behind it."""
    found: dict[str, None] = {}
    for reading in _readings(name):
        for head in heads(reading):
            parts = _parts(head)
            found |= dict.fromkeys("".join(parts[start:]) for start in range(len(parts)))
    return tuple(found)


@lru_cache(maxsize=4096)
def runs(name: str) -> frozenset[str]:
    """Every run of the parts of a name, as it looks: `b`, `b.c` and the others of `a.b.c.d`."""
    found: set[str] = set()
    for parts in map(_parts, _readings(name)):
        ends = range(1, len(parts) + 1)
        found |= {"".join(parts[start:end]) for end in ends for start in range(end)}
    return frozenset(found)


def _readings(name: str) -> tuple[str, ...]:
    """A name as it is cleaned, and, where it has signs that look like letters, with these letters instead."""
    text = _cleaned(name).text
    lettered = text.translate(_SIGNS)
    return (text,) if lettered == text else (text, lettered)


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name as it looks, without what clients put before every name: `functions.`, `default_api:`, `mcp__server__`."""
    parts = _parts(_cleaned(name).text)
    if len(parts) > 2 and parts[0] == "mcp":
        parts = parts[2:]
    elif len(parts) > 1 and parts[0] in _CLIENTS:
        parts = parts[1:]
    return "".join(parts)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name as its author would have written it: in small letters, its parts with dots between them, its words with
    low lines."""
    text = _cleaned(name).text.translate(_LATIN_ONLY)
    words = "".join(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower().replace("-", "_").split())
    parts = [part for part in _SEPARATOR.split(words) if part]
    if len(parts) > 2 and parts[0] == "mcp":
        return ".".join(parts[1:])
    return ".".join(parts[1:] if len(parts) > 1 and _skeleton(parts[0]) in _CLIENTS else parts)


def has_several_words(name: str) -> bool:
    """Whether a name is more than one word, so that it means the same inside a longer name."""
    return any(sign in plain_name(name) for sign in "._")


def seen(text: str) -> str:
    """A text without what cannot be seen, and with signs and letters of other widths as the usual ones."""
    return "".join(filter(_is_seen, unicodedata.normalize("NFKC", text)))


def run_together(text: str) -> str:
    """A text as it looks, as `folded` has names, but with blanks: a name can only be in a text that has its folded form
    in this."""
    if not text.isascii():
        text = "".join(filter(_is_seen, unicodedata.normalize("NFKD", text))).translate(_LATIN)
    return text.casefold().translate(_RUN_TOGETHER)


def is_too_long(name: str) -> bool:
    """Whether a name has more in it than is compared with other names, without all that tells nothing."""
    if len(name) <= 2 * MOST_PARTS:
        return False
    text, is_cut = _cleaned(name)
    return is_cut or sum(map(str.isalnum, text)) > LONGEST_NAME or len(_split(text)) > MOST_PARTS


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of another script among Latin ones, beyond those that are known to look like them."""
    if name.isascii():
        return False
    return any(_is_mixed(part) for part in _SEPARATOR.split(_cleaned(name).text))


def could_be(name: str, other: str) -> bool:
    """Whether a folded name may be taken for another one: a letter that is not Latin may look like any letter, but not
    a whole word of such letters like a Latin word."""
    if len(name) != len(other):
        return False
    same = sum(one == two for one, two in zip(name, other, strict=True))
    return 2 * same >= len(name) and same + sum(not char.isascii() for char in name) >= len(name)


def _is_mixed(part: str) -> bool:
    has_latin = any(char.isascii() and char.isalpha() for char in part)
    return has_latin and any(char.isalpha() and not char.isascii() for char in _skeleton(part))


def _parts(text: str) -> list[str]:
    parts = _split(text)
    if len(parts) > 2 * MOST_PARTS:
        parts = [*parts[:MOST_PARTS], *parts[-MOST_PARTS:]]
    return [part for part in map(_skeleton, parts) if part]


def _split(text: str) -> list[str]:
    """The parts of a cleaned name that have a letter or a digit in them."""
    return [part for part in _SEPARATOR.split(text) if any(map(str.isalnum, part))]


@lru_cache(maxsize=4096)
def _cleaned(name: str) -> _Cleaned:
    text = name if name.isascii() else "".join(filter(_is_seen, name))
    text = _LONG_PLAIN_GAP.sub(_shortened, text).strip()
    is_too_long = len(text) > 4 * LONGEST_NAME  # in a plain name, every fourth character at least is a letter by now
    if is_too_long:
        text = text[: 2 * LONGEST_NAME] + text[-2 * LONGEST_NAME :]
    if not text.isascii():
        decomposed = "".join(filter(_is_seen, unicodedata.normalize("NFKD", text)))
        text = _LONG_GAP.sub(_shortened, decomposed).strip()
    return _Cleaned(text, is_too_long)


def _shortened(gap: re.Match[str]) -> str:
    """What stands between two words, in one character that separates them in the same way."""
    text = gap[0]
    if _SIGN.search(text) is not None:
        return ":"
    if _SEPARATOR.search(text) is not None:
        return "."
    return " " if any(map(str.isspace, text)) else "_"


def _is_seen(char: str) -> bool:
    """Control characters count: what is behind one may be lost."""
    return char.isascii() or (unicodedata.category(char)[0] not in "MC" and char not in _BLANK)


def _skeleton(part: str) -> str:
    mapped = part.translate(_LATIN).casefold().translate(_LATIN)
    return "".join(char for char in mapped if char.isalnum())


_CLIENTS = frozenset(map(_skeleton, ("functions", "function", "default_api", "tools", "tool", "multi_tool_use")))
