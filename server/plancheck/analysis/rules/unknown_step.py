"""A step names another one that does not exist.

## What it does
Reports an entry of `control_preds` or `depends_on`, a `producer`, or a reference such as `{{fetch.result}}`, that names
no step. A step that names the same one several times, by `depends_on` and by references, is reported once.

## Why is this bad?
The plan waits for something, or relies on something, that nobody does.

## Fix safety
Unsafe: which step was meant, only the author knows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest

from plancheck.analysis.data_facts import OFF_BY_ONE
from plancheck.analysis.facts import ADDRESSES, IDENTITIES
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import drop_producer, is_named, remove_entry, source_of, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveMember, SetValue
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.cached import cached_property
from plancheck.plan.dialects.keys import LONGEST_COMPARED, comparable, nearest
from plancheck.plan.graph.addresses import Addresses
from plancheck.plan.graph.numbering import OffByOne
from plancheck.plan.model import Identity, Outline, Place, Read
from plancheck.syntax.tree import Within

MOST_NAMES = 500
"""In a larger plan, only names that differ in capitals and the like are taken for misspellings."""
LONGEST_NAME = 40
"""How much of a name is looked at to tell whether another one differs from it in a letter."""
MOST_COMPARED = 40
"""How many names a misspelt one is compared with, those of about its length first."""
MOST_HINTS = 3
"""How many misspelt names of a step are compared at all."""


def check(
    steps: Iterable[Link], known: Mapping[Identity, int], addresses: Addresses, off: OffByOne | None
) -> Iterator[Finding]:
    hints = _Hints(known)
    for step in steps:
        position = step.position
        outline = step.outline
        hints.left = MOST_HINTS
        references = {} if off is not None else _references(step, known, addresses)
        for pred in outline.preds or ():
            if pred.identity not in known:
                hint = hints.about(pred.identity, "name an earlier step.")
                message = f"Step {step.name} waits for step {pred.identity}, which does not exist: {hint}"
                related = _related(position, references.pop(pred.identity, ()))
                yield Finding(Place(position, pred.path), message, step=outline.identity, related=related)
        for read in outline.reads:
            if read.producer is None or read.producer in known:
                continue
            related = ()
            if read.is_reference:
                uses = references.pop(read.producer, ())
                if not uses:
                    continue
                does, otherwise, related = "uses the result of", "name an earlier step.", _related(position, uses[1:])
            else:
                does = f"takes `{read.resource}` from"
                otherwise = "name an earlier step, or leave `producer` out."
            hint = hints.about(read.producer, otherwise)
            message = f"Step {step.name} {does} step {read.producer}, which does not exist: {hint}"
            yield Finding(Place(position, read.producer_path), message, outline.identity, read.resource, related)


def _references(step: Link, known: Mapping[Identity, int], addresses: Addresses) -> dict[Identity, list[Read]]:
    """The references to steps that do not exist, by the names in them. `bad_reference` is about those of which it is
    known which step they mean."""
    found: dict[Identity, list[Read]] = {}
    for read in step.outline.reads:
        name = read.producer
        if read.is_reference and name is not None and name not in known:
            if name in found:
                found[name].append(read)
            elif addresses.meant(str(name), step.position) is None:
                found[name] = [read]
    return found


def _related(position: int, reads: Iterable[Read]) -> tuple[Related, ...]:
    return tuple(Related(Place(position, read.producer_path), "The same step again.") for read in reads)


class _Hints:
    """What to do about a name that no step has."""

    def __init__(self, known: Iterable[Identity]) -> None:
        self._known = known
        self.left = MOST_HINTS

    def about(self, wrong: Identity, otherwise: str) -> str:
        if isinstance(wrong, int) or wrong.isdecimal():
            return otherwise
        self.left -= 1
        right = _nearest(wrong, self._alike(wrong)) if self.left >= 0 else None
        return "name a step of this plan." if right is None else f"did you mean `{right}`?"

    def _alike(self, wrong: str) -> list[str]:
        """The names to compare with: those that differ in about a letter or, where there are none, a few."""
        if len(self._names) > MOST_NAMES:
            return []
        found = [name for spelling in _with_a_letter_less(wrong) for name in self._by_spelling.get(spelling, ())]
        return found[:MOST_COMPARED] or nsmallest(
            MOST_COMPARED, self._names, key=lambda name: abs(len(name) - len(wrong))
        )

    @cached_property
    def _names(self) -> list[str]:
        return [name for name in self._known if isinstance(name, str)]

    @cached_property
    def _by_spelling(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names:
            for spelling in _with_a_letter_less(name):
                found.setdefault(spelling, []).append(name)
        return found


def _with_a_letter_less(word: str) -> Iterator[str]:
    folded = word.lower()[:LONGEST_NAME]
    yield folded
    yield from (folded[:i] + folded[i + 1 :] for i in range(len(folded)) if len(folded) > 1)


def _nearest(wrong: str, names: list[str]) -> str | None:
    """The step that was probably meant. Something is wrong in any case, so a faint likeness will do."""
    if len(wrong) > LONGEST_COMPARED:
        return nearest(wrong, names)
    from difflib import get_close_matches

    return nearest(wrong, names) or next(iter(get_close_matches(wrong, comparable(wrong, names, 0.6), n=1)), None)


def _names(steps: Sequence[Outline]) -> list[str]:
    names = (step.identity if step.alias is None else step.alias.name for step in steps)
    return [name for name in names if isinstance(name, str)]


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, wrong = finding.place.step, view.value(finding.place)
    if position is None:
        return
    places = (finding.place, *(related.place for related in finding.related))
    for other in dict.fromkeys(_meant(view, finding, position, wrong)):
        names = (_name(view, place, other) for place in places)
        changes = tuple(SetValue(place, name) for place, name in zip(places, names, strict=True))
        yield Proposal(f"Name {step_name(view, other)} instead", changes)


def _name(view: FixView, place: Place, position: int) -> Identity | None:
    """What a step is called at a place: in a reference, or where its identity is given."""
    is_reference = bool(place.path) and isinstance(place.path[-1], Within)
    return view.graph.reference_name(position) if is_reference else view.graph.steps[position].identity


def _meant(view: FixView, finding: Finding, position: int, wrong: object) -> Iterator[int]:
    """Steps that were probably meant: one with nearly the same name, the one that has the resource, the one before."""
    earlier = view.graph.steps if view.graph.any_order else view.graph.steps[:position]
    if isinstance(wrong, str):
        right = _nearest(wrong, _names(earlier))
        if right is not None:
            yield view.graph.position_of[right]
    if finding.resource is not None:
        source = source_of(view, position, finding.resource)
        if source is not None:
            yield source
    elif position and is_named(view, position - 1):
        yield position - 1


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    if position is None or finding.resource is not None:
        return
    preds = view.graph.steps[position].preds or ()
    if len(preds) > 1:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))
    elif position and view.plan.dialect.linear_default:
        key = str(finding.place.path[0])
        title = f"Remove `{key}`, so that {step_name(view, position)} follows the step before it"
        yield Proposal(title, (RemoveMember(Place(position, (key,))),))


RULE = Rule(
    "unknown_step",
    Severity.ERROR,
    Category.STEPS,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "control_preds": [7], "reads": [{"id": "order", "producer": 7}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 1, "agent": "clerk", "kind": "decision", "control_preds": [0], "reads": [{"id": "order", "producer": 0}]}
]}
""",
    checks=(each_link(check, IDENTITIES, ADDRESSES, OFF_BY_ONE),),
    invalidates=True,
    remedies=(
        Remedy("name the step that was probably meant", False, _rename),
        Remedy("remove the entry", False, _remove),
        Remedy("drop the producer", False, drop_producer),
    ),
)
