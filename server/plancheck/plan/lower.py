"""From the syntax tree to the plan: which dialect it is, and its steps, each lowered once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from plancheck.plan.dialects.calls import carries_tool_name, lower_call
from plancheck.plan.dialects.declared import lower_step
from plancheck.plan.dialects.keys import IGNORE, STEPS_PLAN_KEYS, lower_ignores, nearest
from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.dialects.steps import lower_tool_step
from plancheck.plan.model import Dialect, Fault, Plan, Step
from plancheck.syntax.tree import MISSING, Chunk, Part, Path, Spine, Top, Tree, repeated_keys, to_plain

EVENT_TYPE = "agent.plan"
_LOWER: dict[Dialect, Callable[[Any], Step]] = {
    Dialect.DECLARED: lower_step,
    Dialect.STEPS: lower_tool_step,
    Dialect.CALLS: lower_call,
}
EXPECTED = 'A plan is expected: an object with a list of steps under "nodes" or "steps", or a list of tool calls.'
_EXPECTED_OF = {
    Dialect.DECLARED: 'A declared plan is expected: an object with a list of steps under "nodes".',
    Dialect.STEPS: 'A plan of steps is expected: an object with a list of steps under "steps".',
    Dialect.CALLS: 'A plan of calls is expected: a list of tool calls, or an object with one under "steps".',
}

MOST_LOOKED_AT = 100
"""How many steps are looked at to tell what they are."""


def lower(tree: Tree, dialect: Dialect | None = None) -> Plan:
    """The plan that the tree holds, in the dialect it seems to have unless one is given.

    Where it holds no plan, one without steps and with a fault.
    """
    known = dialect is not None
    if dialect is None:
        dialect = detect(tree)
    expected = _EXPECTED_OF[dialect] if known else EXPECTED
    if isinstance(tree.root, Spine) and dialect is Dialect.CALLS:
        found: list[Fault] = []
        steps = _steps(tree.root, dialect)
        found += _empty(tree, steps, ())
        return Plan(dialect, steps, (), tuple(found), ())
    if not isinstance(tree.root, list):
        faults = () if tree.root is None else (Fault("not_a_plan", expected, ()),)
        return Plan(dialect, (), (), faults, ())
    return _lower_object(tree, tree.root, dialect, expected)


def detect(tree: Tree) -> Dialect:
    """The dialect that a document seems to have, by the keys that it has; `declared` where nothing tells.

    Among the first steps the majority counts, so that one of them being typed does not change what all others mean.
    """
    if isinstance(tree.root, Spine):
        return Dialect.CALLS
    if not isinstance(tree.root, list) or tree.top("nodes") is not None:
        return Dialect.DECLARED
    event = tree.top("event_type")
    if event is not None and isinstance(event.value, Chunk) and event.value.value == EVENT_TYPE:
        return Dialect.CALLS
    steps = tree.top("steps")
    if steps is None:
        return Dialect.STEPS if tree.top("goal") is not None else Dialect.DECLARED
    if not isinstance(steps.value, Spine):
        return Dialect.STEPS
    calls = others = 0
    for chunk in steps.value.chunks[:MOST_LOOKED_AT]:
        if carries_tool_name(chunk.value):
            calls += 1
        elif isinstance(chunk.value, tuple) and any(key == "tool" for key, _ in chunk.value):
            others += 1
    return Dialect.CALLS if calls and calls >= others else Dialect.STEPS


def _lower_object(tree: Tree, root: list[Top], dialect: Dialect, expected: str) -> Plan:
    found: list[Fault] = []
    key = "nodes" if dialect is Dialect.DECLARED else "steps"
    top = tree.top(key)
    steps: list[Step] = []
    if top is None:
        wanted = ("nodes",) if dialect is Dialect.DECLARED and expected != EXPECTED else ("nodes", "steps")
        misspelt = next((top.key for top in root if nearest(top.key, wanted)), None)
        if misspelt is not None:
            found.append(Fault("not_a_plan", f"{expected[:-1]}, not `{misspelt}`.", (misspelt,), Part.KEY))
        elif root or not tree.gaps:  # of an object that was only just opened, the reader says enough
            found.append(Fault("not_a_plan", expected, ()))
    elif isinstance(top.value, Spine):
        steps = _steps(top.value, dialect)
        if dialect is not Dialect.DECLARED:
            found += _empty(tree, steps, (key,))
    elif top.value.value is not MISSING:
        kind = type_name(top.value.value)
        found.append(Fault("wrong_type", f"`{key}` must be a list of steps, not {kind}.", (key,)))
    if dialect is Dialect.STEPS and top is not None:
        found += _around_steps(tree, root)
    found += _repeated_around(root, key)
    ignored = tree.top(IGNORE)
    ignores = lower_ignores(_plain(ignored.value), (IGNORE,), found) if ignored is not None else ()
    return Plan(dialect, steps, (key,), tuple(found), ignores)


# ---- steps -----------------------------------------------------------------------------------------------------------


def _steps(spine: Spine, dialect: Dialect) -> list[Step]:
    lower_one = _LOWER[dialect]
    steps = [_step(chunk, lower_one) for chunk in spine.chunks]
    if dialect is Dialect.CALLS:
        return [_numbered(chunk, step, i) for i, (chunk, step) in enumerate(zip(spine.chunks, steps, strict=True))]
    return steps


def _step(chunk: Chunk, lower_one: Callable[[Any], Step]) -> Step:
    step: Step | None = chunk.memo.get(lower_one)
    if step is None:
        step = lower_one(chunk.value)
        if repeated := _repeated(chunk.value, ()):
            step = step._replace(faults=(*step.faults, *repeated))
        chunk.memo[lower_one] = step
    return step


def _numbered(chunk: Chunk, step: Step, position: int) -> Step:
    """A call with its identity, which is its position; made anew only when the call has moved."""
    numbered: Step | None = chunk.memo.get(_numbered)
    if numbered is None or numbered.outline.identity != position:
        numbered = chunk.memo[_numbered] = step._replace(outline=step.outline._replace(identity=position))
    return numbered


def _empty(tree: Tree, steps: list[Step], path: Path) -> Iterator[Fault]:
    if not steps and not tree.gaps:  # a list that is not closed yet is about to get its first step
        yield Fault("empty_plan", "This plan has no steps, so it does nothing: add one.", path)


# ---- around the steps ------------------------------------------------------------------------------------------------


def _around_steps(tree: Tree, root: list[Top]) -> Iterator[Fault]:
    """What is wrong with the other members of a plan of steps."""
    keys = {top.key for top in root}
    for key in dict.fromkeys(top.key for top in root):
        if key not in STEPS_PLAN_KEYS and (right := nearest(key, STEPS_PLAN_KEYS)) and right not in keys:
            message = f"`{key}` is no key of a plan and is ignored: did you mean `{right}`?"
            yield Fault("unknown_key", message, (key,), Part.KEY)
            keys.add(right)
    if "goal" not in keys:
        yield Fault("missing_goal", "This plan does not say what it is for: add a `goal`.", ())
    for key in ("goal", "context", "meta"):
        top = tree.top(key)
        if top is None:
            continue
        value = [] if isinstance(top.value, Spine) else top.value.value
        if value is MISSING or (value is None and key != "goal"):
            continue
        if key == "goal" and isinstance(value, str):
            if not value.strip():
                yield Fault("missing_goal", "`goal` is empty: say what the plan is for.", ("goal",))
        elif key == "goal" or not isinstance(value, tuple):
            expected = "a string" if key == "goal" else "an object"
            yield Fault("wrong_type", f"`{key}` must be {expected}, not {type_name(value)}.", (key,))


def _repeated(value: object, path: Path) -> list[Fault]:
    """A fault for every key that an object has more than once, at the one that counts."""
    return [
        Fault(
            "duplicate_key",
            f"`{found[-1]}` is there more than once: only this last one counts.",
            (*path, *found),
            Part.KEY,
        )
        for found in repeated_keys(value)
    ]


def _repeated_around(root: list[Top], steps_key: str) -> Iterator[Fault]:
    """Repeated keys outside the steps."""
    keys = Counter(top.key for top in root)
    if len(keys) < len(root):
        yield from _repeated(tuple((key, None) for key in keys.elements()), ())
    for top in root:
        if isinstance(top.value, Chunk):
            yield from _repeated(top.value.value, (top.key,))
        elif top.key != steps_key:
            for position, chunk in enumerate(top.value.chunks):
                yield from _repeated(chunk.value, (top.key, position))


def _plain(value: Chunk | Spine) -> object:
    if isinstance(value, Spine):
        return [to_plain(chunk.value) for chunk in value.chunks]
    return to_plain(value.value)
