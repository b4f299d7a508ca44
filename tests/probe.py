"""A rule that cannot check anything, put into the table of rules: what every front end has to say about that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plancheck.analysis.finding import Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.analysis.rules import RULES
from plancheck.plan.model import Place
from plancheck.unknown import Reason

NAME = "probe"
MESSAGE = "The probe could not look."
BLOCKING = (Reason.LIMIT, Reason.FAILURE)


def put_in(monkeypatch: pytest.MonkeyPatch, reason: Reason) -> None:
    """From now on, the first step of each plan is a place that the probe cannot check."""

    def check() -> Iterator[Unchecked]:
        yield Unchecked(NAME, Place(0), reason, MESSAGE)

    monkeypatch.setitem(
        RULES, NAME, Rule(NAME, Severity.WARNING, Category.RUN, "A probe.", "", "", (whole_plan(check),))
    )
