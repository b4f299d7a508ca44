"""From a tool call to a step. Its identity, the position, is filled in by the plan."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.calls.keys import ARGS, COMMON_KEYS, ID, KEYS, TOOL_NAME
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.lowering import Lowering, is_name, is_plain_int, not_a_step
from plancheck.plan.model import Alias, Call, Step, beside
from plancheck.syntax.tree import Part


class _Lowering(Lowering):
    names_step = "the position of an earlier step, counted from 0"

    def step(self) -> Step:
        call = self._call()
        agent, kind = self.agent(), self.kind()
        reads, writes, scope = self.touches()
        references, lookalikes = self.references(KEYS, (ARGS,))
        reads = (*reads, *references)
        self.misspelt(COMMON_KEYS, but=ARGS)
        self.misplaced(KEYS, ARGS)
        self.second_tool(TOOL_NAME, KEYS)
        ignores = self.ignores()
        outline, alias = self.outline(None, kind, None, (reads, writes, scope), ""), self._alias()
        if alias is not None:
            outline = outline._replace(alias=alias)
        path = call.tool_path if call.tool is not None else ()
        return Step(outline, agent, path, tuple(self.faults), ignores, call, lookalikes)

    def _alias(self) -> Alias | None:
        """The call's own id, if it has one: references may name it instead of the position."""
        name = self.fields.get(ID)
        if is_plain_int(name):
            name = str(name)
        return Alias(name, (ID,)) if isinstance(name, str) and name else None

    def _call(self) -> Call:
        tool = self._tool()
        arguments = self.fields.get(ARGS)
        if arguments is not None and not isinstance(arguments, tuple):
            self.wrong_type("an object", arguments, (ARGS,), f"`{ARGS}`")
        return Call(
            tool,
            (TOOL_NAME,) if TOOL_NAME in self.fields else (),
            arguments,
            (ARGS,) if ARGS in self.fields else (),
            None,
            (),
            beside((), ((key, value) for key, value in self.fields.items() if key not in KEYS)),
        )

    def _tool(self) -> str | None:
        if TOOL_NAME not in self.fields:
            self._missing_tool()
            return None
        name = self.fields[TOOL_NAME]
        if not isinstance(name, str):
            self.wrong_type("a string", name, (TOOL_NAME,), f"`{TOOL_NAME}`")
            return None
        if not is_name(name):
            self.fault("empty_name", f"`{TOOL_NAME}` is empty: name the tool.", (TOOL_NAME,))
            return None
        return name

    def _missing_tool(self) -> None:
        if TOOL_NAME in self.unfinished:
            return
        misspelt = (key for key in self.fields if nearest(key, (TOOL_NAME,)))
        other = "tool" if "tool" in self.fields else next(misspelt, None)
        if other is None:
            message = f"This step has no `{TOOL_NAME}`, so it is not known what it calls: name the tool."
            self.fault("missing_tool_name", message, ())
        else:
            message = f"`{other}` is ignored, because a call names its tool under `{TOOL_NAME}`: rename it."
            self.fault("missing_tool_name", message, (other,), Part.KEY)


def lower_call(value: Any) -> Step:
    """One call, given as the syntax tree's value."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)
