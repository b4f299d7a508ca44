"""What is inserted into a declared plan: steps to choose from, a plan to begin with, the step that a fix adds."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.declared.keys import CONTROL_PREDS, IDX
from plancheck.plan.dialects.dialect import NewReader, Snippet
from plancheck.plan.model import Kind

_AGENT = ("agent", '"${1:agent}"')
_DECISION = ("kind", '"decision"')
_TOOL_CALL = ("kind", '"tool_call"')

SNIPPETS = (
    Snippet("step", "follows the step before it", ((IDX, None), _AGENT, _TOOL_CALL, ("reads", "[$2]"))),
    Snippet(
        "decision",
        "decides on what an earlier step read",
        ((IDX, None), _AGENT, _DECISION, ("reads", '[{"id": "${2:resource}", "producer": $3}]')),
    ),
    Snippet(
        "tool call",
        "reads a resource and writes it",
        ((IDX, None), _AGENT, _TOOL_CALL, ("reads", '["${2:resource}"]'), ("writes", '["${2:resource}"]')),
    ),
    Snippet(
        "re-read barrier",
        "makes sure of a volatile value again",
        (
            (IDX, None),
            _AGENT,
            _TOOL_CALL,
            ("reads", '[{"id": "${2:resource}", "volatile": true, "revalidates": true}]'),
        ),
    ),
)
STARTER = """\
{
\t"nodes": [
\t\t{"idx": 0, "agent": "${1:agent}", "kind": "tool_call", "reads": [$2]}
\t]
}
"""


def new_reader(step: NewReader) -> dict[str, Any]:
    """A tool call of the agent that reads something."""
    members: dict[str, Any] = {IDX: step.identity, "agent": step.agent, "kind": Kind.TOOL_CALL.value}
    if step.preds is not None:
        members[CONTROL_PREDS] = step.preds
    return {**members, "reads": step.reads}
