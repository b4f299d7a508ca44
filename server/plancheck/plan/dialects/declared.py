"""The declared dialect: `{"nodes": [{"idx", "agent", "kind", "control_preds", "reads", "writes", "scope"}]}`."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.keys import STEP_KEYS
from plancheck.plan.dialects.lowering import Lowering, is_plain_int, not_a_step
from plancheck.plan.model import Step

_PREDS = "control_preds"


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
        preds = self.preds(_PREDS, "a list of `idx` values")
        touches = self.touches()
        self.misspelt(STEP_KEYS)
        ignores = self.ignores()
        outline = self.outline(identity, kind, preds, touches, _PREDS)
        return Step(outline, agent, ("idx",), tuple(self.faults), ignores)

    def _identity(self) -> int | None:
        if "idx" not in self.fields:
            self.missing("idx", "This step has no `idx`: give it an integer that no other step has.")
            return None
        idx = self.fields["idx"]
        if is_plain_int(idx):
            return int(idx)
        self.wrong_type("an integer", idx, ("idx",), "`idx`")
        return None


def lower_step(value: Any) -> Step:
    """One node of a declared plan, given as the syntax tree's value."""
    return _Lowering(dict(value)).step() if isinstance(value, tuple) else not_a_step(value)
