"""What the rules emitted for a plan, stored by the subjects that it is about: the one cache of the analysis.

A table belongs to one check. After an edit, the check is run for the subjects that the edit affects, and their entries
are replaced; all others stay. Where nothing is known of before, or too much changed, the check is run for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plancheck.analysis.facts import POLICY_FACTS, Fact, Grain, State, StateChange, key_of, subjects
from plancheck.analysis.finding import Finding, Pending, Severity, Unchecked
from plancheck.analysis.rule import Check, Item, Rule
from plancheck.plan.model import Place, Step
from plancheck.syntax.splice import splice
from plancheck.unknown import Reason

MOST_PER_RULE = 20_000
"""A rule with this much to say is cut short: nobody reads on, and a chain of volatile reads has n² things to say."""

Items = tuple[Finding | Unchecked, ...]


class Table(NamedTuple):
    """What one check emitted, by the keys of its subjects."""

    entries: dict[Any, Items]
    total: int = 0
    """How many items were emitted."""
    is_whole: bool = True
    """Whether every subject was looked at: the check neither broke down nor was cut short."""
    pending: frozenset[Any] = frozenset()
    """The subjects that are still being looked at elsewhere."""


Tables = Mapping[Check, Table]


_OF_OUTLINES = frozenset({Grain.LINK, Grain.RESOURCE, Grain.SPELLING})
"""What is made of the outlines of steps alone, and so are the facts about it."""


class Runner:
    """Runs the checks of one document version; facts and subjects are made once for all of them."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._facts: dict[Fact, Any] = {}
        self._all: dict[Grain, Sequence[Any]] = {}
        self._some: dict[tuple[Grain, frozenset[Any]], Sequence[Any]] = {}

    def afresh(self, rule: Rule, check: Check, severity: Severity) -> Table:
        """The table of a check that is run for all subjects."""
        found = self._all.get(check.grain)
        if found is None:
            found = self._all[check.grain] = subjects(check.grain, self._state)
        return self._collected(rule, check, severity, found, {}, 0)

    def again(self, rule: Rule, check: Check, severity: Severity, old: Table, change: StateChange) -> Table:
        """The table of a check after an edit."""
        if not old.is_whole:
            return self.afresh(rule, check, severity)
        if not change.outlines and not old.pending and check.grain in _OF_OUTLINES:
            return old
        keys = change.keys(check.grain) | old.pending
        for fact in check.needs:
            keys.update(fact.affected(change, check.grain))
        if not keys:
            return old
        table = self._for_keys(rule, check, severity, old, keys)
        return table if table.is_whole else self.afresh(rule, check, severity)

    def carried(self, rule: Rule, check: Check, severity: Severity, old: Table, earlier: Mapping[int, int]) -> Table:
        """The table of a check of single steps by themselves, when steps have moved: `earlier` says where the ones that
        are the same stood before."""
        if not old.is_whole:
            return self.afresh(rule, check, severity)
        moved = {new: _moved(items, new) for new, before in earlier.items() if (items := old.entries.get(before))}
        pending = {new for new, before in earlier.items() if before in old.pending}
        keys = {position for position in range(len(self._state.plan.steps)) if position not in earlier} | pending
        table = self._for_keys(rule, check, severity, Table(moved, sum(map(len, moved.values()))), keys)
        return table if table.is_whole else self.afresh(rule, check, severity)

    def _for_keys(self, rule: Rule, check: Check, severity: Severity, old: Table, keys: set[Any]) -> Table:
        entries, count = old.entries, old.total
        gone = [key for key in keys if key in entries]
        if gone:
            entries = dict(entries)
            for key in gone:
                count -= len(entries.pop(key))
        return self._collected(rule, check, severity, self._subjects(check.grain, keys), entries, count)

    def _subjects(self, grain: Grain, keys: set[Any]) -> Sequence[Any]:
        """The subjects of some keys; an edit mostly affects the same ones for all checks."""
        which = grain, frozenset(keys)
        found = self._some.get(which)
        if found is None:
            found = self._some[which] = subjects(grain, self._state, keys)
        return found

    def _collected(
        self,
        rule: Rule,
        check: Check,
        severity: Severity,
        looked_at: Sequence[Any],
        entries: dict[Any, Items],
        count: int,
    ) -> Table:
        """The entries with what the check says about some subjects. `entries` may be shared, and is copied to be
        changed."""
        if not looked_at and check.grain is not Grain.PLAN:
            return Table(entries, count)
        facts = [self._fact(fact) for fact in check.needs]
        items = check.run(*facts) if check.grain is Grain.PLAN else check.run(looked_at, *facts)
        paths = {member.path for member in looked_at} if check.grain is Grain.MEMBER else ()
        found: dict[Any, list[Finding | Unchecked]] = {}
        pending: set[Any] = set()
        is_whole = True
        for item in _contained(rule.name, items):
            if item is None:
                is_whole = False
                continue
            key = key_of(check.grain, item.place, item.resource, paths)
            if isinstance(item, Pending):
                pending.add(key)
                continue
            if count >= MOST_PER_RULE:
                found.setdefault(None, []).append(_cut_short(rule.name))
                is_whole = False
                break
            if isinstance(item, Finding):
                item = item._replace(rule=rule.name, severity=severity)
            found.setdefault(key, []).append(item)
            count += 1
        if found:
            entries = {**entries, **{key: tuple(items) for key, items in found.items()}}
        return Table(entries, count, is_whole, frozenset(pending))

    def _fact(self, fact: Fact) -> Any:
        if fact not in self._facts:
            self._facts[fact] = fact.value(self._state)
        return self._facts[fact]


def _contained(rule: str, items: Iterator[Item]) -> Iterator[Item | None]:
    """What a rule says. One that breaks down says so, at the end and with None, and costs no other rule anything."""
    try:
        yield from items
    except Exception as error:
        message = f"Rule {rule} failed on this plan ({type(error).__name__}), so it was not checked: please report it."
        yield Unchecked(rule, Place(None), Reason.FAILURE, message)
        yield None


def _cut_short(rule: str) -> Unchecked:
    """What was found so far may all be suppressed, or be what only the run can tell: the rest is not fine for that."""
    message = (
        f"Rule {rule} was stopped after {MOST_PER_RULE:,} findings, so the rest of the plan was not checked by it: "
        "mend some of them first."
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
    """Whether a check looks at single steps, and at nothing else but what is the same for all of them."""
    return check.grain is Grain.STEP and all(fact in POLICY_FACTS for fact in check.needs)


def everything(tables: Iterable[Table]) -> Iterator[Finding | Unchecked]:
    for table in tables:
        for items in table.entries.values():
            yield from items


def earlier_positions(old: Sequence[Step], new: Sequence[Step]) -> dict[int, int]:
    """Where the steps that are the very same stood before."""
    head, tail = splice(old, new)
    grown = len(new) - len(old)
    earlier = {position: position for position in range(head)}
    earlier.update((position, position - grown) for position in range(len(new) - tail, len(new)))
    return earlier
