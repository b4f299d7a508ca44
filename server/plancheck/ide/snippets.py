"""Whole pieces of a plan to insert: steps, reads, lists. Tab stops are written as `$1`, as editors want them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from plancheck.analysis.snapshot import Snapshot
from plancheck.markdown import plain
from plancheck.plan.dialects.dialect import Snippet, free_names
from plancheck.plan.dialects.vocabulary import STEP, Expected, Slot
from plancheck.plan.model import Identity, Place, Plan
from plancheck.syntax.tree import Part

_MOST_PRODUCED = 20
_SPECIAL = re.compile(r"[\\$}]")


def escape_snippet(text: str) -> str:
    """Text that stands for itself inside a snippet."""
    return _SPECIAL.sub(lambda match: "\\" + match.group(), text)


_TO_ESCAPE = re.compile(r'\\\\|["\n\t]')


def escape_in_snippet(snippet: str) -> str:
    """A snippet of JSON as it is inserted into a string: quotes and backslashes are escaped, and it is on one line."""
    written = {"\\\\": "\\\\" * 2, '"': '\\\\"'}
    return _TO_ESCAPE.sub(lambda match: written.get(match.group(), ""), snippet)


def free_identity(plan: Plan) -> Identity:
    """An identity that no step has: the largest and one more, or and ten if that is how the steps are numbered."""
    if not plan.dialect.identities.are_numbers:
        taken = (step.outline.identity for step in plan.steps if step.outline.identity is not None)
        return next(free_names(taken, len(plan.steps)))
    numbers = [step.outline.identity for step in plan.steps if isinstance(step.outline.identity, int)]
    if not numbers:
        return 0
    gap = numbers[-1] - numbers[-2] if len(numbers) > 1 else 1
    return max(numbers) + (gap if gap in (5, 10, 100) else 1)


def step_snippets(snapshot: Snapshot, position: int) -> Iterator[tuple[str, str, str]]:
    """New steps as label, detail and snippet, written like the step before: on one line, or over several."""
    plan, is_long = snapshot.plan, False
    if plan.steps:
        model = snapshot.place_span(Place(min(max(position - 1, 0), len(plan.steps) - 1), (), Part.WHOLE))
        is_long = any(end in snapshot.text[model.start : model.end] for end in "\r\n")
    identity = json.dumps(free_identity(plan))
    for snippet in plan.dialect.snippets:
        yield snippet.label, snippet.detail, _written(snippet, identity, is_long)


def _written(snippet: Snippet, identity: str, is_long: bool) -> str:
    written = [f'"{key}": {identity if value is None else value}' for key, value in snippet.members]
    return "{\n\t" + ",\n\t".join(written) + "\n}" if is_long else "{" + ", ".join(written) + "}"


def list_snippets(expected: Expected) -> Iterator[tuple[str, str]]:
    """Lists to begin, or objects whose keys are the author's, as label and snippet."""
    if expected.named:
        yield "{…}", "{\n\t$1\n}"
    elif expected.slot is Slot.RULE:
        yield '["…"]', '["$1"]'
    elif expected.shape == STEP:
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
