"""One judge: the command, the Python API and `validate_plan` say the same under each policy, with each engine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lsp.wire import Wire
from plancheck import check_file
from plancheck.cli.check import run as run_check
from plancheck.cli.gate import run as run_gate
from plancheck.frozen import replace
from plancheck.gate import (
    GovernanceError,
    GovernedToolbox,
    Policy,
    PolicyDecision,
    PolicyGate,
    evaluate_plan,
    load_policy,
)
from plancheck.plan_lint import Status, validate_plan
from plancheck.policy.reading import joined, read_policy, rego_text
from plancheck.policy.rego.files import RegoFiles
from rego.cases import CASES, Case
from rego.engines import EXAMPLES, NAMES, example_names, opa_program

EXIT = {0: "allow", 1: "deny", 2: "undecided", 3: "requires_hitl"}


def opa_for(name: str) -> str | None:
    """The program to name for an engine: without one, the tests find regopy, unless an opa is on the path."""
    if name == "regopy":
        return None
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    return program


@pytest.fixture(autouse=True)
def without_opa_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")


def decision_on(case: Case, name: str) -> PolicyDecision:
    return evaluate_plan(case.plan, policy=load_policy(EXAMPLES / f"{case.policy}.rego"), opa=opa_for(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.policy)
def test_the_api(case: Case, name: str) -> None:
    decision = decision_on(case, name)
    by_default = evaluate_plan(case.plan)
    if by_default.deny:  # an empty plan is denied whatever a policy says
        assert decision.deny
        return
    assert (decision.verdict.value, bool(decision)) == (case.kind, case.kind == "allow")
    if case.kind != "allow":
        package = "kitelogik.agent_plan" if "kitelogik" in decision.rule_matched else "planlint"
        assert decision.rule_matched in (f"{package}.{case.rule}", f"plancheck.{case.rule}")
        assert set(case.steps) <= set(decision.steps)
        assert case.message in ("", decision.reason)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.policy)
def test_validate_plan(case: Case, name: str) -> None:
    expected = decision_on(case, name)
    result = validate_plan(case.plan, EXAMPLES / f"{case.policy}.rego", opa=opa_for(name))
    if expected.allow:
        assert result.status is Status.PASS
    elif expected.requires_hitl:
        assert [warning.code for warning in result.warnings] == ["rego_needs_human"]
        assert result.status is Status.WARN
    else:
        assert result.status is Status.ERROR


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("policy", example_names())
def test_the_commands(
    policy: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = opa_for(name)
    more = ["--policy", str(EXAMPLES / f"{policy}.rego"), *(["--opa", program] if program else [])]
    monkeypatch.chdir(tmp_path)
    for side in ("", "-denied"):
        plan = EXAMPLES / f"{policy}{side}.plan.json"
        decision = evaluate_plan(plan.read_text(encoding="utf-8"), policy=EXAMPLES / f"{policy}.rego", opa=program)
        assert not decision.undecided, decision.reason
        assert EXIT[run_gate([str(plan), *more, "--format", "json"])] == decision.verdict.value
        shown = json.loads(capsys.readouterr().out)
        assert shown == decision.to_dict()
        code = run_check([str(plan), *more, "--format", "json", "--no-cache"])
        (found,) = json.loads(capsys.readouterr().out)["files"]
        assert code == (1 if decision.deny else 0)
        by_rego = [finding for finding in found["findings"] if finding["rule"] in ("rego_deny", "rego_needs_human")]
        assert bool(by_rego) is not decision.allow
        for finding in by_rego:
            assert [other["path"] for other in finding["related"] if "path" in other] == [
                str(EXAMPLES / f"{policy}.rego")
            ]


def test_a_checked_file_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "plan-policy.rego").write_text((EXAMPLES / "approval.rego").read_text(encoding="utf-8"))
    plan = tmp_path / "a.plan.json"
    plan.write_text((EXAMPLES / "approval-denied.plan.json").read_text(encoding="utf-8"))
    (finding,) = check_file(plan).findings
    assert (finding.rule, finding.message) == ("rego_deny", "payments.refund needs an approval before it.")
    plan.write_text((EXAMPLES / "approval.plan.json").read_text(encoding="utf-8"))
    assert check_file(plan).is_clean


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Wire, Path]]:
    folder = tmp_path_factory.mktemp("editor")
    with Wire() as wire:
        wire.start(root=folder)
        yield wire, folder


@pytest.mark.parametrize("policy", example_names())
def test_the_editor_says_the_same(policy: str, editor: tuple[Wire, Path]) -> None:
    wire, root = editor
    folder = root / policy
    folder.mkdir()
    (folder / "plan-policy.rego").write_bytes((EXAMPLES / f"{policy}.rego").read_bytes())
    for side in ("-denied", ""):
        text = (EXAMPLES / f"{policy}{side}.plan.json").read_text(encoding="utf-8")
        decision = evaluate_plan(text, policy=EXAMPLES / f"{policy}.rego")
        expected = sorted(vote.reason for vote in decision.findings if vote.verdict.value != "allow")
        uri = (folder / f"a{side}.plan.json").as_uri()
        wire.open(uri, text)
        found = None
        while found != expected:  # what comes first does not know of Rego; it fails after 20 seconds without more
            items = wire.published(uri)
            found = sorted(item["message"] for item in items if item["severity"] == 1 or "needs_human" in item["code"])


# ---- the Python API --------------------------------------------------------------------------------------------------

PAYING = [{"tool_name": "payments.send", "args": {"amount": 10}}]


def test_a_gate_with_a_rego_policy() -> None:
    gate = PolicyGate(load_policy(EXAMPLES / "approval.rego"))
    assert gate.evaluate_plan(PAYING).rule_matched == "planlint.deny"
    assert gate.evaluate_plan([{"tool_name": "approvals.request", "args": {}}, *PAYING])
    with pytest.raises(GovernanceError, match=r"planlint\.deny: payments.send needs an approval"):
        GovernedToolbox(gate).evaluate_plan(PAYING)


def test_the_context_of_the_caller_counts_and_not_that_of_the_plan() -> None:
    plan = {"steps": [{"tool_name": "db.delete", "args": {}}], "context": {"environment": "test"}}
    gate = PolicyGate(EXAMPLES / "production.rego")
    assert gate.evaluate_plan(plan)
    assert gate.evaluate_plan(plan, {"environment": "production"}).deny
    with pytest.raises(ValueError, match="context"):
        gate.evaluate_plan(plan, {"environment": object()})


def test_the_version_names_text_and_package_and_not_the_place(tmp_path: Path) -> None:
    text = (EXAMPLES / "approval.rego").read_text(encoding="utf-8")
    (tmp_path / "same.rego").write_text(text)
    (tmp_path / "other.rego").write_text(text + "\n")
    first = load_policy(EXAMPLES / "approval.rego").digest
    assert load_policy(tmp_path / "same.rego").digest == first
    assert load_policy(tmp_path / "other.rego").digest != first
    assert load_policy(tmp_path / "same.rego", rego_package="x").digest != first
    assert Policy().digest != first


def test_yaml_and_rego_in_one_policy() -> None:
    yaml = read_policy("max_steps: 80\ngate: {unblock_tools: [run_command]}\n")
    rego = rego_text(RegoFiles((("x.rego", "package plancheck\n\ndeny if count(input.steps) > 60\n"),)))
    policy = joined([yaml, rego])
    assert policy == replace(yaml.policy, rego=rego.policy.rego)
    steps = [{"tool_name": "crm.find", "args": {"n": n}} for n in range(60)]
    assert evaluate_plan(steps, policy=policy)
    assert evaluate_plan([*steps, *steps[:1]], policy=policy).rule_matched == "plancheck.deny"


def test_a_policy_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="load_policy"):
        Policy(rego="package plancheck")  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_gate_that_was_forked_has_an_engine_of_its_own() -> None:
    """Sharing one, each would read the answers to the other's questions."""
    gate = PolicyGate(load_policy(EXAMPLES / "approval.rego"))
    fine = [{"tool_name": "approvals.request", "args": {}}, *PAYING]
    assert gate.evaluate_plan(fine)
    child = os.fork()
    if child == 0:
        wrong = sum(gate.evaluate_plan(fine).verdict.value != "allow" for _ in range(100))
        os._exit(min(wrong, 100))
    verdicts = {gate.evaluate_plan(PAYING).verdict.value for _ in range(100)}
    assert (verdicts, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])) == ({"deny"}, 0)
