"""What the keys of a dialect are: the one description that completion, hover, fixes and the JSON Schema are made of.

A dialect's objects are *shapes*: its keys in their customary order, each with its texts and with what may stand behind
it. What a *place* is for (a step's identity, a resource, …) is told by its key, so nothing outside of a dialect's
folder knows how the dialect spells things.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Slot(Enum):
    """What a value that is no list is for."""

    IDENTITY = "the step's own identity"
    STEP = "another step"
    RESOURCE = "a resource"
    RULE = "a rule"
    CHOICE = "one of a few words"
    FLAG = "true or false"
    ARGUMENTS = "an object with references to other steps inside"
    OBJECT = "any object"
    JSON_TEXT = "an object, or one as JSON text in a string"
    NAME = "a name that is not empty"
    TEXT = "any text"


class Key(NamedTuple):
    """A key of an object. Its value is a scalar for `slot`, an object of `shape`, or either; see `many` and `named`."""

    summary: str
    page: str
    snippet: str
    """The value to insert, as an editor's snippet."""
    slot: Slot | None = None
    shape: str | None = None
    many: bool = False
    """Whether the value is a list of such."""
    named: bool = False
    """Whether the value is an object of such, each under a name of the author's."""
    is_required: bool = False
    may_be_null: bool = False
    may_be_text: bool = False
    """Whether a text may stand in the place of the list or object."""
    is_offered: bool = True
    """Whether completion proposes the key; one that is known but says nothing here is not."""
    choices: Mapping[str, str] = {}
    """The words that a `CHOICE` has to choose from, with what they mean; the first is the default, if there is one."""
    has_default: bool = False


Shape: TypeAlias = Mapping[str, Key]

PLAN = "plan"
"""The name of the shape of the document's object."""
STEP = "step"
"""The name of the shape of a step."""


class Expected(NamedTuple):
    """What may stand at a place: a scalar, an object of a shape, or a list or an object of such."""

    slot: Slot | None = None
    shape: str | None = None
    many: bool = False
    named: bool = False
    choices: Mapping[str, str] = {}
    is_required: bool = False


class Vocabulary(NamedTuple):
    """The shapes of a dialect by name; "plan" is the document's object and "step" a step's."""

    shapes: Mapping[str, Shape]

    def expected(self, in_step: bool, path: Path) -> Expected | None:
        """What may stand at a path from a step, or from the document's root."""
        found = Expected(shape=STEP if in_step else PLAN)
        if not in_step and path and isinstance(path[0], int):  # the document itself is the list of steps
            found = Expected(shape=STEP, many=True)
        for name in path:
            below = self._below(found, name)
            if below is None or below.slot in (Slot.ARGUMENTS, Slot.JSON_TEXT):
                return below
            found = below
        return found

    def _below(self, found: Expected, name: object) -> Expected | None:
        if isinstance(name, int):
            return found._replace(many=False) if found.many else None
        if found.named:
            return found._replace(named=False)
        key = self.shapes.get(found.shape or "", {}).get(str(name)) if not found.many else None
        if key is None:
            return None
        return Expected(key.slot, key.shape, key.many, key.named, key.choices, key.is_required)

    def key(self, in_step: bool, path: Path) -> Key | None:
        """The key that a path ends with."""
        if not path or not isinstance(path[-1], str):
            return None
        return self.shape(in_step, path[:-1]).get(path[-1])

    def shape(self, in_step: bool, path: Path) -> Shape:
        """The keys that the object at a path may have."""
        around = self.expected(in_step, path)
        if around is None or around.many or around.named or around.shape is None:
            return {}
        return self.shapes[around.shape]

    def step_depth(self, path: Path) -> int | None:
        """How many names of a path from the document's root lead to the step that it goes into; None if it does not."""
        for depth in range(1, len(path) + 1):
            found = self.expected(False, path[:depth])
            if found is None:
                return None
            if found.shape == STEP and not (found.many or found.named):
                return depth
        return None
