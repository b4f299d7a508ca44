"""`--select` and `--ignore`: rules by name, by the beginning of names, by category and by tag."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command import EXAMPLES, plancheck, plant
from plancheck.analysis.rule import Category, Rule
from plancheck.analysis.rules import RULES
from plancheck.cli.selection import UnknownRulesError, selected

PLAN = """{"goal": "g", "steps": [
  {"id": "a", "tool": "crm.find", "args": {"name": "x"}},
  {"id": "b", "tool": "db.query", "args": {"sql": "SELECT * FROM t WHERE n = '{{a.result}}'"}, "depends_on": ["a"]},
  {"id": "c", "tool": "db.query", "args": {"sql": "DELETE FROM t"}, "depends_on": ["nobody"]}
]}
"""


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("sql_interpolation", lambda rule: rule.name == "sql_interpolation"),
        ("policy_*", lambda rule: rule.name.startswith("policy_")),
        ("*", lambda rule: bool(rule.name)),
        ("category:security", lambda rule: rule.category is Category.SECURITY),
        ("security", lambda rule: rule.category is Category.SECURITY),
        ("Security", lambda rule: rule.category is Category.SECURITY),
        ("ASI02", lambda rule: "ASI02" in rule.tags),
        ("cwe-89", lambda rule: "CWE-89" in rule.tags),
        ("CWE-*", lambda rule: any(tag.startswith("CWE-") for tag in rule.tags)),
    ],
)  # fmt: skip
def test_a_word_means_these_rules(word: str, wanted: Callable[[Rule], bool]) -> None:
    expected = [name for name, rule in RULES.items() if wanted(rule)]
    assert expected
    assert sorted(selected(word)) == sorted(expected)


def test_no_rule_is_called_like_a_category_or_a_tag() -> None:
    """Else a plain word would be ambiguous."""
    tags = {tag.lower() for rule in RULES.values() for tag in rule.tags}
    assert {category.value for category in Category} & RULES.keys() == set()
    assert tags & (RULES.keys() | {category.value for category in Category}) == set()


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("sql_interpolaton", "unknown rule 'sql_interpolaton': did you mean sql_interpolation?"),
        ("securty", "unknown rule 'securty': did you mean security?"),
        ("CWE89", "unknown rule 'CWE89': did you mean CWE-89?"),
        ("category:secrity", "unknown category 'secrity': did you mean category:security?"),
        ("zzz*", "unknown rule 'zzz*': no rule and no tag begins like this; `plancheck rules` lists them"),
        ("qqq", "unknown rule 'qqq': `plancheck rules` lists them"),
    ],
)
def test_an_unknown_word_is_one_line_with_a_way_out(word: str, message: str) -> None:
    with pytest.raises(UnknownRulesError) as caught:
        selected(word)
    assert str(caught.value) == message
    for option in ("--select", "--ignore"):
        ran = plancheck("check", option, word, ".")
        assert (ran.code, ran.out) == (2, "")
        expected = f"plancheck check: argument {option}: {message} (see `plancheck check --help`)\n"
        assert ran.err == expected


def rules_found(folder: Path, *args: str) -> set[str]:
    return set(plancheck("check", "--format", "json", *args, "a.plan.json", cwd=folder).json["summary"]["rules"])


def test_groups_are_selected_and_ignored(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": PLAN})
    every = rules_found(tmp_path)
    assert {"sql_interpolation", "unknown_step"} <= every
    assert "sql_interpolation" in rules_found(tmp_path, "--select", "sql_*")
    assert "unknown_step" not in rules_found(tmp_path, "--select", "sql_*")
    assert rules_found(tmp_path, "--select", "category:steps,CWE-89") == {
        name for name in every if RULES[name].category is Category.STEPS or "CWE-89" in RULES[name].tags
    }
    assert "sql_interpolation" not in rules_found(tmp_path, "--ignore", "ASI02")
    assert "sql_interpolation" not in rules_found(tmp_path, "--select", "security", "--ignore", "sql_*")


def test_a_group_asks_for_rules_that_are_off(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": (EXAMPLES / "declared" / "trading-faulty.plan.json").read_text()})
    plant(tmp_path, {"plancheck.toml": '[rules]\nscope_vs_snapshot = "off"\n'})
    assert "scope_vs_snapshot" not in rules_found(tmp_path)
    assert "scope_vs_snapshot" in rules_found(tmp_path, "--select", "data")
