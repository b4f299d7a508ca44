"""Whose policy counts: that of whoever runs the gate. What lies beside the plan can only make it stricter, and what
cannot be read, or has a mistake, decides nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command import plancheck

PLAN = '[{"tool_name": "crm.find", "args": {"limit": 50}}]'
BLOCKED = '[{"tool_name": "run_command", "args": {}}]'


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A working directory with a folder of plans that somebody else writes."""
    here = tmp_path / "work"
    (here / "plans").mkdir(parents=True)
    (here / "plans/a.json").write_text(PLAN)
    (here / "plans/blocked.json").write_text(BLOCKED)
    return here


def exit_code(work: Path, plan: str = "plans/a.json", *more: str) -> int:
    ran = plancheck("gate", plan, *more, cwd=work)
    assert "Traceback" not in ran.err
    return ran.code


# ---- stricter, never looser ------------------------------------------------------------------------------------------


def test_the_policy_above_the_working_directory_counts(work: Path) -> None:
    (work.parent / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    assert exit_code(work) == 1


def test_the_one_that_the_configuration_names_counts(work: Path) -> None:
    (work / "rules.yaml").write_text("allow_tools: [other]\n")
    (work / "plancheck.toml").write_text('policy = ["rules.yaml"]\n')
    assert exit_code(work) == 1


def test_the_one_that_is_named_counts_although_another_lies_above(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [crm.find]\n")
    (work / "rules.yaml").write_text("allow_tools: [other]\n")
    assert exit_code(work, "plans/a.json", "--policy", "rules.yaml") == 1


@pytest.mark.parametrize(
    "beside",
    [
        "allow_tools: [crm.find, run_command]\n",
        "gate: {unblock_tools: [run_command]}\n",
        "gate: {blocked_tools: []}\n",
        "gate: {unblock_tools: [run_command], unknown: human}\n",
    ],
)
def test_a_policy_beside_the_plan_allows_nothing(work: Path, beside: str) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [crm.find]\n")
    (work / "plans/plan-policy.yaml").write_text(beside)
    assert exit_code(work, "plans/blocked.json") == 1
    (work / "plan-policy.yaml").unlink()
    assert exit_code(work, "plans/blocked.json") == 1


def test_a_policy_beside_the_plan_does_not_raise_the_number_of_steps(work: Path) -> None:
    (work / "plans/long.json").write_text(f"[{', '.join([PLAN[1:-1]] * 51)}]")
    (work / "plans/plan-policy.yaml").write_text("max_steps: 100\ngate: {max_steps: 100}\n")
    assert exit_code(work, "plans/long.json") == 1


def test_a_policy_beside_the_plan_does_not_say_that_a_reading_tool_writes(work: Path) -> None:
    (work / "plans/sql.json").write_text('[{"tool_name": "db.query_ro", "args": {"sql": "DELETE FROM t"}}]')
    (work / "plans/plan-policy.yaml").write_text("tools: {db.query_ro: write}\n")
    assert exit_code(work, "plans/sql.json") == 1


def test_a_policy_beside_the_plan_makes_it_stricter(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("bounds: {crm.find.limit: [1, 100]}\n")
    assert exit_code(work) == 0
    (work / "plans/plan-policy.yaml").write_text("bounds: {crm.find.limit: [1, 10]}\n")
    assert exit_code(work) == 1


def test_a_configuration_beside_the_plan_switches_nothing_off(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    (work / "plans/plancheck.toml").write_text('policy = []\nexclude = ["**"]\n[rules]\ntool_deny = "off"\n')
    assert exit_code(work) == 1


def test_several_that_are_named_are_joined_and_the_strictest_counts(work: Path) -> None:
    (work / "one.yaml").write_text("allow_tools: [crm.find, crm.update]\n")
    (work / "two.yaml").write_text("allow_tools: [crm.update]\n")
    assert exit_code(work, "plans/a.json", "--policy", "one.yaml") == 0
    assert exit_code(work, "plans/a.json", "--policy", "one.yaml", "--policy", "two.yaml") == 1


# ---- what cannot be relied on ----------------------------------------------------------------------------------------


def _named(work: Path, text: bytes) -> None:
    (work / "rules.yaml").write_text("allow_tools: [crm.find]\n")
    (work / "plancheck.toml").write_bytes(text)


BROKEN: dict[str, Callable[[Path], None]] = {
    "a mistake in plancheck.toml": lambda work: _named(work, b'policy = ["rules.yaml"]\nmax-findings = "many"\n'),
    "no TOML": lambda work: _named(work, b'policy = ["rules.yaml"\n'),
    "an unreadable byte": lambda work: _named(work, b'# \xff\npolicy = ["rules.yaml"]\n'),
    "a misspelt key": lambda work: _named(work, b'polcy = ["rules.yaml"]\n'),
    "an unreadable byte in pyproject.toml": lambda work: _write(work, "pyproject.toml", b"[tool.plancheck]\n# \xff\n"),
    "a policy that is not there": lambda work: _named(work, b'policy = ["gone.yaml"]\n'),
    "plancheck.toml as a folder": lambda work: (work / "plancheck.toml").mkdir(),
    "plancheck.toml as a dangling link": lambda work: (work / "plancheck.toml").symlink_to("nowhere"),
    "a policy as a folder": lambda work: (work / "plan-policy.yaml").mkdir(),
    "a policy as a dangling link": lambda work: (work / "plan-policy.yaml").symlink_to("nowhere"),
    "a policy as a pipe": lambda work: os.mkfifo(work / "plan-policy.yaml"),
    "a policy with a mistake": lambda work: _write(work, "plan-policy.yaml", b"alow_tools: [other]\n"),
    "a policy with an unreadable byte": lambda work: _write(work, "plan-policy.yaml", b"# \xff\n"),
    "a mistake in the policy beside the plan": lambda work: _write(work, "plans/plan-policy.yaml", b"max_step: 1\n"),
    "a mistake in the configuration beside the plan": lambda work: _write(work, "plans/plancheck.toml", b"x = [\n"),
    "a dangling link beside the plan": lambda work: (work / "plans/plan-policy.yml").symlink_to("nowhere"),
}


def _write(work: Path, name: str, text: bytes) -> None:
    (work / name).write_bytes(text)


@pytest.mark.parametrize("what", BROKEN)
def test_nothing_is_decided(work: Path, what: str) -> None:
    BROKEN[what](work)
    assert exit_code(work) == 2


@pytest.mark.parametrize("what", BROKEN)
def test_a_blocked_tool_is_denied_all_the_same(work: Path, what: str) -> None:
    BROKEN[what](work)
    assert exit_code(work, "plans/blocked.json") == 1


def test_standard_input_has_nothing_beside_it(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    assert plancheck("gate", "-", stdin=PLAN.encode(), cwd=work).code == 1
