"""The engines that the tests run, and plans as they see them. Without an opa its tests are skipped, with one line."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plancheck.plan.lower import lower
from plancheck.policy.rego.plan_input import PlanInput, context_of, plan_input
from plancheck.policy.rego.policy import RegoPolicy, read_rego_policy
from plancheck.syntax.json import read
from plancheck.workspace.rego.engine import RegoEngine
from plancheck.workspace.rego.opa import Opa
from plancheck.workspace.rego.regopy_engine import Regopy

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples" / "rego"
NAMES = ("opa", "regopy")


def opa_program() -> str | None:
    """The opa of the environment, of the path, or the one that `scripts/set-up-opa.sh` made."""
    made = ROOT / ".cache" / "opa" / "opa"
    return os.environ.get("PLANCHECK_OPA") or shutil.which("opa") or (str(made) if made.exists() else None)


@cache
def engine(name: str) -> RegoEngine:
    """An engine by its name; the same for all tests of a process."""
    if name == "regopy":
        return Regopy()
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    return Opa(program)


def plan_of(document: Any) -> PlanInput:
    tree = read(document if isinstance(document, str) else json.dumps(document))
    plan = plan_input(lower(tree), context_of(tree))
    assert isinstance(plan, PlanInput)
    return plan


def calls(*steps: str | tuple[str, Mapping[str, Any]], context: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A plan of tool calls, each given by its tool or by tool and arguments."""
    given = [(step, {}) if isinstance(step, str) else step for step in steps]
    listed = [{"tool_name": tool, "args": dict(arguments)} for tool, arguments in given]
    return {"event_type": "agent.plan", "steps": listed, **({"context": dict(context)} if context else {})}


@cache
def example(name: str) -> RegoPolicy:
    path = EXAMPLES / f"{name}.rego"
    policy = read_rego_policy({str(path): path.read_text(encoding="utf-8")})
    assert policy.faults == ()
    return policy


def policy_of(*texts: str, package: str | None = None) -> RegoPolicy:
    return read_rego_policy({f"policy{number}.rego": text for number, text in enumerate(texts)}, package)


def example_names() -> Sequence[str]:
    return sorted(path.stem for path in EXAMPLES.glob("*.rego"))
