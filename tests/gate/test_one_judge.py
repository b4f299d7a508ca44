"""One judge: the command, the Python API, the editor and `validate_plan` say the same of every plan of the corpus."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.corpus import Case, attacks, healthy
from lsp.wire import PULL, Wire
from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES
from plancheck.cli.gate import run as run_gate
from plancheck.gate import PolicyError, evaluate_plan, load_policy
from plancheck.plan_lint import Status, validate_plan
from plancheck.policy.model import NO_POLICY

ATTACKS, HEALTHY = attacks(), healthy()
CASES = [*ATTACKS, *HEALTHY]


def by_name(case: Case) -> str:
    return case.name


def api_verdict(case: Case) -> str:
    try:
        policy = NO_POLICY if case.policy is None else load_policy(case.policy)
    except PolicyError:
        return "undecided"
    decision = evaluate_plan(case.plan, policy=policy)
    assert bool(decision) is decision.allow
    if case.rule is not None:
        assert case.rule in [vote.rule for vote in decision.findings]
    return decision.verdict.value


def test_there_are_enough_of_them() -> None:
    assert len(ATTACKS) >= 150
    assert len(HEALTHY) >= 60


@pytest.mark.parametrize("case", ATTACKS, ids=by_name)
def test_no_attack_is_let_through(case: Case) -> None:
    verdict = api_verdict(case)
    assert verdict != "allow"
    if case.verdict is not None and not (case.reason == "policy-mistake" and case.verdict == "deny"):
        assert verdict == case.verdict


@pytest.mark.parametrize("case", HEALTHY, ids=by_name)
def test_no_healthy_plan_is_held_back(case: Case) -> None:
    assert api_verdict(case) == "allow"


# ---- the command -----------------------------------------------------------------------------------------------------

EXIT = {0: "allow", 1: "deny", 2: "undecided", 3: "requires_hitl"}


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_the_command_says_the_same(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("attack.plan.json").write_bytes(case.plan.encode("utf-8", "surrogatepass"))
    arguments = ["attack.plan.json"]
    if case.policy is not None:
        Path("rules.yaml").write_text(case.policy, encoding="utf-8")
        arguments += ["--policy", "rules.yaml"]
    verdict = EXIT[run_gate(arguments)]
    shown = capsys.readouterr()
    assert shown.out or shown.err
    assert "Traceback" not in shown.err
    if case.verdict is None:
        assert verdict != "allow"
    else:
        assert verdict == case.verdict


# ---- validate_plan ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_validate_plan_says_the_same(case: Case) -> None:
    try:
        policy = NO_POLICY if case.policy is None else load_policy(case.policy)
    except PolicyError:
        return  # such a policy cannot even be made
    expected = evaluate_plan(case.plan, policy=policy)
    result = validate_plan(case.plan, policy)
    if expected.allow:
        assert result.valid
        assert not [warning for warning in result.warnings if warning.code in ("NOT_CHECKED", "needs_human")]
    elif expected.requires_hitl:
        assert result.status is not Status.PASS
    else:
        assert result.status is Status.ERROR


# ---- the editor ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Wire, Path]]:
    folder = tmp_path_factory.mktemp("editor")
    with Wire() as wire:
        wire.start({**PULL, "workspace": {"configuration": False}}, root=folder)
        yield wire, folder


SECURITY = {name for name, rule in RULES.items() if rule.category is Category.SECURITY}


def editor_verdict(items: list[dict[str, Any]], policy: str) -> str:
    """What the diagnostics of a plan amount to, by the rules of semantics.md 1b."""
    unknown_is_denied = "unknown: deny" in policy
    on_warning = {"security_warnings: human": "requires_hitl", "security_warnings: deny": "deny"}
    found = {
        verdict
        for asked, verdict in on_warning.items()
        if asked in policy and any(item["severity"] == 2 and item.get("code") in SECURITY for item in items)
    }
    for item in items:
        reason = (item.get("data") or {}).get("unchecked")
        if reason in ("limit", "failure") or item.get("code") in ("syntax_error", "not_a_plan"):
            found.add("undecided")
        elif reason is not None:
            found.add("deny" if unknown_is_denied else "requires_hitl")
        elif item.get("code") == "needs_human":
            found.add("requires_hitl")
        elif item["severity"] == 1:
            found.add("deny")
    return next((verdict for verdict in ("deny", "undecided", "requires_hitl") if verdict in found), "allow")


def settled_verdict(wire: Wire, uri: str, case: Case) -> str:
    """The verdict once the policy's patterns have been run, which happens behind the editor's back."""
    verdict = "allow"
    for _ in range(100):
        verdict = editor_verdict(wire.pull(uri)["items"], case.policy or "")
        if verdict != "allow" or case.verdict == "allow":
            break
        time.sleep(0.05)
    return verdict


NOT_FOR_THE_EDITOR = {
    "json-empty-text",  # somebody is about to write a plan there
    "late-empty-nodes",  # likewise
    "switched-off-in-the-plan",  # an author may switch off what is advice there
    "formats-nodes-that-name-tools",  # a declared plan: there is nothing that a gate would judge it by
}


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_the_editor_says_the_same(case: Case, editor: tuple[Wire, Path]) -> None:
    wire, folder = editor
    if case.reason == "format-not-judged" or case.name in NOT_FOR_THE_EDITOR or len(case.plan) > 5_000_000:
        pytest.skip("nothing that an editor judges")
    place = folder / case.name
    place.mkdir()
    (place / "plan-policy.yaml").write_text(case.policy or "{}\n", encoding="utf-8")
    uri = (place / "attack.plan.json").as_uri()
    wire.open(uri, case.plan)
    verdict = settled_verdict(wire, uri, case)
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    if case.verdict is None:
        assert verdict != "allow"
    else:
        assert verdict == case.verdict
