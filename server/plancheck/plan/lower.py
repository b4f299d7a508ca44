"""From the syntax tree to the plan: which dialect it is, and its steps, each lowered once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plancheck.plan.dialects.declared import lower_step, type_name
from plancheck.plan.dialects.keys import IGNORE, lower_ignores, nearest
from plancheck.plan.model import Dialect, Fault, Plan, Step
from plancheck.syntax.tree import MISSING, Chunk, Part, Path, Spine, Top, Tree, repeated_keys, to_plain

EXPECTED = 'A plan is expected: an object with a list of steps under "nodes".'


def lower(tree: Tree) -> Plan:
    """The plan that the tree holds; one without steps and with a fault, where it holds none."""
    if not isinstance(tree.root, list):
        faults = () if tree.root is None else (Fault("not_a_plan", EXPECTED, ()),)
        return Plan(Dialect.DECLARED, (), (), faults, ())
    found: list[Fault] = []
    nodes = tree.top("nodes")
    steps: list[Step] = []
    if nodes is None:
        misspelt = next((top.key for top in tree.root if nearest(top.key, ("nodes",))), None)
        if misspelt is not None:
            found.append(Fault("not_a_plan", f"{EXPECTED[:-1]}, not `{misspelt}`.", (misspelt,), Part.KEY))
        elif tree.root or not tree.gaps:  # of an object that was only just opened, the reader says enough
            found.append(Fault("not_a_plan", EXPECTED, ()))
    elif isinstance(nodes.value, Spine):
        steps = [_step(chunk) for chunk in nodes.value.chunks]
    elif nodes.value.value is not MISSING:
        kind = type_name(nodes.value.value)
        found.append(Fault("wrong_type", f"`nodes` must be a list of steps, not {kind}.", ("nodes",)))
    found += _repeated_around(tree.root)
    ignored = tree.top(IGNORE)
    ignores = lower_ignores(_plain(ignored.value), (IGNORE,), found) if ignored is not None else ()
    return Plan(Dialect.DECLARED, steps, ("nodes",), tuple(found), ignores)


def _step(chunk: Chunk) -> Step:
    step: Step | None = chunk.memo.get(lower_step)
    if step is None:
        step = lower_step(chunk.value)
        if repeated := _repeated(chunk.value, ()):
            step = step._replace(faults=(*step.faults, *repeated))
        chunk.memo[lower_step] = step
    return step


def _repeated(value: object, path: Path) -> list[Fault]:
    """A fault for every key that an object has more than once, at the one that counts."""
    return [
        Fault(
            "duplicate_key",
            f"`{found[-1]}` is there more than once: only this last one counts.",
            (*path, *found),
            Part.KEY,
        )
        for found in repeated_keys(value)
    ]


def _repeated_around(root: list[Top]) -> Iterator[Fault]:
    """Repeated keys outside the steps."""
    keys = Counter(top.key for top in root)
    if len(keys) < len(root):
        yield from _repeated(tuple((key, None) for key in keys.elements()), ())
    for top in root:
        if isinstance(top.value, Chunk):
            yield from _repeated(top.value.value, (top.key,))
        elif top.key != "nodes":
            for position, chunk in enumerate(top.value.chunks):
                yield from _repeated(chunk.value, (top.key, position))


def _plain(value: Chunk | Spine) -> object:
    if isinstance(value, Spine):
        return [to_plain(chunk.value) for chunk in value.chunks]
    return to_plain(value.value)
