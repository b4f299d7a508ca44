"""Typing in a plan of a hundred steps under a Rego policy: `make bench`."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import show
from lsp.test_policies import rules
from lsp.test_rego import opa
from lsp.wire import Wire, replace
from rego.engines import EXAMPLES

STEPS = 100
ROUNDS = 15
IN_FORCE = ("large-amount",)


def plan() -> str:
    tools = ("crm.find", "db.query_ro", "crm.find", "notify.email")
    rows = [json.dumps({"tool_name": tools[i % 4], "args": {"name": f"n{i}", "amount": 10}}) for i in range(STEPS)]
    return "[\n" + ",\n".join(rows) + "\n]\n"


class Typing:
    """An amount in the middle of the plan that goes up and down: a human is needed, or not."""

    def __init__(self, wire: Wire, uri: str) -> None:
        self.wire, self.uri, self.version = wire, uri, 1
        self.line = STEPS // 2 + 1
        self.column = plan().split("\n")[self.line].index("10}")
        wire.open(uri, plan())
        self.published(lambda codes: "too_many_steps" in codes)

    def published(self, wanted: Any) -> float:
        while True:
            items = self.wire.published(self.uri, self.version)
            if wanted(rules(items)):
                return time.perf_counter()

    def edit(self) -> tuple[float, float]:
        """The seconds to the first diagnostics, and to those of Rego."""
        self.version += 1
        is_large = self.version % 2 == 0
        old, new = (2, "5000") if is_large else (4, "10")
        started = time.perf_counter()
        self.wire.change(self.uri, self.version, replace(self.line, self.column, self.column + old, new))
        first = self.published(lambda codes: "too_many_steps" in codes)
        if "needs_policy" in self.uri:
            return first - started, first - started
        last = first
        items = self.wire.log[-1]["params"]["diagnostics"]
        if ("rego_needs_human" in rules(items)) is not is_large:
            last = self.published(lambda codes: ("rego_needs_human" in codes) is is_large)
        return first - started, last - started


def test_typing_under_a_rego_policy(tmp_path: Path) -> None:
    under, without = tmp_path / "under", tmp_path / "needs_policy_not"
    for folder in (under, without):
        folder.mkdir()
    names = [f"{name}.rego" for name in IN_FORCE]
    for name in names:
        (under / name).write_text((EXAMPLES / name).read_text(encoding="utf-8"))
    (under / "plancheck.toml").write_text(f"policy = {json.dumps([*names, 'steps.yaml'])}\n")
    (under / "steps.yaml").write_text("max_steps: 99\n")
    (without / "plan-policy.yaml").write_text("max_steps: 99\n")
    with Wire() as one, Wire() as other:
        one.start(root=under, options={"opa": opa()})
        other.start(root=without)
        ours = Typing(one, (under / "a.plan.json").as_uri())
        plain = Typing(other, (without / "a.plan.json").as_uri())
        for _ in range(2):  # the first ones wait for what is found out once
            ours.edit()
            time.sleep(0.5)
            plain.edit()
        first, last, alone = [], [], []
        for _ in range(ROUNDS):
            shown, judged = ours.edit()
            first.append(shown)
            last.append(judged)
            alone.append(plain.edit()[0])
    milliseconds = [statistics.median(times) * 1000 for times in (alone, first, last)]
    print(
        "\n  without a Rego policy {:.0f} ms; other findings under one {:.0f} ms; Rego {:.0f} ms".format(*milliseconds)
    )
    show("Rego findings of a 100-step plan in ms", milliseconds[2], 300)
    show("other findings, in ms more than without", milliseconds[1] - milliseconds[0], 10)
