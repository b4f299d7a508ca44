"""`plancheck gate`: the exit code is the verdict, and only 0 is a yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import plancheck

GOOD = '[{"tool_name": "crm.find", "args": {"name": "Ada"}}]'
DENIED = '[{"tool_name": "delete_all"}]'
PAYS = '[{"tool_name": "pay", "args": {"amount": 900}}]'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, text in {
        "good.json": GOOD,
        "denied.json": DENIED,
        "pays.json": PAYS,
        "twice.json": '[{"tool_name": "a", "tool_name": "delete_all"}]',
        "broken.json": '[{"tool_name": "a"},]',
        "no-plan.json": '{"a": 1}',
        "malformed.json": '[{"tool_name": 5}]',
        "human.yaml": "gate: {needs_human: {pay.amount: 500}}\n",
        "typo.yaml": "max_step: 5\n",
        "hang.yaml": "deny_tokens_regex: ['(a+)+$']\n",
        "hang.json": json.dumps([{"tool_name": "b", "args": {"x": "a" * 60 + "!"}}]),
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["good.json"], 0, "allow: The plan keeps to every rule"),
        (["denied.json"], 1, "deny: Step 0 calls `delete_all`"),
        (["pays.json"], 0, "allow"),
        (["pays.json", "--policy", "human.yaml"], 3, "needs a human: `amount` of step 0 is 900"),
        (["hang.json", "--policy", "hang.yaml"], 2, "could not decide: The policy's pattern `(a+)+$` took too long"),
        (["good.json", "--policy", "typo.yaml"], 2, "did you mean `max_steps`?"),
        (["good.json", "--policy", "missing.yaml"], 2, "there is no such file"),
        (["twice.json"], 1, "`tool_name` is given more than once"),
        (["broken.json"], 2, "before a closing bracket. [syntax_error] (broken.json:1:20)"),
        (["no-plan.json"], 2, "could not decide: This is not a plan"),
        (["malformed.json"], 1, "`tool_name` must be a string"),
        (["missing.json"], 2, "there is no such file"),
        (["good.json", "--log", "no/log.jsonl"], 2, "cannot be recorded"),
    ],
)
def test_exit_code(place: Path, arguments: list[str], code: int, words: str) -> None:
    ran = plancheck("gate", *arguments, cwd=place)
    assert ran.code == code
    assert words in ran.out + ran.err
    assert "Traceback" not in ran.err


def test_the_policy_beside_the_plan_is_found(place: Path) -> None:
    (place / "plan-policy.yaml").write_text("allow_tools: [other]\n")
    ran = plancheck("gate", "good.json", cwd=place)
    assert (ran.code, "[tool_deny]" in ran.out) == (1, True)


def test_json_and_log(place: Path) -> None:
    ran = plancheck("gate", "denied.json", "--format", "json", "--log", "log.jsonl", cwd=place)
    shown = json.loads(ran.out)
    assert (shown["decision"], shown["rule_matched"], shown["steps"]) == ("deny", "blocked_tool", [0])
    (record,) = [json.loads(line) for line in (place / "log.jsonl").read_text().splitlines()]
    assert (record["decision"], record["policy_version"]) == ("deny", shown["policy_version"])


def test_standard_input(place: Path) -> None:
    assert plancheck("gate", "-", stdin=DENIED.encode(), cwd=place).code == 1
