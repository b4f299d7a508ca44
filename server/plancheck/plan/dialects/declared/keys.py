"""The keys of a declared plan."""

from __future__ import annotations

from plancheck.plan.dialects.annotations import ANNOTATIONS, ENTRIES, IGNORES
from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Key, Shape, Slot, Vocabulary

NODES = "nodes"
IDX = "idx"
CONTROL_PREDS = "control_preds"
OTHER_ORDERS = ("depends_on", "predecessors", "needs", "after", "requires", "dependencies")
"""Keys under which authors give the order that belongs under `control_preds`."""

_PLAN: Shape = {
    NODES: Key(
        "the plan's steps, in order",
        "The steps of the plan, in the order in which they were declared. “Prior” always means earlier in this list.",
        "[\n\t$1\n]",
        shape=STEP,
        many=True,
        is_required=True,
    ),
    IGNORE: IGNORES,
}
_REQUIRED = {name: ANNOTATIONS[name]._replace(is_required=True) for name in ("agent", "kind")}
_STEP: Shape = {
    IDX: Key(
        "the step's identity",
        "The step's identity: an integer that no other step has. `control_preds` and `producer` refer to it. "
        "It says nothing about the order: that is the order of the list.",
        "$1",
        Slot.IDENTITY,
        is_required=True,
    ),
    **_REQUIRED,
    CONTROL_PREDS: Key(
        "steps that must have run before",
        "The `idx` of every step that must have run before this one; each must be earlier in the list.\n\n"
        "- left out or `null`: the step before this one in the list (the linear default)\n"
        "- `[]`: the step waits for nothing, it is a root",
        "[$1]",
        Slot.STEP,
        many=True,
        may_be_null=True,
    ),
    **{name: key for name, key in ANNOTATIONS.items() if name not in _REQUIRED},
}
STEP_KEYS = tuple(_STEP)
VOCABULARY = Vocabulary({PLAN: _PLAN, STEP: _STEP, **ENTRIES})
