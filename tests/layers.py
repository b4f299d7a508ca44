"""Who may import what, by allow lists: for each layer of the package its other layers, libraries and modules of the
standard library. What is not on a list is refused, so a new import is a decision that somebody reads.

Everything from the text to an answer (`text` to `ide`, and `checked`) is pure: no files, clocks, processes, threads or
environment. A host without them, such as a browser, can run it as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple


class Layer(NamedTuple):
    """What the modules of a layer may use, as dotted names; one that is allowed brings along what is below it."""

    parts: frozenset[str] = frozenset()
    """Of the package, the layer itself included."""
    others: frozenset[str] = frozenset()
    """Of the standard library and of third parties."""


def layer(parts: str, others: str) -> Layer:
    """What every layer may use are annotations, named tuples and cached properties."""
    return Layer(frozenset(f"cached tuples {parts}".split()), frozenset(f"__future__ typing {others}".split()))


DIALECT = """
    plan.dialects.annotations plan.dialects.dialect plan.dialects.keys plan.dialects.lowering plan.dialects.references
    plan.dialects.vocabulary plan.model syntax.tree
"""
"""What a dialect is made from: never another dialect."""

LAYERS: dict[str, Layer] = {
    # ---- pure, from the lowest to the highest --------------------------------------------------------------------
    "collection": layer("", "collections.abc contextlib gc"),
    "frozen": layer("", "dataclasses typing_extensions"),  # never at the start
    "lazy_regex": layer("", "re"),
    "tuples": layer("", "_collections operator"),
    "cached": layer("", "functools"),
    "text": layer("frozen", "bisect collections.abc enum itertools operator re"),
    "markdown": layer("", "re"),
    "unknown": layer("", "enum"),
    "home": layer("", ""),
    "syntax": layer("collection lazy_regex syntax text", "bisect collections.abc enum json operator re"),
    "plan": layer(
        "lazy_regex plan.carried plan.dialects plan.embedded plan.lower plan.model plan.sites syntax text",
        "bisect collections enum functools json re",
    ),
    "plan.dialects": layer(
        "lazy_regex plan.carried plan.dialects plan.model syntax.tree",
        "collections.abc difflib enum functools itertools re unicodedata",
    ),
    "plan.dialects.calls": layer(f"plan.dialects.calls {DIALECT}", "collections.abc"),
    "plan.dialects.declared": layer(f"plan.dialects.declared {DIALECT}", "collections.abc"),
    "plan.dialects.steps": layer(f"plan.dialects.steps {DIALECT}", "collections.abc"),
    "plan.dialects.trace": layer(
        f"plan.carried plan.dialects.trace {DIALECT} syntax.inner syntax.values", "collections.abc json"
    ),
    "plan.graph": layer(
        "lazy_regex plan.graph plan.model syntax.tree text",
        "bisect collections enum functools heapq itertools networkx re unicodedata",
    ),
    "schema": layer("plan.dialects policy.described schema", "collections.abc"),
    "policy": layer(
        "frozen lazy_regex plan policy syntax text unknown",
        "collections.abc enum functools hashlib itertools json math re",
    ),
    "catalogue": layer(
        "catalogue frozen plan.dialects.keys plan.model policy.families policy.regexes policy.secrets policy.showing "
        "syntax text unknown",
        "collections.abc enum fractions functools hashlib json operator re",
    ),
    "analysis": layer(
        "analysis catalogue frozen plan policy syntax text unknown",
        "bisect collections enum functools itertools json operator re",
    ),
    "analysis.rules": layer(
        "analysis.call_texts analysis.calls analysis.data_facts analysis.effects analysis.facts analysis.finding "
        "analysis.fix.build analysis.fix.change analysis.fix.rereads analysis.flows analysis.rego analysis.rule "
        "analysis.subjects catalogue lazy_regex plan policy syntax.tree unknown",
        "collections difflib fnmatch functools heapq itertools re",
    ),
    "analysis.rules.__init__": layer("analysis.facts analysis.rule analysis.rule_table analysis.rules", ""),
    "pre": layer(
        "analysis collection frozen markdown plan pre syntax.tree", "collections.abc enum functools itertools math"
    ),
    "ide": layer(
        "analysis catalogue ide markdown plan policy pre syntax text unknown",
        "bisect collections difflib enum functools heapq itertools json re",
    ),
    "fingerprints": layer("analysis plan syntax", "collections hashlib json"),
    "checked": layer("analysis catalogue fingerprints frozen plan text unknown", "collections.abc itertools"),
    "report": layer("analysis checked frozen ide.words markdown pre report unknown", "collections"),
    # ---- the rim -------------------------------------------------------------------------------------------------
    "workspace": layer(
        "analysis.finding analysis.rule analysis.rules analysis.settings catalogue frozen plan.dialects plan.model "
        "policy text unknown workspace",
        "collections contextlib enum errno functools itertools json os re stat sys",
    ),
    "api": layer("analysis catalogue checked frozen plan text workspace", "dataclasses os"),
    "plan_lint": layer(
        "analysis catalogue frozen gate.documents gate.policies plan plan_lint policy text unknown workspace.asking "
        "workspace.catalogues workspace.regex_process",
        "collections.abc dataclasses enum json os.PathLike",
    ),
    "gate": layer(
        "analysis catalogue gate plan.dialects plan.lower plan.model policy syntax.json syntax.tree syntax.values text "
        "unknown workspace",
        "collections.abc contextlib dataclasses enum hashlib itertools json math numbers os",
    ),
    "lsp": layer(
        "__version__ analysis catalogue doctor frozen home ide lsp plan policy report schema syntax text unknown "
        "workspace",
        "asyncio collections contextlib functools hashlib itertools json logging lsprotocol os pygls re sys time "
        "urllib.parse",
    ),
    "doctor": layer(
        "__version__ analysis checked doctor frozen policy.regexes workspace",
        "collections.abc importlib.metadata os sys",
    ),
    "mcp_server": layer(
        "__version__ analysis.engine analysis.finding analysis.rule_page analysis.rules analysis.settings api "
        "catalogue.model checked frozen gate mcp_server plan.dialects.keys plan.graph.export policy.showing "
        "policy.writing unknown workspace",
        "collections json os",
    ),
    "cli": layer(
        "__version__ analysis catalogue checked cli collection doctor fingerprints frozen gate home markdown plan "
        "policy pre report schema syntax text unknown workspace",
        "argparse collections contextlib difflib enum functools json os re sys unicodedata",
    ),
    "cli.mcp": layer("cli.arguments cli.document gate mcp_server", "mcp os sys"),
    "__init__": layer("api", ""),
    "__main__": layer("cli.main lsp.server", "gc os sys types"),
}

EXCEPTIONS: dict[str, str] = {
    "frozen": "exec",  # of constructors that it writes from the names of fields, as `dataclasses` and tuples do
    "tuples": "eval",  # likewise
    "plan.carried": "unicodedata",  # keys in full-width and invisible characters
    "policy.regexes": "sre_constants sre_parse sys warnings",  # reads parsed patterns, on every version of Python
    "policy.arguments": "unicodedata",
    "policy.endpoints": "ipaddress unicodedata",  # `ipaddress` for hosts with colons only
    "policy.file_paths": "unicodedata",
    "policy.names": "unicodedata",
    "policy.secret_kinds": "base64 binascii",  # looks into `Basic …`
    "policy.secrets": "bisect unicodedata",  # full-width and invisible characters
    "policy.sql_parsing": "logging sqlglot",  # sqlglot is kept from logging about the SQL of users
    "policy.sql_lexemes": "unicodedata",
    "policy.sql_shapes": "unicodedata",
    "policy.yaml_nodes": "yaml",
    "workspace.regex_process": "queue subprocess threading time.perf_counter",
    "workspace.regex_worker": "signal time warnings print",  # the process itself: it answers on standard output
    "workspace.rego.evaluate": "time",  # a verdict is given in a time
    "workspace.rego.locate": "shutil",
    "workspace.rego.opa": "open resource shutil signal subprocess tempfile threading time",
    "workspace.rego.regopy_engine": "importlib.util queue subprocess threading",
    "workspace.rego.regopy_worker": "importlib.metadata open regopy threading time",  # the process itself
    "workspace.toml_recovery": "tomli tomllib",
    "workspace.reading": "open",
    "gate.log": "datetime errno fcntl msvcrt open os stat sys time",
    "lsp.admission": "hmac ipaddress secrets",
    "lsp.convert.findings": "bisect",
    "lsp.identity": "pathlib",
    "lsp.log": "traceback",
    "lsp.progress": "uuid",
    "lsp.protocol": "cattrs.errors inspect",
    "lsp.server": "argparse gc print",
    "lsp.streams": "stat threading",
    "lsp.transport": "websockets",
    "mcp_server.tools": "math.isfinite",
    "mcp_server.messages": "anyio contextlib mcp pydantic.ValidationError",
    "mcp_server.server": "anyio functools mcp signal",
    "cli.cache": "_blake2 hashlib open stat zlib",  # `hashlib` loads OpenSSL, `_blake2` does not
    "cli.checking": "multiprocessing signal",
    "cli.collect": "glob",
    "cli.fixing": "open",
    "cli.replacing": "open",
    "cli.output_file": "io.TextIOWrapper open stat",
    "cli.formats.sarif": "urllib.parse",
    "cli.gate_log": "datetime itertools shutil textwrap",
    "cli.init": "open textwrap",
    "cli.main": "importlib import_module",  # of its own subcommands, each loaded when it is called
    "cli.progress": "time",
    "cli.watch": "stat time",
}
"""Single modules that may use more than their layer, and why where it is not plain."""

MUST_BE_ALLOWED = frozenset(
    {
        *("__builtins__", "__import__", "__loader__", "__spec__", "compile", "eval", "exec", "globals"),
        *("import_module", "input", "modules", "open", "print"),
    }
)
"""Names that lead to files, streams and modules without an import that could be checked."""
PRINTING = frozenset({"cli", "__main__"})


def refusals(path: str, source: str) -> list[str]:
    """What a module uses and may not. `path` is relative to the package: `analysis/engine.py`."""
    module = path.removesuffix(".py").replace("/", ".")
    own = layer_of(module)
    if own is None:
        return [f"{module} is in no layer"]
    exceptions = frozenset(EXCEPTIONS.get(module, "").split())
    return [
        f"{module} may not {refused}"
        for node in ast.walk(ast.parse(source))
        for refused in _refused(node, own, exceptions, module.partition(".")[0] in PRINTING)
    ]


def layer_of(module: str) -> Layer | None:
    """The layer with the longest name that the module's name begins with."""
    parts = module.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((LAYERS[name] for name in names if name in LAYERS), None)


def _refused(node: ast.AST, own: Layer, exceptions: frozenset[str], may_print: bool) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.level:
        yield f"import relatively ({ast.unparse(node)})"
        return
    for name in _imported(node):
        root, _, rest = name.partition(".")
        is_allowed = _is_below(rest, own.parts) if root == "plancheck" else _is_below(name, own.others | exceptions)
        if not is_allowed:
            yield f"import {name}"
    used = _used(node)
    if used in MUST_BE_ALLOWED - exceptions and not (used == "print" and may_print):
        yield f"use {used}"


def _used(node: ast.AST) -> str:
    """The name that a node looks up, where it can lead out of the layer. `re.compile` and `session.open` do not, and
    those of modules that do are the business of the import lists."""
    if isinstance(node, ast.Name):
        return "" if node.id == "modules" else node.id
    if isinstance(node, ast.Attribute):
        if node.attr == "modules":
            return "modules" if ast.unparse(node.value) == "sys" else ""
        return "" if node.attr in ("compile", "open", "print") else node.attr
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr" and len(node.args) > 1:
        return str(node.args[1].value) if isinstance(node.args[1], ast.Constant) else ""
    return ""


def _imported(node: ast.AST) -> Iterator[str]:
    """The full names that an import brings in, wherever in the file it stands."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_below(name: str, allowed: frozenset[str]) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:end]) in allowed for end in range(1, len(parts) + 1))
