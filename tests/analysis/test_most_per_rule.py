"""A rule with very much to say about a plan is cut short at a limit, and costs no other rule anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from analysis.edits import assert_as_fresh
from plancheck.analysis import tables
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.text import Edit
from plancheck.unknown import Reason

MOST = 200
SECRET = "AKIAQ3EGRIRKL5Z7XW2M"


@pytest.fixture(autouse=True)
def lower_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_PER_RULE", MOST)


def _node(idx: int, **more: Any) -> dict[str, Any]:
    return {"idx": idx, "agent": "a", "kind": "tool_call", **more}


PLANS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "about the plan, in one step": (
        "write_with_no_prior_read",
        lambda count: {"nodes": [_node(0, writes=[f"r{i}" for i in range(count)])]},
    ),
    "about the plan, in many steps": (
        "write_with_no_prior_read",
        lambda count: {"nodes": [_node(i, writes=[f"r{i}"]) for i in range(count)]},
    ),
    "about single steps, in one step": (
        "raw_secret",
        lambda count: [{"tool_name": "t", "args": {"keys": [SECRET] * count}}],
    ),
    "about single steps, in many steps": (
        "raw_secret",
        lambda count: [{"tool_name": "t", "args": {"key": SECRET}} for _ in range(count)],
    ),
}


@pytest.mark.parametrize("shape", PLANS)
@pytest.mark.parametrize(("there", "reported"), [(MOST - 1, MOST - 1), (MOST, MOST), (MOST + 1, MOST), (250, MOST)])
def test_a_rule_is_cut_short_at_exactly_its_limit(shape: str, there: int, reported: int) -> None:
    rule, plan = PLANS[shape]
    snapshot = analyze(json.dumps(plan(there)))
    places = [finding.place for finding in snapshot.findings if finding.rule == rule]
    assert len(places) == reported
    everything = [finding.place for finding in analyze(json.dumps(plan(reported))).findings if finding.rule == rule]
    assert places == everything, "the first ones are kept"


def test_what_other_rules_say_is_not_cut_with_it() -> None:
    nodes = [_node(0, writes=[f"r{i}" for i in range(MOST + 5)]), _node(1, reads=["a"], scope=["a", "b"])]
    found = [finding.rule for finding in analyze(json.dumps({"nodes": nodes})).findings]
    assert found.count("write_with_no_prior_read") == MOST
    assert found.count("scope_vs_snapshot") == 1


def test_a_finding_that_is_mended_makes_room_for_the_next_one() -> None:
    text = json.dumps([{"tool_name": "t", "args": {"key": SECRET}} for _ in range(MOST + 1)])
    snapshot = analyze(text)
    at = text.index(SECRET)
    after = update(snapshot, Edit(at, at + len(SECRET), "none"))
    steps = [finding.step for finding in after.findings if finding.rule == "raw_secret"]
    assert steps == list(range(1, MOST + 1))


CUT_SHORT = f"stopped after {MOST} findings, so the rest of the plan was not checked by it: correct some of them first."


@pytest.mark.parametrize(("there", "is_cut"), [(MOST, False), (MOST + 1, True)])
def test_what_lies_behind_suppressed_findings_is_not_called_fine(there: int, is_cut: bool) -> None:
    rule = "write_with_no_prior_read"
    nodes = [_node(i, writes=[f"r{i}"], **{"plancheck-ignore": [rule]}) for i in range(there)]
    del nodes[-1]["plancheck-ignore"]
    snapshot = analyze(json.dumps({"nodes": nodes}))
    found = [finding for finding in snapshot.findings if finding.rule == rule]
    said = [(unchecked.rule, unchecked.reason, unchecked.message) for unchecked in snapshot.unchecked]
    assert len(found) == (not is_cut)
    assert said == ([(rule, Reason.LIMIT, f"Rule {rule} was {CUT_SHORT}")] if is_cut else [])


def test_what_lies_behind_values_that_only_the_run_can_tell_is_not_called_fine() -> None:
    amounts = ["{{s.result}}"] * MOST + [5_000]
    text = json.dumps([{"tool_name": "pay", "args": {"amount": amount}} for amount in amounts])
    settings = Settings(policy=read_policy("bounds: {pay.amount: [0, 10]}").policy)
    assert Reason.LIMIT in {unchecked.reason for unchecked in analyze(text, settings).unchecked}


def test_a_step_that_moves_makes_nothing_else_of_it() -> None:
    steps = [json.dumps({"tool_name": "t", "args": {"key": SECRET}}) for _ in range(MOST)]
    text = f"[{', '.join(steps)}]"
    snapshot = update(analyze(text), Edit(1, 1, f"{steps[0]}, "))
    assert_as_fresh(snapshot, "one more than is said")
