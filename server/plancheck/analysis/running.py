"""Running a rule: the one place where a rule that breaks down is kept from taking the others with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from plancheck.analysis.finding import Finding, Unchecked
from plancheck.plan.model import Place
from plancheck.unknown import Reason

MOST_PER_RULE = 2_000
"""A rule with this much to say is cut short: nobody reads on, and a chain of volatile reads has n² things to say."""


def contained(rule: str, said: Iterator[Finding]) -> Iterator[Finding | Unchecked]:
    """What a rule says, under its name. One that breaks down says so, and costs no other rule anything."""
    try:
        yield from (finding._replace(rule=rule) for finding in islice(said, MOST_PER_RULE))
    except Exception as error:
        message = f"Rule {rule} failed on this plan ({type(error).__name__}), so it was not checked: please report it."
        yield Unchecked(rule, Place(None), Reason.FAILURE, message)
