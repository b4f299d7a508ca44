"""The calls dialect: `[{"tool_name", "args"}]`, or such a list under `steps` of an `agent.plan` event.

A call is known by its position in the list, counted from 0, and runs after the one before it. What it takes from an
earlier one is written as a reference inside a string, by that one's position or by its own `id`. It may carry any other
key; those of a declared step (agent, kind, reads, writes, scope) mean what they mean there.
"""

from __future__ import annotations

from plancheck.plan.dialects.calls.detection import detect
from plancheck.plan.dialects.calls.keys import ARGS, CONTEXT, FOREIGN, STEPS, TOOL_NAME, VOCABULARY
from plancheck.plan.dialects.calls.lowering import lower_call
from plancheck.plan.dialects.calls.writing import SNIPPETS, STARTER
from plancheck.plan.dialects.dialect import Dialect, Identities, Limits, Site, bare_or_under, one_step

DIALECT = Dialect(
    name="calls",
    title="Plan of calls",
    summary="Tool calls in the order in which they run: a list, or an `agent.plan` event that holds one.",
    expected='A plan of calls is expected: a list of tool calls, or an object with one under "steps".',
    detect=detect,
    find=bare_or_under(STEPS),
    steps_key=STEPS,
    site=Site.ELEMENTS,
    lower_chunk=one_step(lower_call),
    bare="a list of tool calls",
    vocabulary=VOCABULARY,
    identities=Identities.POSITION,
    tool_key=TOOL_NAME,
    arguments_key=ARGS,
    context_key=CONTEXT,
    foreign_keys=FOREIGN,
    snippets=SNIPPETS,
    starter=STARTER,
    has_references=True,
    limits=Limits.GATE,
)
