"""The rules of policies in a plan: at their tokens, kept per step, the same after edits, and with fixes that hold."""

from __future__ import annotations

import json
from random import Random

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.policy.reading import read_policy
from plancheck.policy.regexes import RefusingMatcher
from plancheck.text import Edit, apply_edits


def under(text: str) -> Settings:
    found = read_policy(text)
    assert found.problems == ()
    return Settings(policy=found.policy)


def test_each_at_its_token() -> None:
    settings = under("""
        allow_tools: [db.query_ro, payments.transfer]
        bounds: {payments.transfer.limits.amount: [0, 10]}
        deny_tokens_regex: ['hunter[0-9]']
        require_handlers: true
        max_steps: 3
    """)
    check_rule(
        None,
        """
        {"goal": "see hunter1", "steps": [
                 ~~~~~~~~~~~~~ raw_secret: `goal` contains text that the policy forbids: pattern `hunter[0-9]`.
          {"id": "a", "tool": "db.query", "args": {"sql": "SELECT 1"}},
                              ~~~~~~~~~~ tool_deny: Step a calls `db.query`, which the policy does not allow: did you…
                              ~~~~~~~~~~ broad_tool: Step a only reads, and `db.query` may also write: call `db.query_r…
          {"id": "b", "tool": "db.query_ro", "args": {"sql": "DROP TABLE t"}},
                                                             ~~~~~~~~~~~~~~ tool_deny: Step b writes by SQL through…
          {"id": "c", "tool": "payments.transfer", "args": {"limits": {"amount": 11}}},
                              ~~~~~~~~~~~~~~~~~~~ missing_handler: Step c moves money and does not say what happens…
                                                                                 ~~ bound_violation: `limits.amount` of…
          {"id": "d", "tool": "db.query_ro", "args": {"sql": "SELECT 'hunter2'"}}
                 ~~~ max_steps_exceeded: This plan has 4 steps, and the policy allows 3: split it before step d.
                                                             ~~~~~~~~~~~~~~~~~~ raw_secret: `args.sql` of step d contai…
        ]}
        """,
        settings,
    )


def test_the_calls_of_a_gated_plan() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "execute_shell", "args": {"command": "ls"}},
                        ~~~~~~~~~~~~~~~ blocked_tool: Step 0 calls `execute_shell`, which no plan may use: find another…
          {"tool_name": "pay", "args": {"amount": 11}},
                                                  ~~ bound_violation: `amount` of step 1 is 11, above the 10 that the…
          {"tool_name": "look"}
                        ~~~~~~ too_many_steps: This plan has 3 steps, and the gate allows 2: split it before ca…
        ]
        """,
        under("bounds: {pay.amount: [0, 10]}\ngate: {max_steps: 2}\n"),
    )


def test_without_a_policy_only_what_is_always_wrong_is_said() -> None:
    steps = [{"id": f"s{n}", "tool": "payments.transfer", "args": {"amount": 10**9 + n}} for n in range(150)]
    assert analyze(json.dumps({"goal": "g", "steps": steps})).findings == []


FIXES = [
    ("tool_deny", '{"tool": "db.qurey"}', "allow_tools: [db.query, x]", '{"tool": "db.query"}'),
    ("tool_deny", '{"tool": "db.write"}', "allow_tools: [db.query_ro, x]", '{"tool": "db.query_ro"}'),
    (
        "tool_deny",
        '{"tool": "db.query_ro", "args": {"sql": "DELETE FROM t"}}',
        "max_steps: 9",
        '{"tool": "db.query", "args": {"sql": "DELETE FROM t"}}',
    ),
    (
        "bound_violation",
        '{"tool": "pay", "args": {"n": 11}}',
        "bounds: {pay.n: [0, 10]}",
        '{"tool": "pay", "args": {"n": 10}}',
    ),
    (
        "bound_violation",
        '{"tool": "pay", "args": {"n": -1}}',
        "bounds: {pay.n: [0.5, 10]}",
        '{"tool": "pay", "args": {"n": 0.5}}',
    ),
    (
        "raw_secret",
        '{"tool": "t", "args": {"h": "key AKIAQ3EGRIRKL5Z7XW2M."}}',
        "max_steps: 9",
        '{"tool": "t", "args": {"h": "key ${AWS_ACCESS_KEY_ID}."}}',
    ),
    (
        "raw_secret",
        '{"tool": "t", "args": {"api-key": "hunter2"}}',
        "deny_tokens_regex: ['hunter[0-9]']",
        '{"tool": "t", "args": {"api-key": "${API_KEY}"}}',
    ),
    (
        "missing_handler",
        '{"tool": "payments.pay"}',
        "require_handlers: true",
        '{"tool": "payments.pay", "on_fail": "abort"}',
    ),
    (
        "broad_tool",
        '{"tool": "sql.query", "args": {"query": "SELECT 1"}}',
        "max_steps: 9",
        '{"tool": "sql.query_ro", "args": {"query": "SELECT 1"}}',
    ),
]


@pytest.mark.parametrize(("rule", "before", "policy", "after"), FIXES, ids=[f"{r}-{b[:30]}" for r, b, _, _ in FIXES])
def test_the_fix_holds(rule: str, before: str, policy: str, after: str) -> None:
    snapshot = analyze(_plan(before), under(policy))
    (finding,) = [found for found in snapshot.findings if found.rule == rule]
    fixed = [apply_edits(snapshot.text, fix_edits(snapshot, fix)) for fix in offered(snapshot, finding)]
    assert fixed[0] == _plan(after)
    assert rule not in {found.rule for found in analyze(fixed[0], under(policy)).findings}


def _plan(step: str) -> str:
    return f'{{"goal": "g", "steps": [{{"id": "a", {step[1:]}]}}'


def test_only_the_handler_is_added_unasked() -> None:
    names = ("tool_deny", "bound_violation", "raw_secret", "missing_handler", "broad_tool")
    assert [name for name in names if any(remedy.safe for remedy in RULES[name].remedies)] == ["missing_handler"]


# ---- edits -----------------------------------------------------------------------------------------------------------

PIECES = [
    '"pay"',
    '"look"',
    "11",
    "5",
    '"AKIAQ3EGRIRKL5Z7XW2M"',
    '"x"',
    '"DROP TABLE t"',
    '"db.query_ro"',
    "]",
    '"hunter2"',
    "true",
]


def everything(snapshot: Snapshot) -> list[tuple[object, ...]]:
    return [(snapshot.span(f), f.rule, f.message, f.step, f.place, f.severity) for f in snapshot.shown]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("dialect", ["steps", "calls"])
def test_edited_equals_read_afresh(seed: int, dialect: str) -> None:
    random = Random(seed)
    key = "tool" if dialect == "steps" else "tool_name"
    steps = [{"id": f"s{n}", key: "pay", "args": {"amount": 5, "sql": "SELECT 1", "list": [1, "x"]}} for n in range(8)]
    document = {"goal": "g", "steps": steps, "meta": {"k": ["v"]}} if dialect == "steps" else steps
    policies = [
        under("bounds: {pay.amount: [0, 10]}\nallow_tools: [pay, db.query_ro]\nrequire_handlers: true\n"),
        under("deny_tokens_regex: [hunter]\nmax_steps: 5\ngate: {max_steps: 5}\n"),
    ]
    settings = policies[0]
    snapshot = analyze(json.dumps(document, indent=1), settings)
    for _ in range(40):
        start = random.randrange(len(snapshot.text))
        end = min(len(snapshot.text), start + random.choice([0, 0, 1, 4, 30]))
        if random.random() < 0.2:
            settings = random.choice(policies)
        snapshot = update(snapshot, Edit(start, end, random.choice([*PIECES, "", " "])), settings)
        assert everything(snapshot) == everything(analyze(snapshot.text, settings))


def test_an_edit_runs_the_rules_on_the_edited_step_only() -> None:
    asked: list[str] = []

    class Noting(RefusingMatcher):
        def __call__(self, pattern: str, value: str) -> tuple[()]:  # noqa: ARG002
            asked.append(value)
            return ()

    settings = under("deny_tokens_regex: ['(x+)+$']")
    steps = [{"id": f"s{n}", "tool": "t", "args": {"note": f"value {n}"}} for n in range(50)]
    snapshot = analyze(json.dumps({"goal": "g", "steps": steps}), settings, matcher=Noting())
    assert len(asked) == 3 + 4 + 50 * 3  # the goal, the names of members; the keys of steps; ids, tools and values
    asked.clear()
    at = snapshot.text.index("value 30")
    update(snapshot, Edit(at, at, "new "), settings)
    assert asked == ["id", "s30", "tool", "t", "args", "note", "new value 30"]
