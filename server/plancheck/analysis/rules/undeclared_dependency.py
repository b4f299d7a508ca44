"""A step uses the result of another one that it does not wait for.

## What it does
Reports a reference such as `{{fetch.result.total}}` in a step that does not wait for `fetch`: neither by `depends_on`,
nor through other steps, nor, where `depends_on` is left out, by coming after it in the list.

## Why is this bad?
Nothing guarantees that there is a result yet. A runner that starts steps as soon as their dependencies allow may run
the two at the same time.

## What it cannot know
Whether the runner finds references by itself and waits for them. Steps whose dependencies could not all be made out are
left alone.

## Fix safety
Safe: the result cannot be there before, and nothing else changes.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, is_named, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import PlanView, Rule
from plancheck.plan.model import Place


def check(view: PlanView) -> Iterator[Finding]:
    graph = view.graph
    if not graph.any_order:
        return
    for position, edges in enumerate(graph.dependencies):
        step, told = graph.steps[position], set(graph.preds[position])
        for edge in edges:
            read = step.reads[edge.read]
            if edge.producer in told or not read.is_reference:
                continue
            told.add(edge.producer)
            if graph.order.ancestors[position] >> edge.producer & 1 or not graph.order.settled[position]:
                continue
            name, producer = view.plan.steps[position].name, view.plan.steps[edge.producer]
            yield Finding(
                Place(position, read.producer_path),
                f"Step {name} uses the result of `{producer.name}` and does not wait for it: add `{producer.name}` to "
                "`depends_on`.",
                step.identity,
                read.resource,
                (Related(Place(edge.producer, producer.identity_path), f"Step {producer.name} stands here."),),
            )


def _declare(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    producer = finding.related[0].place.step if finding.related else None
    if position is None or producer is None or not is_named(view, producer):
        return
    identity = view.graph.steps[producer].identity
    if identity is not None:
        title = f"Let {step_name(view, position)} wait for {step_name(view, producer)}"
        yield Proposal(title, tuple(add_preds(view, position, [identity])))


RULE = Rule(
    "undeclared_dependency",
    Severity.HINT,
    __doc__,
    bad="""\
{"goal": "report the orders", "steps": [
  {"id": "fetch", "tool": "db.query_ro", "args": {"sql": "SELECT total FROM orders"}},
  {"id": "rates", "tool": "rates.get", "args": {"currency": "EUR"}, "depends_on": []},
  {"id": "report", "tool": "report.make", "args": {"total": "{{fetch.result.total}}"}, "depends_on": ["rates"]}
]}
""",
    good="""\
{"goal": "report the orders", "steps": [
  {"id": "fetch", "tool": "db.query_ro", "args": {"sql": "SELECT total FROM orders"}},
  {"id": "rates", "tool": "rates.get", "args": {"currency": "EUR"}, "depends_on": []},
  {"id": "report", "tool": "report.make", "args": {"total": "{{fetch.result.total}}"}, "depends_on": ["rates", "fetch"]}
]}
""",
    check=check,
    remedies=(Remedy("wait for the step whose result is used", True, _declare),),
)
