"""Asks Rego policies about plans by an engine, and waits for the answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Any

from plancheck.policy.rego.files import RegoAnswer, RegoFiles
from plancheck.policy.rego.plan_input import PlanInput, PlanQuestion
from plancheck.policy.rego.policy import RegoFault, RegoPolicy, read_rego_policy
from plancheck.policy.rego.verdict import RegoVerdict
from plancheck.unknown import Unknown
from plancheck.workspace.rego.engine import EngineFault, RegoEngine
from plancheck.workspace.rego.evaluate import SECONDS, compile_faults, judge, judge_many
from plancheck.workspace.rego.locate import find_engine

MOST_POLICIES = 50
"""Policies that are remembered as they were read."""


class EngineAsker:
    """One engine for all policies. It is looked for when it is first needed."""

    def __init__(
        self, opa: str | None = None, engine: RegoEngine | EngineFault | None = None, seconds: float = SECONDS
    ) -> None:
        self._opa = opa
        self._engine = engine
        self._seconds = seconds
        self._read: OrderedDict[RegoFiles, RegoPolicy] = OrderedDict()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process of the command has one of its own."""
        return shared_asker, (self._opa,)

    def __call__(self, files: RegoFiles, question: PlanQuestion) -> RegoAnswer | Unknown:
        plan = question.as_input()
        if isinstance(plan, Unknown):
            return plan
        return RegoAnswer(judge(self.engine, self.policy(files), plan, self._seconds))

    def judge_many(self, files: RegoFiles, plans: Sequence[PlanInput]) -> list[RegoVerdict]:
        """What a policy says about several plans, without the steps to blame."""
        return judge_many(self.engine, self.policy(files), plans, self._seconds)

    def faults(self, files: RegoFiles) -> tuple[RegoFault, ...]:
        """What is wrong with a policy by itself."""
        return compile_faults(self.engine, self.policy(files), self._seconds)

    @property
    def engine(self) -> RegoEngine | EngineFault:
        if self._engine is None:
            self._engine = find_engine(self._opa)
        return self._engine

    def policy(self, files: RegoFiles) -> RegoPolicy:
        known = self._read.get(files)
        if known is None:
            known = self._read[files] = read_rego_policy(dict(files.files), files.package)
            while len(self._read) > MOST_POLICIES:
                self._read.popitem(last=False)
        return known

    def close(self) -> None:
        """End what is running, also from another thread."""
        if self._engine is not None and not isinstance(self._engine, EngineFault):
            self._engine.close()


@cache
def shared_asker(opa: str | None = None) -> EngineAsker:
    """The one that library functions use, which have nobody to keep theirs."""
    return EngineAsker(opa)
