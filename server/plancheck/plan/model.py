"""The plan: what every dialect is lowered to. No JSON is left here, and nothing knows where in the text it stands.

An element knows its *place* instead: the step's position in the list and the path inside the step. The snapshot turns
places into offsets when somebody wants to see them, so a step that did not change needs no new spans when the text
before it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from plancheck.plan.sites import Elements, Sites
from plancheck.syntax.tree import INSIDE, Part, Path, Within
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.plan.dialects.dialect import Dialect

Identity: TypeAlias = int | str


class Kind(str, Enum):
    DECISION = "decision"
    TOOL_CALL = "tool_call"


class Place(NamedTuple):
    """A token of the document: of a step (its position in the list and a path inside it), or of the plan around it."""

    step: int | None
    path: Path = ()
    part: Part = Part.VALUE


def dotted(path: Path) -> str:
    """A path as messages show it: `args.rows.0.amount`."""
    return ".".join(str(name) for name in path if name != INSIDE)


class Read(NamedTuple):
    """A step reads a resource; with a producer, as that step left it."""

    resource: str
    path: Path
    """Where the resource's id stands, inside the step."""
    producer: Identity | None = None
    producer_path: Path = ()
    volatile: bool = False
    pinned: bool = False
    revalidates: bool = False

    @property
    def is_reference(self) -> bool:
        """Whether it is no declared read, but a reference inside a string to another step's result."""
        return bool(self.path) and isinstance(self.path[-1], Within)


class Write(NamedTuple):
    resource: str
    path: Path
    creates: bool = False
    """Whether the author says that there is nothing to read before: the step makes the resource."""


class Grant(NamedTuple):
    """One resource that the step's scope allows it to touch."""

    resource: str
    path: Path


class Pred(NamedTuple):
    """One step that must have run before."""

    identity: Identity
    path: Path


class Alias(NamedTuple):
    """Another name of a step than its identity, by which references may mean it."""

    name: str
    path: Path


class LookalikeForm(Enum):
    """How something is written that may be meant as a reference."""

    DOUBLE = "double"
    """`{{…}}`"""
    DOLLAR_BRACES = "dollar_braces"
    """`${…}`"""
    SINGLE = "single"
    """`{…}`"""
    NAME = "name"
    """`$name`"""
    ANGLE = "angle"
    """`<…>`"""
    DOLLAR = "dollar"
    """`$1`"""
    HASH = "hash"
    """`#E1`"""

    @property
    def is_in_braces(self) -> bool:
        """Whether references are written so, too."""
        return self in (LookalikeForm.DOUBLE, LookalikeForm.DOLLAR_BRACES)


class Lookalike(NamedTuple):
    """A part of a string that may be meant as a reference and be none: whether it is, the names of the steps tell."""

    path: Path
    """The characters that the right form would take the place of: in braces, only what is inside."""
    form: LookalikeForm
    expression: str
    """What is inside the braces or behind the sign."""
    is_whole: bool
    """Whether the string is nothing else."""
    is_in_document: bool
    """Whether the string has several lines, as a document or a program has."""


class Fault(NamedTuple):
    """Something invalid about a step or the plan, found while lowering it. `place.step` is filled in by the plan."""

    rule: str
    message: str
    path: Path
    part: Part = Part.VALUE
    is_error: bool = False
    """Whether it is worse than its rule's findings usually are."""
    is_of_plan: bool = False
    """Whether whoever knows JSON alone does not see it, other than what its rule mostly reports."""


class Ignore(NamedTuple):
    """A rule that the author switched off here."""

    rule: str
    path: Path
    """Where its name is."""
    reason: str = ""
    """Why, in the author's words, if they say so."""


class Outline(NamedTuple):
    """What plan-wide facts depend on. Two steps of one outline are the same to every rule that looks at the whole."""

    identity: Identity | None
    kind: Kind | None
    preds: tuple[Pred, ...] | None
    """None is the linear default: the step before this one in the list."""
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    scope: tuple[Grant, ...] | None
    reads_known: bool
    """False when part of what the step reads could not be made out, so nothing may be concluded from its absence."""
    writes_known: bool = True
    preds_known: bool = True
    scope_known: bool = True
    alias: Alias | None = None


class Beside(NamedTuple):
    """Members of an object that are no keys of a call: a lenient runner may take them for arguments."""

    path: Path
    """The object, inside the step."""
    members: tuple[tuple[str, Any], ...]


def beside(path: Path, members: Iterable[tuple[str, Any]]) -> tuple[Beside, ...]:
    """Such members of one object, as a call has them; nothing where there are none."""
    found = tuple(members)
    return (Beside(path, found),) if found else ()


class Call(NamedTuple):
    """The tool that a step calls, and what with. Paths are inside the step; that of something absent is empty."""

    tool: str | None
    tool_path: Path
    arguments: Any
    """The syntax tree's value: objects are tuples of pairs; None where there is none."""
    arguments_path: Path
    on_fail: str | None
    on_fail_path: Path
    beside: tuple[Beside, ...] = ()


class Clarity(IntEnum):
    """How sure one can be that something is a call."""

    FAINT = 0
    """It is a name beside something else, as much data has: a call only to who knows a tool of that name."""
    UNCLEAR = 1
    """It may be a call."""
    CLEAR = 2
    """It can hardly be anything else: it has the shape in which models and protocols emit calls."""


class Carried(NamedTuple):
    """A call that a step carries besides its own, or a text of which nobody can say whether it holds one."""

    call: Call | None
    """None for a text that is wrapped or nested too often, or too long, to be looked at."""
    within: Path | None
    """The string that holds it as JSON text; None where it is part of the document."""
    clarity: Clarity = Clarity.UNCLEAR
    is_unread: bool = False
    """Whether the text that holds it is not JSON, so that nobody can say what the tool is called with."""


class Step(NamedTuple):
    """One step, by itself: not where it stands, not what stands around it."""

    outline: Outline
    agent: str | None
    identity_path: Path
    faults: tuple[Fault, ...]
    ignores: tuple[Ignore, ...]
    call: Call | None = None
    """None for the steps of a declared plan, which name no tool."""
    lookalikes: tuple[Lookalike, ...] = ()
    carried: tuple[Carried, ...] = ()
    member_names: frozenset[str] = frozenset()
    """The names of the members anywhere in it behind which what a tool is called with could stand."""
    value: Any = None
    """All of the step, as the syntax tree has it: for those who look for something anywhere in it."""

    @property
    def name(self) -> str:
        """How messages call the step."""
        return "?" if self.outline.identity is None else f"{self.outline.identity}"


class Plan(NamedTuple):
    dialect: Dialect
    steps: Sequence[Step]
    path: Path
    """Where the steps stand in the document as a whole: the path of the list or object that holds them."""
    faults: tuple[Fault, ...]
    ignores: tuple[Ignore, ...]
    sites: Sites | None = None
    """Where each step stands; None where the document has nothing that could hold steps."""

    @property
    def is_list(self) -> bool:
        """Whether the steps are the elements of one list, so that a step can be put between two others."""
        return isinstance(self.sites, Elements)

    def step_path(self, position: int) -> Path:
        """A step as a path from the document's root."""
        assert self.sites is not None, "a plan that has no steps"
        return self.sites.path_of(position)

    def find_step(self, path: Path) -> tuple[int, Path] | None:
        """The step that a path from the document's root leads into, and the rest of the path."""
        return None if self.sites is None else self.sites.find(path)

    def full_path(self, place: Place) -> Path:
        """The place as a path from the document's root."""
        return place.path if place.step is None else (*self.step_path(place.step), *place.path)

    def token_part(self, place: Place) -> Part:
        """Which token of a place is meant: a step that is known by its key is shown there."""
        is_step = place.step is not None and not place.path and place.part is Part.VALUE
        return Part.KEY if is_step and self.dialect.identities.are_keys else place.part

    def tools(self) -> frozenset[str]:
        """The tools that the steps call."""
        return frozenset(step.call.tool for step in self.steps if step.call is not None and step.call.tool is not None)

    def pointer(self, place: Place) -> str:
        """The place as a JSON pointer (RFC 6901), which cannot point into a string."""
        path = self.full_path(place)
        outside = path[: path.index(INSIDE)] if INSIDE in path else path
        pointer = ""
        for name in outside:
            if not isinstance(name, Within):
                part = str(name)
                pointer += f"/{part.replace('~', '~0').replace('/', '~1') if '~' in part or '/' in part else part}"
        return pointer
