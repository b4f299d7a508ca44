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


# ---- what lies beside the plan discloses nothing ---------------------------------------------------------------------

SECRET = "db_password_of_the_bank: hunter2\n"


def _beside(work: Path, configuration: str) -> str:
    (work / "secret.yaml").write_text(SECRET)
    (work / "plans/plancheck.toml").write_text(configuration)
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert "Traceback" not in ran.err
    assert ran.code == 2
    return ran.out + ran.err


@pytest.mark.parametrize(
    "name", ["../secret.yaml", "{work}/secret.yaml", "link.yaml", "sub/../../secret.yaml", "below/x"]
)
def test_a_configuration_beside_the_plan_names_only_policies_beside_it(work: Path, name: str) -> None:
    (work / "plans/link.yaml").symlink_to(work / "secret.yaml")
    (work / "plans/below").symlink_to(work)
    (work / "x").write_text(SECRET)
    shown = _beside(work, f'policy = ["{name.format(work=work)}"]\n')
    assert "outside of its folder" in shown
    assert "db_password" not in shown
    assert "secret" not in shown


def test_whether_a_file_elsewhere_exists_is_not_shown(work: Path) -> None:
    there = _beside(work, 'policy = ["../secret.yaml"]\n')
    (work / "secret.yaml").unlink()
    (work / "plans/plancheck.toml").write_text('policy = ["../secret.yaml"]\n')
    assert plancheck("gate", "plans/a.json", cwd=work).out == there


def test_a_policy_beside_the_plan_that_is_a_link_elsewhere_is_not_read(work: Path) -> None:
    (work / "secret.yaml").write_text(SECRET)
    (work / "plans/plan-policy.yaml").symlink_to(work / "secret.yaml")
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert (ran.code, "db_password" in ran.out) == (2, False)


@pytest.mark.parametrize("name", ["plancheck.toml", "plan-policy.yaml", "pyproject.toml"])
def test_a_message_about_what_lies_beside_the_plan_quotes_nothing_of_it(work: Path, name: str) -> None:
    (work / "plans" / name).write_text('plancheck_password: hunter2\nother = ["hunter2"\n')
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert (ran.code, name in ran.out, "hunter2" in ran.out, "password" in ran.out) == (2, True, False, False)


def test_a_policy_in_the_folder_of_the_configuration_beside_the_plan_counts(work: Path) -> None:
    (work / "plans/rules").mkdir()
    (work / "plans/rules/own.yaml").write_text("allow_tools: [other]\n")
    (work / "plans/plancheck.toml").write_text('policy = ["rules/own.yaml"]\n')
    assert exit_code(work) == 1


def test_the_configuration_above_the_working_directory_may_name_any_policy(work: Path) -> None:
    (work.parent / "elsewhere.yaml").write_text("alow_tools: [other]\n")
    (work / "plancheck.toml").write_text('policy = ["../elsewhere.yaml"]\n')
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert (ran.code, "`alow_tools` is not a key" in ran.out) == (2, True)


# ---- a configuration that extends another one -----------------------------------------------------------------------


def test_the_policy_of_a_file_that_the_own_configuration_extends_counts(work: Path) -> None:
    (work.parent / "shared").mkdir()
    (work.parent / "shared/base.toml").write_text('policy = ["ours.yaml"]\n')
    (work.parent / "shared/ours.yaml").write_text("allow_tools: [other]\n")
    (work / "plancheck.toml").write_text('extend = "../shared/base.toml"\n')
    assert exit_code(work) == 1
    (work.parent / "shared/ours.yaml").write_text("allow_tools: [crm.find]\n")
    assert exit_code(work) == 0


def test_a_mistake_in_a_file_that_the_own_configuration_extends_is_named(work: Path) -> None:
    (work.parent / "base.toml").write_text("")
    (work.parent / "shared").mkdir()
    (work.parent / "shared/base.toml").write_text("polcy = []\n")
    (work / "plancheck.toml").write_text('extend = "../shared/base.toml"\n')
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert (ran.code, "base.toml:1:1: `polcy` is not a setting of plancheck" in ran.out) == (2, True)


def test_what_a_configuration_beside_the_plan_extends_makes_nothing_looser(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    (work / "plans/base.toml").write_text('policy = []\nexclude = ["**"]\n[rules]\ntool_deny = "off"\n')
    (work / "plans/plancheck.toml").write_text('extend = "base.toml"\n')
    assert exit_code(work) == 1
    (work / "plans/loose.yaml").write_text("allow_tools: [crm.find]\ngate: {unblock_tools: [run_command]}\n")
    (work / "plans/base.toml").write_text('policy = ["loose.yaml"]\n')
    assert exit_code(work) == 1
    assert exit_code(work, "plans/blocked.json") == 1


def test_what_a_configuration_beside_the_plan_extends_may_make_it_stricter(work: Path) -> None:
    (work / "plans/inner").mkdir()
    (work / "plans/inner/own.yaml").write_text("allow_tools: [other]\n")
    (work / "plans/inner/base.toml").write_text('policy = ["own.yaml"]\n')
    (work / "plans/plancheck.toml").write_text('extend = "inner/base.toml"\n')
    assert exit_code(work) == 1


OUTSIDE = ["../secret.toml", "{work}/secret.toml", "link.toml", "sub/../../secret.toml", "below/secret.toml",
           "inner/chain.toml", "inner/link.toml", "../../../../../../../../etc/passwd"]  # fmt: skip


def _beside_extending(work: Path, name: str, *, is_there: bool = True) -> str:
    """What the gate says where the configuration beside the plan extends a file outside of its folder."""
    if is_there:
        (work / "secret.toml").write_text('hunter2_password = "x"\npolicy = ["hunter2.yaml"]\n')
    (work / "plans/inner").mkdir()
    (work / "plans/link.toml").symlink_to(work / "secret.toml")
    (work / "plans/inner/link.toml").symlink_to("../../secret.toml")
    (work / "plans/below").symlink_to(work)
    (work / "plans/inner/chain.toml").write_text('extend = "../../secret.toml"\n')
    (work / "plans/plancheck.toml").write_text(f'extend = "{name.format(work=work)}"\n')
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert ran.code == 2
    return ran.out + ran.err


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_configuration_beside_the_plan_extends_only_files_beside_it(work: Path, name: str) -> None:
    shown = _beside_extending(work, name)
    assert "extends a file outside of its folder" in shown
    assert "hunter2" not in shown
    assert "secret" not in shown


@pytest.mark.parametrize("name", [name for name in OUTSIDE if "passwd" not in name])
def test_whether_a_file_to_extend_exists_elsewhere_is_not_shown(work: Path, tmp_path: Path, name: str) -> None:
    there = _beside_extending(work, name)
    other = tmp_path / "other" / "work"
    (other / "plans").mkdir(parents=True)
    (other / "plans/a.json").write_text(PLAN)
    assert _beside_extending(other, name, is_there=False) == there


def test_a_policy_that_is_named_by_what_is_extended_lies_beside_the_plan_too(work: Path) -> None:
    (work / "secret.yaml").write_text(SECRET)
    (work / "plans/inner").mkdir()
    (work / "plans/inner/base.toml").write_text('policy = ["../../secret.yaml"]\n')
    shown = _beside(work, 'extend = "inner/base.toml"\n')
    assert "outside of its folder" in shown
    assert "db_password" not in shown


def test_a_configuration_beside_the_plan_that_is_extended_by_the_own_one_is_trusted_as_far_as_that(work: Path) -> None:
    """Whoever runs the gate chose the file; what lies beside the plan leads nowhere else by that."""
    (work / "secret.toml").write_text("hunter2_password = 1\n")
    (work / "plans/base.toml").write_text('policy = ["own.yaml"]\n')
    (work / "plans/own.yaml").write_text("allow_tools: [crm.find]\n")
    (work / "plancheck.toml").write_text('extend = "plans/base.toml"\n')
    assert exit_code(work) == 0
    (work / "plans/plancheck.toml").write_text('extend = "../secret.toml"\n')
    ran = plancheck("gate", "plans/a.json", cwd=work)
    assert (ran.code, "hunter2" in ran.out) == (2, False)


# ---- a section of pyproject.toml, however it is written --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '[tool.plancheck]\npolicy = ["rules.yaml"]\n',
        'tool = {plancheck = {policy = ["rules.yaml"]}}\n',
        '[tool]\nplancheck = {policy = ["rules.yaml"]}\n',
        '[tool]\nplancheck.policy = ["rules.yaml"]\n',
        '[tool]\n"plancheck" = {policy = ["rules.yaml"]}\n',
        '[tool]\n"plan\\u0063heck".policy = ["rules.yaml"]\n',
        'tool.plancheck.policy = ["rules.yaml"]\n',
        '[ tool . "plancheck" ]\npolicy = ["rules.yaml"]\n',
    ],
)
def test_a_section_counts_however_it_is_written(work: Path, text: str) -> None:
    (work / "rules.yaml").write_text("allow_tools: [other]\n")
    (work / "pyproject.toml").write_text(text)
    assert exit_code(work) == 1
    (work / "rules.yaml").write_text("allow_tools: [crm.find]\n")
    assert exit_code(work) == 0
    (work / "pyproject.toml").write_text(text + "x = [\n")
    assert exit_code(work) == 2
    (work / "pyproject.toml").write_text("[\n" + text)
    assert exit_code(work) == 2


@pytest.mark.parametrize(
    "text", ['[project]\ndependencies = ["plancheck"]\n', "# plancheck\n", '[tool.other]\nplancheck = "x"\n']
)
def test_the_word_alone_is_no_section(work: Path, text: str) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    (work.parent / "plancheck.toml").write_text('policy = ["gone.yaml"]\n')
    (work / "pyproject.toml").write_text(text)
    assert exit_code(work, "plans/a.json", "--policy", "plan-policy.yaml") == 1


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
    "a configuration that extends itself": lambda work: _named(work, b'extend = "plancheck.toml"\n'),
    "a configuration that extends nothing there": lambda work: _named(work, b'extend = "gone.toml"\n'),
    "a configuration that extends a folder": lambda work: _named(work, b'extend = "plans"\n'),
    "a configuration that extends a pipe": lambda work: _extends_a_pipe(work, "plancheck.toml"),
    "a configuration beside the plan that extends a pipe": lambda work: _extends_a_pipe(work, "plans/plancheck.toml"),
    "a configuration that extends one with a mistake": lambda work: _extends(
        work, "plancheck.toml", b'max-findings = "many"\n'
    ),
    "a configuration beside the plan that extends one with a mistake": lambda work: _extends(
        work, "plans/plancheck.toml", b"x = [\n"
    ),
    "a circle beside the plan": lambda work: _write(work, "plans/plancheck.toml", b'extend = "plancheck.toml"\n'),
    "a dangling link beside the plan": lambda work: (work / "plans/plan-policy.yml").symlink_to("nowhere"),
}


def _extends(work: Path, name: str, base: bytes) -> None:
    ((work / name).parent / "base.toml").write_bytes(base)
    _write(work, name, b'extend = "base.toml"\n')


def _extends_a_pipe(work: Path, name: str) -> None:
    os.mkfifo((work / name).parent / "base.toml")
    _write(work, name, b'extend = "base.toml"\n')


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


def test_a_policy_beside_a_declared_plan_does_not_let_it_through(work: Path) -> None:
    plan = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["report"]}]}'
    (work / "plans/declared.json").write_text(plan)
    (work / "plans/plan-policy.yaml").write_text("allow_writes: ['*']\nallow_scope: ['*']\n")
    assert exit_code(work, "plans/declared.json") == 2
    (work / "plan-policy.yaml").write_text("allow_writes: [report]\n")
    (work / "plans/plan-policy.yaml").write_text("allow_writes: ['*']\n")
    assert exit_code(work, "plans/declared.json") == 0
    (work / "plans/plan-policy.yaml").write_text("allow_writes: []\n")
    assert exit_code(work, "plans/declared.json") == 1
