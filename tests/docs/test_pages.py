"""Every example in the README and in docs/ is executed: commands print what the page says, Python sessions answer so.

A `console` block holds commands (`$ plancheck …`) and their output; a line with only `…` stands for any lines. A
`python` block with `>>>` is a doctest. A `json` or `toml` block that begins with a file name in the line before it
(`plancheck.toml:`) is written to that file, next to a copy of the examples, before the commands run.
"""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import plancheck
from plancheck import gate, plan_lint
from plancheck.policy.reading import read_policy
from plancheck.workspace.config import parse_config

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_HERE = ("npx", "python")
"""What is not run here: it would fetch programs of others, or test_agents runs it (the programs of docs/agents.md)."""
NOT_RUN = {
    ("architecture.md", ""): "a drawing",
    ("ci.md", "yaml"): "for services of others; what they have plancheck do is run",
    ("ci.md", "groovy"): "likewise",
    ("ci.md", "sh"): "likewise",
    ("editors.md", "elisp"): "run in a real Emacs by tests/lsp/test_editor_snippets.py",
    ("editors.md", "json"): "for editors that are not here; read below",
    ("editors.md", "lua"): "run in a real Neovim by tests/lsp/test_editor_snippets.py and test_neovim.py",
    ("editors.md", "toml"): "for an editor that is not here; read below",
    ("mcp.md", "json"): "settings of clients: tests/docs/test_mcp_page.py starts a server by them",
    ("policy.md", "toml"): "read below",
    ("policy.md", "yaml"): "read below",
    ("protocol.md", ""): "a message of the protocol",
    ("rego.md", "toml"): "read below",
    ("rego.md", "json"): "what a Rego policy is given: tests/rego/test_answers.py; read below",
    ("rules.md", "json"): "the examples of the rules, each a test of its rule",
    ("rules.md", "yaml"): "likewise",
    ("rules.md", "rego"): "likewise",
    ("tools.md", "python"): "needs the package `mcp` and a server; compiled below",
    ("tutorial.md", "sh"): "would install plancheck from the package registry",
}
"""The kinds of blocks of a page that are not run by `test_the_page_says_what_happens`, and why."""
BLOCK = re.compile(r"^(?:`([\w./-]+)`:\n+)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def sessions(block: str) -> list[tuple[str, str]]:
    """The commands of a block with their expected output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert parts[0] == "", "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def as_pattern(expected: str) -> re.Pattern[str]:
    lines = [r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + "\n" for line in expected.splitlines()]
    return re.compile("".join(lines))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_says_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for name, language, block in blocks(page):
        if name:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(block, encoding="utf-8")
        elif language == "console":
            for command, expected in sessions(block):
                if shlex.split(command)[0] in NOT_HERE:
                    continue
                command = re.sub(r"\bplancheck (?=[a-z-])", f"{shlex.quote(sys.executable)} -m plancheck ", command)
                shown = subprocess.run(
                    command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
                ).stdout
                assert as_pattern(expected).fullmatch(shown), f"$ {command}\n{shown}"
        elif language == "python" and ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
            report: list[str] = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            runner.run(test, out=report.append, clear_globs=False)
            names = test.globs
            assert not report, "".join(report)


def is_run(name: str, language: str, block: str) -> bool:
    return bool(name) or language == "console" or (language == "python" and ">>>" in block)


def test_it_is_known_why_a_block_is_not_run() -> None:
    left_out = {
        (page.name, language)
        for page in PAGES
        for name, language, block in blocks(page)
        if not is_run(name, language, block)
    }
    assert left_out == set(NOT_RUN)


def test_every_fence_is_seen() -> None:
    for page in PAGES:
        fences = re.findall(r"^\s*(?:```|~~~)\S*", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(blocks(page)), page


def test_what_is_not_run_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Configurations and policies without a file name, and the commands in recipes for services of others."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        for name, language, block in blocks(page):
            if is_run(name, language, block) or page.name == "rules.md":
                continue
            if language == "toml" and page.name == "editors.md":
                tomllib.loads(block)
            elif language == "toml":
                assert parse_config(block)[1] == [], block
            elif language == "yaml" and page.name == "policy.md":
                assert read_policy(block).problems == (), block
            elif language == "python":
                compile(block, page.name, "exec")
            elif language == "json":
                json.loads(block)
            elif language in ("yaml", "groovy", "sh"):
                for arguments in re.findall(r"\bplancheck ((?:check|gate|policy|report) [^|>&;'\n]+)", block):
                    done = subprocess.run(
                        [sys.executable, "-m", "plancheck", *shlex.split(arguments)],
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    assert done.stdout, f"plancheck {arguments}: {done.stderr}"


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say, as GitHub makes it of the heading."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"):
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text):
            if not target.startswith(("http://", "https://")):
                there = page.parent / target if target else page
                assert there.exists(), f"{page.name}: {target}"
                assert not anchor or anchor in anchors(there), f"{page.name}: {target}#{anchor}"


@pytest.mark.parametrize("module", [plancheck, gate, plan_lint], ids=lambda module: module.__name__)
def test_the_page_about_python_has_every_public_name(module: ModuleType) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in module.__all__ if not re.search(rf"\b{name}\b", page)] == []
