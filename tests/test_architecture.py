"""The layers of docs/architecture.md, enforced: who may import whom, and what may be touched where (`layers.py`)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from layers import EXCEPTIONS, LAYERS, refusals

PACKAGE = Path(__file__).parent.parent / "server" / "plancheck"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def source_of(path: str) -> str:
    return (PACKAGE / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES)
def test_a_module_uses_what_its_layer_may_use(path: str) -> None:
    assert refusals(path, source_of(path)) == []


@pytest.mark.parametrize("path", FILES)
def test_heavy_libraries_are_imported_where_they_are_used(path: str) -> None:
    """networkx costs 100 ms to import: never at the top of a module."""
    for node in ast.parse(source_of(path)).body:
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not any(name.partition(".")[0] == "networkx" for name in names)


def test_every_layer_and_every_exception_is_of_something_that_exists() -> None:
    modules = [path.removesuffix(".py").replace("/", ".") for path in FILES]
    assert [name for name in LAYERS if not any(f"{module}.".startswith(f"{name}.") for module in modules)] == []
    assert [name for name in EXCEPTIONS if name not in modules] == []


def test_the_command_line_and_the_server_never_meet() -> None:
    assert not any(part.startswith("cli") for part in LAYERS["lsp"].parts)
    assert not any(part.startswith("lsp") for part in LAYERS["cli"].parts)


def test_the_server_for_agents_is_started_by_its_command_and_by_nobody_else() -> None:
    may_import = {name for name, layer in LAYERS.items() if any(part.startswith("mcp_server") for part in layer.parts)}
    assert may_import == {"cli.mcp", "mcp_server"}
    assert not any(part.startswith(("lsp", "cli")) for part in LAYERS["mcp_server"].parts)


PURE = (
    *("checked", "collection", "text", "unknown", "syntax", "plan", "schema", "policy", "catalogue", "analysis"),
    *("pre", "ide"),
)
WITH_THE_WORLD = {
    *("asyncio", "builtins", "concurrent", "ctypes", "fcntl", "glob", "importlib", "io", "multiprocessing", "os"),
    *("pathlib", "pygls", "lsprotocol", "queue", "random", "runpy", "select", "shutil", "signal", "socket"),
    *("subprocess", "tempfile", "threading", "time", "datetime", "urllib", "open", "import_module", "lsp", "cli"),
    *("workspace", "gate", "api"),
}


def test_nothing_on_the_way_to_an_answer_is_allowed_the_world() -> None:
    """A test of the lists: somebody who adds `os` to a pure layer has to take it off this one, too."""
    allowed = {
        (name, root.partition(".")[0])
        for name, layer in LAYERS.items()
        if name.partition(".")[0] in PURE
        for root in layer.parts | layer.others
    }
    allowed |= {
        (name, root) for name, more in EXCEPTIONS.items() if name.partition(".")[0] in PURE for root in more.split()
    }
    assert sorted(pair for pair in allowed if pair[1] in WITH_THE_WORLD) == []


# ---- tests of the test: what it must refuse, and what it must not ---------------------------------------------------

RULE = "analysis/rules/empty_plan.py"

REFUSED = [
    ("analysis/engine.py", "from importlib import import_module", "import importlib.import_module"),
    ("analysis/engine.py", "import importlib", "import importlib"),
    ("analysis/engine.py", "import importlib.util as u", "import importlib.util"),
    ("analysis/engine.py", "x = tools.import_module('os')", "use import_module"),
    ("analysis/engine.py", "x = __import__('os')", "use __import__"),
    ("analysis/engine.py", "x = getattr(__builtins__, 'op' + 'en')", "use __builtins__"),
    ("analysis/engine.py", "x = getattr(tools, 'import_module')", "use import_module"),
    ("analysis/engine.py", "x = __loader__.load_module('os')", "use __loader__"),
    ("policy/regexes.py", "x = sys.modules['os']", "use modules"),
    ("analysis/engine.py", "import builtins", "import builtins"),
    ("analysis/engine.py", "x = open('plan.json').read()", "use open"),
    ("analysis/engine.py", "read = open", "use open"),
    ("analysis/engine.py", "import io", "import io"),
    ("analysis/engine.py", "exec('import os')", "use exec"),
    ("analysis/engine.py", "x = eval('1')", "use eval"),
    ("analysis/engine.py", "print('here')", "use print"),
    ("analysis/engine.py", "import subprocess", "import subprocess"),
    ("analysis/engine.py", "import threading", "import threading"),
    ("analysis/engine.py", "def f():\n    import os\n", "import os"),
    ("analysis/engine.py", "if TYPE_CHECKING:\n    from os import PathLike\n", "import os.PathLike"),
    ("analysis/engine.py", "try:\n    import orjson\nexcept ImportError:\n    pass\n", "import orjson"),
    ("analysis/engine.py", "import json, time", "import time"),
    ("analysis/engine.py", "import random", "import random"),
    ("analysis/engine.py", "from . import facts", "import relatively (from . import facts)"),
    ("analysis/engine.py", "import networkx", "import networkx"),
    ("analysis/engine.py", "from lsprotocol import types", "import lsprotocol.types"),
    ("analysis/engine.py", "from plancheck import api", "import plancheck.api"),
    ("analysis/engine.py", "import plancheck", "import plancheck"),
    ("analysis/engine.py", "from plancheck import *", "import plancheck.*"),
    ("analysis/engine.py", "from plancheck.workspace.files import decode", "import plancheck.workspace.files.decode"),
    ("ide/hover.py", "import pathlib", "import pathlib"),
    ("ide/hover.py", "import asyncio", "import asyncio"),
    ("ide/hover.py", "from pygls.exceptions import JsonRpcException", "import pygls.exceptions.JsonRpcException"),
    ("plan/lower.py", "import networkx as nx", "import networkx"),
    (
        "plan/lower.py",
        "from plancheck.plan.graph.facts import PlanGraph",
        "import plancheck.plan.graph.facts.PlanGraph",
    ),
    ("plan/dialects/calls/keys.py", "import plancheck.plan.dialects.steps", "import plancheck.plan.dialects.steps"),
    ("plan/graph/flow.py", "from plancheck.analysis.facts import Facts", "import plancheck.analysis.facts.Facts"),
    ("syntax/tree.py", "from plancheck.plan.model import Plan", "import plancheck.plan.model.Plan"),
    ("text.py", "import plancheck.syntax.tree", "import plancheck.syntax.tree"),
    ("policy/checks.py", "import yaml", "import yaml"),
    (RULE, "from plancheck.analysis.rules.empty_name import RULE", "import plancheck.analysis.rules.empty_name.RULE"),
    (RULE, "from plancheck.analysis.rules import empty_name", "import plancheck.analysis.rules.empty_name"),
    (RULE, "from plancheck.analysis import engine", "import plancheck.analysis.engine"),
    (RULE, "from plancheck.analysis.snapshot import Snapshot", "import plancheck.analysis.snapshot.Snapshot"),
    (RULE, "from plancheck.analysis.fix.offer import offers", "import plancheck.analysis.fix.offer.offers"),
    (RULE, "from plancheck.analysis.facts_of_old import x", "import plancheck.analysis.facts_of_old.x"),
    (RULE, "from plancheck.syntax.json import read", "import plancheck.syntax.json.read"),
    ("cli/check.py", "import plancheck.lsp", "import plancheck.lsp"),
    ("cli/check.py", "from plancheck.ide import hover", "import plancheck.ide.hover"),
    ("cli/check.py", "x = open('plan.json')", "use open"),
    ("cli/check.py", "import_module('plancheck.lsp')", "use import_module"),
    ("lsp/server.py", "from plancheck.cli.main import run", "import plancheck.cli.main.run"),
    ("lsp/session.py", "import subprocess", "import subprocess"),
    ("lsp/session.py", "import urllib.request", "import urllib.request"),
    ("workspace/files.py", "import threading", "import threading"),
]


@pytest.mark.parametrize(("path", "source", "refused"), REFUSED, ids=lambda value: value)
def test_what_is_refused(path: str, source: str, refused: str) -> None:
    module = path.removesuffix(".py").replace("/", ".")
    assert refusals(path, source) == [f"{module} may not {refused}"]


def test_a_new_part_must_be_put_into_a_layer() -> None:
    assert refusals("helpers.py", "import json") == ["helpers is in no layer"]


ACCEPTED = [
    ("analysis/engine.py", "from plancheck.analysis import surgery\nfrom collections.abc import Mapping"),
    ("analysis/engine.py", "import re\npattern = re.compile('a')"),
    (RULE, "from plancheck.analysis.facts import FLOW\nfrom plancheck.analysis.fix.build import remove"),
    (RULE, "from plancheck.analysis import facts, finding\nimport itertools"),
    ("analysis/rules/__init__.py", "from plancheck.analysis.rules import empty_plan"),
    ("plan/graph/circles.py", "def f():\n    import networkx as nx\n"),
    ("plan/dialects/table.py", "from plancheck.plan.dialects import calls, declared, steps"),
    ("policy/yaml_nodes.py", "import yaml"),
    ("lsp/session.py", "from pygls.exceptions import JsonRpcException\nsession.open(uri)"),
    ("workspace/regex_process.py", "import os, subprocess, threading"),
    ("workspace/reading.py", "with open(descriptor, 'rb') as file: pass"),
    ("cli/main.py", "from importlib import import_module\nimport_module('plancheck.cli.check')"),
    ("cli/check.py", "from plancheck import __version__\nprint(__version__)"),
    ("__main__.py", "from plancheck.lsp.server import main\nfrom plancheck.cli.main import run"),
]


@pytest.mark.parametrize(("path", "source"), ACCEPTED, ids=lambda value: value)
def test_what_is_accepted(path: str, source: str) -> None:
    assert refusals(path, source) == []
