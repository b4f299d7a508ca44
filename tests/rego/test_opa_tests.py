"""`*_test.rego`: run by opa, with the policy that they are for, without the world, and in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cli.command import plancheck, plant
from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import EngineFault, RegoTestOutcome
from plancheck.workspace.rego.locate import NO_ENGINE
from plancheck.workspace.rego.opa_tests import NEEDS_OPA, RegoTestRun, run_rego_tests
from plancheck.workspace.rego.regopy_engine import Regopy
from rego.engines import engine, opa_program

POLICY = "package plancheck\n\nimport rego.v1\n\ndeny if count(input.steps) > 3\n"
TESTS = """\
package plancheck_test

import rego.v1
import data.plancheck

test_short if not plancheck.deny with input as {"steps": [1]}

test_long if plancheck.deny with input as {"steps": [1, 2, 3, 4]}
"""


def outcomes(ran: RegoTestRun) -> dict[str, str]:
    return {test.name.rpartition(".")[2]: test.outcome.value for test in ran.tests}


def test_tests_pass_fail_and_are_skipped(tmp_path: Path) -> None:
    more = '\ntest_wrong if plancheck.deny with input as {"steps": []}\n\ntodo_test_later if true\n'
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": TESTS + more})
    ran = run_rego_tests(engine("opa"), str(tmp_path / "p_test.rego"))
    assert ran.problems == ()
    expected = {"test_short": "passed", "test_long": "passed", "test_wrong": "failed", "todo_test_later": "skipped"}
    assert outcomes(ran) == expected
    (wrong,) = (test for test in ran.tests if test.outcome is RegoTestOutcome.FAILED)
    assert (wrong.path, wrong.row, wrong.name) == (str(tmp_path / "p_test.rego"), 10, "plancheck_test.test_wrong")


def test_a_policy_is_tested_without_others_of_its_package(tmp_path: Path) -> None:
    """`other.rego` does not even compile together with it; `library.rego` has another package and is there."""
    policy = POLICY.replace("> 3", "> data.library.most")
    plant(
        tmp_path,
        {
            "p.rego": policy,
            "p_test.rego": TESTS,
            "other.rego": "package plancheck\n\ndeny contains 1\n",
            "library.rego": "package library\n\nmost := 3\n",
        },
    )
    ran = run_rego_tests(engine("opa"), str(tmp_path / "p_test.rego"))
    assert (ran.problems, outcomes(ran)) == ((), {"test_short": "passed", "test_long": "passed"})


def test_a_policy_in_several_files_of_one_package(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "p.rego": POLICY.replace("> 3", "> most"),
            "p_test.rego": TESTS,
            "numbers.rego": "package plancheck\n\nmost := 3\n",
            "all_test.rego": TESTS.replace("plancheck_test", "all_test"),
        },
    )
    for name in ("p_test.rego", "all_test.rego"):
        ran = run_rego_tests(engine("opa"), str(tmp_path / name))
        assert (ran.problems, outcomes(ran)) == ((), {"test_short": "passed", "test_long": "passed"})


@pytest.mark.parametrize(
    ("files", "place", "words"),
    [
        ({"p_test.rego": TESTS.replace("not plancheck", "not (")}, ("p_test.rego", 6), "unexpected"),
        ({"p_test.rego": TESTS + "\ntest_x if nothing(1)\n"}, ("p_test.rego", 10), "undefined function nothing"),
        ({"p.rego": POLICY + "deny if x\n"}, ("p.rego", 6), "var x is unsafe"),
        ({"p_test.rego": TESTS + '\ntest_x if http.send({"url": "x"})\n'}, ("p_test.rego", 10), "http.send"),
        ({"p_test.rego": "package a\n\nx := 1\n"}, ("p_test.rego", 0), "there are no tests in this file"),
        ({"p_test.rego": ""}, ("p_test.rego", 0), ""),
    ],
)
def test_files_that_cannot_be_run(tmp_path: Path, files: dict[str, str], place: tuple[str, int], words: str) -> None:
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": TESTS, **files})
    ran = run_rego_tests(engine("opa"), str(tmp_path / "p_test.rego"))
    assert ran.tests == ()
    assert (Path(ran.problems[0].path).name, ran.problems[0].row) == place
    assert words in ran.problems[0].message


def test_a_test_without_an_end_is_ended(tmp_path: Path) -> None:
    loop = "xs := numbers.range(1, 100000)\n\ntest_loop if count([1 | some a in xs; some b in xs; a + b == 0]) == 0\n"
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": f"{TESTS}\n{loop}"})
    start = time.monotonic()
    ran = run_rego_tests(engine("opa"), str(tmp_path / "p_test.rego"), 1.0)
    assert time.monotonic() - start < 5
    assert "stopped" in ran.problems[0].message if ran.problems else outcomes(ran)["test_loop"] == "failed"


def test_without_opa_one_line_says_so(tmp_path: Path) -> None:
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": TESTS})
    path = str(tmp_path / "p_test.rego")
    for other in (Regopy(), NO_ENGINE):
        assert [problem.message for problem in run_rego_tests(other, path).problems] == [NEEDS_OPA]
    fault = EngineFault(Reason.FAILURE, "There is no opa at `x`: correct the path.")
    assert [problem.message for problem in run_rego_tests(fault, path).problems] == [fault.message]


def test_the_command_runs_them(tmp_path: Path) -> None:
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": TESTS})
    ran = plancheck("policy", "test", "--opa", program, cwd=tmp_path)
    assert ran == (0, "2 cases: 2 passed, 0 failed.\n", "")
    plant(tmp_path, {"p.rego": POLICY.replace("> 3", "> 4")})
    ran = plancheck("policy", "test", "--opa", program, cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == ("p_test.rego:8:1: failed: plancheck_test.test_long\n2 cases: 1 passed, 1 failed.\n")
    ran = plancheck("policy", "test", "--opa", program, "--format", "json", cwd=tmp_path)
    assert [test["outcome"] for test in ran.json["files"][0]["rego_tests"]] == ["passed", "failed"]


def test_the_command_without_opa(tmp_path: Path) -> None:
    plant(tmp_path, {"p.rego": POLICY, "p_test.rego": TESTS})
    ran = plancheck("policy", "test", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert (ran.code, ran.err) == (2, f"plancheck: p_test.rego: {NEEDS_OPA}\n")
    ran = plancheck("policy", "test", "--opa", "nowhere/opa", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "plancheck: p_test.rego: There is no opa at `nowhere/opa`: correct the path.\n")
