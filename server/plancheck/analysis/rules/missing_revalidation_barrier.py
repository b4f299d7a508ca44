"""A step acts on a value that may have changed since it was read.

## What it does
An action is a decision, or a step that writes. Reports where a volatile read, by the action itself or by a step whose
data it uses, is not followed by another read with `revalidates` before the action: neither at the reading step, nor at
the action, nor at a step between the two in the control flow.

One mistake is one finding: a read that several actions come too long after is reported at the read, with the actions as
related places; an action that several reads come too long before is reported at the action. `plancheck report` and
`analyze_plan` list every pair.

## Why is this bad?
Between the read and the action the world moves on: the quote is old, the balance is gone, and the action still acts.

## What it cannot know
Whether the value did change: drift can be confirmed with runtime values only. `pinned` does not matter here, for a
pinned value is just as old.

## Fix safety
Unsafe: the tool has to carry out the second read, and what to do when the value has changed is for the author to say.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from plancheck.analysis.data_facts import HAS_FLAGS, STALENESS, Staleness
from plancheck.analysis.facts import NAMES, OPTIONS, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import reads_of
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.fix.rereads import action_of, reread_at, reread_before, reread_on_the_way
from plancheck.analysis.rule import Category, Rule, each_resource, most_related
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import Sources, StaleActions, groups
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Identity, Place, Read
from plancheck.tuples import NamedTuple

MOST_READS = 20
"""With more volatile reads that belong together, each action is reported rather than each read."""
FLIPPABLE = "flippable_dependency_annotation"


def detail(step: Identity | None, resource: str, source: Identity | None) -> str:
    """What the PRE report says of one volatile read."""
    own = "its own volatile read of" if source == step else f"step {source}'s volatile read of"
    way = "re-read it in between. Confirming that it changed needs runtime values."
    return f"Step {step} acts on {own} `{resource}` with no re-read (`revalidates`): {way}"


class _Reads(NamedTuple):
    """The volatile reads of one resource."""

    resource: str
    sources: Sources
    by_step: Mapping[int, Read]
    staleness: Staleness
    names: Names
    most_related: int

    def steps_of(self, sources: int, most: int) -> list[int]:
        return [self.sources.places[number][0] for number in islice(bits(sources), most)]

    def place(self, step: int) -> Place:
        return Place(step, self.by_step[step].path)

    def may_flip(self, step: int) -> bool:
        return self.staleness.may_flip_a_decision(step, self.by_step[step])


def check(
    resources: Sequence[Resource], staleness: Staleness, names: Names, options: Mapping[str, int]
) -> Iterator[Finding]:
    """One finding for each mistake: a read that many actions need to be followed by another one, or an action that many
    reads come before."""
    volatile = {
        resource.name: {use.step: use.read for use in reversed(resource.reads) if use.read.volatile}
        for resource in resources
    }
    sources, exposed = staleness.exposed(resources)
    by_resource: dict[str, dict[int, int]] = {}
    for action, stale in exposed.items():
        for resource, same in sources.by_resource(stale):
            by_resource.setdefault(resource, {})[action] = same
    for resource, stale_at in by_resource.items():
        reads = _Reads(resource, sources, volatile[resource], staleness, names, RULE.option("related", options))
        for group in groups(stale_at):
            yield from _about(group, reads)


def _about(group: StaleActions, reads: _Reads) -> Iterator[Finding]:
    count = group.sources.bit_count()
    is_one_to_one = count == len(group.actions) == 1 and reads.may_flip(*reads.steps_of(group.sources, 1))
    if is_one_to_one or (count < len(group.actions) and count <= MOST_READS):
        for number in bits(group.sources):
            actions = sorted(action for action, stale in group.actions.items() if stale >> number & 1)
            yield _at_read(reads.sources.places[number][0], actions, reads)
    else:
        for action, stale in group.actions.items():
            yield _at_action(action, stale, reads)


def _at_read(source: int, actions: list[int], reads: _Reads) -> Finding:
    """The finding for a read that the actions come too long after."""
    names, resource = reads.names, reads.resource
    others, flips = [action for action in actions if action != source], reads.may_flip(source)
    if not others:
        words = _own(names[source], resource, reads.by_step[source], flips)
    else:
        who = f"{len(actions)} steps act" if len(actions) > 3 else _listed([names[action] for action in actions])
        and_flips = " and flip the decision" if flips else ""
        words = (
            f"Step {names[source]} reads `{resource}`, which may change before {who} on it{and_flips}: re-read it "
            "there (`revalidates`)."
        )
    shown = others[: reads.most_related]
    related = [Related(names.place(action), f"Step {names[action]} acts on `{resource}`.") for action in shown]
    place = reads.place(source)
    related = _with_the_rest(related, len(others) - len(shown))
    return Finding(place, words, names.identity(source), resource, tuple(related), covers=((FLIPPABLE, place),))


def _own(step: str, resource: str, read: Read, flips: bool) -> str:
    if flips:
        changed = f"Decision {step} uses `{resource}` from step {read.producer}, which may have changed"
        return f'{changed}: if it checks it as it decides, add `"revalidates": true`.'
    way = f'if the tool checks `{resource}` as it acts, add `"revalidates": true`.'
    return f"Step {step} reads `{resource}` and acts on it at once: {way}"


def _listed(names: list[str]) -> str:
    """Some steps as the subject of a sentence."""
    *most, last = names
    return f"steps {', '.join(most)} and {last} act" if most else f"step {last} acts"


def _with_the_rest(related: list[Related], count: int) -> list[Related]:
    """The last of the places that are listed says how many are not."""
    if related and count:
        related[-1] = related[-1]._replace(message=f"{related[-1].message[:-1]}, as do {count} more.")
    return related


def _at_action(action: int, stale: int, reads: _Reads) -> Finding:
    """The finding for an action that the reads come too long before."""
    names, resource = reads.names, reads.resource
    count = stale.bit_count()
    is_own = bool(reads.sources.own.get(action, 0) & stale)
    steps = reads.steps_of(stale, reads.most_related + 1)
    others = [source for source in steps if source != action][: reads.most_related]
    if count == 1 and is_own:
        words = _own(names[action], resource, reads.by_step[action], reads.may_flip(action))
    else:
        who = f"step {names[steps[0]]}" if count == 1 else f"{count} steps"
        words = (
            f"Step {names[action]} acts on `{resource}` as {who} read it, which may have changed: re-read it before "
            "(`revalidates`)."
        )
    related = [
        Related(reads.place(source), f"Step {names[source]} reads the volatile `{resource}` here.") for source in others
    ]
    place = reads.place(action) if is_own else names.place(action)
    covers = tuple((FLIPPABLE, reads.place(source)) for source in (*others, *((action,) if is_own else ())))
    related = _with_the_rest(related, count - is_own - len(others))
    return Finding(place, words, names.identity(action), resource, tuple(related), covers=covers)


def _mark_own(view: FixView, finding: Finding) -> Iterator[Proposal]:
    action, resource = action_of(view, finding), finding.resource
    reads = reads_of(view, action, resource) if action is not None and resource is not None else ()
    if any(read.volatile for read in reads):
        yield from reread_at(view, finding)


RULE = Rule(
    "missing_revalidation_barrier",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}, "order"]},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [{"id": "quote", "producer": 0}], "writes": ["quote"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": true}, "order"], "writes": []},
  {"idx": 1, "agent": "desk", "kind": "tool_call", "reads": [
    {"id": "quote", "volatile": true, "revalidates": true}], "writes": ["quote"]}
]}
""",
    checks=(each_resource(check, STALENESS, NAMES, OPTIONS, where=HAS_FLAGS),),
    remedies=(
        Remedy("mark the action's own read with `revalidates`", False, _mark_own),
        Remedy("insert a step that re-reads it right before the action", False, reread_before),
        Remedy("re-read it at the action itself", False, reread_at),
        Remedy("mark a read on the way with `revalidates`", False, reread_on_the_way),
    ),
    covers=(FLIPPABLE,),
    tags=("CWE-367",),
    options=most_related(100, "other reads or actions"),
)
