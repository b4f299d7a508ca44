"""The calls dialect: `[{"tool_name", "args"}]`, or such a list under `steps` of an `agent.plan` event.

A call has no name: it is known by its position in the list, counted from 0, and runs after the one before it. It may
carry any other key; those of a declared step (agent, kind, reads, writes, scope) mean what they mean there.
"""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.keys import CALL_KEYS, nearest
from plancheck.plan.dialects.lowering import Lowering, not_a_step
from plancheck.plan.model import Call, Step
from plancheck.syntax.tree import MISSING, Part

TOOL = "tool_name"


class _Lowering(Lowering):
    names_step = "the position of an earlier step, counted from 0"

    def step(self) -> Step:
        call = self._call()
        agent, kind = self.agent(), self.kind()
        touches = self.touches()
        self.misspelt(CALL_KEYS)
        ignores = self.ignores()
        outline = self.outline(None, kind, None, touches, "")
        path = call.tool_path if call.tool is not None else ()
        return Step(outline, agent, path, tuple(self.faults), ignores, call)

    def _call(self) -> Call:
        tool = self._tool()
        arguments = self.fields.get("args")
        if arguments is not None and not isinstance(arguments, tuple):
            self.wrong_type("an object", arguments, ("args",), "`args`")
        return Call(
            tool,
            (TOOL,) if TOOL in self.fields else (),
            arguments,
            ("args",) if "args" in self.fields else (),
            None,
            (),
        )

    def _tool(self) -> str | None:
        if TOOL not in self.fields:
            self._missing_tool()
            return None
        name = self.fields[TOOL]
        if not isinstance(name, str):
            self.wrong_type("a string", name, (TOOL,), f"`{TOOL}`")
            return None
        if not name:
            self.fault("empty_name", f"`{TOOL}` is empty: name the tool.", (TOOL,))
        return name or None

    def _missing_tool(self) -> None:
        if TOOL in self.unfinished:
            return
        other = "tool" if "tool" in self.fields else next((key for key in self.fields if nearest(key, (TOOL,))), None)
        if other is None:
            message = f"This step has no `{TOOL}`, so nobody can tell what it calls: name the tool."
            self.fault("missing_tool_name", message, ())
        else:
            message = f"The tool of a call is named under `{TOOL}`, and `{other}` is ignored: rename it."
            self.fault("missing_tool_name", message, (other,), Part.KEY)


def lower_call(value: Any) -> Step:
    """One call, given as the syntax tree's value. Its identity, the position, is filled in by the plan."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)


def carries_tool_name(value: Any) -> bool:
    """Whether an element of a list of steps looks like a call."""
    return isinstance(value, tuple) and any(key == TOOL for key, member in value if member is not MISSING)
