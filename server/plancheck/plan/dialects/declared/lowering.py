"""From a node of a declared plan to a step."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.declared.keys import CONTROL_PREDS, IDX, OTHER_ORDERS, STEP_KEYS
from plancheck.plan.dialects.lowering import Lowering, is_plain_int, not_a_step
from plancheck.plan.model import Step


class _Lowering(Lowering):
    """One node on its way to a step."""

    def step(self) -> Step:
        identity = self._identity()
        if "agent" not in self.fields:
            self.missing("agent", "This step has no `agent`: name who carries it out.")
        agent = self.agent()
        if "kind" not in self.fields:
            self.missing("kind", "This step has no `kind`: it is a `decision` or a `tool_call`.")
        kind = self.kind()
        preds = self.preds(CONTROL_PREDS, "a list of `idx` values")
        touches = self.touches()
        self.misnamed_order(CONTROL_PREDS, OTHER_ORDERS)
        self.misspelt(STEP_KEYS, order=CONTROL_PREDS)
        ignores = self.ignores()
        outline = self.outline(identity, kind, preds, touches, CONTROL_PREDS)
        return Step(outline, agent, (IDX,), tuple(self.faults), ignores)

    def _identity(self) -> int | None:
        if IDX not in self.fields:
            self.missing(IDX, "This step has no `idx`: give it an integer that no other step has.")
            return None
        idx = self.fields[IDX]
        if is_plain_int(idx):
            return int(idx)
        self.wrong_type("an integer", idx, (IDX,), "`idx`")
        return None


def lower_node(value: Any) -> Step:
    """One node of a declared plan, given as the syntax tree's value."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)
