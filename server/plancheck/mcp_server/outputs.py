"""The schemas of what the tools answer. Members may be added in later versions, so none of them is closed."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
YES_NO: dict[str, Any] = {"type": "boolean"}
TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}


def about(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, **schema}


def record(**members: dict[str, Any]) -> dict[str, Any]:
    """An object that has all of these members."""
    return {"type": "object", "properties": members, "required": list(members)}


def many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


STEP = about(
    "the step's own id, or its position from 0; null for the plan as a whole", {"type": ["integer", "string", "null"]}
)
POINTER = about("the place in the plan, as a JSON pointer (RFC 6901)", TEXT)
POSITION = record(line=COUNT, character=COUNT)
RANGE = about("zero-based, in UTF-16 code units, in the plan's text", record(start=POSITION, end=POSITION))
SEVERITY = choice("error", "warning", "info", "hint")
FIX = record(title=TEXT, safe=YES_NO, edits=many(record(range=RANGE, newText=TEXT)))
FINDING = record(
    rule=about("`explain_rule` has its page", TEXT),
    severity=SEVERITY,
    message=about("what is wrong, and the way out", TEXT),
    step=STEP,
    resource=TEXT_OR_NULL,
    pointer=POINTER,
    range=RANGE,
    related=many(record(message=TEXT, pointer=TEXT, range=RANGE)),
    tags=many(TEXT),
    fingerprint=TEXT,
    fixes=about("`fix_plan` applies the safe ones", many(FIX)),
)
UNCHECKED = record(
    rule=TEXT,
    reason=choice("runtime", "not_understood", "limit", "failure"),
    message=TEXT,
    pointer=TEXT,
    range=RANGE,
)
SUMMARY = about(
    "how many findings there are of each severity, and how many places could not be checked",
    record(error=COUNT, warning=COUNT, info=COUNT, hint=COUNT, unchecked=COUNT),
)
REMAINING = {
    "findings": many(FINDING),
    "unchecked": about("what could not be checked: neither wrong nor fine", many(UNCHECKED)),
    "summary": SUMMARY,
}
CHECK = record(
    dialect=about("the format of the plan; null where there is none", TEXT_OR_NULL),
    clean=about("whether everything was checked and nothing was found", YES_NO),
    **REMAINING,
)
FIXED = record(
    text=about("the plan with its fixes applied, as JSON text", TEXT),
    changed=YES_NO,
    applied=about(
        "in the order in which they were applied", many(record(rule=TEXT, step=STEP, title=TEXT, safe=YES_NO))
    ),
    **REMAINING,
)
VERDICT = choice("allow", "deny", "requires_hitl", "undecided")
POSITIONS = about("the positions of the steps to blame, from 0", many(COUNT))
DECISION = record(
    decision=VERDICT,
    allow=about("the plan may run only where this is true", YES_NO),
    deny=YES_NO,
    requires_hitl=about("a human must look first", YES_NO),
    undecided=YES_NO,
    reason=TEXT,
    rule_matched=TEXT,
    steps=POSITIONS,
    policy_version=TEXT,
    findings=about(
        "everything that speaks against the plan",
        many(
            record(
                rule=TEXT,
                decision=VERDICT,
                reason=TEXT,
                steps=POSITIONS,
                pointer=POINTER,
                line=COUNT,
                column=COUNT,
            )
        ),
    ),
    feedback=about("what to change before the plan is submitted again", TEXT),
)
RULE_PAGE = record(
    rule=TEXT,
    severity=SEVERITY,
    category=TEXT,
    tags=many(TEXT),
    summary=TEXT,
    page=about("the whole page, in Markdown, with examples", TEXT),
)
GRAPH = record(
    dialect=TEXT,
    format=TEXT,
    drawing=about("in the format asked for; null for json", TEXT_OR_NULL),
    graph=about("nodes, control_edges and data_edges; null for drawings", {"type": ["object", "null"]}),
    errors=about("if there are any, the graph shows only what could be read", COUNT),
)
