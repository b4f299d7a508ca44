"""A value is read again on one path only, and another path leads to the action.

## What it does
An action is a decision, or a step that writes. Reports each action that uses data of a volatile read, with a second
read (`revalidates`) of that resource in between, if a path of the control flow leads from the first read to the action
around every second one. The action is not reported if it reads the resource again itself, or uses data of a step that
does: then that step must have run. Nor is a path that leads through a step which uses such data. Where several actions
use data of one another, the first is reported.

## Why is this bad?
On the other path the action runs with the old value, exactly as if nothing were read again. The missing barrier does
not show, because there is one somewhere.

## What it cannot know
Whether the paths are alternatives or both run. Where a step always waits for all its predecessors, a second read on one
of them comes first anyway: take its value with a `producer`, which says so. Steps whose predecessors could not all be
made out are left alone.

## Fix safety
Unsafe: the tool has to carry out a further read, and what to do when the value has changed is for the author to say.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.data_facts import HAS_FLAGS, REREADS, Staleness
from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import Remedy
from plancheck.analysis.fix.rereads import reread_at, reread_before, reread_on_the_way
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.rereads import Miss, Misuse
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Place

MOST_RELATED = 10


def check(resources: Sequence[Resource], rereads: Staleness, names: Names) -> Iterator[Finding]:
    by_name = {resource.name: resource for resource in resources}
    for misuse in rereads.misuses(resources):
        step = names.identity(misuse.action)
        if misuse.miss is Miss.BYPASSED and step is not None and rereads.is_settled(misuse.action):
            yield Finding(
                names.place(misuse.action),
                f"Step {names[misuse.reread]} re-reads `{misuse.resource}`, but a path from step "
                f"{names[misuse.sources[0]]} to step {step} skips it: re-read it on every path.",
                step,
                misuse.resource,
                tuple(_related(by_name[misuse.resource], misuse, names)),
            )


def _related(resource: Resource, misuse: Misuse, names: Names) -> Iterator[Related]:
    volatile = {use.step: use.read for use in reversed(resource.reads) if use.read.volatile}
    for source in misuse.sources[:MOST_RELATED]:
        yield Related(Place(source, volatile[source].path), f"Step {names[source]} reads the volatile value here.")
    again = next(use.read for use in resource.reads if use.step == misuse.reread and use.read.revalidates)
    yield Related(Place(misuse.reread, again.path), f"Step {names[misuse.reread]} reads it again, on one path only.")


RULE = Rule(
    "barrier_bypassed",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}]},
  {"idx": 1, "agent": "desk", "kind": "decision", "control_preds": [0], "reads": ["order"]},
  {"idx": 2, "agent": "feed", "kind": "tool_call", "control_preds": [1], "reads": [
    {"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 3, "agent": "router", "kind": "tool_call", "control_preds": [1], "reads": ["route"]},
  {"idx": 4, "agent": "payer", "kind": "tool_call", "control_preds": [2, 3], "reads": [
    {"id": "quote", "producer": 0}, "order"], "writes": ["order"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}]},
  {"idx": 1, "agent": "desk", "kind": "decision", "control_preds": [0], "reads": ["order"]},
  {"idx": 3, "agent": "router", "kind": "tool_call", "control_preds": [1], "reads": ["route"]},
  {"idx": 2, "agent": "feed", "kind": "tool_call", "control_preds": [3], "reads": [
    {"id": "quote", "volatile": true, "revalidates": true}]},
  {"idx": 4, "agent": "payer", "kind": "tool_call", "control_preds": [2], "reads": [
    {"id": "quote", "producer": 2}, "order"], "writes": ["order"]}
]}
""",
    checks=(each_resource(check, REREADS, NAMES, where=HAS_FLAGS),),
    remedies=(
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
        Remedy("mark a read on the way with `revalidates`", False, reread_on_the_way),
    ),
)
