"""Patterns of a policy: the harmless ones run at once, the others where they can be stopped."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator

import pytest

from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.policy.regexes import (
    Hits,
    Outcome,
    RefusingMatcher,
    fault_of,
    find,
    is_harmless,
    refusing_matcher,
    search,
)
from plancheck.text import Edit, Span
from plancheck.workspace.policies import LoadedPolicy
from plancheck.workspace.regex_process import RegexProcess

HARMLESS = [
    "AKIA[0-9A-Z]{16}",
    r"\b\d{3}-\d{2}-\d{4}\b",
    "password|secret",
    "sk_live_[a-z]+",
    r"(?:\d{4}[- ]?){3}\d{4}",
    "(?i)hunter2",
    "a{2,5}b",
    "^x.*",
]
DANGEROUS = [
    "(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    r"(\w+\s*)+:",
    "(.*)(.*)(.*)=",
    "(a?){30}a{30}",
    r"(\w)\1",
    r"((x|y)?){12}z",
    "(?=(a+))a*b+c",
    r"password\s*=\s*\S+",
]


@pytest.fixture
def process() -> Iterator[RegexProcess]:
    running = RegexProcess()
    yield running
    running.close()


@pytest.mark.parametrize("pattern", HARMLESS)
def test_harmless(pattern: str) -> None:
    assert is_harmless(pattern)


@pytest.mark.parametrize("pattern", DANGEROUS)
def test_not_shown_to_be_harmless(pattern: str) -> None:
    assert not is_harmless(pattern)


@pytest.mark.parametrize("pattern", HARMLESS)
def test_a_harmless_pattern_takes_no_time_on_a_hard_value(pattern: str) -> None:
    value = ("a" * 60 + "1234-") * 30
    started = time.perf_counter()
    search(pattern, value)
    assert time.perf_counter() - started < 0.2


def test_a_harmless_pattern_needs_nobody_to_run_it() -> None:
    assert find("b+", "abba", refusing_matcher) == (Span(1, 3),)
    assert find("(b+)+", "abba", refusing_matcher) is Outcome.STOPPED


def test_the_process_gives_the_places_that_re_gives(process: RegexProcess) -> None:
    assert process(r"(\w)\1", "aabb ☃☃ éé 𝒳𝒳") == search(r"(\w)\1", "aabb ☃☃ éé 𝒳𝒳")
    assert process("(x*)*", "aaa") == ()


def test_a_pattern_that_hangs_is_stopped_and_the_others_go_on(process: RegexProcess) -> None:
    started = time.perf_counter()
    assert process("(a+)+$", "a" * 60 + "!") is Outcome.STOPPED
    assert process("(b+)+$", "abb") == (Span(1, 3),)
    assert process.stopped == ("(a+)+$",)
    assert time.perf_counter() - started < 5
    again = time.perf_counter()
    assert process("(a+)+$", "a harmless value") is Outcome.STOPPED
    assert time.perf_counter() - again < 0.05
    process.forget()
    assert process("(a+)+$", "aa") == (Span(0, 2),)


def test_what_is_known_is_not_run_again(process: RegexProcess) -> None:
    first = process("(b+)+$", "bb")
    process.close()
    assert process.known("(b+)+$", "bb") == first == process("(b+)+$", "bb")


def test_a_process_that_died_is_started_again(process: RegexProcess) -> None:
    process("(b+)+$", "bb")
    process.close()
    assert process("(b+)+$", "abb") == (Span(1, 3),)


def test_another_process_of_the_command_gets_its_own(process: RegexProcess) -> None:
    assert isinstance(pickle.loads(pickle.dumps(process)), RegexProcess)


@pytest.mark.parametrize("pattern", ["[", "(?P<a>x)(?P<a>y)", "*", "a{99999999999}", "x" * 3_000, "^$"])
def test_a_bad_pattern_has_a_fault(pattern: str) -> None:
    assert fault_of(pattern) is not None


# ---- in a plan -------------------------------------------------------------------------------------------------------

POLICY = "deny_tokens_regex:\n  - '(a+)+$'\n  - 'hunter[0-9]'\nbounds: {pay.amount: [0, 10]}\n"
TEXT = (
    '{"goal": "g", "steps": [{"id": "p", "tool": "pay", "args": {"amount": 11, "note": "hunter2 ' + "a" * 60 + '!"}}]}'
)


def test_a_pattern_that_hangs_costs_no_other_finding_and_is_named_in_the_policy(process: RegexProcess) -> None:
    found = read_policy(POLICY)
    snapshot = analyze(TEXT, Settings(policy=found.policy), matcher=process)
    assert {finding.rule for finding in snapshot.findings} == {"bound_violation", "raw_secret"}
    (problem,) = LoadedPolicy("plan-policy.yaml", POLICY, found).problems(process.stopped)
    assert problem.rule == "policy_regex_timeout"
    assert POLICY[slice(*problem.span)] == "'(a+)+$'"
    assert "(a+)+$" in problem.message


def test_an_answer_that_is_still_outstanding_is_asked_for_again() -> None:
    answers: dict[tuple[str, str], Hits | Outcome] = {}

    class Slow(RefusingMatcher):
        def __call__(self, pattern: str, value: str) -> Hits | Outcome:
            return answers.setdefault((pattern, value), Outcome.PENDING)

    settings = Settings(policy=read_policy("deny_tokens_regex: ['(a+)+$']").policy)
    text = '{"goal": "g", "steps": [{"id": "p", "tool": "t", "args": {"x": "aaa"}}]}'
    first = analyze(text, settings, matcher=Slow())
    assert (first.is_pending, first.findings) == (True, [])
    for question in answers:
        answers[question] = search(*question)
    then = update(first, Edit(0, 0, ""), settings)
    assert (then.is_pending, [finding.rule for finding in then.findings]) == (False, ["raw_secret"])
