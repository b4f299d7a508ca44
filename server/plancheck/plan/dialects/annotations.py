"""The keys that a step of any dialect may carry, so that the PRE lints can work on it: agent, kind, reads, writes …"""

from __future__ import annotations

from plancheck.plan.dialects.keys import IGNORE, REASON, RULE
from plancheck.plan.dialects.vocabulary import Key, Shape, Slot
from plancheck.plan.model import Kind

KINDS = {
    Kind.DECISION.value: "The step chooses what happens next. Whatever it uses has to be fresh when it chooses.",
    Kind.TOOL_CALL.value: "The step calls a tool, which reads or changes something outside the plan.",
}

IGNORES = Key(
    "rules that are switched off here",
    "Rules that are switched off: on a step for what is found at that step, on the plan for the whole file. "
    "Each is a name, or an object with `rule` and `reason`. An entry that holds nothing back is reported as "
    "`unused_suppression`.",
    '["$1"]',
    Slot.RULE,
    "ignore",
    many=True,
    may_be_null=True,
)

ANNOTATIONS: Shape = {
    "agent": Key("who carries the step out", "Who carries the step out: any name, not empty.", '"$1"', Slot.NAME),
    "kind": Key(
        "`decision` or `tool_call`",
        "What the step does:\n\n" + "\n".join(f"- `{name}`: {text}" for name, text in KINDS.items()),
        '"${1|tool_call,decision|}"',
        Slot.CHOICE,
        choices=KINDS,
    ),
    "reads": Key(
        "resources the step looks at",
        "The resources that the step looks at: each an id, or an object with `id` and what else is known about the "
        "read (`producer`, `volatile`, `pinned`, `revalidates`).",
        "[$1]",
        Slot.RESOURCE,
        "read",
        many=True,
        may_be_null=True,
    ),
    "writes": Key(
        "resources the step changes",
        "The resources that the step changes: each an id, or an object with `id` and `creates`. A write of something "
        "that neither the step nor a step whose data it uses has read is reported (`write_with_no_prior_read`).",
        "[$1]",
        Slot.RESOURCE,
        "write",
        many=True,
        may_be_null=True,
    ),
    "scope": Key(
        "resources the step may touch",
        "The resources that the step is allowed to touch. Left out or `null`: the step declares no limit. More than "
        "the step's snapshot is reported (`scope_vs_snapshot`).",
        "[$1]",
        Slot.RESOURCE,
        many=True,
        may_be_null=True,
    ),
    IGNORE: IGNORES,
}

READ: Shape = {
    "id": Key(
        "the resource's id",
        "The resource's id: any text, the same one wherever the resource is meant.",
        '"$1"',
        Slot.RESOURCE,
        is_required=True,
    ),
    "producer": Key(
        "the step whose result is read",
        "The earlier step whose result is read, by its identity. This step then uses the data of that one: what that "
        "step read counts as read here too.",
        "$1",
        Slot.STEP,
        may_be_null=True,
    ),
    "volatile": Key(
        "the value may change by itself",
        "The value may change between this read and its use (a price, a balance). An action that uses it should be "
        "preceded by a second read of it (`missing_revalidation_barrier`).",
        "true",
        Slot.FLAG,
    ),
    "pinned": Key(
        "the value is fixed for the whole run",
        "The value that was read is kept for the whole run, so a later change cannot flip a decision. That does "
        "not make it fresh: it still has to be read again.",
        "true",
        Slot.FLAG,
    ),
    "revalidates": Key(
        "this read makes sure of the value again",
        "This read is a barrier: it makes sure of the value again, so that what comes after acts on a fresh one.",
        "true",
        Slot.FLAG,
    ),
}

_MISPLACED = "Nothing is concluded from it in an entry of `writes`: it belongs to an entry of `reads`."
WRITE: Shape = {
    **{name: key if key.is_required else key._replace(page=_MISPLACED, is_offered=False) for name, key in READ.items()},
    "creates": Key(
        "the step makes the resource",
        "The step makes the resource, so that there is nothing to read before (`write_with_no_prior_read`).",
        "true",
        Slot.FLAG,
    ),
}

IGNORED: Shape = {
    RULE: Key("the rule", "The rule that is switched off.", '"$1"', Slot.RULE, is_required=True),
    REASON: Key("why it is switched off", "Why it is switched off, for whoever reads the plan.", '"$1"', Slot.TEXT),
}

ENTRIES = {"read": READ, "write": WRITE, "ignore": IGNORED}
"""The shapes of the entries of `reads`, `writes` and `plancheck-ignore`."""
