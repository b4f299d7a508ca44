"""Two dialects that live here only: what stands in this file is all that plancheck is told about them.

`tasks` has its steps as members of an object, `talk` has them scattered over messages, any number in each.
"""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.annotations import ANNOTATIONS, ENTRIES, IGNORES
from plancheck.plan.dialects.dialect import Dialect, Identities, LoweredSteps, Match, Site, Snippet, under
from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.dialects.lowering import Lowering, not_a_step
from plancheck.plan.dialects.table import DIALECTS
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Key, Shape, Slot, Vocabulary
from plancheck.plan.model import Call, Pred, Step
from plancheck.syntax.tree import MISSING, Tree

# ---- {"tasks": {"fetch": {"uses": "http.get", "needs": ["x"]}}} ------------------------------------------------------

_TASK: Shape = {
    "uses": Key("the tool", "The tool that the task uses.", '"$1"', Slot.NAME, is_required=True),
    "needs": Key("tasks to wait for", "The tasks that must be done before.", '["$1"]', Slot.STEP, many=True),
    **ANNOTATIONS,
}
_TASKS: Shape = {
    "tasks": Key("the tasks", "The tasks, by name.", "{$1}", shape=STEP, named=True, is_required=True),
    IGNORE: IGNORES,
}


class _Task(Lowering):
    names_step = "the name of a task"

    def is_identity(self, value: Any) -> bool:
        return isinstance(value, str) and bool(value)

    def lower(self, name: str) -> Step:
        call = _call(self, "uses")
        preds: tuple[Pred, ...] = self.preds("needs", "a list of names") or ()
        touches = self.touches()
        self.misspelt(tuple(_TASK))
        outline = self.outline(name, self.kind(), preds, touches, "needs")
        return Step(outline, self.agent(), (), tuple(self.faults), self.ignores(), call)


def _call(step: Lowering, key: str) -> Call:
    tool = step.fields.get(key)
    if key not in step.fields:
        step.missing(key, f"This step has no `{key}`: name the tool.")
    elif not isinstance(tool, str):
        step.wrong_type("a string", tool, (key,), f"`{key}`")
    name = tool if isinstance(tool, str) and tool else None
    arguments = step.fields.get("with")
    return Call(name, (key,) if key in step.fields else (), arguments, ("with",) if arguments else (), None, ())


def _lower_tasks(value: Any) -> LoweredSteps:
    return tuple(
        ((name,), _Task(dict(task)).lower(name) if isinstance(task, tuple) else not_a_step(task))
        for name, task in dict(value).items()
    )


def _has(key: str, tree: Tree) -> Match:
    return Match.CERTAIN if tree.top(key) is not None else Match.NONE


TASKS = Dialect(
    name="tasks",
    title="Tasks",
    summary="Tasks by name.",
    expected='A plan of tasks is expected: an object with tasks under "tasks".',
    detect=lambda tree: _has("tasks", tree),
    find=under("tasks"),
    steps_key="tasks",
    site=Site.MEMBERS,
    lower_chunk=_lower_tasks,
    vocabulary=Vocabulary({PLAN: _TASKS, STEP: _TASK, **ENTRIES}),
    identities=Identities.KEY,
    preds_key="needs",
    tool_key="uses",
    snippets=(Snippet("task", "uses a tool", (("uses", '"$1"'),)),),
    starter='{"tasks": {"${1:name}": {"uses": "$2"}}}\n',
    any_order=True,
    linear_default=False,
)

# ---- {"turns": [{"calls": [{"do": "crm.find"}]}, {"text": "…"}]} --------------------------------------------------

_DO: Shape = {
    "do": Key("the tool", "The tool that is called.", '"$1"', Slot.NAME, is_required=True),
    "with": Key("the arguments", "What the tool is called with.", "{$1}", Slot.OBJECT),
    **ANNOTATIONS,
}
_MESSAGE: Shape = {
    "text": Key("what is said", "What is said.", '"$1"', Slot.TEXT),
    "calls": Key("tool calls", "The tools that are called.", "[$1]", shape=STEP, many=True),
}
_TALK: Shape = {
    "turns": Key("the messages", "The messages.", "[$1]", shape="message", many=True, is_required=True),
    IGNORE: IGNORES,
}


class _Do(Lowering):
    names_step = "the position of an earlier call"

    def lower(self) -> Step:
        call = _call(self, "do")
        touches = self.touches()
        self.misspelt(tuple(_DO))
        outline = self.outline(None, self.kind(), None, touches, "")
        path = call.tool_path if call.tool is not None else ()
        return Step(outline, self.agent(), path, tuple(self.faults), self.ignores(), call)


def _lower_message(value: Any) -> LoweredSteps:
    calls = dict(value).get("calls") if isinstance(value, tuple) else None
    if not isinstance(calls, list):
        return ()
    return tuple(
        (("calls", number), _Do(dict(call)).lower() if isinstance(call, tuple) else not_a_step(call))
        for number, call in enumerate(calls)
        if call is not MISSING
    )


TALK = Dialect(
    name="talk",
    title="Talk",
    summary="Messages, some of which call tools.",
    expected='A talk is expected: an object with messages under "turns".',
    detect=lambda tree: _has("turns", tree),
    find=under("turns"),
    steps_key="turns",
    site=Site.SCATTERED,
    lower_chunk=_lower_message,
    vocabulary=Vocabulary({PLAN: _TALK, STEP: _DO, "message": _MESSAGE, **ENTRIES}),
    identities=Identities.POSITION,
    tool_key="do",
    snippets=(Snippet("call", "calls a tool", (("do", '"$1"'), ("with", "{$2}"))),),
    starter='{"turns": [{"calls": [{"do": "$1"}]}]}\n',
)

WITH_TOYS = (*DIALECTS, TASKS, TALK)
