"""The hooks for pre-commit, run by pre-commit itself in a scratch repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from install.environments import ROOT, clean

FAULTY = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decide"}]}\n'
GOOD = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"]}]}\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


def pre_commit(repository: Path, hook: str, *files: str) -> tuple[int, str]:
    subprocess.run(["git", "-C", str(repository), "add", "--all"], check=True)
    command = [sys.executable, "-m", "pre_commit", "try-repo", "--color=never", str(ROOT), hook, "--files", *files]
    done = subprocess.run(
        command, cwd=repository, capture_output=True, encoding="utf-8", env=clean(), check=False, timeout=300
    )
    return done.returncode, done.stdout + done.stderr


def test_a_plan_with_a_mistake_is_not_committed(repository: Path) -> None:
    (repository / "faulty.plan.json").write_text(FAULTY, encoding="utf-8")
    (repository / "good.calls.json").write_text(GOOD, encoding="utf-8")
    (repository / "package.json").write_text("{", encoding="utf-8")
    code, said = pre_commit(repository, "plancheck", "faulty.plan.json", "good.calls.json", "package.json")
    assert code == 1, said
    assert "faulty.plan.json:1:45: error[unknown_kind]" in said
    assert "package.json" not in said.partition("plancheck....")[2]


def test_what_is_excluded_is_not_checked(repository: Path) -> None:
    (repository / "plancheck.toml").write_text('exclude = ["old/**"]\n', encoding="utf-8")
    (repository / "old").mkdir()
    (repository / "old/faulty.plan.json").write_text(FAULTY, encoding="utf-8")
    code, said = pre_commit(repository, "plancheck", "old/faulty.plan.json")
    assert code == 0, said


def test_only_plans_that_are_allowed_are_committed(repository: Path) -> None:
    (repository / "plan-policy.yaml").write_text("allow_tools: [look]\n", encoding="utf-8")
    (repository / "good.calls.json").write_text('[{"tool_name": "look", "args": {}}]\n', encoding="utf-8")
    (repository / "bad.calls.json").write_text('[{"tool_name": "pay", "args": {}}]\n', encoding="utf-8")
    assert pre_commit(repository, "plancheck-gate", "good.calls.json")[0] == 0
    code, said = pre_commit(repository, "plancheck-gate", "good.calls.json", "bad.calls.json")
    assert code == 1, said
    assert "bad.calls.json: deny" in said


def test_a_policy_with_a_mistake_is_not_committed_and_a_good_one_is(repository: Path) -> None:
    policies = repository / "policies"
    policies.mkdir()
    policy = policies / "plan-policy.yaml"
    policy.write_text("allow_tool: [a]\n", encoding="utf-8")
    code, said = pre_commit(repository, "plancheck-policy", "policies/plan-policy.yaml")
    assert code != 0
    assert "did you mean `allow_tools`" in said
    policy.write_text("allow_tools: [a]\n", encoding="utf-8")
    assert pre_commit(repository, "plancheck-policy", "policies/plan-policy.yaml")[0] == 0
