"""`plancheck tools`: what was read from catalogues of tools, and which of the tools a plan uses."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from plancheck.analysis.rules import RULES
from plancheck.catalogue.model import Catalogue, Tool
from plancheck.catalogue.schema import property_schemas
from plancheck.checked import CheckedFinding, UncheckedPlace
from plancheck.cli.arguments import CommandParser
from plancheck.cli.catalogues import catalogue_result
from plancheck.cli.document import load, place, say
from plancheck.cli.results import from_here
from plancheck.cli.terminal import lines, one_line
from plancheck.policy.showing import shortened
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations

_HINTS = ("read_only", "destructive", "idempotent", "open_world")
_NONE = "–"


class ToolStanding(NamedTuple):
    """What a plan has to do with a tool."""

    name: str
    standing: str
    """`used`, `unused` or `unknown`."""
    steps: tuple[int, ...]
    tool: Tool | None


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "tools",
        "List the tools in catalogues, or say which of them a plan uses.",
        ("plancheck tools tools.json", "plancheck tools tools.json --plan refund.plan.json"),
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a catalogue of tools")
    parser.add_argument(
        "--plan", metavar="PLAN", help="say which tools this plan uses (without a FILE: of the catalogues in force)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    if not args.files and args.plan is None:
        parser.error("a catalogue is needed: give a FILE, or a plan with --plan")
    return args


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    if args.plan is None:
        return _listed(args)
    snapshot = load(args.plan, args.files or None)
    if snapshot is None:
        return 2
    catalogue = snapshot.settings.catalogue
    if catalogue is None:
        say(f"plancheck: {args.plan}: no catalogue is in force for it: name a FILE, or set `tools` in plancheck.toml.")
        return 2
    if catalogue.unread:
        for unknown in catalogue.unread:
            say(f"plancheck: {unknown.message}")
        return 2
    uses = list(_uses(catalogue, [(i, step.call.tool) for i, step in enumerate(snapshot.plan.steps) if step.call]))
    if args.format == "json":
        print(json.dumps({"plan": args.plan, "tools": [_use_as_dict(use, catalogue) for use in uses]}, indent=2))
    else:
        rows: list[tuple[str, ...]] = [
            (use.standing, use.name, _steps(use.steps), _where(use.tool, catalogue)) for use in uses
        ]
        _table(("", "tool", "uses", "where"), rows)
    return int(any(use.standing == "unknown" for use in uses))


def _listed(args: Namespace) -> int:
    catalogues = Catalogues(Configurations(), named=args.files)
    catalogue = catalogues.for_plan("") or Catalogue()
    has_failed = False
    for error in catalogues.errors:
        say(f"plancheck: {from_here(error.path)}: {error.message}")
        has_failed = True
    for checked in catalogues.checked:
        shown = from_here(checked.file.path)
        result = catalogue_result(checked, shown, lambda rule: RULES[rule].severity)
        problems: list[CheckedFinding | UncheckedPlace] = [*result.findings, *result.unchecked]
        for problem in sorted(problems, key=lambda each: each.start):
            say(f"{place(shown, problem)}: {problem.message}")
        has_failed |= bool(checked.file.unread)
    tools = list(catalogue.tools.values())
    if args.format == "json":
        print(json.dumps({"tools": [_as_dict(tool, catalogue) for tool in tools]}, indent=2))
    elif tools:
        heads = ("tool", "required", "optional", "annotations", "where")
        _table(heads, [(*_row(tool), _where(tool, catalogue)) for tool in tools])
    return 2 if has_failed else 0


def _row(tool: Tool) -> tuple[str, str, str, str]:
    required, optional = _members(tool)
    hints = [name.replace("_", "-") if value else f"not {name.replace('_', '-')}" for name, value in _hints(tool)]
    unknown = "?" if tool.arguments is None else _NONE
    return (
        tool.name,
        ", ".join(required) or unknown,
        ", ".join(optional) or unknown,
        ", ".join(hints) or _NONE,
    )


def _members(tool: Tool) -> tuple[list[str], list[str]]:
    members = {} if tool.arguments is None else property_schemas(tool.arguments)
    required = [name for name, info in members.items() if info.is_required]
    return required, [name for name, info in members.items() if not info.is_required]


def _hints(tool: Tool) -> Iterator[tuple[str, bool]]:
    for name in _HINTS:
        value = getattr(tool.annotations, name)
        if value is not None:
            yield name, value


def _where(tool: Tool | None, catalogue: Catalogue) -> str:
    return _NONE if tool is None else f"{from_here(tool.file)}:{catalogue.site(tool, '').line}"


def _as_dict(tool: Tool, catalogue: Catalogue) -> dict[str, Any]:
    required, optional = _members(tool)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "required": required,
        "optional": optional,
        "knowsArguments": tool.arguments is not None,
        "hasResultSchema": tool.result is not None,
        "annotations": dict(_hints(tool)),
        "path": from_here(tool.file).replace(os.sep, "/"),
        "line": catalogue.site(tool, "").line,
    }


def _use_as_dict(use: ToolStanding, catalogue: Catalogue) -> dict[str, Any]:
    found: dict[str, Any] = {"name": use.name, "standing": use.standing, "positions": list(use.steps)}
    if use.tool is not None:
        found |= {"path": from_here(use.tool.file).replace(os.sep, "/"), "line": catalogue.site(use.tool, "").line}
    elif (right := catalogue.nearest(use.name)) is not None:
        found["nearest"] = right
    return found


def _uses(catalogue: Catalogue, calls: Sequence[tuple[int, str | None]]) -> Iterator[ToolStanding]:
    """The tools that a plan uses, in its order, then those of the catalogue that it does not use."""
    steps: dict[str, list[int]] = {}
    for position, called in calls:
        if called is not None:
            steps.setdefault(called, []).append(position)
    used: set[str] = set()
    for name, positions in steps.items():
        found = catalogue.find(name)
        used.update(() if found is None else (found.name,))
        yield ToolStanding(name, "unknown" if found is None else "used", tuple(positions), found)
    for name, tool in catalogue.tools.items():
        if name not in used:
            yield ToolStanding(name, "unused", (), tool)


def _steps(positions: tuple[int, ...]) -> str:
    return str(len(positions)) if positions else _NONE


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    shown = [heads, *(tuple(shortened(one_line(cell)) for cell in row) for row in rows)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(heads))]
    for row in shown:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(lines("  ".join(cells).rstrip()))
