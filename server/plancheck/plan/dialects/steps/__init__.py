"""The steps dialect: `{"goal", "steps": [{"id", "tool", "args", "on_fail", "depends_on"}], "context", "meta"}`.

What a step takes from another one is written as a reference inside a string; see `references`. The keys of a declared
step (agent, kind, reads, writes, scope) mean here what they mean there.
"""

from __future__ import annotations

from plancheck.plan.dialects.dialect import Dialect, Identities, Limits, Match, Site, one_step, under
from plancheck.plan.dialects.steps.around import check_around
from plancheck.plan.dialects.steps.keys import (
    ARGUMENTS,
    CONTEXT,
    DEPENDS_ON,
    FOREIGN,
    GOAL,
    ID,
    ON_FAIL,
    OTHER_ORDERS,
    STEPS,
    TOOL,
    VOCABULARY,
)
from plancheck.plan.dialects.steps.lowering import lower_tool_step
from plancheck.plan.dialects.steps.writing import SNIPPETS, STARTER
from plancheck.syntax.tree import Tree


def _detect(tree: Tree) -> Match:
    return Match.LIKELY if tree.top(STEPS) is not None or tree.top(GOAL) is not None else Match.NONE


DIALECT = Dialect(
    name="steps",
    title="Plan of steps",
    summary="A goal and the tool calls that lead there, each with an id of its own.",
    expected='A plan of steps is expected: an object with a list of steps under "steps".',
    detect=_detect,
    find=under(STEPS),
    steps_key=STEPS,
    site=Site.ELEMENTS,
    lower_chunk=one_step(lower_tool_step),
    check_around=check_around,
    vocabulary=VOCABULARY,
    identities=Identities.NAME,
    identity_key=ID,
    preds_key=DEPENDS_ON,
    other_orders=OTHER_ORDERS,
    tool_key=TOOL,
    arguments_key=ARGUMENTS[0],
    context_key=CONTEXT,
    handler_key=ON_FAIL,
    foreign_keys=FOREIGN,
    snippets=SNIPPETS,
    starter=STARTER,
    any_order=True,
    has_references=True,
    limits=Limits.POLICY,
)
