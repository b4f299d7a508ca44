"""Rules are imported by groups: the table says which, and every rule is in the group that it belongs to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plancheck.analysis.facts import HAS_TOOLS, JUDGED
from plancheck.analysis.rule_table import Group, RuleTable, SomeRules
from plancheck.analysis.rules import RULES

FILES = {path.stem for path in (Path(__file__).parents[2] / "server/plancheck/analysis/rules").glob("*.py")}
GROUPS = list(dict.fromkeys(RULES._group_of.values()))


def test_every_file_of_a_rule_is_in_the_table() -> None:
    assert set(RULES) == FILES - {"__init__"}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.load.__name__)
def test_a_group_has_the_rules_that_it_names(group: Group) -> None:
    rules = group.load()
    assert tuple(rule.name for rule in rules) == group.names
    assert {bool(rule.checks) for rule in rules} == {group.has_checks}


@pytest.mark.parametrize("group", [group for group in GROUPS if group.only_if is not None])
def test_a_rule_of_a_group_with_a_condition_has_conditions_itself(group: Group) -> None:
    """So that it says the same where a table of all rules is not at hand."""
    assert all(check.only_if is not None for rule in group.load() for check in rule.checks)


def loaded_by(plan: str) -> set[str]:
    script = (
        "import sys; from plancheck.analysis.engine import analyze; analyze(sys.argv[1]); "
        "print(*[name.rpartition('.')[2] for name in sys.modules if name.startswith('plancheck.analysis.rules.')])"
    )
    done = subprocess.run([sys.executable, "-c", script, plan], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_healthy_declared_plan_needs_no_rule_about_policies_and_tools() -> None:
    declared = loaded_by('{"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": ["x"]}]}')
    calls = loaded_by('[{"tool_name": "crm.find", "args": {}}]')
    assert {"raw_secret", "unknown_step"} <= declared
    assert declared.isdisjoint({"tool_deny", "blocked_tool", "syntax_error", "policy_syntax"})
    assert calls - declared == {
        name for group in GROUPS if group.only_if in (HAS_TOOLS, JUDGED) for name in group.names
    }


def test_some_rules_are_those_that_are_kept() -> None:
    some = SomeRules(RULES, lambda rule: rule.name in ("raw_secret", "tool_deny"))
    assert list(some) == ["raw_secret", "tool_deny"]
    assert "loop_detected" not in some
    with pytest.raises(KeyError):
        some["loop_detected"]
    assert [rule.name for rule in some.that_look(lambda fact: fact is None)] == ["raw_secret"]


def test_a_table_can_be_given_a_rule_and_robbed_of_one() -> None:
    table = RuleTable(GROUPS)
    table["probe"] = RULES["raw_secret"]._replace(name="probe")
    del table["tool_deny"]
    assert set(table) == (set(RULES) | {"probe"}) - {"tool_deny"}
    assert len(table) == len(RULES)
    assert "probe" in {rule.name for rule in table.that_look(lambda _: True)}
