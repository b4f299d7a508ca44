"""What the rules emitted for a plan, stored by the subjects that it is about: the one cache of the analysis.

A table belongs to one check. After an edit, the check is run for the subjects that the edit affects, and their entries
are replaced; all others stay. Where nothing is known of before, or too much changed, the check is run for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plancheck.analysis.change import Fact, StateChange
from plancheck.analysis.facts import POLICY_FACTS
from plancheck.analysis.finding import Finding, Pending, Severity, Unchecked
from plancheck.analysis.rule import Check, Item, Rule
from plancheck.analysis.subjects import Grain, State, key_of, subjects
from plancheck.cached import cached_property
from plancheck.plan.model import Place, Step
from plancheck.syntax.splice import splice
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

MOST_PER_RULE = 20_000
"""A rule with this much to say is cut short: nobody reads on, and a chain of volatile reads has n² things to say."""

Items = tuple[Finding | Unchecked, ...]


class Reported(NamedTuple):
    """A check, with the rule that it belongs to and what its findings count as."""

    rule: Rule
    check: Check
    severity: Severity
    may_grade: bool = True
    """Whether the rule may let a single one count as less."""

    def severity_of(self, finding: Finding) -> Severity:
        at_most = finding.at_most
        return self.severity if at_most is None or not self.may_grade else max(self.severity, at_most)


class _TableFields(NamedTuple):
    of: Reported
    entries: dict[Any, Items]
    total: int = 0
    """How many items were emitted."""
    is_whole: bool = True
    """Whether every subject was looked at: the check neither broke down nor was cut short."""
    pending: frozenset[Any] = frozenset()
    """The subjects that are still being looked at elsewhere."""


class Table(_TableFields):
    """What one check emitted, by the keys of its subjects."""

    @cached_property
    def findings(self) -> list[Finding]:
        return [item for items in self.entries.values() for item in items if isinstance(item, Finding)]

    @cached_property
    def covered(self) -> frozenset[tuple[str, Place]]:
        """Findings of other rules that these explain, too."""
        if not self.of.rule.covers:
            return frozenset()
        return frozenset(pair for finding in self.findings for pair in finding.covers)

    @cached_property
    def unchecked(self) -> list[Unchecked]:
        return [item for items in self.entries.values() for item in items if isinstance(item, Unchecked)]


Tables = Mapping[Check, Table]


class Runner:
    """Runs the checks of one document version; facts and subjects are made once for all of them."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._facts: dict[Fact, Any] = {}
        self._all: dict[Grain, Sequence[Any]] = {}
        self._some: dict[tuple[Grain, frozenset[Any]], Sequence[Any]] = {}
        self._affected: dict[tuple[Grain, tuple[Fact, ...]], frozenset[Any]] = {}
        self._by_fact: dict[tuple[Grain, Fact], frozenset[Any]] = {}

    def afresh(self, reported: Reported) -> Table:
        """The table of a check that is run for all subjects."""
        grain = reported.check.grain
        found = self._all.get(grain)
        if found is None:
            found = self._all[grain] = subjects(grain, self._state)
        return self._collected(Table(reported, {}), found, {})

    def again(self, old: Table, change: StateChange) -> Table:
        """The table of a check after an edit."""
        if not old.is_whole:
            return self.afresh(old.of)
        check = old.of.check
        if not change.outlines and not old.pending and check.is_of_outlines:
            return old
        if check.where is not None and not (old.entries or old.pending or self._known(check.where)):
            return old
        keys = self._keys(change, check)
        if old.pending:
            keys |= old.pending
        if not keys:
            return old
        table = self._for_keys(old, keys)
        return table if table.is_whole else self.afresh(old.of)

    def _keys(self, change: StateChange, check: Check) -> frozenset[Any]:
        """The subjects that a check must look at again; for many checks these are the same."""
        which = check.grain, check.live
        keys = self._affected.get(which)
        if keys is None:
            affected = (self._affected_by(fact, change, check.grain) for fact in check.live)
            keys = self._affected[which] = frozenset(change.keys(check.grain)).union(*affected)
        return keys

    def _affected_by(self, fact: Fact, change: StateChange, grain: Grain) -> frozenset[Any]:
        found = self._by_fact.get((grain, fact))
        if found is None:
            found = self._by_fact[grain, fact] = frozenset(fact.affected(change, grain))
        return found

    def carried(self, old: Table, earlier: Mapping[int, int]) -> Table:
        """The table of a check of single steps by themselves, when steps have moved: `earlier` says where the ones that
        are the same stood before."""
        if not old.is_whole:
            return self.afresh(old.of)
        moved = {new: _moved(items, new) for new, before in earlier.items() if (items := old.entries.get(before))}
        pending = {new for new, before in earlier.items() if before in old.pending}
        keys = pending.union(position for position in range(len(self._state.plan.steps)) if position not in earlier)
        table = self._for_keys(Table(old.of, moved, sum(map(len, moved.values()))), frozenset(keys))
        return table if table.is_whole else self.afresh(old.of)

    def _for_keys(self, old: Table, keys: frozenset[Any]) -> Table:
        """The table with what the check says about some subjects now."""
        entries = old.entries
        replaced = {key: entries[key] for key in keys if key in entries} if entries else {}
        return self._collected(old, self._subjects(old.of.check.grain, keys), replaced)

    def _subjects(self, grain: Grain, keys: frozenset[Any]) -> Sequence[Any]:
        """The subjects of some keys; an edit mostly affects the same ones for all checks."""
        which = grain, keys
        found = self._some.get(which)
        if found is None:
            found = self._some[which] = subjects(grain, self._state, keys)
        return found

    def _collected(self, old: Table, looked_at: Sequence[Any], replaced: Mapping[Any, Items]) -> Table:
        """The table with what the check says about some subjects, in place of what it said before, `replaced`."""
        rule, check = old.of.rule, old.of.check
        grain, known = check.grain, self._facts
        items: list[Item] = []
        is_whole = True
        if looked_at or grain is Grain.PLAN:
            facts = [known[fact] if fact in known else self._fact(fact) for fact in check.needs]
            is_whole = _run(
                rule.name, check.run(*facts) if grain is Grain.PLAN else check.run(looked_at, *facts), items
            )
        if not items and not replaced and not old.pending:
            return old
        count = old.total - sum(map(len, replaced.values()))
        found: dict[Any, list[Finding | Unchecked]] = {}
        pending: set[Any] = set()
        paths = {member.path for member in looked_at} if grain is Grain.MEMBER else ()
        for item in items:
            key = key_of(grain, item.place, item.resource, paths)
            if isinstance(item, Pending):
                pending.add(key)
                continue
            if count >= MOST_PER_RULE:
                found.setdefault(None, []).append(_cut_short(rule.name))
                is_whole = False
                break
            if isinstance(item, Finding):
                item = item._replace(rule=rule.name, severity=old.of.severity_of(item))
            found.setdefault(key, []).append(item)
            count += 1
        entries = _entries(old.entries, replaced, {key: tuple(items) for key, items in found.items()})
        if entries is old.entries and is_whole and not pending and not old.pending:
            return old
        return Table(old.of, entries, count, is_whole, frozenset(pending))

    def _known(self, fact: Fact) -> Any:
        return self._facts[fact] if fact in self._facts else self._fact(fact)

    def _fact(self, fact: Fact) -> Any:
        value = self._facts[fact] = fact.value(self._state)
        return value


def _run(rule: str, items: Iterator[Item], found: list[Item]) -> bool:
    """Take down what a rule says, as much as counts; whether that is all. One that breaks down says so, and costs no
    other rule anything."""
    count = 0
    try:
        for item in items:
            found.append(item)
            count += not isinstance(item, Pending)
            if count > MOST_PER_RULE:
                break
    except Exception as error:
        message = f"Rule {rule} failed on this plan ({type(error).__name__}), so it was not checked: please report it."
        found.append(Unchecked(rule, Place(None), Reason.FAILURE, message))
        return False
    return True


def _entries(old: dict[Any, Items], replaced: Mapping[Any, Items], found: Mapping[Any, Items]) -> dict[Any, Items]:
    """The entries with some in the place of others. What is equal stays the very same: it is shown already."""
    gone = [key for key in replaced if key not in found]
    new = {key: items for key, items in found.items() if replaced.get(key) != items}
    if not gone and not new:
        return old
    entries = {**old, **new}
    for key in gone:
        del entries[key]
    return entries


def _cut_short(rule: str) -> Unchecked:
    """What was found so far may all be suppressed, or be what only the run can tell: the rest is not fine for that."""
    message = (
        f"Rule {rule} was stopped after {MOST_PER_RULE:,} findings, so the rest of the plan was not checked by it: "
        "correct some of them first."
    )
    return Unchecked(rule, Place(None), Reason.LIMIT, message)


def _moved(items: Items, position: int) -> Items:
    return tuple(_placed(item, position) for item in items)


def _placed(item: Finding | Unchecked, position: int) -> Finding | Unchecked:
    if isinstance(item, Unchecked):
        return item._replace(place=item.place._replace(step=position))
    related = tuple(r._replace(place=r.place._replace(step=position)) for r in item.related)
    return item._replace(place=item.place._replace(step=position), related=related)


def is_by_itself(check: Check) -> bool:
    """Whether a check looks at single steps, or at single members beside them, and at nothing else but what is the same
    for all of them."""
    return check.grain in (Grain.STEP, Grain.MEMBER) and all(fact in POLICY_FACTS for fact in check.needs)


def earlier_positions(old: Sequence[Step], new: Sequence[Step]) -> dict[int, int]:
    """Where the steps that are the very same stood before."""
    head, tail = splice(old, new)
    grown = len(new) - len(old)
    earlier = {position: position for position in range(head)}
    earlier.update((position, position - grown) for position in range(len(new) - tail, len(new)))
    return earlier
