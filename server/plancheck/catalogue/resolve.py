"""Finding one's way in a schema: its members, its parts, and where a `$ref` leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from plancheck.catalogue.schema import Schema
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Steps(NamedTuple):
    """A path, as its last step and the steps before it: one more step costs the same at every depth."""

    name: str | int
    outer: Steps | None
    depth: int


def step(name: str | int, outer: Steps | None) -> Steps:
    return Steps(name, outer, 1 if outer is None else outer.depth + 1)


def path_of(steps: Steps | None) -> Path:
    names: list[str | int] = []
    while steps is not None:
        names.append(steps.name)
        steps = steps.outer
    return tuple(reversed(names))


class SchemaPart(NamedTuple):
    """A schema inside a document."""

    value: Any
    steps: Steps | None
    is_in_root: bool
    """Whether the steps begin at the root: a `$ref` was followed."""
    resource: SchemaPart | None = None
    """The nearest schema around it with an `$id` of its own, in which its `$ref` are to be read; None is the root."""

    def down(self, value: Any, *names: str | int) -> SchemaPart:
        steps = self.steps
        for name in names:
            steps = step(name, steps)
        return SchemaPart(value, steps, self.is_in_root, self.resource)


class Astray(Enum):
    """Why a `$ref` leads to no schema."""

    REMOTE = "remote"
    """It names another document, which is never fetched."""
    NOWHERE = "nowhere"


TYPE_NAMES = {
    "any": "",
    "arr": "array",
    "array": "array",
    "arraylist": "array",
    "bool": "boolean",
    "boolean": "boolean",
    "byte": "integer",
    "char": "string",
    "dict": "object",
    "dictionary": "object",
    "double": "number",
    "float": "number",
    "hashmap": "object",
    "int": "integer",
    "integer": "integer",
    "list": "array",
    "long": "integer",
    "map": "object",
    "none": "null",
    "nonetype": "null",
    "null": "null",
    "number": "number",
    "object": "object",
    "set": "array",
    "short": "integer",
    "str": "string",
    "string": "string",
    "tuple": "array",
    "type_unspecified": "",
}
"""What the names of types mean, in small letters; empty is anything. Lists of plain functions name those of their own
language, and Gemini writes `STRING`."""

_OLD_DRAFTS = ("draft-07", "draft-06", "draft-04", "draft-03")


class Resolver:
    """Reads one schema document, for the time of one question."""

    def __init__(self, schema: Schema) -> None:
        self.start = SchemaPart(schema.value, None, False)
        self.root = schema.root
        self._is_part = schema.root is not schema.value
        self._members: dict[int, dict[str, Any]] = {}
        """Of objects, by their identity: all of them live as long as the document, and that as long as this."""
        self._named: dict[str, SchemaPart] | None = None
        self.is_draft7 = any(
            isinstance(name := self.members(value).get("$schema"), str) and any(old in name for old in _OLD_DRAFTS)
            for value in (schema.value, schema.root)
        )

    def members(self, value: Any) -> dict[str, Any]:
        """The members of an object, of repeated ones the last; none of anything else."""
        if not isinstance(value, tuple):
            return {}
        found = self._members.get(id(value))
        if found is None:
            found = self._members[id(value)] = dict(value)
        return found

    def entered(self, part: SchemaPart) -> SchemaPart:
        """The same, as the resource of what is in it if it has an `$id`."""
        name = self.members(part.value).get("$id")
        if isinstance(name, str) and not name.startswith("#") and part.value is not self.root:
            return part._replace(resource=part)
        return part

    def follow(self, part: SchemaPart, reference: str) -> SchemaPart | Astray:
        """Where a `$ref` leads."""
        document, _, fragment = reference.partition("#")
        if document:
            found = self._document(document)
            if found is None:
                return Astray.REMOTE
            resource = found
        else:
            resource = part.resource or self._whole()
        if fragment == "":
            return resource
        if fragment.startswith("/"):
            return self._pointed(resource, fragment)
        return self._names().get(f"#{fragment}", Astray.NOWHERE)

    def _whole(self) -> SchemaPart:
        return SchemaPart(self.root, None, self._is_part)

    def _document(self, name: str) -> SchemaPart | None:
        """The schema of that `$id`, which may be given in full or relative to that of the root."""
        names = self._names()
        if name in names:
            return names[name]
        return next((part for full, part in names.items() if full.endswith(f"/{name.lstrip('./')}")), None)

    def _pointed(self, part: SchemaPart, pointer: str) -> SchemaPart | Astray:
        for piece in pointer[1:].split("/"):
            name = _unescaped(piece)
            value: Any
            step: str | int
            if isinstance(part.value, list):
                if not (name.isascii() and name.isdigit() and len(name) < 10 and int(name) < len(part.value)):
                    return Astray.NOWHERE
                step, value = int(name), part.value[int(name)]
            else:
                members = self.members(part.value)
                if name not in members:
                    return Astray.NOWHERE
                step, value = name, members[name]
            part = part.down(value, step)
        return part

    def _names(self) -> dict[str, SchemaPart]:
        """The schemas that have a name: anchors with a `#`, and `$id`s as they are written."""
        if self._named is None:
            self._named = {}
            for part in self._all_parts():
                members = self.members(part.value)
                for keyword, prefix in (("$anchor", "#"), ("$id", "")):
                    name = members.get(keyword)
                    if isinstance(name, str) and name:
                        self._named.setdefault(prefix + name.removesuffix("#"), self.entered(part))
        return self._named

    def _all_parts(self) -> Iterator[SchemaPart]:
        todo = [self._whole()]
        while todo:
            part = todo.pop()
            if isinstance(part.value, tuple):
                yield part
                part = self.entered(part)
                todo += (part.down(value, name) for name, value in part.value if isinstance(value, (tuple, list)))
            else:
                todo += (
                    part.down(value, name) for name, value in enumerate(part.value) if isinstance(value, (tuple, list))
                )


_ESCAPED = re.compile(rb"%([0-9a-fA-F]{2})")


def _unescaped(piece: str) -> str:
    if "%" in piece:
        raw = piece.encode("utf-8", "replace")
        piece = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), raw).decode("utf-8", "replace")
    return piece.replace("~1", "/").replace("~0", "~")
