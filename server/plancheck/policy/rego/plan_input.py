"""The document that a Rego policy sees: the same for every dialect whose steps name tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plancheck.plan.model import Place, Plan, Step
from plancheck.syntax.tree import MISSING, Chunk, Path, Tree
from plancheck.syntax.values import depth_of, to_plain
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

EVENT_TYPE = "agent.plan"
DEEPEST = 100
_LARGEST = 10**1000

TOOL_NAME = "tool_name"
ARGS = "args"


NO_STEPS: Mapping[str, Any] = {"event_type": EVENT_TYPE, "steps": [], "context": {}}
"""What a policy sees of an empty plan."""


class PlanInput(NamedTuple):
    """What is handed to the engine, and the steps that it was made from."""

    document: dict[str, Any]
    steps: tuple[Step, ...]

    def place(self, step: int, path: Path) -> Place:
        """Where in the plan something stands that has a path inside a step of the document."""
        call = self.steps[step].call
        if not path or call is None:
            return Place(step, path)
        if path[0] == TOOL_NAME:
            return Place(step, call.tool_path)
        return Place(step, (*call.arguments_path, *path[1:])) if path[0] == ARGS else Place(step, path)

    def step_named(self, name: Any) -> int | None:
        """The position of the step that a policy means by a position or by an identity."""
        if isinstance(name, bool):
            return None
        for position, step in enumerate(self.steps):
            if isinstance(name, str) and step.outline.identity == name:
                return position
        is_position = isinstance(name, (int, float)) and name == int(name) and 0 <= name < len(self.steps)
        return int(name) if is_position else None


class PlanQuestion(NamedTuple):
    """A plan that a policy is asked about. What the policy sees of it is made by whoever answers, for it takes time."""

    plan: Plan
    context: Any = None
    """The document's member of that name, as the syntax tree has it."""
    given: Any = None
    """The context that the caller gives in its place, as plain values."""

    def as_input(self) -> PlanInput | Unknown:
        found = plan_input(self.plan, self.context)
        if self.given is None or isinstance(found, Unknown):
            return found
        return found._replace(document={**found.document, "context": self.given})


def plan_input(plan: Plan, context: Any = None) -> PlanInput | Unknown:
    """What a policy sees of a plan; `context` is the document's member of that name, as the syntax tree has it."""
    if plan.dialect.tool_key is None:
        message = "This plan names no tools, so Rego policies cannot judge it: submit the calls that it makes."
        return Unknown(Reason.FAILURE, message)
    if any(depth_of(value) > DEEPEST for value in (context, *(step.value for step in plan.steps))):
        message = f"Rego policies only judge plans that are nested at most {DEEPEST} levels deep: flatten this one."
        return Unknown(Reason.LIMIT, message)
    steps = [_step(step) for step in plan.steps]
    given = {} if context is None else _clean(to_plain(context))
    return PlanInput({"event_type": EVENT_TYPE, "steps": steps, "context": given}, tuple(plan.steps))


def context_of(tree: Tree) -> Any:
    """The document's `context`, for `plan_input`; None where there is none."""
    top = tree.top("context")
    if top is None:
        return None
    return top.value.value if isinstance(top.value, Chunk) else [chunk.value for chunk in top.value.chunks]


def _step(step: Step) -> dict[str, Any]:
    own = to_plain(step.value) if isinstance(step.value, tuple) else {}
    call = step.call
    members = {key: value for key, value in own.items() if key not in (TOOL_NAME, ARGS)}
    if call is not None and call.tool is not None:
        members = {TOOL_NAME: call.tool, **members}
    elif TOOL_NAME in own:
        members[TOOL_NAME] = own[TOOL_NAME]
    arguments = None if call is None else to_plain(call.arguments)
    members[ARGS] = {} if arguments is None or arguments is MISSING else arguments
    cleaned: dict[str, Any] = _clean(members)
    return cleaned


def _clean(value: Any) -> Any:
    """The value without what JSON has no words for: members without a value, half characters, infinite numbers."""
    if isinstance(value, dict):
        return {_text(key): _clean(child) for key, child in value.items() if child is not MISSING}
    if isinstance(value, list):
        return [_clean(child) for child in value if child is not MISSING]
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float)) and not -_LARGEST < value < _LARGEST:
        return _LARGEST if value > 0 else -_LARGEST
    return value


def _text(value: str) -> str:
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
