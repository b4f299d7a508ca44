"""The cases that are kept beside policies: `NAME.test.yaml` for plans, `NAME_test.rego` for opa."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from plancheck.policy.cases import ENDINGS, is_case_file
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import SKIPPED_FOLDERS
from plancheck.workspace.reading import ReadError, is_utf8, printable, why
from plancheck.workspace.rego_files import TESTS

POLICY_ENDINGS = (".yaml", ".yml", ".rego")


class FoundCases(NamedTuple):
    """Each path once, as it is shown."""

    case_files: tuple[str, ...]
    rego_tests: tuple[str, ...]
    errors: tuple[ReadError, ...]


def find_cases(paths: Iterable[str]) -> FoundCases:
    """The cases in files, below folders, and beside policies."""
    found: dict[str, str] = {}
    errors: list[ReadError] = []
    for path in paths:
        for item in _expanded(path):
            if isinstance(item, ReadError):
                errors.append(item)
            else:
                found.setdefault(os.path.abspath(item), item)
    shown = tuple(found.values())
    tests = tuple(path for path in shown if path.endswith(TESTS))
    return FoundCases(tuple(path for path in shown if path not in tests), tests, tuple(errors))


def policies_beside(case_file: str) -> list[str]:
    """The policies of the same name. Those that are no files are policies that cannot be read, not none."""
    stem = next(case_file.removesuffix(ending) for ending in ENDINGS if case_file.endswith(ending))
    return [stem + ending for ending in POLICY_ENDINGS if os.path.lexists(stem + ending)]


def _expanded(path: str) -> Iterator[str | ReadError]:
    if os.path.isdir(path):
        yield from _below(path)
    elif not os.path.lexists(path):
        yield ReadError(path, "there is no such file or folder.")
    elif is_case_file(path) or path.endswith(TESTS):
        yield os.path.normpath(path)
    elif path.endswith(POLICY_ENDINGS):
        yield from _beside(path)
    else:
        yield ReadError(path, "this is not a case file: cases are in NAME.test.yaml, or in NAME_test.rego for opa.")


def _beside(policy: str) -> Iterator[str | ReadError]:
    """The cases of a policy."""
    stem, ending = os.path.splitext(os.path.normpath(policy))
    candidates = [stem + other for other in ENDINGS] + [stem + TESTS] * (ending == ".rego")
    found = [path for path in candidates if os.path.lexists(path)]
    yield from found
    if not found:
        name = os.path.basename(stem)
        yield ReadError(policy, f"this policy has no cases: write {name}{ENDINGS[0]} beside it.")


def _below(folder: str) -> Iterator[str | ReadError]:
    """The cases below a folder, in the order of their names; links to folders are not followed."""
    todo = [os.path.normpath(folder)]
    while todo:
        path = todo.pop()
        try:
            with os.scandir(path) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            yield ReadError(printable(path), why(error))
            continue
        inside: list[str] = []
        for entry in entries:
            shown = os.path.normpath(os.path.join(path, entry.name))
            if entry.is_dir(follow_symlinks=False):
                inside += [shown] * (entry.name not in SKIPPED_FOLDERS)
            elif is_case_file(entry.name) or entry.name.endswith(TESTS):
                is_nameable = is_utf8(shown)
                yield shown if is_nameable else ReadError(printable(shown), "its name is not UTF-8: rename it.")
        todo += reversed(inside)
