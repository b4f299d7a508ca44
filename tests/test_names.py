"""One name for one thing: no two types of the package share a name; and no name is one that only its author reads."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "plancheck"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

SHARED = {
    "Plan": "plan_lint.Plan is public and named after the library that it stands in for",
    "PlanStep": "both are public: plan_lint's and PRE's, each named after the library that it stands in for",
    "Policy": "plan_lint.Policy is public and named after the library that it stands in for",
}
"""Names of two classes each, and why."""


def types_of(source: str) -> Iterator[str]:
    """The classes and type aliases of a module that others may see."""
    tree = ast.parse(source)
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    names += (
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    )
    return (name for name in names if not name.startswith("_"))


def shared_names(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that several types have, with the modules that these are in."""
    modules: dict[str, list[str]] = defaultdict(list)
    for path, source in sources:
        for name in types_of(source):
            modules[name].append(path)
    return {name: paths for name, paths in modules.items() if len(paths) > 1}


def test_no_two_types_share_a_name() -> None:
    shared = shared_names((path, (PACKAGE / path).read_text(encoding="utf-8")) for path in FILES)
    assert shared.keys() == SHARED.keys(), shared


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("class Entry: ...", "class Entry(NamedTuple):\n    key: str\n", {"Entry"}),
        ("class Change: ...", "Change: TypeAlias = int | str", {"Change"}),
        ("class Outer:\n    class Inner: ...\n", "class Inner: ...", {"Inner"}),
        ("class _Sweep: ...", "class _Sweep: ...", set()),
        ("class Step: ...", "class Steps: ...", set()),
    ],
)
def test_a_shared_name_is_found(first: str, second: str, shared: set[str]) -> None:
    assert shared_names([("a.py", first), ("b.py", second)]).keys() == shared


HOUSE_WORDS = frozenset({"kept", "rests", "said", "told"})
"""Words that are part of no name."""
BARE_WORDS = frozenset({"at", "to"})
"""Words that are no names by themselves: `position_at` is one."""


def house_words(source: str) -> list[str]:
    """The names in a module that tell a newcomer nothing."""
    return [
        name
        for node in ast.walk(ast.parse(source))
        if (name := _bound_name(node)) and (_words(name) & HOUSE_WORDS or name.strip("_").lower() in BARE_WORDS)
    ]


def _bound_name(node: ast.AST) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else ""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.ctx, ast.Store) else ""
    return node.arg if isinstance(node, ast.arg) else ""


def _words(name: str) -> set[str]:
    return set(name.lower().split("_"))


@pytest.mark.parametrize("path", FILES)
def test_no_house_words_in_names(path: str) -> None:
    assert house_words((PACKAGE / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def at(offset): ...", ["at"]),
        ("def position_at(offset): ...", []),
        ("class Said: ...", ["Said"]),
        ("self._told = 1", ["_told"]),
        ("for step, kept_steps in pairs: ...", ["kept_steps"]),
        ("def move(step, to): ...", ["to"]),
        ("async def rests_on(step): ...", ["rests_on"]),
        ("message = 'as was said'", []),
    ],
)
def test_a_house_word_is_found(source: str, found: list[str]) -> None:
    assert house_words(source) == found
