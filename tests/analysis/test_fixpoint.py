"""Applying all fixes comes to an end, and there is nothing left to do then."""

from __future__ import annotations

import json
import random
from time import perf_counter
from typing import Any

import pytest

from analysis.test_fixes_hold import STYLES, confused_plan
from conformance.plans import damaged_plan, valid_plan
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.analysis.fix.offer import offered


def faulty_plan(size: int, rnd: random.Random) -> dict[str, Any]:
    """A long plan in which every tenth step has a fault that is safe to fix, and many have others."""
    resources = [f"r{number}" for number in range(40)]
    nodes = []
    for idx in range(size):
        node: dict[str, Any] = {"idx": idx, "agent": rnd.choice("abc"), "kind": rnd.choice(["decision", "tool_call"])}
        reads: list[Any] = rnd.sample(resources, rnd.randint(0, 2))
        if idx and rnd.random() < 0.3:
            reads.append({"id": rnd.choice(resources), "producer": rnd.randrange(max(0, idx - 5), idx)})
        node["reads"] = reads
        if rnd.random() < 0.1:
            node["writes"] = [rnd.choice(resources)]
        fault = rnd.randrange(50)
        if fault == 0:
            node["idx"] = str(idx)
        elif fault == 1:
            node["kind"] = node["kind"].title()
        elif fault == 2:
            node["Reads"] = node.pop("reads")
        elif fault == 3:
            node["reads"] = "r1"
        elif fault == 4:
            node["control_preds"] = [0, 0] if idx else []
        nodes.append(node)
    return {"nodes": nodes}


def text_of(plan: Any) -> str:
    return '{"nodes": [\n' + ",\n".join(f"  {json.dumps(node)}" for node in plan["nodes"]) + "\n]}\n"


def errors(text: str) -> int:
    return sum(finding.severity is Severity.ERROR for finding in analyze(text).findings)


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("make", [valid_plan, damaged_plan, confused_plan])
def test_a_second_run_changes_nothing(make: Any, unsafe: bool) -> None:
    rnd = random.Random(f"{make.__name__} {unsafe}")
    for _ in range(30):
        text = rnd.choice(STYLES[::2])(make(rnd))
        fixed = fix_all(analyze(text), unsafe=unsafe).snapshot
        json.loads(fixed.text)
        assert errors(fixed.text) <= errors(text)
        again = fix_all(analyze(fixed.text), unsafe=unsafe)
        assert again.snapshot.text == fixed.text
        assert not again.applied


def test_nothing_safe_is_left_on_offer() -> None:
    rnd = random.Random(3)
    for _ in range(20):
        fixed = fix_all(analyze(json.dumps(confused_plan(rnd)))).snapshot
        left = [fix.title for finding in fixed.findings for fix in offered(fixed, finding) if fix.safe]
        assert left == []


def test_a_thousand_faulty_steps() -> None:
    text = text_of(faulty_plan(1_000, random.Random(1)))
    start = perf_counter()
    fixed = fix_all(analyze(text))
    took = perf_counter() - start
    assert len(fixed.applied) > 70
    assert fixed.rounds <= 10
    assert took < 10  # 0.4 s on an idle machine
    assert errors(fixed.snapshot.text) == 0
    assert fix_all(analyze(fixed.snapshot.text)).applied == []


def test_what_cannot_be_fixed_is_kept() -> None:
    text = (
        '{"nodes": [\n'
        '  {"idx": "0", "agent": "", "kind": "Decision"},\n'
        '  {"idx": 1, "agent": "a", "kind": "?", "reads": [""]}\n'
        "]}\n"
    )
    fixed = fix_all(analyze(text)).snapshot
    assert fixed.text == text.replace('"0"', "0").replace("Decision", "decision")
    assert {finding.rule for finding in fixed.findings} == {"empty_name", "unknown_kind"}


def test_unsafe_fixes_do_not_undo_one_another() -> None:
    """The grant is dropped because nothing was read, and wanted because it is written: only one of them is done."""
    text = (
        '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x"], "writes": ["y"], '
        '"scope": ["x", "y"]}]}'
    )
    fixed = fix_all(analyze(text), unsafe=True)
    assert fixed.snapshot.findings == []
    assert '"writes": [{"id": "y", "creates": true}], "scope": ["x", "y"]' in fixed.snapshot.text


def test_a_broken_text_is_left_alone() -> None:
    text = '{"nodes": [{"idx": "0", "agent": "a", "kind": "decision"]}'
    assert fix_all(analyze(text), unsafe=True).snapshot.text == text


def test_inserted_steps_of_one_round_get_identities_of_their_own() -> None:
    steps = [
        {"idx": i, "agent": "a", "kind": "tool_call", "reads": [{"id": f"r{i}", "volatile": True}]} for i in range(4)
    ]
    actions = [
        {"idx": 10 + i, "agent": "a", "kind": "decision", "reads": [{"id": f"r{i}", "producer": i}]} for i in range(4)
    ]
    fixed = fix_all(analyze(json.dumps({"nodes": [*steps, *actions]})), unsafe=True).snapshot
    idxs = [node["idx"] for node in json.loads(fixed.text)["nodes"]]
    assert fixed.findings == []
    assert len(idxs) == len(set(idxs)) == 12


def test_a_suppression_that_a_policy_may_need_is_kept() -> None:
    text = '{"goal": "g", "steps": [{"id": "a", "tool": "files.list", "plancheck-ignore": ["missing_handler"]}]}'
    assert fix_all(analyze(text), unsafe=True).snapshot.text == text
    used = text.replace("missing_handler", "duplicate_step_id")
    assert "plancheck-ignore" not in fix_all(analyze(used)).snapshot.text
