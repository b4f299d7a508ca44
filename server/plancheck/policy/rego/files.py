"""A Rego policy as part of a policy: the texts that it consists of. Nothing here is read or evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

if TYPE_CHECKING:
    from plancheck.policy.rego.plan_input import PlanQuestion
    from plancheck.policy.rego.verdict import RegoVerdict


class RegoFiles(NamedTuple):
    """The files of one Rego policy, which are evaluated together. Two policies never see each other's rules, so that
    neither can make the other one allow anything."""

    files: tuple[tuple[str, str], ...]
    """Paths and texts, in the order of the paths."""
    package: str | None = None
    """The package whose rules decide; None for the usual ones."""
    may_be_quoted: bool = True
    """Whether messages may show what stands in the files; those beside a plan may be somebody else's."""

    @property
    def digested(self) -> list[Any]:
        """What tells it from other policies: where its files lie does not matter."""
        return [[text for _, text in self.files], self.package]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for path, _ in self.files)


class RegoAnswer(NamedTuple):
    """What a Rego policy says about a plan."""

    verdict: RegoVerdict
    is_pending: bool = False
    """Whether it is being found out, and `verdict` is what was known before."""


RegoAsk: TypeAlias = "Callable[[RegoFiles, PlanQuestion], RegoAnswer | Unknown]"
"""Asks a Rego policy about a plan; unknown where the plan is none that it can be asked about. Who evaluates it has
processes, and is handed in."""


def no_engine(files: RegoFiles, question: PlanQuestion) -> RegoAnswer:  # noqa: ARG001 - a RegoAsk
    """For those who cannot evaluate anything: what a policy says is not known."""
    from plancheck.policy.rego.policy import RegoFault
    from plancheck.policy.rego.verdict import RegoVerdict

    message = "The Rego policy was not evaluated, because it has no engine here: use `plancheck check` or the gate."
    return RegoAnswer(RegoVerdict((), (RegoFault("rego_error", Reason.FAILURE, message),)))


def checked_files(value: Any) -> tuple[RegoFiles, ...]:
    """The Rego policies of a policy that is made in Python; ValueError where they are none."""
    found = tuple(value)
    for one in found:
        if not isinstance(one, RegoFiles):
            raise ValueError(f"`rego` must be a list of RegoFiles, not {type(one).__name__}: use load_policy")
    return found
