"""The documentation as a site is built strictly, and has what it should: rules, tags, search, reference, links."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from plancheck.analysis.rules import RULES

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
HOME = re.findall(r"^  repository: (\S+)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)[0]
MODULES = ("plancheck", "plancheck.api", "plancheck.gate", "plancheck.plan_lint", "plancheck.pre")
BLOCKS = ("li", "td", "th", "pre", "h1", "h2", "h3", "h4", "code", "img", "strong", "kbd")


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT / "server"), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


class Seen(HTMLParser):
    """What a page has: its elements, those inside the article counted, and what it names elsewhere."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: Counter[str] = Counter()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self._articles = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._articles += tag == "article"
        if self._articles:
            self.blocks[tag] += 1
        self.ids |= {given["id"] or ""} if "id" in given else set()
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        elif tag in ("script", "img", "iframe") and given.get("src"):
            self.loaded.append(given["src"] or "")
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self._articles -= tag == "article"


def html(site: Path, page: str) -> str:
    return (site / page / "index.html").read_text(encoding="utf-8")


def searchable(site: Path) -> dict[str, dict[str, Any]]:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    return {entry["location"]: entry for entry in index["docs"]}


def test_every_rule_has_a_page_with_its_tags_and_is_found(site: Path) -> None:
    found = searchable(site)
    for rule in RULES.values():
        page = html(site, f"rules/{rule.name}")
        assert f'<h1 id="{rule.name}-{rule.severity.word}">' in page, rule.name
        for heading in re.findall(r"^## (.+)$", rule.page, re.MULTILINE):
            assert f">{heading}<" in page.replace("&amp;", "&"), (rule.name, heading)
        assert found[f"rules/{rule.name}/"]["tags"] == [*rule.tags, rule.category.value]
    assert {folder.name for folder in (site / "rules").iterdir() if folder.is_dir()} == set(RULES)


def test_every_tag_is_listed_with_its_rules(site: Path) -> None:
    wanted: dict[str, set[str]] = {}
    for rule in RULES.values():
        for tag in (*rule.tags, rule.category.value):
            wanted.setdefault(tag, set()).add(rule.name)
    sections = re.split(r'<h2 id="tag:([^"]+)"', html(site, "tags"))
    listed = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert {tag.lower() for tag in wanted} == set(listed)
    for tag, names in wanted.items():
        assert set(re.findall(r'href="\.\./rules/(\w+)/"', listed[tag.lower()].split("<footer")[0])) >= names, tag


def test_the_table_of_rules_leads_to_the_pages(site: Path) -> None:
    rows = re.findall(r'<td><a href="(\w+)/"><code>(\w+)</code></a></td>', html(site, "rules"))
    assert rows == [(name, name) for name in RULES]


@pytest.mark.parametrize("module", MODULES)
def test_the_reference_has_every_public_name_with_a_description(site: Path, module: str) -> None:
    page = html(site, f"reference/{module}")
    elsewhere = set(import_module("plancheck").__all__) if module == "plancheck.api" else set()
    names = {name for name in import_module(module).__all__ if not name.startswith("_")} - elsewhere
    assert names <= {anchor.removeprefix(f"{module}.") for anchor in Seen(page).ids}
    sections = re.split(rf'<h[23] id="{re.escape(module)}\.([\w.]+)"', page)
    bare = [
        name
        for name, section in zip(sections[1::2], sections[2::2], strict=True)
        if not re.search(r"<p>(\w|<code>)", section.split("<h2", 1)[0])
    ]
    assert bare == []


def test_the_repository_is_that_of_the_extension() -> None:
    package = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    assert package["homepage"] == f"{HOME}#readme"


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    """MkDocs has looked at the links of the text; these are all that ended up in the pages, navigation included."""
    pages = {file: Seen(file.read_text(encoding="utf-8")) for file in site.rglob("index.html")}
    for file, page in pages.items():
        for link in page.links:
            if link.startswith(("https://", "http://")):
                assert not link.startswith(HOME) or lies_in_the_repository(link), f"{file}: {link}"
                continue
            path, _, anchor = link.partition("#")
            there = (file.parent / path).resolve() if path else file
            there = there / "index.html" if there.is_dir() else there
            assert there.exists(), f"{file}: {link}"
            assert not anchor or there.suffix != ".html" or anchor in pages[there].ids | {"__skip"}, f"{file}: {link}"


def lies_in_the_repository(link: str) -> bool:
    """Whether a file or a folder of the repository is there; other pages of its host cannot be looked at."""
    kind, _, path = link.removeprefix(f"{HOME}/").partition("/")
    branch, _, inside = path.partition("/")
    return kind not in ("blob", "tree") or (branch == "main" and (ROOT / inside.partition("#")[0]).exists())


def test_nothing_comes_from_another_host(site: Path) -> None:
    for file in site.rglob("*.html"):
        outside = [url for url in Seen(file.read_text(encoding="utf-8")).loaded if "//" in url]
        assert outside == [], file
    for file in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", file.read_text(encoding="utf-8")), file


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_read_as_a_code_host_reads_it(page: Path, site: Path) -> None:
    """The site's Markdown is not that of code hosts: it could make a paragraph of a list or of a table."""
    name = str(page.relative_to(ROOT / "docs").with_suffix(""))
    if name == "rules":  # the site has only its table, and a page for each rule
        return
    there = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(page.read_text(encoding="utf-8"))
    wanted = Seen(f"<article>{there}</article>").blocks
    found = Seen(html(site, name)).blocks
    assert {tag: found[tag] for tag in BLOCKS} == {tag: wanted[tag] for tag in BLOCKS}


def test_a_link_that_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    for folder in ("docs", "scripts"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for file in (ROOT / "mkdocs.yml", *ROOT.glob("*.md")):
        shutil.copy(file, tmp_path)
    (tmp_path / "server").symlink_to(ROOT / "server")
    with (tmp_path / "docs" / "ci.md").open("a", encoding="utf-8") as page:
        page.write("\n[rules](rules.md#no_such_rule), [none](nowhere.md), [policy](policy.md#no-such-heading)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert {"nowhere.md", "#no_such_rule", "#no-such-heading"} <= set(re.findall(r"#?no[\w.-]+", done.stderr))
