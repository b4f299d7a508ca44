"""Every fix that is offered, applied alone, keeps its promises: on generated plans, the examples and the rules' own.

1. The text is proper JSON.
2. The finding is gone.
3. No error is added, and no finding of the same rule at that step.
4. No text changes but that of the steps it is about, and what surrounds the steps stays unless it is about that.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from analysis.test_examples import under_its_policy
from conformance.plans import JUNK, damaged_plan, valid_plan
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Fix
from plancheck.analysis.fix.edits import new_order, steps_touched
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.plan.sites import Scattered
from plancheck.syntax.tree import Spine
from plancheck.text import apply_edits

NOTHING_TO_PROPOSE = {"tool_deny"}
"""Rules that do have fixes, but none for their own example: there is no allowed tool of nearly the same name in it."""
EXAMPLES = Path(__file__).parents[2] / "examples"


def one_line(plan: Any) -> str:
    return json.dumps(plan, ensure_ascii=False)


def line_per_step(plan: Any) -> str:
    steps = ",\n".join(f"  {json.dumps(node, ensure_ascii=False)}" for node in plan["nodes"])
    return f'{{"nodes": [\n{steps}\n]}}\n'


def many_lines(plan: Any) -> str:
    return json.dumps(plan, indent=2) + "\n"


def tabs_and_crlf(plan: Any) -> str:
    return json.dumps(plan, indent="\t", separators=(",", ":")).replace("\n", "\r\n")


STYLES = (one_line, line_per_step, many_lines, tabs_and_crlf)


def confused_plan(rnd: random.Random) -> Any:
    """A plan with several faults of the kinds that people make."""
    plan = valid_plan(rnd)
    idxs = [node["idx"] for node in plan["nodes"]]
    for node in plan["nodes"]:
        fault = rnd.randrange(16)
        if fault == 0:
            node["idx"] = rnd.choice([str(node["idx"]), float(node["idx"]), idxs[0]])
        elif fault == 1:
            node["kind"] = rnd.choice(["Decision", "tool-call", "toolcall", "action", None])
        elif fault == 2:
            key = rnd.choice(list(node))
            node[rnd.choice([key.upper(), f"{key}s", key.replace("_", "-")])] = node.pop(key)
        elif fault == 3:
            node[rnd.choice(["reads", "writes", "scope"])] = rnd.choice(
                ["order", {"id": "quote", "volatile": "true"}, 7]
            )
        elif fault == 4:
            node["control_preds"] = rnd.choice([0, "1", [99], [node["idx"]], ["0"], [0, 0], [idxs[-1]]])
        elif fault == 5:
            node["reads"] = [{"id": "order", "producer": rnd.choice([99, "1", idxs[-1]])}, "", {}, None]
        elif fault == 6:
            del node[rnd.choice(["idx", "agent", "kind"])]
        elif fault == 7:
            node["plancheck-ignore"] = rnd.sample(["unused_write", "Unused-Write", "nothing", "wrong_type"], 2)
    return plan


def order_of(snapshot: Snapshot, fix: Fix) -> list[int | None]:
    order = new_order(fix.changes, len(snapshot.plan.steps))
    return list(range(len(snapshot.plan.steps))) if order is None else order


def check_promises(snapshot: Snapshot, finding: Finding, fix: Fix) -> None:
    text = apply_edits(snapshot.text, fix_edits(snapshot, fix))
    json.loads(text)
    after = analyze(text, snapshot.settings)
    order = order_of(snapshot, fix)

    def old_step(other: Finding) -> int | str | None:
        if other.place.step is None:
            return None
        step = order[other.place.step]
        return "a new step" if step is None else step

    def count(found: list[Finding], place: Any) -> tuple[Counter[Any], Counter[Any]]:
        errors = Counter((f.rule, place(f), f.resource) for f in found if f.severity is Severity.ERROR)
        here = [f for f in found if f.rule == finding.rule and place(f) == finding.place.step]
        return errors, Counter(f.resource for f in here)

    errors_before, here_before = count(snapshot.findings, lambda f: f.place.step)
    errors_after, here_after = count(after.findings, old_step)
    here_before[finding.resource] -= 1
    about = f"{finding.rule}: {fix.title}\n{snapshot.text}\n{text}"
    assert not errors_after - errors_before, about
    assert not here_after - here_before, about
    check_that_the_rest_stays(snapshot, after, fix, order)


def check_that_the_rest_stays(before: Snapshot, after: Snapshot, fix: Fix, order: list[int | None]) -> None:
    touched = steps_touched(fix.changes)
    if isinstance(before.plan.sites, Scattered):
        was, now = scattered(before), scattered(after)
        assert len(now) == len(order)
        assert [now[i] for i, at in enumerate(order) if at not in (None, *touched)] == [
            was[at] for at in order if at is not None and at not in touched
        ]
        return
    old, new = steps(before), steps(after)
    if None in touched or old is None or new is None:
        return
    assert before.text[: old.start] == after.text[: new.start]
    assert before.text[old.end :] == after.text[new.end :]
    assert len(new.chunks) == len(order)
    for chunk, position in zip(new.chunks, order, strict=True):
        if position is not None and position not in touched:
            assert chunk.text == old.chunks[position].text, fix.title


def scattered(snapshot: Snapshot) -> list[Any]:
    """The steps of a plan that stand anywhere in the document, as values."""
    assert isinstance(snapshot.plan.sites, Scattered)
    document = json.loads(snapshot.text)
    return [reduce(getitem, path, document) for path in snapshot.plan.sites.paths]


def steps(snapshot: Snapshot) -> Spine | None:
    key = snapshot.plan.path[0] if snapshot.plan.path else None
    top = snapshot.tree.top(str(key)) if key is not None else None
    value = top.value if top is not None else snapshot.tree.root
    return value if isinstance(value, Spine) else None


def check_all(text: str, settings: Settings | None = None) -> Iterator[str]:
    """Check every fix that is on offer; the rules that had any."""
    snapshot = analyze(text, settings or Settings())
    for finding in snapshot.findings:
        for fix in offered(snapshot, finding):
            check_promises(snapshot, finding, fix)
            yield finding.rule


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("make", [valid_plan, damaged_plan, confused_plan])
def test_fixes_of_generated_plans_hold(make: Any, style: Any) -> None:
    rnd = random.Random(f"{make.__name__} {style.__name__}")
    rules: Counter[str] = Counter()
    for _ in range(25):
        plan = make(rnd)
        if style is line_per_step and not isinstance(plan.get("nodes") if isinstance(plan, dict) else None, list):
            continue
        rules.update(check_all(style(plan)))
    assert len(rules) >= 8  # the generators do make what there is something to fix about


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.bad], ids=lambda rule: rule.name)
def test_fixes_of_the_rules_own_examples_hold(rule: Any) -> None:
    found = set(check_all(rule.bad, under_its_policy(rule)))
    assert rule.name in found or not rule.remedies or rule.name in NOTHING_TO_PROPOSE


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.json")), ids=lambda path: path.name)
def test_fixes_of_the_examples_hold(path: Path) -> None:
    list(check_all(path.read_text(encoding="utf-8")))


def damaged(value: Any, rnd: random.Random) -> Any:
    """The value with one thing replaced, removed or misspelt somewhere inside."""
    places = [(value, key) for key in _keys(value)]
    for holder, key in places:  # the list grows as it is walked
        places += [(holder[key], inner) for inner in _keys(holder[key])]
    holder, key = rnd.choice(places)
    if isinstance(holder, dict) and rnd.random() < 0.6:
        old = holder.pop(key)
        if rnd.random() < 0.6:
            holder[rnd.choice([key.upper(), f"{key}s", key.replace("_", "-")])] = old
    else:
        holder[key] = deepcopy(rnd.choice([*JUNK, "${nobody.result}"]))
    return value


def _keys(value: Any) -> list[Any]:
    return list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []


@pytest.mark.parametrize("dialect", ["declared", "steps", "calls"])
def test_fixes_of_damaged_examples_hold(dialect: str) -> None:
    rnd = random.Random(dialect)
    found: Counter[str] = Counter()
    for path in sorted((EXAMPLES / dialect).glob("*-faulty.plan.json")):
        for style in (one_line, many_lines, tabs_and_crlf):
            plan = json.loads(path.read_text(encoding="utf-8"))
            found.update(check_all(style(damaged(damaged(plan, rnd), rnd))))
    assert found
