"""`plancheck gate` of several plans: each is decided by itself, the strictest verdict is the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import plancheck

POLICY = "gate: {needs_human: {pay.amount: 10}}\n"
PLANS = {
    "allow": '[{"tool_name": "crm.find", "args": {}}]',
    "deny": '[{"tool_name": "run_command", "args": {}}]',
    "human": '[{"tool_name": "pay", "args": {"amount": 11}}]',
    "undecided": '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["r"]}]}',
}
ALONE = {"allow": 0, "deny": 1, "human": 3, "undecided": 2, "gone": 2}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "plan-policy.yaml").write_text(POLICY)
    for name, text in PLANS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(("name", "code"), ALONE.items())
def test_each_alone(work: Path, name: str, code: int) -> None:
    assert plancheck("gate", name, cwd=work).code == code


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("allow", "allow"), 0),
        (("allow", "human"), 3),
        (("human", "undecided", "allow"), 2),
        (("allow", "gone"), 2),
        (("undecided", "deny", "human"), 1),
        (("gone", "deny"), 1),
        (("deny", "gone"), 1),
    ],
)
def test_the_strictest_counts(work: Path, names: tuple[str, ...], code: int) -> None:
    for form in ("text", "json"):
        ran = plancheck("gate", "--format", form, *names, cwd=work)
        assert ran.code == code
        assert ran.err == ("plancheck: gone: there is no such file or folder.\n" if "gone" in names else "")


def test_the_output_lists_them(work: Path) -> None:
    ran = plancheck("gate", "allow", "deny", "gone", "human", cwd=work)
    lines = ran.out.splitlines()
    assert [line for line in lines if line.startswith(tuple(ALONE))] == [
        "allow: allow: The plan keeps to every rule of the policy. [invariants_hold]",
        next(line for line in lines if line.startswith("deny: deny: ")),
        "gone: could not decide: There is no decision about this plan: standard error says why.",
        next(line for line in lines if line.startswith("human: needs a human: ")),
    ]
    assert lines[-1] == "4 plans: 1 denied, 1 undecided, 1 for a human, 1 allowed."


def test_the_json_of_one_is_as_it_was_and_of_several_a_list_of_these(work: Path) -> None:
    alone = {name: plancheck("gate", "--format", "json", name, cwd=work) for name in PLANS}
    assert "files" not in alone["allow"].json
    together = plancheck("gate", "--format", "json", *PLANS, "gone", cwd=work).json
    assert together["decision"] == "deny"
    *decided, gone = together["files"]
    assert decided == [{"path": name, **ran.json} for name, ran in alone.items()]
    assert gone.keys() == decided[0].keys()
    assert (gone["decision"], gone["allow"], gone["rule_matched"]) == ("undecided", False, "no_decision")


def test_each_has_the_policy_beside_it(work: Path) -> None:
    (work / "inner").mkdir()
    (work / "inner/plan-policy.yaml").write_text("allow_tools: [other]\n")
    (work / "inner/allow").write_text(PLANS["allow"])
    found = plancheck("gate", "--format", "json", "allow", "inner/allow", cwd=work).json["files"]
    assert [file["decision"] for file in found] == ["allow", "deny"]


def test_each_is_recorded_and_one_that_cannot_be_is_none(work: Path) -> None:
    ran = plancheck("gate", "--log", "log.jsonl", "allow", "deny", cwd=work)
    assert ran.code == 1
    records = [json.loads(line) for line in (work / "log.jsonl").read_text().splitlines()]
    assert [(record["allow"], record["deny"]) for record in records] == [(True, False), (False, True)]
    ran = plancheck("gate", "--log", "allow", "human", "allow", cwd=work)
    assert (ran.code, "would be written into what is read" in ran.err) == (2, True)
    assert (work / "allow").read_text() == PLANS["allow"]


def test_standard_input_is_one_of_them(work: Path) -> None:
    ran = plancheck("gate", "allow", "-", stdin=PLANS["deny"].encode(), cwd=work)
    assert (ran.code, "<stdin>: deny: " in ran.out) == (1, True)
    ran = plancheck("gate", "-", "-", cwd=work)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("plancheck gate: standard input can be read once: give - once")


def test_nothing_is_added_to_what_is_no_log(work: Path) -> None:
    texts = {"plan-policy.yaml": "max_steps: 9\n", "tools.json": '{"tools": [\n  {"name": "a"}\n]}\n'}
    for name, text in texts.items():
        (work / name).write_text(text)
        ran = plancheck("gate", "--log", name, "allow", cwd=work)
        assert (ran.code, ran.out) == (2, "")
        assert "is not a log of decisions" in ran.err
        assert (work / name).read_text() == text
    named = plancheck("gate", "--policy", "plan-policy.yaml", "--log", "plan-policy.yaml", "allow", cwd=work)
    assert (named.code, "would be written into what is read" in named.err) == (2, True)
