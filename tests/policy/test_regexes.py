"""Patterns of a policy: the harmless ones run at once, the others where they can be stopped."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.policy.regexes import (
    LONGEST_HERE,
    LONGEST_VALUE,
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
from plancheck.workspace.regex_process import MOST_STOPS, PATIENCE, RegexProcess

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


@pytest.mark.parametrize(
    ("harmless", "dangerous"),
    [
        ("a{0,9}b{0,9}c{0,9}", "a{0,6}b{0,10}c{0,12}"),  # 1,000 and 1,001 ways
        ("a{0,31}b*", "a{0,32}b*"),  # 32 and 33 ways beside a repetition
        ("(?:ab){0,64}", "(?:ab){0,65}"),  # the longest repetition that is a number of choices
        ("a{0,65}b{0,31}", "a{0,65}b{0,32}"),  # of single characters, a longer one is a repetition
        ("a{0,64}b{0,14}", "a{0,64}b{0,15}"),  # and this is not: 975 and 1,040 ways
        ("(?:a?){9}", "(?:a?){10}"),  # 512 and 1,024 ways
        ("(?:a*|b*)c", "(?:a*|b*)c*"),  # one repetition on each way, and two
        ("(?:ab){65}", "(?:ab){64,65}(?:ab){1,65}"),  # a fixed number is no choice
    ],
)
def test_the_boundary_of_what_is_harmless(harmless: str, dangerous: str) -> None:
    assert is_harmless(harmless)
    assert not is_harmless(dangerous)


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
    assert list(process.stopped) == ["(a+)+$"]
    assert time.perf_counter() - started < 30
    process.forget()
    assert list(process.stopped) == []
    assert process.known("(a+)+$", "a" * 60 + "!") is None


def test_a_pattern_is_stopped_on_the_value_that_it_hangs_on_and_on_no_other(process: RegexProcess) -> None:
    hard = "a" * 60 + "!"
    assert process("(a+)+$", hard) is Outcome.STOPPED
    assert process("(a+)+$", "aa") == (Span(0, 2),)
    assert process("(a+)+$", "b") == ()
    running = process._process
    assert process.known("(a+)+$", hard) is process("(a+)+$", hard) is Outcome.STOPPED
    assert process._process is running, "a value on which a pattern was stopped is not tried again"


def test_a_pattern_that_hangs_again_and_again_is_stopped_for_good() -> None:
    quick = RegexProcess(patience=0.02)
    for number in range(MOST_STOPS - 1):
        assert quick("(a+)+$", "a" * 60 + f"!{number}") is Outcome.STOPPED
    assert quick("(a+)+$", "aa") == (Span(0, 2),)
    assert quick("(a+)+$", "a" * 60 + "!") is Outcome.STOPPED
    assert quick.known("(a+)+$", "another") is Outcome.STOPPED
    assert quick.known("(a+)+$", "aa") == (Span(0, 2),), "what was found stays found"
    assert quick.known("(b+)+$", "another") is None
    quick.forget()
    assert quick("(a+)+$", "another") == ()
    quick.close()


def test_a_pattern_may_be_run_on_any_number_of_values(process: RegexProcess) -> None:
    """There was a budget for all values together, which 20,000 of them used up."""
    for number in range(3_000):
        assert process(r"(\w)\1$", f"value {number}") == search(r"(\w)\1$", f"value {number}")
    assert process._slowness[r"(\w)\1$"] < 1
    assert list(process.stopped) == []


def test_a_pattern_that_is_slow_everywhere_is_stopped_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = RegexProcess(patience=2.0)
    monkeypatch.setattr("plancheck.workspace.regex_process.MOST_STOPS", 0.1)
    for length in range(15, 25):
        if slow("(a+)+$", "a" * length + "!") is Outcome.STOPPED:
            break
    assert slow.known("(a+)+$", "aa") is Outcome.STOPPED
    assert list(slow.stopped) == ["(a+)+$"]
    slow.close()


def test_the_time_of_a_pattern_is_that_of_the_processor(process: RegexProcess) -> None:
    """A machine that is busy with other things stops no pattern: the process sleeps longer than a pattern may take."""
    assert process("(b+)+$", "b") == (Span(0, 1),)
    running = process._process
    assert running is not None
    os.kill(running.pid, signal.SIGSTOP)
    threading.Timer(3 * PATIENCE, os.kill, (running.pid, signal.SIGCONT)).start()
    assert process("(b+)+$", "abb") == (Span(1, 3),)
    assert process._process is running


def test_a_long_value_is_searched_to_its_end_or_not_at_all(process: RegexProcess) -> None:
    value = "." * (LONGEST_VALUE - 2) + "bb"
    assert find("b+", value, process) == (Span(LONGEST_VALUE - 2, LONGEST_VALUE),)
    assert list(process.stopped) == []
    assert find("b+", f"{value}b", process) is Outcome.STOPPED
    assert list(process.stopped) == ["b+"]


def test_a_short_value_is_searched_here() -> None:
    assert find("b", "b" + "a" * (LONGEST_HERE - 1), refusing_matcher) == (Span(0, 1),)
    assert find("b", "b" + "a" * LONGEST_HERE, refusing_matcher) is Outcome.STOPPED


def test_what_is_remembered_is_limited(process: RegexProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancheck.workspace.regex_process.MOST_CACHED", 2)
    for value in "abc":
        process("(x)+", value)
    assert [process.known("(x)+", value) for value in "abc"] == [None, (), ()]
    monkeypatch.setattr("plancheck.workspace.regex_process.MOST_CHARACTERS", 10)
    process("(x)+", "d" * 9)
    assert [process.known("(x)+", value) for value in ("b", "c", "d" * 9)] == [None, (), ()]
    process("(x)+", "e" * 20)
    assert [process.known("(x)+", value) for value in ("c", "d" * 9, "e" * 20)] == [None, None, ()]


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


@pytest.mark.parametrize("pattern", ["[", "(?P<a>x)(?P<a>y)", "*", "a{99999999999}", "x" * 2_001, "^$"])
def test_a_bad_pattern_has_a_fault(pattern: str) -> None:
    assert fault_of(pattern) is not None


def test_a_good_pattern_has_no_fault() -> None:
    for pattern in ("x" * 2_000, "a*", "(?i)[a-z]+", r"(?i)[\x00-\uffff][\x00-\uffff]"):
        assert fault_of(pattern) is None
    assert fault_of(r"(?i)[\x00-\uffff][\x00-\uffff][\x00-\uffff]") is not None


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
