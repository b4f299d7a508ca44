"""JSON Schemas (draft 2020-12) of the plan formats, for editors and programs that know nothing of plancheck.

They say what a schema can say: the shape. Whether a step names an earlier one, or reads what it writes, only
`plancheck check` can tell.
"""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS, named
from plancheck.schema.documents import definitions, document

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str | None = None, dialects: Dialects = DIALECTS) -> dict[str, Any]:
    """The schema of a dialect; without a name, of a plan of any dialect."""
    if name is not None:
        dialect = named(name, dialects)
        return {"$schema": _DRAFT, **document(dialect), "$defs": definitions(dialect)}
    titles = ", ".join(f"{dialect.name} ({dialect.title.lower()})" for dialect in dialects)
    return {
        "$schema": _DRAFT,
        "title": "Agent plan",
        "description": f"A plan of any dialect: {titles}.",
        "anyOf": [document(dialect) for dialect in dialects],
        "$defs": {name: shape for dialect in dialects for name, shape in definitions(dialect).items()},
    }


def headed(title: str, description: str, shape: dict[str, Any]) -> dict[str, Any]:
    """A schema with what it is about."""
    return {"$schema": _DRAFT, "title": title, "description": description, **shape}
