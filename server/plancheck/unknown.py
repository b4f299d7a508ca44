"""What could not be looked at, and why. "Nothing found" and "could not look" are different answers everywhere."""

from __future__ import annotations

from enum import Enum

from plancheck.tuples import NamedTuple


class Reason(str, Enum):
    """Why something is not known."""

    RUNTIME = "runtime"
    """Only the run can tell: a reference stands where a value would be looked at."""
    NOT_UNDERSTOOD = "not_understood"
    """It is there, and means nothing to us: SQL that does not parse, a bounded value that is no number."""
    LIMIT = "limit"
    """It is too large, too deep or takes too long."""
    FAILURE = "failure"
    """Something is broken that is not the plan: a rule, a policy, a configuration, an engine."""


class Unknown(NamedTuple):
    """Stands where a value would, had it been possible to make it out."""

    reason: Reason
    message: str
