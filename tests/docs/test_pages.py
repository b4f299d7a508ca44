"""Every example in the README and in docs/ is executed: commands print what the page says, Python sessions answer so.

A `console` block holds commands (`$ plancheck …`) and their output; a line with only `…` stands for any lines. A
`python` block with `>>>` is a doctest. A `json` or `toml` block that begins with a file name in the line before it
(`plancheck.toml:`) is written to that file, next to a copy of the examples, before the commands run.
"""

from __future__ import annotations

import doctest
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

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?:`([\w./-]+)`:\n+)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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
                words = shlex.split(command)
                if words[0] not in ("plancheck", "echo"):
                    continue
                command = command.replace("plancheck ", f"{shlex.quote(sys.executable)} -m plancheck ")
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


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say, as GitHub makes it of the heading."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
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
