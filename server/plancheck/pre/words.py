"""What the report says to somebody who has never heard of PRE."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.pre.report import ResourceTouchCompleteness

NO_SCORE = "No risk score: a plan alone does not show what happens at run time."
"""In place of State B, which is always withheld."""


def coverage_words(touches: ResourceTouchCompleteness) -> str:
    """How much of the data flow the plan declares."""
    if not touches.n_reads:
        return "No step says what it reads, so the plan does not show which step uses whose data."
    share = f"{touches.n_edges:,} of {touches.n_reads:,} {'read' if touches.n_reads == 1 else 'reads'}"
    verb = "names" if touches.n_edges == 1 else "name"
    return f"{share} {verb} the step that the data comes from."
