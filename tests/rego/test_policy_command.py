"""`plancheck policy` with Rego: the gate judges, whichever engine there is."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cli.command import EXAMPLES, Ran, environment, plancheck, plant
from rego.engines import NAMES, opa_program

POLICY = """\
package plancheck

import rego.v1

# At most one payment.
deny contains msg if {
	count([step | some step in input.steps; step.tool_name == "pay"]) > 1
	msg := "Pay once."
}
"""
CASES = """\
cases:
  - name: two payments
    plan:
      - {tool_name: pay, args: {}}
      - {tool_name: crm.find, args: {}}
      - {tool_name: pay, args: {}}
    verdict: deny
    steps: [0, 2]
    rule: deny
    reason: Pay once.
  - name: one payment
    plan: once.plan.json
    verdict: allow
"""
ONCE = '[{"tool_name": "pay", "args": {}}]\n'
TWICE = '[{"tool_name": "pay", "args": {}}, {"tool_name": "pay", "args": {}}]\n'


def policy(engine: str, *args: str, cwd: Path) -> Ran:
    """The command with opa, or with regopy and no opa to be found."""
    if engine == "regopy":
        return plancheck("policy", *args, cwd=cwd, env={"PATH": str(cwd / "nothing")})
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    return plancheck("policy", *args, "--opa", program, cwd=cwd)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return plant(tmp_path, {"p.rego": POLICY, "p.test.yaml": CASES, "once.plan.json": ONCE, "twice.plan.json": TWICE})


@pytest.mark.parametrize("engine", NAMES)
def test_cases_of_rego_policies(place: Path, engine: str) -> None:
    assert policy(engine, "test", cwd=place) == (0, "2 cases: 2 passed, 0 failed.\n", "")
    plant(place, {"p.rego": POLICY.replace("> 1", "> 0").replace("some step in input.steps", "step := input.steps[0]")})
    ran = policy(engine, "test", cwd=place)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "p.test.yaml:2:11: failed: two payments\n"
        "  steps: expected 0, 2, but found 0\n"
        "  because: Pay once. [plancheck.deny] (p.test.yaml:4:21)\n"
        "p.test.yaml:11:11: failed: one payment\n"
        "  verdict: expected allow, but found deny\n"
        "  because: Pay once. [plancheck.deny] (once.plan.json:1:16)\n"
        "2 cases: 0 passed, 2 failed.\n"
    )


@pytest.mark.parametrize("engine", NAMES)
def test_the_cases_of_the_examples(tmp_path: Path, engine: str) -> None:
    shutil.copytree(EXAMPLES / "rego", tmp_path / "rego")
    ran = policy(engine, "test", "rego", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    names = {path.name.removesuffix(".test.yaml") for path in (tmp_path / "rego").glob("*.test.yaml")}
    assert names >= {"writes", "first-payment", "large-amount"}


@pytest.mark.parametrize("engine", NAMES)
def test_the_context_of_a_case(place: Path, engine: str) -> None:
    text = 'package plancheck\n\nimport rego.v1\n\ndeny if input.context.user != "ada"\n'
    case = "  - {name: %s, plan: {steps: [{tool_name: x}], context: {user: ada}}, verdict: %s, context: %s}\n"
    cases = case % ("a", "allow", "{user: ada}") + case % ("b", "deny", "{user: bob}") + case % ("c", "allow", "null")
    plant(place, {"p.rego": text, "p.test.yaml": f"cases:\n{cases}"})
    assert policy(engine, "test", cwd=place) == (0, "3 cases: 3 passed, 0 failed.\n", "")


def test_yaml_and_rego_of_the_same_name_are_in_force_together(place: Path) -> None:
    plant(place, {"p.yaml": "allow_tools: [pay]\n"})
    ran = policy("opa", "test", "--format", "json", cwd=place)
    (tested,) = ran.json["files"]
    assert (tested["policies"], ran.code) == (["p.yaml", "p.rego"], 0)
    plant(place, {"p.yaml": "allow_tools: [crm.find]\n"})
    assert "one payment\n  verdict: expected allow, but found deny\n" in policy("opa", "test", cwd=place).out


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        (f"{POLICY}deny contains x if true\n", "p.rego:10:", "x is unsafe"),
        (f"{POLICY}deny contains\n", "p.rego:", "unexpected"),
        (POLICY.replace("plancheck", "elsewhere"), "p.rego:1:", "Package `elsewhere` decides nothing here"),
        ("package plancheck\n\nx := 1\n", "p.rego:1:", "has none of the rules `deny`"),
        (f'{POLICY}deny contains "x" if http.send({{}})\n', "p.rego:10:", "http.send"),
    ],
)
def test_policies_with_mistakes(place: Path, text: str, where: str, words: str) -> None:
    """They are findings of `check`, and nothing is judged by them."""
    plant(place, {"p.rego": text, "good.rego": POLICY})
    ran = policy("opa", "check", "-q", "p.rego", cwd=place)
    assert (ran.code, ran.out.startswith(where), words in ran.out) == (1, True, True), ran.out
    for args in (["test"], ["diff", "good.rego", "p.rego", "."], ["diff", "p.rego", "good.rego", "."]):
        ran = policy("opa", *args, cwd=place)
        assert (ran.code, ran.err.startswith(where), words in ran.err) == (2, True, True), ran


def test_an_engine_that_is_not_there(place: Path) -> None:
    for args in (["test"], ["diff", "p.rego", "p.rego", "."], ["check", "p.rego"]):
        ran = plancheck("policy", *args, "--opa", "nowhere/opa", cwd=place)
        assert (ran.code, "There is no opa at `nowhere/opa`: correct the path." in ran.err + ran.out) == (2, True)


def test_a_policy_without_an_end(place: Path) -> None:
    loop = "xs := numbers.range(1, 99999)\n\ndeny contains 1 if {\n\tsome a in xs\n\tsome b in xs\n\ta + b < 0\n}\n"
    plant(place, {"p.rego": POLICY + loop})
    start = time.monotonic()
    ran = policy("opa", "test", cwd=place)
    assert time.monotonic() - start < 30
    assert (ran.code, "was stopped" in ran.err) == (2, True), ran


@pytest.mark.parametrize("engine", NAMES)
def test_plans_whose_verdict_changes(place: Path, engine: str) -> None:
    """From YAML to a folder of Rego."""
    plant(place, {"old.yaml": "allow_tools: [pay]\n", "new/a.rego": POLICY, "new/b_test.rego": "package x\n!"})
    ran = policy(engine, "diff", "old.yaml", "new", "once.plan.json", "twice.plan.json", cwd=place)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "twice.plan.json: allow -> deny\n"
        "  before: The plan keeps to every rule of the policy. [invariants_hold]\n"
        "  after:  Pay once. [plancheck.deny] step 0, 1 (twice.plan.json:1:50)\n"
        "2 plans compared: 1 with another verdict.\n"
    )


def test_the_files_of_a_folder_are_one_policy(place: Path) -> None:
    plant(place, {"both/a.rego": POLICY, "both/b.rego": "package plancheck\n\ndeny if true\n", "empty/x.txt": ""})
    ran = policy("opa", "check", "-q", "both", cwd=place)
    assert (ran.code, "conflicting rules" in ran.out, ran.out.startswith("both/")) == (1, True, True), ran
    assert policy("opa", "check", "-q", "both/a.rego", "both/b.rego", cwd=place) == (0, "", "")
    ran = policy("opa", "check", "empty", cwd=place)
    assert (ran.code, ran.err.startswith("plancheck: empty: this folder has no .rego file")) == (2, True)


def test_what_only_opa_can_evaluate(place: Path) -> None:
    text = 'package plancheck\n\ndeny[msg] {\n\tinput.steps[1].tool_name\n\tmsg := "Pay once."\n}\n'
    cases = "cases:\n  - {name: two steps, plan: twice.plan.json, verdict: deny, step: 1}\n"
    plant(place, {"p.rego": text, "p.test.yaml": cases})
    assert policy("opa", "test", cwd=place) == (0, "1 case: 1 passed, 0 failed.\n", "")
    ran = policy("regopy", "test", cwd=place)
    assert (ran.code, ran.err.startswith("p.rego:3:11: "), "install opa" in ran.err) == (2, True, True), ran


def test_an_interrupt_ends_opa_too(place: Path) -> None:
    """opa has a session of its own, which Ctrl-C does not reach."""
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    own = place / "opa-of-this-test"
    own.symlink_to(Path(program).resolve())
    loop = "xs := numbers.range(1, 99999)\n\ndeny contains 1 if {\n\tsome a in xs\n\tsome b in xs\n\ta + b < 0\n}\n"
    plant(place, {"p.rego": POLICY + loop})
    command = [sys.executable, "-m", "plancheck", "policy", "test", "--opa", str(own)]
    with subprocess.Popen(
        command,
        cwd=place,
        stderr=subprocess.PIPE,
        env=environment({}),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while not _is_running(own, "eval"):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, b"")
    assert not _is_running(own, "eval")


def _is_running(program: Path, command: str) -> bool:
    """Whether some process runs a command of a program, by a path that nobody else uses."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().startswith(f"{program}\0{command}\0".encode()):
                return True
    return False
