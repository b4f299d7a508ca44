"""The parts that all plan formats share."""

from __future__ import annotations

from typing import Any

IGNORE: dict[str, Any] = {
    "description": "Rules of plancheck that say nothing here. One that would have said nothing anyway is reported.",
    "type": "array",
    "items": {"type": "string", "description": "The name of a rule; `plancheck rules` lists them."},
}

FLAGS: dict[str, Any] = {
    "volatile": {
        "description": "The value may change at any moment: a price, a balance, a status.",
        "type": "boolean",
        "default": False,
    },
    "pinned": {
        "description": "The value is frozen for this plan: every step that rests on it sees the same one.",
        "type": "boolean",
        "default": False,
    },
    "revalidates": {
        "description": "This is a re-read: from here on the value is fresh again.",
        "type": "boolean",
        "default": False,
    },
}

RESOURCE_ID: dict[str, Any] = {
    "description": "The resource's id, such as `orders/4711` or `ledger.entry`; any text that names it.",
    "type": "string",
    "minLength": 1,
}


def _reference(producer: dict[str, Any]) -> dict[str, Any]:
    properties = {"id": RESOURCE_ID, "producer": producer, **FLAGS}
    return {"anyOf": [RESOURCE_ID, {"type": "object", "required": ["id"], "properties": properties}]}


_BY_IDX = {
    "description": "The `idx` of the earlier step whose result is read. It makes the data dependency.",
    "type": ["integer", "null"],
}
_BY_NAME = {
    "description": "The step whose result is read: its id, or its position. It makes the data dependency.",
    "type": ["string", "integer", "null"],
}

SCOPE: dict[str, Any] = {
    "description": "The resources that the step is allowed to touch. Null or absent: nothing is said about it.",
    "type": ["array", "null"],
    "items": {"type": "string", "description": "A resource's id."},
}


def _touches(reference: str) -> dict[str, Any]:
    return {
        "reads": {
            "description": "What the step reads: resource ids, or objects that say more about the read.",
            "type": ["array", "null"],
            "items": {"$ref": f"#/$defs/{reference}"},
        },
        "writes": {
            "description": "What the step writes.",
            "type": ["array", "null"],
            "items": {"$ref": f"#/$defs/{reference}"},
        },
        "scope": SCOPE,
        "plancheck-ignore": IGNORE,
    }


AGENT: dict[str, Any] = {"description": "Who carries the step out.", "type": "string", "minLength": 1}
KIND: dict[str, Any] = {
    "description": "A `decision` weighs what it has read; a `tool_call` acts on the world.",
    "enum": ["decision", "tool_call"],
}
DECLARED_KEYS: dict[str, Any] = {"agent": AGENT, "kind": KIND, **_touches("resource")}
"""What a step of any other format may say about itself, so that the PRE lints can work on it."""
NODE_TOUCHES = _touches("node_resource")

DEFS: dict[str, Any] = {"node_resource": _reference(_BY_IDX), "resource": _reference(_BY_NAME)}
