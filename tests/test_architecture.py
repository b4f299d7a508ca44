"""The layers of docs/architecture.md, enforced: who may import whom, and what may be touched where."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "plancheck"

MAY_IMPORT: dict[str, set[str]] = {
    "collection": set(),
    "text": set(),
    "unknown": set(),
    "syntax": {"collection", "text"},
    "plan": {"syntax", "text"},
    "policy": {"collection", "plan", "syntax", "text", "unknown"},
    "analysis": {"collection", "plan", "policy", "syntax", "text", "unknown"},
    "pre": {"analysis", "collection", "plan", "syntax"},
    "schema": {"plan"},
    "workspace": {"analysis", "plan", "policy", "syntax", "text"},
    "ide": {"analysis", "plan", "policy", "pre", "syntax", "text", "unknown"},
    "checked": {"analysis", "plan", "text", "unknown"},
    "api": {"analysis", "checked", "plan", "workspace"},
    "plan_lint": {"analysis", "plan", "policy", "syntax", "unknown", "workspace"},
    "gate": {"plan", "policy", "syntax", "text", "workspace"},
    "lsp": {
        "analysis",
        "api",
        "ide",
        "plan",
        "policy",
        "pre",
        "schema",
        "syntax",
        "text",
        "unknown",
        "workspace",
        "plancheck",
    },
    "cli": {
        "analysis",
        "checked",
        "collection",
        "gate",
        "plan",
        "policy",
        "pre",
        "schema",
        "syntax",
        "text",
        "unknown",
        "workspace",
        "plancheck",
    },
    "__main__": {"cli", "lsp"},
    "plancheck": {"api"},
}
"""For each part of the package, the other parts it may import; `plancheck` is the package's own `__init__`."""

PROTOCOL = {"pygls", "lsprotocol", "cattrs", "attrs"}
RIM = {"api", "workspace", "lsp", "cli", "__main__", "gate"}
RIM_ONLY = {"os", "pathlib", "subprocess", "time", "datetime", "shutil", "tempfile", "socket", "glob"}
RULE_MAY_IMPORT = (
    "plancheck.analysis.facts",
    "plancheck.analysis.finding",
    "plancheck.analysis.rule",
    "plancheck.analysis.fix.build",
    "plancheck.analysis.fix.change",
    "plancheck.analysis.fix.rereads",
    "plancheck.plan",
    "plancheck.policy",
    "plancheck.syntax.tree",
)

FILES = sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    if len(relative.parts) > 1:
        return relative.parts[0]
    return "plancheck" if path.stem == "__init__" else path.stem


def imports(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            if module == "plancheck":
                yield from (f"plancheck.{alias.name}" for alias in node.names)
            else:
                yield module


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_keep_to_the_layers(path: Path) -> None:
    part = part_of(path)
    for module in imports(path):
        root, _, rest = module.partition(".")
        if root == "plancheck":
            target = rest.partition(".")[0]
            target = target if (PACKAGE / target).is_dir() or (PACKAGE / f"{target}.py").exists() else "plancheck"
            assert target == part or target in MAY_IMPORT[part], f"{part} imports {module}"
        if root in PROTOCOL:
            assert part == "lsp", f"{module} outside lsp/"
        if root == "networkx":
            assert path.parent == PACKAGE / "plan" / "graph", f"{module} outside plan/graph/"
        if root in RIM_ONLY:
            assert part in RIM, f"{module} below the rim"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    """networkx costs 100 ms to import: never at the top of a module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not any(name.partition(".")[0] == "networkx" for name in names)


@pytest.mark.parametrize("path", sorted((PACKAGE / "analysis" / "rules").glob("[a-z]*.py")), ids=lambda p: p.stem)
def test_a_rule_imports_rule_finding_and_plan_only(path: Path) -> None:
    for module in imports(path):
        if module.startswith("plancheck"):
            assert module.startswith(RULE_MAY_IMPORT), module


def test_every_part_is_in_the_table() -> None:
    assert {part_of(path) for path in FILES} <= MAY_IMPORT.keys()
