"""Tool names as somebody might disguise them: what two spellings have in common.

A name that is forbidden is forbidden in every spelling that a person or a lenient runner takes for it. A name that is
allowed is allowed as it is spelt, and nothing here has a say in that.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LOOK_ALIKES = {
    "a": "аɑαᴀ∂ａⱥΑА",
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

_LATIN_ONLY = {ord(char): letter for letter, chars in _LOOK_ALIKES.items() for char in chars if not char.isascii()}
_LONGEST = 1_000
"""Characters of a name that are looked at, from its end."""
_MOST_PREFIXES = 8

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_SEPARATOR = re.compile(r"__|[^\w\s-]")
"""What stands between the name of a tool and a prefix that a client puts before it."""


@lru_cache(maxsize=4096)
def spellings(name: str) -> tuple[str, ...]:
    """What a name may stand for as it looks: without capitals, blanks, invisible characters, accents and joining signs;
    the whole first, then with more and more of its prefixes dropped."""
    parts = _parts(name)
    first = max(len(parts) - _MOST_PREFIXES, 1)
    return ("".join(parts), *("".join(parts[start:]) for start in range(first, len(parts)))) if parts else ()


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name as it looks, without what clients put before every name: `functions.`, `default_api:`, `mcp__server__`."""
    parts = _parts(name)
    if len(parts) > 2 and parts[0] == "mcp":
        parts = parts[2:]
    elif len(parts) > 1 and parts[0] in _CLIENTS:
        parts = parts[1:]
    return "".join(parts)


def plain_name(name: str) -> str:
    """A name as its author would have written it: in small letters, its parts with dots between them, its words with
    low lines."""
    text = _without_marks(name).translate(_LATIN_ONLY) if not name.isascii() else name
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text.strip()).lower().replace("-", "_").replace(" ", "")
    parts = [part for part in _SEPARATOR.split(words) if part]
    if len(parts) > 2 and parts[0] == "mcp":
        return ".".join(parts[1:])
    return ".".join(parts[1:] if len(parts) > 1 and _skeleton(parts[0]) in _CLIENTS else parts)


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of another script among Latin ones, beyond those that are known to look like them."""
    if name.isascii():
        return False
    return any(_is_mixed(part) for part in _SEPARATOR.split(_without_marks(name)))


def _is_mixed(part: str) -> bool:
    has_latin = any(char.isascii() and char.isalpha() for char in part)
    return has_latin and any(char.isalpha() and not char.isascii() for char in _skeleton(part))


def _parts(name: str) -> list[str]:
    text = name[-_LONGEST:] if name.isascii() else _without_marks(name[-_LONGEST:])
    return [part for part in map(_skeleton, _SEPARATOR.split(text)) if part]


def _without_marks(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(char for char in decomposed if unicodedata.category(char)[0] not in "MC" and char not in _BLANK)


def _skeleton(part: str) -> str:
    mapped = part.translate(_LATIN).casefold().translate(_LATIN)
    return "".join(char for char in mapped if char.isalnum())


_CLIENTS = frozenset(map(_skeleton, ("functions", "function", "default_api", "tools", "tool", "multi_tool_use")))
