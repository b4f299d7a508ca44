"""The gate: every verdict names the step and the rule, deny wins, and what nobody decides is not allowed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import inf, nan
from typing import Any

import pytest

from plancheck import check_text
from plancheck.gate import (
    GateRule,
    GateRules,
    HumanLimit,
    PlanRejected,
    Policy,
    PolicyDecision,
    Verdict,
    Vote,
    evaluate_plan,
    require_allowed,
)
from plancheck.policy.reading import read_policy
from plancheck.workspace.regex_process import RegexProcess


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool_name": tool, "args": args}


def policy(text: str) -> Policy:
    found = read_policy(text)
    assert found.problems == ()
    return found.policy


def verdict(plan: Any, text: str = "") -> tuple[str, str, tuple[int, ...]]:
    decision = evaluate_plan(plan, policy=policy(text))
    assert [decision.allow, decision.deny, decision.requires_hitl].count(True) <= 1
    return decision.verdict.value, decision.rule_matched, decision.steps


READS = [call("crm.find", name="Ada")]
VERIFY = "gate: {required: [{tools: [verify, check], before: [pay]}]}"
WRITES = "gate: {at_most: [{tools: [db.write, file.write], count: 2}]}"
SELF = "gate: {required: [{tools: [pay], before: [pay]}]}"
HUMAN = "gate: {needs_human: {payments.transfer.amount: 500}}"

CASES: list[tuple[str, Any, str, tuple[str, str, tuple[int, ...]]]] = [
    ("one step", READS, "", ("allow", "invariants_hold", ())),
    ("an event", {"event_type": "agent.plan", "steps": READS}, "", ("allow", "invariants_hold", ())),
    ("other keys", [{"tool_name": "a", "why": "because", "id": 7}], "", ("allow", "invariants_hold", ())),
    ("no steps", [], "", ("deny", "empty_plan", ())),
    ("an event without steps", {"steps": []}, "", ("deny", "empty_plan", ())),
    ("50 steps", READS * 50, "", ("allow", "invariants_hold", ())),
    ("51 steps", READS * 51, "", ("deny", "too_many_steps", (50,))),
    ("3 of 3 steps", READS * 3, "gate: {max_steps: 3}", ("allow", "invariants_hold", ())),
    ("4 of 3 steps", READS * 4, "gate: {max_steps: 3}", ("deny", "too_many_steps", (3,))),
    ("execute_shell", [*READS, call("execute_shell")], "", ("deny", "blocked_tool", (1,))),
    ("run_command", [call("run_command")], "", ("deny", "blocked_tool", (0,))),
    ("drop_database", [call("drop_database")], "", ("deny", "blocked_tool", (0,))),
    ("delete_all", [call("delete_all")], "", ("deny", "blocked_tool", (0,))),
    ("contains a blocked name", [call("delete_all_drafts")], "", ("allow", "invariants_hold", ())),
    ("own blocked tools", [call("x")], "gate: {blocked_tools: [x]}", ("deny", "blocked_tool", (0,))),
    ("`tool` slips through nowhere", [{"tool": "execute_shell"}], "", ("deny", "missing_tool_name", (0,))),
    ("no tool at all", [*READS, {"args": {}}], "", ("deny", "missing_tool_name", (1,))),
    ("an empty name", [{"tool_name": ""}], "", ("deny", "empty_name", (0,))),
    ("not an allowed tool", [call("a"), call("b")], "allow_tools: [a]", ("deny", "tool_deny", (1,))),
    ("SQL that writes", [call("db.query_ro", sql="DROP TABLE t")], "", ("deny", "tool_deny", (0,))),
    ("SQL that reads", [call("db.query_ro", sql="SELECT dropped FROM t")], "", ("allow", "invariants_hold", ())),
    ("at a bound", [call("a.b", x=5)], "bounds: {a.b.x: [1, 5]}", ("allow", "invariants_hold", ())),
    ("past a bound", [call("a.b", x=5.001)], "bounds: {a.b.x: [1, 5]}", ("deny", "bound_violation", (0,))),
    ("a secret", [call("a", k="AKIAQ3EGRIRKL5Z7XW2M")], "", ("deny", "raw_secret", (0,))),
    ("2 of 2 uses", [call("db.write"), call("file.write")], WRITES, ("allow", "invariants_hold", ())),
    ("3 of 2 uses", [call("db.write")] * 3, WRITES, ("deny", "too_many_uses", (2,))),
    ("must not begin so", [call("pay")], "gate: {not_first: [pay]}", ("deny", "wrong_first_step", (0,))),
    ("begins otherwise", [*READS, call("pay")], "gate: {not_first: [pay]}", ("allow", "invariants_hold", ())),
    ("verified before", [call("verify"), call("pay")], VERIFY, ("allow", "invariants_hold", ())),
    ("verified after", [call("pay"), call("verify")], VERIFY, ("deny", "missing_verification", (0,))),
    ("never verified", [*READS, call("pay")], VERIFY, ("deny", "missing_verification", (1,))),
    ("nothing to verify", READS, VERIFY, ("allow", "invariants_hold", ())),
    ("verification always", READS, "gate: {required: [{tools: [verify]}]}", ("deny", "missing_verification", ())),
    ("an amount at the limit", [call("payments.transfer", amount=500)], HUMAN, ("allow", "invariants_hold", ())),
    ("an amount above", [call("payments.transfer", amount=500.01)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("an unknown amount", [call("payments.transfer", amount="${x}")], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("a true amount", [call("payments.transfer", amount=True)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("an amount of NaN", [call("payments.transfer", amount=nan)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("an infinite amount", [call("payments.transfer", amount=inf)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("less than any number", [call("payments.transfer", amount=-inf)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("a huge amount", [call("payments.transfer", amount=10**400)], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("NaN among others", [call("payments.transfer", amount=[1, nan])], HUMAN, ("requires_hitl", "needs_human", (0,))),
    ("a tool that verifies itself", [call("pay")], SELF, ("deny", "missing_verification", (0,))),
    ("the first of two such steps", [call("pay"), call("pay")], SELF, ("deny", "missing_verification", (0,))),
    (
        "deny wins over a human",
        [call("payments.transfer", amount=900), call("delete_all")],
        HUMAN,
        ("deny", "blocked_tool", (1,)),
    ),
]


@pytest.mark.parametrize(("plan", "text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdict(plan: Any, text: str, expected: tuple[str, str, tuple[int, ...]]) -> None:
    assert verdict(plan, text) == expected


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (None, "a plan must be a list"),
        ({"plan": []}, "This is not a plan: expected steps under"),
        ([call("a"), "b"], "step 1: A step must be an object"),
        ([{"tool_name": 5}], "step 0: `tool_name` must be a string"),
        ([call("a"), {"tool_name": "b", "args": [1]}], "step 1: `args` must be an object"),
    ],
)
def test_a_malformed_plan_raises_and_names_the_step(plan: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate_plan(plan)


def test_every_violation_is_listed_and_the_feedback_says_what_to_do() -> None:
    decision = evaluate_plan([call("execute_shell"), {"tool": "x"}, call("delete_all")])
    assert [(vote.rule, vote.steps) for vote in decision.findings] == [
        ("blocked_tool", (0,)),
        ("missing_tool_name", (1,)),
        ("blocked_tool", (2,)),
    ]
    assert decision.feedback.splitlines() == [
        "The plan is denied. Change it and submit it again:",
        "- [blocked_tool] Step 0 calls `execute_shell`, which no plan may use: find another way.",
        "- [missing_tool_name] `tool` is ignored, because a call names its tool under `tool_name`: rename it.",
        "- [blocked_tool] Step 2 calls `delete_all`, which no plan may use: find another way.",
    ]


def test_a_secret_is_in_no_part_of_the_decision() -> None:
    secret = "AKIAQ3EGRIRKL5Z7XW2M"
    decision = evaluate_plan([call("a", k=secret)])
    assert "AKIAQ3" not in str(decision.to_dict())
    plan = {"goal": "g", "steps": [{"id": secret, "tool": secret, "args": {secret: secret}}]}
    denied = evaluate_plan(plan, policy="allow_tools: [crm.find]\n")
    assert denied.deny
    assert "AKIAQ3" not in denied.feedback


GITHUB = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "plan",
    [
        [call(f"${{{GITHUB}}}")],
        [call(GITHUB)],
        [call("payments.transfer", **{GITHUB: {"amount": "x"}, "amount": f"${{{GITHUB}}}"})],
        [call("payments.transfer", **{GITHUB: {"amount": 5000}})],
        {"goal": "g", "steps": [{"id": GITHUB, "tool": "x", "args": {GITHUB: 1}, "depends_on": [GITHUB + "x"]}]},
        f'[{{"tool_name": "x", "args": {{"{GITHUB}": 1, "{GITHUB}": 2}}}}]',
    ],
)
def test_a_secret_is_in_no_message_and_no_pointer(plan: Any) -> None:
    decision = evaluate_plan(plan, policy="bounds: {payments.transfer.amount: [0, 1000]}\n")
    assert not decision.allow
    assert GITHUB[:9] not in json.dumps(decision.to_dict())
    text = plan if isinstance(plan, str) else json.dumps(plan)
    found = check_text(text)
    assert not found.is_clean
    assert not any(GITHUB[:9] in finding.message + finding.pointer for finding in found.findings)
    assert not any(GITHUB[:9] in place.message + place.pointer for place in found.unchecked)


def test_a_pattern_that_hangs_leaves_the_plan_undecided() -> None:
    process = RegexProcess()
    plan = [call("b", k="a" * 60 + "!")]
    decision = evaluate_plan(plan, policy=policy("deny_tokens_regex: ['(a+)+$']"), matcher=process)
    process.close()
    assert (decision.verdict, decision.rule_matched) == (Verdict.UNDECIDED, "raw_secret")
    assert not decision.allow
    denied = evaluate_plan([*plan, call("delete_all")], policy=policy("deny_tokens_regex: ['(a+)+$']"), matcher=process)
    assert denied.verdict is Verdict.DENY


def test_a_limit_that_compares_with_no_number_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="must be a number, not nan"):
        GateRules(needs_human=(HumanLimit("pay.amount", nan),))


def _voting(verdict: Verdict) -> GateRule:
    return lambda _steps, _context: Vote(verdict, verdict.value, "", ())


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        (Verdict.DENY, Verdict.UNDECIDED),
        (Verdict.DENY, Verdict.HUMAN),
        (Verdict.DENY, Verdict.ALLOW),
        (Verdict.UNDECIDED, Verdict.HUMAN),
        (Verdict.UNDECIDED, Verdict.ALLOW),
        (Verdict.HUMAN, Verdict.ALLOW),
    ],
)
def test_which_of_two_verdicts_wins_whoever_speaks_first(stronger: Verdict, weaker: Verdict) -> None:
    for order in permutations([stronger, weaker]):
        decision = evaluate_plan(READS, policy=[_voting(verdict) for verdict in order])
        assert (decision.verdict, decision.rule_matched) == (stronger, stronger.value)
        flags = (decision.allow, decision.deny, decision.requires_hitl)
        assert flags == tuple(stronger is one for one in (Verdict.ALLOW, Verdict.DENY, Verdict.HUMAN))


def test_a_plan_of_which_a_part_could_not_be_checked_is_not_left_to_a_human() -> None:
    process = RegexProcess()
    text = "deny_tokens_regex: ['(a+)+$']\ngate: {needs_human: {pay.amount: 500}}"
    plan = [call("pay", amount=900, note="a" * 60 + "!")]
    decision = evaluate_plan(plan, policy=policy(text), matcher=process)
    process.close()
    assert (decision.verdict, decision.rule_matched) == (Verdict.UNDECIDED, "raw_secret")
    assert [vote.rule for vote in decision.findings] == ["needs_human", "raw_secret"]


def test_a_plan_that_no_rule_decides_is_not_allowed() -> None:
    decision = evaluate_plan(READS, policy=[])
    assert (decision.allow, decision.deny, decision.requires_hitl) == (False, False, False)
    assert (decision.verdict, decision.rule_matched) == (Verdict.UNDECIDED, "no_rule")


def test_rules_of_ones_own_see_the_steps_and_the_context() -> None:
    def night_watch(steps: Sequence[Mapping[str, Any]], context: Any) -> Vote | None:
        if context == "night" and any(step["tool_name"] == "pay" for step in steps):
            return Vote(Verdict.HUMAN, "night_watch", "Nobody pays at night.", (0,))
        return None

    assert evaluate_plan([call("pay")], "day", rules=[night_watch]).allow
    assert evaluate_plan([call("pay")], "night", rules=[night_watch]).rule_matched == "night_watch"
    assert not evaluate_plan([call("pay")], "day", policy=[night_watch]).allow


def test_require_allowed() -> None:
    assert require_allowed(READS).allow
    with pytest.raises(PlanRejected, match="blocked_tool: Step 0 calls `delete_all`") as caught:
        require_allowed([call("delete_all")])
    assert isinstance(caught.value.decision, PolicyDecision)
    with pytest.raises(PlanRejected):
        require_allowed([call("payments.transfer", amount=900)], policy=policy(HUMAN))


def test_the_version_is_the_digest_of_the_policy_in_force() -> None:
    one, two = policy("max_steps: 5"), policy("max_steps: 6")
    assert (
        evaluate_plan(READS, policy=one).policy_version == one.digest != evaluate_plan(READS, policy=two).policy_version
    )
