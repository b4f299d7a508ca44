"""The keys of a plan of calls."""

from __future__ import annotations

from plancheck.plan.dialects.annotations import ANNOTATIONS, ENTRIES, IGNORES
from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Key, Shape, Slot, Vocabulary

STEPS = "steps"
EVENT_TYPE = "event_type"
AGENT_PLAN = "agent.plan"
TOOL_NAME = "tool_name"
ARGS = "args"
ID = "id"
"""Where a call may have a name of its own for references. It is not a key of a call: for all that is known, a lenient
runner takes it for an argument."""
CONTEXT = "context"
FOREIGN = (("tool", TOOL_NAME),)

_PLAN: Shape = {
    EVENT_TYPE: Key(
        "`agent.plan`",
        "Says that this is a plan: always `agent.plan`.",
        '"agent.plan"',
        Slot.CHOICE,
        choices={AGENT_PLAN: "The event is the plan of an agent."},
    ),
    STEPS: Key(
        "the calls, in order",
        "The tool calls of the plan, in order.",
        "[\n\t$1\n]",
        shape=STEP,
        many=True,
        is_required=True,
    ),
    IGNORE: IGNORES,
}
_STEP: Shape = {
    TOOL_NAME: Key("the tool that is called", "The tool that is called.", '"$1"', Slot.NAME, is_required=True),
    ARGS: Key(
        "what the tool is called with",
        "What the tool is called with: an object. A string may refer to what an earlier call returned, by its position "
        "counted from 0 or by its `id`: `{{0.result}}` or `${0.result}`, with a path behind it where only a part is "
        "wanted.",
        "{$1}",
        Slot.ARGUMENTS,
        may_be_null=True,
    ),
    **ANNOTATIONS,
}
KEYS = tuple(_STEP)
COMMON_KEYS = tuple(key for key in _STEP if key != TOOL_NAME)
"""Of a misspelt `tool_name` there is more to say than that it is misspelt."""
VOCABULARY = Vocabulary({PLAN: _PLAN, STEP: _STEP, **ENTRIES})
