"""What can be typed at a place of a policy or a configuration, in text that is not finished."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum

from plancheck.analysis.rules import RULES
from plancheck.ide.described.hover import key_page, tool_page
from plancheck.ide.described.tools import KnownTools
from plancheck.ide.offers import MOST_ITEMS, Completion, CompletionKind
from plancheck.ide.words import count
from plancheck.markdown import plain
from plancheck.policy.described import KeyTable, Named, ValueForm
from plancheck.policy.typing_place import TypingPlace, TypingWants
from plancheck.tuples import NamedTuple

_PLAIN_WORD = re.compile(r"[A-Za-z_][\w./-]*")
_NOT_A_TEXT = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_IN_SNIPPETS = re.compile(r"[\\$}]")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class FileLanguage(Enum):
    """How keys and values are written."""

    YAML = "yaml"
    TOML = "toml"


class _Proposal(NamedTuple):
    """Something to be typed, before it is written as the place demands."""

    label: str
    kind: CompletionKind
    detail: str = ""
    documentation: str = ""
    form: ValueForm | None = None
    """Of the value behind it, where it is a key."""
    is_text: bool = True
    """Whether it has to be written as a text, and not as a number or as true or false."""


def complete_in(table: KeyTable, place: TypingPlace, language: FileLanguage, tools: KnownTools) -> list[Completion]:
    form = table.form(place.path)
    if form is None:
        return []
    writer = _Writer(place, language)
    found: list[Completion] = []
    if place.wants in (TypingWants.HEADER, TypingWants.HEADER_OF_ELEMENT):
        of_element = place.wants is TypingWants.HEADER_OF_ELEMENT
        found = [writer.header(each) for each in _keys(table, place, tools) if _has_header(each, of_element)]
    elif place.wants is TypingWants.KEY or (place.wants is TypingWants.EITHER and form.is_table):
        found = [writer.key(each) for each in _keys(table, place, tools)]
    if place.wants is TypingWants.EITHER and not form.is_table and form.items is not None:
        found = [writer.element(each) for each in _values(table.forms[form.items], place.keys, tools)]
    elif place.wants in (TypingWants.VALUE, TypingWants.EITHER):
        found += (writer.value(each) for each in _values(form, _siblings(place), tools))
        if form.items is not None and not form.words:
            found += (writer.in_list(each) for each in _values(table.forms[form.items], frozenset(), tools))
    return [each._replace(sort_key=f"{number:05}") for number, each in enumerate(_cut(found, place))]


def _cut(found: list[Completion], place: TypingPlace) -> list[Completion]:
    """All; of very many, those that go on from what was typed."""
    if len(found) <= MOST_ITEMS:
        return found
    return [each for each in found if each.label.startswith(place.typed)][:MOST_ITEMS]


def _siblings(place: TypingPlace) -> frozenset[str]:
    return place.elements if place.path and isinstance(place.path[-1], int) else frozenset()


def _has_header(proposal: _Proposal, of_element: bool) -> bool:
    """Whether a key can be given by a header, in one bracket or, of an element of a list, in two."""
    form = proposal.form
    return form is not None and ((form.is_list and not form.sample) if of_element else form.is_table)


# ---- what there is ---------------------------------------------------------------------------------------------------


def _keys(table: KeyTable, place: TypingPlace, tools: KnownTools) -> Iterator[_Proposal]:
    form = table.form(place.path)
    assert form is not None
    for key in form.keys:
        if key.name not in place.keys:
            below = table.form((*place.path, key.name))
            assert below is not None
            yield _Proposal(key.name, CompletionKind.KEY, plain(below.written), key_page(key, below), below)
    if form.members is None:
        return
    for name, kind, detail, page in _own_keys(form, place, tools):
        if name not in place.keys:
            yield _Proposal(name, kind, detail, page, table.form((*place.path, name)))


def _own_keys(form: ValueForm, place: TypingPlace, tools: KnownTools) -> Iterator[tuple[str, CompletionKind, str, str]]:
    """The names that the keys of a table may have, where the author chooses them."""
    if form.key_names is Named.TOOL:
        for tool in tools.names():
            yield tool, CompletionKind.TOOL, _uses(tool, tools), tool_page(tool, tools)
    elif form.key_names is Named.RULE:
        for rule in RULES.values():
            yield rule.name, CompletionKind.RULE, rule.severity.word, rule.summary
    elif form.key_names is Named.ARGUMENT:
        for tool in tools.names():
            if not (tool.startswith(place.typed) or place.typed.startswith(tool)) and len(tools.names()) > MOST_ITEMS:
                continue
            for argument in tools.arguments_of(tool):
                yield f"{tool}.{argument}", CompletionKind.KEY, _uses(tool, tools), ""
    for word, meaning in form.key_words.items():
        yield word, CompletionKind.VALUE, "", meaning


def _values(form: ValueForm, taken: Iterable[str], tools: KnownTools) -> Iterator[_Proposal]:
    taken = frozenset(taken)
    for word, meaning in form.words.items():
        if word not in taken:
            yield _Proposal(word, CompletionKind.VALUE, "", meaning, is_text=word not in ("true", "false"))
    if form.named is Named.TOOL:
        for tool in tools.names():
            if tool not in taken:
                yield _Proposal(tool, CompletionKind.TOOL, _uses(tool, tools), tool_page(tool, tools))


def _uses(tool: str, tools: KnownTools) -> str:
    used = tools.uses.get(tool, 0)
    return f"used by {count(used, 'plan')}" if used else "in the catalogue"


# ---- how it is written -----------------------------------------------------------------------------------------------


class _Writer:
    """Writes proposals at a place."""

    def __init__(self, place: TypingPlace, language: FileLanguage) -> None:
        self._place = place
        self._is_toml = language is FileLanguage.TOML

    def key(self, proposal: _Proposal) -> Completion:
        name = proposal.label
        form = proposal.form
        written = self._key(name)
        if self._place.has_value:
            return self._completion(proposal, written)
        if self._is_toml and not self._place.in_brackets and form is not None and not self._place.path:
            if form.is_table and not form.words:
                return self._completion(proposal, f"[{written}]\n$0", is_snippet=True)
            if form.is_list and not form.sample:
                return self._completion(proposal, f"[[{written}]]\n$0", is_snippet=True)
        value = self._begun(form)
        between = (" = " if self._is_toml else ":") + ("" if self._is_toml or value.startswith("\n") else " ")
        return self._completion(proposal, f"{_literal(written)}{between}{value}", is_snippet=True)

    def header(self, proposal: _Proposal) -> Completion:
        return self._completion(proposal, self._key(proposal.label))

    def value(self, proposal: _Proposal) -> Completion:
        return self._completion(proposal, self._text(proposal))

    def element(self, proposal: _Proposal) -> Completion:
        """The first element of a list that is written line by line."""
        return self._completion(proposal, f"- {self._text(proposal)}")

    def in_list(self, proposal: _Proposal) -> Completion:
        """An element of a list that is still to be begun."""
        return self._completion(proposal, f"[{self._text(proposal)}]")

    def _begun(self, form: ValueForm | None) -> str:
        """What to begin a value with, as a snippet."""
        if form is None:
            return "$0"
        if form.sample:
            return form.sample
        if form.words and not (form.is_table or form.is_list):
            is_text = not {"true", "false"}.intersection(form.words)
            return '"$1"' if self._is_toml and is_text else "$1"
        if form.is_list:
            return "[$1]"
        if form.is_table:
            if form.words:
                return '"$1"'
            return "{$1}" if self._place.in_brackets or self._is_toml else "\n  $1"
        return "$1"

    def _key(self, name: str) -> str:
        quote = self._place.quote
        if quote:
            return f"{quote}{name}{quote}"
        is_bare = _BARE_KEY.fullmatch(name) if self._is_toml else _is_plain(name)
        return name if is_bare else json.dumps(name, ensure_ascii=False)

    def _text(self, proposal: _Proposal) -> str:
        if not proposal.is_text:
            return proposal.label
        if self._is_toml and not _fits(proposal.label, self._place.quote):
            return json.dumps(proposal.label, ensure_ascii=False)
        return written_in_yaml(proposal.label, self._place.quote)

    def _completion(self, proposal: _Proposal, text: str, *, is_snippet: bool = False) -> Completion:
        compared = f"{self._place.quote}{proposal.label}"
        return Completion(
            plain(proposal.label), proposal.kind, self._place.span, text, is_snippet, compared, "", proposal.detail,
            proposal.documentation,
        )  # fmt: skip


def _literal(text: str) -> str:
    """A text in a snippet, in which nothing is to be filled in."""
    return _IN_SNIPPETS.sub(lambda match: "\\" + match[0], text)


def _fits(name: str, quote: str) -> bool:
    """Whether a name can be written between two quotes as it is."""
    return bool(quote) and name.isprintable() and not {"'", '"', "\\"}.intersection(name)


def _is_plain(word: str) -> bool:
    """Whether a word is a text in YAML without quotes."""
    return _PLAIN_WORD.fullmatch(word) is not None and word.lower() not in _NOT_A_TEXT


def written_in_yaml(name: str, quote: str) -> str:
    """A name in YAML, in the quotes that the one before it had, if any."""
    if _fits(name, quote):
        return f"{quote}{name}{quote}"
    return name if not quote and _is_plain(name) else json.dumps(name, ensure_ascii=False)
