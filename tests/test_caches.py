"""There is one cache of the analysis, `analysis.tables`, and one of the command, `cli.cache`: no dictionary on the side
remembers what was found out before, because nobody could say when it is out of date."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "plancheck"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

CACHED_FUNCTIONS = {
    "catalogue/patterns.py": {"prepared"},
    "cli/cache.py": {"_shard"},
    "plan/carried.py": {"folded_key"},
    "plan/dialects/lowering.py": {"_nearest_key"},
    "plan/graph/touches.py": {"fold"},
    "policy/arguments.py": {"spelling"},
    "policy/families.py": {"families_by_name", "family_by_name", "strictest_by_name", "traits_by_name"},
    "policy/names.py": {"_cleaned", "folded", "heads", "plain_name", "runs", "spellings"},
    "policy/regexes.py": {"compiled", "is_harmless"},
    "policy/secrets.py": {"_compiled", "names_a_secret"},
    "policy/sql.py": {"weighed"},
    "policy/sql_arguments.py": {"_named_by_end"},
    "policy/sql_parsing.py": {"_functions"},
    "workspace/config_model.py": {"_globs"},
    "workspace/regex_process.py": {"shared_process"},  # one process for the run, not a result
    "workspace/rego/asker.py": {"shared_asker"},  # likewise
}
"""Pure functions of short texts, whose answers are remembered by `functools`: these never go out of date."""

CACHE_NAME = re.compile(r"(^|_)(cache|caches|memo|memos|memoized)$")
FILLING = frozenset(
    {"add", "append", "appendleft", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)
CONTAINERS = frozenset({"Counter", "OrderedDict", "WeakKeyDictionary", "WeakValueDictionary", "defaultdict", "deque"})


def caches_on_the_side(path: str, source: str) -> list[str]:
    """What in a module remembers things behind the backs of its callers."""
    tree = ast.parse(source)
    found = [f"the name {name}" for name in _bound_names(tree) if CACHE_NAME.search(name) and path[:4] != "cli/"]
    in_classes = (statement for node in tree.body if isinstance(node, ast.ClassDef) for statement in node.body)
    statements = (statement for statement in (*tree.body, *in_classes) if _is_to_be_filled(statement))
    found += (f"an empty container: {ast.unparse(statement)}" for statement in statements)
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found += (f"a global filled in {function.name}: {name}" for name in _globals_filled(tree, function))
            if _is_cached(function) and function.name not in CACHED_FUNCTIONS.get(path, ()):
                found.append(f"the cached function {function.name}")
    return found


def _bound_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg


def _is_to_be_filled(statement: ast.stmt) -> bool:
    """Whether a name is given an empty container, which is of no use but to be filled later. One that is declared as a
    `Mapping` cannot be: mypy sees to that."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return False
    if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.annotation).startswith("Mapping["):
        return False
    value = statement.value
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, (ast.List, ast.Set)):
        return not value.elts
    if not isinstance(value, ast.Call):
        return False
    name = ast.unparse(value.func).rpartition(".")[2]
    return name in CONTAINERS or (name in ("dict", "list", "set") and not (value.args or value.keywords))


def _globals_filled(tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Names of the module that a function puts something into, or takes something out of."""
    of_module = {name for statement in tree.body for name in _defined(statement)}
    local = set(_bound_names(function))
    for node in ast.walk(function):
        filled: ast.expr | None = None
        if isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            filled = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
            filled = node.func.value
        if isinstance(filled, ast.Name) and filled.id in of_module - local:
            yield filled.id


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name for alias in statement.names)
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        yield from _bound_names(statement)


def _is_cached(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = (ast.unparse(decorator).partition("(")[0].rpartition(".")[2] for decorator in function.decorator_list)
    return any(name in ("cache", "lru_cache") for name in names)


@pytest.mark.parametrize("path", FILES)
def test_a_module_keeps_no_cache_on_the_side(path: str) -> None:
    assert caches_on_the_side(path, (PACKAGE / path).read_text(encoding="utf-8")) == []


def test_the_list_of_cached_functions_is_up_to_date() -> None:
    for path, names in CACHED_FUNCTIONS.items():
        functions = ast.walk(ast.parse((PACKAGE / path).read_text(encoding="utf-8")))
        assert {f.name for f in functions if isinstance(f, ast.FunctionDef) and _is_cached(f)} == names


# ---- tests of the test -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class A:\n    def f(self):\n        self.memo = {1: 2}\n", "the name memo"),
        ("class A:\n    def f(self):\n        self._order_memo: dict[int, int] = {1: 2}\n", "the name _order_memo"),
        ("def f(step, cache): ...", "the name cache"),
        ("class A(NamedTuple):\n    node_cache: dict[str, int]\n", "the name node_cache"),
        ("_seen = {}", "an empty container: _seen = {}"),
        ("_seen: list[int] = []", "an empty container: _seen: list[int] = []"),
        ("_seen = collections.defaultdict(list)", "an empty container: _seen = collections.defaultdict(list)"),
        ("class A:\n    seen = dict()\n", "an empty container: seen = dict()"),
        ("SEEN = {1: 2}\ndef f(x):\n    SEEN[x] = 1\n", "a global filled in f: SEEN"),
        ("SEEN = {1: 2}\ndef f(x):\n    return SEEN.setdefault(x, 1)\n", "a global filled in f: SEEN"),
        ("from a import SEEN\ndef f(x):\n    del SEEN[x]\n", "a global filled in f: SEEN"),
        ("LAST = None\ndef f(x):\n    global LAST\n    LAST = x\n", "a global filled in f: LAST"),
        ("@lru_cache(maxsize=None)\ndef f(x): ...\n", "the cached function f"),
        ("@functools.cache\ndef f(x): ...\n", "the cached function f"),
    ],
)
def test_a_cache_on_the_side_is_found(source: str, found: str) -> None:
    assert caches_on_the_side("analysis/engine.py", source) == [found]


@pytest.mark.parametrize(
    "source",
    [
        "NAMES = {'a': 1}\ndef f(x):\n    return NAMES[x]\n",
        "def f(x):\n    found = {}\n    found[x] = 1\n    return found\n",
        "FOUND = {'a': 1}\ndef f(x):\n    FOUND = [x]\n    FOUND.append(x)\n",
        "class A(NamedTuple):\n    rules: Mapping[str, int] = {}\n",
        "class A:\n    def __init__(self):\n        self.entries = {}\n",
        "class A:\n    @cached_property\n    def keys(self): ...\n",
    ],
)
def test_what_is_no_cache_on_the_side(source: str) -> None:
    assert caches_on_the_side("analysis/engine.py", source) == []
