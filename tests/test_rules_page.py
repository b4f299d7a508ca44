"""docs/rules.md is made from the rules, and has an anchor for each."""

from __future__ import annotations

import re
from pathlib import Path

from plancheck.analysis.rules import RULES
from plancheck.cli.rules import severity_of

ROOT = Path(__file__).resolve().parents[1]


def test_every_rule_has_a_row_and_a_section() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)`\]\(#(\w+)\) \| (\w+(?: \(off\))?) \|", page, flags=re.MULTILINE)
    assert rows == [(rule.name, rule.name, severity_of(rule)) for rule in RULES.values()]
    assert re.findall(r"^## (.+)$", page, flags=re.MULTILINE) == list(RULES)


def test_every_page_says_how_safe_its_fixes_are() -> None:
    for rule in RULES.values():
        says_none = "There is no fix" in rule.page
        assert "## Fix safety" in rule.page or rule.is_about_policy, rule.name
        assert says_none is not bool(rule.remedies) or rule.is_about_policy, rule.name
