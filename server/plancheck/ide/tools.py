"""What the policy and the catalogue in force say about a tool, its arguments and its result, as pages in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator

from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.calls import dotted
from plancheck.catalogue.model import Annotations, Tool, base_name
from plancheck.catalogue.schema import PropertyInfo, Schema, annotation, describe, property_schemas
from plancheck.ide.catalogue import ArgumentAt, called_tool
from plancheck.markdown import cell, code, escape, escape_line, prose
from plancheck.policy.classes import ClassSource, ToolClass, ToolClasses
from plancheck.policy.families import Family, Trait
from plancheck.policy.model import NO_POLICY

MOST_ROWS = 20
"""Arguments that a page lists."""
LONGEST_TEXT = 1_000
"""Characters of a description that a page shows; of that of an argument in a table, fewer."""
LONGEST_IN_TABLE = 160

_DOES = {
    Family.READ: "only reads",
    Family.QUERY: "reads or writes, depending on its SQL",
    Family.WRITE: "writes",
    Family.DELETE: "deletes",
    Family.DESTRUCTIVE: "overwrites or destroys something",
    Family.PAY: "moves money",
    Family.SEND: "sends something out",
    Family.EXEC: "runs commands or code",
    Family.SQL: "takes SQL",
    Family.HTTP: "makes HTTP requests",
    Family.FILE: "touches files",
    Family.APPROVAL: "asks for an approval",
    Trait.IRREVERSIBLE: "cannot be undone",
    Trait.PRIVATE: "gives private data",
    Trait.UNTRUSTED: "gives what anybody may have written",
}
_SAYS = {
    ClassSource.POLICY: "according to the policy",
    ClassSource.CATALOGUE: "according to the catalogue",
    ClassSource.NAME: "judging by its name",
}
_HINTS = {
    "read_only": ("only reads", "may change something"),
    "destructive": ("may destroy something", "destroys nothing"),
    "idempotent": ("safe to repeat", "not safe to repeat"),
    "open_world": ("reaches the outside world", "stays inside"),
}
"""What the annotations of MCP mean, where they are true and where they are false."""


def standing(snapshot: Snapshot, tool: str) -> str:
    """What the policy's list of allowed tools says about one, in words; empty if there is no such list."""
    policy = snapshot.settings.policy
    if policy is None or policy.allow_tools is None:
        return ""
    return "allowed by the policy" if policy.allows(tool) else "not allowed by the policy"


def classes_of(snapshot: Snapshot) -> ToolClasses:
    policy, catalogue = snapshot.settings.policy or NO_POLICY, snapshot.settings.catalogue
    return ToolClasses(policy) if catalogue is None else ToolClasses(policy, catalogue.hints)


# ---- a tool ----------------------------------------------------------------------------------------------------------


def tool_page(snapshot: Snapshot, position: int, tool: str) -> str:
    """The tool that a step calls: whether the policy allows it, what it does and who says so, within which bounds, and
    what the catalogue says about it; nothing without a policy or a catalogue."""
    policy, catalogue = snapshot.settings.policy, snapshot.settings.catalogue
    if policy is None and catalogue is None:
        return ""
    does = _does(classes_of(snapshot).classify(tool))
    known = " and ".join(part for part in (standing(snapshot, tool), does) if part)
    lines = [f"**{code(tool)}**" + (f": {known}." if known else "")]
    for bound, path in policy.bounds_of(tool) if policy is not None else ():
        lines.append(f"{code('.'.join(path))} from {bound.low} to {bound.high}.")
    called = called_tool(snapshot, position)
    if called is not None:
        lines += described(called.tool)
    elif catalogue is not None and not catalogue.unread:
        lines.append("It is not in the catalogue of tools.")
    return "\n\n".join(lines)


def described(tool: Tool) -> Iterator[str]:
    """What a catalogue says about a tool, part by part."""
    title = f"**{escape(tool.title)}**" if tool.title else ""
    text = prose_of(tool.description)
    if title or text:
        yield " — ".join(part for part in (title, text) if part)
    yield from _table(tool.arguments)
    gives = describe(tool.result) if tool.result is not None else ""
    if gives:
        yield f"Result: {prose(gives)}."
    hints = hints_of(tool.annotations)
    source = f"From {code(base_name(tool.file))}" if tool.file else "From the catalogue"
    yield f"{source}: {hints}." if hints else f"{source}."


def hints_of(annotations: Annotations) -> str:
    """What a server says about a tool's nature, in words."""
    given = annotations._asdict()
    return ", ".join(words[0] if given[name] else words[1] for name, words in _HINTS.items() if given[name] is not None)


def _table(schema: Schema | None) -> Iterator[str]:
    if schema is None:
        yield "What it takes is not described."
        return
    members = sorted(property_schemas(schema).items(), key=lambda named: not named[1].is_required)
    if not members:
        words = describe(schema)
        yield "It takes no arguments." if words in ("", "object") else f"It takes {prose(words)}."
        return
    rows = [_row(name, info) for name, info in members[:MOST_ROWS]]
    if len(members) > MOST_ROWS:
        rows.append(f"| … and {len(members) - MOST_ROWS:,} more | | |")
    yield "\n".join(["| argument | | |", "|---|---|---|", *rows])


def _row(name: str, info: PropertyInfo) -> str:
    required = " (required)" if info.is_required else ""
    text = prose_of(annotation(info.schema, "description"), LONGEST_IN_TABLE)
    return f"| {cell(code(name))}{required} | {cell(prose(describe(info.schema)))} | {cell(text)} |"


def prose_of(text: object, longest: int = LONGEST_TEXT) -> str:
    """Somebody's description as one paragraph that means nothing special in Markdown."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    return escape_line(words if len(words) <= longest else words[: longest - 1] + "…")


def _does(known: ToolClass) -> str:
    """What a tool does, in words, and who says so."""
    words = [word for word in _DOES if word in known.families or word in known.traits]
    stated = [_DOES[word] for word in words if word not in known.guessed]
    guessed = [_DOES[word] for word in words if word in known.guessed]
    parts = ((stated, known.source), (guessed, ClassSource.NAME))
    return ", ".join(f"{', '.join(part)} ({_SAYS[source]})" for part, source in parts if part)


# ---- an argument and a result ----------------------------------------------------------------------------------------


def argument_page(argument: ArgumentAt) -> str:
    """An argument of a tool: what it is, and what it may be."""
    schema = argument.schema
    if schema is None:
        return ""
    words = describe(schema)
    kind = ", ".join(part for part in (prose(words), "required" if argument.is_required else "") if part)
    lines = [f"**{code(dotted(argument.path))}**" + (f": {kind}" if kind else "")]
    lines += filter(None, (prose_of(annotation(schema, "description")), _default(schema)))
    return "\n\n".join([*lines, f"An argument of {code(argument.called.tool.name)}."])


def _default(schema: Schema) -> str:
    value = annotation(schema, "default")
    return "" if value is None else f"By default {code(json.dumps(value, ensure_ascii=False))}."


def result_words(schema: Schema | None) -> str:
    """What a reference gives, in a sentence."""
    words = describe(schema) if schema is not None else ""
    text = prose_of(annotation(schema, "description")) if schema is not None else ""
    return " ".join(part for part in (f"Value: {prose(words)}." if words else "", text) if part)
