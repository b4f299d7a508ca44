"""Renaming a tool in plans, policies and catalogues."""

from __future__ import annotations

import json
from collections.abc import Iterable

from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import CatalogueFile, Tool
from plancheck.ide.catalogue import named_tool
from plancheck.ide.cursor import cursor_at
from plancheck.ide.described.complete import written_in_yaml
from plancheck.ide.described.file import DescribedFile
from plancheck.ide.described.tools import ToolMention, calls_of, mentions_of
from plancheck.ide.navigate import Renamable, RenameError, bare_token, quoted
from plancheck.policy.applying import splits
from plancheck.policy.coercion import fault_of_argument, fault_of_name
from plancheck.policy.described import Named
from plancheck.policy.showing import shortened
from plancheck.syntax.inner import escaped
from plancheck.syntax.tree import INSIDE
from plancheck.text import Edit, Span


def tool_in_plan(snapshot: Snapshot, offset: int) -> Renamable | None:
    """The tool whose name is under the cursor in a plan."""
    cursor = cursor_at(snapshot, offset)
    name = named_tool(snapshot, cursor) if cursor is not None else None
    return None if cursor is None or name is None else Renamable(bare_token(snapshot, cursor.span), name)


def check_new_name(new: str) -> None:
    """Raises RenameError for what cannot be the name of a tool."""
    fault = fault_of_name(new) if new.strip() else "is empty"
    if fault is not None:
        raise RenameError(f"“{shortened(new)}” cannot be the name of a tool: it {fault}.")


def renamed_in_plan(snapshot: Snapshot, tool: str, new: str) -> list[Edit]:
    """The edits that rename a tool wherever a plan calls it."""
    edits: list[Edit] = []
    for place, span in calls_of(snapshot, tool):
        text = snapshot.text[span.start : span.end]
        is_inside = INSIDE in place.path
        old, written = (escaped(quoted(tool)), escaped(quoted(new))) if is_inside else (quoted(tool), quoted(new))
        if text != old and not (not is_inside and _reads_as(text, tool)):
            line = snapshot.lines.line_of(span.start) + 1
            raise RenameError(
                f"Line {line} of a plan calls `{shortened(tool)}` inside a text: rename it there by hand."
            )
        edits.append(Edit(*span, written))
    return list(dict.fromkeys(edits))


def _reads_as(text: str, tool: str) -> bool:
    try:
        return bool(json.loads(text) == tool)
    except ValueError:
        return False


def tool_in_catalogue(file: CatalogueFile, tool: Tool) -> Renamable:
    """A tool that a catalogue describes, at its name there."""
    start, end = file.tree.span(tool.name_path)
    return Renamable(Span(start + 1, end - 1), tool.name)


def renamed_in_catalogue(file: CatalogueFile, tool: str, new: str) -> list[Edit]:
    """The edits that rename a tool where a catalogue describes it under exactly this name."""
    edits = [Edit(*file.tree.span(each.name_path), quoted(new)) for each in file.tools if each.name == tool]
    if edits and new != tool and any(each.name == new for each in file.tools):
        raise RenameError(f"The catalogue has a tool `{shortened(new)}` already: choose another name.")
    return edits


def renamed_in_policy(file: DescribedFile, tool: str, new: str, others: Iterable[str]) -> list[Edit]:
    """The edits that rename a tool in a policy, the keys of bounds included; `others` are the tools that plans use
    besides. Raises RenameError where not everything can be renamed, or a bound would be lost."""
    keys = {thing.entry.path for thing in file.names() if thing.is_key}
    known = frozenset(others)
    edits: list[Edit] = []
    for mention in mentions_of(file, tool):
        thing = mention.thing
        line = file.text.count("\n", 0, mention.span.start) + 1
        if not mention.is_plain:
            raise RenameError(f"Line {line} of a policy writes `{shortened(tool)}` in another way: rename it by hand.")
        name = new + thing.name[len(tool) :]
        if thing.kind is Named.ARGUMENT:
            _check_bound(mention, name, known)
        if thing.is_key and (*thing.entry.path[:-1], name) in keys and name != thing.name:
            raise RenameError(f"Line {line} of a policy: there is `{shortened(name)}` already. Make one of the two.")
        before = file.text[thing.span.start - 1 : thing.span.start]
        quote = before if before in ("'", '"') and file.text[thing.span.end : thing.span.end + 1] == before else ""
        start, end = thing.span.start - len(quote), thing.span.end + len(quote)
        edits.append(Edit(start, end, written_in_yaml(name, quote)))
    return list(dict.fromkeys(edits))


def _check_bound(mention: ToolMention, name: str, known: frozenset[str]) -> None:
    key = mention.thing.name
    fault = fault_of_argument(name)
    if fault is not None:
        raise RenameError(f"`{shortened(name)}` would be the key of a bound, and it {fault}.")
    also = next((tool for tool, _ in splits(key) if tool != mention.tool and tool in known), None)
    if also is not None:
        raise RenameError(f"`{shortened(key)}` is about the tool `{shortened(also)}`, too: rename it by hand.")
