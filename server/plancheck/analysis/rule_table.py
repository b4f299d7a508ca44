"""Rules by name, imported by groups: a plan without a policy needs no rule that is about policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping

from plancheck.analysis.change import Fact
from plancheck.analysis.rule import Rule
from plancheck.tuples import NamedTuple


class Group(NamedTuple):
    """Rules that are needed together."""

    names: tuple[str, ...]
    load: Callable[[], tuple[Rule, ...]]
    """Imports them."""
    only_if: Fact | None = None
    """What must hold of a plan for them to have anything to say about it; None for nothing."""
    has_checks: bool = True
    """Whether they look at plans themselves; others report what somebody else notices."""


Holds = Callable[[Fact | None], bool]
"""What holds of a plan; of every one, None does."""


class RuleTable(MutableMapping[str, Rule]):
    def __init__(self, groups: Iterable[Group]) -> None:
        self._group_of = {name: group for group in groups for name in group.names}
        self._rules: dict[str, Rule] = {}

    def __getitem__(self, name: str) -> Rule:
        if name not in self._rules and name in self._group_of:
            for rule in self._group_of[name].load():
                self._rules.setdefault(rule.name, rule)
        return self._rules[name]

    def __setitem__(self, name: str, rule: Rule) -> None:
        self._rules[name] = rule

    def __delitem__(self, name: str) -> None:
        self._group_of.pop(name, None)
        self._rules.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._group_of, **self._rules})

    def __len__(self) -> int:
        return len(self._group_of.keys() | self._rules.keys())

    def __contains__(self, name: object) -> bool:
        return name in self._group_of or name in self._rules

    def that_look(self, holds: Holds) -> Iterator[Rule]:
        """The rules that may have something to say about a plan by themselves, given what holds of it."""
        for name in self:
            group = self._group_of.get(name)
            if group is None or (group.has_checks and holds(group.only_if)):
                yield self[name]


class SomeRules(Mapping[str, Rule]):
    """Those rules of a table that are kept. Whether one is can be known only once it is imported."""

    def __init__(self, table: RuleTable, keep: Callable[[Rule], bool]) -> None:
        self._table = table
        self._keep = keep

    def __getitem__(self, name: str) -> Rule:
        rule = self._table[name]
        if not self._keep(rule):
            raise KeyError(name)
        return rule

    def __iter__(self) -> Iterator[str]:
        return (name for name, rule in self._table.items() if self._keep(rule))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def that_look(self, holds: Holds) -> Iterator[Rule]:
        return filter(self._keep, self._table.that_look(holds))


def rules_that_look(rules: Mapping[str, Rule], holds: Holds) -> Iterable[Rule]:
    """The rules that may have something to say about a plan by themselves; of any other mapping, all of them."""
    return rules.that_look(holds) if isinstance(rules, (RuleTable, SomeRules)) else rules.values()
