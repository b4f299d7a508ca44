"""Case files: what is read from them, and that every mistake is reported at its place."""

from __future__ import annotations

import pytest

from plancheck.gate import Verdict
from plancheck.policy.cases import VERDICTS, PolicyCase, read_cases
from plancheck.text import LineIndex

ONE = "cases:\n  - name: a refund\n    plan: refund.plan.json\n    verdict: allow\n"


def problems(text: str) -> list[str]:
    """What is wrong with a case file, each as line:column message."""
    lines = LineIndex(text)
    found = []
    for problem in read_cases(text).problems:
        where = lines.position(problem.span.start)
        found.append(f"{where.line + 1}:{where.character + 1} {problem.message}")
    return found


def only_case(text: str) -> PolicyCase:
    found = read_cases(text)
    assert found.problems == ()
    (case,) = found.cases
    return case


def test_the_verdicts_are_those_of_the_gate() -> None:
    assert set(VERDICTS) == {verdict.value for verdict in Verdict}


def test_a_case_with_a_plan_in_a_file() -> None:
    case = only_case(ONE)
    assert (case.name, case.verdict, case.steps, case.rule, case.reason) == ("a refund", "allow", None, None, None)
    assert case.plan.file is not None
    assert case.plan.file.path == "refund.plan.json"
    assert read_cases(ONE).policies == ()


def test_a_case_with_everything() -> None:
    text = (
        "policy: [a.yaml, b.rego]\n"
        "cases:\n"
        "  - name: all\n"
        "    plan: {steps: [{id: pay, tool: p, args: {amount: 5}}]}\n"
        "    context: {user: ada}\n"
        "    verdict: deny\n"
        "    steps: [pay, 1]\n"
        "    rule: deny\n"
        "    reason: too much\n"
    )
    case = only_case(text)
    assert [named.path for named in read_cases(text).policies] == ["a.yaml", "b.rego"]
    assert case.plan.file is None
    assert case.plan.plain() == {"steps": [{"id": "pay", "tool": "p", "args": {"amount": 5}}]}
    assert (case.context, case.steps, case.rule, case.reason) == ({"user": "ada"}, ("pay", 1), "deny", "too much")
    start, end = case.plan.span_of("/steps/0/args/amount")
    assert text[start:end] == "5"
    start, _ = case.plan.span_of("/steps/0/args/nothing")
    assert text[start:].startswith("{amount: 5}")


def test_json_text_is_a_plan_and_no_path() -> None:
    case = only_case(ONE.replace("refund.plan.json", "'{\"steps\": ['"))
    assert case.plan.file is None
    assert case.plan.plain() == '{"steps": ['


def test_no_steps_is_something_to_expect() -> None:
    assert only_case(f"{ONE}    steps: []\n").steps == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1:1 A case file must be a mapping with a list of `cases`, not nothing: write `cases: [...]`."]),
        ("[]", ["1:1 A case file must be a mapping with a list of `cases`, not a list: write `cases: [...]`."]),
        ("policy: a.yaml", ["1:1 There are no `cases` in this file: write `cases:` and a list of them."]),
        ("cases:", ["1:7 `cases` must be a list of cases, not nothing."]),
        (f"polcy: a\n{ONE}", ["1:1 `polcy` is not a key of a case file: did you mean `policy`?"]),
        (f"policy: []\n{ONE}", ["1:9 `policy` names no file: name one, or leave `policy` out."]),
        (f"policy: 5\n{ONE}", ["1:9 The policy must be the path of a file, not 5."]),
        (f"{ONE}    stepp: 1\n", ["5:5 `stepp` is not a key of a case: did you mean `step`?"]),
        (f"{ONE}    step: yes\n", ["5:11 Each step must be a position from 0, or a step's id, not true."]),
        (f"{ONE}    step: -1\n", ["5:11 Each step must be a position from 0, or a step's id, not -1."]),
        (f"{ONE}    steps: 1\n", ["5:12 `steps` must be a list of steps, not 1."]),
        (f"{ONE}    step: 1\n    steps: [1]\n", ["2:5 This case has both `step` and `steps`: leave one of them out."]),
        (f"{ONE}    rule: 5\n", ["5:11 `rule` must be a text, not 5: put it in quotes."]),
        (
            ONE.replace("allow", "alow"),
            ["4:14 Unknown verdict `alow`: use allow, deny, requires_hitl or undecided."],
        ),
        (ONE.replace("refund.plan.json", "7"), ["3:11 The plan must be the path of a file, not 7."]),
        (
            ONE + ONE.removeprefix("cases:\n"),
            ["5:11 Another case is called `a refund`, in line 2: rename one of them."],
        ),
    ],
)
def test_mistakes(text: str, expected: list[str]) -> None:
    assert problems(text) == expected


def test_what_a_case_lacks() -> None:
    (problem,) = problems("cases:\n  - {name: a, plan: a.json}\n")
    assert problem.startswith("2:5 This case has no `verdict`: write")


def test_an_empty_list_of_cases() -> None:
    (problem,) = problems("cases: []")
    assert problem.startswith("1:8 There is no case in this list")


def test_a_case_with_a_mistake_hides_no_other() -> None:
    text = f"{ONE}  - name: b\n    plan: b.json\n    verdict: dney\n  - name: c\n    plan: c.json\n    verdict: deny\n"
    assert [case.name for case in read_cases(text).cases] == ["a refund", "c"]
    assert len(problems(text)) == 1


def test_yaml_that_is_none_or_too_much() -> None:
    (problem,) = problems("cases:\n  - name: x\n   plan: [}\n")
    assert problem.startswith("3:4 This is not YAML")
    bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
    for name, before in ("ba", "cb", "dc", "ed"):
        bomb += f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n"
    (problem,) = problems(f"{bomb}cases: *e\n")
    assert "This cannot be a case file: its aliases expand to more than 10,000 values" in problem
    (problem,) = problems("x" * 600_000)
    assert problem == "1:1 This case file is too large: more than 500,000 characters."
