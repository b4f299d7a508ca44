"""What an engine for Rego is: it is handed modules and inputs, and says what rules say, in bounded time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Protocol, TypeAlias

from plancheck.policy.rego.policy import RegoModule
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

MOST_BYTES_ASKED = 64_000_000
MOST_BYTES_ANSWERED = 32_000_000
MOST_MEMORY = 1_000_000_000
"""Bytes that an evaluation may take, where that can be limited."""

Answers: TypeAlias = Sequence[Mapping[str, Any]]
"""For each input, the values of the rules by their refs; what is undefined is not there."""


class EngineProblem(NamedTuple):
    """A mistake that the engine found in a file."""

    rule: str
    """`rego_syntax` where it cannot be read, else `rego_error`."""
    message: str
    path: str
    row: int
    """Counted from 1; 0 for the file as a whole."""
    column: int
    """Counted from 1, in characters."""


class EngineFault(NamedTuple):
    """Why there are no answers."""

    reason: Reason
    message: str
    problems: tuple[EngineProblem, ...] = ()


class RegoTestOutcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class RegoTest(NamedTuple):
    """A test in a Rego file, and what it came to."""

    path: str
    row: int
    """Counted from 1."""
    column: int
    name: str
    """With its package: `planlint_test.test_refund`."""
    outcome: RegoTestOutcome
    message: str
    """Why it could not be evaluated to its end, if that is so."""


class RegoEngine(Protocol):
    """Whoever evaluates Rego. One may be used from several threads, one call after the other."""

    @property
    def name(self) -> str:
        """How messages call it."""

    def evaluate(
        self, modules: Mapping[str, RegoModule], refs: Sequence[str], inputs: Sequence[Any], seconds: float
    ) -> Answers | EngineFault: ...

    def close(self) -> None:
        """End what is running, also from another thread. It can be used again after that."""


def too_slow(seconds: float) -> EngineFault:
    message = f"The policy took more than {seconds:.1f} seconds and was stopped: simplify it."
    return EngineFault(Reason.LIMIT, message)


def too_large(what: str) -> EngineFault:
    return EngineFault(Reason.LIMIT, f"{what} is too large to be evaluated: make it smaller.")
