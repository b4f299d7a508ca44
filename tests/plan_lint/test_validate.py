"""Codes and risk scores, exactly as specified, over hand-written plans of steps."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from plancheck.plan_lint import (
    ErrorCode,
    Plan,
    PlanError,
    PlanStep,
    PlanWarning,
    Policy,
    Status,
    ValidationResult,
    validate_plan,
)
from plancheck.policy.regexes import Outcome
from plancheck.unknown import Reason
from probe import BLOCKING, MESSAGE, put_in

PAY = "payments.transfer"
SECRET = "AKIAQ3EGRIRKL5Z7XW2M"


class Case(NamedTuple):
    name: str
    steps: list[dict[str, Any]]
    policy: dict[str, Any]
    codes: list[tuple[str, int | None]]
    risk: float
    status: str | None = None


def step(id: str = "a", tool: str = "t", args: Any = None, **more: Any) -> dict[str, Any]:  # noqa: A002
    return {"id": id, "tool": tool, "args": args or {}, **more}


def ok(name: str, steps: list[dict[str, Any]], **policy: Any) -> Case:
    return Case(name, steps, policy, [], 0.0)


def unknown(name: str, steps: list[dict[str, Any]], **policy: Any) -> Case:
    """Nobody can tell: a warning, and never a pass."""
    return Case(name, steps, policy, [], 0.2, "warn")


def bad(
    name: str, steps: list[dict[str, Any]], code: str, at: int | None = 0, risk: float = 0.2, **policy: Any
) -> Case:
    return Case(name, steps, policy, [(code, at)], risk)


def amount(value: Any, tool: str = PAY) -> list[dict[str, Any]]:
    return [step("a", tool, {"amount": value})]


def sql(text: str, tool: str = "db.query_ro", key: str = "query") -> list[dict[str, Any]]:
    return [step("a", tool, {key: text})]


def uses(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [step(name, "t", {"x": text}) for name, text in pairs]


TO_1000: dict[str, Any] = {"bounds": {f"{PAY}.amount": [0, 1000]}}
NESTED: dict[str, Any] = {"bounds": {f"{PAY}.details.fees.amount": [0, 5]}}

CASES = [
    # tools
    ok("no policy allows every tool", [step(tool="anything")]),
    ok("an allowed tool", [step(tool="db.query_ro")], allow_tools=["db.query_ro"]),
    bad("another tool", [step(), step("b", "shell")], "TOOL_DENY", 1, allow_tools=["t"]),
    bad("a prefix of an allowed tool", [step(tool="db")], "TOOL_DENY", allow_tools=["db.query"]),
    bad("longer than an allowed tool", [step(tool="db.query_ro")], "TOOL_DENY", allow_tools=["db.query"]),
    bad("other capitals", [step(tool="DB.query")], "TOOL_DENY", allow_tools=["db.query"]),
    # SQL
    ok("updated_at is not an UPDATE", sql("SELECT updated_at, deleted FROM orders")),
    ok("a word in a string", sql("SELECT * FROM t WHERE note = 'drop table'")),
    ok("a word in a comment", sql("SELECT 1 -- delete")),
    bad("a write through a read-only tool", sql("UPDATE orders SET a = 1"), "TOOL_DENY"),
    bad("in lower case", sql("delete from orders"), "TOOL_DENY"),
    bad("behind a read", sql("SELECT 1; DROP TABLE orders"), "TOOL_DENY"),
    bad("inside a CTE", sql("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"), "TOOL_DENY"),
    bad("sql.query_ro", sql("INSERT INTO t VALUES (1)", "sql.query_ro", "sql"), "TOOL_DENY"),
    ok("db.query may write", sql("INSERT INTO t VALUES (1)", "db.query")),
    ok("db.write may write", sql("INSERT INTO t VALUES (1)", "db.write")),
    unknown("unknown SQL is not denied", sql("${SQL}")),
    bad("a tool that the policy calls read", sql("DELETE FROM t", "bi.ask"), "TOOL_DENY", tools={"bi.ask": "read"}),
    ok("one that it calls write", sql("DELETE FROM t"), tools={"db.query_ro": "write"}),
    # bounds
    ok("the lowest", amount(0), **TO_1000),
    ok("the highest", amount(1000), **TO_1000),
    bad("just below", amount(-0.01), "BOUND_VIOLATION", **TO_1000),
    bad("just above", amount(1000.01), "BOUND_VIOLATION", **TO_1000),
    bad("far above", amount(10**400), "BOUND_VIOLATION", **TO_1000),
    unknown("true is not a number", amount(True), bounds={f"{PAY}.amount": [5, 6]}),
    unknown("false is not a number", amount(False), bounds={f"{PAY}.amount": [5, 6]}),
    unknown("a string is not a number", amount("5000"), **TO_1000),
    unknown("a reference is not a number", amount("${QUOTE}"), **TO_1000),
    unknown("null is not a number", amount(None), **TO_1000),
    ok("no such argument", [step("a", PAY, {"sum": 5000})], **TO_1000),
    ok("another tool's argument", amount(5000, "payments.refund"), **TO_1000),
    bad("a tool without a dot", amount(5, "pay"), "BOUND_VIOLATION", bounds={"pay.amount": [0, 1]}),
    bad(
        "a nested path",
        [step("a", PAY, {"details": {"fees": {"amount": 5.5}}})],
        "BOUND_VIOLATION",
        **NESTED,
    ),
    ok("a nested path at its bound", [step("a", PAY, {"details": {"fees": {"amount": 5}}})], **NESTED),
    bad(
        "inside a list",
        [step("a", PAY, {"items": [{"n": 1}, {"n": 9}]})],
        "BOUND_VIOLATION",
        bounds={f"{PAY}.items.n": [0, 5]},
    ),
    bad("a key with a dot", [step("a", PAY, {"a.b": 9})], "BOUND_VIOLATION", bounds={f"{PAY}.a.b": [0, 5]}),
    Case(
        "every tool that a key can be about",
        [step("a", "payments", {"transfer": {"amount": 5000}}), step("b", PAY, {"amount": 5000})],
        TO_1000,
        [("BOUND_VIOLATION", 0), ("BOUND_VIOLATION", 1)],
        0.2,
    ),
    bad(
        "without the longer tool the shorter one",
        [step("a", "payments", {"transfer": {"amount": 5000}})],
        "BOUND_VIOLATION",
        **TO_1000,
    ),
    Case(
        "two arguments, one code",
        [step("a", PAY, {"amount": -1, "fee": 9})],
        {"bounds": {f"{PAY}.amount": [0, 1], f"{PAY}.fee": [0, 1]}},
        [("BOUND_VIOLATION", 0), ("BOUND_VIOLATION", 0)],
        0.2,
    ),
    # secrets
    bad("a built-in shape", [step(args={"k": SECRET})], "RAW_SECRET"),
    bad("nested", [step(args={"a": [{"b": [f"x {SECRET} y"]}]})], "RAW_SECRET"),
    bad("a pattern of the policy", [step(args={"k": "tok-12345"})], "RAW_SECRET", deny_tokens_regex=["tok-[0-9]+"]),
    bad(
        "a pattern on a number", [step(args={"k": 4111111111111111})], "RAW_SECRET", deny_tokens_regex=["^4[0-9]{15}$"]
    ),
    bad("a pattern on a key", [step(args={"tok-12345": "x"})], "RAW_SECRET", deny_tokens_regex=["tok-[0-9]+"]),
    ok("a UUID", [step(args={"k": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"})]),
    ok("a hash", [step(args={"k": "d41d8cd98f00b204e9800998ecf8427e"})]),
    ok("a reference", [step(args={"k": "${AWS_ACCESS_KEY_ID}"})], deny_tokens_regex=["AWS[A-Z_]+"]),
    Case("two hits", [step(args={"a": SECRET, "b": SECRET})], {}, [("RAW_SECRET", 0), ("RAW_SECRET", 0)], 0.2),
    # loops
    bad("two steps in a circle", uses(("a", "{{b.result}}"), ("b", "{{a.result}}")), "LOOP_DETECTED", None),
    bad(
        "a step of itself",
        uses(
            ("a", "x ${a.result.y} z"),
        ),
        "LOOP_DETECTED",
        None,
    ),
    bad("depends_on", [step("a", depends_on=["b"]), step("b", depends_on=["a"])], "LOOP_DETECTED", None),
    ok("fan-in is not a cycle", uses(("a", "1"), ("b", "2"), ("c", "{{a.result}} {{b.result}}"))),
    ok("step1 is not step10", uses(("step1", "x"), ("step10", "${{step1.result}}"))),
    ok("the id in prose", uses(("a", "b has a result"), ("b", "{{a.result}}"))),
    bad("unicode ids", uses(("größe", "{{価格.result}}"), ("価格", "${größe.result}")), "LOOP_DETECTED", None),
    ok("unicode ids in a row", uses(("größe", "1"), ("価格", "${größe.result}"))),
    # steps
    bad("no steps", [], "SCHEMA_INVALID", None),
    bad("a step that is not there", uses(("a", "{{b.result}}")), "SCHEMA_INVALID"),
    ok("one step", [step()], max_steps=1),
    ok("100 steps", [step(f"s{n}") for n in range(100)]),
    bad("101 steps", [step(f"s{n}") for n in range(101)], "MAX_STEPS_EXCEEDED", None),
    bad("one of none", [step()], "MAX_STEPS_EXCEEDED", None, max_steps=0),
    # the risk
    bad("a weight", [step(tool="x")], "TOOL_DENY", risk=0.7, allow_tools=["t"], risk_weights={"tool_deny": 0.7}),
    bad(
        "its code in capitals",
        [step(tool="x")],
        "TOOL_DENY",
        risk=0.7,
        allow_tools=["t"],
        risk_weights={"TOOL_DENY": 0.7},
    ),
    bad("weight 0", [step(tool="x")], "TOOL_DENY", risk=0.0, allow_tools=["t"], risk_weights={"Tool_Deny": 0}),
    Case(
        "two codes",
        [step("a", PAY, {"amount": 5000, "key": SECRET})],
        {**TO_1000, "risk_weights": {"raw_secret": 0.5}},
        [("BOUND_VIOLATION", 0), ("RAW_SECRET", 0)],
        0.7,
    ),
    Case(
        "never above 1",
        [step("a", "x", {"key": SECRET})],
        {"allow_tools": ["t"], "risk_weights": {"raw_secret": 0.9, "tool_deny": 0.9}},
        [("TOOL_DENY", 0), ("RAW_SECRET", 0)],
        1.0,
    ),
    # the shape
    bad("no tool", [{"id": "a"}], "SCHEMA_INVALID"),
    bad("a number as id", [{"id": 1, "tool": "t"}], "SCHEMA_INVALID"),
    bad("arguments in a list", [{"id": "a", "tool": "t", "args": [1]}], "SCHEMA_INVALID"),
    bad("an unknown on_fail", [step(on_fail="retry")], "SCHEMA_INVALID"),
    Case("one for each fault", [{"args": {}}], {}, [("SCHEMA_INVALID", 0), ("SCHEMA_INVALID", 0)], 0.2),
    ok("parameters", [{"id": "a", "tool": "t", "parameters": {"x": 1}}]),
]


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_codes_and_risk(case: Case) -> None:
    result = validate_plan({"goal": "g", "steps": case.steps}, Policy(**case.policy))
    found = [
        (error.code.value, None if error.code is ErrorCode.LOOP_DETECTED else error.step) for error in result.errors
    ]
    assert found == case.codes
    assert result.risk_score == case.risk
    assert result.status is (Status.ERROR if case.codes else Status(case.status or "pass"))
    assert [warning.code for warning in result.warnings] == (["NOT_CHECKED"] if case.status else [])
    assert result.valid is not bool(case.codes)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_plan_object_says_the_same_as_its_document(case: Case) -> None:
    policy = Policy(**case.policy)
    document = validate_plan({"goal": "g", "steps": case.steps}, policy)
    if any(error.code is ErrorCode.SCHEMA_INVALID for error in document.errors):
        return
    plan = Plan.from_dict({"goal": "g", "steps": case.steps})
    again = validate_plan(Plan.from_json(plan.to_json()), policy)
    assert [(e.code, e.step) for e in again.errors] == [(e.code, e.step) for e in document.errors]


# ---- handlers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "args", "warns"),
    [
        (PAY, {}, True),
        ("notify.mail", {}, True),
        ("db.write", {}, True),
        ("file.delete", {}, True),
        ("db.query", {"sql": "DELETE FROM t"}, True),
        ("db.query", {"sql": "SELECT 1"}, False),
        ("db.query_ro", {"sql": "SELECT 1"}, False),
        ("file.read", {}, False),
        ("crm.find", {}, False),
    ],
)
def test_a_consequential_step_without_a_handler_is_a_warning(tool: str, args: dict[str, Any], warns: bool) -> None:
    plan = Plan([PlanStep("a", tool, args)], "g")
    result = validate_plan(plan, Policy(require_handlers=True))
    assert [(warning.code, warning.step) for warning in result.warnings] == [("MISSING_HANDLER", 0)] * warns
    assert (result.status, result.risk_score) == ((Status.WARN, 0.2) if warns else (Status.PASS, 0.0))
    assert result.valid
    handled = Plan([PlanStep("a", tool, args, on_fail="continue")], "g")
    assert validate_plan(handled, Policy(require_handlers=True)).warnings == []
    assert validate_plan(plan, Policy()).warnings == []


def test_the_risk_of_warnings_alone_can_reach_the_threshold() -> None:
    plan = Plan([PlanStep("a", PAY)], "g")

    def status(weight: float, threshold: float) -> Status:
        weights = {"missing_handler": weight}
        return validate_plan(
            plan, Policy(require_handlers=True, risk_weights=weights, fail_risk_threshold=threshold)
        ).status

    assert (status(0.79, 0.8), status(0.8, 0.8), status(0.2, 0.0), status(0.0, 0.0)) == (
        Status.WARN,
        Status.ERROR,
        Status.ERROR,
        Status.WARN,
    )


def test_a_sum_that_reaches_the_threshold_on_paper_reaches_it() -> None:
    policy = Policy(allow_tools=["t"], risk_weights={"tool_deny": 0.1, "raw_secret": 0.7})
    result = validate_plan(Plan([PlanStep("a", "x", {"k": SECRET})], "g"), policy)
    assert result.risk_score == 0.8


# ---- the policy's own faults, the plan's own wishes ------------------------------------------------------------------


def test_a_bad_pattern_disables_nothing_else_and_is_an_error() -> None:
    plan = Plan([PlanStep("a", "t", {"k": "tok-1"})], "g")
    result = validate_plan(plan, Policy(deny_tokens_regex=["[", "tok-[0-9]"]))
    assert [error.code for error in result.errors] == [ErrorCode.NOT_CHECKED, ErrorCode.RAW_SECRET]
    assert result.errors[0].msg.startswith("The policy has a mistake, so not all of it was checked: ")
    assert (result.warnings, result.risk_score) == ([], 0.4)


def test_a_reversed_bound_is_said_and_bounds_nothing() -> None:
    result = validate_plan(Plan([PlanStep("a", PAY, {"amount": 5})], "g"), Policy(bounds={f"{PAY}.amount": [10, 1]}))
    assert [(error.code, error.step) for error in result.errors] == [(ErrorCode.NOT_CHECKED, None)]
    assert (result.warnings, result.status) == ([], Status.ERROR)


def test_a_weight_that_no_code_has_keeps_nothing_from_being_checked() -> None:
    result = validate_plan(Plan([PlanStep("a", "t")], "g"), Policy(risk_weights={"no_such": 0.5, "not_checked": 0.3}))
    assert [warning.code for warning in result.warnings] == ["policy_unknown_key"]
    assert (result.errors, result.status) == ([], Status.WARN)


def test_a_pattern_that_is_stopped_is_an_error() -> None:
    plan = Plan([PlanStep("a", "t", {"k": "a" * 60 + "!"})], "g")
    result = validate_plan(plan, Policy(deny_tokens_regex=["(a+)+$"]), matcher=Refusing())
    assert result.status is Status.ERROR
    assert {error.code for error in result.errors} == {ErrorCode.NOT_CHECKED}


class Refusing:
    stopped = ("(a+)+$",)

    def __call__(self, pattern: str, value: str) -> Outcome:  # noqa: ARG002 - a Matcher
        return Outcome.STOPPED


@pytest.mark.parametrize("reason", Reason)
def test_what_was_not_checked_is_never_passed(reason: Reason, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in(monkeypatch, reason)
    result = validate_plan(Plan([PlanStep("a", "t")], "g"), Policy(risk_weights={"NOT_CHECKED": 0.3}))
    if reason in BLOCKING:
        assert (result.status, result.valid) == (Status.ERROR, False)
        assert result.errors == [PlanError(ErrorCode.NOT_CHECKED, MESSAGE, 0)]
        assert result.warnings == []
    else:
        assert (result.status, result.valid) == (Status.WARN, True)
        assert result.warnings == [PlanWarning("NOT_CHECKED", MESSAGE, 0)]
        assert result.errors == []
    assert result.risk_score == 0.3


def test_a_plan_cannot_ask_to_be_let_off() -> None:
    document = {
        "plancheck-ignore": ["tool_deny", "raw_secret"],
        "steps": [{"id": "a", "tool": "x", "args": {"k": SECRET}, "plancheck-ignore": ["tool_deny"]}],
    }
    result = validate_plan(document, Policy(allow_tools=["t"]))
    assert [error.code.value for error in result.errors] == ["TOOL_DENY", "RAW_SECRET"]


@pytest.mark.parametrize("document", [[], {}, {"nodes": []}, {"steps": 5}, [{"tool": "a"}]])
def test_what_is_no_plan_of_steps_is_invalid(document: Any) -> None:
    result = validate_plan(document)
    assert {error.code for error in result.errors} == {ErrorCode.SCHEMA_INVALID}


def test_secrets_beside_the_steps_belong_to_no_step() -> None:
    result = validate_plan({"goal": f"use {SECRET}", "meta": {"k": SECRET}, "steps": [step()]})
    assert [(error.code, error.step) for error in result.errors] == [(ErrorCode.RAW_SECRET, None)] * 2


# ---- the types -------------------------------------------------------------------------------------------------------


def test_args_and_parameters_are_the_same() -> None:
    one = PlanStep(id="a", tool="t", args={"x": 1})
    two = PlanStep(id="a", tool="t", parameters={"x": 1})
    assert one == two
    assert one.parameters == two.args == {"x": 1}
    assert one.on_fail == "abort"
    with pytest.raises(ValueError, match="give one of them"):
        PlanStep("a", "t", args={}, parameters={})


def test_json_in_and_out() -> None:
    plan = Plan([PlanStep("a", PAY, {"amount": 5000, "k": SECRET}, depends_on=[])], "pay", {"c": 1}, {"m": 2})
    assert Plan.from_json(plan.to_json()) == plan
    policy = Policy(bounds={f"{PAY}.amount": [0, 10]}, require_handlers=True, tools={"x": "read"})
    assert Policy.from_json(policy.to_json()) == policy
    result = validate_plan(plan, policy)
    assert ValidationResult.from_json(result.to_json()) == result
    assert result.to_dict()["valid"] is False
    assert PlanError(ErrorCode.RAW_SECRET, "m", 3).to_dict() == {"step": 3, "code": "RAW_SECRET", "msg": "m"}
    assert PlanWarning("MISSING_HANDLER", "m").to_dict() == {"step": None, "code": "MISSING_HANDLER", "msg": "m"}


def test_policy_from_yaml() -> None:
    policy, problems = Policy.from_yaml("allow_tools: [a]\nbounds: {a.b: [1, 2]}\nmax_step: 3\ntools: {a: read}\n")
    assert (policy.allow_tools, policy.bounds, policy.tools) == (["a"], {"a.b": [1, 2]}, {"a": "read"})
    assert [problem.rule for problem in problems] == ["policy_unknown_key"]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "list of `steps`"),
        ({"steps": [{"id": "a", "tool": "t"}, 5]}, "step 1"),
        ({"steps": [{"id": "a"}]}, "`tool`"),
    ],
)
def test_a_plan_object_is_only_made_of_a_plan(document: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Plan.from_dict(document)


def test_an_unknown_key_of_a_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="max_step"):
        Policy.from_dict({"max_step": 3})


def _nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def _circle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["again"] = value
    return value


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (_nested(600), ErrorCode.NOT_CHECKED),
        (_nested(20_000), ErrorCode.NOT_CHECKED),
        (_circle(), ErrorCode.NOT_CHECKED),
        (10**5_000, ErrorCode.SCHEMA_INVALID),
        ({(1, 2): 3}, ErrorCode.SCHEMA_INVALID),
    ],
    ids=["deep", "very deep", "circle", "huge number", "key that is no text"],
)
def test_what_cannot_be_written_as_a_document_is_an_error_and_no_exception(value: Any, code: ErrorCode) -> None:
    plan = {"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"k": value}}]}
    result = validate_plan(plan)
    assert [error.code for error in result.errors] == [code]
    assert (result.status, result.valid) == (Status.ERROR, False)
    assert result.risk_score > 0


@pytest.mark.parametrize(
    ("order", "reason"), [("{{find.result}}", "before the run"), ('{"amount": 5000}', "cannot be compared")]
)
def test_a_bounded_argument_inside_of_what_is_given_as_a_string_is_not_known(order: str, reason: str) -> None:
    steps = [{"id": "find", "tool": "find"}, {"id": "p", "tool": "pay", "args": {"order": order}}]
    result = validate_plan({"goal": "g", "steps": steps}, Policy(bounds={"pay.order.amount": [0, 10]}))
    assert result.status is Status.WARN
    (warning,) = result.warnings
    assert (warning.code, warning.step) == ("NOT_CHECKED", 1)
    assert warning.msg.startswith("`amount` must be ")
    assert reason in warning.msg
