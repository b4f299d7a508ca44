"""The JSON Schema of what `plancheck check --format json` prints."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}
_IDENTITY: Schema = {"type": ["integer", "string"]}


def output_schema(format_version: int, severities: Collection[str], reasons: Collection[str]) -> Schema:
    """Strict: a member that is not named here is one of a newer plancheck."""
    counts = dict.fromkeys(severities, _COUNT)
    rules: Schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
    return {
        **_object(
            format_version={"const": format_version},
            version=_TEXT,
            files=_list(_reference("file")),
            summary=_with(
                _object(files=_COUNT, **counts, unchecked=_COUNT, rules=rules),
                baseline=_object(known=_COUNT, gone=_COUNT),
            ),
        ),
        "$defs": {
            "position": _object(line=_COUNT, character=_COUNT),
            "range": _object(start=_reference("position"), end=_reference("position")),
            "edit": _object(range=_reference("range"), newText=_TEXT),
            "fix": _object(title=_TEXT, safe=_FLAG, edits=_list(_reference("edit"))),
            "related": _with(_object(message=_TEXT, pointer=_TEXT, range=_reference("range")), path=_TEXT),
            "finding": _object(
                rule=_TEXT,
                severity={"enum": list(severities)},
                message=_TEXT,
                step=_or_null(_IDENTITY),
                resource=_or_null(_TEXT),
                pointer=_TEXT,
                range=_reference("range"),
                related=_list(_reference("related")),
                tags=_list(_TEXT),
                fingerprint=_TEXT,
                fixes=_list(_reference("fix")),
            ),
            "unchecked": _object(
                rule=_TEXT, reason={"enum": list(reasons)}, message=_TEXT, pointer=_TEXT, range=_reference("range")
            ),
            "file": _with(
                _object(
                    path=_TEXT,
                    dialect=_or_null(_TEXT),
                    findings=_list(_reference("finding")),
                    unchecked=_list(_reference("unchecked")),
                    report={"anyOf": [_reference("report"), {"type": "null"}]},
                ),
                fixed=_COUNT,
                ignored=_COUNT,
            ),
            **_report(),
        },
    }


def _report() -> Schema:
    """The PRE report of a valid plan."""
    gap = _object(kind=_TEXT, node_idx=_IDENTITY, src_idx=_or_null(_IDENTITY), detail=_TEXT)
    lint = _object(
        lint=_TEXT,
        node_idx=_or_null(_IDENTITY),
        resource_id=_TEXT,
        detail=_TEXT,
        severity=_TEXT,
        source_idx=_or_null(_IDENTITY),
    )
    coverage = _object(
        n_steps=_COUNT,
        n_dep_edges=_COUNT,
        declared=_COUNT,
        observed=_COUNT,
        inferred=_COUNT,
        observed_fraction=_NUMBER,
        rho=_NUMBER,
        would_score=_FLAG,
        no_score_reason=_TEXT,
    )
    touches = _object(
        n_reads=_COUNT,
        n_writes=_COUNT,
        n_edges=_COUNT,
        reads_with_id=_COUNT,
        writes_with_id=_COUNT,
        edges_with_id=_COUNT,
        edges_missing_structured_resource=_COUNT,
        gaps=_list(_reference("gap")),
    )
    by_resource = {"type": "object", "additionalProperties": _list(_IDENTITY)}
    barriers = _object(by_resource=by_resource, barrier_nodes=_list(_IDENTITY), resources_with_barrier=_list(_TEXT))
    report = _object(
        adapter=_TEXT,
        n_steps=_COUNT,
        keystone_idx=_or_null(_IDENTITY),
        keystone_followers=_COUNT,
        execution_reach_by_idx={"type": "object", "additionalProperties": _COUNT},
        findings=_list(_reference("lint_finding")),
        state_b_risk={"type": "null"},
        state_b_withheld={"const": True},
        state_b_withheld_reason=_TEXT,
        preflight_coverage=coverage,
        resource_touch_completeness=touches,
        barrier_inventory=barriers,
        notes=_list(_TEXT),
    )
    return {"report": report, "lint_finding": lint, "gap": gap}


def _object(**members: Schema) -> Schema:
    """An object with exactly these members."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def _with(shape: Schema, **members: Schema) -> Schema:
    """The same with members that it may also have."""
    return {**shape, "properties": {**shape["properties"], **members}}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(shape: Schema) -> Schema:
    kinds = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    return {**shape, "type": [*kinds, "null"]}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
