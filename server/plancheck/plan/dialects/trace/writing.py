"""What is inserted into a trace: a call in each shape, and a trace to begin with."""

from __future__ import annotations

from plancheck.plan.dialects.dialect import Snippet

SNIPPETS = (
    Snippet(
        "call (OpenAI chat)",
        "a call as in `tool_calls`",
        (("id", None), ("type", '"function"'), ("function", '{"name": "$1", "arguments": "{$2}"}')),
    ),
    Snippet(
        "call (Anthropic)",
        "a block of a message",
        (("type", '"tool_use"'), ("id", None), ("name", '"$1"'), ("input", "{$2}")),
    ),
    Snippet(
        "call (OpenAI responses)",
        "an item of a response",
        (("type", '"function_call"'), ("call_id", '"$3"'), ("name", '"$1"'), ("arguments", '"{$2}"')),
    ),
    Snippet(
        "call (MCP)",
        "a request",
        (("id", None), ("method", '"tools/call"'), ("params", '{"name": "$1", "arguments": {$2}}')),
    ),
    Snippet("call (LangChain)", "a call as in `tool_calls`", (("name", '"$1"'), ("args", "{$2}"), ("id", None))),
)
STARTER = """\
{
\t"messages": [
\t\t{"role": "assistant", "tool_calls": [
\t\t\t{"id": "call_1", "type": "function", "function": {"name": "$1", "arguments": "{$2}"}}
\t\t]}
\t]
}
"""
