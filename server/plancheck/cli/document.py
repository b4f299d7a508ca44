"""The one document that `report` and `graph` are about."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import CheckedFinding, UncheckedPlace, checked_findings, dialect_of, unchecked_places
from plancheck.cli.checking import STANDARD_INPUT
from plancheck.cli.terminal import one_line
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations, ReadError, decode, read_text
from plancheck.workspace.in_force import faults_in_force, settings_in_force


class OneDocument(NamedTuple):
    shown: str
    """How its file is called."""
    text: str
    settings: Settings
    configuration_faults: list[str]
    """What is wrong with the configuration, in sentences."""
    fail_on: str
    """From which severity on findings fail."""


def read(path: str, tools: Sequence[str] | None = None) -> OneDocument | None:
    """A file with what is in force for it; None, and a line on standard error, where it cannot be read."""
    shown = "<stdin>" if path == STANDARD_INPUT else path
    text = decode(shown, sys.stdin.buffer.read()) if path == STANDARD_INPUT else read_text(path, may_wait=True)
    if isinstance(text, ReadError):
        say(f"plancheck: {shown}: {text.message}")
        return None
    absolute = os.path.abspath("stdin.plan.json" if path == STANDARD_INPUT else path)
    configurations = Configurations()
    catalogues = Catalogues(configurations, named=tools)
    settings = settings_in_force(absolute, configurations, catalogues)
    for error in catalogues.errors:
        say(f"plancheck: {error.path}: {error.message}")
    if catalogues.errors:
        return None
    fail_on = configurations.above(os.path.dirname(absolute)).fail_on
    return OneDocument(shown, text, settings, faults_in_force(configurations, catalogues), fail_on)


def load(path: str, tools: Sequence[str] | None = None) -> Snapshot | None:
    """The snapshot of a plan file; None, and a line on standard error, where there is no plan to be had."""
    document = read(path, tools)
    if document is None:
        return None
    snapshot = analyze(document.text, document.settings)
    if dialect_of(snapshot) is None:
        found: list[CheckedFinding | UncheckedPlace] = [
            *unchecked_places(snapshot),
            *checked_findings(snapshot, with_fixes=False, with_fingerprints=False),
        ]
        shown = document.shown
        why = f"{place(shown, found[0])}: {found[0].message}" if found else f"{shown}: this is not a plan."
        say(f"plancheck: {why}")
        return None
    return snapshot


def place(path: str, finding: CheckedFinding | UncheckedPlace) -> str:
    start = finding.range.start
    return f"{path}:{start.line + 1}:{start.character + 1}"


def say(line: str) -> None:
    print(one_line(line), file=sys.stderr)
