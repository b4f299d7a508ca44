"""How this layer puts things: names of steps, counts, lists that are cut, and text made safe for Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plancheck.plan.model import Plan

MOST_LISTED = 8

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&]|(?<!\w)_|_(?!\w)")
_CODE = re.compile(r"`([^`]+)`")
_LINE_BREAKS = re.compile(r"[\r\n\t\x00-\x1f\x7f\u0085\u2028\u2029]+")
_TICKS = re.compile(r"`+")
_LONGEST = 120


def plain(text: str) -> str:
    """Somebody else's text on one line, cut if it is very long."""
    text = _LINE_BREAKS.sub(" ", text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def escape(text: str) -> str:
    """Text that means nothing special in Markdown, on one line that does not begin with it."""
    return _escape(plain(text))


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match.group(), text)


def prose(message: str) -> str:
    """One of our messages: names in backquotes become code spans, all else (names of users included) is escaped."""
    pieces = _CODE.split(_LINE_BREAKS.sub(" ", message))
    return "".join(code(piece) if number % 2 else _escape(piece) for number, piece in enumerate(pieces))


def code(text: str) -> str:
    """Text as a code span, whatever is in it."""
    text = plain(text)
    fence = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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
