"""From a step of a plan of steps to the model; see `references` for what it takes from other steps."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.lowering import Lowering, is_name, not_a_step
from plancheck.plan.dialects.steps.keys import (
    ARGUMENTS,
    DEPENDS_ON,
    ID,
    ON_FAIL,
    OTHER_ORDERS,
    OUTCOMES,
    STEP_KEYS,
    TOOL,
)
from plancheck.plan.model import Call, Fault, Step, beside
from plancheck.syntax.tree import Part


class _Lowering(Lowering):
    names_step = "the `id` of a step"

    def is_identity(self, value: Any) -> bool:
        return isinstance(value, str) and bool(value)

    def step(self) -> Step:
        identity = self._name(ID, "This step has no `id`: give it a name that no other step has.")
        call = self._call()
        preds = self.preds(DEPENDS_ON, "a list of step ids")
        agent, kind = self.agent(), self.kind()
        reads, writes, scope = self.touches()
        references, lookalikes = self.references(STEP_KEYS, ARGUMENTS)
        reads = (*reads, *references)
        self.misnamed_order(DEPENDS_ON, OTHER_ORDERS)
        self.misspelt(STEP_KEYS, but=ARGUMENTS[0], order=DEPENDS_ON)
        self.misplaced(STEP_KEYS, ARGUMENTS[0])
        self.second_tool(TOOL, STEP_KEYS)
        ignores = self.ignores()
        outline = self.outline(identity, kind, preds, (reads, writes, scope), DEPENDS_ON)
        path = (ID,) if ID in self.fields else ()
        return Step(outline, agent, path, tuple(self.faults), ignores, call, lookalikes)

    def _name(self, key: str, absent: str) -> str | None:
        if key not in self.fields:
            self.missing(key, absent)
            return None
        name = self.fields[key]
        if not isinstance(name, str):
            self.wrong_type("a string", name, (key,), f"`{key}`")
            return None
        if not is_name(name):
            what = "name the step" if key == ID else "name the tool"
            self.fault("empty_name", f"`{key}` is empty: {what}.", (key,))
            return None
        return name

    def _tool(self) -> str | None:
        if TOOL not in self.fields and "tool_name" in self.fields:
            message = "`tool_name` is ignored, because a step with an id names its tool under `tool`: rename it."
            self.fault("missing_key", message, ("tool_name",), Part.KEY)
            return None
        return self._name(TOOL, "This step has no `tool`: name the tool that it calls.")

    def _call(self) -> Call:
        tool = self._tool()
        present = [key for key in ARGUMENTS if key in self.fields]
        if len(present) == len(ARGUMENTS):
            message = "`parameters` means the same as `args` and is ignored here: keep one of the two."
            self.faults.append(Fault("duplicate_key", message, ("parameters",), Part.KEY, is_of_plan=True))
        arguments = self.fields[present[0]] if present else None
        for key in present:
            if self.fields[key] is not None and not isinstance(self.fields[key], tuple):
                self.wrong_type("an object", self.fields[key], (key,), f"`{key}`")
        on_fail = self._on_fail()
        return Call(
            tool,
            (TOOL,) if TOOL in self.fields else (),
            arguments,
            (present[0],) if present else (),
            on_fail,
            (ON_FAIL,) if ON_FAIL in self.fields else (),
            beside((), ((key, value) for key, value in self.fields.items() if key not in STEP_KEYS)),
        )

    def _on_fail(self) -> str | None:
        on_fail = self.fields.get(ON_FAIL)
        if on_fail is None or on_fail in tuple(OUTCOMES):
            return on_fail
        if isinstance(on_fail, str):
            self.fault("wrong_type", f"`on_fail` must be `abort` or `continue`, not `{on_fail}`.", (ON_FAIL,))
            return on_fail
        self.wrong_type("`abort` or `continue`", on_fail, (ON_FAIL,), "`on_fail`")
        return None


def lower_tool_step(value: Any) -> Step:
    """One step of a steps plan, given as the syntax tree's value."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)
