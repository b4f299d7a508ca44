"""docs/owasp.md is made from the tags of the rules, and says something about each of them."""

from __future__ import annotations

import re
from pathlib import Path

from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES

ROOT = Path(__file__).resolve().parents[1]


def test_every_tag_has_a_row_and_every_row_its_rules() -> None:
    page = (ROOT / "docs" / "owasp.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[?(ASI\d\d|CWE-\d+)\b.*\| ([^|]*) \|$", page, flags=re.MULTILINE)
    listed = {tag: set(re.findall(r"`(\w+)`", rules)) for tag, rules in rows}
    tags = {tag for rule in RULES.values() for tag in rule.tags}
    assert listed.keys() == tags | {f"ASI{number:02}" for number in range(1, 11)}
    assert listed == {tag: {rule.name for rule in RULES.values() if tag in rule.tags} for tag in listed}
    assert listed["ASI10"] == listed["ASI06"] == set()


def test_a_rule_about_security_says_how_severe_and_what_it_is() -> None:
    for rule in RULES.values():
        assert (rule.security_severity is not None) is (rule.category is Category.SECURITY), rule.name
        assert bool(rule.tags) or rule.category is not Category.SECURITY or rule.name == "placeholder_left", rule.name
