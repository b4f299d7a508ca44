"""What a fix is made of: changes at places, as values. No text is looked at until somebody asks for the edits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from plancheck.analysis.finding import Finding
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Place, Plan
from plancheck.policy.classes import ToolClasses
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.syntax.inner import inner_text
from plancheck.syntax.tree import MISSING, Chunk, Node, Path, Spine, Top, Tree, Within, locate
from plancheck.syntax.values import to_plain
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue


class SetValue(NamedTuple):
    """Put another value in the place of the one that is there."""

    place: Place
    value: Any


class SetMember(NamedTuple):
    """Give the object at a place a member: a new one in the customary order of keys, or a new value for the old one."""

    place: Place
    key: str
    value: Any


class RemoveMember(NamedTuple):
    """Remove the member at a place, key and all."""

    place: Place


class RenameKey(NamedTuple):
    """Give the member at a place another key."""

    place: Place
    key: str


class KeepLast(NamedTuple):
    """Of a key that its object has several times, remove all but the last, which is the one that counts."""

    place: Place


class WrapInList(NamedTuple):
    """Make the value at a place the only element of a list."""

    place: Place


class AppendElement(NamedTuple):
    """Add an element to the end of the list at a place."""

    place: Place
    value: Any


class RemoveElements(NamedTuple):
    """Remove the elements with these numbers from the list at a place."""

    place: Place
    numbers: tuple[int, ...]


class InsertStep(NamedTuple):
    """Insert a step before the one at a position; at the number of steps, at the end."""

    position: int
    value: dict[str, Any]


class RemoveSteps(NamedTuple):
    positions: tuple[int, ...]


class MoveStep(NamedTuple):
    """Move a step up or down, to stand right before the one that is at position `before` now."""

    position: int
    before: int


Change: TypeAlias = (
    SetValue
    | SetMember
    | RemoveMember
    | RenameKey
    | KeepLast
    | WrapInList
    | AppendElement
    | RemoveElements
    | InsertStep
    | RemoveSteps
    | MoveStep
)


class Proposal(NamedTuple):
    """One way to put a finding right. Without changes it proposes nothing."""

    title: str
    changes: tuple[Change, ...]


class Fix(NamedTuple):
    """A proposal with the grade of its remedy."""

    title: str
    safe: bool
    changes: tuple[Change, ...]


class FixView(NamedTuple):
    """What a remedy sees."""

    plan: Plan
    graph: PlanGraph
    tree: Tree
    spare: int = 0
    """How many identities are taken already by other fixes that are to be applied together with this one."""
    policy: Policy = NO_POLICY
    rules: Collection[str] = ()
    """The names of all rules."""
    catalogue: Catalogue | None = None

    @property
    def classes(self) -> ToolClasses:
        """What tools do."""
        catalogue = self.catalogue
        if catalogue is None:
            return ToolClasses(self.policy)
        return ToolClasses(self.policy, catalogue.hints, lambda: catalogue.tools)

    def value(self, place: Place) -> Any:
        """The value at a place as `json.loads` gives it; MISSING where there is none."""
        return _value(self.tree, self.plan.full_path(place))

    def repeated(self, place: Place) -> list[Any]:
        """What stands under a key, each time that its object has it."""
        tree, path = _inmost(self.tree, self.plan.full_path(place))
        *above, key = path
        if not above:
            return [_plain(top) for top in tree.root if top.key == key] if isinstance(tree.root, list) else []
        node = _node(tree, tuple(above))
        return [] if node is None else [to_plain(member.node.value) for member in node.members() if member.key == key]


def _inmost(tree: Tree, path: Path) -> tuple[Tree, Path]:
    """For a path that leads into JSON text, the text's own tree and the path in it."""
    found = inner_text(tree, path)
    return (tree, path) if found is None else (found[0].tree, found[1])


def _value(tree: Tree, path: Path) -> Any:
    tree, path = _inmost(tree, path)
    if not path:
        return tree.value()
    if isinstance(path[-1], Within):
        text = _value(tree, path[:-1])
        return text[slice(*path[-1])] if isinstance(text, str) else MISSING
    found = tree.resolve(path)
    if isinstance(found, Top):
        return _plain(found)
    node = _node(tree, path)
    return MISSING if node is None else to_plain(node.value)


def _node(tree: Tree, path: Path) -> Node | None:
    found = tree.resolve(path)
    if isinstance(found, Top) and isinstance(found.value, Chunk):
        found = (found.start, found.value, ())
    if not isinstance(found, tuple) or isinstance(found, Top):
        return None
    node = found[1].node
    for name in found[2]:
        below = locate(node, (name,)).node
        if below is node:
            return None
        node = below
    return node


def _plain(top: Top) -> Any:
    if isinstance(top.value, Spine):
        return [to_plain(chunk.value) for chunk in top.value.chunks]
    return to_plain(top.value.value)


class Remedy(NamedTuple):
    """One kind of fix that a rule has."""

    what: str
    """What it does, in a few words that begin with a verb, for the table of rules."""
    safe: bool
    propose: Callable[[FixView, Finding], Iterator[Proposal]]
