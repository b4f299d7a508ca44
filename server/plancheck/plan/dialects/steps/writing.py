"""What is inserted into a plan of steps: steps to choose from, and a plan to begin with."""

from __future__ import annotations

from plancheck.plan.dialects.dialect import Snippet

SNIPPETS = (
    Snippet("step", "calls a tool", (("id", '"${1:name}"'), ("tool", '"$2"'), ("args", "{$3}"))),
    Snippet(
        "step with a result",
        "calls a tool with what another step returned",
        (
            ("id", '"${1:name}"'),
            ("tool", '"$2"'),
            ("args", '{"${3:argument}": "{{${4:step}.result}}"}'),
        ),
    ),
)
STARTER = """\
{
\t"goal": "${1:goal}",
\t"steps": [
\t\t{"id": "${2:name}", "tool": "$3", "args": {$4}}
\t]
}
"""
