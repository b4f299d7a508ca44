"""What plan-lint 0.0.3 reports when it is run and what we report, behaviour by behaviour: the table in the docs.

`docs/conformance.md` is made of these cases. A test compares it with what both say now; to write it anew after a
change: `python tests/conformance/test_plan_lint.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plancheck.gate import evaluate_plan
from plancheck.plan_lint import ErrorCode, Policy, validate_plan
from plancheck.policy.reading import policy_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
SECRET = "AKIAQ3EGRIRKL5Z7XW2M"


class Case(NamedTuple):
    behaviour: str
    steps: list[dict[str, Any]]
    policy: dict[str, Any]
    agrees: bool
    why: str = ""
    """Where they differ: what plan-lint gets wrong, or does not do."""


def step(id: str, tool: str, **args: Any) -> dict[str, Any]:  # noqa: A002
    return {"id": id, "tool": tool, "args": args}


AMOUNT = {"bounds": {"pay.amount": [0, 100]}}
DOTTED = {"bounds": {"payments.transfer.amount": [0, 100]}}
DENY = {"deny_tokens_regex": ["tok-[0-9]+"]}

CASES = [
    Case("a healthy plan", [step("a", "crm.find", name="Ada")], {}, True),
    Case("TOOL_DENY: a tool that is not allowed", [step("a", "shell")], {"allow_tools": ["crm.find"]}, True),
    Case("TOOL_DENY: an empty list allows all", [step("a", "shell")], {"allow_tools": []}, True),
    Case(
        "TOOL_DENY: a SQL write through a read-only tool",
        [step("a", "db.query_ro", query="DELETE FROM t")],
        {},
        False,
        "its SQL rule is not part of `validate_plan`",
    ),
    Case(
        "TOOL_DENY: `updated_at` is not an UPDATE",
        [step("a", "db.query_ro", query="SELECT updated_at FROM t")],
        {},
        True,
    ),
    Case("BOUND_VIOLATION: at the bound", [step("a", "pay", amount=100)], AMOUNT, True),
    Case("BOUND_VIOLATION: above the bound", [step("a", "pay", amount=101)], AMOUNT, True),
    Case("BOUND_VIOLATION: below the bound", [step("a", "pay", amount=-1)], AMOUNT, True),
    Case(
        "BOUND_VIOLATION: a string is not a number",
        [step("a", "pay", amount="5000")],
        AMOUNT,
        False,
        "it takes what it cannot compare for fine; we say that it was not checked",
    ),
    Case(
        "BOUND_VIOLATION: a tool with a dot",
        [step("a", "payments.transfer", amount=101)],
        DOTTED,
        False,
        "it cuts the key at the first dot, so no bound of a dotted tool ever applies",
    ),
    Case(
        "BOUND_VIOLATION: a nested argument",
        [step("a", "pay", details={"amount": 101})],
        {"bounds": {"pay.details.amount": [0, 100]}},
        False,
        "it looks for an argument named `details.amount`",
    ),
    Case(
        "BOUND_VIOLATION: `true` is not a number",
        [step("a", "pay", amount=True)],
        {"bounds": {"pay.amount": [5, 10]}},
        False,
        "Python counts `True` as 1",
    ),
    Case("RAW_SECRET: a pattern of the policy", [step("a", "http.get", key="tok-1")], DENY, True),
    Case(
        "RAW_SECRET: a built-in shape",
        [step("a", "http.get", key=SECRET)],
        {},
        False,
        "without a pattern in the policy it looks for nothing",
    ),
    Case(
        "RAW_SECRET: the name of an argument",
        [step("a", "http.get", **{"tok-1": "x"})],
        DENY,
        True,
    ),
    Case(
        "RAW_SECRET: once for each hit",
        [step("a", "http.get", one="tok-1", two="tok-2")],
        DENY,
        False,
        "it reports a step once for each pattern",
    ),
    Case(
        "RAW_SECRET: a bad pattern disables nothing else",
        [step("a", "http.get", key="tok-1")],
        {"deny_tokens_regex": ["[", "tok-[0-9]+"]},
        False,
        "that the bad pattern was not looked for is not said",
    ),
    Case(
        "LOOP_DETECTED: two steps in a cycle",
        [step("a", "t", x="{{b.result}}"), step("b", "t", x="{{a.result}}")],
        {},
        False,
        "a cycle is only suspected where one step names two others",
    ),
    Case(
        "LOOP_DETECTED: fan-in is not a cycle",
        [step("a", "t"), step("b", "t"), step("c", "t", x="{{a.result}} {{b.result}}")],
        {},
        False,
        "a step that names two others is taken for a cycle",
    ),
    Case(
        "LOOP_DETECTED: `step1` is not contained in `step10`",
        [step("step1", "t"), step("step10", "t"), step("last", "t", x="{{step10.result}}")],
        {},
        False,
        "it looks for ids as substrings",
    ),
    Case("LOOP_DETECTED: a chain is not a cycle", [step("a", "t"), step("b", "t", x="{{a.result}}")], {}, True),
    Case("MAX_STEPS_EXCEEDED: as many as allowed", [step("a", "t"), step("b", "t")], {"max_steps": 2}, True),
    Case("MAX_STEPS_EXCEEDED: one more", [step("a", "t"), step("b", "t")], {"max_steps": 1}, True),
    Case("SCHEMA_INVALID: no steps", [], {}, False, "a plan that does nothing passes"),
    Case(
        "MISSING_HANDLER: a payment without `on_fail`",
        [step("a", "payments.transfer", amount=5)],
        {"require_handlers": True},
        False,
        "the code is declared and never reported",
    ),
    Case(
        "SCHEMA_INVALID: one for each fault",
        [{"id": 7}],
        {},
        False,
        "the code is declared and never reported",
    ),
    Case(
        "risk_score: a weight of the policy",
        [step("a", "shell")],
        {"allow_tools": ["crm.find"], "risk_weights": {"tool_deny": 0.7}},
        False,
        "it looks a weight up as `errorcode.tool_deny`, so the default of 0.2 always counts",
    ),
    Case(
        "risk_score: two codes",
        [step("a", "shell", key="tok-1")],
        {"allow_tools": ["crm.find"], **DENY},
        True,
    ),
]

GATE: list[tuple[str, Any, dict[str, Any], str]] = [
    ("a plan of 50 calls", [{"tool_name": "a"}] * 50, {}, "allow invariants_hold"),
    ("a plan of 51 calls", [{"tool_name": "a"}] * 51, {}, "deny too_many_steps at 50"),
    ("an empty plan", [], {}, "deny empty_plan"),
    ("a blocked tool", [{"tool_name": "a"}, {"tool_name": "execute_shell"}], {}, "deny blocked_tool at 1"),
    ("`tool` instead of `tool_name`", [{"tool": "execute_shell"}], {}, "deny missing_tool_name at 0"),
    (
        "an amount that needs a human",
        [{"tool_name": "pay", "args": {"amount": 900}}],
        {"gate": {"needs_human": {"pay.amount": 500}}},
        "requires_hitl needs_human at 0",
    ),
    (
        "a verification that comes too late",
        [{"tool_name": "pay"}, {"tool_name": "verify"}],
        {"gate": {"required": [{"tools": ["verify"], "before": ["pay"]}]}},
        "deny missing_verification at 0",
    ),
    (
        "too many writes",
        [{"tool_name": "db.write"}] * 3,
        {"gate": {"at_most": [{"tools": ["db.write"], "count": 2}]}},
        "deny too_many_uses at 2",
    ),
]


def _told(status: str, risk: float, codes: list[tuple[str, int | None]]) -> str:
    found = ", ".join(code if at is None else f"{code} at {at}" for code, at in codes) or "nothing"
    return f"{status}, {risk:g}: {found}"


def theirs(case: Case) -> str:
    pytest.importorskip("plan_lint.core", reason="plan-lint needs Python 3.11")
    from plan_lint.core import validate_plan_builtin
    from plan_lint.types import Plan as TheirPlan
    from plan_lint.types import Policy as TheirPolicy
    from pydantic import ValidationError

    try:
        plan = TheirPlan(goal="g", steps=case.steps)
    except ValidationError:
        return "raises ValidationError"
    result = validate_plan_builtin(plan, TheirPolicy(**case.policy))
    codes = [(error.code.value, error.step) for error in result.errors]
    return _told(result.status.value, result.risk_score, codes)


def ours(case: Case) -> str:
    result = validate_plan({"goal": "g", "steps": case.steps}, Policy(**case.policy))
    codes = [(error.code.value, error.step) for error in result.errors]
    codes += [(warning.code, warning.step) for warning in result.warnings if warning.code in ErrorCode.__members__]
    return _told(result.status.value, result.risk_score, codes)


def verdict(plan: Any, policy: dict[str, Any]) -> str:
    decision = evaluate_plan(plan, policy=policy_of(policy).policy)
    at = f" at {', '.join(map(str, decision.steps))}" if decision.steps else ""
    return f"{decision.verdict.value} {decision.rule_matched}{at}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.behaviour)
def test_where_both_are_right_they_agree(case: Case) -> None:
    assert (theirs(case) == ours(case)) is case.agrees, (theirs(case), ours(case))
    assert bool(case.why) is not case.agrees


@pytest.mark.parametrize(("plan", "policy", "expected"), [row[1:] for row in GATE], ids=[row[0] for row in GATE])
def test_the_gate(plan: Any, policy: dict[str, Any], expected: str) -> None:
    assert verdict(plan, policy) == expected


def test_the_page_shows_what_both_say_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def page() -> str:
    rows = [
        "# Conformance with plan-lint",
        "",
        "Each behaviour of a plan of steps, the plan and the policy, what plan-lint 0.0.3 reports when it is run, and",
        "what plancheck reports. Where both are right they agree. `tests/conformance/test_plan_lint.py` keeps it.",
        "",
        "| behaviour | steps | policy | plan-lint 0.0.3 | plancheck | why they differ |",
        "|---|---|---|---|---|---|",
    ]
    for case in CASES:
        cells = [case.behaviour, _code(case.steps), _code(case.policy), theirs(case), ours(case), case.why]
        rows.append(f"| {' | '.join(cells)} |")
    rows += [
        "",
        "## The plan gate",
        "",
        "plan-lint has nothing like it, so that there is nothing to compare with.",
        "",
        "| behaviour | plan | policy | plancheck |",
        "|---|---|---|---|",
    ]
    for behaviour, plan, policy, _ in GATE:
        shown = plan if len(plan) < 10 else [plan[0], f"… {len(plan)} in all"]
        rows.append(f"| {behaviour} | {_code(shown)} | {_code(policy)} | {verdict(plan, policy)} |")
    return "\n".join(rows) + "\n"


def _code(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
