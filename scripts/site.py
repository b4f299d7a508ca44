"""The documentation's site, beyond what docs/ holds: MkDocs calls these functions (`hooks` in mkdocs.yml).

The start page is the README; each rule has a page, the one of `plancheck explain`; the Python reference is made from
docstrings. Links are written as a code host wants them and turned into those of the site by `site_links`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rules_page
import site_links
import site_reference

from plancheck.analysis.rule import Category, Rule
from plancheck.analysis.rule_page import whole_page
from plancheck.analysis.rules import RULES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent

TAGS = """\
# Rules by tag

The weaknesses and risks that rules look for (the mapping to [CWE and to the OWASP Agentic Top 10](owasp.md) is our
own), and the category of each. The search finds rules by their tags, too: try `CWE-89` or `ASI02`.

<!-- material/tags -->
"""


def on_config(config: MkDocsConfig) -> None:
    """Put what is made here into the navigation."""
    sections: dict[str, list[Any]] = {title: pages for entry in config.nav or () for title, pages in entry.items()}
    for category in Category:
        named = [{rule.name: _rule_path(rule)} for rule in RULES.values() if rule.category is category]
        sections["Rules"].append({category.value.capitalize(): named})
    sections["Python"].append({"Reference": [{name: site_reference.page_of(name)} for name in site_reference.MODULES]})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    made = {site_links.page_of(path): (ROOT / path).read_text(encoding="utf-8") for path in site_links.top_pages()}
    made |= {_rule_path(rule): _rule(rule) for rule in RULES.values()}
    made |= {site_reference.page_of(name): site_reference.page(name) for name in site_reference.MODULES}
    made["tags.md"] = TAGS
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """The table of rules without the rules, which have pages of their own; links as the site needs them."""
    text = markdown
    if page.file.src_uri == "rules.md":
        text = rules_page.overview()
        page.meta["hide"] = ["toc"]
    return site_links.for_site(text, page.file.src_uri, config.extra["repository"])


def _rule_path(rule: Rule) -> str:
    return site_links.rule_page(rule.name)


def _rule(rule: Rule) -> str:
    facts = {"title": rule.name, "description": rule.summary, "tags": [*rule.tags, rule.category.value]}
    return f"---\n{json.dumps(facts)}\n---\n{whole_page(rule)}"
