"""The trace dialect: tool calls as models and protocols emit them.

OpenAI chat (`tool_calls`, with the arguments as JSON text) and responses (`function_call`), Anthropic (`tool_use`), MCP
(`tools/call`) and LangChain (`tool_call`): one call, a list, a message, a response, or a conversation. A call is known
by its id, or else by its position; it runs after the one before it. What tools have answered is data.
"""

from __future__ import annotations

from plancheck.plan.dialects.dialect import Dialect, Identities, Limits, Site
from plancheck.plan.dialects.trace.data import data_in
from plancheck.plan.dialects.trace.detection import detect, find
from plancheck.plan.dialects.trace.keys import ARGUMENTS, ID, MESSAGE, NAME, TOOL_CALLS, VOCABULARY
from plancheck.plan.dialects.trace.lowering import lower_any
from plancheck.plan.dialects.trace.writing import SNIPPETS, STARTER
from plancheck.plan.dialects.vocabulary import STEP

DIALECT = Dialect(
    name="trace",
    title="Trace of tool calls",
    summary="Tool calls as models and protocols emit them: one, a list, a message, a response or a conversation.",
    expected='A trace is expected: tool calls as models emit them, or messages with such under "tool_calls".',
    detect=detect,
    find=find,
    steps_key=TOOL_CALLS,
    site=Site.SCATTERED,
    lower_chunk=lower_any,
    bare="a list of messages",
    bare_shapes=(MESSAGE, STEP),
    data_in=data_in,
    vocabulary=VOCABULARY,
    identities=Identities.NAME_OR_POSITION,
    identity_key=ID,
    tool_key=NAME,
    arguments_key=ARGUMENTS,
    snippets=SNIPPETS,
    starter=STARTER,
    limits=Limits.GATE,
)
