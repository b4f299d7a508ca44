"""The Python API: check a plan, given as a text or as a file, and apply its fixes."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, NoReturn

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import (
    CONFIGURATION_FAULT,
    UNREADABLE_FILE,
    CheckedEdit,
    CheckedFinding,
    CheckedFix,
    CheckedRelated,
    Range,
    UncheckedPlace,
    checked_findings,
    dialect_name,
    unchecked_file,
    unchecked_places,
)
from plancheck.frozen import replace
from plancheck.text import Position
from plancheck.workspace.catalogues import ToolsSource, loaded_catalogue
from plancheck.workspace.files import ReadError
from plancheck.workspace.in_force import plan_in_force

if TYPE_CHECKING:
    from plancheck.plan.model import Identity

__all__ = [
    "AppliedFix",
    "CheckResult",
    "CheckedEdit",
    "CheckedFinding",
    "CheckedFix",
    "CheckedRelated",
    "FixResult",
    "Position",
    "Range",
    "Settings",
    "UncheckedPlace",
    "check_file",
    "check_text",
    "fix_text",
]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What is wrong with a document, and what of it could not be checked.

    It is no list of findings, and neither true nor false: an empty list would be mistaken for a healthy plan also where
    nobody could look.
    """

    findings: tuple[CheckedFinding, ...]
    """In the order of the text."""
    unchecked: tuple[UncheckedPlace, ...]
    """Likewise."""
    dialect: str | None
    """The format of the plan; None where the document holds none."""

    @property
    def is_clean(self) -> bool:
        """Whether everything was checked and nothing was found."""
        return not self.findings and not self.unchecked

    def __bool__(self) -> NoReturn:
        raise TypeError("a CheckResult is neither true nor false: ask for .is_clean, .findings or .unchecked")


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """A fix that was applied, and what it was about."""

    rule: str
    """The rule whose finding it was for."""
    step: Identity | None
    """The step's own identity, before the fix; None where the plan as a whole is meant."""
    title: str
    """What it did."""
    safe: bool
    """Whether it was a safe one."""


@dataclass(frozen=True, slots=True)
class FixResult:
    """A document with its fixes applied, and what remains."""

    text: str
    """The new text."""
    applied: tuple[AppliedFix, ...]
    """In the order in which they were applied."""
    findings: tuple[CheckedFinding, ...]
    """What is still wrong with the new text."""
    unchecked: tuple[UncheckedPlace, ...]
    """What of the new text could not be checked."""


def check_text(
    text: str, *, settings: Settings | None = None, fixes: bool = True, tools: ToolsSource | None = None
) -> CheckResult:
    """Check a plan's text. It never raises: what is no plan has findings that say so.

    Without `fixes`, none are tried and listed, which is three quarters of the work for a faulty plan. `tools` is the
    catalogue of the tools that there are: the path of a file, several of them, or a `Catalogue`.
    """
    return _result(_analyzed(text, _with_tools(settings, tools)), fixes=fixes)


def check_file(path: str | PathLike[str], *, fixes: bool = True, tools: ToolsSource | None = None) -> CheckResult:
    """Check a plan file as `plancheck check` would: with the configuration and the policy in force where it lies.

    A file that cannot be read, and a configuration with a mistake, are `unchecked` entries like everything else that
    keeps a plan from being checked. `tools` is the catalogue of tools to use instead of those in force.
    """
    found = plan_in_force(fspath(path))
    faults = tuple(unchecked_file(CONFIGURATION_FAULT, fault) for fault in found.configuration_faults)
    if isinstance(found.text, ReadError):
        return CheckResult((), (*faults, unchecked_file(UNREADABLE_FILE, found.text.message)), None)
    result = _result(_analyzed(found.text, _with_tools(found.settings, tools)), fixes=fixes)
    return CheckResult(result.findings, (*faults, *result.unchecked), result.dialect)


def fix_text(
    text: str, *, settings: Settings | None = None, unsafe: bool = False, tools: ToolsSource | None = None
) -> FixResult:
    """Apply all safe fixes of a plan's text, or the unsafe ones too, until there is nothing left to apply."""
    fixed = fix_all(_analyzed(text, _with_tools(settings, tools)), unsafe=unsafe)
    remaining = _result(fixed.snapshot, fixes=False)
    applied = tuple(
        AppliedFix(choice.finding.rule, choice.finding.step, choice.fix.title, choice.fix.safe)
        for choice in fixed.applied
    )
    return FixResult(fixed.snapshot.text, applied, remaining.findings, remaining.unchecked)


def _with_tools(settings: Settings | None, tools: ToolsSource | None) -> Settings | None:
    if tools is None:
        return settings
    return replace(settings if settings is not None else Settings(), catalogue=loaded_catalogue(tools))


def _analyzed(text: str, settings: Settings | None) -> Snapshot:
    if settings is None or (settings.policy is None and settings.catalogue is None):
        return analyze(text, settings if settings is not None else Settings())
    from plancheck.workspace.asking import asker_for
    from plancheck.workspace.regex_process import matcher_for

    return analyze(text, settings, matcher=matcher_for(text, None), rego=asker_for(settings.policy))


def _result(snapshot: Snapshot, *, fixes: bool) -> CheckResult:
    return CheckResult(
        tuple(checked_findings(snapshot, with_fixes=fixes)),
        tuple(unchecked_places(snapshot)),
        dialect_name(snapshot),
    )
