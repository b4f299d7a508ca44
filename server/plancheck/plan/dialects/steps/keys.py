"""The keys of a plan of steps."""

from __future__ import annotations

from plancheck.plan.dialects.annotations import ANNOTATIONS, ENTRIES, IGNORES
from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Key, Shape, Slot, Vocabulary

STEPS = "steps"
GOAL = "goal"
CONTEXT = "context"
ID = "id"
TOOL = "tool"
ON_FAIL = "on_fail"
DEPENDS_ON = "depends_on"
ARGUMENTS = ("args", "parameters")
OUTCOMES = {
    "abort": "When the step fails, the plan ends. This is the default.",
    "continue": "When the step fails, the plan goes on as if it had not.",
}
OTHER_ORDERS = ("control_preds", "needs", "after", "requires", "dependencies", "predecessors")
"""Keys under which authors give the order that belongs under `depends_on`."""
FOREIGN = (("tool_name", TOOL), ("control_preds", DEPENDS_ON))

_ARGUMENTS_PAGE = (
    "What the tool is called with. A string may refer to what an earlier step returned: `{{id.result}}` or "
    "`${id.result}`, with a path behind it where only a part is wanted."
)
_PLAN: Shape = {
    GOAL: Key("what the plan is for", "What the plan is for, in a sentence.", '"$1"', Slot.TEXT),
    STEPS: Key(
        "the plan's steps, in order",
        "The steps of the plan, in order.",
        "[\n\t$1\n]",
        shape=STEP,
        many=True,
        is_required=True,
    ),
    CONTEXT: Key(
        "what is known beforehand",
        "What is known before the plan runs: an object.",
        "{$1}",
        Slot.OBJECT,
        may_be_null=True,
    ),
    "meta": Key(
        "notes about the plan",
        "Notes about the plan that nothing depends on: an object.",
        "{$1}",
        Slot.OBJECT,
        may_be_null=True,
    ),
    IGNORE: IGNORES,
}
_STEP: Shape = {
    ID: Key(
        "the step's identity",
        "The step's identity: a name that no other step has. `depends_on` and references in arguments use it.",
        '"$1"',
        Slot.IDENTITY,
        is_required=True,
    ),
    TOOL: Key("the tool that is called", "The tool that the step calls.", '"$1"', Slot.NAME, is_required=True),
    "args": Key("what the tool is called with", _ARGUMENTS_PAGE, "{$1}", Slot.ARGUMENTS, may_be_null=True),
    "parameters": Key(
        "the same as `args`", "Another name of `args`. " + _ARGUMENTS_PAGE, "{$1}", Slot.ARGUMENTS, may_be_null=True
    ),
    DEPENDS_ON: Key(
        "steps that must have run before",
        "The `id` of every step that must have run before this one.\n\n"
        "- left out or `null`: the step before this one in the list (the linear default)\n"
        "- `[]`: the step waits for nothing, it is a root",
        '["$1"]',
        Slot.STEP,
        many=True,
        may_be_null=True,
    ),
    ON_FAIL: Key(
        "`abort` or `continue`",
        "What happens when the step fails:\n\n" + "\n".join(f"- `{name}`: {text}" for name, text in OUTCOMES.items()),
        '"${1|abort,continue|}"',
        Slot.CHOICE,
        may_be_null=True,
        choices=OUTCOMES,
        has_default=True,
    ),
    **ANNOTATIONS,
}
PLAN_KEYS = tuple(_PLAN)
STEP_KEYS = tuple(_STEP)
VOCABULARY = Vocabulary({PLAN: _PLAN, STEP: _STEP, **ENTRIES})
