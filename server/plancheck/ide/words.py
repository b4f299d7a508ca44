"""How this layer puts things: names of steps, counts, lists that are cut."""

from __future__ import annotations

from collections.abc import Sequence

from plancheck.analysis.snapshot import Snapshot
from plancheck.markdown import code, plain
from plancheck.plan.model import Plan

MOST_LISTED = 8


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def findings_counted(snapshot: Snapshot) -> str:
    """How much was found in a plan; no findings mean little where something was not checked."""
    found, unchecked = count(len(snapshot.findings), "finding"), len(snapshot.unchecked)
    return f"{found}, {unchecked:,} not checked" if unchecked else found


def listed(items: Sequence[str], total: int | None = None, most: int = MOST_LISTED) -> str:
    """The items with commas; of many, the first and how many more there are."""
    total = len(items) if total is None else total
    shown = ", ".join(items[:most])
    left = total - min(len(items), most)
    return f"{shown} … and {left:,} more" if left > 0 else shown


def step_title(plan: Plan, position: int) -> str:
    """A step's name and its tool or agent, as plain text."""
    step = plan.steps[position]
    who = (step.call.tool if step.call is not None else None) or step.agent
    return f"Step {plain(step.name)}" + (f" · {plain(who)}" if who else "")


def steps_listed(plan: Plan, positions: Sequence[int], total: int | None = None) -> str:
    """Steps by their names, in Markdown."""
    return listed(
        [code(plan.steps[p].name) for p in positions[:MOST_LISTED]], len(positions) if total is None else total
    )


def followers(number: int, steps: int) -> str:
    """How many steps follow one, in a sentence."""
    others = steps - 1
    if others < 1:
        return "There is no other step"
    if not number:
        return f"None of {count(others, 'other step')} follows this one"
    verb = "follows" if number == 1 else "follow"
    return f"{number:,} of {count(others, 'other step')} {verb} this one"
