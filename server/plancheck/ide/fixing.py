"""Many fixes at once, as edits of the lines that change and no others."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from plancheck.analysis.fix.fixpoint import fix_in_rounds
from plancheck.analysis.fix.offer import shown_fixes
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit
from plancheck.tuples import NamedTuple

MOST_LINES_COMPARED = 2_000
"""Between the first and the last line that changes; finding out what stays among more takes too long."""


class FixChoice(NamedTuple):
    """Which fixes are to be applied."""

    rule: str | None = None
    """The rule whose findings are fixed; None for all."""
    unsafe: bool = False
    """Whether those that may change what the plan means are applied, too."""


class FixOutcome(NamedTuple):
    edits: tuple[Edit, ...] = ()
    fixed: int = 0
    """How many findings were fixed."""
    only_unsafe: int = 0
    """How many are left that an unsafe fix would remove."""


def fixes_in_rounds(snapshot: Snapshot, choice: FixChoice) -> Iterator[FixOutcome]:
    """Apply the chosen fixes, step by step, so that whoever asked can give up: the last outcome is the one."""
    now, applied = snapshot, 0
    for fixed in fix_in_rounds(snapshot, unsafe=choice.unsafe, only=choice.rule):
        now, applied = fixed.snapshot, len(fixed.applied)
        yield FixOutcome()
    left = (
        finding
        for finding, fixes in shown_fixes(now).items()
        if choice.rule in (None, finding.rule) and any(not fix.safe for fix in fixes)
    )
    yield FixOutcome(tuple(line_edits(snapshot.text, now.text)), applied, sum(1 for _ in left))


def fix_all_edits(snapshot: Snapshot) -> list[Edit]:
    """What `plancheck check --fix` would change."""
    edits: list[Edit] = []
    for edits in fix_all_in_rounds(snapshot):  # noqa: B007 - the last ones count
        pass
    return edits


def fix_all_in_rounds(snapshot: Snapshot) -> Iterator[list[Edit]]:
    """The same, step by step, so that whoever asked can give up: nothing after each round, the edits at the end."""
    text = snapshot.text
    for fixed in fix_in_rounds(snapshot):
        text = fixed.snapshot.text
        yield []
    yield line_edits(snapshot.text, text)


def line_edits(before: str, after: str) -> list[Edit]:
    """Edits that turn one text into another, by whole lines, so that an editor keeps cursors and folds elsewhere."""
    if before == after:
        return []
    old, new = before.split("\n"), after.split("\n")
    starts = list(accumulate((len(line) + 1 for line in old), initial=0))
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    ends = len(old) - tail, len(new) - tail
    blocks = [(head, ends[0], head, ends[1])]
    if max(ends) - head <= MOST_LINES_COMPARED:
        matcher = SequenceMatcher(None, old[head : ends[0]], new[head : ends[1]], autojunk=False)
        blocks = [
            (head + i1, head + i2, head + j1, head + j2)
            for tag, i1, i2, j1, j2 in matcher.get_opcodes()
            if tag != "equal"
        ]
    return [_edit(old, new, starts, block) for block in blocks]


def _edit(old: list[str], new: list[str], starts: list[int], block: tuple[int, int, int, int]) -> Edit:
    """Replace lines; the last line of a text ends in no line feed, so that one more or less is taken from before."""
    i1, i2, j1, j2 = block
    lines = "".join(f"{line}\n" for line in new[j1:j2])
    if i2 < len(old) or i1 == i2 == 0:
        return Edit(starts[i1], starts[i2], lines)
    if i1 < i2 and j1 < j2:
        return Edit(starts[i1], starts[i2] - 1, lines[:-1])
    if i1 == i2:  # lines are added at the end
        return Edit(starts[i1] - 1, starts[i1] - 1, f"\n{lines[:-1]}")
    return Edit(starts[i1] - 1, starts[i2] - 1, "")
