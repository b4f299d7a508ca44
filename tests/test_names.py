"""One name for one thing: no two classes of the package share a name, and none has a name that says nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "plancheck"

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
    paths = sorted(PACKAGE.rglob("*.py"))
    shared = shared_names((path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")) for path in paths)
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
