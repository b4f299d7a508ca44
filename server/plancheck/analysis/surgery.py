"""Changing one member or element of a JSON text and nothing else: commas, indentation and style stay the author's.

Every function takes a tree and a path from the document's root and gives edits of the tree's text; together they can
be applied with `apply_edits`. A path that leads nowhere gives no edits. Edits of several calls may be joined if they
change different containers; to change several entries of one container at once, use the function that takes many.
A path may lead into a string that holds JSON text: what is written there is escaped. Into JSON text inside JSON text
nothing is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Concatenate, ParamSpec

from plancheck.syntax.inner import inner_text
from plancheck.syntax.tree import INSIDE, Node, Path, Spine, Top, Tree, Within, locate
from plancheck.text import Edit, Span, apply_edits
from plancheck.tuples import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIRST_LINE = 10_000
"""How far the first line end is looked for."""
_BLANKS = re.compile(r"[ \t]*")
_NESTED = re.compile(r"[\[{]")
_COLON = re.compile(r"[ \t]*:[ \t]*")


class Entry(NamedTuple):
    """One member (from its key on) or element of a container."""

    key: str | None
    start: int
    value: int
    """Where the value starts."""
    end: int
    key_end: int
    """Where the key ends; for an element, its start."""


class Container(NamedTuple):
    """An object or list in absolute offsets, brackets included."""

    start: int
    entries: list[Entry]
    is_object: bool
    inside: Span
    """What is between the brackets; of one that is not closed yet, all there is of it."""


class Style(NamedTuple):
    """How the author writes JSON."""

    colon: str
    comma: str
    unit: str
    """One level of indentation."""
    newline: str


_P = ParamSpec("_P")
_Surgery = Callable[Concatenate[Tree, Path, _P], list[Edit]]


def _also_inside(surgery: _Surgery[_P]) -> _Surgery[_P]:
    """The same for paths that lead into a string that holds JSON text."""

    def wherever(tree: Tree, path: Path, /, *args: _P.args, **kwargs: _P.kwargs) -> list[Edit]:
        if INSIDE not in path:
            return surgery(tree, path, *args, **kwargs)
        found = inner_text(tree, path)
        if found is None or INSIDE in found[1]:
            return []
        inner, rest = found
        return [inner.outer_edit(edit) for edit in surgery(inner.tree, rest, *args, **kwargs)]

    return wherever


# ---- finding one's way -----------------------------------------------------------------------------------------------


def container(tree: Tree, path: Path) -> Container | None:
    """The object or list at a path."""
    if not path and isinstance(tree.root, list):
        entries = [
            Entry(top.key, top.key_start, top.start, max(top.end, top.key_end), top.key_end) for top in tree.root
        ]
        return _container(tree, tree.start, tree.end, entries, True)
    found = tree.resolve(path)
    if isinstance(found, Spine) and path:
        return None  # an element that is not there
    if isinstance(found, Top) and isinstance(found.value, Spine):
        found = found.value
    if isinstance(found, Spine):
        ends = (start + len(chunk.text) for start, chunk in zip(found.starts, found.chunks, strict=True))
        entries = [Entry(None, start, start, end, start) for start, end in zip(found.starts, ends, strict=True)]
        return _container(tree, found.start, found.end, entries, False)
    node, base = _node(tree, path)
    if node is None or node.children is None:
        return None
    entries = [
        Entry(m.key, m.key_start + base, m.node.start + base, max(m.node.end, m.key_end) + base, m.key_end + base)
        for m in node.members()
    ]
    entries += [Entry(None, n.start + base, n.start + base, n.end + base, n.start + base) for n in node.items()]
    return _container(tree, node.start + base, node.end + base, entries, isinstance(node.value, tuple))


def _container(tree: Tree, start: int, end: int, entries: list[Entry], is_object: bool) -> Container:
    first, last = start + 1, entries[-1].end if entries else start + 1
    is_closed = end > last and tree.text[end - 1] == ("}" if is_object else "]")
    return Container(start, entries, is_object, Span(min(first, end), end - 1 if is_closed else max(end, last)))


def _node(tree: Tree, path: Path) -> tuple[Node | None, int]:
    """The node at a path and what to add to its offsets; no node if the path leads elsewhere."""
    found = tree.resolve(path)
    if isinstance(found, Top):
        return (None, 0) if isinstance(found.value, Spine) else (found.value.node, found.start)
    if found is None or isinstance(found, Spine):
        return None, 0
    start, chunk, rest = found
    for depth in range(len(rest)):
        parent = locate(chunk.node, rest[:depth]).node
        name = rest[depth]
        if isinstance(name, str):
            is_there = any(member.key == name for member in parent.members())
        else:
            is_there = isinstance(name, int) and 0 <= name < len(parent.items())
        if not is_there:
            return None, 0
    return locate(chunk.node, rest).node, start


def _entry(tree: Tree, path: Path) -> Entry | None:
    """The member or element at a path; of a repeated key the last."""
    found = container(tree, path[:-1]) if path else None
    if found is None:
        return None
    name = path[-1]
    if found.is_object:
        return next((entry for entry in reversed(found.entries) if entry.key == name), None)
    return found.entries[name] if isinstance(name, int) and 0 <= name < len(found.entries) else None


def style_of(tree: Tree) -> Style:
    """The style of a document, by its first line end, its first member and its first indented child."""
    text = tree.text
    line_end = _LINE_END.search(text, 0, _FIRST_LINE)
    root = container(tree, ())
    colon, comma, unit = ": ", ", ", "  "
    if root is not None and root.entries:
        first = root.entries[0]
        colon = _colon_of(text, root.entries) or colon
        unit = _own_indent(text, first.start) or unit
    if not colon.endswith(" "):
        comma = ","
    return Style(colon, comma, unit, line_end.group() if line_end else "\n")


def _colon_of(text: str, entries: list[Entry]) -> str | None:
    """The colon of the first member that has a value, with the blanks around it."""
    member = next((entry for entry in entries if entry.key is not None and entry.value < entry.end), None)
    between = text[member.key_end : member.value] if member is not None else ""
    return between if _COLON.fullmatch(between) else None


def _own_indent(text: str, offset: int) -> str | None:
    """What stands before a token that begins its line; None if it does not begin one."""
    indent = _line_indent(text, offset)
    line = _line_start(text, offset)
    return indent if line and line + len(indent) == offset else None


def _line_indent(text: str, offset: int) -> str:
    line = end = _line_start(text, offset)
    while end < offset and text[end] in " \t":
        end += 1
    return text[line:end]


def _line_start(text: str, offset: int) -> int:
    """Where the line of an offset starts, looked for in growing windows: one of the two line ends is often nowhere."""
    window = 256
    while True:
        low = max(offset - window, 0)
        found = max(text.rfind("\n", low, offset), text.rfind("\r", low, offset))
        if found >= 0 or not low:
            return found + 1
        window *= 8


# ---- inserting -------------------------------------------------------------------------------------------------------


@_also_inside
def insert_member(
    tree: Tree, path: Path, key: str, value: Any, *, after: Collection[str] = (), before: Collection[str] = ()
) -> list[Edit]:
    """Add a member to the object at `path`: behind the last of the keys `after` that it has, or else before the first
    of the keys `before`, or else at its end."""
    found = container(tree, path)
    if found is None or not found.is_object:
        return []
    places = [number + 1 for number, entry in enumerate(found.entries) if entry.key in after][-1:]
    places += [number for number, entry in enumerate(found.entries) if entry.key in before]
    return _insert(tree, found, places[0] if places else len(found.entries), key, value)


@_also_inside
def append_element(tree: Tree, path: Path, value: Any) -> list[Edit]:
    found = container(tree, path)
    return [] if found is None or found.is_object else _insert(tree, found, len(found.entries), None, value)


@_also_inside
def insert_element(tree: Tree, path: Path, index: int, value: Any) -> list[Edit]:
    """Add an element to the list at `path`, so that it becomes number `index`."""
    found = container(tree, path)
    if found is None or found.is_object or not 0 <= index <= len(found.entries):
        return []
    return _insert(tree, found, index, None, value)


def _insert(tree: Tree, found: Container, position: int, key: str | None, value: Any) -> list[Edit]:
    text, style, entries = tree.text, style_of(tree), found.entries
    if not entries:
        return _insert_first(tree, found, key, value, style)
    style = style._replace(colon=_colon_of(text, entries) or style.colon)
    neighbour = entries[min(position, len(entries) - 1)]
    gap = _gap_before(text, found, min(position, len(entries) - 1), style)
    item = _item(key, value, style, _line_indent(text, neighbour.start), _expands(text, found, value))
    if position < len(entries):
        return [Edit(neighbour.start, neighbour.start, f"{item},{gap}")]
    return [Edit(neighbour.end, neighbour.end, f",{gap}{item}")]


def _insert_first(tree: Tree, found: Container, key: str | None, value: Any, style: Style) -> list[Edit]:
    text = tree.text
    start, end = found.inside
    inside = text[start:end]
    indent = _line_indent(text, found.start)
    if _LINE_END.search(inside) and not inside.strip(" \t\r\n"):
        item = _item(key, value, style, indent + style.unit, False)
        return [Edit(start, end, f"{style.newline}{indent}{style.unit}{item}{style.newline}{indent}")]
    item = _item(key, value, style, indent, False)
    return [Edit(start, start if inside.strip(" \t\r\n") else end, item)]


def _gap_before(text: str, found: Container, number: int, style: Style) -> str:
    """The blanks to put between a comma and an entry: those that stand before the entry there, or as its neighbours."""
    for candidate in (number, number + 1):
        if candidate < len(found.entries):
            start = found.entries[candidate].start
            blank = start
            while blank > 0 and text[blank - 1] in " \t\r\n":
                blank -= 1
            gap = text[blank:start]
            if candidate > 0 or _LINE_END.search(gap):
                return gap
    return style.comma[1:]


def _expands(text: str, found: Container, value: Any) -> bool:
    """Whether the author writes containers such as the value over several lines, by the first one in here.

    For a list of names only such lists count: a plan's steps may take a line each, and their `reads` none of their own.
    """
    is_flat = isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)
    for entry in found.entries:
        inner = text[entry.value : entry.end]
        if inner[:1] in ("{", "[") and inner[1:].strip(" \t\r\n]}") and not (is_flat and _NESTED.search(inner, 1)):
            return _LINE_END.search(inner) is not None
    return False


def _item(key: str | None, value: Any, style: Style, indent: str, expands: bool) -> str:
    written = write_value(value, style, indent, expands=expands)
    return written if key is None else f"{_dumps(key, style)}{style.colon}{written}"


def write_value(value: Any, style: Style, indent: str = "", *, expands: bool = False) -> str:
    """A value as the author would write it, on one line or over several."""
    if not expands or not isinstance(value, (dict, list)) or not value:
        return _dumps(value, style)
    lines = json.dumps(value, ensure_ascii=False, indent=style.unit, separators=(",", style.colon)).split("\n")
    return f"{style.newline}{indent}".join(lines)


def _dumps(value: Any, style: Style) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))


# ---- removing and replacing ------------------------------------------------------------------------------------------


@_also_inside
def remove_member(tree: Tree, path: Path) -> list[Edit]:
    """Remove a member; of a repeated key every one, or an earlier one would come to count."""
    found = container(tree, path[:-1]) if path else None
    if found is None or not found.is_object:
        return []
    return _remove(found, {number for number, entry in enumerate(found.entries) if entry.key == path[-1]})


def remove_element(tree: Tree, path: Path) -> list[Edit]:
    return remove_elements(tree, path[:-1], {path[-1]}) if path else []


@_also_inside
def remove_elements(tree: Tree, path: Path, which: Collection[object]) -> list[Edit]:
    """Remove several elements of the list at `path`."""
    found = container(tree, path)
    if found is None or found.is_object:
        return []
    return _remove(found, {number for number in range(len(found.entries)) if number in which})


def _remove(found: Container, which: set[int]) -> list[Edit]:
    entries = found.entries
    if len(which) == len(entries):
        return [Edit(*found.inside, "")] if entries else []
    edits = []
    number = 0
    while number < len(entries):
        if number not in which:
            number += 1
            continue
        first = number
        while number in which:
            number += 1
        if number < len(entries):
            edits.append(Edit(entries[first].start, entries[number].start, ""))
        else:
            edits.append(Edit(entries[first - 1].end, entries[-1].end, ""))
    return edits


@_also_inside
def remove_earlier_members(tree: Tree, path: Path) -> list[Edit]:
    """Of a repeated key, remove every member but the last, which is the one that counts."""
    found = container(tree, path[:-1]) if path else None
    if found is None or not found.is_object:
        return []
    numbers = [number for number, entry in enumerate(found.entries) if entry.key == path[-1]]
    return _remove(found, set(numbers[:-1])) if len(numbers) > 1 else []


def move_element(tree: Tree, path: Path, number: int, before: int, inside: Sequence[Edit] = ()) -> list[Edit]:
    """Move an element of the list at `path` to stand before the one that is number `before` now, or at the end.

    Edits `inside` the element are carried out on the way.
    """
    found = container(tree, path)
    if found is None or found.is_object or not (0 <= number < len(found.entries) and 0 <= before <= len(found.entries)):
        return []
    if before in (number, number + 1):
        return list(inside)
    entry, entries = found.entries[number], found.entries
    own = [Edit(edit.start - entry.start, edit.end - entry.start, edit.new_text) for edit in inside]
    moved = apply_edits(tree.text[entry.start : entry.end], own)
    neighbour = entries[min(before, len(entries) - 1)]
    gap = _gap_before(tree.text, found, min(before, len(entries) - 1), style_of(tree))
    if before < len(entries):
        inserted = Edit(neighbour.start, neighbour.start, f"{moved},{gap}")
    else:
        inserted = Edit(neighbour.end, neighbour.end, f",{gap}{moved}")
    return [*_remove(found, {number}), inserted]


@_also_inside
def wrap_in_list(tree: Tree, path: Path) -> list[Edit]:
    """Put brackets around the value at `path`."""
    entry = _entry(tree, path)
    if entry is None or entry.value >= entry.end:
        return []
    return [Edit(entry.value, entry.value, "["), Edit(entry.end, entry.end, "]")]


@_also_inside
def rename_key(tree: Tree, path: Path, key: str) -> list[Edit]:
    """Give the member at `path` another key."""
    entry = _entry(tree, path)
    return [] if entry is None or entry.key is None else [Edit(entry.start, entry.key_end, _dumps(key, style_of(tree)))]


@_also_inside
def replace_value(tree: Tree, path: Path, value: Any) -> list[Edit]:
    """Put another value in the place of the one at `path`; a value that was not written yet is written.

    In the place of a part of a string goes the text of another string.
    """
    if path and isinstance(path[-1], Within):
        is_text = isinstance(value, str) and _entry(tree, path[:-1]) is not None
        return [Edit(*tree.span(path), _dumps(value, style_of(tree))[1:-1])] if is_text else []
    entry = _entry(tree, path)
    if entry is None:
        return []
    style, text = style_of(tree), tree.text
    if entry.value < entry.end:
        expands = _LINE_END.search(text[entry.value : entry.end]) is not None
        written = write_value(value, style, _line_indent(text, entry.start), expands=expands)
        return [Edit(entry.value, entry.end, written)]
    if ":" not in text[entry.key_end : entry.value]:
        return [Edit(entry.key_end, entry.key_end, style.colon + _dumps(value, style))]
    blanks = _BLANKS.match(text, entry.value)
    end = blanks.end() if blanks else entry.value
    return [Edit(entry.value, end, style.colon.partition(":")[2] + _dumps(value, style))]
