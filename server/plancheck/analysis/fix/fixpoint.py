"""Applying fixes until nothing changes any more.

In each round the best fix of every finding is taken, at most one for each step, and all are applied at once. The
outcome is checked as a whole: proper JSON, each of those findings gone, no new error, and *better* than before. Better
means fewer errors or, with as many errors, fewer warnings, and so on: so no two fixes can undo one another for ever,
and the rounds come to an end. Where the whole is not good, the fixes that are to blame are left out, to be tried one by
one; where nobody can be blamed, half of them are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plancheck.analysis.engine import update
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Fix
from plancheck.analysis.fix.edits import edits_of, joined, new_order, steps_touched
from plancheck.analysis.fix.offer import broken_promises, candidates, has_remedies
from plancheck.analysis.snapshot import Snapshot

MOST_ROUNDS = 1_000
"""A safety net: plans of thousands of faulty steps take a few dozen."""


class Applied(NamedTuple):
    finding: Finding
    fix: Fix


class Fixed(NamedTuple):
    snapshot: Snapshot
    """The document as it is now."""
    applied: list[Applied]
    rounds: int


def fix_all(snapshot: Snapshot, *, unsafe: bool = False) -> Fixed:
    """The document with all safe fixes applied, or with the unsafe ones too."""
    fixing = _Fixing(snapshot, unsafe)
    rounds = 0
    while rounds < MOST_ROUNDS and (fixing.together() or fixing.one() or fixing.another_look()):
        rounds += 1
    return Fixed(fixing.snapshot, fixing.applied, rounds)


class _Fixing:
    def __init__(self, snapshot: Snapshot, unsafe: bool) -> None:
        self.snapshot = snapshot
        self.unsafe = unsafe
        self.applied: list[Applied] = []
        self.alone: set[object] = set()
        """Findings whose best fix did not get on with others."""
        self.hopeless: set[object] = set()
        """Findings of which no fix would do, when they were last tried."""
        self._tried_on: Snapshot | None = None

    def together(self) -> bool:
        """Apply many fixes at once; whether that could be done."""
        group = self._group()
        while group:
            blamed = self._apply(group)
            if blamed is None:
                return True
            left = [choice for choice in group if not blamed & steps_touched(choice.fix.changes)]
            self.alone.update(_key(choice.finding) for choice in group if choice not in left)
            if len(left) == len(group):
                left = group[: len(group) // 2]
            if not left:
                self.alone.update(_key(choice.finding) for choice in group)
            group = left
        return False

    def one(self) -> bool:
        """Apply the best fix that does any good by itself; whether there is one."""
        for finding in self._open():
            for fix in self._fixes(finding):
                if self._apply([Applied(finding, fix)]) is None:
                    return True
            self.hopeless.add(_key(finding))
        return False

    def another_look(self) -> bool:
        """Try what could not be fixed once more, since something else was: whether that does any good."""
        if self._tried_on is self.snapshot:
            return False
        self._tried_on = self.snapshot
        self.alone.clear()
        self.hopeless.clear()
        return self.together() or self.one()

    def _open(self) -> Iterator[Finding]:
        """The findings that may be fixed, the worst first, in the order of the steps."""
        found = [f for f in self.snapshot.findings if has_remedies(f) and _key(f) not in self.hopeless]
        return iter(sorted(found, key=lambda f: (f.severity, -1 if f.place.step is None else f.place.step)))

    def _fixes(self, finding: Finding, spare: int = 0) -> Iterator[Fix]:
        return (fix for fix in candidates(self.snapshot, finding, spare) if fix.safe or self.unsafe)

    def _group(self) -> list[Applied]:
        """The best fixes of as many findings as possible, no two of which touch the same step."""
        taken: set[int | None] = set()
        group: list[Applied] = []
        for finding in self._open():
            if finding.place.step in taken or _key(finding) in self.alone:
                continue
            for fix in islice(self._fixes(finding, len(group)), 1):
                touched = steps_touched(fix.changes)
                if not touched & taken:
                    taken |= touched
                    group.append(Applied(finding, fix))
        return group

    def _apply(self, group: list[Applied]) -> set[int | None] | None:
        """Apply fixes if the outcome is good; if not, the steps that are to blame, as far as that can be told."""
        before = self.snapshot
        changes = [change for choice in group for change in choice.fix.changes]
        edits = edits_of(before.tree, before.plan, changes)
        if not edits:
            return set()
        after = update(before, joined(before.text, edits), before.settings)
        if after.has_syntax_errors:
            return set()
        blamed = broken_promises(before, after, [choice.finding for choice in group], changes)
        if len(group) > 1:
            blamed |= _worse_steps(before, after, group, new_order(changes, len(before.plan.steps)))
        if blamed or _badness(after.findings) >= _badness(before.findings):
            return blamed - {None}
        self.snapshot = after
        self.applied += group
        return None


def _key(finding: Finding) -> object:
    """What tells a finding from others, wherever its step stands."""
    return finding.rule, finding.step, finding.resource, finding.message


def _badness(findings: list[Finding]) -> tuple[int, ...]:
    counts = Counter(finding.severity for finding in findings)
    return tuple(counts[severity] for severity in Severity)


def _worse_steps(
    before: Snapshot, after: Snapshot, group: list[Applied], order: list[int | None] | None
) -> set[int | None]:
    """The steps touched by a fix that leaves them in no better state than they were in."""
    now = {old: new for new, old in enumerate(order)} if order is not None else None
    blamed: set[int | None] = set()
    for choice in group:
        touched = steps_touched(choice.fix.changes)
        then = [finding for step in touched for finding in before.by_step.get(step, ())]
        moved = touched if now is None else {now[step] for step in touched if step in now}
        if _badness([finding for step in moved for finding in after.by_step.get(step, ())]) >= _badness(then):
            blamed |= touched
    return blamed
