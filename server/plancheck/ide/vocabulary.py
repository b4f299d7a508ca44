"""The keys of every dialect: what each means, and what may stand behind it.

Hover shows the texts, completion also uses the shapes. What a *place* is for (a step's identity, a resource, …) is
told by its key here, so nothing else in this layer knows how a dialect spells things.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.model import Dialect, Kind
from plancheck.syntax.tree import Path


class Slot(Enum):
    """What a scalar is for."""

    IDENTITY = "the step's own identity"
    STEP = "an earlier step"
    RESOURCE = "a resource"
    RULE = "a rule"
    KIND = "a kind of step"
    ON_FAIL = "what happens when the step fails"
    FLAG = "true or false"
    ARGUMENTS = "anything, with references to other steps inside"
    TEXT = "any text"


class Key(NamedTuple):
    """A key of an object. Its value is a scalar for `slot`, an object of `shape`, or either; with `many`, a list."""

    summary: str
    page: str
    snippet: str
    """The value to insert, as an editor's snippet."""
    slot: Slot | None = None
    shape: str | None = None
    many: bool = False


Shape = Mapping[str, Key]


class Expected(NamedTuple):
    """What may stand at a place: a scalar, an object of a shape, or a list (of `Expected` with `many` off)."""

    slot: Slot | None = None
    shape: str | None = None
    many: bool = False


class Vocabulary(NamedTuple):
    steps_key: str
    """The key of the list of steps, where the document itself is not that list."""
    preds_key: str | None
    """The key under which a step lists those that it waits for."""
    keys_before_preds: tuple[str, ...]
    """The keys behind which that one is put."""
    may_name_later: bool
    """Whether a step may wait for one that comes later in the list."""
    shapes: Mapping[str, Shape]
    """By name; "plan" is the document's object and "step" a step's."""

    def expected(self, in_step: bool, path: Path) -> Expected | None:
        """What may stand at a path from a step, or from the document's root."""
        found = Expected(shape="step" if in_step else "plan")
        for name in path:
            if isinstance(name, int):
                if not found.many:
                    return None
                found = found._replace(many=False)
            else:
                key = self.shapes.get(found.shape or "", {}).get(str(name)) if not found.many else None
                if key is None:
                    return None
                found = Expected(key.slot, key.shape, key.many)
            if found.slot is Slot.ARGUMENTS:
                return found
        return found

    def key(self, in_step: bool, path: Path) -> Key | None:
        """The key that a path ends with."""
        if not path or not isinstance(path[-1], str):
            return None
        around = self.expected(in_step, path[:-1])
        if around is None or around.many or around.shape is None:
            return None
        return self.shapes[around.shape].get(path[-1])


KINDS: Mapping[str, str] = {
    Kind.DECISION.value: "The step chooses what happens next. Whatever it rests on has to be fresh when it chooses.",
    Kind.TOOL_CALL.value: "The step calls a tool, which reads or changes something outside the plan.",
}

ON_FAIL: Mapping[str, str] = {
    "abort": "When the step fails, the plan ends. This is the default.",
    "continue": "When the step fails, the plan goes on as if it had not.",
}
CHOICES: Mapping[Slot, Mapping[str, str]] = {Slot.KIND: KINDS, Slot.ON_FAIL: ON_FAIL}
"""The words that a place has to choose from, with what they mean."""

_IGNORE = Key(
    "rules that are switched off here",
    "Rules that are switched off: on a step for what is found at that step, on the plan for the whole file. "
    "An entry that holds nothing back is reported as `unused_suppression`.",
    '["$1"]',
    Slot.RULE,
    many=True,
)

_DECLARED_PLAN: Shape = {
    "nodes": Key(
        "the plan's steps, in order",
        "The steps of the plan, in the order in which they were declared. “Prior” always means earlier in this list.",
        "[\n\t$1\n]",
        shape="step",
        many=True,
    ),
    IGNORE: _IGNORE,
}

_DECLARED_STEP: Shape = {
    "idx": Key(
        "the step's identity",
        "The step's identity: an integer that no other step has. `control_preds` and `producer` refer to it. "
        "It says nothing about the order: that is the order of the list.",
        "$1",
        Slot.IDENTITY,
    ),
    "agent": Key("who carries the step out", "Who carries the step out: any name, not empty.", '"$1"', Slot.TEXT),
    "kind": Key(
        "`decision` or `tool_call`",
        "What the step does:\n\n" + "\n".join(f"- `{name}`: {text}" for name, text in KINDS.items()),
        '"${1|tool_call,decision|}"',
        Slot.KIND,
    ),
    "control_preds": Key(
        "steps that must have run before",
        "The `idx` of every step that must have run before this one; each must be earlier in the list.\n\n"
        "- left out or `null`: the step before this one in the list (the linear default)\n"
        "- `[]`: the step waits for nothing, it is a root",
        "[$1]",
        Slot.STEP,
        many=True,
    ),
    "reads": Key(
        "resources the step looks at",
        "The resources that the step looks at: each an id, or an object with `id` and what else is known about the "
        "read (`producer`, `volatile`, `pinned`, `revalidates`).",
        "[$1]",
        Slot.RESOURCE,
        "read",
        many=True,
    ),
    "writes": Key(
        "resources the step changes",
        "The resources that the step changes: each an id, or an object with an `id`. A write of something that "
        "neither the step nor what it rests on has read is reported (`write_with_no_prior_read`).",
        "[$1]",
        Slot.RESOURCE,
        "write",
        many=True,
    ),
    "scope": Key(
        "resources the step may touch",
        "The resources that the step is allowed to touch. Left out or `null`: nothing is said. More than the step's "
        "snapshot is reported (`scope_vs_snapshot`).",
        "[$1]",
        Slot.RESOURCE,
        many=True,
    ),
    IGNORE: _IGNORE,
}

_ID = Key(
    "the resource's id",
    "The resource's id: any text, the same one wherever the resource is meant.",
    '"$1"',
    Slot.RESOURCE,
)
_PRODUCER = Key(
    "the step whose result is read",
    "The earlier step whose result is read, by its identity. It makes this step rest on that one: what that step "
    "read counts as read here too.",
    "$1",
    Slot.STEP,
)
_READ: Shape = {
    "id": _ID,
    "producer": _PRODUCER,
    "volatile": Key(
        "the value may change by itself",
        "The value may change between this read and its use (a price, a balance). An action that rests on it wants a "
        "re-read in between (`missing_revalidation_barrier`).",
        "true",
        Slot.FLAG,
    ),
    "pinned": Key(
        "the value is fixed for the whole run",
        "The value that was read is kept for the whole run, so a later change cannot flip a decision. It is not "
        "fresh for that: a re-read is wanted all the same.",
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
_WRITE: Shape = {"id": _ID}

_DECLARED = Vocabulary(
    "nodes",
    "control_preds",
    ("idx", "agent", "kind"),
    False,
    {"plan": _DECLARED_PLAN, "step": _DECLARED_STEP, "read": _READ, "write": _WRITE},
)

_SHARED = {name: _DECLARED_STEP[name] for name in ("agent", "kind", "reads", "writes", "scope", IGNORE)}
_ARGUMENTS_PAGE = (
    "What the tool is called with. A string may refer to what an earlier step returned: `{{id.result}}` or "
    "`${id.result}`, with a path behind it where only a part is wanted."
)
_STEPS_PLAN: Shape = {
    "goal": Key("what the plan is for", "What the plan is for, in a sentence.", '"$1"', Slot.TEXT),
    "steps": Key(
        "the plan's steps, in order", "The steps of the plan, in order.", "[\n\t$1\n]", shape="step", many=True
    ),
    "context": Key("what is known beforehand", "What is known before the plan runs: an object.", "{$1}"),
    "meta": Key("notes about the plan", "Notes about the plan that nothing depends on: an object.", "{$1}"),
    IGNORE: _IGNORE,
}
_TOOL_STEP: Shape = {
    "id": Key(
        "the step's identity",
        "The step's identity: a name that no other step has. `depends_on` and references in arguments use it.",
        '"$1"',
        Slot.IDENTITY,
    ),
    "tool": Key("the tool that is called", "The tool that the step calls.", '"$1"', Slot.TEXT),
    "args": Key("what the tool is called with", _ARGUMENTS_PAGE, "{$1}", Slot.ARGUMENTS),
    "parameters": Key("the same as `args`", "Another name of `args`. " + _ARGUMENTS_PAGE, "{$1}", Slot.ARGUMENTS),
    "on_fail": Key(
        "`abort` or `continue`",
        "What happens when the step fails:\n\n" + "\n".join(f"- `{name}`: {text}" for name, text in ON_FAIL.items()),
        '"${1|abort,continue|}"',
        Slot.ON_FAIL,
    ),
    "depends_on": Key(
        "steps that must have run before",
        "The `id` of every step that must have run before this one.\n\n"
        "- left out or `null`: the step before this one in the list (the linear default)\n"
        "- `[]`: the step waits for nothing, it is a root",
        '["$1"]',
        Slot.STEP,
        many=True,
    ),
    **_SHARED,
}
_STEPS = Vocabulary(
    "steps",
    "depends_on",
    ("id", "tool", "args", "parameters"),
    True,
    {"plan": _STEPS_PLAN, "step": _TOOL_STEP, "read": _READ, "write": _WRITE},
)

_CALLS_PLAN: Shape = {
    "event_type": Key("`agent.plan`", "Says that this is a plan: always `agent.plan`.", '"agent.plan"'),
    "steps": Key("the calls, in order", "The tool calls of the plan, in order.", "[\n\t$1\n]", shape="step", many=True),
    IGNORE: _IGNORE,
}
_CALL: Shape = {
    "tool_name": Key("the tool that is called", "The tool that is called.", '"$1"', Slot.TEXT),
    "args": Key("what the tool is called with", "What the tool is called with: an object.", "{$1}"),
    **_SHARED,
}
_CALLS = Vocabulary("steps", None, (), False, {"plan": _CALLS_PLAN, "step": _CALL, "read": _READ, "write": _WRITE})

_VOCABULARIES: Mapping[Dialect, Vocabulary] = {
    Dialect.DECLARED: _DECLARED,
    Dialect.STEPS: _STEPS,
    Dialect.CALLS: _CALLS,
}


UNDECIDED = _DECLARED._replace(shapes={**_DECLARED.shapes, "plan": {"nodes": _DECLARED_PLAN["nodes"], **_STEPS_PLAN}})
"""For a document that could still become a plan of any dialect."""


def vocabulary(dialect: Dialect) -> Vocabulary:
    return _VOCABULARIES[dialect]
