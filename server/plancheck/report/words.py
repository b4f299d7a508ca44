"""The words of a report, in text and in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plancheck.checked import NOWHERE, Range
from plancheck.ide.words import count, listed
from plancheck.pre.words import NO_SCORE, coverage_words
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.pre import PreReport
    from plancheck.report.model import Report

REASONS = {
    Reason.RUNTIME.value: "only the run can tell",
    Reason.NOT_UNDERSTOOD.value: "it was not understood",
    Reason.LIMIT.value: "a limit was reached",
    Reason.FAILURE.value: "the check could not be done",
}


def subject(report: Report) -> str:
    return count(report.steps, "step") if report.dialect is not None else "not a plan"


def sentences(pre: PreReport) -> dict[str, str]:
    """What a plan comes to."""
    return {
        "keystone": _keystone(pre),
        "coverage": coverage_words(pre.resource_touch_completeness),
        "score": NO_SCORE,
    }


def _keystone(pre: PreReport) -> str:
    """The step that the most others follow, and how many do."""
    if pre.keystone_idx is None:
        return "No step follows another."
    others = count(pre.n_steps - 1, "other step")
    verb = "follows" if pre.keystone_followers == 1 else "follow"
    return f"Step {pre.keystone_idx}: {pre.keystone_followers:,} of {others} {verb} it; no step has more followers."


def place(where: Range) -> str:
    """Line and column for people; nothing for what is not in the document."""
    return "" if where == NOWHERE else f"{where.start.line + 1}:{where.start.character + 1}"


def rereads(pre: PreReport) -> list[tuple[str, str]]:
    """The resources that are read again before they are used, and by which steps."""
    found = pre.barrier_inventory.by_resource.items()
    return [
        (name, f"{'step' if len(steps) == 1 else 'steps'} {listed(list(map(str, steps)))}") for name, steps in found
    ]
