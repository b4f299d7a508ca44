"""The steps dialect: `{"goal", "steps": [{"id", "tool", "args", "on_fail", "depends_on"}], "context", "meta"}`.

What a step takes from another one is written as a reference inside a string; see `references`. The keys of a declared
step (agent, kind, reads, writes, scope) mean here what they mean there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.plan.dialects.keys import TOOL_STEP_KEYS
from plancheck.plan.dialects.lowering import Lowering, not_a_step
from plancheck.plan.dialects.references import reads_in
from plancheck.plan.model import Call, Read, Step
from plancheck.syntax.tree import Part

_PREDS = "depends_on"
_ARGUMENTS = ("args", "parameters")
ON_FAIL = ("abort", "continue")


class _Lowering(Lowering):
    names_step = "the `id` of a step"

    def is_identity(self, value: Any) -> bool:
        return isinstance(value, str) and bool(value)

    def step(self) -> Step:
        identity = self._name("id", "This step has no `id`: give it a name that no other step has.")
        call = self._call()
        preds = self.preds(_PREDS, "a list of step ids")
        agent, kind = self.agent(), self.kind()
        reads, writes, scope = self.touches()
        reads = (*reads, *self._references())
        self.misspelt(TOOL_STEP_KEYS)
        if "control_preds" in self.fields and _PREDS not in self.fields:
            message = f"`control_preds` is ignored in a plan of this format: list the steps under `{_PREDS}`."
            self.fault("unknown_key", message, ("control_preds",), Part.KEY)
            self.unknown.add(_PREDS)
        ignores = self.ignores()
        outline = self.outline(identity, kind, preds, (reads, writes, scope), _PREDS)
        return Step(outline, agent, ("id",) if "id" in self.fields else (), tuple(self.faults), ignores, call)

    def _name(self, key: str, absent: str) -> str | None:
        if key not in self.fields:
            self.missing(key, absent)
            return None
        name = self.fields[key]
        if not isinstance(name, str):
            self.wrong_type("a string", name, (key,), f"`{key}`")
            return None
        if not name:
            what = "name the step" if key == "id" else "name the tool"
            self.fault("empty_name", f"`{key}` is empty: {what}.", (key,))
        return name or None

    def _tool(self) -> str | None:
        if "tool" not in self.fields and "tool_name" in self.fields:
            message = "A step of a plan with ids names its tool under `tool`: rename `tool_name`."
            self.fault("missing_key", message, ("tool_name",), Part.KEY)
            return None
        return self._name("tool", "This step has no `tool`: name the tool that it calls.")

    def _call(self) -> Call:
        tool = self._tool()
        present = [key for key in _ARGUMENTS if key in self.fields]
        if len(present) == len(_ARGUMENTS):
            message = "`parameters` means the same as `args` and is ignored here: keep one of the two."
            self.fault("duplicate_key", message, ("parameters",), Part.KEY)
        arguments = self.fields[present[0]] if present else None
        for key in present:
            if self.fields[key] is not None and not isinstance(self.fields[key], tuple):
                self.wrong_type("an object", self.fields[key], (key,), f"`{key}`")
        on_fail = self._on_fail()
        return Call(
            tool,
            ("tool",) if "tool" in self.fields else (),
            arguments,
            (present[0],) if present else (),
            on_fail,
            ("on_fail",) if "on_fail" in self.fields else (),
        )

    def _on_fail(self) -> str | None:
        on_fail = self.fields.get("on_fail")
        if on_fail is None or on_fail in ON_FAIL:
            return on_fail
        if isinstance(on_fail, str):
            self.fault("wrong_type", f"`on_fail` must be `abort` or `continue`, not `{on_fail}`.", ("on_fail",))
            return on_fail
        self.wrong_type("`abort` or `continue`", on_fail, ("on_fail",), "`on_fail`")
        return None

    def _references(self) -> Iterator[Read]:
        for key, value in self.fields.items():
            if key in _ARGUMENTS or key not in TOOL_STEP_KEYS:
                yield from reads_in(value, (key,))


def lower_tool_step(value: Any) -> Step:
    """One step of a steps plan, given as the syntax tree's value."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)
