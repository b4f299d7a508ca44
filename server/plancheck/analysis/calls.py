"""All calls of a document: those that the steps make, those that they carry, and those beside the steps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from operator import is_
from typing import Any

from plancheck.cached import cached_property
from plancheck.plan.carried import CarriedCalls, carried_calls
from plancheck.plan.model import Carried, Clarity, Place, Plan, Step
from plancheck.plan.sites import Elements, Scattered
from plancheck.policy.checks import Concern, Judged, hidden_calls, judged_carried
from plancheck.policy.names import folded, spellings
from plancheck.syntax.splice import splice
from plancheck.syntax.tree import Chunk, Path, Spine, Tree
from plancheck.tuples import NamedTuple


class TopMember:
    """Something that is beside the steps: a member of the document, an element of one that is a list, or what is left
    of a part of the document when the steps in it are taken out."""

    def __init__(self, path: Path, chunk: Chunk, plan: Plan, steps: Sequence[Path] = ()) -> None:
        self.path = path
        self.chunk = chunk
        self._steps = steps
        """The paths of the steps inside the chunk."""
        self._plan = plan

    @cached_property
    def value(self) -> Any:
        return _without(self.chunk.value, self._steps)

    @cached_property
    def emitted(self) -> Any:
        """The same without what tools have answered: whatever that looks like, it is data and no call."""
        plan, depth = self._plan, len(self.path)
        known = plan.sites.data if isinstance(plan.sites, Scattered) else ()
        inside = (path[depth:] for path in known if path[:depth] == self.path)
        return _without(self.value, (*inside, *plan.dialect.data_in(self.chunk.value, self.path)))

    @cached_property
    def carried(self) -> tuple[Carried, ...]:
        """The calls in it; their paths lead from the document's root."""
        return tuple(map(self._placed, self._all.calls))

    @property
    def member_names(self) -> frozenset[str]:
        """The names of the members in it behind which what a tool is called with could stand."""
        return self._all.names

    @property
    def uses(self) -> object:
        """What `ToolUses` tells of it, to be compared with that of another one."""
        return self._all

    @property
    def judged(self) -> Iterator[Judged]:
        return judged_carried(self.carried)

    def judged_for(self, concern: Concern) -> Iterator[Judged]:
        """The same, and the calls whose tools are names of members, as far as a rule is about these tools."""
        yield from self.judged
        yield from judged_carried(self.hidden(concern.those(self.member_names)))

    def hidden(self, tools: Container[str]) -> Iterator[Carried]:
        """The calls that are known by the names of their tools alone."""
        return map(self._placed, hidden_calls(self._wrapped, tools, self._all.calls)) if tools else iter(())

    @property
    def _wrapped(self) -> Any:
        """The value as what it is: a member of that name."""
        return ((str(self.path[0]) if self.path else "", self.emitted),)

    @cached_property
    def _all(self) -> CarriedCalls:
        return carried_calls(self._wrapped)

    def _placed(self, found: Carried) -> Carried:
        call = found.call
        if call is not None:
            call = call._replace(
                tool_path=self._path(call.tool_path),
                arguments_path=self._path(call.arguments_path),
                beside=tuple(one._replace(path=self._path(one.path)) for one in call.beside),
            )
        return found._replace(call=call, within=None if found.within is None else self._path(found.within))

    def _path(self, wrapped: Path) -> Path:
        """A path in the wrapped value as one from the document's root."""
        return (*self.path, *wrapped[1:])


def members_beside(tree: Tree, plan: Plan, only: Collection[Path] | None = None) -> Iterator[TopMember]:
    """What stands beside the steps, down to where the document is cut into chunks; of very much, `only` some."""
    inside = _steps_by_chunk(tree, plan) if only is None else {}
    for path, value in _beside(tree, plan):
        for where, chunk in _chunks(path, value, only):
            steps = inside.get(where, ()) if only is None else _steps_inside(tree, plan, where)
            yield TopMember(where, chunk, plan, steps)


def changed_members(old: tuple[Tree, Plan], new: tuple[Tree, Plan]) -> set[Path]:
    """The paths of what stands beside the steps and came, went or is another now."""
    before, after = _by_path(*old), _by_path(*new)
    found: set[Path] = set()
    if not before and not after:
        return found
    are_the_same_steps = old[1].sites == new[1].sites or not (_is_whole(*old) or _is_whole(*new))
    for path in {**before, **after}:
        one, other = before.get(path, []), after.get(path, [])
        lists = [value for value in (*one, *other) if isinstance(value, Spine)]
        if are_the_same_steps and len(one) == len(other) == 1 and len(lists) == 2:
            found.update((*path, number) for number in _changed(*lists))
        elif not are_the_same_steps or len(one) != len(other) or not all(map(is_, one, other)):
            found.update(where for value in (*one, *other) for where, _ in _chunks(path, value))
    return found


def _by_path(tree: Tree, plan: Plan) -> dict[Path, list[Spine | Chunk]]:
    """What stands beside the steps; of a key that the document has more than once, all."""
    found: dict[Path, list[Spine | Chunk]] = {}
    for path, value in _beside(tree, plan):
        found.setdefault(path, []).append(value)
    return found


def _changed(old: Spine, new: Spine) -> range:
    """The positions at which two lists have other elements."""
    head, tail = splice(old.chunks, new.chunks)
    size = max(len(old.chunks), len(new.chunks))
    return range(head, size - tail if len(old.chunks) == len(new.chunks) else size)


def _is_whole(tree: Tree, plan: Plan) -> bool:
    """Whether what is a step in a chunk depends on other chunks, too: steps may be anywhere in the document."""
    return isinstance(tree.root, list) and not plan.path


def _beside(tree: Tree, plan: Plan) -> Iterator[tuple[Path, Spine | Chunk]]:
    """The members of a document, or its list, but for a list of which each element is a step."""
    sites = plan.sites
    if isinstance(sites, Scattered) and sites.is_document:
        return
    yield from (top for top in _tops(tree) if not (isinstance(sites, Elements) and top[0] == plan.path))


def _tops(tree: Tree) -> Iterator[tuple[Path, Spine | Chunk]]:
    if isinstance(tree.root, list):
        yield from (((top.key,), top.value) for top in tree.root)
    elif tree.root is not None:
        yield (), tree.root


def _chunks(path: Path, value: Spine | Chunk, only: Collection[Path] | None = None) -> Iterator[tuple[Path, Chunk]]:
    if isinstance(value, Chunk):
        if only is None or path in only:
            yield path, value
    elif only is None:
        yield from (((*path, number), chunk) for number, chunk in enumerate(value.chunks))
    else:
        last = (where[-1] for where in only if where and where[:-1] == path)
        numbers = sorted(number for number in last if isinstance(number, int))
        yield from (((*path, number), value.chunks[number]) for number in numbers if number < len(value.chunks))


def _steps_by_chunk(tree: Tree, plan: Plan) -> dict[Path, list[Path]]:
    """For each chunk that holds steps among other things, their paths inside of it."""
    found: dict[Path, list[Path]] = {}
    if not isinstance(plan.sites, Scattered):
        return found
    lists = {path for path, value in _tops(tree) if isinstance(value, Spine)}
    for path in () if plan.sites.is_document else plan.sites.paths:
        depth = 0 if () in lists else 1
        depth += path[:depth] in lists
        found.setdefault(path[:depth], []).append(path[depth:])
    return found


def _steps_inside(tree: Tree, plan: Plan, path: Path) -> list[Path]:
    """The same for one chunk."""
    if not isinstance(plan.sites, Scattered):
        return []
    if plan.path == path[:-1] and isinstance(tree.resolve(path), tuple):
        return plan.sites.below(path)
    return _steps_by_chunk(tree, plan).get(path, [])


def _without(value: Any, paths: Iterable[Path]) -> Any:
    """A value with null in the place of parts of it; of repeated keys, the last one counts. What is around the parts is
    made once, however many there are."""
    inner: dict[Any, list[Path]] = {}
    for path in paths:
        if not path:
            return None
        inner.setdefault(path[0], []).append(path[1:])
    if not inner or not isinstance(value, (list, tuple)):
        return value  # what is around it is gone already
    if isinstance(value, list):
        return [_without(item, inner[i]) if i in inner else item for i, item in enumerate(value)]
    last = {key: number for number, (key, _) in enumerate(value)}
    return tuple(
        (key, _without(child, inner[key]) if key in inner and last[key] == number else child)
        for number, (key, child) in enumerate(value)
    )


# ---- uses of tools ---------------------------------------------------------------------------------------------------


class ToolUse(NamedTuple):
    """A tool that is called somewhere, or may be."""

    tool: str
    clarity: Clarity
    place: Place

    @property
    def is_clear(self) -> bool:
        return self.clarity is Clarity.CLEAR


class ToolUses:
    """Which tools are used: by the steps' own calls, by the calls that they carry, and beside the steps."""

    def __init__(self, steps: Sequence[Step], members: Callable[[], Iterable[TopMember]]) -> None:
        self._steps = steps
        self._find_members = members

    @cached_property
    def _members(self) -> tuple[TopMember, ...]:
        return tuple(self._find_members())

    def __len__(self) -> int:
        return len(self._steps)

    def own(self, position: int) -> str | None:
        call = self._steps[position].call
        return call.tool if call is not None else None

    def must_succeed(self, position: int) -> bool:
        """Whether the plan ends when the step fails."""
        call = self._steps[position].call
        return call is None or call.on_fail != "continue"

    def place(self, position: int) -> Place:
        """The token that names the tool."""
        call = self._steps[position].call
        return Place(position, call.tool_path if call is not None else ())

    def of_step(self, position: int) -> Sequence[ToolUse]:
        """The uses by a step, its own first. They are all shown where it names its tool."""
        return self._of_steps[position]

    @cached_property
    def _of_steps(self) -> list[Sequence[ToolUse]]:
        places = (self.place(position) for position in range(len(self._steps)))
        return [
            [ToolUse(tool, clarity, place) for tool, clarity in tools_of(step)]
            for step, place in zip(self._steps, places, strict=True)
        ]

    @cached_property
    def inside(self) -> tuple[ToolUse, ...]:
        """The uses by calls that the steps carry."""
        return tuple(
            use for uses, step in zip(self._of_steps, self._steps, strict=True) if step.carried for use in uses[1:]
        )

    @cached_property
    def beside(self) -> tuple[ToolUse, ...]:
        """The uses beside the steps; nobody knows when these would be."""
        return tuple(
            ToolUse(call.tool, clarity, Place(None, call.tool_path if within is None else within))
            for member in self._members
            for call, within, clarity, _ in member.carried
            if call is not None and call.tool is not None
        )

    def of(self, tools: Iterable[str]) -> SomeUses:
        """The uses of some tools, however their names are spelt."""
        wanted = frozenset(map(folded, tools))
        names = self._member_names.union(*(member.member_names for member in self._members))
        return SomeUses(self, wanted, frozenset(name for name in names if not wanted.isdisjoint(spellings(name))))

    @cached_property
    def _member_names(self) -> frozenset[str]:
        return frozenset().union(*(step.member_names for step in self._steps))

    def hidden(self, position: int, names: frozenset[str]) -> list[ToolUse]:
        """The uses by a step of tools that are the names of members in it."""
        step, place = self._steps[position], self.place(position)
        meant = step.member_names & names
        calls = hidden_calls(step.value, meant, step.carried, step.call) if meant else ()
        return [ToolUse(tool, Clarity.FAINT, place) for tool in _each_once(calls)]

    def hidden_beside(self, names: frozenset[str]) -> list[ToolUse]:
        return [
            ToolUse(tool, Clarity.FAINT, Place(None, member.path))
            for member in self._members
            for tool in _each_once(member.hidden(member.member_names & names))
        ]


class SomeUses(NamedTuple):
    """The uses of some tools; those count, too, whose tool is the name of a member."""

    uses: ToolUses
    wanted: frozenset[str]
    """The tools, as their names look."""
    names: frozenset[str]
    """The names of members that may be these tools."""

    def of_step(self, position: int) -> list[ToolUse]:
        return [
            *self._those(self.uses.of_step(position)),
            *(self.uses.hidden(position, self.names) if self.names else ()),
        ]

    @property
    def beside(self) -> list[ToolUse]:
        return [*self._those(self.uses.beside), *(self.uses.hidden_beside(self.names) if self.names else ())]

    def _those(self, uses: Iterable[ToolUse]) -> Iterator[ToolUse]:
        return (use for use in uses if not self.wanted.isdisjoint(spellings(use.tool)))


def _each_once(calls: Iterable[Carried]) -> Iterator[str]:
    """The tools of some calls, however often what each is called with was guessed at. In a text, nobody can say whether
    two at one place are one."""
    seen: set[Path] = set()
    for call, within, *_ in calls:
        if call is not None and call.tool is not None and (within is not None or call.tool_path not in seen):
            seen.add(call.tool_path)
            yield call.tool


def tools_of(step: Step) -> tuple[tuple[str, Clarity], ...]:
    """The tools that a step uses, or may use."""
    own = step.call.tool if step.call is not None else None
    if not step.carried:
        return () if own is None else ((own, Clarity.CLEAR),)
    carried = ((found.call.tool, found.clarity) for found in step.carried if found.call is not None)
    return tuple((tool, clarity) for tool, clarity in ((own, Clarity.CLEAR), *carried) if tool is not None)


def uses_of(step: Step) -> object:
    """What `ToolUses` tells of a step, to be compared with that of another one."""
    call = step.call
    return tools_of(step), step.member_names, None if call is None else (call.tool, call.tool_path, call.on_fail)
