"""`plancheck policy test`, `diff` and `check`, as a user runs them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cli.command import EXAMPLES, plancheck, plant

POLICY = "allow_tools: [crm.find, pay]\nbounds: {pay.amount: [0, 100]}\ngate: {needs_human: {pay.amount: 50}}\n"
CASES = """\
cases:
  - name: a small payment
    plan: small.plan.json
    verdict: allow
  - name: a large payment
    plan:
      - {tool_name: crm.find, args: {}}
      - {tool_name: pay, args: {amount: 500}}
    verdict: deny
    step: 1
    rule: bound_violation
"""
SMALL = '[{"tool_name": "pay", "args": {"amount": 5}}]\n'
LARGE = '[\n  {"tool_name": "crm.find", "args": {}},\n  {"tool_name": "pay", "args": {"amount": 70}}\n]\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return plant(
        tmp_path,
        {"p.yaml": POLICY, "p.test.yaml": CASES, "small.plan.json": SMALL, "large.plan.json": LARGE},
    )


def test_cases_that_pass(place: Path) -> None:
    for paths in ([], ["."], ["p.yaml"], ["p.test.yaml"], [str(place)]):
        assert plancheck("policy", "test", *paths, cwd=place) == (0, "2 cases: 2 passed, 0 failed.\n", "")


def test_a_case_that_fails_says_what_is_different_and_where(place: Path) -> None:
    (place / "p.yaml").write_text(POLICY.replace("100", "1000"))
    ran = plancheck("policy", "test", cwd=place)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "p.test.yaml:5:11: failed: a large payment\n"
        "  verdict: expected deny, but found requires_hitl\n"
        "  rule: expected bound_violation, but found needs_human\n"
        "  because: `amount` of step 1 is 500, and above 50 a human must look first. [needs_human] (p.test.yaml:8:41)\n"
        "2 cases: 1 passed, 1 failed.\n"
    )


def test_steps_that_are_not_the_expected_ones(place: Path) -> None:
    steps = '{"goal": "g", "steps": [{"id": "find", "tool": "crm.find", "args": {}}, {"id": "x", "tool": "y"}]}'
    case = "  - {name: %s, plan: s.json, verdict: deny, rule: tool_deny, steps: %s}\n"
    listed = ["[x]", "[1]", "[find]", "[0, 1]", "[5]", "[nobody]", "[]"]
    text = "cases:\n" + "".join(case % (f"c{number}", steps) for number, steps in enumerate(listed))
    plant(place, {"s.json": steps, "p.test.yaml": text})
    ran = plancheck("policy", "test", cwd=place)
    assert [line.strip() for line in ran.out.splitlines() if "steps:" in line] == [
        "steps: expected 0 (find), but found 1 (x)",
        "steps: expected 0 (find), 1 (x), but found 1 (x)",
        "steps: expected 5 (the plan has 2 steps), but found 1 (x)",
        "steps: expected nobody (the plan has no such step), but found 1 (x)",
        "steps: expected none, but found 1 (x)",
    ]
    assert "because: Step x calls `y`, which the policy does not allow" in ran.out
    assert "(s.json:1:" in ran.out
    assert ran.out.endswith("7 cases: 2 passed, 5 failed.\n")


def test_one_of_several_rules_may_be_the_expected_one(place: Path) -> None:
    """Both the amount and the tool are denied."""
    plan = "[{tool_name: rm, args: {}}, {tool_name: pay, args: {amount: 500}}]"
    rules = [("tool_deny", 0, "rm"), ("bound_violation", 1, "100"), ("tool_deny", 1, "rm"), ("tool_deny", 0, "zz")]
    cases = "".join(
        f"  - {{name: {n}{rule}, plan: {plan}, verdict: deny, rule: {rule}, step: {step}, reason: '{reason}'}}\n"
        for n, (rule, step, reason) in enumerate(rules)
    )
    plant(place, {"p.test.yaml": f"cases:\n{cases}"})
    ran = plancheck("policy", "test", "--format", "json", cwd=place)
    assert ran.code == 1
    (tested,) = ran.json["files"]
    assert [case["passed"] for case in tested["cases"]] == [True, True, False, False]
    assert [difference["what"] for difference in tested["cases"][2]["differences"]] == ["steps"]
    assert [difference["what"] for difference in tested["cases"][3]["differences"]] == ["reason"]


def test_json(place: Path) -> None:
    (place / "p.yaml").write_text(POLICY.replace("100", "1000"))
    ran = plancheck("policy", "test", "--format", "json", cwd=place)
    assert (ran.code, ran.err) == (1, "")
    assert ran.json["summary"] == {"passed": 1, "failed": 1, "skipped": 0, "errors": 0}
    (tested,) = ran.json["files"]
    assert (tested["path"], tested["policies"], tested["errors"]) == ("p.test.yaml", ["p.yaml"], [])
    small, large = tested["cases"]
    assert (small["passed"], small["differences"], small["found"]["path"]) == (True, [], "small.plan.json")
    assert (large["name"], large["path"], large["line"], large["column"]) == ("a large payment", "p.test.yaml", 5, 11)
    assert large["expected"] == {"verdict": "deny", "steps": [1], "rule": "bound_violation"}
    assert large["found"]["verdict"] == "requires_hitl"
    assert (large["found"]["steps"], large["found"]["line"], large["found"]["column"]) == ([1], 8, 41)


def test_no_cases_are_never_fine(tmp_path: Path) -> None:
    plant(tmp_path, {"p.yaml": POLICY})
    ran = plancheck("policy", "test", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "plancheck: .: no cases here: write NAME.test.yaml beside the policy, with a list of `cases`.\n"
    ran = plancheck("policy", "test", "p.yaml", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "plancheck: p.yaml: this policy has no cases: write p.test.yaml beside it.\n")
    assert plancheck("policy", "test", "--format", "json", cwd=tmp_path).json["summary"]["errors"] == 1


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"p.test.yaml": CASES.replace("verdict", "verdit")},
            "p.test.yaml:4:5: `verdit` is not a key of a case: did you",
        ),
        (
            {"p.test.yaml": CASES.replace("small.", "no.")},
            "p.test.yaml:3:11: The plan no.plan.json cannot be read: there",
        ),
        (
            {"p.test.yaml": CASES.replace("small.plan.json", ".")},
            "p.test.yaml:3:11: The plan . cannot be read: this is",
        ),
        ({"p.test.yaml": f"policy: q.yaml\n{CASES}"}, "p.test.yaml:1:9: The policy q.yaml cannot be read: there is no"),
        (
            {"q.test.yaml": CASES},
            "q.test.yaml:1:1: There is no policy of the same name beside this file: name one with",
        ),
        (
            {"p.yaml": "alow_tools: [x]\n"},
            "p.yaml:1:1: `alow_tools` is not a key of a policy: did you mean `allow_tools`?",
        ),
        ({"p.yaml": "bounds: [\n"}, "p.yaml:"),
        ({"p.test.yaml": "cases: [\n"}, "p.test.yaml:1:8: This is not YAML"),
    ],
)
def test_what_cannot_be_read_or_run(place: Path, files: dict[str, str], message: str) -> None:
    plant(place, files)
    ran = plancheck("policy", "test", cwd=place)
    assert (ran.code, message in ran.err) == (2, True), ran.err
    assert "error" in ran.out


def test_the_cases_of_a_policy_with_a_mistake_are_not_run(place: Path) -> None:
    plant(place, {"p.yaml": f"{POLICY}max_step: 5\n"})
    ran = plancheck("policy", "test", cwd=place)
    assert (ran.code, ran.out) == (2, "0 cases: 0 passed, 0 failed, 1 error: not everything could be run.\n")


def test_other_cases_are_run_beside_one_that_cannot_be(place: Path) -> None:
    plant(place, {"p.test.yaml": CASES.replace("small.", "no.").replace("bound_violation", "other")})
    ran = plancheck("policy", "test", cwd=place)
    assert ran.code == 2
    assert "  rule: expected other, but found bound_violation\n" in ran.out
    assert ran.out.endswith("1 case: 0 passed, 1 failed, 1 error: not everything could be run.\n")


def test_what_is_no_file(place: Path) -> None:
    os.mkfifo(place / "a.test.yaml")
    (place / "b.test.yaml").symlink_to("b.test.yaml")
    (place / "c.test.yaml").write_bytes(b"cases: \xff")
    (place / "d.test.yaml").mkdir()
    (place / "node_modules").mkdir()
    (place / "node_modules" / "e.test.yaml").write_text("cases: 5")
    ran = plancheck("policy", "test", cwd=place)
    assert ran.code == 2
    assert ran.err == (
        "plancheck: a.test.yaml: this is a pipe, not a file.\n"
        "plancheck: b.test.yaml: this symbolic link leads back to itself.\n"
        "plancheck: c.test.yaml: byte 7 (0xff) is not UTF-8: save the file as UTF-8.\n"
    )
    assert ran.out == "2 cases: 2 passed, 0 failed, 3 errors: not everything could be run.\n"


def test_what_is_wrong_with_the_plan_is_a_verdict(place: Path) -> None:
    text = "cases:\n  - {name: a, plan: '{\"steps\": [', verdict: undecided, rule: syntax_error}\n"
    plant(place, {"p.test.yaml": text})
    assert plancheck("policy", "test", cwd=place).code == 0


def test_the_terminal_is_not_taken_over(place: Path) -> None:
    plant(place, {"p.test.yaml": 'cases:\n  - {name: "\\e[2Jx", plan: small.plan.json, verdict: deny, rule: "\\a"}\n'})
    ran = plancheck("policy", "test", cwd=place)
    assert (ran.code, "\x1b" in ran.out, "\a" in ran.out) == (1, False, False)
    assert "failed: \\x1b[2Jx" in ran.out


# ---- diff ------------------------------------------------------------------------------------------------------------


def test_plans_whose_verdict_changes(place: Path) -> None:
    plant(place, {"new.yaml": POLICY.replace("100", "60")})
    ran = plancheck("policy", "diff", "p.yaml", "new.yaml", ".", cwd=place)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "large.plan.json: requires_hitl -> deny\n"
        "  before: `amount` of step 1 is 70, and above 50 a human must look first. [needs_human] step 1 "
        "(large.plan.json:3:43)\n"
        "  after:  `amount` of step 1 is 70, above the 60 that the policy allows: use a value from 0 to 60. "
        "[bound_violation] step 1 (large.plan.json:3:43)\n"
        "2 plans compared: 1 with another verdict.\n"
    )
    ran = plancheck("policy", "diff", "p.yaml", "p.yaml", ".", cwd=place)
    assert ran == (0, "2 plans compared: 0 with another verdict.\n", "")


def test_another_reason_for_the_same_verdict(place: Path) -> None:
    plant(place, {"new.yaml": POLICY.replace("50", "60")})
    assert plancheck("policy", "diff", "p.yaml", "new.yaml", ".", cwd=place).code == 0
    ran = plancheck("policy", "diff", "--all", "p.yaml", "new.yaml", ".", cwd=place)
    assert ran.code == 1
    assert ran.out.startswith("large.plan.json: requires_hitl, as before\n")
    assert ran.out.endswith("0 with another verdict, 1 with the same verdict for another reason.\n")


def test_a_difference_for_programs(place: Path) -> None:
    plant(place, {"new.yaml": POLICY.replace("100", "60")})
    ran = plancheck("policy", "diff", "--format", "json", "p.yaml", "new.yaml", "-", stdin=LARGE.encode(), cwd=place)
    assert ran.code == 1
    (plan,) = ran.json["changed"]
    assert plan["path"] == "<stdin>"
    assert (plan["before"]["verdict"], plan["before"]["rule"]) == ("requires_hitl", "needs_human")
    assert (plan["after"]["verdict"], plan["after"]["steps"], plan["after"]["line"]) == ("deny", [1], 3)
    assert ran.json["summary"] == {"plans": 1, "changed": 1, "undecided": 0, "errors": 0}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["p.yaml", "no.yaml", "."], "plancheck: no.yaml: there is no such file or folder.\n"),
        (["bad.yaml", "p.yaml", "."], "bad.yaml:1:1: `x` is not a key of a policy"),
        (["p.yaml", "p.yaml", "no.json"], "plancheck: no.json: there is no such file or folder.\n"),
        (["p.yaml", "p.yaml", "bad.yaml"], ""),
    ],
)
def test_what_cannot_be_compared(place: Path, args: list[str], message: str) -> None:
    plant(place, {"bad.yaml": "x: 1\n"})
    ran = plancheck("policy", "diff", *args, cwd=place)
    assert (ran.code, message in ran.err) == (2, True), ran
    assert bool(ran.err) == bool(message)
    document = plancheck("policy", "diff", "--format", "json", *args, cwd=place).json
    assert document["errors"] or document["undecided"]


# ---- check -----------------------------------------------------------------------------------------------------------


def test_policies_and_case_files_are_checked(place: Path) -> None:
    assert plancheck("policy", "check", "p.yaml", "p.test.yaml", cwd=place) == (
        *(0, "2 files checked: no findings.\n", ""),
    )
    plant(place, {"p.yaml": f"{POLICY}max_step: 5\n", "p.test.yaml": CASES.replace("deny", "dney")})
    ran = plancheck("policy", "check", "-q", "p.yaml", "p.test.yaml", cwd=place)
    assert ran.code == 1
    assert ran.out == (
        "p.yaml:4:1: error[policy_unknown_key] `max_step` is not a key of a policy: did you mean `max_steps`?\n"
        "p.test.yaml:9:14: error[policy_bad_value] Unknown verdict `dney`: "
        "use allow, deny, requires_hitl or undecided.\n"
    )
    assert plancheck("policy", "check", "--fail-on", "never", "p.yaml", cwd=place).code == 0
    ran = plancheck("policy", "check", "--format", "json", "p.yaml", cwd=place)
    assert ran.json["files"][0]["findings"][0]["rule"] == "policy_unknown_key"


def test_a_policy_that_cannot_be_read(place: Path) -> None:
    ran = plancheck("policy", "check", "p.yaml", "no.yaml", cwd=place)
    assert (ran.code, ran.err) == (2, "plancheck: no.yaml: there is no such file or folder.\n")


def test_a_bound_that_no_plan_needs(place: Path) -> None:
    plant(place, {"p.yaml": POLICY.replace("pay.amount: [", "pai.amount: [")})
    assert plancheck("policy", "check", "p.yaml", cwd=place).code == 0
    ran = plancheck("policy", "check", "p.yaml", "--plans", ".", "--fail-on", "hint", cwd=place)
    assert (ran.code, "policy_unused_bound" in ran.out) == (1, True), ran.out
    plant(place, {"p.yaml": POLICY})
    assert plancheck("policy", "check", "p.yaml", "--plans", ".", "--fail-on", "hint", cwd=place).code == 0


# ---- the command -----------------------------------------------------------------------------------------------------


def test_help_and_misspelt_commands() -> None:
    ran = plancheck("policy", "--help")
    assert (ran.code, "  test " in ran.out, "  diff " in ran.out, "  check " in ran.out) == (0, True, True, True)
    assert plancheck("policy").code == 2
    ran = plancheck("policy", "tests")
    assert (ran.code, ran.err) == (2, "plancheck policy: unknown command `tests`: did you mean `test`?\n")
    for command in ("test", "diff", "check"):
        ran = plancheck("policy", command, "--help")
        assert (ran.code, f"usage: plancheck policy {command}" in ran.out) == (0, True)
        assert plancheck("policy", command, "--nonsense").code == 2


def test_the_cases_of_the_examples(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    ran = plancheck("policy", "test", "examples/flows", "examples/gate", "examples/steps", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "22 cases: 22 passed, 0 failed.\n"), ran.out


def test_a_mistake_in_a_policy_is_at_its_pointer_in_json(tmp_path: Path) -> None:
    plant(tmp_path, {"plan-policy.yaml": "allow_tool: [a]\nbounds: {pay.amount: [0]}\n", "a.calls.json": "[]"})
    found = plancheck("check", "--format", "json", ".", cwd=tmp_path).json["files"]
    (policy,) = [file for file in found if file["path"].endswith("plan-policy.yaml")]
    assert [(f["rule"], f["pointer"]) for f in policy["findings"]] == [
        ("policy_unknown_key", "/allow_tool"),
        ("policy_bad_bound", "/bounds/pay.amount"),
    ]
