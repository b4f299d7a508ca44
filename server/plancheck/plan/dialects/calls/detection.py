"""Whether a document is a plan of calls: by its shape, by its event type, or by what most of its steps look like."""

from __future__ import annotations

from plancheck.plan.dialects.calls.keys import AGENT_PLAN, EVENT_TYPE, STEPS, TOOL_NAME
from plancheck.plan.dialects.dialect import Match
from plancheck.syntax.tree import MISSING, Chunk, Spine, Tree

MOST_LOOKED_AT = 100
"""How many steps are looked at to tell what they are."""


def detect(tree: Tree) -> Match:
    if isinstance(tree.root, Spine):
        return Match.CERTAIN
    event = tree.top(EVENT_TYPE)
    if event is not None and isinstance(event.value, Chunk) and event.value.value == AGENT_PLAN:
        return Match.CERTAIN
    steps = tree.top(STEPS)
    if steps is not None and isinstance(steps.value, Spine) and _are_calls(steps.value):
        return Match.CERTAIN
    return Match.NONE


def _are_calls(spine: Spine) -> bool:
    """Whether most of the first steps name their tool as calls do, so that one of them being typed does not change
    what all others mean."""
    calls = others = 0
    for chunk in spine.chunks[:MOST_LOOKED_AT]:
        names_a_tool = False
        for key, member in chunk.value if isinstance(chunk.value, tuple) else ():
            if key == TOOL_NAME and member is not MISSING:
                calls += 1
                break
            names_a_tool = names_a_tool or key == "tool"
        else:
            others += names_a_tool
    return calls > 0 and calls >= others
