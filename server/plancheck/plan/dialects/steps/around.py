"""What may be wrong with the members of a plan of steps that stand beside the steps."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.dialects.steps.keys import CONTEXT, GOAL, PLAN_KEYS
from plancheck.plan.model import Fault
from plancheck.syntax.tree import MISSING, Part, Spine, Tree


def check_around(tree: Tree) -> Iterator[Fault]:
    root = tree.root if isinstance(tree.root, list) else []
    keys = {top.key for top in root}
    for key in dict.fromkeys(top.key for top in root):
        if key not in PLAN_KEYS and (right := nearest(key, PLAN_KEYS)) and right not in keys:
            message = f"`{key}` is not a key of a plan and is ignored: did you mean `{right}`?"
            yield Fault("unknown_key", message, (key,), Part.KEY)
            keys.add(right)
    if GOAL not in keys:
        yield Fault("missing_goal", "This plan does not say what it is for: add a `goal`.", ())
    for key in (GOAL, CONTEXT, "meta"):
        yield from _wrong_value(tree, key)


def _wrong_value(tree: Tree, key: str) -> Iterator[Fault]:
    top = tree.top(key)
    if top is None:
        return
    value = [] if isinstance(top.value, Spine) else top.value.value
    if value is MISSING or (value is None and key != GOAL):
        return
    if key == GOAL and isinstance(value, str):
        if not value.strip():
            yield Fault("missing_goal", "`goal` is empty: say what the plan is for.", (GOAL,))
    elif key == GOAL or not isinstance(value, tuple):
        expected = "a string" if key == GOAL else "an object"
        yield Fault("wrong_type", f"`{key}` must be {expected}, not {type_name(value)}.", (key,))
