"""`check --show-files` and `--show-settings`: what would be checked, and how, without checking it."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from typing import TextIO

from plancheck.analysis.rules import RULES
from plancheck.cli.checking import CheckTask
from plancheck.cli.policies import CheckedPolicies
from plancheck.cli.results import FileResult, announce, unreadable
from plancheck.cli.terminal import one_line
from plancheck.doctor.settings import every_setting, shown_value
from plancheck.workspace.files import Configurations, ReadError

NO_SUCH_FILE = "there is no such file or folder."


def show_instead(
    args: Namespace,
    tasks: list[CheckTask],
    faults: list[FileResult],
    configurations: Configurations,
    policies: CheckedPolicies,
    stream: TextIO,
) -> int:
    """Show it; 2 where something cannot be read or has a mistake, as when it is checked."""
    missing = [task for task in tasks if not task.is_standard_input and not os.path.lexists(task.absolute)]
    for fault in (*faults, *(unreadable(ReadError(task.path, NO_SUCH_FILE)) for task in missing)):
        announce(fault)
    for task in (task for task in tasks if task not in missing):
        lines = [task.path] if args.show_files else _settings(task, configurations, policies)
        stream.writelines(f"{one_line(line)}\n" for line in lines)
    return 2 if faults or missing else 0


def _settings(task: CheckTask, configurations: Configurations, policies: CheckedPolicies) -> Iterator[str]:
    """What is in force for a file, in an order that never changes."""
    loaded, settings = configurations.above(os.path.dirname(task.absolute)), task.settings
    yield task.path
    yield f"  configuration: {loaded.path or 'none, so the defaults apply'}"
    for name, value, _ in every_setting(loaded, settings):
        yield f"  {name}: {shown_value(value)}"
    yield f"  policies in force: {', '.join(policies.paths_for(task.absolute)) or 'none'}"
    catalogue = () if settings.catalogue is None else tuple(file.path for file in settings.catalogue.files)
    yield f"  catalogues in force: {', '.join(catalogue) or 'none'}"
    yield "  rules:"
    for rule in sorted(RULES):
        severity = settings.severity(rule)
        yield f"    {rule}: {'off' if severity is None else severity.word}"
    for option, number in sorted(settings.options.items()):
        yield f"    {option}: {number}"
