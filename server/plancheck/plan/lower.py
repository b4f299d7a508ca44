"""From the syntax tree to the plan: which dialect it is, and its steps, each lowered once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plancheck.plan.dialects.dialect import Dialect, Dialects, Holder, LowerChunk, LoweredSteps, Site
from plancheck.plan.dialects.keys import IGNORE, lower_ignores, nearest
from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.dialects.table import DIALECTS, detect, expected, named, steps_keys
from plancheck.plan.model import Fault, Plan, Step
from plancheck.plan.sites import Elements, Scattered, Sites
from plancheck.syntax.tree import MISSING, Chunk, Part, Path, Spine, Top, Tree, repeated_keys, to_plain


def lower(tree: Tree, name: str | None = None, dialects: Dialects = DIALECTS) -> Plan:
    """The plan that the tree holds, in the dialect that it looks most like unless one is named.

    Where it holds no plan, one without steps and with a fault.
    """
    if name is None:
        wanted = _Wanted(detect(tree, dialects), expected(dialects), steps_keys(dialects))
    else:
        dialect = named(name, dialects)
        asked = dialects[: dialects.index(dialect) + 1]  # a plan of one that is asked earlier is clearly not meant
        wanted = _Wanted(dialect, dialect.expected, steps_keys(asked))
    if isinstance(tree.root, list):
        return _lower_object(tree, tree.root, wanted)
    holder = wanted.dialect.find(tree)
    if holder is not None:
        held = _held_steps(holder, wanted.dialect)
        faults = (*held.faults, *_empty(tree, wanted.dialect, held.steps, holder.path))
        return Plan(wanted.dialect, held.steps, holder.path, faults, (), held.sites)
    faults = () if tree.root is None else (Fault("not_a_plan", wanted.expected, ()),)
    return Plan(wanted.dialect, (), (), faults, ())


class _Wanted(NamedTuple):
    """What a document is taken for, and what to say if it is not that."""

    dialect: Dialect
    expected: str
    steps_keys: tuple[str, ...]


def _lower_object(tree: Tree, root: list[Top], wanted: _Wanted) -> Plan:
    dialect = wanted.dialect
    holder = dialect.find(tree)
    path: Path = (dialect.steps_key,) if holder is None else holder.path
    found: list[Fault] = []
    held = _Held([], None, [])
    if holder is None:
        found += _not_a_plan(tree, root, wanted)
    elif _can_hold_steps(holder, dialect.site):
        held = _held_steps(holder, dialect)
        found += (*held.faults, *_empty(tree, dialect, held.steps, path))
    elif not isinstance(holder.value, Chunk) or holder.value.value is not MISSING:
        found.append(_wrong_holder(holder, dialect.site))
    if holder is not None:
        found += dialect.check_around(tree)
    found += _repeated_around(root, holder)
    ignored = tree.top(IGNORE)
    ignores = lower_ignores(_plain(ignored.value), (IGNORE,), found) if ignored is not None else ()
    return Plan(dialect, held.steps, path, tuple(found), ignores, held.sites)


def _not_a_plan(tree: Tree, root: list[Top], wanted: _Wanted) -> Iterator[Fault]:
    misspelt = next((top.key for top in root if nearest(top.key, wanted.steps_keys)), None)
    if misspelt is not None:
        yield Fault("not_a_plan", f"{wanted.expected[:-1]}, not `{misspelt}`.", (misspelt,), Part.KEY)
    elif root or not tree.gaps:  # of an object that was only just opened, the reader says enough
        yield Fault("not_a_plan", wanted.expected, ())


def _can_hold_steps(holder: Holder, site: Site) -> bool:
    if site is Site.MEMBERS:
        return isinstance(holder.value, Chunk) and isinstance(holder.value.value, tuple)
    return isinstance(holder.value, Spine)


def _wrong_holder(holder: Holder, site: Site) -> Fault:
    kind = "a list" if isinstance(holder.value, Spine) else type_name(holder.value.value)
    right = "an object" if site is Site.MEMBERS else "a list"
    return Fault("wrong_type", f"`{holder.path[-1]}` must be {right} of steps, not {kind}.", holder.path)


# ---- steps -----------------------------------------------------------------------------------------------------------


class _Held(NamedTuple):
    """The steps of a document, where they stand, and what is wrong between them."""

    steps: list[Step]
    sites: Sites | None
    faults: list[Fault]


class _Lowered(NamedTuple):
    """What a chunk holds: steps, each with its path inside the chunk, and faults outside of them."""

    steps: LoweredSteps
    faults: tuple[Fault, ...]


def _held_steps(holder: Holder, dialect: Dialect) -> _Held:
    chunks = holder.value.chunks if isinstance(holder.value, Spine) else [holder.value]
    if dialect.site is Site.ELEMENTS:
        steps = _elements(chunks, dialect.lower_chunk)
        if not dialect.identities.are_written:
            steps = _numbered_elements(chunks, steps, dialect.lower_chunk)
        return _Held(steps, Elements(holder.path, len(steps)), [])
    return _scattered(chunks, holder, dialect)


def _elements(chunks: list[Chunk], lower_chunk: LowerChunk) -> list[Step]:
    """The steps of chunks that are a step each; a chunk that stays as it is is lowered once."""
    return [chunk.memo.get(lower_chunk) or _element(chunk, lower_chunk) for chunk in chunks]


def _element(chunk: Chunk, lower_chunk: LowerChunk) -> Step:
    ((_, step),) = _lowered(chunk, lower_chunk).steps
    chunk.memo[lower_chunk] = step
    return step


def _numbered_elements(chunks: list[Chunk], steps: list[Step], lower_chunk: LowerChunk) -> list[Step]:
    """Steps that are known by their position; only those that have moved are made anew."""
    numbered: list[Step] = []
    key = (_numbered_elements, lower_chunk)
    for position, step in enumerate(steps):
        known: Step | None = chunks[position].memo.get(key)
        if known is None or known.outline.identity != position:
            known = chunks[position].memo[key] = _numbered(step, position)
        numbered.append(known)
    return numbered


def _numbered(step: Step, position: int) -> Step:
    return step._replace(outline=step.outline._replace(identity=position))


def _scattered(chunks: list[Chunk], holder: Holder, dialect: Dialect) -> _Held:
    steps: list[Step] = []
    paths: list[Path] = []
    faults: list[Fault] = []
    for number, chunk in enumerate(chunks):
        start = (*holder.path, number) if isinstance(holder.value, Spine) else holder.path
        found = _chunk_steps(chunk, dialect, len(steps))
        steps += (step for _, step in found.steps)
        paths += ((*start, *path) for path, _ in found.steps)
        faults += (fault._replace(path=(*start, *fault.path)) for fault in found.faults)
    return _Held(steps, Scattered(paths), faults)


def _chunk_steps(chunk: Chunk, dialect: Dialect, first: int) -> _Lowered:
    """What a chunk holds, its first step being number `first` of the plan."""
    known: _Lowered | None = chunk.memo.get(dialect.lower_chunk)
    found = known or _lowered(chunk, dialect.lower_chunk)
    is_named = dialect.identities.are_written or not found.steps
    if not is_named and found.steps[0][1].outline.identity != first:
        own = ((path, _numbered(step, first + i)) for i, (path, step) in enumerate(found.steps))
        found = found._replace(steps=tuple(own))
    if found is not known:
        chunk.memo[dialect.lower_chunk] = found
    return found


def _lowered(chunk: Chunk, lower_chunk: LowerChunk) -> _Lowered:
    return _with_repeated(lower_chunk(chunk.value), _repeated(chunk.value, ()))


def _with_repeated(steps: LoweredSteps, repeated: list[Fault]) -> _Lowered:
    """The steps of a chunk, each with the faults that are inside of it."""
    if not repeated:
        return _Lowered(steps, ())
    inside: dict[Path, list[Fault]] = {path: [] for path, _ in steps}
    around: list[Fault] = []
    for fault in repeated:
        above = (fault.path[:depth] for depth in range(len(fault.path) + 1))
        owner = next((path for path in above if path in inside), None)
        if owner is None:
            around.append(fault)
        else:
            inside[owner].append(fault._replace(path=fault.path[len(owner) :]))
    extended = ((path, step._replace(faults=(*step.faults, *inside[path]))) for path, step in steps)
    return _Lowered(tuple(extended), tuple(around))


def _empty(tree: Tree, dialect: Dialect, steps: list[Step], path: Path) -> Iterator[Fault]:
    if not steps and not dialect.may_be_empty and not tree.gaps:  # one that is not closed yet is about to get a step
        yield Fault("empty_plan", "This plan has no steps, so it does nothing: add one.", path)


# ---- around the steps ------------------------------------------------------------------------------------------------


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


def _repeated_around(root: list[Top], holder: Holder | None) -> Iterator[Fault]:
    """Repeated keys outside the steps."""
    keys = Counter(top.key for top in root)
    if len(keys) < len(root):
        yield from _repeated(tuple((key, None) for key in keys.elements()), ())
    for top in root:
        if isinstance(top.value, Chunk):
            if holder is None or top.value is not holder.value:
                yield from _repeated(top.value.value, (top.key,))
        elif holder is None or top.key != holder.path[0]:
            for position, chunk in enumerate(top.value.chunks):
                yield from _repeated(chunk.value, (top.key, position))


def _plain(value: Chunk | Spine) -> object:
    if isinstance(value, Spine):
        return [to_plain(chunk.value) for chunk in value.chunks]
    return to_plain(value.value)
