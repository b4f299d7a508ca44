"""What is inserted into a plan of calls: a call, and a plan to begin with."""

from __future__ import annotations

from plancheck.plan.dialects.dialect import Snippet

SNIPPETS = (Snippet("call", "calls a tool", (("tool_name", '"$1"'), ("args", "{$2}"))),)
STARTER = """\
{
\t"steps": [
\t\t{"tool_name": "$1", "args": {$2}}
\t]
}
"""
