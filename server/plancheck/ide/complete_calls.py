"""What can be typed in a call: tools, the names of arguments, their values, and members of a result. It comes from the
catalogue, from the policy, and from other steps that call the same tool."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from plancheck.catalogue.schema import PropertyInfo, Schema, annotation, choices, describe, placeholder, type_names
from plancheck.ide.catalogue import begun_path, called_tool
from plancheck.ide.offers import CompletionKind, CompletionPlace, Offer
from plancheck.ide.snippets import escape_snippet
from plancheck.ide.tools import described, prose_of, standing
from plancheck.markdown import plain
from plancheck.text import Span


def tool_names(place: CompletionPlace) -> Iterator[Offer]:
    """The tools of the catalogue, those that the policy names, and those that other steps call."""
    snapshot = place.snapshot
    policy, catalogue = snapshot.settings.policy, snapshot.settings.catalogue
    known = catalogue.tools if catalogue is not None else {}
    called = [step.call.tool for step in snapshot.plan.steps if step.call is not None and step.call.tool]
    named = policy.known_tools() if policy is not None else ()
    for name in place.cut(list(dict.fromkeys((*known, *named, *called)))):
        tool = known.get(name)
        page = "\n\n".join(described(tool)) if tool is not None else ""
        title = plain(tool.title) if tool is not None and tool.title else ""
        detail = " · ".join(filter(None, (title, standing(snapshot, name))))
        yield Offer(plain(name), CompletionKind.TOOL, json.dumps(name, ensure_ascii=False), False, detail, page)


def argument_names(place: CompletionPlace, taken: Collection[str], has_value: bool) -> Iterator[Offer]:
    """For an object in a call's arguments, the members that its tool takes, the required ones first; else the names
    that the policy limits, and that other calls of the tool have there."""
    called = called_tool(place.snapshot, place.step)
    inside = called.inside(place.path) if called is not None else None
    members = called.members(inside) if called is not None and inside is not None else {}
    for name in place.cut([name for name in members if name not in taken]):
        info = members[name]
        value = "" if has_value else f": {_beginning(info.schema)}"
        yield _named(name, value, _detail(info), prose_of(annotation(info.schema, "description")))
    for name in place.cut([name for name in _used_names(place) if name not in taken and name not in members]):
        yield _named(name, "" if has_value else ": $1", "an argument of this tool")


def _named(name: str, value: str, detail: str, page: str = "") -> Offer:
    written = json.dumps(name, ensure_ascii=False)
    text = escape_snippet(written) + value if value else written
    return Offer(plain(name), CompletionKind.KEY, text, bool(value), detail, page)


def _detail(info: PropertyInfo) -> str:
    words = describe(info.schema).replace("`", "")
    return plain(", ".join(filter(None, ("required" if info.is_required else "", words))))


def _beginning(schema: Schema) -> str:
    """A value to begin with, as a snippet: it is selected, or the cursor is inside of it."""
    value = placeholder(schema)
    if value in ("", {}, []) and not isinstance(value, bool):
        written = json.dumps(value)
        return f"{written[0]}$1{written[1]}"
    written = escape_snippet(json.dumps(value, ensure_ascii=False))
    if isinstance(value, str):
        return f'"${{1:{written[1:-1]}}}"'
    return written if isinstance(value, (dict, list)) else f"${{1:{written}}}"


def _used_names(place: CompletionPlace) -> list[str]:
    steps = place.snapshot.plan.steps
    call = steps[place.step].call if place.step is not None and place.step < len(steps) else None
    if call is None or call.tool is None or not place.path or place.path != call.arguments_path:
        return []
    policy = place.snapshot.settings.policy
    names = [path[0] for path in policy.limited_paths(call.tool)] if policy is not None else []
    others = (step.call for step in steps if step.call is not None and step.call is not call)
    given = (other.arguments for other in others if other.tool == call.tool and isinstance(other.arguments, tuple))
    return list(dict.fromkeys([*names, *(name for arguments in given for name, _ in arguments)]))


# ---- values ----------------------------------------------------------------------------------------------------------


def argument_values(place: CompletionPlace) -> Iterator[Offer]:
    """What an argument may be, where its tool says so: one of some values, true or false, what it is by default."""
    called = called_tool(place.snapshot, place.step)
    inside = called.inside(place.path) if called is not None else None
    schema = called.schema(inside) if called is not None and inside else None
    if schema is None:
        return
    values = {json.dumps(value, ensure_ascii=False): value for value in _values(schema)}
    by_default = json.dumps(annotation(schema, "default"), ensure_ascii=False)
    for written, value in values.items():
        label = value if isinstance(value, str) else written
        yield Offer(plain(label), CompletionKind.KIND, written, False, "by default" if written == by_default else "")
    if not values and place.context.span.start == place.context.span.end:
        yield from _containers(schema)


def _values(schema: Schema) -> Iterator[Any]:
    listed = choices(schema)
    yield from listed
    if not listed and "boolean" in type_names(schema):
        yield from (True, False)
    by_default = annotation(schema, "default")
    if by_default is not None:
        yield by_default


def _containers(schema: Schema) -> Iterator[Offer]:
    """A list or an object to begin, with what is required in it."""
    for kind in type_names(schema):
        if kind == "object":
            value = placeholder(schema)
            text = escape_snippet(json.dumps(value, ensure_ascii=False)) if value else "{$1}"
            yield Offer("{…}", CompletionKind.VALUE, text, True, plain(describe(schema).replace("`", "")))
        elif kind == "array":
            yield Offer("[…]", CompletionKind.VALUE, "[$1]", True, plain(describe(schema).replace("`", "")))


def result_members(place: CompletionPlace, expression: str, end: int) -> Iterator[Offer]:
    """What may follow `find.result.` in a reference that ends at an offset."""
    begun = begun_path(place.snapshot, expression)
    for name, info in begun.members.items() if begun is not None else ():
        assert begun is not None
        page = prose_of(annotation(info.schema, "description"))
        written = json.dumps(name, ensure_ascii=False)[1:-1]
        span = Span(end - len(begun.typed), end)
        yield Offer(plain(name), CompletionKind.KEY, written, False, plain(describe(info.schema)), page, span)
