"""Applying fixes until nothing changes any more.

In each round the best fix of many findings is taken, at most one for each step, and all are applied at once. The
outcome is checked as a whole: proper JSON, each of those findings gone, and no new error. Where the whole is not good,
the fixes that are to blame are tried in smaller groups, and in the end by themselves.

Safe fixes come first. They only ever bring the plan nearer to what its author certainly meant, so none undoes another;
what they bring to light (a misspelt `Reads` hides every mistake in it) is no reason to leave them out. Unsafe fixes can
undo one another: what is granted because it is written may be taken back because it was not read. So these have to make
the plan better: fewer errors or, with as many errors, fewer warnings, and so on. That comes to an end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from plancheck.analysis.engine import update
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Fix
from plancheck.analysis.fix.edits import edits_of, joined, new_order, steps_touched
from plancheck.analysis.fix.offer import broken_promises, candidates, has_remedies, rules_to_try
from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit
from plancheck.tuples import NamedTuple

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
    fixed = Fixed(snapshot, [], 0)
    for fixed in fix_in_rounds(snapshot, unsafe=unsafe):  # noqa: B007 - the last one counts
        pass
    return _by_all_rules(fixed)


def fix_in_rounds(snapshot: Snapshot, *, unsafe: bool = False, only: str | None = None) -> Iterator[Fixed]:
    """The document after each round, the last of which is `fix_all`. Between two rounds whoever asked may give up.
    With `only`, the findings of that rule are fixed and no others."""
    fixing = _Fixing(snapshot, only)
    grades = (False, True) if unsafe else (False,)
    for rounds in range(1, MOST_ROUNDS + 1):
        if not any(fixing.round(unsafe=grade) for grade in grades) and not any(
            fixing.afresh(unsafe=grade) for grade in grades
        ):
            return
        yield Fixed(fixing.snapshot, fixing.applied, rounds)


def _by_all_rules(fixed: Fixed) -> Fixed:
    """The outcome with what the rules say that were not asked on the way."""
    snapshot = fixed.snapshot
    return fixed if snapshot.rules is RULES else fixed._replace(snapshot=update(snapshot, Edit(0, 0, "")))


_GROUPS = (10_000, 32, 4)
"""How many fixes are tried together at first, and how many when they did not get on with others."""


class _Fixing:
    def __init__(self, snapshot: Snapshot, only: str | None = None) -> None:
        self.only = only
        self.rules = rules_to_try(snapshot.settings)
        is_tried_by_all = self.rules is RULES
        self.snapshot = snapshot if is_tried_by_all else update(snapshot, Edit(0, 0, ""), rules=self.rules)
        self.applied: list[Applied] = []
        self.unsafe = False
        self.blamed: Counter[object] = Counter()
        """How often a finding's best fix was to blame for a bad outcome."""
        self.hopeless: set[object] = set()
        """Findings of which no fix would do, when they were last tried."""

    def round(self, *, unsafe: bool) -> bool:
        """Apply what can be applied at once; whether that is anything."""
        self.unsafe = unsafe
        return any(self._together(level) for level in range(len(_GROUPS))) or self._one()

    def afresh(self, *, unsafe: bool) -> bool:
        """Try what could not be fixed once more, since something else was."""
        self.blamed.clear()
        self.hopeless.clear()
        return self.round(unsafe=unsafe)

    def _together(self, level: int) -> bool:
        group = self._group(level)
        while group:
            blamed = self._apply(group, strict=not level)
            if blamed is None:
                return True
            left = [choice for choice in group if not blamed & steps_touched(choice.fix.changes)]
            if len(left) == len(group):  # nobody is to blame: a smaller group may do
                left = group[: len(group) // 2]
            self.blamed.update(_key(choice.finding) for choice in group if choice not in left)
            group = left
        return False

    def _one(self) -> bool:
        """Apply the best fix that does any good by itself; whether there is one."""
        for finding in self._open():
            for fix in candidates(self.snapshot, finding, unsafe=self.unsafe):
                if self._apply([Applied(finding, fix)], strict=False) is None:
                    return True
            self.hopeless.add((self.unsafe, _key(finding)))
        return False

    def _open(self) -> list[Finding]:
        """The findings that may be fixed, the worst first, in the order of the steps."""
        unsafe, hopeless = self.unsafe, self.hopeless
        found = [
            f
            for f in self.snapshot.findings
            if self.only in (None, f.rule) and has_remedies(f, unsafe=unsafe) and (unsafe, _key(f)) not in hopeless
        ]
        return sorted(found, key=lambda f: (f.severity, -1 if f.place.step is None else f.place.step))

    def _group(self, level: int) -> list[Applied]:
        """The best fixes of findings that were to blame so many times, no two of which touch the same step."""
        taken: set[int | None] = set()
        group: list[Applied] = []
        for finding in self._open():
            if finding.place.step in taken or self.blamed[_key(finding)] != level:
                continue
            for fix in islice(candidates(self.snapshot, finding, len(group), unsafe=self.unsafe), 1):
                touched = steps_touched(fix.changes)
                if not touched & taken:
                    taken |= touched
                    group.append(Applied(finding, fix))
            if len(group) == _GROUPS[level]:
                break
        return group

    def _apply(self, group: list[Applied], *, strict: bool) -> set[int | None] | None:
        """Apply fixes if the outcome is good; if not, the steps that are to blame, as far as that can be told."""
        before = self.snapshot
        changes = [change for choice in group for change in choice.fix.changes]
        edits = edits_of(before.tree, before.plan, changes)
        if not edits:
            return set()
        after = update(before, joined(before.text, edits), before.settings, self.rules)
        if after.has_syntax_errors:
            return set()
        blamed = broken_promises(before, after, [choice.finding for choice in group], changes)
        if self.unsafe:
            if strict:
                blamed |= _worse_steps(before, after, group, new_order(changes, len(before.plan.steps)))
            if _badness(after.findings) >= _badness(before.findings):
                return blamed - {None}
        if blamed:
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
