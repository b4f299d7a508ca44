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
    FLAG = "true or false"
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
    steps_key: str | None
    """The key of the list of steps; None where the document itself is that list."""
    preds_key: str | None
    """The key under which a step lists those that it waits for."""
    keys_before_preds: tuple[str, ...]
    """The keys behind which that one is put."""
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
    "The `idx` of the earlier step whose result is read. It makes this step rest on that one: what that step read "
    "counts as read here too.",
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
    {"plan": _DECLARED_PLAN, "step": _DECLARED_STEP, "read": _READ, "write": _WRITE},
)

_VOCABULARIES: Mapping[Dialect, Vocabulary] = {Dialect.DECLARED: _DECLARED}


def vocabulary(dialect: Dialect) -> Vocabulary:
    return _VOCABULARIES.get(dialect, _DECLARED)
