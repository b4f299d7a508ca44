"""The trace dialect: tool calls as models and protocols emit them.

OpenAI chat (`tool_calls`, with the arguments as JSON text) and responses (`function_call`), Anthropic (`tool_use`), MCP
(`tools/call`) and LangChain (`tool_call`): one call, a list, a message, a response, or a conversation. A call is known
by its id, or else by its position; it runs after the one before it. What tools have answered is data.
"""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.dialect import Dialect, Holder, Identities, Limits, LoweredSteps, Match, Site
from plancheck.plan.dialects.trace.keys import ARGUMENTS, ID, MESSAGE, NAME, OTHERS, TOOL_CALLS, VOCABULARY
from plancheck.plan.dialects.trace.writing import SNIPPETS, STARTER
from plancheck.plan.dialects.vocabulary import STEP
from plancheck.syntax.tree import Path, Tree

# What reads traces is imported when there is one: it takes a part of the start of every other plan's check.


def _detect(tree: Tree) -> Match:
    if isinstance(tree.root, list) and any(tree.top(key) is not None for key in OTHERS):
        return Match.NONE
    from plancheck.plan.dialects.trace.detection import detect

    return detect(tree)


def _find(tree: Tree) -> Holder | None:
    from plancheck.plan.dialects.trace.detection import find

    return find(tree)


def _lower(value: Any) -> LoweredSteps:
    from plancheck.plan.dialects.trace.lowering import lower_any

    return lower_any(value)


def _data_in(value: Any, around: Path) -> tuple[Path, ...]:
    from plancheck.plan.dialects.trace.data import data_in

    return data_in(value, around)


DIALECT = Dialect(
    name="trace",
    title="Trace of tool calls",
    summary="Tool calls as models and protocols emit them: one, a list, a message, a response or a conversation.",
    expected='A trace is expected: tool calls as models emit them, or messages with such under "tool_calls".',
    detect=_detect,
    find=_find,
    steps_key=TOOL_CALLS,
    site=Site.SCATTERED,
    lower_chunk=_lower,
    bare="a list of messages",
    bare_shapes=(MESSAGE, STEP),
    data_in=_data_in,
    vocabulary=VOCABULARY,
    identities=Identities.NAME_OR_POSITION,
    identity_key=ID,
    tool_key=NAME,
    arguments_key=ARGUMENTS,
    snippets=SNIPPETS,
    starter=STARTER,
    limits=Limits.GATE,
)
