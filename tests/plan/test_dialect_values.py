"""Nothing outside of a dialect's folder, and the table, asks which dialect it has: counted here, at zero.

What is looked for: importing a dialect's folder, naming a dialect, and telling dialects apart, be it by comparing them
or their traits with words, or by looking something up by them. Printing a dialect's name is nobody's harm.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.dialects.table import DIALECTS, detect, named, names, one_of
from plancheck.syntax.json import read
from plancheck.workspace.config import parse_config

PACKAGE = Path(__file__).parents[2] / "server" / "plancheck"
FOLDER = PACKAGE / "plan" / "dialects"
FOLDERS = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
OUTSIDE = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path != FOLDER / "table.py" and not any(FOLDER / name in path.parents for name in FOLDERS)
]
ALSO_KEYS = {"steps"}
"""Names of dialects that are keys of documents too: the bare word says nothing."""
OTHER_MEANINGS = {("pre/adapter.py", "declared"), ("plan/carried.py", "trace")}
"""Words that happen to be the name of a dialect: what the PRE report says about a dependency that is not observed, and
a method of HTTP."""


def offences(source: str, path: str = "") -> Iterator[str]:
    """Where a file asks which dialect it has."""
    for node in ast.walk(ast.parse(source)):
        for found in (*_imports(node), *_words(node, path), *_comparisons(node), *_lookups(node)):
            yield f"line {getattr(node, 'lineno', '?')}: {found}"


def _imports(node: ast.AST) -> Iterator[str]:
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        modules = [f"{node.module}.{alias.name}" for alias in node.names]
    for module in modules:
        if any(f"{module}.".startswith(f"plancheck.plan.dialects.{name}.") for name in FOLDERS):
            yield f"imports {module}"
    if isinstance(node, ast.Attribute) and node.attr == "DIALECT":
        yield "uses a dialect by itself"


def _words(node: ast.AST, path: str) -> Iterator[str]:
    if (
        isinstance(node, ast.Constant)
        and node.value in {*names()} - ALSO_KEYS
        and (path, node.value) not in OTHER_MEANINGS
    ):
        yield f"names {node.value!r}"
    if isinstance(node, ast.keyword) and node.arg in ("dialect", "name") and _is_name(node.value):
        yield f"is given {ast.unparse(node.value)} for a dialect"
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("named", "lower", "schema"):
        yield from (f"asks for {ast.unparse(given)}" for given in node.args if _is_name(given))


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in names()


def _comparisons(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Match) and _is_dialect(node.subject):
        yield "matches on a dialect"
    if not isinstance(node, ast.Compare):
        return
    sides = [node.left, *node.comparators]
    others = [side for side in sides if not _is_dialect(side)]
    if len(others) == len(sides):
        if any(_is_trait(side) for side in sides) and any(_holds_word(side) for side in sides):
            yield f"tells dialects apart by a word: {ast.unparse(node)}"
    elif any(not (isinstance(other, ast.Constant) and other.value is None) for other in others):
        yield f"compares a dialect: {ast.unparse(node)}"


def _lookups(node: ast.AST) -> Iterator[str]:
    holder, keys = None, []
    if isinstance(node, ast.Subscript):
        holder, keys = node.value, [node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        holder, keys = node.func.value, node.args
    if holder is not None and any(_is_dialect(key) for key in keys) and not _is_memo(holder):
        yield f"looks up by a dialect: {ast.unparse(node)}"


def _is_dialect(node: ast.AST) -> bool:
    """Whether an expression is a dialect, or the name of one."""
    text = ast.unparse(node)
    return text.rpartition(".")[2] == "dialect" or text.endswith("dialect.name")


def _is_trait(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and _is_dialect(node.value)


def _holds_word(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Constant) and isinstance(inner.value, str) for inner in ast.walk(node))


def _is_memo(node: ast.AST) -> bool:
    """What was derived with a dialect is kept under it."""
    return ast.unparse(node).endswith(".memo")


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_outside_asks_which_dialect_it_is(path: Path) -> None:
    found = list(offences(path.read_text(encoding="utf-8"), str(path.relative_to(PACKAGE)).replace("\\", "/")))
    assert found == []


@pytest.mark.parametrize(
    "cheat",
    [
        "from plancheck.plan.dialects import steps",
        "from plancheck.plan.dialects.steps import DIALECT",
        "from plancheck.plan.dialects.calls.keys import TOOL_NAME",
        "import plancheck.plan.dialects.declared.lowering",
        "if table.steps.DIALECT: pass",
        'if plan.dialect.name == "steps": pass',
        'if plan.dialect.name in ("steps", "calls"): pass',
        "if view.plan.dialect is STEPS: pass",
        "if dialect != DIALECTS[0]: pass",
        'if settings.dialect == "steps": pass',
        'if plan.dialect.steps_key == "nodes": pass',
        'if "Plan of" in plan.dialect.title: pass',
        "WORDS[plan.dialect]",
        "WORDS[plan.dialect.name]",
        "WORDS.get(dialect)",
        'Settings(dialect="steps")',
        'named("steps")',
        'lower(tree, "steps")',
        'KIND = "calls"',
        'match plan.dialect.name:\n    case "x": pass',
    ],
)
def test_a_file_that_asks_is_found(cheat: str) -> None:
    assert list(offences(cheat)), cheat


@pytest.mark.parametrize(
    "honest",
    [
        "print(plan.dialect.name)",
        "if plan.dialect.any_order: pass",
        "if plan.dialect.limits is Limits.GATE: pass",
        "if settings.dialect is not None: pass",
        "if old.dialect is not new.dialect: pass",
        'plan["steps"]',
        "named(settings.dialect)",
        "chunk.memo.get(dialect)",
    ],
)
def test_a_file_that_asks_for_traits_is_not(honest: str) -> None:
    assert list(offences(honest)) == []


# ---- the table -------------------------------------------------------------------------------------------------------


def test_every_folder_is_in_the_table_under_its_name() -> None:
    assert set(names()) == FOLDERS
    assert len(set(names())) == len(DIALECTS)
    assert [named(name) for name in names()] == list(DIALECTS)


def test_every_dialect_has_its_page_and_its_examples() -> None:
    root = PACKAGE.parents[1]
    for dialect in DIALECTS:
        assert (root / "docs" / "dialects" / f"{dialect.name}.md").exists()
        plans = list((root / "examples" / dialect.name).glob("*.json"))
        assert plans
        assert {detect(read(plan.read_text(encoding="utf-8"))) for plan in plans} == {dialect}


def test_the_configuration_accepts_the_names_in_the_table() -> None:
    for name in names():
        config, problems = parse_config(f'dialect = "{name}"\n')
        assert (config.dialect, problems) == (name, [])
    _, (problem,) = parse_config('dialect = "trail"\n')
    choice = one_of(tuple(f'"{name}"' for name in names()))
    assert problem.message == f"`dialect` must be {choice}, not `trail`."


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_starter_is_a_plan_of_its_dialect(dialect: Dialect) -> None:
    text = re.sub(r'"\$(?:\d|\{\d:(\w+)\})"', '"x"', dialect.starter)
    text = re.sub(r"\$\d", "", text)
    assert detect(read(text)) is dialect
    assert analyze(text).findings == []
    assert analyze(text, Settings(dialect=dialect.name)).findings == []
