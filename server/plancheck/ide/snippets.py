"""Whole pieces of a plan to insert: steps, reads, lists. Tab stops are written as `$1`, as editors want them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count, islice

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import steps_spine
from plancheck.ide.vocabulary import Expected, Slot, vocabulary
from plancheck.ide.words import plain
from plancheck.plan.model import Dialect, Identity, Plan

_MOST_PRODUCED = 20
_SPECIAL = re.compile(r"[\\$}]")

_Members = tuple[tuple[str, str], ...]
_LINEAR = (("agent", '"${1:agent}"'), ("kind", '"tool_call"'), ("reads", "[$2]"))
_DECISION = (("agent", '"${1:agent}"'), ("kind", '"decision"'), ("reads", '[{"id": "${2:resource}", "producer": $3}]'))
_CALL = (
    ("agent", '"${1:agent}"'),
    ("kind", '"tool_call"'),
    ("reads", '["${2:resource}"]'),
    ("writes", '["${2:resource}"]'),
)
_BARRIER = (
    ("agent", '"${1:agent}"'),
    ("kind", '"tool_call"'),
    ("reads", '[{"id": "${2:resource}", "volatile": true, "revalidates": true}]'),
)
_DECLARED = (
    ("step", "follows the step before it", _LINEAR),
    ("decision", "decides on what an earlier step read", _DECISION),
    ("tool call", "reads a resource and writes it", _CALL),
    ("re-read barrier", "makes sure of a volatile value again", _BARRIER),
)
_TOOL = (("id", '"${1:name}"'), ("tool", '"$2"'), ("args", "{$3}"))
_TOOL_WITH_RESULT = (("id", '"${1:name}"'), ("tool", '"$2"'), ("args", '{"${3:argument}": "{{${4:step}.result}}"}'))
_STEPS: dict[Dialect, tuple[tuple[str, str, _Members], ...]] = {
    Dialect.DECLARED: _DECLARED,
    Dialect.STEPS: (
        ("step", "calls a tool", _TOOL),
        ("step with a result", "calls a tool with what another step returned", _TOOL_WITH_RESULT),
    ),
    Dialect.CALLS: (("call", "calls a tool", (("tool_name", '"$1"'), ("args", "{$2}"))),),
}


def escape_snippet(text: str) -> str:
    """Text that stands for itself inside a snippet."""
    return _SPECIAL.sub(lambda match: "\\" + match.group(), text)


def free_identity(plan: Plan) -> Identity:
    """An identity that no step has: the largest and one more, or and ten if that is how the steps are numbered."""
    if plan.dialect is Dialect.STEPS:
        taken = {step.outline.identity for step in plan.steps}
        return next(name for name in (f"step{n}" for n in count(len(plan.steps))) if name not in taken)
    numbers = [step.outline.identity for step in plan.steps if isinstance(step.outline.identity, int)]
    if not numbers:
        return 0
    gap = numbers[-1] - numbers[-2] if len(numbers) > 1 else 1
    return max(numbers) + (gap if gap in (5, 10, 100) else 1)


def step_snippets(snapshot: Snapshot, position: int) -> Iterator[tuple[str, str, str]]:
    """New steps as label, detail and snippet, written like the step before: on one line, or over several."""
    spine = steps_spine(snapshot)
    models = spine.chunks[max(position - 1, 0) :][:1] if spine is not None else []
    is_long = any("\n" in chunk.text or "\r" in chunk.text for chunk in models)
    dialect = snapshot.plan.dialect
    own = (("idx", json.dumps(free_identity(snapshot.plan))),) if dialect is Dialect.DECLARED else ()
    for label, detail, members in _STEPS[dialect]:
        yield label, detail, _object((*own, *members), is_long)


def _object(members: _Members, is_long: bool) -> str:
    written = [f'"{key}": {value}' for key, value in members]
    return "{\n\t" + ",\n\t".join(written) + "\n}" if is_long else "{" + ", ".join(written) + "}"


def plan_snippet(dialect: Dialect) -> str:
    """A whole plan. An empty document gives no hint of its dialect, so it is a declared one unless that is known."""
    own = (("idx", "0"),) if dialect is Dialect.DECLARED else ()
    step = _object((*own, *_STEPS[dialect][0][2]), False)
    return f'{{\n\t"{vocabulary(dialect).steps_key}": [\n\t\t{step}\n\t]\n}}\n'


def list_snippets(expected: Expected) -> Iterator[tuple[str, str]]:
    """Lists to begin, as label and snippet."""
    if expected.slot is Slot.RULE:
        yield '["…"]', '["$1"]'
    elif expected.shape == "step":
        yield "[…]", "[\n\t$1\n]"
    else:
        yield "[…]", "[$1]"


def read_snippets(snapshot: Snapshot, shape: str, step: int) -> Iterator[tuple[str, str, str]]:
    """Reads that say more than an id, as label, detail and snippet: what earlier steps wrote, the latest first."""
    if shape != "read":
        yield "{…}", "a resource as an object", '{"id": "${1:resource}"}'
        return
    yield "read from a step", "the result of an earlier step", '{"id": "${1:resource}", "producer": $2}'
    yield (
        "volatile re-read",
        "a value that may change, made sure of",
        ('{"id": "${1:resource}", "volatile": true, "revalidates": true}'),
    )
    yield from islice(_produced(snapshot, step), _MOST_PRODUCED)


def _produced(snapshot: Snapshot, step: int) -> Iterator[tuple[str, str, str]]:
    seen: set[str] = set()
    steps = snapshot.plan.steps
    for position in range(min(step, len(steps)) - 1, -1, -1):
        outline = steps[position].outline
        if outline.identity is None:
            continue
        for write in outline.writes:
            if write.resource not in seen:
                seen.add(write.resource)
                entry = {"id": write.resource, "producer": outline.identity}
                text = escape_snippet(json.dumps(entry, ensure_ascii=False))
                yield f"{plain(write.resource)} from {outline.identity}", plain(steps[position].agent or ""), text
