"""What a dialect is: a value that says how its plans are told, read, explained and written.

Code outside of a dialect's folder never asks which dialect a plan has. It asks the value: for a function
(`lower_chunk`), for the keys (`vocabulary`), or for a trait (`any_order`, `linear_default`, …). So a new dialect is a
new folder and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, IntEnum
from typing import Any, TypeAlias

from plancheck.plan.dialects.vocabulary import STEP, Vocabulary
from plancheck.plan.model import Fault, Identity, Step
from plancheck.syntax.tree import Chunk, Path, Spine, Top, Tree
from plancheck.tuples import NamedTuple


class Match(IntEnum):
    """How much a document looks like a plan of a dialect. The best match counts; of equals the first in the table."""

    NONE = 0
    LIKELY = 1
    CERTAIN = 2


class Site(Enum):
    """Where the steps of a dialect stand."""

    ELEMENTS = "elements of a list"
    MEMBERS = "members of an object"
    SCATTERED = "in the elements of a list, any number in each, or anywhere in a document that is an object"


class Identities(Enum):
    """What a step is known by."""

    NUMBER = "an integer of its own"
    NAME = "a string of its own"
    KEY = "the key that it is under"
    POSITION = "its position among the steps"
    NAME_OR_POSITION = "a string of its own, or else its position among the steps"

    @property
    def are_counted(self) -> bool:
        """Whether a step that does not say what it is known by is known by its position."""
        return self in (Identities.POSITION, Identities.NAME_OR_POSITION)

    @property
    def are_keys(self) -> bool:
        return self is Identities.KEY

    @property
    def are_numbers(self) -> bool:
        return self in (Identities.NUMBER, Identities.POSITION)

    @property
    def are_written(self) -> bool:
        """Whether a step says what it is known by, so that this can be changed."""
        return self is not Identities.POSITION


class Limits(Enum):
    """Whose limits on the number of steps and on tools hold for a plan."""

    NONE = "nobody's"
    POLICY = "the policy's"
    GATE = "the plan gate's"


LoweredSteps: TypeAlias = tuple[tuple[Path, Step], ...]
"""The steps that a chunk holds, each with its path inside the chunk."""
LowerChunk: TypeAlias = Callable[[Any], LoweredSteps]


class Holder(NamedTuple):
    """What the steps of a document stand in, and its path."""

    path: Path
    value: Spine | Chunk | list[Top]
    """The members of the document's object where steps may be anywhere in it."""
    lower: LowerChunk | None = None
    """How the chunks in here are lowered, if not as the dialect's chunks usually are."""


class Snippet(NamedTuple):
    """A step to insert. A member without a value is the step's identity: it gets one that is free."""

    label: str
    detail: str
    members: tuple[tuple[str, str | None], ...]


class NewReader(NamedTuple):
    """A step that a fix wants: somebody reads something, after the steps that are named or after the one before."""

    identity: Identity
    agent: str
    reads: list[Any]
    preds: list[Identity] | None


class Dialect(NamedTuple):
    """One way to write plans down. Two dialects are the same only if they are one."""

    name: str
    title: str
    summary: str
    expected: str
    """What is said of a document that was to be a plan of this dialect and is none: one sentence."""

    detect: Callable[[Tree], Match]
    find: Callable[[Tree], Holder | None]
    """Where in a document the steps are, whatever else is wrong with it."""
    steps_key: str
    """The key of the document's object under which they are."""
    site: Site
    lower_chunk: LowerChunk
    """The steps of one chunk, by nothing but the chunk's value; under `ELEMENTS` exactly one, with an empty path. If a
    step has a `value`, that is the chunk's with the JSON texts in it read."""
    vocabulary: Vocabulary
    identities: Identities

    snippets: tuple[Snippet, ...]
    """Steps to insert, the plainest first."""
    starter: str
    """A whole plan to begin with, as a snippet."""

    bare: str = ""
    """What a document is that is no object but the steps themselves, in words; empty where there can be none."""
    bare_shapes: tuple[str, ...] = (STEP,)
    """The shapes of the elements of such a document."""
    data_in: Callable[[Any, Path], tuple[Path, ...]] = lambda _, __: ()
    """Where in a chunk, given by its value and where it is in the document, there is data in which nothing is a call,
    such as what tools have answered."""
    check_around: Callable[[Tree], Iterator[Fault]] = lambda _: iter(())
    """What is wrong with the document around the steps, beyond what is wrong in any dialect."""

    identity_key: str | None = None
    """The key under which a fix writes a step's identity."""
    preds_key: str | None = None
    """The key under which a step lists those that it waits for."""
    other_orders: tuple[str, ...] = ()
    """Keys under which authors give the order that belongs under `preds_key`."""
    tool_key: str | None = None
    """The key under which a step names the tool that it calls; None where steps name none."""
    arguments_key: str | None = None
    """The key under which a fix writes what the tool is called with."""
    context_key: str | None = None
    """The key of the document's object under which it says what is known beforehand; None where there is none."""
    handler_key: str | None = None
    """The key under which a step says what happens when it fails."""
    foreign_keys: tuple[tuple[str, str], ...] = ()
    """Keys of other dialects that authors use in this one, each with the one that means the same here."""
    new_reader: Callable[[NewReader], dict[str, Any]] | None = None
    """A new step as a fix writes it; None where a step that only reads something is none."""

    any_order: bool = False
    """Whether a step may wait for one that comes later."""
    linear_default: bool = True
    """Whether a step that names no predecessors follows the one before it; else it waits for nothing."""
    has_references: bool = False
    """Whether a string may refer to the result of a step."""
    may_be_empty: bool = False
    """Whether a plan without steps is a proper one."""
    limits: Limits = Limits.NONE

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash(self.name)


Dialects: TypeAlias = tuple[Dialect, ...]


def under(key: str) -> Callable[[Tree], Holder | None]:
    """Steps under a key of the document's object."""

    def find(tree: Tree) -> Holder | None:
        top = tree.top(key)
        return None if top is None else Holder((key,), top.value)

    return find


def bare_or_under(key: str) -> Callable[[Tree], Holder | None]:
    """Steps that are the document, or under a key of its object."""
    in_object = under(key)

    def find(tree: Tree) -> Holder | None:
        return Holder((), tree.root) if isinstance(tree.root, Spine) else in_object(tree)

    return find


def one_step(lower: Callable[[Any], Step]) -> LowerChunk:
    """For a dialect of which every chunk is a step."""

    def lower_chunk(value: Any) -> LoweredSteps:
        return (((), lower(value)),)

    return lower_chunk


def free_names(taken: Iterable[Identity], first: int = 1) -> Iterator[str]:
    """Names that no step has."""
    known = set(taken)
    number = first
    while True:
        if (name := f"step{number}") not in known:
            yield name
        number += 1
