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

from collections.abc import Iterable, Iterator

from plancheck.analysis.data_facts import OFF_BY_ONE, PRODUCERS, Producers
from plancheck.analysis.facts import ANY_ORDER, NAMES, ORDER, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_preds, is_named, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.plan.graph.numbering import OffByOne
from plancheck.plan.graph.order import Order
from plancheck.plan.model import Place


def check(
    steps: Iterable[Link], any_order: bool, producers: Producers, order: Order, names: Names, off: OffByOne | None
) -> Iterator[Finding]:
    for step in steps if any_order and off is None else ():
        position = step.position
        reads, looked_at = step.outline.reads, set(order.preds[position])
        for number, producer, _ in producers.of(position):
            read = reads[number]
            if producer in looked_at or not read.is_reference:
                continue
            looked_at.add(producer)
            if order.ancestors[position] >> producer & 1 or not order.settled[position]:
                continue
            name = names[producer]
            yield Finding(
                Place(position, read.producer_path),
                f"Step {step.name} uses the result of `{name}` and does not wait for it: add `{name}` to `depends_on`.",
                step.outline.identity,
                read.resource,
                (Related(names.place(producer), f"Step {name} is here."),),
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
    Severity.WARNING,
    Category.STEPS,
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
    checks=(each_link(check, ANY_ORDER, PRODUCERS, ORDER, NAMES, OFF_BY_ONE),),
    remedies=(Remedy("wait for the step whose result is used", True, _declare),),
)
