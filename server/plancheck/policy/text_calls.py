"""Calls in texts that are not JSON: YAML, XML, TOML, code. They are not read, only noticed.

What a runner makes of such a text nobody can say. A name is noticed where calls name their tools: before a bracket,
behind `tool:` and the like, as a tag or inside of one, as a key at the start of a line, and one of several words
(`delete_all`) beside any sign that code has and sentences do not. In a sentence it is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plancheck.plan.carried import NAMING_KEYS, folded_key
from plancheck.policy.names import has_several_words, seen

_BEFORE = r"[$({\[<|;/@!#=&\\]|--\w{1,20}|(?<!\w)-[A-Za-z]\w{0,20}|\b(?:CALL|EXEC|EXECUTE|INVOKE|RUN)\b"
_CODE = re.compile(
    rf"(?:{_BEFORE})[ \t]{{0,8}}(?P<behind>(?<![\w.])\w[\w.-]{{0,200}})"
    r"|(?P<before>(?<![\w.-])\w[\w.-]{0,200})(?=[ \t]{0,8}[({\[<|=}])"
)
_NAME = r"(?P<name>(?<![\w./-])\w[\w./-]{0,200})"
_CALLED = re.compile(_NAME + r"(?P<gap>[ \t]{1,8})?\(")
_TAG = re.compile(r"<\s{0,8}/?" + _NAME)
_TAGGED = re.compile(r">\s{0,8}" + _NAME + r"\s{0,8}<")
_KEY = re.compile(
    r"^[ \t>*-]{0,100}[\"'`]?" + _NAME + r"[\"'`]?[ \t]{0,8}[:=](?P<block>[ \t]{0,8}(?:$|[\[{|>&\"'`]))?", re.MULTILINE
)
_PAIR = re.compile(r"(?P<key>(?<![\w-])\w[\w-]{1,40})[\"'`\\]{0,9}\s{0,8}[:=]\s{0,8}[\"'`\\<\[]{0,9}" + _NAME)


def tools_called(text: str) -> set[str]:
    """The names in a text that stand where a call names its tool."""
    return set(_called(text if text.isascii() else seen(text)))


def _called(text: str) -> Iterator[str]:
    """A single word may well stand before a bracket or a colon in a sentence: it has to look more like a call."""
    for match in _CALLED.finditer(text):
        if match["gap"] is None or has_several_words(match["name"]):
            yield match["name"]
    for match in _KEY.finditer(text):
        if match["block"] is not None or has_several_words(match["name"]):
            yield match["name"]
    for match in _PAIR.finditer(text):
        if folded_key(match["key"]) in NAMING_KEYS:
            yield match["name"]
    for match in _CODE.finditer(text):
        name = match["behind"] or match["before"]
        if has_several_words(name):
            yield name
    for pattern in (_TAG, _TAGGED) if "<" in text else ():
        yield from (match["name"] for match in pattern.finditer(text))
