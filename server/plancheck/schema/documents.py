"""The documents of the three plan formats."""

from __future__ import annotations

from typing import Any

from plancheck.schema.parts import AGENT, DECLARED_KEYS, IGNORE, KIND, NODE_TOUCHES

DECLARED: dict[str, Any] = {
    "title": "Declared plan",
    "description": "Steps that declare what they read and write, and after which steps they run.",
    "type": "object",
    "required": ["nodes"],
    "properties": {
        "nodes": {
            "description": "The steps, in the order in which they were planned.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["idx", "agent", "kind"],
                "properties": {
                    "idx": {
                        "description": "The step's number: an integer that no other step has. Others refer to it.",
                        "type": "integer",
                    },
                    "agent": AGENT,
                    "kind": KIND,
                    "control_preds": {
                        "description": "The earlier steps after which this one runs. Null or absent: the step before "
                        "it in the list. An empty list: it waits for nothing.",
                        "type": ["array", "null"],
                        "items": {"type": "integer", "description": "The `idx` of an earlier step."},
                    },
                    **NODE_TOUCHES,
                },
            },
        },
        "plancheck-ignore": IGNORE,
    },
}

_ARGUMENTS: dict[str, Any] = {
    "description": "The tool's arguments. A string may refer to a step's result: `{{id.result}}` or `${id.result}`.",
    "type": "object",
}

STEPS: dict[str, Any] = {
    "title": "Plan of steps",
    "description": "A goal and the tool calls that lead there, each with an id of its own.",
    "type": "object",
    "required": ["steps"],
    "properties": {
        "goal": {"description": "What the plan is for, in words.", "type": "string"},
        "context": {"description": "What the agent knew when it planned.", "type": "object"},
        "meta": {"description": "Data about the plan itself, such as its author or version.", "type": "object"},
        "steps": {
            "description": "The steps.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "tool"],
                "properties": {
                    "id": {
                        "description": "The step's name: no other step has it. Others refer to it.",
                        "type": "string",
                        "minLength": 1,
                    },
                    "tool": {"description": "The tool that is called.", "type": "string", "minLength": 1},
                    "args": _ARGUMENTS,
                    "parameters": {**_ARGUMENTS, "description": "The same as `args`."},
                    "on_fail": {
                        "description": "What happens when the step fails: the plan is aborted (default), or goes on.",
                        "enum": ["abort", "continue"],
                        "default": "abort",
                    },
                    "depends_on": {
                        "description": "The steps after which this one runs. Null or absent: the step before it in the "
                        "list. An empty list: it waits for nothing.",
                        "type": ["array", "null"],
                        "items": {"type": "string", "description": "The id of another step."},
                    },
                    **DECLARED_KEYS,
                },
            },
        },
        "plancheck-ignore": IGNORE,
    },
}

_CALL: dict[str, Any] = {
    "type": "object",
    "required": ["tool_name"],
    "properties": {
        "tool_name": {"description": "The tool that is called.", "type": "string", "minLength": 1},
        "args": {"description": "The tool's arguments.", "type": "object"},
        **DECLARED_KEYS,
    },
}

CALLS: dict[str, Any] = {
    "title": "Plan of calls",
    "description": "Tool calls in the order in which they run: a list, or an `agent.plan` event that holds one.",
    "anyOf": [
        {"type": "array", "items": _CALL},
        {
            "type": "object",
            "required": ["steps"],
            "properties": {
                "event_type": {"description": "What kind of event this is.", "const": "agent.plan"},
                "steps": {"description": "The calls.", "type": "array", "items": _CALL},
                "plancheck-ignore": IGNORE,
            },
        },
    ],
}
