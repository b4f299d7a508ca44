"""The tests that are written in Rego themselves: `NAME_test.rego`, run by opa."""

from __future__ import annotations

import os
from collections.abc import Mapping

from plancheck.policy.rego.policy import RegoModule, is_policy_file
from plancheck.policy.rego.source import read_rego
from plancheck.tuples import NamedTuple
from plancheck.unknown import Unknown
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, is_utf8, read_text, why
from plancheck.workspace.rego.engine import EngineFault, EngineProblem, RegoEngine, RegoTest
from plancheck.workspace.rego.locate import NO_ENGINE
from plancheck.workspace.rego.opa import Opa
from plancheck.workspace.rego_files import TESTS

SECONDS = 30.0
"""That the tests of a file may take together."""
NEEDS_OPA = "not run: tests in Rego need opa, and there is none: install opa, or name it with --opa."


class RegoTestRun(NamedTuple):
    """What a file of tests came to: its tests, or why there are none."""

    path: str
    tests: tuple[RegoTest, ...]
    problems: tuple[EngineProblem, ...] = ()


def run_rego_tests(engine: RegoEngine | EngineFault, path: str, seconds: float = SECONDS) -> RegoTestRun:
    """Run the tests in a file, together with the policy that they are for: `NAME.rego` beside it and the files there
    that have another package; where these do not compile by themselves, or there is no such file, with all beside it.
    """
    if not isinstance(engine, Opa):
        if isinstance(engine, EngineFault) and engine is not NO_ENGINE:
            return _not_run(path, engine.message)
        return _not_run(path, NEEDS_OPA)
    own = _module(path)
    if isinstance(own, EngineProblem):
        return RegoTestRun(path, (), (own,))
    beside = _beside(path)
    if isinstance(beside, EngineProblem):
        return RegoTestRun(path, (), (beside,))
    narrow = _narrow(path, beside)
    found = engine.run_tests({path: own, **narrow}, seconds)
    if isinstance(found, EngineFault) and found.problems and len(narrow) < len(beside):
        wide = engine.run_tests({path: own, **beside}, seconds)
        found = found if isinstance(wide, EngineFault) and path[: -len(TESTS)] + ".rego" in beside else wide
    if isinstance(found, EngineFault):
        return RegoTestRun(path, (), found.problems) if found.problems else _not_run(path, found.message)
    tests = tuple(test for test in found if test.path == path)
    return (
        RegoTestRun(path, tests) if tests else _not_run(path, "there are no tests in this file: add a rule `test_…`.")
    )


def _not_run(path: str, message: str) -> RegoTestRun:
    return RegoTestRun(path, (), (EngineProblem("rego_error", message, path, 0, 0),))


def _module(path: str) -> RegoModule | EngineProblem:
    text = read_text(path, most=MOST_BYTES_OF_SETTINGS)
    if isinstance(text, ReadError):
        return EngineProblem("rego_error", text.message, path, 0, 0)
    source = read_rego(text)
    if isinstance(source, Unknown):
        return EngineProblem("rego_error", source.message, path, 1, 1)
    return RegoModule(text, source)


def _beside(path: str) -> dict[str, RegoModule] | EngineProblem:
    """The policies in the same folder."""
    folder = os.path.dirname(path)
    try:
        names = sorted(name for name in os.listdir(folder or ".") if is_policy_file(name) and is_utf8(name))
    except OSError as error:
        return EngineProblem("rego_error", why(error), path, 0, 0)
    found: dict[str, RegoModule] = {}
    for name in names:
        module = _module(os.path.join(folder, name))
        if isinstance(module, EngineProblem):
            return module
        found[os.path.join(folder, name)] = module
    return found


def _narrow(path: str, beside: Mapping[str, RegoModule]) -> dict[str, RegoModule]:
    """The policy of the same name, with what it may import."""
    named = path[: -len(TESTS)] + ".rego"
    if named not in beside:
        return dict(beside)
    package = beside[named].source.package
    return {other: module for other, module in beside.items() if other == named or module.source.package != package}
