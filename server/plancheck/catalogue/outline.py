"""What a schema says about what may be written: members, choices, types, in words, and a value to begin with.

A schema is looked at in *layers*: itself, what its `$ref` lead to, and each of its `allOf`; a value must fit them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from plancheck.catalogue.assertions import expected_types, is_number
from plancheck.catalogue.resolve import Astray, Resolver, SchemaPart, path_of
from plancheck.catalogue.schema import PropertyInfo, Schema, SchemaFault, faults
from plancheck.catalogue.words import either, one_of, shown
from plancheck.syntax.tree import MISSING, Path
from plancheck.syntax.values import to_plain

_MOST_LAYERS = 100
_MOST_WORK = 5_000
"""Layers that are looked at for one answer: it is less exact for a schema of more."""
_MOST_TRIED = 20
"""Branches of a union that a value is held against."""
_DEEPEST = 4
"""Unions in unions, and objects in objects, that are gone into."""
_WORDS = {"array": "list", "boolean": "true or false"}
_EMPTY: dict[str, Any] = {"array": [], "boolean": False, "integer": 0, "null": None, "number": 0, "string": ""}
_SIZES = {"array": ("minItems", "maxItems", " elements"), "string": ("minLength", "maxLength", " characters")}


class _Says(Enum):
    """What a schema says about a member that it has no schema for."""

    NOTHING = "nothing"
    ANYTHING = "anything"  # it may be there, and be anything
    UNNAMED = "unnamed"  # others are named, and none is forbidden
    ABSENT = "absent"


class Outliner:
    """Answers questions about one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schemas = Resolver(schema)
        self._start = self._schemas.start
        self._left = _MOST_WORK

    def _layers(self, part: SchemaPart) -> list[tuple[SchemaPart, dict[str, Any]]]:
        found: dict[int, tuple[SchemaPart, dict[str, Any]]] = {}
        todo = [part]
        while todo and len(found) < _MOST_LAYERS and self._left > 0:
            self._left -= 1
            part = self._schemas.entered(todo.pop())
            if not isinstance(part.value, tuple) or id(part.value) in found:
                continue
            members = self._schemas.members(part.value)
            reference = members.get("$ref")
            if isinstance(reference, str) and self._schemas.is_draft7:
                members = {"$ref": reference}
            found[id(part.value)] = part, members
            inner = [
                part.down(schema, "allOf", position) for position, schema in enumerate(_listed(members.get("allOf")))
            ]
            target = self._schemas.follow(part, reference) if isinstance(reference, str) else Astray.REMOTE
            if isinstance(target, SchemaPart):
                inner.insert(0, target)
            todo += reversed(inner)
        if todo:
            self._left = 0
        return list(found.values())

    def _unions(self, part: SchemaPart) -> Iterator[list[SchemaPart]]:
        """The branches of each `anyOf` and `oneOf`."""
        for layer, members in self._layers(part):
            for keyword in ("anyOf", "oneOf"):
                branches = _listed(members.get(keyword))
                if branches:
                    yield [layer.down(schema, keyword, position) for position, schema in enumerate(branches)]

    # ---- choices and types -------------------------------------------------------------------------------------------

    def choices(self, part: SchemaPart | None = None, depth: int = 0) -> list[Any]:
        part = part or self._start
        layers = self._layers(part)
        for _, members in layers:
            if "const" in members:
                return _written([members["const"]])
            if _listed(members.get("enum")):
                return _written(members["enum"])
        if depth < _DEEPEST:
            for branches in self._unions(part):
                found = [self.choices(branch, depth + 1) for branch in branches]
                if all(found):
                    return [choice for listed in found for choice in listed]
        is_null = any(expected_types(members.get("type")) == ("null",) for _, members in layers)
        return [None] if is_null else []

    def types(self, part: SchemaPart | None = None, depth: int = 0) -> tuple[str, ...]:
        part = part or self._start
        found: tuple[str, ...] = ()
        is_nullable = False
        for _, members in self._layers(part):
            own = expected_types(members["type"]) if "type" in members else ()
            found = tuple(name for name in found if name in own) if found and own else found or own
            is_nullable |= members.get("nullable") is True
        if not found and depth < _DEEPEST:
            for branches in self._unions(part):
                of_branches = [self.types(branch, depth + 1) for branch in branches]
                if all(of_branches):
                    found = tuple(dict.fromkeys(name for names in of_branches for name in names))
                    break
        return (*found, "null") if found and is_nullable and "null" not in found else found

    # ---- members of an object ----------------------------------------------------------------------------------------

    def properties(self, value: Any = MISSING) -> dict[str, PropertyInfo]:
        return {
            name: PropertyInfo(
                Schema(part.value, self._schemas.root), is_required, path_of(part.steps), part.is_in_root
            )
            for name, (part, is_required) in self._properties(self._start, value, 0).items()
        }

    def _properties(self, part: SchemaPart, value: Any, depth: int) -> dict[str, tuple[SchemaPart, bool]]:
        """For each member its schema, and whether it is required."""
        found: dict[str, SchemaPart] = {}
        required: set[str] = set()
        for layer, members in self._layers(part):
            required.update(name for name in _listed(members.get("required")) if isinstance(name, str))
            for name, schema in self._schemas.members(members.get("properties")).items():
                if schema is not False and schema is not MISSING:
                    found.setdefault(name, layer.down(schema, "properties", name))
        for branches in self._unions(part) if depth < _DEEPEST else ():
            inner = [self._properties(branch, value, depth + 1) for branch in self._closest(branches, value)]
            for name in dict.fromkeys(name for members in inner for name in members):
                infos = [members[name] for members in inner if name in members]
                found.setdefault(name, infos[0][0])
                if len(infos) == len(inner) and all(is_required for _, is_required in infos):
                    required.add(name)
        return {name: (schema, name in required) for name, schema in found.items()}

    def _closest(self, branches: list[SchemaPart], value: Any) -> list[SchemaPart]:
        """The branches for objects; with a value those that its members do not rule out."""
        objects = [branch for branch in branches if "object" in (self.types(branch) or ("object",))]
        if value is MISSING or len(objects) > _MOST_TRIED:
            return objects
        close = [
            branch
            for branch in objects
            if not any(
                isinstance(fault, SchemaFault) and fault.keyword in ("const", "enum", "additionalProperties", "type")
                for fault in faults(Schema(branch.value, self._schemas.root), value, strict_extras=False)
            )
        ]
        return close or objects

    # ---- in words, and a value to begin with -------------------------------------------------------------------------

    def words(self, part: SchemaPart | None = None, depth: int = 0) -> str:
        part = part or self._start
        if part.value is False:
            return "nothing"
        choices = self.choices(part)
        if choices:
            return one_of(choices)
        types = self.types(part)
        if len(types) == 1 or (len(types) == 2 and "null" in types):
            [name] = [name for name in types if name != "null"] or ["null"]
            text = self._words_of_type(part, name, depth)
            return f"{text} or null" if name != "null" and "null" in types else text
        if depth < _DEEPEST:
            for branches in self._unions(part):
                texts = [self.words(branch, depth + 1) for branch in branches[:_DEEPEST]]
                if all(texts):
                    return either([*texts, "…"] if len(branches) > _DEEPEST else texts)
        return either([_WORDS.get(name, name) for name in types]) if types else ""

    def _words_of_type(self, part: SchemaPart, name: str, depth: int) -> str:
        merged: dict[str, Any] = {}
        items: SchemaPart | None = None
        for layer, members in reversed(self._layers(part)):
            merged.update(members)
            if isinstance(members.get("items"), tuple):
                items = layer.down(members["items"], "items")
        text = _WORDS.get(name, name)
        if name == "array" and items is not None and depth < _DEEPEST:
            inner = self.words(items, depth + 1)
            plain = self.types(items)
            is_plain = inner in ("string", "number", "integer", "object") and plain == (inner,)
            text = f"list of {inner}s" if is_plain else f"list of {inner}" if inner else text
        if name == "object":
            names = list(self._properties(part, MISSING, depth))
            return f"object with {', '.join(f'`{known}`' for known in names[:_DEEPEST])}" if names else text
        if isinstance(merged.get("pattern"), str) and name == "string":
            text = f"{text} matching {shown(merged['pattern'])}"
        limits = _limits(merged, name)
        return f"{text}, {limits}" if limits else text

    def annotation(self, keyword: str) -> Any:
        own = self._schemas.members(self._start.value)
        for members in (own, *(members for _, members in self._layers(self._start))):
            if members.get(keyword, MISSING) is not MISSING:
                return to_plain(members[keyword])
        return None

    def placeholder(self) -> Any:
        return to_plain(self._placeholder(self._start, 0))

    def _placeholder(self, part: SchemaPart, depth: int) -> Any:
        layers = self._layers(part)
        for _, members in layers:
            if members.get("default", MISSING) is not MISSING:
                return members["default"]
        choices = [choice for choice in self.choices(part) if choice is not None] or self.choices(part)
        if choices:
            return choices[0]
        for _, members in layers:
            examples = _written(_listed(members.get("examples"))) or _written([members.get("example", MISSING)])
            if examples:
                return examples[0]
        types = [name for name in self.types(part) if name != "null"] or list(self.types(part))
        kind = types[0] if types else "object" if self._properties(part, MISSING, _DEEPEST) else "string"
        if kind == "object":
            infos = self._properties(part, MISSING, depth) if depth < _DEEPEST else {}
            return tuple(
                (name, self._placeholder(schema, depth + 1))
                for name, (schema, is_required) in infos.items()
                if is_required
            )
        least = next((members["minimum"] for _, members in layers if is_number(members.get("minimum"))), 0)
        return least if kind in ("integer", "number") and least > 0 else _EMPTY[kind]

    # ---- a value inside ----------------------------------------------------------------------------------------------

    def member(self, path: Path) -> Schema | Any | None:
        found = self._led_to(path)
        if isinstance(found, _Says):
            return MISSING if found in (_Says.ABSENT, _Says.UNNAMED) else None
        return Schema(found.value, self._schemas.root)

    def member_path(self, path: Path) -> Path | None:
        found = self._led_to(path)
        return None if isinstance(found, _Says) else path_of(found.steps)

    def _led_to(self, path: Path) -> SchemaPart | _Says:
        part = self._start
        for name in path:
            found = self._member(part, name, 0) if isinstance(name, (str, int)) else _Says.NOTHING
            if isinstance(found, _Says):
                return found
            part = found
        return part

    def _member(self, part: SchemaPart, name: str | int, depth: int) -> SchemaPart | _Says:
        if part.value is False:
            return _Says.ABSENT
        wanted = "object" if isinstance(name, str) else "array"
        types = self.types(part)
        if types and wanted not in types:
            return _Says.ABSENT
        answers: list[SchemaPart | _Says] = []
        for layer, members in self._layers(part):
            answers.append(
                self._named(layer, members, name) if isinstance(name, str) else _element(layer, members, name)
            )
            reference = members.get("$ref")
            if isinstance(reference, str) and isinstance(self._schemas.follow(layer, reference), Astray):
                answers.append(_Says.ANYTHING)
        for branches in self._unions(part):
            if depth < _DEEPEST:
                answers.append(_joined([self._member(branch, name, depth + 1) for branch in branches]))
            else:
                answers.append(_Says.ANYTHING)
        return _Says.ANYTHING if self._left <= 0 else _both(answers)

    def _named(self, part: SchemaPart, members: dict[str, Any], name: str) -> SchemaPart | _Says:
        properties = self._schemas.members(members.get("properties"))
        if name in properties:
            return part.down(properties[name], "properties", name)
        if self._schemas.members(members.get("patternProperties")):
            return _Says.ANYTHING
        others = members.get("additionalProperties", members.get("unevaluatedProperties", MISSING))
        if isinstance(others, tuple) and others:
            return part.down(others, "additionalProperties")
        if others is False:
            return _Says.ABSENT
        if others is not MISSING:
            return _Says.ANYTHING
        return _Says.UNNAMED if isinstance(members.get("properties"), tuple) else _Says.NOTHING


def _element(part: SchemaPart, members: dict[str, Any], position: int) -> SchemaPart | _Says:
    keyword = "items" if isinstance(members.get("items"), list) else "prefixItems"
    leading = _listed(members.get(keyword))
    if 0 <= position < len(leading):
        return part.down(leading[position], keyword, position)
    rest = "additionalItems" if keyword == "items" else "items"
    others = members.get(rest, MISSING)
    if others is False:
        return _Says.ABSENT
    return part.down(others, rest) if isinstance(others, tuple) else _Says.NOTHING


def _joined(answers: list[SchemaPart | _Says]) -> SchemaPart | _Says:
    """What several schemas say, of which one fits."""
    parts = [found for found in answers if isinstance(found, SchemaPart)]
    open_ends = [found for found in answers if found in (_Says.NOTHING, _Says.ANYTHING)]
    if open_ends or not parts:
        return _Says.ANYTHING if open_ends else _Says.UNNAMED if _Says.UNNAMED in answers else _Says.ABSENT
    return parts[0] if len(parts) == 1 else parts[0]._replace(value=(("anyOf", [part.value for part in parts]),))


def _both(answers: list[SchemaPart | _Says]) -> SchemaPart | _Says:
    """What several schemas say that must all fit."""
    if _Says.ABSENT in answers:
        return _Says.ABSENT
    parts = [found for found in answers if isinstance(found, SchemaPart)]
    if parts:
        return parts[0] if len(parts) == 1 else parts[0]._replace(value=(("allOf", [part.value for part in parts]),))
    if _Says.ANYTHING in answers:
        return _Says.ANYTHING
    return _Says.UNNAMED if _Says.UNNAMED in answers else _Says.NOTHING


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _written(values: list[Any]) -> list[Any]:
    return [value for value in values if value is not MISSING]


def _limits(members: dict[str, Any], name: str) -> str:
    low, high, things = _SIZES.get(name, ("minimum", "maximum", ""))
    if name not in ("integer", "number", *_SIZES):
        return ""
    least, most = members.get(low), members.get(high)
    above, below = members.get("exclusiveMinimum"), members.get("exclusiveMaximum")
    if is_number(least) and is_number(most):
        return f"{shown(least)} to {shown(most)}{things}"
    texts = [f"at least {shown(least)}{things}"] if is_number(least) else []
    texts += [f"at most {shown(most)}{things}"] if is_number(most) else []
    if not things:
        texts += [f"greater than {shown(above)}"] if is_number(above) else []
        texts += [f"less than {shown(below)}"] if is_number(below) else []
    return ", ".join(texts)
