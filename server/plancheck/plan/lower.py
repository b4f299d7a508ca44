"""From the syntax tree to the plan: which dialect it is, and its steps, each lowered once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from plancheck.plan.carried import TOOL_NAMES, carried_calls, folded_key, is_clear_call
from plancheck.plan.dialects.dialect import Dialect, Dialects, Holder, LowerChunk, LoweredSteps, Site
from plancheck.plan.dialects.keys import IGNORE, lower_ignores, nearest
from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.dialects.table import DIALECTS, detect, expected, named, steps_keys
from plancheck.plan.model import Fault, Plan, Step
from plancheck.plan.sites import Elements, Scattered, Sites
from plancheck.syntax.splice import splice
from plancheck.syntax.tree import INSIDE, MISSING, Chunk, Part, Path, Spine, Top, Tree
from plancheck.syntax.values import repeated_keys, to_plain
from plancheck.tuples import NamedTuple


class Lowered(NamedTuple):
    """What was made of the chunks of a document, so that after an edit only those are lowered that are others."""

    dialect: Dialect
    lower: LowerChunk
    path: Path
    chunks: Sequence[Chunk]
    held: Sequence[_ChunkSteps]
    steps: Sequence[Step]
    sites: Sites


def lower(tree: Tree, name: str | None = None, dialects: Dialects = DIALECTS) -> Plan:
    """The plan that the tree holds, in the dialect that it looks most like unless one is named.

    Where it holds no plan, one without steps and with a fault.
    """
    return lower_again(tree, name, dialects, None)[0]


def lower_again(tree: Tree, name: str | None, dialects: Dialects, old: Lowered | None) -> tuple[Plan, Lowered | None]:
    """The same, given what was made of the document before an edit."""
    keys = steps_keys(dialects)
    if name is None:
        wanted = _Wanted(detect(tree, dialects), dialects, keys, keys)
    else:
        dialect = named(name, dialects)
        asked = dialects[: dialects.index(dialect) + 1]  # a plan of one that is asked earlier is clearly not meant
        wanted = _Wanted(dialect, None, steps_keys(asked), keys)
    if isinstance(tree.root, list):
        return _lower_object(tree, tree.root, wanted, old)
    holder = wanted.dialect.find(tree)
    if holder is not None:
        held = _held_steps(holder, wanted.dialect, old)
        faults = (*held.faults, *_empty(tree, wanted.dialect, held.steps, holder.path))
        return Plan(wanted.dialect, held.steps, holder.path, faults, (), held.sites), held.lowered
    faults = () if tree.root is None else (Fault("not_a_plan", wanted.expected, ()),)
    return Plan(wanted.dialect, (), (), faults, ()), None


class _Wanted(NamedTuple):
    """What a document is taken for, and what to say if it is not that."""

    dialect: Dialect
    candidates: Dialects | None
    """What it might have been, too; None where its dialect was named."""
    steps_keys: tuple[str, ...]
    all_steps_keys: tuple[str, ...]
    """Those of the dialects that were not asked included."""

    @property
    def expected(self) -> str:
        return self.dialect.expected if self.candidates is None else expected(self.candidates)


def _lower_object(tree: Tree, root: list[Top], wanted: _Wanted, old: Lowered | None) -> tuple[Plan, Lowered | None]:
    dialect = wanted.dialect
    holder = dialect.find(tree)
    path: Path = (dialect.steps_key,) if holder is None else holder.path
    found: list[Fault] = []
    held = _Held([], None, [], None)
    if holder is None:
        found += _not_a_plan(tree, root, wanted)
    elif _can_hold_steps(holder, dialect.site):
        held = _held_steps(holder, dialect, old)
        found += (*held.faults, *_empty(tree, dialect, held.steps, path))
    elif not isinstance(holder.value, Chunk) or holder.value.value is not MISSING:
        found.append(_wrong_holder(holder, dialect.site))
    if holder is not None:
        found += dialect.check_around(tree)
        found += _other_formats(root, path, wanted, held.sites)
    if holder is None or not isinstance(holder.value, list):
        found += _repeated_around(root, holder)
    ignored = tree.top(IGNORE)
    ignores = lower_ignores(_plain(ignored.value), (IGNORE,), found) if ignored is not None else ()
    return Plan(dialect, held.steps, path, tuple(found), ignores, held.sites), held.lowered


def _not_a_plan(tree: Tree, root: list[Top], wanted: _Wanted) -> Iterator[Fault]:
    near = ((top.key, right) for top in root if (right := nearest(top.key, wanted.steps_keys)) is not None)
    misspelt, right = next(near, (None, None))
    if misspelt is not None:
        if right == misspelt:  # of a plan in another format than the configured one
            message = f"{wanted.expected[:-1]}, not `{misspelt}`."
        else:
            message = f"This is not a plan, because it has `{misspelt}`: did you mean `{right}`?"
        yield Fault("not_a_plan", message, (misspelt,), Part.KEY)
    elif root or not tree.gaps:  # of an object that was only just opened, the reader says enough
        yield Fault("not_a_plan", wanted.expected, ())


def _can_hold_steps(holder: Holder, site: Site) -> bool:
    if site is Site.MEMBERS:
        return isinstance(holder.value, Chunk) and isinstance(holder.value.value, tuple)
    return isinstance(holder.value, (Spine, list))


def _wrong_holder(holder: Holder, site: Site) -> Fault:
    kind = type_name(holder.value.value) if isinstance(holder.value, Chunk) else "a list"
    right = "an object" if site is Site.MEMBERS else "a list"
    return Fault("wrong_type", f"`{holder.path[-1]}` must be {right} of steps, not {kind}.", holder.path)


_CALLS_OF_MODELS = ("function_call", "tool_use")
"""Under which keys models emit calls."""
_OPTIONS = ("auto", "none")
"""What a request says there of the calls that the model may emit."""


def _other_formats(root: list[Top], path: Path, wanted: _Wanted, sites: Sites | None) -> Iterator[Fault]:
    """Faults for the members that hold steps of another format than the one that is read."""
    read = dict.fromkeys(path[:1])
    if isinstance(sites, Scattered):
        places = (*sites.paths, *sites.data)
        read |= dict.fromkeys(_call_keys(root) if sites.is_document else (place[0] for place in places))
    keys = {top.key for top in root if not _is_absent(top)}
    others = {key: None for key in (*wanted.all_steps_keys, "tool_calls", *_call_keys(root)) if key in keys}
    if wanted.dialect.tool_key is not None:
        others |= {top.key: None for top in root if top.key not in read and _holds_calls(top)}
    name = f"a plan with `{next(iter(read))}`" if read else "a tool call"
    for key in others:
        if key not in read:
            message = f"`{key}` is ignored, because this is read as {name}: keep one of the two."
            yield Fault("mixed_formats", message, (key,), Part.KEY)


def _is_absent(top: Top) -> bool:
    """Whether a message says that it has no such calls: an SDK writes every member that a message may have."""
    is_null = isinstance(top.value, Chunk) and top.value.value is None
    return is_null and top.key in ("tool_calls", *_CALLS_OF_MODELS)


def _call_keys(root: list[Top]) -> Iterator[str]:
    """The members under which models and protocols emit calls, but for lists of them."""
    keys = {top.key: top.value for top in root}
    yield from (key for key in _CALLS_OF_MODELS if key in keys and _plain(keys[key]) not in _OPTIONS)
    if {"method", "params"} <= keys.keys():
        yield "method"


def _holds_calls(top: Top) -> bool:
    """Whether a member of the document is a list of calls, or makes the document itself one."""
    if isinstance(top.value, Spine):
        return any(is_clear_call(chunk.value) for chunk in top.value.chunks)
    return isinstance(top.value.value, str) and folded_key(top.key) in TOOL_NAMES


# ---- steps -----------------------------------------------------------------------------------------------------------


class _Held(NamedTuple):
    """The steps of a document, where they stand, and what is wrong between them."""

    steps: list[Step]
    sites: Sites | None
    faults: list[Fault]
    lowered: Lowered | None


class _ChunkSteps(NamedTuple):
    """What a chunk holds: steps, each with its path inside the chunk, and faults outside of them."""

    steps: LoweredSteps
    faults: tuple[Fault, ...]


def _held_steps(holder: Holder, dialect: Dialect, old: Lowered | None) -> _Held:
    lower = holder.lower or dialect.lower_chunk
    data: tuple[Path, ...] = ()
    steps: list[Step] | None = None
    if isinstance(holder.value, list):
        chunks: list[Chunk] = []  # steps may be anywhere, so that all of it is lowered again after an edit
        document = _object(holder.value)
        held = [_lowered(document, dialect, lower)]
        data = dialect.data_in(document, ())
    else:
        chunks = holder.value.chunks if isinstance(holder.value, Spine) else [holder.value]
        if old is None or (old.dialect, old.lower, old.path) != (dialect, lower, holder.path) or not old.chunks:
            held = [_lowered(chunk.value, dialect, lower) for chunk in chunks]
        else:
            head, tail = splice(old.chunks, chunks)
            others = [_lowered(chunk.value, dialect, lower) for chunk in chunks[head : len(chunks) - tail]]
            in_place = _in_place(old, chunks, head, others) if dialect.site is Site.SCATTERED else None
            if in_place is not None:
                return in_place
            held = [*old.held[:head], *others, *old.held[len(old.held) - tail :]]
            if dialect.site is Site.ELEMENTS and not dialect.identities.are_counted:
                steps = [*old.steps[:head], *map(_only_step, others), *old.steps[len(old.steps) - tail :]]
    if dialect.identities.are_counted:
        held = _numbered_chunks(held)
    if dialect.site is Site.ELEMENTS:
        if steps is None:
            steps = list(map(_only_step, held))
        sites: Sites = Elements(holder.path, len(steps))
        return _Held(steps, sites, [], Lowered(dialect, lower, holder.path, chunks, held, steps, sites))
    steps, paths, faults = _scattered(holder, held)
    sites = Scattered(paths, data)
    return _Held(steps, sites, faults, Lowered(dialect, lower, holder.path, chunks, held, steps, sites))


def _only_step(held: _ChunkSteps) -> Step:
    """The step that an element of a list is."""
    return held.steps[0][1]


def _in_place(old: Lowered, chunks: list[Chunk], head: int, others: list[_ChunkSteps]) -> _Held | None:
    """What scattered steps there are after an edit of some chunks that have steps at the same places as before; None
    if they have not, or there is more to say than of steps."""
    before = old.held[head : head + len(others)]
    if len(chunks) != len(old.chunks) or any(found.faults for found in (*old.held, *others)):
        return None
    if [[path for path, _ in found.steps] for found in before] != [[path for path, _ in f.steps] for f in others]:
        return None
    first = sum(len(found.steps) for found in old.held[:head])
    others = _numbered_chunks(others, first) if old.dialect.identities.are_counted else others
    new = [step for found in others for _, step in found.steps]
    steps = [*old.steps[:first], *new, *old.steps[first + len(new) :]]
    held = [*old.held[:head], *others, *old.held[head + len(others) :]]
    return _Held(steps, old.sites, [], old._replace(chunks=chunks, held=held, steps=steps))


def _object(root: list[Top]) -> Any:
    """The document's object as a value."""
    return tuple(
        (top.key, [chunk.value for chunk in top.value.chunks] if isinstance(top.value, Spine) else top.value.value)
        for top in root
    )


def _numbered_chunks(held: list[_ChunkSteps], first: int = 0) -> list[_ChunkSteps]:
    """For steps that are known by their position; only those that have moved are made anew."""
    found: list[_ChunkSteps] = []
    for chunk in held:
        if any(_has_moved(step, first + i) for i, (_, step) in enumerate(chunk.steps)):
            own = (
                (path, _numbered(step, first + i) if _has_moved(step, first + i) else step)
                for i, (path, step) in enumerate(chunk.steps)
            )
            chunk = chunk._replace(steps=tuple(own))
        first += len(chunk.steps)
        found.append(chunk)
    return found


def _has_moved(step: Step, position: int) -> bool:
    """Whether a step is known by its position, and has another one now."""
    identity = step.outline.identity
    return identity != position and not isinstance(identity, str)


def _numbered(step: Step, position: int) -> Step:
    return step._replace(outline=step.outline._replace(identity=position))


def _scattered(holder: Holder, held: list[_ChunkSteps]) -> tuple[list[Step], list[Path], list[Fault]]:
    """The steps in some chunks, where each of them is, and what is wrong between them."""
    steps: list[Step] = []
    paths: list[Path] = []
    faults: list[Fault] = []
    is_list, start = isinstance(holder.value, Spine), holder.path
    for number, found in enumerate(held):
        if is_list and (found.steps or found.faults):
            start = (*holder.path, number)
        for path, step in found.steps:
            steps.append(step)
            paths.append(start + path)
        faults += (fault._replace(path=(*start, *fault.path)) for fault in found.faults)
    return steps, paths, faults


def _lowered(value: Any, dialect: Dialect, lower: LowerChunk) -> _ChunkSteps:
    names_tools = dialect.tool_key is not None
    steps = ((path, _whole(step, _part(value, path), names_tools)) for path, step in lower(value))
    return _with_repeated(tuple(steps), _repeated(value, ()))


def _whole(step: Step, value: Any, names_tools: bool) -> Step:
    """A step with all that it consists of and, in a dialect of such, the calls that it carries."""
    if step.value is not None:
        value = step.value
        inside = (fault for fault in _repeated(value, ()) if INSIDE in fault.path)
        step = step._replace(faults=(*step.faults, *inside))
    if not names_tools:
        return Step(*step[:-3], (), frozenset(), value)
    calls, names = carried_calls(value)
    if step.call is not None and len(step.call.tool_path) > 1:  # the step's own call is inside of it
        own = step.call.tool_path
        calls = tuple(found for found in calls if found.call is None or found.call.tool_path != own)
    return Step(*step[:-3], calls, names, value)


def _part(value: Any, path: Path) -> Any:
    """What is at a path inside a value; of repeated keys, the last one counts."""
    for name in path:
        value = value[name] if isinstance(value, list) and isinstance(name, int) else dict(value)[name]
    return value


def _with_repeated(steps: LoweredSteps, repeated: list[Fault]) -> _ChunkSteps:
    """The steps of a chunk, each with the faults that are inside of it."""
    if not repeated:
        return _ChunkSteps(steps, ())
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
    return _ChunkSteps(tuple(extended), tuple(around))


def _empty(tree: Tree, dialect: Dialect, steps: list[Step], path: Path) -> Iterator[Fault]:
    if not steps and not dialect.may_be_empty and not tree.gaps:  # one that is not closed yet is about to get a step
        yield Fault("empty_plan", "This plan has no steps, so it does nothing: add one.", path)


# ---- around the steps ------------------------------------------------------------------------------------------------


def _repeated(value: object, path: Path) -> list[Fault]:
    """A fault for every key that an object has more than once, at the one that counts."""
    return [
        Fault(
            "duplicate_key",
            f"`{found[-1]}` is given more than once, and only this last one is used: remove the others.",
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
