"""JSON Schemas (draft 2020-12) of the plan formats, for editors and programs that know nothing of plancheck.

They say what a schema can say: the shape. Whether a step names an earlier one, or reads what it writes, only
`plancheck check` can tell.
"""

from __future__ import annotations

from typing import Any

from plancheck.schema.documents import CALLS, DECLARED, STEPS
from plancheck.schema.parts import DEFS

_DOCUMENTS = {"declared": DECLARED, "steps": STEPS, "calls": CALLS}
DIALECTS = tuple(_DOCUMENTS)


def schema(dialect: str | None = None) -> dict[str, Any]:
    """The schema of a dialect; without one, of a plan of any dialect."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    if dialect is not None:
        return {**head, **_DOCUMENTS[dialect], "$defs": DEFS}
    either = {
        "title": "Agent plan",
        "description": "A plan of any dialect: declared (`nodes`), steps (`steps`), or calls (a list).",
        "anyOf": [_DOCUMENTS[name] for name in DIALECTS],
    }
    return {**head, **either, "$defs": DEFS}
