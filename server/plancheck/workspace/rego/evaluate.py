"""The judge of plans by a Rego policy: one call of the engine for the verdict, and some for the steps to blame."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from plancheck.policy.rego.plan_input import NO_STEPS, PlanInput
from plancheck.policy.rego.policy import RegoFault, RegoPolicy
from plancheck.policy.rego.rounds import StoppedError, together
from plancheck.policy.rego.source import RegoSource
from plancheck.policy.rego.variants import Variant, varied
from plancheck.policy.rego.verdict import Answer, Reading, RegoVerdict, blamed_firings, read_answer, searches
from plancheck.text import Span
from plancheck.workspace.rego.engine import Answers, EngineFault, EngineProblem, RegoEngine

SECONDS = 5.0
"""That a verdict may take, the search for steps included."""
_PART = 4_000
"""Variants that are judged in one call."""

Judging: TypeAlias = Generator[None, None, RegoVerdict]
"""Work in parts: it yields after each call of the engine, and returns the verdict."""


def judge(
    engine: RegoEngine | EngineFault,
    policy: RegoPolicy,
    plan: PlanInput,
    seconds: float = SECONDS,
    *,
    with_blame: bool = True,
) -> RegoVerdict:
    """What a policy says about a plan; an engine that is not there is one more thing that keeps it from deciding."""
    work = judging(engine, policy, plan, seconds, with_blame=with_blame)
    try:
        while True:
            next(work)
    except StopIteration as end:
        verdict: RegoVerdict = end.value
        return verdict


def judging(
    engine: RegoEngine | EngineFault,
    policy: RegoPolicy,
    plan: PlanInput,
    seconds: float = SECONDS,
    *,
    with_blame: bool = True,
) -> Judging:
    """The same in parts, for those who want to stop in between."""
    end = time.monotonic() + seconds
    (reading,) = _readings(engine, policy, [plan], seconds)
    if not with_blame or not reading.fired or isinstance(engine, EngineFault):
        return RegoVerdict(blamed_firings(reading, (), plan), reading.faults)
    yield
    search = together(list(searches(reading, plan)))
    refs = list(dict.fromkeys(one.asked.ref for one in reading.fired))
    try:
        asked = next(search)
        while True:
            answers = _variants(engine, policy, refs, _documents(plan, asked), end)
            yield
            asked = search.throw(StoppedError()) if isinstance(answers, EngineFault) else search.send(answers)
    except StopIteration as found:
        return RegoVerdict(blamed_firings(reading, found.value, plan), reading.faults)


def judge_many(
    engine: RegoEngine | EngineFault, policy: RegoPolicy, plans: Sequence[PlanInput], seconds: float = SECONDS
) -> list[RegoVerdict]:
    """What a policy says about several plans, in one call of the engine and without the steps to blame."""
    readings = _readings(engine, policy, plans, seconds)
    return [
        RegoVerdict(blamed_firings(reading, (), plan), reading.faults)
        for reading, plan in zip(readings, plans, strict=True)
    ]


def compile_faults(
    engine: RegoEngine | EngineFault, policy: RegoPolicy, seconds: float = SECONDS
) -> tuple[RegoFault, ...]:
    """What is wrong with a policy by itself, for its files in an editor. It is asked about a plan without steps, for
    some mistakes show only then."""
    if policy.faults:
        return policy.faults
    fault = _evaluated(engine, policy, [NO_STEPS], seconds)
    return _faults(fault, policy.sources) if isinstance(fault, EngineFault) else ()


def _readings(
    engine: RegoEngine | EngineFault, policy: RegoPolicy, plans: Sequence[PlanInput], seconds: float
) -> list[Reading]:
    faults = policy.faults
    if not faults:
        answers = _evaluated(engine, policy, [plan.document for plan in plans], seconds)
        if not isinstance(answers, EngineFault):
            return [read_answer(policy, answer) for answer in answers]
        faults = _faults(answers, policy.sources)
    return [Reading((), faults) for _ in plans]


def _evaluated(
    engine: RegoEngine | EngineFault, policy: RegoPolicy, inputs: Sequence[Any], seconds: float
) -> Answers | EngineFault:
    if isinstance(engine, EngineFault):
        return engine
    return engine.evaluate(policy.modules, [asked.ref for asked in policy.asked], inputs, seconds)


def _documents(plan: PlanInput, variants: Sequence[Variant]) -> list[dict[str, Any]]:
    return [varied(plan.document, variant) for variant in variants]


def _variants(
    engine: RegoEngine, policy: RegoPolicy, refs: Sequence[str], inputs: Sequence[Any], end: float
) -> list[Answer] | EngineFault:
    """What some rules say of variants of a plan, in the time that is left."""
    found: list[Answer] = []
    for first in range(0, len(inputs), _PART):
        left = max(end - time.monotonic(), 0.001)
        answers = engine.evaluate(policy.modules, refs, inputs[first : first + _PART], left)
        if isinstance(answers, EngineFault):
            return answers
        found += answers
    return found


def _faults(fault: EngineFault, sources: Mapping[str, RegoSource]) -> tuple[RegoFault, ...]:
    return tuple(_placed(fault, sources)) or (RegoFault("rego_error", fault.reason, fault.message),)


def _placed(fault: EngineFault, sources: Mapping[str, RegoSource]) -> Iterator[RegoFault]:
    for problem in fault.problems:
        span = _span(problem, sources[problem.path])
        yield RegoFault(problem.rule, fault.reason, problem.message, problem.path, span)


def _span(problem: EngineProblem, source: RegoSource) -> Span:
    """The token at a place, or the character; the last token for what is missing behind it."""
    line = source.lines.line_span(max(problem.row - 1, 0))
    offset = min(line.start + max(problem.column - 1, 0), line.end)
    token = next((token for token in source.tokens if token.start >= offset), None)
    if token is None and source.tokens:
        return source.tokens[-1].span
    if token is not None and token.start > offset:
        token = None
    return Span(offset, min(offset + 1, len(source.text))) if token is None else token.span
