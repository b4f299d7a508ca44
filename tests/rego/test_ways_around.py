"""Ways around a Rego policy, by the command: none of them lets a plan through that the policy would not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import plancheck
from rego.engines import opa_program

PLAN = '[{"tool_name": "crm.find", "args": {"name": "Ada"}}]'
PAYING = '[{"tool_name": "payments.send", "args": {"amount": 10}}]'
BLOCKED = '[{"tool_name": "run_command", "args": {}}]'
DECLARED = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]}]}'
NO_PAYMENTS = """\
package plancheck

deny contains "No payments." if {
	some step in input.steps
	step.tool_name == "payments.send"
}
"""
ALLOWS_EVERYTHING = "package plancheck\n\nallow := true\n"
ONLY_FIND = """\
package plancheck

default allow := false

allow if {
	every step in input.steps { step.tool_name == "crm.find" }
}
"""
ALLOW, DENY, UNDECIDED, HUMAN = 0, 1, 2, 3


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A working directory with a folder of plans that somebody else writes."""
    here = tmp_path / "work"
    (here / "plans").mkdir(parents=True)
    plans = {"a": PLAN, "paying": PAYING, "blocked": BLOCKED, "declared": DECLARED}
    for name, text in plans.items():
        (here / f"plans/{name}.plan.json").write_text(text)
    (here / "no-payments.rego").write_text(NO_PAYMENTS)
    return here


def gate(work: Path, plan: str, *more: str) -> tuple[int, str]:
    ran = plancheck("gate", f"plans/{plan}.plan.json", *more, cwd=work)
    assert "Traceback" not in ran.err + ran.out
    return ran.code, ran.out + ran.err


def verdict(work: Path, plan: str, *more: str) -> int:
    return gate(work, plan, *more)[0]


def checked(work: Path, plan: str, *more: str) -> int:
    ran = plancheck("check", f"plans/{plan}.plan.json", *more, cwd=work)
    assert "Traceback" not in ran.err + ran.out
    return ran.code


# ---- where policies come from ----------------------------------------------------------------------------------------


def test_the_one_that_is_named_counts(work: Path) -> None:
    assert verdict(work, "a", "--policy", "no-payments.rego") == ALLOW
    assert verdict(work, "paying", "--policy", "no-payments.rego") == DENY
    assert checked(work, "a", "--policy", "no-payments.rego") == 0
    assert checked(work, "paying", "--policy", "no-payments.rego") == 1


def test_the_one_of_the_usual_name_above_the_working_directory_counts(work: Path) -> None:
    (work.parent / "plan-policy.rego").write_text(NO_PAYMENTS)
    assert (verdict(work, "a"), verdict(work, "paying")) == (ALLOW, DENY)
    assert (checked(work, "a"), checked(work, "paying")) == (0, 1)


@pytest.mark.parametrize("entry", ["no-payments.rego", "./", "rules", "rules/"])
def test_the_one_that_the_configuration_names_counts(work: Path, entry: str) -> None:
    (work / "rules/below").mkdir(parents=True)
    (work / "rules/below/pay.rego").write_text(NO_PAYMENTS)
    (work / "rules/pay_test.rego").write_text("this is no Rego, and no policy")
    (work / "plancheck.toml").write_text(f'policy = ["{entry}"]\n')
    assert (verdict(work, "a"), verdict(work, "paying")) == (ALLOW, DENY)
    assert (checked(work, "a"), checked(work, "paying")) == (0, 1)


def test_yaml_and_rego_side_by_side_must_both_be_content(work: Path) -> None:
    (work / "plan-policy.rego").write_text(NO_PAYMENTS)
    (work / "plan-policy.yaml").write_text("allow_tools: [payments.send]\n")
    assert (verdict(work, "a"), verdict(work, "paying")) == (DENY, DENY)
    (work / "plan-policy.yaml").write_text("allow_tools: [crm.find]\n")
    assert (verdict(work, "a"), verdict(work, "paying")) == (ALLOW, DENY)


def test_a_yaml_policy_that_allows_does_not_take_away_what_rego_denies(work: Path) -> None:
    (work / "loose.yaml").write_text("allow_tools: [payments.send]\n")
    for order in (("no-payments.rego", "loose.yaml"), ("loose.yaml", "no-payments.rego")):
        assert verdict(work, "paying", "--policy", order[0], "--policy", order[1]) == DENY


def test_two_rego_policies_do_not_see_each_other(work: Path) -> None:
    (work / "only-find.rego").write_text(ONLY_FIND)
    (work / "all.rego").write_text("package plancheck\n\nallow if true\n")
    for order in (("only-find.rego", "all.rego"), ("all.rego", "only-find.rego")):
        assert verdict(work, "paying", "--policy", order[0], "--policy", order[1]) == DENY
        assert verdict(work, "a", "--policy", order[0], "--policy", order[1]) == ALLOW


def test_a_rego_policy_does_not_take_away_what_holds_by_default(work: Path) -> None:
    (work / "all.rego").write_text(ALLOWS_EVERYTHING)
    assert verdict(work, "blocked", "--policy", "all.rego") == DENY
    assert verdict(work, "a", "--policy", "all.rego") == ALLOW


def test_another_package_decides_where_the_configuration_names_it(work: Path) -> None:
    (work / "own.rego").write_text(NO_PAYMENTS.replace("package plancheck", "package company.plans"))
    assert verdict(work, "a", "--policy", "own.rego") == UNDECIDED
    (work / "plancheck.toml").write_text('rego-package = "company.plans"\n')
    assert (verdict(work, "a", "--policy", "own.rego"), verdict(work, "paying", "--policy", "own.rego")) == (
        ALLOW,
        DENY,
    )
    assert checked(work, "paying", "--policy", "own.rego") == 1
    (work / "plancheck.toml").write_text('rego-package = "not a package"\n')
    assert verdict(work, "a", "--policy", "own.rego") == UNDECIDED


# ---- beside the plan -------------------------------------------------------------------------------------------------


def test_a_policy_beside_the_plan_allows_nothing(work: Path) -> None:
    (work / "plan-policy.rego").write_text(ONLY_FIND)
    (work / "plans/plan-policy.rego").write_text(ALLOWS_EVERYTHING)
    assert verdict(work, "paying") == DENY
    assert verdict(work, "a") == ALLOW


def test_a_policy_beside_the_plan_makes_it_stricter(work: Path) -> None:
    (work / "plan-policy.yaml").write_text("allow_tools: [payments.send, crm.find]\n")
    assert verdict(work, "paying") == ALLOW
    (work / "plans/plan-policy.rego").write_text(NO_PAYMENTS)
    assert verdict(work, "paying") == DENY


@pytest.mark.parametrize("configuration", ["policy = []\n", 'rego-package = "nothing"\n', 'policy = ["all.rego"]\n'])
def test_a_configuration_beside_the_plan_switches_nothing_off(work: Path, configuration: str) -> None:
    (work / "plan-policy.rego").write_text(NO_PAYMENTS)
    (work / "plans/all.rego").write_text(ALLOWS_EVERYTHING)
    (work / "plans/plancheck.toml").write_text(f"{configuration}[rules]\nrego_deny = 'off'\n")
    assert verdict(work, "paying") == DENY


def test_no_plan_switches_a_rego_policy_off_for_itself(work: Path) -> None:
    (work / "plan-policy.rego").write_text(NO_PAYMENTS)
    step = {"tool_name": "payments.send", "args": {}, "plancheck-ignore": ["rego_deny"]}
    plan = {"event_type": "agent.plan", "steps": [step], "plancheck-ignore": ["rego_deny"]}
    (work / "plans/ignoring.plan.json").write_text(json.dumps(plan))
    assert (verdict(work, "ignoring"), checked(work, "ignoring")) == (DENY, 1)


@pytest.mark.parametrize("entry", ["../no-payments.rego", "link.rego", "folder"])
def test_a_configuration_beside_the_plan_leads_nowhere_else(work: Path, entry: str) -> None:
    (work / "plans/link.rego").symlink_to(work / "no-payments.rego")
    (work / "plans/folder").mkdir()
    (work / "plans/folder/link.rego").symlink_to(work / "no-payments.rego")
    (work / "plans/plancheck.toml").write_text(f'policy = ["{entry}"]\n')
    code, shown = gate(work, "a")
    assert (code, "outside of its folder" in shown, "No payments" in shown) == (UNDECIDED, True, False)


def test_a_policy_beside_the_plan_that_is_a_link_elsewhere_is_not_read(work: Path) -> None:
    (work / "secret.rego").write_text("package hunter2")
    (work / "plans/plan-policy.rego").symlink_to(work / "secret.rego")
    code, shown = gate(work, "a")
    assert (code, "hunter2" in shown) == (UNDECIDED, False)


def test_a_message_about_what_lies_beside_the_plan_quotes_nothing_of_it(work: Path) -> None:
    (work / "plans/plan-policy.rego").write_text("package hunter2\n\ndeny if hunter2(\n")
    code, shown = gate(work, "a")
    assert (code, "plan-policy.rego" in shown, "hunter2" in shown) == (UNDECIDED, True, False)


def test_an_executable_is_never_named_by_a_file(work: Path) -> None:
    (work / "plancheck.toml").write_text('opa = "./evil"\n')
    (work / "evil").write_text("#!/bin/sh\ntouch ran\n")
    (work / "evil").chmod(0o755)
    assert verdict(work, "a", "--policy", "no-payments.rego") == UNDECIDED
    assert not (work / "ran").exists()


# ---- what cannot be evaluated ----------------------------------------------------------------------------------------

BROKEN = {
    "nothing": b"",
    "no package": b"deny if true\n",
    "bad syntax": b"package plancheck\n\ndeny if {\n",
    "package misspelt": NO_PAYMENTS.replace("plancheck", "planchek").encode(),
    "no rules": b"package plancheck\n\nhelper := 1\n",
    "rules misspelt": NO_PAYMENTS.replace("deny", "denied").encode(),
    "a function in place of a rule": b"package plancheck\n\ndeny(x) if x == 1\n",
    "an unsafe variable": b"package plancheck\n\ndeny if {\n\tx > 1\n}\n",
    "an unknown function": b"package plancheck\n\ndeny if {\n\tno_such_function(1)\n}\n",
    "the network": b'package plancheck\n\ndeny if http.send({"method": "get", "url": "http://x"}).status_code == 200\n',
    "the environment": b'package plancheck\n\ndeny if opa.runtime().env.HOME == "x"\n',
    "bytes that are no text": b"package plancheck\n\n# \xff\ndeny if false\n",
    "too large": b"package plancheck\n\ndeny if false\n" + b"#" * 1_000_001,
    "a conflict": b"package plancheck\n\ndeny := true\n\ndeny := false\n",
}


@pytest.mark.parametrize("engine", ["regopy", "opa"])
@pytest.mark.parametrize("what", BROKEN)
def test_a_policy_that_cannot_be_evaluated_decides_nothing(work: Path, what: str, engine: str) -> None:
    more: tuple[str, ...] = ()
    if engine == "opa":
        program = opa_program()
        if program is None:
            pytest.skip("there is no opa")
        more = ("--opa", program)
    (work / "plan-policy.rego").write_bytes(BROKEN[what])
    code, shown = gate(work, "a", *more)
    assert (code, "plan-policy.rego" in shown) == (UNDECIDED, True), shown
    assert checked(work, "a", *more) == 2


def test_a_policy_that_is_not_there(work: Path) -> None:
    for entry in ("missing.rego", "missing/"):
        assert verdict(work, "a", "--policy", entry) == UNDECIDED
        assert checked(work, "a", "--policy", entry) == 2
    (work / "plan-policy.rego").symlink_to("nowhere.rego")
    assert (verdict(work, "a"), checked(work, "a")) == (UNDECIDED, 2)


def test_a_folder_in_the_place_of_a_policy(work: Path) -> None:
    (work / "plan-policy.rego").mkdir()
    (work / "plan-policy.rego/all.rego").write_text(ALLOWS_EVERYTHING)
    assert (verdict(work, "a"), checked(work, "a")) == (UNDECIDED, 2)


def test_a_folder_with_nothing_but_tests(work: Path) -> None:
    (work / "rules").mkdir()
    (work / "rules/a_test.rego").write_text(NO_PAYMENTS)
    code, shown = gate(work, "a", "--policy", "rules")
    assert (code, "no .rego file that is not a test" in shown) == (UNDECIDED, True)
    assert verdict(work, "a", "--policy", "rules/a_test.rego") == UNDECIDED


def test_a_folder_of_which_one_file_cannot_be_read(work: Path) -> None:
    (work / "rules").mkdir()
    (work / "rules/a.rego").write_text(ALLOWS_EVERYTHING)
    (work / "rules/b.rego").symlink_to("nowhere")
    assert verdict(work, "a", "--policy", "rules") == UNDECIDED
    (work / "rules/b.rego").unlink()
    (work / "rules/below").symlink_to(work)
    assert verdict(work, "a", "--policy", "rules") == UNDECIDED
    (work / "rules/below").unlink()
    assert verdict(work, "a", "--policy", "rules") == ALLOW


def test_an_engine_that_is_not_there(work: Path) -> None:
    code, shown = gate(work, "a", "--policy", "no-payments.rego", "--opa", "./no-such-opa")
    assert (code, "There is no opa at `./no-such-opa`" in shown) == (UNDECIDED, True)
    assert checked(work, "a", "--policy", "no-payments.rego", "--opa", "./no-such-opa") == 2
    (work / "false").symlink_to("/bin/false")
    assert verdict(work, "a", "--policy", "no-payments.rego", "--opa", "./false") == UNDECIDED


def test_an_endless_policy(work: Path) -> None:
    (work / "slow.rego").write_text(
        "package plancheck\n\ndeny if {\n\tnumbers.range(1, 3000)[a] > 0\n\tsome b in numbers.range(1, 3000)\n"
        "\tsome c in numbers.range(1, 3000)\n\ta + b + c == 0\n}\n"
    )
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa")
    code, shown = gate(work, "a", "--policy", "slow.rego", "--opa", program)
    assert (code, "was stopped" in shown) == (UNDECIDED, True)


# ---- plans -----------------------------------------------------------------------------------------------------------


def test_a_declared_plan_is_not_judged(work: Path) -> None:
    code, shown = gate(work, "declared", "--policy", "no-payments.rego")
    assert (code, "names no tools" in shown) == (UNDECIDED, True)
    assert checked(work, "declared", "--policy", "no-payments.rego") == 2


def test_a_plan_that_is_nested_too_deeply_is_not_judged(work: Path) -> None:
    deep = "[" * 150 + "]" * 150
    (work / "plans/deep.plan.json").write_text(f'[{{"tool_name": "crm.find", "args": {{"name": {deep}}}}}]')
    code, shown = gate(work, "deep", "--policy", "no-payments.rego")
    assert (code, "nested at most" in shown) == (UNDECIDED, True)


def test_a_plan_that_is_no_plan_is_not_judged(work: Path) -> None:
    (work / "plans/broken.plan.json").write_text(PLAN[:-1])
    assert verdict(work, "broken", "--policy", "no-payments.rego") == UNDECIDED


def test_a_secret_in_the_words_of_a_policy_is_masked(work: Path) -> None:
    secret = "AKIA" + "Q3EGRIOZWKZ7XMPA"
    (work / "plans/secret.plan.json").write_text(json.dumps([{"tool_name": "crm.find", "args": {"name": secret}}]))
    (work / "telling.rego").write_text(
        "package plancheck\n\ndeny contains msg if {\n\tsome step in input.steps\n"
        '\tmsg := sprintf("It says %v.", [step.args.name])\n}\n'
    )
    code, shown = gate(work, "secret", "--policy", "telling.rego")
    assert (code, "It says" in shown, secret in shown) == (DENY, True, False)
    ran = plancheck("check", "plans/secret.plan.json", "--policy", "telling.rego", "--format", "json", cwd=work)
    assert ("It says" in ran.out, secret in ran.out) == (True, False)
