"""Policies that never end, take all memory, reach out or crash the engine: undecided in bounded time, never allowed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from plancheck.policy.rego.policy import RegoPolicy, read_rego_policy
from plancheck.policy.rego.verdict import RegoVerdict
from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import EngineFault
from plancheck.workspace.rego.evaluate import compile_faults, judge, judging
from plancheck.workspace.rego.locate import find_engine
from plancheck.workspace.rego.opa import Opa
from plancheck.workspace.rego.regopy_engine import Regopy
from rego.engines import NAMES, calls, engine, example, plan_of, policy_of

PATIENCE = 1.5
BOUND = 5.0
PLAN = plan_of(calls("crm.find", "db.write"))


def undecided(name: str, policy: RegoPolicy, seconds: float = PATIENCE) -> RegoVerdict:
    """A verdict that must be none, given in bounded time."""
    used = engine(name)
    judge(used, example("writes"), PLAN)  # what starts the engine does not count
    started = time.perf_counter()
    verdict = judge(used, policy, PLAN, seconds)
    assert time.perf_counter() - started < BOUND
    assert verdict.faults
    assert not verdict.firings
    assert judge(used, example("writes"), PLAN).faults == ()  # it goes on as if nothing had happened
    return verdict


SLOW = {
    "a join": "xs := numbers.range(1, 100000)\ndeny if count([1 | some a in xs; some b in xs; some c in xs]) > 1",
    "nested": "xs := numbers.range(1, 3000)\ndeny if count([[[c | some c in xs] | some b in xs] | some a in xs]) == 1",
    "a function": "f(n) := [1 | some a in numbers.range(1, n); some b in numbers.range(1, n)]\ndeny if f(90000) == 3",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", SLOW)
def test_what_takes_too_long(kind: str, name: str) -> None:
    (fault,) = undecided(name, policy_of(f"package planlint\n{SLOW[kind]}\n")).faults
    assert fault.reason in (Reason.LIMIT, Reason.FAILURE)


@pytest.mark.parametrize("name", NAMES)
def test_what_takes_too_much_memory(name: str) -> None:
    doubled = "\n".join(f'x{n} := concat("", [x{n - 1}, x{n - 1}])' for n in range(1, 40))
    text = f'x0 := "0123456789"\n{doubled}\ndeny if startswith(x39, "1")'
    undecided(name, policy_of(f"package planlint\n{text}\n"), 3.0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('http.send({"method": "get", "url": "http://127.0.0.1:1/"}).status_code', "http.send"),
        ("opa.runtime().env.PATH", "opa.runtime"),
        ("time.now_ns() > 0", "time.now_ns"),
    ],
)
def test_what_reaches_out(body: str, place: str, name: str) -> None:
    policy = policy_of(f"package planlint\ndeny if {body}\n")
    (fault,) = undecided(name, policy).faults
    assert (fault.rule, fault.reason, fault.path) == ("rego_error", Reason.FAILURE, "policy0.rego")
    assert policy.sources["policy0.rego"].text[slice(*fault.span)] == place


def test_opa_has_no_forbidden_builtin_even_if_the_reader_overlooks_it() -> None:
    policy = policy_of("package planlint\ndeny if count(input.steps) > 5\n")
    (path,) = policy.modules
    text = policy.modules[path].text.replace("count(input.steps) > 5", "opa.runtime().env.PATH")
    found = engine("opa").evaluate({path: policy.modules[path]._replace(text=text)}, ["data.planlint.deny"], [{}], 5.0)
    assert isinstance(found, EngineFault)
    assert "opa.runtime" in found.message


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANCHECK_SECRET", "hidden")
    policy = policy_of("package planlint\ndeny contains x if { some x in input.steps }\n")
    (path,) = policy.modules
    text = "package planlint\ndeny := opa.runtime()\n"
    fresh = Regopy()
    found = fresh.evaluate({path: policy.modules[path]._replace(text=text)}, ["data.planlint.deny"], [{}], 5.0)
    fresh.close()
    assert not isinstance(found, EngineFault)
    assert "hidden" not in str(found)


@pytest.mark.parametrize("name", NAMES)
def test_a_megabyte_of_rules(name: str) -> None:
    rule = 'deny contains "no" if { input.steps[0].tool_name == "some tool or other"; count(input.steps) == 77 }\n'
    for text in (rule * 20_000, rule * 9_900, rule * 1_000):
        verdict = undecided(name, policy_of(f"package planlint\n{text}")) if len(text) > 200_000 else None
        assert verdict is None or verdict.faults[0].reason is Reason.LIMIT


def test_a_crash_of_regopy_and_a_restart() -> None:
    used = Regopy()
    assert judge(used, example("writes"), PLAN).faults == ()
    process = used._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert judge(used, example("writes"), PLAN).faults == ()
    used.close()


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_that_is_killed_midway(name: str) -> None:
    program = Opa(engine("opa")._program) if name == "opa" else Regopy()  # type: ignore[attr-defined]
    judge(program, example("writes"), PLAN)
    killer = threading.Timer(0.5, program.close)
    killer.start()
    started = time.perf_counter()
    verdict = judge(program, policy_of(f"package planlint\n{SLOW['a join']}\n"), PLAN, 20.0)
    killer.join()
    assert time.perf_counter() - started < BOUND
    assert [fault.reason for fault in verdict.faults] == [Reason.FAILURE]
    assert judge(program, example("writes"), PLAN).faults == ()
    program.close()


def test_regopy_that_crashes_by_itself() -> None:
    """A segmentation fault of the library ends its process, not this one."""
    used = Regopy()
    policy = policy_of("package planlint\ndeny if count(input.steps) > 9\n")
    (path,) = policy.modules
    text = 'package planlint\ndeny if startswith(input.steps[_].n, "z")\n'
    module = policy.modules[path]._replace(text=text)
    found = used.evaluate({path: module}, ["data.planlint.deny"], [PLAN.document], 5.0)
    assert isinstance(found, EngineFault)
    assert found.reason is Reason.FAILURE
    assert judge(used, example("writes"), PLAN).faults == ()
    used.close()


# ---- what is missing or mistaken -------------------------------------------------------------------------------------


def test_no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("plancheck.workspace.rego.locate.is_installed", lambda: False)
    (fault,) = judge(find_engine(), example("writes"), PLAN).faults
    assert (fault.reason, fault.message) == (
        Reason.FAILURE,
        "No Rego engine: install opa, or `pip install plancheck[rego]`.",
    )


def test_an_opa_that_is_not_there_or_no_opa(tmp_path: Path) -> None:
    assert isinstance(find_engine(str(tmp_path / "opa")), EngineFault)
    program = tmp_path / "opa"
    program.write_text("#!/bin/sh\necho no\n", encoding="utf-8")
    program.chmod(0o755)
    (fault,) = judge(find_engine(str(program)), example("writes"), PLAN).faults
    assert fault.reason is Reason.FAILURE
    assert "is not a working opa" in fault.message


def test_regopy_where_there_is_no_opa(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert isinstance(find_engine(), Regopy)


MISTAKES = [
    ("package other\ndeny if true\n", "other", "rego_error"),
    ("package planlint\nhelper if true\n", "planlint", "rego_error"),
    ("package planlint\ndeny(x) if x\n", "planlint", "rego_error"),
    ("deny if true\n", "d", "rego_syntax"),
    ("", "", "rego_syntax"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("text", "place", "rule"), MISTAKES)
def test_a_policy_that_decides_nothing(text: str, place: str, rule: str, name: str) -> None:
    (fault,) = undecided(name, policy_of(text)).faults
    assert (fault.rule, fault.reason, text[slice(*fault.span)]) == (rule, Reason.FAILURE, place)


def test_tests_are_no_policy() -> None:
    policy = read_rego_policy({"plan_test.rego": "package planlint\ndeny if true\n"})
    assert [fault.reason for fault in policy.faults] == [Reason.FAILURE]


COMPILE_ERRORS = [
    ("package planlint\ndeny if { x := ; }\n", 2, "rego_syntax"),
    ("package planlint\n\ndeny if }\n", 3, "rego_syntax"),
    ('package planlint\ndeny if { x := "ü"; foo(x) }\n', 2, "rego_error"),
    ("package planlint\ndeny if {\n\tinputt.steps\n}\n", 3, "rego_error"),
    ("package planlint\nimport rego.v1\ndeny if true\nhelper { true }\n", 4, None),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("text", "line", "rule"), COMPILE_ERRORS)
def test_a_compile_error_at_its_place(text: str, line: int, rule: str | None, name: str) -> None:
    policy = policy_of(text)
    faults = undecided(name, policy).faults
    assert faults == compile_faults(engine(name), policy)
    assert faults[0].path == "policy0.rego"
    assert policy.sources["policy0.rego"].line_of(faults[0].span.start) == line
    assert rule in (None, faults[0].rule)


def test_the_column_of_a_compile_error() -> None:
    text = 'package planlint\ndeny if { x := "ü"; foo(x) }\n'
    for name in NAMES:
        (fault,) = compile_faults(engine(name), policy_of(text))
        assert text[slice(*fault.span)] == "foo"


def test_v0_is_for_opa_only() -> None:
    policy = policy_of('package planlint\ndeny[msg] { input.steps[_].tool_name == "db.write"; msg := "no" }\n')
    verdict = judge(engine("opa"), policy, PLAN)
    assert [(one.firing.message, one.steps) for one in verdict.firings] == [("no", (1,))]
    (fault,) = undecided("regopy", policy).faults[:1]
    assert policy.sources["policy0.rego"].text[slice(*fault.span)] == "{"
    assert "Rego v0" in fault.message


def test_v0_beside_v1() -> None:
    texts = ('package planlint\ndeny[msg] { msg := "old" }\n', "package plancheck\n\ndeny if true\n\ndeny if foo(3)\n")
    (fault,) = compile_faults(engine("opa"), policy_of(*texts))
    assert (fault.path, texts[1][slice(*fault.span)]) == ("policy1.rego", "foo")
    verdict = judge(engine("opa"), policy_of(texts[0], "package plancheck\ndeny if true\n"), PLAN)
    assert [one.firing.rule for one in verdict.firings] == ["deny", "deny"]


@pytest.mark.parametrize("name", NAMES)
def test_rules_that_contradict_one_another(name: str) -> None:
    undecided(name, policy_of("package planlint\ndeny := true if input.steps\ndeny := false if input.steps\n"))


def test_work_can_be_stopped_between_rounds() -> None:
    work = judging(engine("regopy"), example("writes"), plan_of(calls(*["db.write"] * 20)))
    next(work)
    next(work)
    work.close()
    assert judge(engine("regopy"), example("writes"), PLAN).faults == ()


def test_regopy_is_ended_when_it_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancheck.workspace.rego.regopy_engine.MOST_MEMORY", 150_000_000)
    used = Regopy()
    assert judge(used, example("writes"), PLAN).faults == ()
    policy = policy_of("package planlint\nxs := numbers.range(1, 50000000)\ndeny if count(xs) == 1\n")
    (fault,) = judge(used, policy, PLAN, 20.0).faults
    assert (fault.reason, "memory" in fault.message) == (Reason.LIMIT, True)
    used.close()


CROWDED = [
    "allow := true  deny if count(input.steps) > 0",
    "allow if { true } deny if count(input.steps) > 0",
    "deny := false  allow if input.nothing",
    "allow := true default deny := true",
    "x := `a\n` deny if true",
    "f(x) := x\nallow := f(\n\ttrue) deny if true",
    "allow := true\ndeny := false if { true } else := true if { true } requires_hitl := true",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", CROWDED)
def test_a_rule_that_begins_in_the_line_of_another_one_is_not_overlooked(text: str, name: str) -> None:
    """Rego takes both for rules; whoever overlooks the second one allows what it denies."""
    verdict = judge(engine(name), policy_of(f"package plancheck\n\n{text}\n"), plan_of(calls("a.b")))
    assert [fault.rule for fault in verdict.faults] == ["rego_error"]


@pytest.mark.parametrize(
    "text",
    [
        "deny if not allow\nallow if input.steps",
        "deny if { some deny in [1]; deny == 2 }",
        "x := {allow | some allow in [1]}\ndeny if x == 1",
        "deny contains allow if some allow in input.steps",
        "default deny := false\ndeny if allow == false\nallow := true if input.x else := deny",
    ],
)
def test_names_inside_of_rules_are_no_rules(text: str) -> None:
    assert policy_of(f"package plancheck\n\n{text}\n").faults == ()


def test_a_rule_that_only_the_engine_knows_counts() -> None:
    """What is in a package of that name is an object to the engine, and it is asked whatever our reader has seen."""
    policy = policy_of("package plancheck\n\nallow := true\n", 'package plancheck.deny\n\nreason := "no"\n')
    verdict = judge(engine("opa"), policy, plan_of(calls("a.b")))
    assert verdict.denies
