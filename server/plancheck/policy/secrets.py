"""Secrets that can be told by their shape: the token formats of vendors, private keys, connection strings.

Every pattern starts from something fixed (a prefix, a header, a scheme) or, where a vendor's tokens have no shape of
their own, from the name of the argument. A string that merely looks random is no secret: identifiers, hashes and
base64 text look the same. All patterns are linear, and a value is searched whole, with one pass per pattern whose fixed
part it contains; characters that cannot be seen and full-width letters hide nothing.

Brackets hide nothing either. Only what the run fills in is left out: `${NAME}`, a reference to the result of a step,
and a value that is wholly `env:NAME`, `vault:path` or `secret:path`; and not even these where they hold a secret's
shape.

Not seen: a secret that is encoded once more (base64 of the whole, percent signs for plain letters, look-alike letters
of other alphabets) and one that is put together at run time (`AKIA${REST}`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator
from functools import cache, lru_cache
from typing import Any
from unicodedata import category, normalize

from plancheck.lazy_regex import regex
from plancheck.plan.dialects.references import references_in
from plancheck.plan.embedded import unescaped
from plancheck.policy.secret_kinds import KINDS, Secret, is_random, is_stand_in
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class Hit(NamedTuple):
    name: str
    variable: str
    span: Span
    """In characters of the value."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first needed: few plans need more than a handful."""
    return re.compile(pattern)


# ---- what the run fills in -------------------------------------------------------------------------------------------

_VARIABLE = regex(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_STORED = regex(r"env:[A-Za-z_][A-Za-z0-9_]*|(?:vault|secret):[A-Za-z0-9_./#@:-]+")
_PLAIN_REFERENCE = regex(r"[\w.-]+?\.result(?![\w-])(?:\.\w[\w-]*|\[[\w.*'\"-]*\])*(?=\s*[}|+*,)])")
"""A reference of names and numbers only, with an operator or nothing after it: a sentence in quotes, or an address that
a reference seems to begin, would be text that nobody looked at."""
_EMPTY = regex(r"\$?\{\{ *\}\}|\$\{ *\}")


def without_placeholders(value: str, steps: Container[str] | None = None) -> str:
    """The value with what the run fills in blanked, each character by a space, so that places stay: `${NAME}`,
    references to steps, and a value that is wholly `env:NAME`, `vault:path` or `secret:path`. What has a secret's
    shape is never blanked, nor is anything else in brackets. With `steps`, only references to these are."""
    if ":" in value and _STORED.fullmatch(value):
        return _blank_unless_secret(value)
    if "${" not in value and "{{" not in value:
        return value
    pieces: list[str] = []
    done = 0
    for identity, _, (start, end) in references_in(value):
        plain = _PLAIN_REFERENCE.match(value, start)
        is_reference = plain is not None and plain.end() == end
        if is_reference and (steps is None or identity in steps):
            pieces += value[done:start], _blank_unless_secret(value[start:end])
            done = end
    pieces.append(value[done:])
    without_references = _EMPTY.sub(lambda match: " " * len(match[0]), "".join(pieces))
    return _VARIABLE.sub(lambda match: _blank_unless_secret(match[0]), without_references)


def _blank_unless_secret(text: str) -> str:
    return text if any(_hits(text)) else " " * len(text)


def has_placeholder(value: str) -> bool:
    """Whether the run fills in part of a value, so that only the run can tell what it will be: it has a `${…}`, `{{…}}`
    or `${{…}}`, whatever stands inside. The braces of JSON are none, nor are `$NAME`, `%NAME%` and `<name>`."""
    single, double = value.find("${"), value.find("{{")
    return (single >= 0 and value.find("}", single + 3) >= 0) or (double >= 0 and value.find("}}", double + 3) >= 0)


# ---- the search ------------------------------------------------------------------------------------------------------

SHORTEST_SECRET = 12
"""In characters."""
_LONG_ENOUGH = regex(r"[A-Za-z0-9_+/=.~-]{16}|://|----|(?i:password|pwd)\s?=|(?i:basic)\s")
"""What every value with a secret has. Most values have nothing like it and are done with at once."""


def find_secrets(value: str, key: str = "") -> Iterator[Hit]:
    """The secrets in a string, `key` being the name of the argument that it is the value of. Placeholders may still be
    in it. Where two kinds fit the same characters, the first counts."""
    return _hits(without_placeholders(value), key)


def may_hold_secrets(value: Any) -> bool:
    """Whether a secret can be anywhere in a value, the names of its members included: a quick look, by which most steps
    are done with. What is spelt in escapes, or not in ASCII, or filled in by the run, is for the search itself."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            if len(part) < SHORTEST_SECRET:
                continue
            if not part.isascii() or "\\" in part or "{" in part or _LONG_ENOUGH.search(part) is not None:
                return True
        elif isinstance(part, list):
            todo += part
        elif isinstance(part, tuple):
            for member in part:
                todo += member
    return False


MASK = "***"


def masked(value: str, key: str = "") -> str:
    """The value with every secret replaced."""
    plain = unescaped(value)
    if plain != value and next(find_secrets(value, key), None) is None and next(find_secrets(plain, key), None):
        return MASK
    for hit in sorted(find_secrets(value, key), key=lambda hit: hit.span.start, reverse=True):
        value = value[: hit.span.start] + MASK + value[hit.span.end :]
    return value


def _hits(value: str, key: str = "") -> Iterator[Hit]:
    """The secrets in a text, all of which counts."""
    text = value if value.isascii() else value.translate(_foldings(value))
    if len(text) < SHORTEST_SECRET or _LONG_ENOUGH.search(text) is None:
        return
    kinds = _candidates(text, key)
    if not kinds:
        return
    removed = _removed_before(value) if len(text) < len(value) else []
    taken = bytearray()
    for kind in kinds:
        for span in _spans(kind, text, key):
            taken = taken or bytearray(len(text))
            if taken.find(1, *span) < 0:
                taken[span.start : span.end] = b"\1" * (span.end - span.start)
                start, last = (offset + bisect_right(removed, offset) for offset in (span.start, span.end - 1))
                yield Hit(kind.name, kind.variable, Span(start, last + 1))


_HINTS = {
    hint: tuple(number for number, kind in enumerate(KINDS) if kind.key is None and hint in kind.hints)
    for hint in dict.fromkeys(hint for kind in KINDS for hint in kind.hints)
}
"""The kinds, by their numbers, that a hint tells of."""
_NAMED = regex("(?i)" + "|".join(f"(?:{kind.key})" for kind in KINDS if kind.key is not None))
"""Names of arguments of which one kind or another looks at the whole value."""


def _candidates(text: str, key: str) -> list[Secret]:
    """The kinds that a text may hold one of."""
    found: set[int] = set()
    for hint in _HINTS:
        if hint in text:
            found.update(_HINTS[hint])
    if key and _NAMED.search(key) is not None:
        found.update(number for number, kind in enumerate(KINDS) if kind.key is not None)
    return [KINDS[number] for number in sorted(found)]


def _spans(kind: Secret, text: str, key: str) -> Iterator[Span]:
    """Where a text holds a secret of one kind."""
    if kind.key is not None:
        if key and _compiled(f"(?i:{kind.key})").search(key):
            whole = _compiled(kind.pattern).fullmatch(text)
            if whole is not None and is_random(whole["secret"]) and not is_stand_in(whole["secret"]):
                yield Span(*whole.span("secret"))
    else:
        pattern = kind.escaped_pattern if "\\" in text or "%" in text else kind.pattern
        for match in _compiled(pattern).finditer(text):
            group = "secret" if "secret" in match.re.groupindex else 0
            if kind.is_real(match[group]) if kind.is_real else not is_stand_in(match[group]):
                yield Span(*match.span(group))


def _foldings(value: str) -> dict[int, str | None]:
    """For `str.translate`: the characters of a value that cannot be seen are dropped, and the variants of ASCII
    characters, such as full-width letters, become these."""
    foldings: dict[int, str | None] = {}
    for char in set(value):
        if not char.isascii():
            folded = normalize("NFKC", char)
            if _is_invisible(char):
                foldings[ord(char)] = None
            elif len(folded) == 1 and folded.isascii():
                foldings[ord(char)] = folded
    return foldings


def _is_invisible(char: str) -> bool:
    """Whether a character is drawn as nothing, or over the one before it."""
    return category(char) in ("Cf", "Mn") or char in "\u115f\u1160\u3164\uffa0"


def _removed_before(value: str) -> list[int]:
    """For each character that folding drops, the offset in the folded text that it was dropped before."""
    invisible = frozenset(char for char in set(value) if not char.isascii() and _is_invisible(char))
    dropped = (offset for offset, char in enumerate(value) if char in invisible)
    return [offset - before for before, offset in enumerate(dropped)]


# ---- names that mean a secret ----------------------------------------------------------------------------------------

_NAMES = frozenset(
    (
        *(
            "password",
            "passwd",
            "pwd",
            "passphrase",
            "passcode",
            "secret",
            "authorization",
            "credential",
            "credentials",
        ),
        *("apikey", "privatekey", "secretkey", "signingkey", "encryptionkey", "accesskey", "sharedkey"),
        *("accesstoken", "refreshtoken", "authtoken", "bearertoken", "sessiontoken", "apitoken"),
    )
)
_QUESTIONS = frozenset(
    ("is", "has", "no", "needs", "requires", "require", "show", "hide", "forgot", "without", "allow", "ask")
)
_NAME_PARTS = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=4096)
def names_a_secret(key: str) -> bool:
    """Whether the value of an argument of this name is a secret: the name ends in a word for one, in whatever spelling.
    A bare `token` may count words or pages, and an `api_key_id` is public."""
    words = [word.lower() for word in _NAME_PARTS.findall(key.translate(_foldings(key)))]
    if not words or words[0] in _QUESTIONS:
        return False
    return words[-1] in _NAMES or "".join(words[-2:]) in _NAMES or words[-1].endswith(("password", "passwd"))


def has_names_of_secrets(value: Any) -> bool:
    """Whether a member of this name is anywhere in a value."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo += part
        elif isinstance(part, tuple):
            for name, child in part:
                if names_a_secret(name):
                    return True
                todo.append(child)
    return False


_SCHEME = regex(r"(?i:bearer|basic|token|apikey)(?:\s+|$)")
_NO_LITERAL = regex(
    r"(?is)[\W_]*|x+|(?:true|false|yes|no|on|off|none|null|nil|undefined|n/a|required|optional|todo|tbd|unset|empty|hidden)"
    r"|(?:string|str|text|password|secret|token)|<?your\b.*|your[_-].*"
    r"|(?:~|\.{1,2})?(?:/[\w.-]+){2,}|[a-z][a-z0-9+.-]*://\S*"
)
"""Stand-ins, types, and the places where a secret is kept."""


def is_literal_secret(value: str) -> bool:
    """Whether a value under a name that means a secret is one, as far as can be seen: a literal that is more than a
    placeholder, a stand-in (`***`, `changeme`, `<your key>`), a yes or no, a sentence, or the path to a file."""
    text = _SCHEME.sub("", value.translate(_foldings(value)).strip(), count=1).strip()
    rest = without_placeholders(text).strip()
    if rest != text and sum(map(str.isalnum, rest)) < 8:
        return False
    is_sentence = " " in text and text[-1] in ".?!:"
    return not (is_sentence or _NO_LITERAL.fullmatch(text) or is_stand_in(text))
